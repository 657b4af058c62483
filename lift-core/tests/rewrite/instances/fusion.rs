//! Instances of fusion.

use super::{Instance, instance, size, with};

pub(super) const INSTANCES: &[Instance] = &[
    instance("mapFusion", 1, "|a: [i32; N]| a >> map(|x| x + 1) >> map(|x| x * x)"),
    instance(
        "mapFusion",
        1,
        "|a: [[i32; M]; N]| a >> map(|r| r >> map(|x| x + 1)) >> map(|r| r >> map(|x| x * x))",
    ),
    instance(
        "mapFusion",
        1,
        "|m: [i => [i32; i + 1]; N], v: [i32; N]|
            m >> map(|row| row >> slice(0, len(row) / 2)) >> map(|half| half >> reduce(add, 0))",
    ),
    instance("mapFusion", 2, "|a: [i32; N]| a >> map(|x| x + 1) >> map(|x| (x, x)) >> map(|(x, y)| x * y)"),
    // Both know their position, or one does.
    instance("mapFusion", 1, "|a: [i32; N]| a >> map(|i => x| x + i as i32) >> map(|k => x| x * k as i32)"),
    instance("mapFusion", 1, "|a: [i32; N]| a >> map(|x| x + 1) >> map(|k => x| x * k as i32)"),
    instance("mapFusion", 0, "|a: [i32; N]| a >> map(|x| x + 1) >> reverse >> map(|x| x * x)"),
    instance("mapFusion", 0, "|a: [i32; N]| a >> mapSeq(|x| x + 1) >> mapSeq(|x| x * x)"),
    //
    instance(
        "mapFusionInZip",
        1,
        "|a: [i32; N], b: [i32; N]| zip(a >> map(|x| x + 1), b) >> map(|(x, y)| x * y - x)",
    ),
    instance(
        "mapFusionInZip",
        1,
        "|a: [i32; N], b: [i32; N], c: [i32; N]|
            zip(a, b, c >> map(|x| x * 3)) >> map(|t| (t, t.2)) >> map(|(t, z)| t.0 + t.1 * t.2 + z)",
    ),
    instance(
        "mapFusionInZip",
        1,
        "|a: [[i32; M]; N], v: [i32; M]|
            a >> map(|row| zip(v, row >> map(|x| x + 1)) >> map(|(x, y)| x * y))",
    ),
    instance(
        "mapFusionInZip",
        1,
        "|m: [i => [i32; i + 1]; N], v: [i32; N]|
            zip(m >> map(|row| row >> reverse), v) >> map(|(row, x)| row >> map(|y| x * y))",
    ),
    instance(
        "mapFusionInZip",
        1,
        "|a: [i32; N], b: [i32; N]|
            zip(a, b >> map(|i => x| x + i as i32)) >> map(|k => t| t.0 * t.1 - k as i32)",
    ),
    instance("mapFusionInZip", 0, "|a: [i32; N], b: [i32; N]| zip(a, b) >> map(|(x, y)| x * y)"),
    instance(
        "mapFusionInZip",
        0,
        "|a: [i32; N], b: [i32; N]| zip(a >> map(|x| x + 1) >> reverse, b) >> map(|(x, y)| x * y)",
    ),
    //
    instance("map2Fusion", 1, "|a: [[i32; M]; N]| a >> map2(|x| x + 1) >> map2(|x| x * x)"),
    instance(
        "map2Fusion",
        1,
        "|a: [[i32; M]; N], b: [[i32; M]; N]| zip2(a >> map2(|x| x + 1), b) >> map2(|(x, y)| x * x - y)",
    ),
    instance(
        "map2Fusion",
        2,
        "|a: [[i32; M]; N], b: [[i32; M]; N]|
            zip2(zip2(a, b) >> map2(|(x, y)| x * y), a >> map2(|x| (x, x + 1))) >> map2(|t| (t.0, t)) >>
            map2(|(x, t)| x - t.0 * t.1.1)",
    ),
    instance("map2Fusion", 1, "|a: [[i32; M]; N]| zip2(a >> map2(|x| x + 1), a) >> map2(|(x, y)| x * y)"),
    instance(
        "map2Fusion",
        1,
        "|a: [[i32; M]; N], b: [[i32; M]; N]| zip(a >> map2(|x| x + 1), b) >>
            map(|(r, s)| zip(r, s) >> map(|(x, y)| x * y))",
    ),
    instance(
        "map2Fusion",
        1,
        "|a: [[i32; M]; N]| a >> map(|i => r| r >> map(|j => x| x + i as i32 - j as i32)) >>
            map(|k => r| r >> map(|l => x| x * k as i32 + l as i32))",
    ),
    instance("map2Fusion", 1, "|m: [i => [i32; i + 1]; N]| m >> map2(|x| x + 1) >> map2(|x| x * x)"),
    instance(
        "map2Fusion",
        1,
        "|a: [[i32; M]; N]| a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|w| w >> join >> reduce(add, 0)) >>
            map2(|x| x * x)",
    ),
    instance("map2Fusion", 0, "|a: [[i32; M]; N]| a >> map2(|x| x + 1) >> map(reduce(add, 0))"),
    instance("map2Fusion", 0, "|a: [[i32; M]; N]| a >> map2(|x| x + 1) >> transpose >> map2(|x| x * x)"),
    instance(
        "map2Fusion",
        0,
        "|a: [[i32; M]; N]| a >> map2(|x| x + 1) >> map(|r| r >> map(|x| x * at(0, r)))",
    ),
    //
    instance("map3Fusion", 1, "|a: [[[i32; L]; M]; N]| a >> map3(|x| x + 1) >> map3(|x| x * x)"),
    instance(
        "map3Fusion",
        1,
        "|a: [[[i32; L]; M]; N], b: [[[i32; L]; M]; N]| zip3(a >> map3(|x| x + 1), b, a) >>
            map3(|(x, y, z)| x * y - z * x)",
    ),
    instance("map3Fusion", 0, "|a: [[[i32; L]; M]; N]| a >> map3(|x| x + 1) >> map2(reduce(add, 0))"),
    //
    instance("reduceMapFusion", 1, "|a: [i32; N]| a >> map(|x| x * x) >> reduce(add, 0)"),
    instance("reduceMapFusion", 1, "|a: [i32; N]| a >> map(|x| x * x) >> reduceSeq(|s, x| s * 2 - x * x, 1)"),
    instance(
        "reduceMapFusion",
        1,
        "|a: [[i32; M]; N]| a >> map(|row| row >> map(|x| (x, x + 1)) >> reduce(|s, (x, y)| s + x * y, 0))",
    ),
    instance(
        "reduceMapFusion",
        1,
        "|m: [i => [i32; i + 1]; N]| m >> map(|row| row >> map(|x| x * len(row) as i32)) \
            >> reduce(|s, row| s + reduce(add, 0, row), 0)",
    ),
    instance("reduceMapFusion", 1, "|a: [i32; N]| a >> map(|i => x| x * i as i32) >> reduce(add, 0)"),
    instance("reduceMapFusion", 0, "|a: [i32; N]| a >> map(|x| x * x) >> reverse >> reduce(add, 0)"),
    instance("reduceMapFusion", 0, "|a: [i32; N]| a >> reduce(|s, x| s + x * x, 0)"),
    //
    instance(
        "reduceFusionInZip",
        1,
        "|a: [i32; N], b: [i32; N]| zip(a >> map(|x| x + 1), b) >> reduce(|s, (x, y)| s + x * y, 0)",
    ),
    instance(
        "reduceFusionInZip",
        1,
        "|a: [[i32; M]; N], v: [i32; M], w: [i32; M]|
            a >> map(|row| zip(v, row >> map(|x| x - 1), w) >> reduceSeq(|s, (x, y, z)| s * x - y * z, 0))",
    ),
    instance(
        "reduceFusionInZip",
        0,
        "|a: [i32; N], b: [i32; N]| zip(a, b) >> map(|(x, y)| x * y) >> reduce(add, 0)",
    ),
    //
    instance("scanMapFusion", 1, "|a: [i32; N]| a >> map(|x| x * x) >> scan(add, 0)"),
    instance(
        "scanMapFusion",
        1,
        "|a: [[i32; M]; N]| a >> map(|row| row >> map(|x| x + 1) >> scanSeq(|s, x| s - 2 * x, 3))",
    ),
    instance(
        "scanMapFusion",
        1,
        "|a: [i32; N]| a >> map(|i => x| x - i as i32) >> scanSeq(|i => s, x| s * 2 + x * i as i32, 0)",
    ),
    instance("scanMapFusion", 0, "|a: [i32; N]| a >> map(|x| x * x) >> scanInclusive(add)"),
    instance("scanMapFusion", 0, "|a: [i32; N]| a >> scan(|s, x| s + x * x, 0)"),
    //
    instance("tupleMap", 1, "|a: [i32; N]| (map(|x| x + 1, a), map(|x| x * x, a))"),
    instance(
        "tupleMap",
        1,
        "|a: [[i32; M]; N]| {
            let t = (map(|r| reduce(add, 0, r), a), map(|r| reduce(max, 0, r), a), map(|r| len(r) as i32, a));
            zip(t.0, t.1, t.2) >> map(|(x, y, z)| x + y * z)
        }",
    ),
    instance("tupleMap", 0, "|a: [i32; N], b: [i32; N]| (map(|x| x + 1, a), map(|x| x * x, b))"),
    instance("tupleMap", 0, "|a: [i32; N]| (map(|x| x + 1, a), map(|x| x * x, reverse(a)))"),
    with(
        "fuseTogether",
        || vec![size(1)],
        1,
        "|a: [i32; N]| { let s = a >> reduce(add, 0); let m = a >> map(|x| x * x) >> reduce(max, 1); s - m }",
    ),
    with(
        "fuseTogether",
        || vec![size(1)],
        1,
        "|a: [(i32, i32); N], k: i32| \
         (a >> reduce(|s, (x, y)| s + x * y, k), (a >> reduce(|s, (x, y)| s + x, 0)) * 2)",
    ),
    // Of maps alone, and where one pass needs the result of the other.
    with("fuseTogether", || vec![size(1)], 1, "|a: [i32; N]| (a >> map(|x| x + 1), a >> map(|x| x * x))"),
    with(
        "fuseTogether",
        || vec![size(1)],
        0,
        "|a: [i32; N]| { let s = a >> reduce(add, 0); a >> map(|x| x * s) >> reduce(add, 0) }",
    ),
    with(
        "fuseTogether",
        || vec![size(1)],
        0,
        "|a: [i32; N], b: [i32; N]| (a >> reduce(add, 0), b >> reduce(add, 0))",
    ),
    with("fuseTogether", || vec![size(9)], 0, "|a: [i32; 8]| (a >> reduce(add, 0), a >> reduce(max, 0))"),
];
