//! Random programs of the OpenCL level: what the work-items of a group do together with a tile, step by step,
//! in local and global memory, in one dimension and two, with launches that nobody would choose for them.

use super::arguments::{INPUT, argument};
use super::choices::Choices;
use super::program::RandomProgram;
use super::types::{Element, Length, Scalar, Type};

/// Launches in which work-items have no element, one, or several.
const LAUNCHES: [&str; 12] = [
    "",
    "#[launch(local = 3)] ",
    "#[launch(any)] ",
    "#[launch(local = 7)] ",
    "#[launch(local = (3, 1))] ",
    "#[launch(local = (2, 3))] ",
    "#[launch(local = 119)] ",
    "#[launch(local = (5, 7))] ",
    "#[launch(local = 1)] ",
    "#[launch(local = (4, 4))] ",
    "#[launch(local = (1, 6))] ",
    "#[launch(local = 16)] ",
];

const ELEMENTS: [Element; 10] = [
    Element::I32,
    Element::F32,
    Element::I32,
    Element::F32,
    Element::U8,
    Element::I64,
    Element::I16,
    Element::F64,
    Element::U32,
    Element::I8,
];

/// Functions that keep small numbers small.
const FUNCTIONS: [&str; 7] = [
    "id",
    "|x| x + 1",
    "|x| x * 2",
    "|x| if x > 3 { x } else { x + 3 }",
    "|x| max(x, 2)",
    "|x| min(x + 2, 5)",
    "|x| select(x < 2, x, x - 1)",
];

/// The sides of tiles, with a divisor of each that is not trivial where there is one.
const SIDES: [(usize, usize); 6] = [(4, 2), (8, 4), (6, 3), (5, 1), (1, 1), (16, 2)];

/// Programs with more steps take a simulator long, and floats would not stay exact.
const MOST_STEPS: usize = 5;

/// A random program in which groups work on tiles.
pub(crate) fn group_program(choices: &mut Choices) -> RandomProgram {
    let element = choices.pick(&ELEMENTS);
    let launch = choices.pick(&LAUNCHES);
    let name = element.name();
    let (text, lengths) = match choices.below(5) {
        0 | 1 => tiles(choices, name),
        2 => accumulated_tiles(choices, name),
        3 => tiles_in_two_dimensions(choices, name),
        _ => work_items(choices, name),
    };
    let scalar = Type::Scalar(Scalar::new(element, INPUT));
    let array = |ty, length: &usize| Type::array(ty, Length::Literal(*length));
    let ty = lengths.iter().rev().fold(scalar, array);
    let salt = choices.below(97);
    RandomProgram { text: format!("{launch}{text}"), arguments: vec![argument(&ty, salt)] }
}

/// An order in which a tile is read or written, of a side with this divisor.
fn permutation(choices: &mut Choices, side: usize, divisor: usize) -> String {
    match choices.below(6) {
        0 => "reverse".to_owned(),
        1 => format!("gather(rotate({}))", choices.below(side + 1)),
        2 => format!("scatter(rotate({}))", choices.below(side + 1)),
        3 => format!("scatter(stride({divisor}))"),
        4 => format!("gather(stride({divisor}))"),
        _ => format!("split({divisor}) >> transpose >> join"),
    }
}

/// A step of a group that leaves as many elements in memory that all of its work-items read.
fn step(choices: &mut Choices, side: usize, divisor: usize) -> String {
    let function = choices.pick(&FUNCTIONS);
    let memory = choices.pick(&["toLocal", "toLocal", "toLocal", "toGlobal"]);
    match choices.below(9) {
        0..3 => format!("{memory}(mapLcl0({function}))"),
        3 => format!("split({divisor}) >> {memory}(mapLcl0(mapSeq({function}))) >> join"),
        4 => format!("split({divisor}) >> {memory}(mapLcl1(mapLcl0({function}))) >> join"),
        5 => format!("{memory}(scanSeq(add, 0))"),
        6 => {
            let (border, count) = (choices.pick(&["wrap", "clamp", "mirror"]), choices.below(4));
            let border = if side == 1 { "clamp" } else { border };
            let windows = format!("pad(1, 1, {border}) >> slide(3, 1)");
            format!("iterate({count}, |u| u >> {windows} >> toLocal(mapLcl0(reduceSeq(max, 0))))")
        }
        7 => {
            let windows = "pad(1, 1, wrap) >> slide(3, 1)";
            format!("{windows} >> {memory}(mapLcl0(reduceSeq(|acc, x| max(acc, x), 0)))")
        }
        _ => format!("{} >> {memory}(mapLcl0({function}))", permutation(choices, side, divisor)),
    }
}

fn steps(choices: &mut Choices, side: usize, divisor: usize) -> String {
    let count = 1 + choices.below(MOST_STEPS);
    let steps: Vec<_> = (0..count).map(|_| step(choices, side, divisor)).collect();
    steps.join(" >> ")
}

/// A tile for each group of a dimension.
fn tiles(choices: &mut Choices, element: &str) -> (String, Vec<usize>) {
    let (side, divisor) = choices.pick(&SIDES);
    let count = 1 + choices.below(5);
    let map = choices.pick(&["mapWrg0", "mapWrg0", "mapWrg1"]);
    let steps = steps(choices, side, divisor);
    let last = choices.pick(&FUNCTIONS);
    let order = if choices.one_in(3) {
        format!(" >> {}", permutation(choices, side, divisor).replace("gather", "scatter"))
    } else {
        String::new()
    };
    let body = format!("a >> split({side}) >> {map}(|t| t >> {steps} >> mapLcl0({last}){order}) >> join");
    let constraint = format!("where N % {side} == 0");
    let text = format!("fn p<const N: usize>(a: [{element}; N]) -> [{element}; N] {constraint} {{ {body} }}");
    (text, vec![side * count])
}

/// One group that adds up what becomes of its tiles: the accumulator is an array.
fn accumulated_tiles(choices: &mut Choices, element: &str) -> (String, Vec<usize>) {
    let (side, divisor) = choices.pick(&SIDES);
    let count = 1 + choices.below(4);
    let steps = steps(choices, side, divisor);
    let add = choices.pick(&["add", "|x, y| max(x, y)", "|x, y| y + x"]);
    let is_shared = choices.one_in(2);
    // Private memory shows a work-item its own elements only.
    let (stored, first) = match is_shared {
        true => (format!("toLocal(mapLcl0({add}))"), format!("toLocal(mapLcl0(id))(repeat({side}, 0))")),
        false => (format!("mapLcl0({add})"), format!("repeat({side}, 0)")),
    };
    let orders = if is_shared { &["", " >> reverse", " >> gather(rotate(1))"][..] } else { &[""] };
    let (order, last_order) = (choices.pick(orders), choices.pick(orders));
    let step = format!("{{ let l = t >> {steps}; zip(acc{order}, l) >> {stored} }}");
    let reduction = format!("split({side}) >> reduceSeq(|acc, t| {step}, {first})");
    let last = choices.pick(&["", " >> mapLcl0(toGlobal(id))", " >> toGlobal(mapLcl0(id))"]);
    let last = format!("{last_order}{last}");
    let last = if is_shared && last == last_order { " >> mapLcl0(id)" } else { &last };
    let body = format!("a >> split(N) >> mapWrg0(|c| c >> {reduction}{last}) >> join");
    let constraint = format!("where N % {side} == 0, N >= {side}");
    let text =
        format!("fn p<const N: usize>(a: [{element}; N]) -> [{element}; {side}] {constraint} {{ {body} }}");
    (text, vec![side * count])
}

/// A tile of a matrix for each group.
fn tiles_in_two_dimensions(choices: &mut Choices, element: &str) -> (String, Vec<usize>) {
    let ((height, _), (width, divisor)) = (choices.pick(&SIDES), choices.pick(&SIDES));
    let (rows, columns) = (1 + choices.below(3), 1 + choices.below(3));
    let (outer, inner) = choices.pick(&[("mapWrg1", "mapWrg0"), ("mapWrg0", "mapWrg1")]);
    let (row, item) = choices.pick(&[("mapLcl1", "mapLcl0"), ("mapLcl1", "mapLcl0"), ("mapLcl0", "mapLcl1")]);
    let count = 1 + choices.below(MOST_STEPS - 2);
    let steps: Vec<_> = (0..count)
        .map(|_| {
            let function = choices.pick(&FUNCTIONS);
            let order = permutation(choices, width, divisor);
            match choices.below(6) {
                0 | 1 => format!("toLocal({row}({item}({function})))"),
                2 => format!("{row}(|r| r >> toLocal({item}({function})) >> {order} >> toLocal({item}(id)))"),
                3 => format!("reverse >> toLocal({row}({item}({function})))"),
                4 => format!("map({order}) >> toLocal({row}({item}({function})))"),
                _ => format!("transpose >> toLocal({row}({item}({function}))) >> transpose"),
            }
        })
        .collect();
    let (steps, last) = (steps.join(" >> "), choices.pick(&FUNCTIONS));
    let tile = format!("|t| t >> {steps} >> {row}({item}({last}))");
    let body = format!("a >> tile({height}, {width}) >> {outer}({inner}({tile})) >> untile");
    let constraint = format!("where N % {height} == 0, M % {width} == 0");
    let matrix = format!("[[{element}; M]; N]");
    let text =
        format!("fn p<const N: usize, const M: usize>(a: {matrix}) -> {matrix} {constraint} {{ {body} }}");
    (text, vec![height * rows, width * columns])
}

/// Work-items of the whole device, in two dimensions, in one kernel or two.
fn work_items(choices: &mut Choices, element: &str) -> (String, Vec<usize>) {
    let (rows, columns) = (1 + choices.below(9), 1 + choices.below(9));
    let (outer, inner) =
        choices.pick(&[("mapGlb1", "mapGlb0"), ("mapGlb0", "mapGlb1"), ("mapGlb0", "mapSeq")]);
    let (first, second) = (choices.pick(&FUNCTIONS), choices.pick(&FUNCTIONS));
    let order = choices.pick(&["", "reverse >> ", "map(reverse) >> ", "map(gather(rotate(1))) >> "]);
    let written = choices.pick(&["", " >> reverse", " >> map(scatter(reverse))", " >> scatter(rotate(1))"]);
    let begun = if choices.one_in(2) { format!("{outer}({inner}({first})) >> ") } else { String::new() };
    let body = format!("a >> {begun}{order}{outer}({inner}({second})){written}");
    let matrix = format!("[[{element}; M]; N]");
    let text = format!("fn p<const N: usize, const M: usize>(a: {matrix}) -> {matrix} {{ {body} }}");
    (text, vec![rows, columns])
}
