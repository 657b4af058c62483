//! Vectors.

use lift_core::middle::rewrite::Argument;

use super::{Instance, with};

fn two() -> Vec<Argument> {
    vec![Argument::Width(2)]
}

fn four() -> Vec<Argument> {
    vec![Argument::Width(4)]
}

pub(super) const INSTANCES: &[Instance] = &[
    with("asVectors", four, 2, "|a: [i32; N]| a >> reverse"),
    with("asVectors", two, 2, "|a: [[f32; M]; N]| a >> map(|r| r >> map(|x| x * 2.0))"),
    with("asVectors", two, 0, "|a: [(i32, f32); N]| a"),
    with("rowsOfVectors", four, 1, "|a: [[i32; M]; N]| a >> map(|r| r >> reverse >> reduce(add, 0))"),
    with(
        "rowsOfVectors",
        two,
        1,
        "|a: [[i32; M]; N], b: [[i32; M]; N], c: [i32; N]| zip(a, b, c) >> map(|(r, s, x)| { \
         let d = zip(r, s) >> map(mult) >> reduce(add, x); zip(r, s) >> map(|(y, z)| y + z * d + x) })",
    ),
    with("rowsOfVectors", two, 1, "|a: [[f32; M]; N]| zip(a, a) >> map(|t| t.0 >> map(|x| x + 1.0))"),
    with(
        "rowsOfVectors",
        two,
        1,
        "|a: [[i32; M]; N]| zip(a, a) >> map(|t| { let u = t; u.0 >> map(|x| x + 1) })",
    ),
    with("rowsOfVectors", two, 0, "|a: [[i32; 3]; N]| a >> map(reduce(add, 0))"),
    with("rowsOfVectors", two, 0, "|a: [[i32; M]; N]| a >> map(|i => r| r >> reduce(add, i as i32))"),
    with("rowsOfVectors", two, 0, "|a: [i32; N]| a >> map(|x| x + 1)"),
    with("asScalarAfterMap", Vec::new, 1, "|a: [i32; N]| a >> asVector(4) >> asScalar >> map(|x| x * x + 1)"),
    with(
        "asScalarAfterMap",
        Vec::new,
        1,
        "|a: [i32; N], b: [i32; N], c: i32| zip(a >> asVector(2) >> asScalar, b) >> map(|(x, y)| \
         if x > y { x * c } else { y })",
    ),
    with(
        "asScalarAfterMap",
        Vec::new,
        1,
        "|a: [i32; N]| zip(a >> asVector(2) >> asScalar, a >> reverse >> asVector(2) >> asScalar) \
         >> map(|(x, y)| (x - y, x))",
    ),
    with("asScalarAfterMap", Vec::new, 0, "|a: [i32; N]| a >> asVector(4) >> asScalar >> mapSeq(|x| x + 1)"),
    with("asScalarAfterMap", Vec::new, 0, "|a: [i32; N]| a >> asVector(4) >> map(|x| x + x) >> asScalar"),
    with(
        "asScalarAfterMap",
        Vec::new,
        0,
        "|a: [i32; N], b: [i32; M]| a >> asVector(2) >> asScalar >> map(|x| at(x, b))",
    ),
    with(
        "asScalarAfterLet",
        Vec::new,
        1,
        "|a: [i32; N]| { let b = a >> asVector(2) >> map(|x| x + x) >> asScalar; \
         let s = b >> reduce(add, 0); b >> map(|x| x * s) }",
    ),
    with(
        "asScalarAfterLet",
        Vec::new,
        1,
        "|a: [i32; N]| { let s = a >> reduce(add, 0); let b = a >> asVector(2) >> asScalar; \
         let t = b >> reduce(add, s); b >> map(|x| x * t) }",
    ),
    with("asScalarAfterLet", Vec::new, 0, "|a: [i32; N]| { let b = a >> asVector(2); b >> asScalar }"),
    with("reduceVectors", Vec::new, 1, "|a: [i32; N]| a >> asVector(4) >> asScalar >> reduce(add, 7)"),
    with("reduceVectors", Vec::new, 1, "|a: [i32; N]| a >> asVector(2) >> asScalar >> reduce(max, -3)"),
    with("reduceVectors", Vec::new, 0, "|a: [i32; N]| a >> asVector(2) >> asScalar >> reduceSeq(add, 0)"),
    with("reduceVectors", Vec::new, 0, "|a: [i32; N]| a >> reduce(add, 0)"),
    with(
        "reduceVectors",
        Vec::new,
        0,
        "|a: [i32; N]| a >> asVector(2) >> asScalar >> reduce(|s, x| s + x * x, 0)",
    ),
    // Forms of scalar functions.
    with("vectoriseMap", four, 1, "|a: [i32; N]| a >> map(|x| x * x + 1)"),
    with("vectoriseMap", two, 1, "|a: [i32; N]| a >> mapSeq(|x| if x > 2 { x * 3 } else { 0 - x })"),
    with("vectoriseMap", two, 1, "|a: [i32; N], c: i32| a >> map(|x| if c > 2 { x * 3 } else { c })"),
    with(
        "vectoriseMap",
        four,
        1,
        "|a: [i32; N]| a >> map(|x| if x > 0 && !(x == 3) { (x, 1) } else { (0, x) })",
    ),
    with(
        "vectoriseMap",
        four,
        1,
        "|a: [i32; N]| a >> map(|x| { let y = x as f32 * 0.5; let z = 3; y + y * z as f32 })",
    ),
    with(
        "vectoriseMap",
        two,
        2,
        "|a: [i32; N]| a >> map(|x| (x, (x + 1, 7))) >> map(|(x, (y, z))| x * y + z)",
    ),
    with("vectoriseMap", two, 1, "|a: [f32; N]| a >> map(|x| max(x, 0.0))"),
    with("vectoriseMap", two, 1, "|a: [i32; N]| a >> map(|x| 7)"),
    with(
        "vectoriseMap",
        four,
        1,
        "fn sign(x: i32, y: i32) -> i32 { if x < y { -1 } else { 1 } }
         fn f<const N: usize>(a: [i32; N], c: i32) -> [i32; N] { a >> map(|x| sign(x, c) * x) }",
    ),
    with(
        "vectoriseMap",
        two,
        1,
        "fn both(x: (i32, i32)) -> (i32, i32) { if x.0 < x.1 { x } else { (x.1, x.0) } }
         fn f<const N: usize>(a: [i32; N], c: i32) -> [i32; N] { a >> map(|x| both((x, c)).0) }",
    ),
    // Zips, tuples, rows.
    with("vectoriseMap", four, 1, "|a: [f32; N], b: [f32; N], c: f32| zip(a, b) >> map(|(x, y)| c * x + y)"),
    with("vectoriseMap", two, 1, "|a: [(i32, (f32, i32)); N]| a >> map(|(x, (y, z))| (x * z, y))"),
    with(
        "vectoriseMap",
        two,
        1,
        "|a: [i32; N], b: [(i32, i32); N]| zip(a, b) >> map(|(x, (y, z))| x + y * z)",
    ),
    with("vectoriseMap", two, 2, "|a: [[i32; M]; N]| a >> map(|r| r >> map(|x| x + 1))"),
    with("vectoriseMap", two, 1, "|a: [[i32; M]; N]| a >> map(|r| r >> reduceSeq(add, 0))"),
    with(
        "vectoriseMap",
        two,
        1,
        "|a: [[i32; M]; N]| a >> transpose >> map(|c| c >> reduceSeq(|s, x| s * 2 + x, 1))",
    ),
    with(
        "vectoriseMap",
        two,
        2,
        "|a: [[i32; M]; N], b: [i32; M]| a >> map(|r| zip(r, b) >> map(|(x, y)| x * y) >> reduce(add, 0))",
    ),
    with(
        "vectoriseMap",
        two,
        2,
        "|a: [[i32; M]; N], k: i32| a >> map(|r| r >> pad(1, 1, clamp) >> slide(3, 1) >> map(|n| n >> \
         reduceSeq(add, k)))",
    ),
    with(
        "vectoriseMap",
        two,
        1,
        "|a: [[i32; 4]; N]| a >> map(|r| concat(r, generate(2, |i| i as i32)) >> split(2) >> join >> at(5))",
    ),
    with(
        "vectoriseMap",
        two,
        1,
        "|a: [[i32; M]; N]| a >> map(|r| r >> scanSeq(add, 0) >> reduceSeq(add, 0))",
    ),
    with(
        "vectoriseMap",
        two,
        1,
        "|a: [i32; N]| a >> map(|x| [x, 1] >> padConstant(1, 2, x) >> reduceSeq(|s, y| s * 2 + y, 0))",
    ),
    with(
        "vectoriseMap",
        two,
        1,
        "|a: [[i32; 4]; N]| a >> map(|r| r >> iterate(2, |t| t >> split(2) >> map(|p| at(0, p) - at(1, \
         p))) >> head)",
    ),
    with(
        "vectoriseMap",
        two,
        2,
        "|a: [i32; N], b: [i32; M]| a >> map(|x| b >> map(|y| x * y) >> reduceSeq(add, x))",
    ),
    with(
        "vectoriseMap",
        two,
        1,
        "|a: [[i32; M]; N]| a >> map(|r| r >> deinterleave(3) >> interleave >> reduceSeq(|s, x| s - x, 0))",
    ),
    // Near misses.
    with("vectoriseMap", two, 0, "|a: [i32; N], b: [i32; N]| a >> map(|x| at(x, b))"),
    with("vectoriseMap", two, 0, "|a: [i32; N]| a >> mapGlb0(|x| x + 1)"),
    with("vectoriseMap", two, 0, "|a: [f32; N]| a >> asVector(4) >> map(|x| x + x) >> asScalar"),
    with("vectoriseMap", four, 0, "|a: [f32; 6]| a >> map(|x| x + x)"),
    with("vectoriseMap", two, 0, "|a: [i32; N]| a >> map(|i => x| x * i as i32)"),
    // Neighbourhoods.
    with(
        "vectoriseNeighbourhood",
        four,
        1,
        "|a: [i32; N]| a >> slide(3, 1) >> map(|n| n >> reduceSeq(add, 0))",
    ),
    with(
        "vectoriseNeighbourhood",
        two,
        1,
        "|a: [f32; N]| a >> pad(1, 1, mirror) >> slide(3, 1) >> map(|n| 2.0 * at(0, n) - at(2, n) + if \
         at(1, n) > 0.0 { at(1, n) } else { at(0, n) })",
    ),
    with(
        "vectoriseNeighbourhood",
        two,
        1,
        "|a: [i32; N], b: [i32; N], w: [i32; 3]| zip(a >> pad(1, 1, wrap) >> slide(3, 1), b) \
         >> map(|(n, x)| x + (zip(n, w) >> map(|(y, z)| y * z) >> reduceSeq(add, 0)))",
    ),
    with(
        "vectoriseNeighbourhood",
        two,
        1,
        "|a: [(i32, i32); N]| a >> slide(2, 1) >> map(|n| n >> reduceSeq(|s, (x, y)| s + x * y, 0))",
    ),
    with(
        "vectoriseNeighbourhood",
        two,
        1,
        "|a: [[i32; M]; N]| a >> slide(2, 1) >> map(|n| n >> map(reduceSeq(add, 0)) >> reduceSeq(add, 0))",
    ),
    with(
        "vectoriseNeighbourhood",
        two,
        0,
        "|a: [i32; N]| a >> slide(4, 2) >> map(|n| n >> reduceSeq(add, 0))",
    ),
    with("vectoriseNeighbourhood", two, 0, "|a: [i32; N]| a >> map(|x| x + 1)"),
    // Reductions.
    with("vectoriseReduce", four, 1, "|a: [i32; N]| a >> reduce(add, 3)"),
    with(
        "vectoriseReduce",
        two,
        1,
        "|a: [[f32; M]; N]| a >> map(|r| r >> map(|x| x + 1.0) >> reduce(add, 0.0))",
    ),
    with(
        "vectoriseReduce",
        two,
        1,
        "|a: [(i32, i32); N]| a >> reduce(|(s, t), (x, y)| (s + x, y * t), (1, 2))",
    ),
    with("vectoriseReduce", two, 1, "|a: [i32; N], b: [i32; N]| zip(a, b) >> map(mult) >> reduce(add, 0)"),
    with("vectoriseReduce", two, 0, "|a: [i32; N]| a >> reduceSeq(add, 0)"),
    with("vectoriseReduce", two, 0, "|a: [i32; N]| a >> reduce(|s, x| s - x, 0)"),
    with("vectoriseReduce", two, 0, "|a: [i32; N]| a >> reduce(|s, x| s + x * x, 0)"),
    with("vectoriseReduce", two, 1, "|a: [i32; N]| a >> reduce(max, 0)"),
    with("vectoriseReduceWithRest", four, 1, "|a: [i32; N]| a >> reduce(add, 3)"),
    with("vectoriseReduceWithRest", four, 1, "|a: [i => [i32; i + 1]; N]| a >> map(|r| r >> reduce(add, 0))"),
    with(
        "vectoriseReduceWithRest",
        two,
        1,
        "|a: [i32; N], b: [i32; N]| zip(a, b) >> map(mult) >> reduce(add, 0)",
    ),
    with(
        "vectoriseReduceWithRest",
        two,
        1,
        "|a: [(i32, i32); N]| a >> reduce(|(s, t), (x, y)| (s + x, y * t), (1, 2))",
    ),
    with("vectoriseReduceWithRest", two, 1, "|a: [i32; N]| a >> map(|x| x * x) >> reduce(max, 7)"),
    with("vectoriseReduceWithRest", two, 0, "|a: [i32; N]| a >> reduce(|s, x| s - x, 0)"),
    with("dotProducts", four, 1, "|a: [f32; N], b: [f32; N]| zip(a, b) >> map(mult) >> reduce(add, 2)"),
    with(
        "dotProducts",
        two,
        1,
        "|a: [[f32; K]; N], b: [[f32; K]; M]| \
         a >> map(|r| b >> map(|s| zip(r, s) >> map(|(x, y)| y * x) >> reduce(|s, x| x + s, 0)))",
    ),
    with("dotProducts", four, 0, "|a: [f32; N], b: [f32; N]| zip(a, b) >> map(mult) >> reduceSeq(add, 0)"),
    with(
        "dotProducts",
        four,
        0,
        "|a: [f32; N], b: [f32; N]| zip(a, b) >> map(|(x, _)| x * x) >> reduce(add, 0)",
    ),
    with("dotProducts", four, 0, "|a: [f32; N], b: [f32; N]| zip(a, b) >> map(add) >> reduce(add, 0)"),
    with("dotProducts", four, 0, "|a: [f32; N], b: [f32; N]| zip(a, b) >> map(mult) >> reduce(max, 0)"),
];
