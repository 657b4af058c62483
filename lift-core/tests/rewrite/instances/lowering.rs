//! Lowering to OpenCL.

use lift_core::middle::rewrite::Argument;

use super::{Instance, instance, with};

fn dimension_0() -> Vec<Argument> {
    vec![Argument::Dimension(0)]
}

fn dimension_1() -> Vec<Argument> {
    vec![Argument::Dimension(1)]
}

const ROWS: &str = "|a: [[i32; M]; N]| a >> map(|r| r >> map(|x| x + 1))";

pub(super) const INSTANCES: &[Instance] = &[
    with("mapGlb", dimension_1, 2, ROWS),
    with("mapGlb", dimension_0, 2, "|a: [[i32; M]; N]| a >> map(|r| zip(r, r) >> map(|(x, y)| x * y))"),
    with("mapGlb", dimension_0, 0, "|a: [[i32; M]; N]| a >> mapGlb0(|r| r >> map(|x| x + 1))"),
    with("mapGlb", dimension_0, 0, "|a: [[i32; M]; N]| a >> mapWrg1(|r| r >> map(|x| x + 1))"),
    with("mapGlb", dimension_1, 0, "|a: [[i32; M]; N]| a >> map(|r| r >> mapGlb1(|x| x + 1))"),
    with("mapWrg", dimension_0, 2, ROWS),
    with("mapWrg", dimension_0, 1, "|a: [[i32; M]; N]| a >> map(|r| r >> mapLcl0(|x| x + 1))"),
    with("mapWrg", dimension_1, 1, "|a: [[i32; M]; N]| a >> mapWrg0(|r| r >> map(|x| x + 1))"),
    with("mapWrg", dimension_0, 0, "|a: [i32; N]| a >> mapSeq(|x| x + 1)"),
    with("mapLcl", dimension_0, 1, "|a: [[i32; M]; N]| a >> mapWrg1(|r| r >> map(|x| x + 1))"),
    with("mapLcl", dimension_0, 0, ROWS),
    with(
        "mapLcl",
        dimension_0,
        0,
        "|a: [[[i32; L]; M]; N]| a >> mapWrg0(|r| r >> mapLcl0(|s| s >> map(|x| x + 1)))",
    ),
    with(
        "mapLcl",
        dimension_1,
        1,
        "|a: [[[i32; L]; M]; N]| a >> mapWrg0(|r| r >> mapLcl0(|s| s >> map(|x| x + 1)))",
    ),
    instance("mapSeq", 2, ROWS),
    instance("mapSeq", 1, "|a: [[i32; M]; N]| a >> mapGlb0(|r| r >> map(|x| x + 1))"),
    instance("mapSeq", 0, "|a: [i32; N]| a >> mapGlb0(|x| x + 1)"),
    instance("mapSeqUnroll", 1, "|a: [[i32; 3]; N]| a >> map(|r| r >> map(|x| x + 1))"),
    instance("mapSeqUnroll", 0, ROWS),
    instance("reduceSeq", 1, "|a: [[i32; M]; N]| a >> map(|r| r >> reduce(add, 0))"),
    instance("reduceSeq", 1, "|a: [i32; N]| a >> reduce(|s, x| s * 2 - x, 1)"),
    instance("reduceSeq", 0, "|a: [i32; N]| a >> reduceSeqPipelined(add, 0)"),
    instance("reduceSeqUnroll", 1, "|a: [[i32; 3]; N]| a >> map(|r| r >> reduce(add, 0))"),
    instance("reduceSeqUnroll", 0, "|a: [[i32; M]; N]| a >> map(|r| r >> reduce(add, 0))"),
    instance("reduceSeqPipelined", 1, "|a: [(i32, i32); N]| a >> reduce(|s, (x, y)| s + x * y, 0)"),
    instance("reduceSeqPipelined", 0, "|a: [i32; N]| a >> reduceSeq(add, 0)"),
    instance("scanSeq", 1, "|a: [i32; N]| a >> scan(add, 0)"),
    instance("scanSeq", 1, "|a: [[i32; M]; N]| a >> map(scan(max, 0))"),
    instance("scanSeq", 0, "|a: [i32; N]| a >> scanSeq(add, 0)"),
    instance("reduceToArray", 1, "|a: [[i32; M]; N]| a >> map(|r| r >> reduce(add, 0))"),
    instance(
        "reduceToArray",
        1,
        "|a: [(i32, f32); N]| a >> reduceSeq(|(s, t), (x, y)| (s + x, t + y), (0, 0.0))",
    ),
    instance("reduceToArray", 0, "|a: [i32; N]| a >> map(|x| x + 1)"),
];
