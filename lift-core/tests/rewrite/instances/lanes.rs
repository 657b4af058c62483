//! Reductions with an accumulator for each column.

use lift_core::middle::rewrite::Argument;

use super::{Instance, instance, size, with};

fn two() -> Vec<Argument> {
    vec![size(2)]
}

pub(super) const INSTANCES: &[Instance] = &[
    with(
        "partialReduceLanes",
        two,
        1,
        "|a: [[i32; M]; N]| a >> reduce(|acc, r| zip(acc, r) >> map(|(s, x)| s + x), repeat(M, 3))",
    ),
    with(
        "partialReduceLanes",
        two,
        1,
        "|a: [[i32; M]; N], b: [i32; M]| a >> reduce(|acc, r| { let k = r >> reduce(max, 0); \
         zip(b, acc, r) >> map(|(y, s, x)| s + (k * x - y)) }, repeat(M, 0))",
    ),
    // Parts start from the value before.
    with(
        "partialReduceLanes",
        two,
        1,
        "|a: [[i32; M]; N], z: i32| a >> reduce(|acc, r| zip(acc, r) >> map(|(s, x)| min(x * x, s)), repeat(M, z))",
    ),
    with(
        "partialReduceLanes",
        two,
        1,
        "|a: [[i32; M]; N], z: (i32, i32)| a >> reduce(|acc, r| zip(acc, r) >> map(|((s, m), x)| \
         (s + x, max(m, x))), repeat(M, z))",
    ),
    with(
        "partialReduceLanes",
        two,
        1,
        "|a: [[i32; M]; 3], b: [i32; 3]| zip(a, b) >> reduce(|acc, (r, y)| zip(acc, r) >> map(|(s, x)| s + x * y), \
         repeat(M, 0))",
    ),
    // The operator is not associative, the step knows its position, or the order is said.
    with(
        "partialReduceLanes",
        two,
        0,
        "|a: [[i32; M]; N]| a >> reduce(|acc, r| zip(acc, r) >> map(|(s, x)| 2 * s + x), repeat(M, 0))",
    ),
    with(
        "partialReduceLanes",
        two,
        0,
        "|a: [[i32; M]; N]| a >> reduce(|k => acc, r| zip(acc, r) >> map(|(s, x)| s + x * k as i32), repeat(M, 0))",
    ),
    with(
        "partialReduceLanes",
        two,
        0,
        "|a: [[i32; M]; N]| a >> reduceSeq(|acc, r| zip(acc, r) >> map(|(s, x)| s + x), repeat(M, 0))",
    ),
    with(
        "partialReduceLanes",
        two,
        0,
        "|a: [[i32; M]; N], z: [i32; M]| a >> reduce(|acc, r| zip(acc, r) >> map(|(s, x)| s + x), z)",
    ),
    instance(
        "reduceMapInterchange",
        1,
        "|a: [[i32; M]; N]| a >> reduce(|acc, r| zip(acc, r) >> map(|(s, x)| 2 * s - x), repeat(M, 3))",
    ),
    instance(
        "reduceMapInterchange",
        1,
        "|a: [[i32; M]; N], b: [i32; N], c: [[i32; M]; N], k: i32| zip(a, b, c) >> reduceSeq(|acc, (r, y, t)| \
         zip(r, acc, t) >> map(|(x, s, z)| s * y + x - k * z), repeat(M, k))",
    ),
    instance(
        "reduceMapInterchange",
        1,
        "|a: [[[i32; 2]; M]; N]| a >> reduce(|acc, r| zip(acc, r) >> map(|(s, x)| s + (x >> reduce(max, 0))), \
         repeat(M, 0))",
    ),
    // A step computes something of a row, knows its position, or uses all of a row or what has other rows.
    instance(
        "reduceMapInterchange",
        0,
        "|a: [[i32; M]; N]| a >> reduce(|acc, r| { let k = r >> reduce(max, 0); \
         zip(acc, r) >> map(|(s, x)| s + k * x) }, repeat(M, 0))",
    ),
    instance(
        "reduceMapInterchange",
        0,
        "|a: [[i32; M]; N]| a >> reduce(|k => acc, r| zip(acc, r) >> map(|(s, x)| s + x * k as i32), repeat(M, 0))",
    ),
    instance(
        "reduceMapInterchange",
        0,
        "|a: [[i32; M]; N]| a >> reduce(|acc, r| zip(acc, r) >> map(|(s, x)| s + x * (r >> reduce(add, 0))), \
         repeat(M, 0))",
    ),
    instance(
        "reduceMapInterchange",
        0,
        "|a: [i32; N], b: [i32; M]| a >> reduce(|acc, x| zip(acc, b) >> map(|(s, y)| s + x * y), repeat(M, 0))",
    ),
];
