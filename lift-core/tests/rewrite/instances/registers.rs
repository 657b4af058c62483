//! Arrays that the work-items of a group keep in registers.

use lift_core::middle::rewrite::Argument;

use super::{Instance, size, with};

fn by_two() -> Vec<Argument> {
    vec![size(2)]
}

fn by_two_of_four() -> Vec<Argument> {
    vec![size(2), size(4)]
}

pub(super) const INSTANCES: &[Instance] = &[
    with(
        "copyFilled",
        by_two,
        2,
        "|a: [[i32; M]; N]| a >> mapWrg0(|r| r >> pad(0, 4 - M, clamp) >> mapLcl0(|x| x + (r >> reduceSeq(add, 0))))",
    ),
    with(
        "copyFilled",
        by_two,
        0,
        "|a: [[i32; M]; N]| a >> mapWrg0(|r| r >> pad(0, 1, clamp) >> mapLcl0(|x| x + 1))",
    ),
    with(
        "copyFilled",
        by_two,
        0,
        "|a: [[i32; M]; N]| a >> map(|r| r >> pad(0, 4 - M, clamp) >> reduce(add, 0))",
    ),
    with(
        "copyFilled",
        by_two,
        0,
        "|a: [[i32; M]; N]| a >> mapWrg0(|r| r >> pad(0, 4 - M, mirror) >> mapLcl0(|x| x))",
    ),
    with(
        "keepZipped",
        by_two_of_four,
        2,
        "|a: [[i32; M]; N], x: [i32; M]| a >> mapWrg0(|r| zip(r, x) >> mapLcl0(|(p, q)| p * q))",
    ),
    with(
        "keepZipped",
        by_two_of_four,
        0,
        "|a: [[i32; M]; N], x: [i32; M]| a >> map(|r| zip(r, x) >> map(|(p, q)| p * q))",
    ),
    with(
        "keepZipped",
        by_two_of_four,
        0,
        "|a: [[[i32; 2]; M]; N]| a >> mapWrg0(|r| zip(r >> map(reduce(add, 0)), r) >> mapLcl0(|(p, q)| p))",
    ),
    with(
        "keepRow",
        by_two_of_four,
        1,
        "|a: [[i32; M]; N]| a >> mapWrg0(|r| zip(r, r) >> deinterleave(2) >> mapLcl0(reduceSeq(|s, (x, y)| s + x * y, 0)))",
    ),
    with(
        "keepRow",
        by_two_of_four,
        1,
        "|a: [[i32; M]; N]| a >> mapWrg0(|r| { \
         let s = r >> map(|x| x + 1) >> deinterleave(2) >> mapLcl0(reduceSeq(add, 0)) \
         >> reduceSeq(add, 0); \
         r >> deinterleave(2) >> mapLcl0(mapSeq(|x| x * s)) >> interleave })",
    ),
    // Vectors.
    with(
        "keepRow",
        || vec![size(2), size(8)],
        3,
        "|a: [[i32; M]; N]| a >> map(asVector(2)) >> mapWrg0(|r| zip(r, r) >> deinterleave(2) \
         >> mapLcl0(mapSeq(|(x, y)| x * y)) >> interleave >> asScalar)",
    ),
    // A row of a tuple, and each of two.
    with(
        "keepRow",
        by_two_of_four,
        1,
        "|a: [[i32; M]; N], b: [[i32; M]; N]| zip(a, b) >> mapWrg0(|t| \
         zip(t.0, t.1, t.0) >> deinterleave(2) >> mapLcl0(reduceSeq(|s, (x, y, z)| s + x * y - z, 0)))",
    ),
    with(
        "keepBound",
        by_two_of_four,
        1,
        "|a: [[i32; M]; N]| a >> mapWrg0(|r| { let p = zip(r, r) >> map(|(x, y)| x * y - 1); \
         let s = p >> deinterleave(2) >> mapLcl0(reduceSeq(add, 0)) >> reduceSeq(add, 0); \
         p >> deinterleave(2) >> mapLcl0(mapSeq(|x| x * s)) >> interleave })",
    ),
    with(
        "keepBound",
        by_two_of_four,
        0,
        "|a: [[i32; M]; N]| a >> mapWrg0(|r| { let p = r >> map(|x| x * x); \
         p >> slide(1, 1) >> mapLcl0(|w| (w >> reduceSeq(add, 0)) + (p >> reduceSeq(add, 0))) })",
    ),
    // Once is not several times.
    with(
        "keepRow",
        by_two_of_four,
        0,
        "|a: [[i32; M]; N]| a >> mapWrg0(|r| r >> deinterleave(2) >> mapLcl0(reduceSeq(add, 0)))",
    ),
    // Elements of other work-items.
    with(
        "keepRow",
        by_two_of_four,
        0,
        "|a: [[i32; M]; N]| a >> mapWrg0(|r| zip(r, r) >> deinterleave(3) >> mapLcl0(reduceSeq(|s, (x, y)| s + x * y, 0)))",
    ),
    with(
        "keepRow",
        by_two_of_four,
        0,
        "|a: [[i32; M]; N]| a >> mapWrg0(|r| zip(r, r >> reverse) >> deinterleave(2) \
         >> mapLcl0(reduceSeq(|s, (x, y)| s + x * y, 0)))",
    ),
    with(
        "keepRow",
        by_two_of_four,
        0,
        "|a: [[i32; M]; N]| a >> mapWrg0(|r| r >> deinterleave(2) \
         >> mapLcl0(|own| (own >> reduceSeq(add, 0)) * (r >> reduceSeq(add, 0))))",
    ),
    // A border, and the last element, which one work-item has, for others.
    with(
        "keepRow",
        by_two_of_four,
        0,
        "|a: [[i32; M]; N]| a >> mapWrg0(|r| zip(r, r) >> map(|(x, y)| x * y) >> padConstant(0, 4, 1) \
         >> deinterleave(2) >> mapLcl0(reduceSeq(add, 0)))",
    ),
    with(
        "keepRow",
        by_two_of_four,
        0,
        "|a: [[i32; M]; N]| a >> mapWrg0(|r| zip(r, r) >> pad(0, 4 - M, clamp) >> deinterleave(2) \
         >> mapLcl0(reduceSeq(|s, (x, y)| s + x * y, 0)))",
    ),
    // No group around.
    with(
        "keepRow",
        by_two_of_four,
        0,
        "|a: [[i32; M]; N]| a >> map(|r| zip(r, r) >> deinterleave(2) >> map(reduceSeq(|s, (x, y)| s + x * y, 0)))",
    ),
];
