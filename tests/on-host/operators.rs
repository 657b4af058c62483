//! Programs that apply every kind of operator in every kind of loop, for all element types: the loops that a
//! compiler makes vectors of.
//!
//! The build script prints their functions, and the tests make them again. Lengths of rows and windows are
//! constants from 1 to 40, because what a compiler does depends on them.

use lift_core::ir::scalar::ScalarType;

use crate::generator::Choices;

/// A program, and how its results are compared.
pub(crate) struct OperatorProgram {
    pub(crate) text: String,
    pub(crate) zeros: Zeros,
    pub(crate) numbers: Numbers,
}

/// Which zero a float is that is zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Zeros {
    /// The one that the program says.
    Signed,
    /// Either one: of 0.0 and -0.0 either may be the smaller and the larger one.
    Either,
}

/// Which numbers a program takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// All of them.
    All,
    /// Small whole numbers, whose sums are exact in any order.
    Small,
}

/// Single precision is what most programs have, and what most kernels of loops are written for.
const TYPES: [ScalarType; 13] = [
    ScalarType::F32,
    ScalarType::F32,
    ScalarType::F32,
    ScalarType::F64,
    ScalarType::F64,
    ScalarType::I8,
    ScalarType::U8,
    ScalarType::I16,
    ScalarType::U16,
    ScalarType::I32,
    ScalarType::U32,
    ScalarType::I64,
    ScalarType::U64,
];

/// Functions on what was accumulated and an element. `STEP` is a function of the user's.
const FUNCTIONS: [&str; 20] = [
    "max",
    "min",
    "add",
    "max",
    "min",
    "mult",
    "|s, x| max(x, s)",
    "|s, x| min(x, s)",
    "|s, x| if s < x { x } else { s }",
    "|s, x| if x <= s { x } else { s }",
    "|s, x| select(x < s, x, s)",
    "|s, x| max(s, abs(x))",
    "|s, x| min(s, x * 2 + 1)",
    "|s, x| min(max(s, x), 90)",
    "|s, x| clampv(s + x, 3, 100)",
    "|s, x| s - x",
    "|s, x| if x == 5 { x } else { s }",
    "|s, x| if x > 3 && s < 50 { s + x } else { s }",
    "|s, x| if x != s { sign(x) + s } else { x }",
    "STEP",
];

/// Those that a scan or a reduction of a whole array may reorder, and those of them that give the same in any
/// order.
const REORDERED: [&str; 4] = ["max", "min", "max", "add"];

const BORDERS: [&str; 3] = ["clamp", "mirror", "wrap"];

const LONGEST: usize = 40;

/// The program of a seed.
pub(crate) fn operator_program(seed: u64) -> OperatorProgram {
    let mut choices = Choices::from_seed(seed);
    let scalar = choices.pick(&TYPES);
    let shape = choices.below(12);
    let length = 1 + choices.below(LONGEST);
    let function = if shape < 2 { choices.pick(&REORDERED) } else { choices.pick(&FUNCTIONS) };
    let initial = choices.pick(&["0", "1", "7", "120"]);
    let (left, border) = (choices.below(length), choices.pick(&BORDERS));
    let right = length - 1 - left;
    let (rows, vector) = (format!("[[{scalar}; {length}]; N]"), format!("[{scalar}; N]"));
    let f = if function == "STEP" { "step" } else { function };
    let (parameters, body) = match shape {
        0 => (format!("a: {vector}"), format!("a >> scanInclusive({f})")),
        1 => (format!("a: {vector}"), format!("a >> reduce({f}, {initial})")),
        2 => (format!("a: {vector}, b: {vector}"), format!("zip(a, b) >> map({f})")),
        3 => (format!("a: {vector}, b: {vector}"), "zip(a, b) >> map(|x, y| x < y || y == x)".to_owned()),
        4 | 5 => (
            format!("a: {vector}"),
            format!(
                "a >> pad({left}, {right}, {border}) >> slide({length}, 1) >> map(reduce({f}, {initial}))"
            ),
        ),
        6 => (format!("a: {rows}"), format!("a >> map(scanInclusive({f}))")),
        7 => (
            format!("a: [[{scalar}; N]; {length}]"),
            format!("a >> transpose >> map(reduce({f}, {initial}))"),
        ),
        8 => (format!("a: [[{scalar}; M]; N]"), format!("a >> map(reduce({f}, {initial}))")),
        9 => {
            (format!("a: {rows}"), format!("a >> map(|row| row >> map(|x| x * x) >> reduce({f}, {initial}))"))
        }
        _ => (format!("a: {rows}"), format!("a >> map(reduce({f}, {initial}))")),
    };
    let text = match function {
        "STEP" if shape != 3 => {
            let result = match shape {
                1 => scalar.to_string(),
                6 => rows,
                _ => vector,
            };
            let sizes = if shape == 8 { "const M: usize, const N: usize" } else { "const N: usize" };
            format!(
                "fn step(s: {scalar}, x: {scalar}) -> {scalar} {{ let d = x - s; if d > 2 {{ max(s, d) }} else {{ s + 1 }} }}\n\
                 fn program<{sizes}>({parameters}) -> {result} {{ {body} }}"
            )
        }
        _ => format!("|{parameters}| {body}"),
    };
    let is_chosen = ["max", "min", "clampv", "STEP"].iter().any(|name| function.contains(name));
    let is_sum = function == "add" && matches!(scalar, ScalarType::F32 | ScalarType::F64);
    OperatorProgram {
        text,
        zeros: if is_chosen { Zeros::Either } else { Zeros::Signed },
        numbers: if shape < 2 && is_sum { Numbers::Small } else { Numbers::All },
    }
}
