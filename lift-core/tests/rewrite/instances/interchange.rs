//! Interchange of maps with maps and reductions.

use super::{Instance, instance};

pub(super) const INSTANCES: &[Instance] = &[
    // Of two maps.
    instance("mapMapInterchange", 1, "|a: [i32; N], b: [i32; M]| a >> map(|x| b >> map(|y| x * 10 + y))"),
    instance("mapMapInterchange", 1, "|a: [[i32; M]; N]| a >> map(|r| r >> map(|x| x + 1))"),
    instance(
        "mapMapInterchange",
        1,
        "|a: [[i32; M]; N], b: [i32; M], c: [i32; N]| \
         zip(a, c) >> map(|(r, z)| zip(r, b) >> map(|(x, y)| x * y - z))",
    ),
    instance(
        "mapMapInterchange",
        1,
        "|a: [[i32; M]; N], b: [[i32; M]; N]| \
         zip(a, b) >> map(|(r, s)| zip(r, s) >> map(|(x, y)| x - 2 * y))",
    ),
    instance(
        "mapMapInterchange",
        1,
        "|a: [[i32; M]; N], b: [[i32; M]; K]| \
         a >> map(|r| b >> map(|s| zip(r, s) >> map(|(x, y)| x * y) >> reduce(add, 0)))",
    ),
    instance("mapMapInterchange", 2, "|a: [[[i32; 3]; M]; N]| a >> map(map(map(|x| x + 1)))"),
    instance(
        "mapMapInterchange",
        1,
        "|a: [i => [i32; i + 1]; N], b: [i32; M]| \
         a >> map(|r| b >> map(|y| r >> map(|x| x * y) >> reduce(add, 0)))",
    ),
    instance("mapMapInterchange", 0, "|a: [i => [i32; i + 1]; N]| a >> map(|r| r >> map(|x| x + 1))"),
    instance("mapMapInterchange", 0, "|a: [[i32; M]; N]| a >> map(|r| r >> map(|x| x + 1) >> reverse)"),
    instance("mapMapInterchange", 0, "|a: [[i32; M]; N]| a >> mapSeq(|r| r >> map(|x| x + 1))"),
    // Of a map and a reduction: the reduced array is the element.
    instance("mapReduceInterchange", 1, "|a: [[i32; M]; N]| a >> map(|r| r >> reduce(add, 0))"),
    instance(
        "mapReduceInterchange",
        1,
        "|a: [[i32; M]; N]| a >> map(|r| r >> reduceSeq(|acc, x| 3 * acc + x, 7))",
    ),
    // A A^T and A B^T: rows of both.
    instance(
        "mapReduceInterchange",
        1,
        "|a: [[i32; K]; N], b: [[i32; K]; M]| \
         a >> map(|r| b >> map(|s| zip(r, s) >> reduce(|acc, (x, y)| acc + x * y, 0)))",
    ),
    // A^T B.
    instance(
        "mapReduceInterchange",
        1,
        "|a: [[i32; N]; 3], b: [[i32; M]; 3]| a >> transpose >> map(|c| b >> transpose >> \
         map(|d| zip(c, d) >> reduce(|acc, (x, y)| acc + x * y, 0)))",
    ),
    // Batched matrix-vector products.
    instance(
        "mapReduceInterchange",
        1,
        "|a: [[[i32; K]; N]; 2], x: [[i32; K]; 2]| zip(a, x) >> \
         map(|(m, v)| m >> map(|r| zip(r, v) >> map(|(y, z)| y * z) >> reduce(add, 0)))",
    ),
    // Min-plus.
    instance(
        "mapReduceInterchange",
        1,
        "|a: [[i32; K]; N], b: [i32; K]| \
         a >> map(|r| zip(r, b) >> reduce(|acc, (x, y)| min(acc, x + y), 1000))",
    ),
    // Tuples: two sums at once.
    instance(
        "mapReduceInterchange",
        1,
        "|a: [[i32; M]; N]| a >> map(|r| r >> reduce(|(s, t), x| (s + x, t + x * x), (0, 1)))",
    ),
    // Squared distances: the reduced array does not depend on the element, the function does.
    instance(
        "mapReduceInterchange",
        1,
        "|a: [i32; N], b: [i32; M]| a >> map(|x| b >> reduce(|acc, y| acc + (x - y) * (x - y), 0))",
    ),
    instance(
        "mapReduceInterchange",
        1,
        "|a: [i32; N], b: [i32; M]| a >> map(|x| b >> reduce(|acc, y| acc * 2 + y, x))",
    ),
    instance(
        "mapReduceInterchange",
        1,
        "|a: [i32; N], b: [i32; M]| a >> map(|x| b >> reduce(|acc, y| acc * 2 + y, 1))",
    ),
    // An epilogue, with and without the element.
    instance(
        "mapReduceInterchange",
        1,
        "|a: [[i32; K]; N], c: [i32; N], alpha: i32| \
         zip(a, c) >> map(|(r, y)| alpha * (r >> reduce(add, 0)) + y)",
    ),
    instance("mapReduceInterchange", 1, "|a: [[i32; K]; N]| a >> map(|r| (r >> reduce(max, 0), 1))"),
    // What follows is a map of the result, together with another array, and a layout.
    instance(
        "mapReduceInterchange",
        1,
        "|a: [[[i32; K]; 3]; N], c: [[i32; K]; N]| zip(a, c) >> map(|(m, r)| \
         zip(m >> reduce(|acc, row| zip(acc, row) >> map(|(s, x)| 2 * s + x), repeat(K, 0)) >> reverse, r) \
         >> map(|(s, x)| s - 3 * x))",
    ),
    // A zip with an array of positions.
    instance(
        "mapReduceInterchange",
        1,
        "|a: [[i32; M]; N], p: [i32; N], b: [i32; K]| \
         zip(a, p) >> map(|(r, i)| zip(r, generate(M, |j| j as i32)) >> \
         reduce(|acc, (x, j)| acc + x * (i - j), 0))",
    ),
    // What follows from a position.
    instance(
        "mapReduceInterchange",
        1,
        "|a: [i => [i32; i + 1]; N], b: [i32; M]| \
         a >> map(|r| b >> reduce(|acc, y| acc + y * (r >> reduce(add, 0)), 0))",
    ),
    instance("mapReduceInterchange", 0, "|a: [i => [i32; i + 1]; N]| a >> map(|r| r >> reduce(add, 0))"),
    instance("mapReduceInterchange", 0, "|a: [[i32; M]; N]| a >> mapSeq(|r| r >> reduce(add, 0))"),
    instance(
        "mapReduceInterchange",
        0,
        "|a: [[i32; M]; N]| a >> map(|r| if at(0, r) > 0 { r >> reduce(add, 0) } else { 1 })",
    ),
    // Of both dimensions.
    instance("transposeBothSides", 1, "|a: [[i32; M]; N]| a >> map(|r| r >> map(|x| x + 1))"),
    instance("transposeBothSides", 2, "|a: [[[i32; 2]; M]; N]| a >> map(map(map(|x| (x, x + 1))))"),
    instance(
        "transposeBothSides",
        1,
        "|a: [[i32; M]; N], b: [i32; K]| a >> map(map(|x| b >> map(|y| y + x) >> reduce(add, 0)))",
    ),
    instance("transposeBothSides", 0, "|a: [i => [i32; i + 1]; N]| a >> map(|r| r >> map(|x| x + 1))"),
    instance(
        "transposeBothSides",
        0,
        "|a: [[i32; M]; N]| a >> map(|r| r >> map(|x| x + (r >> reduce(add, 0))))",
    ),
];
