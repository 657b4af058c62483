//! Minima, maxima and sums of rows, which the host takes in several accumulators along the row: every length,
//! and NaN, infinities and zeros at every place. The other numbers are small and whole, so that sums are
//! exact in any order.
//!
//! The build script prints their functions, and the tests make them again.

use std::fmt::Display;

/// A program over rows `a` and what the accumulators start from, `z`.
pub(crate) struct ExtremeProgram {
    pub(crate) text: String,
    /// The length of its rows, where it is a constant.
    pub(crate) length: Option<usize>,
}

/// Bodies over rows of unknown length.
const ROWS: [&str; 14] = [
    "a >> map(reduce(max, z))",
    "a >> map(reduce(min, z))",
    "a >> map(reduce(add, z))",
    "a >> map(reduce(|s, x| max(x, s), z))",
    "a >> map(reduce(|s, x| min(abs(x - 1), s), z))",
    "a >> map(reduce(|s, x| max(max(x * 2, s), x), z))",
    // Two accumulators; one of them is read after both have changed.
    "a >> map(|row| reduce(|(l, h), x| (min(x, l), max(h, x)), (z, z), row) >> |l, h| select(l < h, h, l))",
    // Sums of elements that are computed, a sum beside a maximum, and products, which are taken in order.
    "a >> map(reduce(|s, x| x * 2 + s, z))",
    "a >> map(|row| row >> map(|x| if x > 2 { 2 } else { if x < 1 { 0.5 } else { 1 } }) >> reduce(mult, z))",
    "a >> map(|row| reduce(|(s, m), x| (s + x, max(m, x)), (z, z), row) >> |s, m| s + m)",
    // Beside sums of the same rows, which have lanes along the row too.
    "a >> map(|row| { let m = row >> reduce(max, z); row >> map(|x| if x < m { x } else { 2 }) >> reduce(add, 0) })",
    "a >> map(|row| { let t = row >> map(|x| if x < z { x } else { 2 }) >> reduce(add, 0); row >> map(|x| abs(x - t)) >> reduce(min, z) })",
    // Beside loops whose order is the program's: lanes are rows, and each has vectors of its own.
    "a >> map(|row| { let m = row >> reduce(max, z); row >> map(|x| if x < m { x } else { 2 }) >> reduceSeq(add, 0) })",
    "a >> map(|row| { let t = row >> map(|x| if x < z { x } else { 2 }) >> reduceSeq(add, 0); row >> map(|x| abs(x - t)) >> reduce(min, z) })",
];

/// One with rows in a loop inside, whose steps are in order.
const ROWS_IN_STEPS: &str = "a >> map(|row| row >> slice(0, 2) >> map(|y| row >> map(|x| min(x, y)) >> reduce(max, z) >> |m| if m < y { y } else { 2 }) >> reduceSeq(add, 0))";

/// Constant lengths of rows, about those at which the strips change.
const LENGTHS: [usize; 12] = [7, 8, 15, 16, 17, 23, 40, 127, 128, 129, 200, 215];

/// All programs, for both types of floats.
pub(crate) fn extreme_programs() -> Vec<ExtremeProgram> {
    ["f32", "f64"].into_iter().flat_map(programs).collect()
}

fn programs(scalar: &str) -> Vec<ExtremeProgram> {
    let program = |parameter: &str, body: &str, length: Option<usize>| ExtremeProgram {
        text: format!("|a: {parameter}, z: {scalar}| {body}"),
        length,
    };
    let matrix = |rows: &dyn Display, columns: &dyn Display| format!("[[{scalar}; {columns}]; {rows}]");
    let rows = ROWS.iter().map(|body| program(&matrix(&"N", &"M"), body, None));
    let others = [
        program(&matrix(&"M", &"N"), "a >> transpose >> map(reduce(max, z))", None),
        program(&matrix(&"M", &"N"), "a >> transpose >> map(reduce(add, z))", None),
        program(&matrix(&"M", &3), "a >> transpose >> map(reduce(min, z))", None),
        program(&matrix(&"N", &"M + 1"), ROWS_IN_STEPS, None),
        program(&matrix(&"N", &"M + 1"), &ROWS_IN_STEPS.replace("reduceSeq", "reduce"), None),
    ];
    let constant = LENGTHS
        .iter()
        .flat_map(|length| ROWS[..3].iter().map(|body| program(&matrix(&"N", length), body, Some(*length))));
    rows.chain(others).chain(constant).collect()
}
