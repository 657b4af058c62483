//! Instances of rules about zipped arrays.

use super::{Instance, instance};

pub(super) const INSTANCES: &[Instance] = &[
    instance(
        "rowsInsideZip",
        1,
        "|a: [i32; N], b: [i32; N]| \
         zip(a, b) >> split(2) >> map(|c| c >> map(|(x, y)| x * y) >> reduce(add, 0))",
    ),
    instance(
        "rowsInsideZip",
        1,
        "|a: [i32; N], b: [i32; N], c: [i32; N]| \
         zip(a, b, c) >> slide(3, 1) >> map(|w| w >> map(|(x, y, z)| x - y * z) >> reduce(add, 0))",
    ),
    instance(
        "rowsInsideZip",
        1,
        "|a: [i32; N], b: [[i32; M]; N]| \
         zip(a, b) >> chunks(3) >> map(|c| c >> map(|(x, r)| x * (r >> reduce(add, 0))) >> reduce(max, 0))",
    ),
    instance("rowsInsideZip", 0, "|a: [i32; N], b: [i32; N]| zip(a, b) >> map(|(x, y)| x * y) >> split(2)"),
    instance("rowsInsideZip", 0, "|a: [i32; N], b: [i32; N]| zip(a, b) >> reverse"),
    instance(
        "joinInsideZip",
        1,
        "|a: [[i32; M]; N], b: [[i32; M]; N]| \
         zip(a, b) >> map(|(r, s)| zip(r, s)) >> join >> map(|(x, y)| x - y)",
    ),
    instance(
        "joinInsideZip",
        1,
        "|a: [i => [i32; i + 1]; N], b: [i => [i32; i + 1]; N]| \
         zip(a, b) >> map(|(r, s)| zip(r, s)) >> join >> map(|(x, y)| x - y)",
    ),
    instance(
        "joinInsideZip",
        0,
        "|a: [[i32; M]; N], b: [[i32; M]; N]| \
         zip(a, b) >> map(|(r, s)| zip(s, r)) >> join >> map(|(x, y)| x - y)",
    ),
    instance(
        "rowsFirst",
        1,
        "|a: [[i32; M]; N], b: [[i32; M]; N]| \
         a >> map(|r| b >> map(|s| zip(s, r) >> reduce(|acc, (x, y)| acc + x * x - y, 0)))",
    ),
    instance(
        "rowsFirst",
        1,
        "|a: [[i32; M]; N], b: [[i32; M]; N], w: [i32; M]| \
         a >> map(|r| b >> map(|s| zip(zip(s, w), r) >> map(|(p, y)| p.0 * y - p.1)))",
    ),
    instance(
        "rowsFirst",
        0,
        "|a: [[i32; M]; N], b: [[i32; M]; N]| a >> map(|r| b >> map(|s| zip(r, s) >> map(|(x, y)| x - y)))",
    ),
    instance("zipOfUsed", 1, "|a: [i32; N], b: [i32; N]| zip(a, b) >> map(|(_, y)| y + 1)"),
    instance("zipOfUsed", 1, "|a: [i32; N], b: [i32; N]| zip(a, b) >> reduce(|acc, (x, _)| 2 * acc + x, 0)"),
    instance("zipOfUsed", 1, "|a: [i32; N], b: [i32; N]| zip(a, b) >> mapSeq(|i => (_, y)| y * i as i32)"),
    instance(
        "zipOfUsed",
        1,
        "|a: [i32; N], b: [i32; N], c: [i32; N]| zip(a, zip(b, c)) >> map(|(x, (_, z))| x - z)",
    ),
    // A tuple of what is read as a whole.
    instance(
        "zipOfUsed",
        1,
        "|a: [i32; N], b: [i32; N], c: [i32; N]| zip(a, zip(b, c)) >> map(|(_, p)| (p.1, p))",
    ),
    // Elements that are tuples themselves.
    instance(
        "zipOfUsed",
        1,
        "|a: [(i32, i32); N], b: [i32; N], c: [i32; N]| zip(a, b, c) >> map(|(p, _, z)| p.0 * z - p.1)",
    ),
    // Rows of lengths of their own, and no element at all.
    instance(
        "zipOfUsed",
        1,
        "|a: [i => [i32; i + 1]; N], b: [i32; N]| zip(b, a) >> map(|(_, r)| r >> reduce(add, 0))",
    ),
    instance("zipOfUsed", 1, "|a: [i32; N], b: [i32; N]| zip(a, b) >> map(|i => _| i as i32)"),
    instance("zipOfUsed", 0, "|a: [i32; N], b: [i32; N]| zip(a, b) >> map(|(x, y)| x * y)"),
    instance("zipOfUsed", 0, "|a: [(i32, i32); N]| a >> map(|(x, _)| x)"),
];
