//! Kernels in between.

use super::{Instance, instance};

pub(super) const INSTANCES: &[Instance] = &[
    instance("letStage", 1, "|a: [i32; N], b: [i32; M]| a >> map(|x| x * (b >> reduce(add, 0)))"),
    instance(
        "letStage",
        2,
        "|a: [[i32; M]; N], b: [i32; M]| a >> map(|r| zip(r, b >> map(|x| x * x)) >> map(|(x, y)| x + y + \
         (b >> reduce(max, 0))))",
    ),
    instance(
        "letStage",
        1,
        "|a: [[i32; M]; N]| a >> map(|r| { let s = r >> reduce(add, 0); r >> map(|x| x * (r >> \
         reduce(max, 0)) + s) })",
    ),
    instance(
        "letStage",
        1,
        "|a: [i32; N], b: [i32; N]| a >> reduceSeq(|s, x| s + x * (b >> map(|y| y + 1) >> head), 0)",
    ),
    instance("letStage", 0, "|a: [i32; N], b: [i32; M]| a >> map(|x| b >> map(|y| x * y) >> reduce(add, 0))"),
    instance("letStage", 0, "|b: [i32; N]| generate(N, |i| b >> slice(0, i + 1) >> reduce(add, 0))"),
    instance(
        "storeBetween",
        3,
        "|a: [i32; N]| a >> map(|x| x + 1) >> slide(3, 1) >> map(reduce(add, 0)) >> head",
    ),
    instance(
        "letStage",
        0,
        "|a: [i32; N], b: [i32; N]| a >> map(|i => x| x * (b >> slice(0, i) >> reduce(add, 0)))",
    ),
    instance("storeBetween", 2, "|a: [[i32; M]; N]| a >> map(|r| r >> reverse)"),
    instance("storeBetween", 0, "|a: [i32; N]| a >> map(|x| x + 1) >> store >> reduce(add, 0)"),
    instance("mapJoinRows", 1, "|a: [[i32; M]; N]| a >> join >> map(|x| x + 1)"),
    instance(
        "mapJoinRows",
        1,
        "|a: [i => [i32; i + 1]; N]| a >> map(map(|x| x + 1)) >> join >> map(|x| x * 2)",
    ),
    instance(
        "mapJoinRows",
        1,
        "|a: [[(i32, i32); 3]; N], k: i32| a >> reverse >> join >> map(|(x, y)| x * y + k)",
    ),
    instance("mapJoinRows", 1, "|a: [[i => [i32; i + 1]; 3]; N]| a >> join >> map(|r| r >> reduce(add, 0))"),
    instance("mapJoinRows", 1, "|a: [[i32; M]; N]| a >> join >> map(|i => x| x * i as i32)"),
    instance("mapJoinRows", 1, "|a: [i => [i32; i + 1]; N]| a >> join >> map(|i => x| x * i as i32)"),
    instance("mapJoinRows", 0, "|a: [i32; N]| a >> split(2) >> map(|r| r >> reduce(add, 0))"),
    instance("storeReduction", 1, "|a: [i32; N], b: [i32; M]| a >> map(|x| x * (b >> reduce(add, 0)))"),
    instance("storeReduction", 0, "|a: [i32; N]| a >> reduce(|s, x| s >> map(|y| x + y), [0, 1])"),
    instance("storeValue", 3, "|a: [i32; N], b: [i32; M]| a >> map(|x| x * (b >> reduce(add, 0)))"),
    instance("storeValue", 0, "|a: [i32; N]| a >> reverse"),
    instance("storeScan", 1, "|a: [i32; N]| a >> scan(add, 0) >> map(|x| x + 1)"),
    instance("storeScan", 1, "|a: [[i32; M]; N]| a >> map(|r| r >> scanInclusive(max) >> reverse)"),
    instance("storeScan", 0, "|a: [i32; N]| a >> map(|x| x + 1)"),
    instance("generateMap", 2, "|n: size, m: size| generate(n, |i| generate(m, |j| (i + 2 * j) as i32))"),
    instance(
        "generateMap",
        1,
        "|b: [i32; N]| generate(N, |i| b >> slice(0, i + 1) >> map(|x| x + i as i32))",
    ),
    instance("generateMap", 0, "|a: [i32; N]| a >> map(|i => x| x + i as i32)"),
];
