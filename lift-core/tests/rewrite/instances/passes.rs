//! Passes over an array.

use lift_core::ir::nat::Nat;
use lift_core::middle::rewrite::Argument;

use super::{Instance, instance, with};

fn four() -> Vec<Argument> {
    vec![Argument::Size(Nat::constant(4))]
}

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
    with("roundUp", four, 0, "|a: [i32; N]| a >> map(|i => x| x * i as i32)"),
    with("roundUp", four, 1, "|a: [i32; N]| a >> map(|x| 100 / x)"),
    with("roundUp", four, 2, "|a: [[i32; M]; N]| a >> map(|r| r >> map(|x| x + 1))"),
    with(
        "roundUp",
        four,
        2,
        "|a: [[(i32, f32); M]; N]| a >> map(|r| r >> map(|(x, y)| y) >> reduce(add, 1.0))",
    ),
    with("roundUp", four, 1, "|a: [f32; N]| a >> slide(3, 1) >> map(|n| n >> reduceSeq(max, 0.0))"),
    with("roundUp", four, 0, "|a: [i => [i32; i + 1]; N]| a >> map(|r| r >> reduce(add, 0))"),
    with("roundUp", four, 0, "|a: [i32; N]| a >> mapSeq(|x| x + 1)"),
    with("fillUp", four, 1, "|a: [i32; N]| a >> map(|x| 100 / x)"),
    with("fillUp", four, 1, "|a: [i32; 3]| a >> map(|x| x * x)"),
    with("fillUp", four, 1, "|a: [i32; 4]| a >> map(|x| x * x)"),
    with("fillUp", four, 0, "|a: [i32; 5]| a >> map(|x| x * x)"),
    with("fillUp", four, 2, "|a: [[i32; M]; N]| a >> map(|r| r >> map(|x| x + 1))"),
    with(
        "fillUp",
        four,
        2,
        "|a: [[(i32, f32); M]; N]| a >> map(|r| r >> map(|(x, y)| y) >> reduce(add, 1.0))",
    ),
    with("fillUp", four, 0, "|a: [i => [i32; i + 1]; N]| a >> map(|r| r >> reduce(add, 0))"),
    with("fillUp", four, 0, "|a: [i32; N]| a >> map(|i => x| x * i as i32)"),
    with("fillUp", four, 0, "|a: [i32; N]| a >> mapSeq(|x| x + 1)"),
];
