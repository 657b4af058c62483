//! Random programs in which data decides where elements go: sorts, filters, tables, segments, updates.
//!
//! A program binds arrays of numbers one after the other, each made of those before it.

use super::arguments::{INPUT, argument};
use super::choices::Choices;
use super::program::RandomProgram;
use super::types::{Element, Length, Scalar, Type};

/// Lengths of the arrays that are passed: with chunks of a sort that are full, short and missing.
const LENGTHS: [usize; 9] = [7, 1, 2, 3, 13, 34, 64, 65, 130];

/// How many offsets there are: one more than segments.
const OFFSETS: [usize; 5] = [4, 1, 2, 3, 9];

/// Numbers of entries of tables.
const ENTRIES: [usize; 5] = [5, 1, 2, 3, 16];

/// The arrays that a program binds at most.
const MOST_LETS: usize = 5;

/// The length of an array, in the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Count {
    /// That of the arrays that are passed.
    Passed,
    /// That of a table, or of the segments.
    Literal(usize),
}

/// An array of numbers.
#[derive(Debug, Clone)]
struct Array {
    name: String,
    scalar: Scalar,
    count: Count,
}

struct Orders<'c> {
    choices: &'c mut Choices,
    arrays: Vec<Array>,
    lets: Vec<String>,
    length: usize,
    segments: usize,
}

/// A program that moves, keeps and combines elements as data says.
pub(crate) fn order_program(choices: &mut Choices) -> RandomProgram {
    let (length, offsets) = (choices.pick(&LENGTHS), choices.pick(&OFFSETS));
    let integers: Vec<Element> =
        Element::NUMBERS.into_iter().filter(|element| element.is_integer()).collect();
    let element = choices.pick(&Element::NUMBERS);
    let scalars = [
        // Integers may be any; floats are added up.
        Scalar::new(element, if element.is_integer() && choices.one_in(2) { f64::INFINITY } else { INPUT }),
        Scalar::new(choices.pick(&integers), INPUT),
        Scalar::new(choices.pick(&integers), INPUT),
    ];
    let lengths = [length, length, offsets];
    let names = ["xs", "keys", "offsets"];
    let types = [0, 1, 2].map(|position| {
        let length = match position {
            2 => Length::Literal(offsets),
            _ => Length::Variable("N".to_owned(), lengths[position]),
        };
        Type::array(Type::Scalar(scalars[position]), length)
    });
    let parameters: Vec<String> =
        names.iter().zip(&types).map(|(name, ty)| format!("{name}: {}", ty.text())).collect();
    let passed = [0, 1].map(|position| Array {
        name: names[position].to_owned(),
        scalar: scalars[position],
        count: Count::Passed,
    });
    let mut orders =
        Orders { choices, arrays: passed.to_vec(), lets: Vec::new(), length, segments: offsets - 1 };
    let lets = 1 + orders.choices.below(MOST_LETS);
    (0..lets).for_each(|_| orders.bind());
    let last: Vec<String> = orders.arrays.iter().rev().take(2).map(|array| array.name.clone()).collect();
    let result = if orders.choices.one_in(3) { format!("({})", last.join(", ")) } else { last[0].clone() };
    let salt = orders.choices.below(97);
    let text = format!("|{}| {{ {} {result} }}", parameters.join(", "), orders.lets.join(" "));
    let arguments = (salt..).zip(&types).map(|(salt, ty)| argument(ty, salt)).collect();
    RandomProgram { text, arguments }
}

impl Orders<'_> {
    /// Binds one more array.
    fn bind(&mut self) {
        let input = self.choices.pick(&self.arrays);
        let name = format!("y{}", self.lets.len());
        let (value, scalar, count) = self.array(&input);
        self.lets.push(format!("let {name} = {value};"));
        self.arrays.push(Array { name, scalar, count });
    }

    /// An array made of another one.
    fn array(&mut self, input: &Array) -> (String, Scalar, Count) {
        let Array { name, scalar, count } = input;
        let has_elements = self.count(*count) > 0;
        match self.choices.below(12) {
            0 => (format!("sort({name})"), *scalar, *count),
            1 => (format!("argsort({name})"), Scalar::new(Element::U32, self.count(*count) as f64), *count),
            2 => {
                let key = if scalar.element.is_float() { "max(x, 1)" } else { "x & 3" };
                (format!("sortBy(|x| {key}, {name})"), *scalar, *count)
            }
            3 => (format!("{{ let (ys, n) = filter(|x| x > 1, {name}); ys }}"), *scalar, *count),
            4 if has_elements => (format!("topK(1, {name})"), *scalar, Count::Literal(1)),
            5 if has_elements => (format!("update(argmin({name}), 3, {name})"), *scalar, *count),
            6 => (format!("map(|x| max(x, 2), {name})"), *scalar, *count),
            7 if has_elements => {
                let order = self.choices.pick(&["argsort(keys)", "argsort(xs)", "map(|k| k as i32, keys)"]);
                let element = if self.choices.one_in(2) { "at" } else { "atOr" };
                let (value, count) = match (*count, element) {
                    (Count::Passed, "at") => (format!("at(i, {name})"), Count::Passed),
                    _ => (format!("atOr(i, 1, {name})"), Count::Passed),
                };
                (format!("{order} >> map(|i| {value})"), *scalar, count)
            }
            8 if *count == Count::Passed => {
                let entries = self.choices.pick(&ENTRIES);
                let place = self.choices.pick(&["keys", "map(|k| k as i64 * 2 - 3, keys)"]);
                (format!("scatterTo({entries}, 1, {place}, {name})"), *scalar, Count::Literal(entries))
            }
            9 if *count == Count::Passed => {
                let entries = self.choices.pick(&ENTRIES);
                let (combine, scalar) = self.combination(scalar, self.count(*count));
                (format!("reduceByKey({entries}, {combine}, keys, {name})"), scalar, Count::Literal(entries))
            }
            10 => {
                let (combine, scalar) = self.combination(scalar, self.count(*count));
                let offsets = self.choices.pick(&["offsets", "map(|o| o as i32 * 9, offsets)"]);
                let reduced = match self.choices.below(3) {
                    // Elements of rows are read where there are any.
                    0 if has_elements => {
                        format!("segments({offsets}, {name}) >> map(|row| row >> reduce({combine}))")
                    }
                    _ => format!("reduceSegments({combine}, {offsets}, {name})"),
                };
                (reduced, scalar, Count::Literal(self.segments))
            }
            _ => {
                let (combine, scalar) = self.combination(scalar, self.count(*count));
                (format!("{name} >> scan({combine})"), scalar, *count)
            }
        }
    }

    /// An operator and its initial value, and the type of the result for `count` numbers.
    fn combination(&mut self, scalar: &Scalar, count: usize) -> (&'static str, Scalar) {
        let sum = scalar.bound * count as f64 + 1.0;
        match self.choices.below(3) {
            0 if scalar.element.allows(sum) => ("add, 1", Scalar::difference(scalar.element, sum)),
            1 => ("max, 0", *scalar),
            2 if scalar.element.is_integer() => {
                ("|x, y| x ^ y, 0", Scalar::new(scalar.element, f64::INFINITY))
            }
            _ => ("min, 3", *scalar),
        }
    }

    fn count(&self, count: Count) -> usize {
        match count {
            Count::Passed => self.length,
            Count::Literal(length) => length,
        }
    }
}
