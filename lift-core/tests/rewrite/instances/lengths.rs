//! Arrays that are filled up.

use lift_core::ir::nat::Nat;
use lift_core::middle::rewrite::Argument;

use super::{Instance, with};

fn four() -> Vec<Argument> {
    vec![Argument::Size(Nat::constant(4))]
}

pub(super) const INSTANCES: &[Instance] = &[
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
    with("fillUpToMultiple", four, 1, "|a: [i32; N]| a >> map(|x| 100 / x)"),
    with("fillUpToMultiple", four, 1, "|a: [i32; 5]| a >> map(|x| x * x)"),
    with("fillUpToMultiple", four, 1, "|a: [i32; N], b: [u8; N]| zip(a, b) >> map(|(x, y)| x + y as i32)"),
    with("fillUpToMultiple", four, 2, "|a: [[i32; M]; N]| a >> map(|r| r >> map(|x| x + 1))"),
    with("fillUpToMultiple", four, 0, "|a: [i => [i32; i + 1]; N]| a >> map(|r| r >> reduce(add, 0))"),
    with("fillUpToMultiple", four, 0, "|a: [i32; N]| a >> map(|i => x| x * i as i32)"),
    with("roundUpReduce", four, 1, "|a: [i32; N]| a >> map(|x| x * x) >> reduce(add, 7)"),
    with(
        "roundUpReduce",
        four,
        1,
        "|a: [f32; N], b: [f32; N]| zip(a, b) >> map(|(x, y)| { let d = x - y; 2.0 * d * d }) >> reduce(add, 1.0)",
    ),
    with("roundUpReduce", four, 1, "|a: [u8; N]| a >> map(|x| x as u32) >> reduce(add, 0)"),
    // The length is a multiple already.
    with("roundUpReduce", four, 0, "|a: [[i32; 4]; N]| a >> join >> map(|x| x * x) >> reduce(add, 7)"),
    // It makes no identity of zero.
    with("roundUpReduce", four, 0, "|a: [i32; N]| a >> map(|x| x + 1) >> reduce(add, 0)"),
    with("roundUpReduce", four, 0, "|a: [i32; N]| a >> map(|x| x * x) >> reduce(mult, 2)"),
    with("roundUpReduce", four, 1, "|a: [bool; N]| a >> map(|x| x && true) >> reduce(|s, x| s || x, false)"),
    with("roundUpReduce", four, 1, "|a: [u32; N]| a >> map(|x| (x & 6) | (x & x)) >> reduce(bitOr, 8)"),
    with(
        "roundUpReduce",
        four,
        1,
        "fn plus(p: i32, q: i32) -> i32 { p + q }
         fn f<const N: usize>(a: [i32; N]) -> i32 { a >> map(|x| plus(plus(x, x), x)) >> reduce(add, 0) }",
    ),
    with(
        "roundUpReduce",
        four,
        0,
        "fn plus(p: i32, q: i32) -> i32 { p + q }
         fn f<const N: usize>(a: [i32; N]) -> i32 { a >> map(|x| plus(1, plus(x, x))) >> reduce(add, 0) }",
    ),
    // A factor may be infinite.
    with("roundUpReduce", four, 0, "|a: [f32; N]| a >> map(|x| x * (1e300f64 as f32)) >> reduce(add, 0)"),
    with("roundUpReduce", four, 0, "|a: [f32; N], y: f32| a >> map(|x| x * y) >> reduce(add, 0)"),
    with("roundUpReduce", four, 0, "|a: [i32; N]| a >> map(|i => x| x * i as i32) >> reduce(add, 0)"),
    with("roundUpReduce", four, 0, "|a: [i32; N]| a >> map(|x| x * x) >> reduce(|s, x| s - x, 0)"),
    with("fillUpReduce", four, 1, "|a: [i32; N]| a >> reduce(add, 7)"),
    with("fillUpReduce", four, 1, "|a: [i32; N]| a >> map(|x| x + 1) >> reduce(mult, 2)"),
    // It takes its initial value again.
    with("fillUpReduce", four, 1, "|a: [i32; N], z: i32| a >> reduce(max, z)"),
    with(
        "fillUpReduce",
        four,
        1,
        "|a: [(i32, i32); N]| a >> reduce(|(s, m), (x, y)| (s + x, max(m, y)), (1, 2))",
    ),
    with("fillUpReduce", four, 1, "|a: [i32; 4]| a >> reduce(add, 0)"),
    with("fillUpReduce", four, 0, "|a: [i32; 5]| a >> reduce(add, 0)"),
    with("fillUpReduce", four, 0, "|a: [i32; N]| a >> reduce(|s, x| s - x, 0)"),
    with("fillUpReduce", four, 0, "|a: [i32; N]| a >> reduceSeq(add, 0)"),
    with(
        "fillUpLanes",
        four,
        1,
        "|a: [[i32; M]; N]| a >> reduce(|acc, r| zip(acc, r) >> map(|(s, x)| s - x), repeat(M, 3))",
    ),
    with(
        "fillUpLanes",
        four,
        1,
        "|a: [[i32; M]; N], b: [i32; M]| a >> reduceSeq(|acc, r| { let s = r >> reduce(max, 0); \
         zip(r, acc, b) >> map(|(x, t, y)| t + x * s - y) }, repeat(M, 0))",
    ),
    with(
        "fillUpLanes",
        four,
        1,
        "|a: [[i32; 4]; N]| a >> reduce(|k => acc, r| zip(acc, r) >> map(|(s, x)| s + x * k as i32), repeat(4, 0))",
    ),
    with(
        "fillUpLanes",
        four,
        0,
        "|a: [[i32; 5]; N]| a >> reduce(|acc, r| zip(acc, r) >> map(|(s, x)| s + x), repeat(5, 0))",
    ),
    // An accumulator knows its neighbours, or its position, or starts from a value of its own.
    with(
        "fillUpLanes",
        four,
        0,
        "|a: [[i32; M]; N]| a >> reduce(|acc, r| zip(acc >> reverse, r) >> map(|(s, x)| s + x), repeat(M, 0))",
    ),
    with(
        "fillUpLanes",
        four,
        0,
        "|a: [[i32; M]; N]| a >> reduce(|acc, r| zip(acc, r) >> map(|i => (s, x)| s + x * i as i32), repeat(M, 0))",
    ),
    with(
        "fillUpLanes",
        four,
        0,
        "|a: [[i32; M]; N], z: [i32; M]| a >> reduce(|acc, r| zip(acc, r) >> map(|(s, x)| s + x), z)",
    ),
    with(
        "fillUpLanes",
        four,
        0,
        "|a: [[i32; M]; N]| a >> reduce(|acc, r| zip(acc, r) >> map(|(s, x)| s + x + (acc >> reduce(add, 0))), \
         repeat(M, 0))",
    ),
    with("fillUp", four, 1, "|a: [i32; N], b: [f32; N]| zip(a, b) >> map(|(x, y)| x as f32 * y)"),
];
