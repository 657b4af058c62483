//! Passes over an array.

use super::{Instance, instance};

pub(super) const INSTANCES: &[Instance] = &[
    instance("rowReversal", 2, "|a: [[i32; M]; N]| a >> map(|r| r >> map(|x| x + 1))"),
    instance("rowReversal", 1, "|a: [i => [i32; i + 1]; N]| a >> map(|r| r >> reduce(add, 0))"),
    instance("rowReversal", 2, "|a: [i => [i32; N - i]; N]| a >> map(|r| r >> map(|x| x * x))"),
    instance("rowReversal", 1, "|a: [i32; N]| a >> map(|i => x| x * i as i32)"),
    instance("rowReversal", 1, "|a: [i => [i32; i + 1]; N]| a >> map(|i => r| (r >> at(i)) * i as i32)"),
    instance("rowReversal", 0, "|a: [i32; N]| a >> mapGlb0(|x| x + 1)"),
    instance(
        "onePass",
        1,
        "|a: [[i32; M]; N]| { let y = a >> map(reduce(add, 0)); zip(a, y) >> reduce(|s, (r, y)| s + y * \
         (r >> reduce(max, 0)), 1) }",
    ),
    instance(
        "onePass",
        1,
        "|a: [[i32; M]; N], b: [i32; N]| { let c = b >> map(|x| x + 1); let y = a >> map(reduce(add, 0)); \
         zip(y, c, a) >> reduceSeq(|s, (y, c, r)| s - c * y + (r >> reduce(max, 0)), 0) }",
    ),
    instance(
        "onePass",
        1,
        "|a: [i => [i32; i + 1]; N]| zip(a, a >> map(reduce(add, 0))) >> reduce(|s, (r, y)| s + y * (r >> \
         reduce(max, 0)), 1)",
    ),
    instance(
        "onePass",
        1,
        "|a: [[i32; M]; N], x: [i32; M]| { let y = a >> map(|r| zip(r, x) >> map(|(p, q)| p * q) >> \
         reduce(add, 0)); \
         zip(a, y) >> reduce(|acc, (r, y)| zip(acc, r) >> map(|(s, p)| s + y * p), repeat(M, 0)) }",
    ),
    instance(
        "onePass",
        0,
        "|a: [i32; N], b: [i32; N]| zip(a, b >> map(|x| x + 1)) >> reduce(|s, (x, y)| s + x * y, 0)",
    ),
    instance(
        "onePass",
        0,
        "|a: [i32; N]| { let y = a >> map(|x| x + 1); (zip(a, y) >> reduce(|s, (x, y)| s + x * y, 0)) + \
         (y >> reduce(max, 0)) }",
    ),
    instance(
        "onePass",
        1,
        "|a: [[i32; M]; N]| { let y = a >> map(|i => r| i as i32 * (r >> reduce(add, 0))); \
         zip(y, a) >> reduce(|k => s, (y, r)| s + y * k as i32 + (r >> reduce(max, 0)), 1) }",
    ),
    // The map is of more than the other array.
    instance(
        "onePass",
        1,
        "|a: [[i32; M]; N], b: [i32; N], x: [i32; M]| { let y = zip(a, b) >> map(|(r, k)| (zip(r, x) >> \
         map(|(p, q)| p * q) >> reduce(add, 0)) - k); \
         zip(a, y) >> reduce(|acc, (r, y)| zip(acc, r) >> map(|(s, p)| s + y * p), repeat(M, 0)) }",
    ),
    instance(
        "onePass",
        1,
        "|a: [i32; N], b: [i32; N]| { let y = zip(b, a) >> map(|(x, y)| 2 * x - y); \
         zip(y, b) >> reduceSeq(|s, (y, b)| s + y * b, 0) }",
    ),
    instance(
        "onePass",
        1,
        "|a: [i32; N], b: [i32; N]| { let y = zip(a, b) >> map(|i => t| t.0 * t.1 + i as i32); \
         zip(a, y) >> reduceSeq(|s, t| s + t.1 * t.0, 0) }",
    ),
    // What follows the reduction.
    instance(
        "onePass",
        1,
        "|a: [[i32; M]; N]| { let y = a >> map(reduce(add, 0)); \
         zip(a, y) >> reduce(|acc, (r, y)| zip(acc, r) >> map(|(s, p)| s + y * p), repeat(M, 0)) >> map(|x| x + 1) }",
    ),
    instance(
        "onePass",
        0,
        "|a: [i32; N], b: [i32; 3]| { let y = a >> map(|x| x + 1); \
         b >> map(|k| zip(a, y) >> reduce(|s, (x, y)| s + x * y, k)) }",
    ),
];
