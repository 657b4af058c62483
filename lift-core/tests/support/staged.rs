//! Random maps over rows. For each row, several arrays and numbers are computed from each other: products
//! with matrices, reductions, scans, windows. Lowering divides such a map into kernels, which may be launched
//! for some of the rows at a time.

use super::arguments::argument;
use super::choices::Choices;
use super::program::RandomProgram;
use super::types::{Element, Length, Scalar, Type};

/// Lengths: of no, one, or several portions, and of several loops.
const LENGTHS: [usize; 9] = [3, 1, 2, 4, 5, 7, 8, 13, 34];

/// The `let`s of a function at most.
const MOST_LETS: usize = 6;

/// What a name in a function means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    /// An array as long as a row of the input.
    Row,
    /// An array with an element for each row of a matrix.
    Hidden,
}

/// The names in a function, and what they mean.
struct Function<'c> {
    choices: &'c mut Choices,
    names: Vec<(String, Kind)>,
    lets: Vec<String>,
}

/// A program that computes something for each row of its input.
pub(crate) fn staged_program(choices: &mut Choices) -> RandomProgram {
    let [rows, row, hidden] = [0; 3].map(|_| choices.pick(&LENGTHS));
    let is_nested = choices.one_in(6);
    let mut function = Function { choices, names: vec![("x".to_owned(), Kind::Row)], lets: Vec::new() };
    let count = 2 + function.choices.below(MOST_LETS - 1);
    (0..count).for_each(|_| function.bind());
    let (result, kind) = function.result();
    let body = format!("|x| {{ {} {result} }}", function.lets.join(" "));
    let map = if is_nested { format!("map(map({body}))") } else { format!("map({body})") };
    let applied = match kind {
        Kind::Row if choices.one_in(3) => {
            let times = choices.pick(&["2", "3", "6", "k"]);
            format!("iterate({times}, |t| t >> {map})")
        }
        Kind::Number | Kind::Row | Kind::Hidden => map,
    };
    let before = choices.pick(&["", "", "reverse >> ", "gather(rotate(1)) >> "]);
    let after = match kind {
        Kind::Number => choices.pick(&["", " >> reverse", " >> map(|y| y * 3)"]),
        Kind::Row | Kind::Hidden => choices.pick(&[
            "",
            " >> reverse",
            " >> transpose",
            " >> transpose >> map(|c| { let t = c >> reduce(add, 0); c >> map(|y| y - t) })",
        ]),
    };
    let after = if is_nested { "" } else { after };
    let nested = if is_nested { ["[", "; 3]"] } else { ["", ""] };
    let text = format!(
        "|x: {}[[i32; D]; N]{}, w: [[i32; D]; M], v: [[i32; M]; D], k: size| x >> {before}{applied}{after}",
        nested[0], nested[1]
    );
    let number = Type::Scalar(Scalar::new(Element::I32, super::arguments::INPUT));
    let array = |lengths: &[usize]| {
        lengths.iter().rev().fold(number.clone(), |ty, length| Type::array(ty, Length::Literal(*length)))
    };
    let input = if is_nested { array(&[3, rows, row]) } else { array(&[rows, row]) };
    let salt = choices.below(97);
    let mut arguments: Vec<_> = [input, array(&[hidden, row]), array(&[row, hidden])]
        .iter()
        .zip(salt..)
        .map(|(ty, salt)| argument(ty, salt))
        .collect();
    arguments.push(lift_core::eval::Argument::Size(choices.below(5) as u64));
    RandomProgram { text, arguments }
}

impl Function<'_> {
    /// The name of something of a kind; there is always a row.
    fn some(&mut self, kind: Kind) -> Option<String> {
        let names: Vec<&String> =
            self.names.iter().filter(|(_, own)| *own == kind).map(|(name, _)| name).collect();
        // Rather what was made last.
        let back = self.choices.below(2 * names.len().max(1)) % names.len().max(1);
        names.into_iter().rev().nth(back).cloned()
    }

    fn array(&mut self) -> (String, Kind) {
        let kind = self.choices.pick(&[Kind::Hidden, Kind::Row, Kind::Hidden]);
        match self.some(kind) {
            Some(name) => (name, kind),
            None => ("x".to_owned(), Kind::Row),
        }
    }

    fn number(&mut self) -> String {
        self.some(Kind::Number).unwrap_or_else(|| "3".to_owned())
    }

    /// One more `let`.
    fn bind(&mut self) {
        let (value, kind) = match self.choices.below(4) {
            0 => self.product(),
            1 => (self.reduced(), Kind::Number),
            _ => self.changed(),
        };
        let value =
            if kind != Kind::Number && self.choices.one_in(8) { format!("store({value})") } else { value };
        let name = format!("{}{}", if kind == Kind::Number { "s" } else { "h" }, self.names.len());
        self.lets.push(format!("let {name} = {value};"));
        self.names.push((name, kind));
    }

    /// A product with a matrix.
    fn product(&mut self) -> (String, Kind) {
        let (array, kind) = self.array();
        let is_turned = self.choices.one_in(3);
        let (matrix, result) = match (kind, is_turned) {
            (Kind::Hidden, false) => ("v", Kind::Row),
            (Kind::Hidden, true) => ("w >> transpose", Kind::Row),
            (_, false) => ("w", Kind::Hidden),
            (_, true) => ("v >> transpose", Kind::Hidden),
        };
        let step = self.choices.pick(&["", "", " % 50", " + 1"]);
        (format!("{matrix} >> map(|r| dotProduct(r, {array}){step})"), result)
    }

    fn reduced(&mut self) -> String {
        let (array, kind) = self.array();
        match self.choices.below(6) {
            0 | 1 => format!("{array} >> reduce(max, -1000)"),
            2 => format!("{array} >> reduce(add, 0)"),
            3 => {
                let other = self.some(kind).unwrap_or_else(|| array.clone());
                format!("dotProduct({array}, {other})")
            }
            4 => {
                // A number that is known is a position that must exist.
                let position = self.some(Kind::Number).unwrap_or_else(|| "0".to_owned());
                format!("at({position}, {array})")
            }
            _ => format!("{array} >> map(|y| y % 7) >> reduceSeq(|s, y| s * 2 + y, 1)"),
        }
    }

    /// An array made of one or two.
    fn changed(&mut self) -> (String, Kind) {
        let (array, kind) = self.array();
        let number = self.number();
        let value = match self.choices.below(9) {
            0 => format!("{array} >> map(|y| y * 2 - {number})"),
            1 => format!("{array} >> scanInclusive(add)"),
            2 => format!("{array} >> scan(max, {number})"),
            3 => format!("{array} >> pad(1, 1, clamp) >> slide(3, 1) >> map(reduce(add, {number}))"),
            4 => format!("{array} >> reverse"),
            5 => {
                let other = self.some(kind).unwrap_or_else(|| array.clone());
                format!("zip({array}, {other} >> reverse) >> map(|p, q| p * 3 - q)")
            }
            6 => format!("{array} >> iterate(3, |t| t >> map(|y| y + {number}) >> reverse)"),
            7 => {
                let length = if kind == Kind::Row { "D" } else { "M" };
                let count = "map(|y| if y == i as i32 { 1 } else { 0 }) >> reduce(add, 0)";
                format!("generate({length}, |i| {array} >> {count})")
            }
            _ => format!(
                "{array} >> map(|y| {array} >> map(|z| if z < y {{ 1 }} else {{ 0 }}) >> reduce(add, {number}))"
            ),
        };
        (value, kind)
    }

    fn result(&mut self) -> (String, Kind) {
        match self.choices.below(6) {
            0 => (self.reduced(), Kind::Number),
            1 => self.product(),
            _ => self.changed(),
        }
    }
}
