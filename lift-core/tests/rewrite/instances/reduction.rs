//! Instances of partial reductions.

use super::{Instance, instance, size, with};

pub(super) const INSTANCES: &[Instance] = &[
    with("partialReduce", || vec![size(4)], 1, "|a: [i32; N]| a >> reduce(add, 5)"),
    with("partialReduce", || vec![size(2)], 1, "|a: [[f32; M]; N]| a >> map(|row| row >> reduce(add, 0.0))"),
    with(
        "partialReduce",
        || vec![size(2)],
        1,
        "|m: [i => [i32; 2 * i + 2]; N]| m >> map(|row| row >> reduce(add, 0))",
    ),
    // A component at a time, of tuples in tuples.
    with(
        "partialReduce",
        || vec![size(3)],
        1,
        "|a: [(i32, (i32, bool)); N]|
            a >> reduce(|s, x| (s.0 + x.0, (s.1.0 * x.1.0, s.1.1 && x.1.1)), (1, (2, true)))",
    ),
    // A function that is associative because its body is.
    with(
        "partialReduce",
        || vec![size(2)],
        1,
        "fn sum(a: (f32, f32), b: (f32, f32)) -> (f32, f32) { (a.0 + b.0, a.1 + b.1) }
         fn total<const N: usize>(a: [(f32, f32); N]) -> (f32, f32) { a >> reduce(sum, (1.0, 2.0)) }",
    ),
    // Arrays that are combined element by element, and their arrays.
    with(
        "partialReduce",
        || vec![size(2)],
        1,
        "|a: [[i32; M]; N]| a >> reduce(|s, row| zip(s, row) >> map(|(x, y)| x + y), repeat(M, 1))",
    ),
    with(
        "partialReduce",
        || vec![size(2)],
        1,
        "|a: [[[i32; 2]; M]; N]| a >> reduce(
            |s, rows| zip(s, rows) >> map(|(p, q)| zip(p, q) >> map(|(x, y)| y + x)),
            repeat(M, repeat(2, 1)))",
    ),
    // Without an identity element.
    with("partialReduce", || vec![size(4)], 1, "|a: [i32; N]| a >> reduce(min, 2)"),
    with(
        "partialReduce",
        || vec![size(2)],
        1,
        "#[assoc]
         fn first(a: i32, b: i32) -> i32 { if a != 0 { a } else { b } }
         fn found<const N: usize>(a: [i32; N]) -> i32 { a >> reduce(first, 0) }",
    ),
    with("partialReduce", || vec![size(4)], 0, "|a: [i32; N]| a >> reduceSeq(add, 0)"),
    with("partialReduce", || vec![size(4)], 0, "|a: [i32; N]| a >> reduce(|s, x| s - x, 0)"),
    with("partialReduce", || vec![size(4)], 0, "|a: [i32; N]| a >> reduce(|s, x| s + x * x, 0)"),
    with("partialReduce", || vec![size(4)], 0, "|a: [i32; 6]| a >> reduce(add, 0)"),
    with(
        "partialReduce",
        || vec![size(2)],
        0,
        "|a: [(i32, i32); N]| a >> reduce(|s, x| (s.0 + x.1, s.1 + x.0), (0, 0))",
    ),
    with(
        "partialReduce",
        || vec![size(2)],
        0,
        "|a: [[i32; M]; N]| a >> reduce(|s, row| zip(s, reverse(row)) >> map(|(x, y)| x + y), repeat(M, 1))",
    ),
    //
    with("partialReduceUneven", || vec![size(4)], 1, "|a: [i32; N]| a >> reduce(add, 5)"),
    with("partialReduceUneven", || vec![size(4)], 1, "|a: [i32; 6]| a >> reduce(mult, 2)"),
    with(
        "partialReduceUneven",
        || vec![size(3)],
        1,
        "|m: [i => [i32; i + 1]; N]| m >> map(|row| row >> reduce(add, 0))",
    ),
    with("partialReduceUneven", || vec![size(4)], 1, "|a: [i32; N]| a >> reduce(max, 0)"),
    with("partialReduceUneven", || vec![size(4)], 0, "|a: [i32; N]| a >> reduce(|s, x| s - x, 0)"),
    //
    with("cyclicReduce", || vec![size(4)], 1, "|a: [i32; N]| a >> reduce(add, 5)"),
    with(
        "cyclicReduce",
        || vec![size(3)],
        1,
        "|a: [[i32; M]; N]| a >> map(|row| row >> map(|x| x * x) >> reduce(add, 0))",
    ),
    with(
        "cyclicReduce",
        || vec![size(2)],
        1,
        "|m: [i => [i32; i + 1]; N]| m >> map(|row| row >> reduce(add, 0))",
    ),
    with(
        "cyclicReduce",
        || vec![size(2)],
        1,
        "|a: [f32x4; N]| a >> reduce(add, [0.0, 0.0, 0.0, 0.0] >> asVector(4) >> head)",
    ),
    with("cyclicReduce", || vec![size(4)], 1, "|a: [i32; N]| a >> reduce(min, 2)"),
    with("cyclicReduce", || vec![size(4)], 1, "|a: [i32; N], z: i32| a >> reduce(max, z)"),
    with(
        "cyclicReduce",
        || vec![size(3)],
        1,
        "|m: [i => [i32; i + 1]; N]| m >> map(|row| row >> reduce(max, -3))",
    ),
    with(
        "cyclicReduce",
        || vec![size(3)],
        1,
        "|a: [(i32, i32); N], z: (i32, i32)| a >> reduce(|(s, most), (x, y)| (s + x, max(most, y)), z)",
    ),
    // What takes time is not done for every part.
    with(
        "cyclicReduce",
        || vec![size(4)],
        2,
        "|a: [i32; N], b: [i32; M]| a >> reduce(max, b >> reduce(add, 0))",
    ),
    // Associative, and not commutative.
    with(
        "cyclicReduce",
        || vec![size(2)],
        0,
        "#[assoc]
         fn first(a: i32, b: i32) -> i32 { if a != 0 { a } else { b } }
         fn found<const N: usize>(a: [i32; N]) -> i32 { a >> reduce(first, 0) }",
    ),
    with("cyclicReduce", || vec![size(2)], 0, "|a: [i32; N]| a >> reduceSeq(add, 0)"),
    //
    instance("treeReduce", 1, "|a: [i32; 8]| a >> reduce(add, 5)"),
    instance("treeReduce", 1, "|a: [[i32; 16]; N]| a >> map(|row| row >> reduce(add, 0))"),
    instance("treeReduce", 1, "|a: [i32; 1]| a >> reduce(mult, 5)"),
    instance("treeReduce", 1, "|a: [i32; 4]| a >> reduce(min, 2)"),
    instance("treeReduce", 0, "|a: [i32; 6]| a >> reduce(add, 0)"),
    instance("treeReduce", 0, "|a: [i32; N]| a >> reduce(add, 0)"),
    instance("treeReduce", 0, "|a: [i32; 8]| a >> reduceSeq(add, 0)"),
];
