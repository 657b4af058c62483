//! Instances of identities.

use lift_core::middle::rewrite::{Strategy, rules};

use super::{Instance, after, instance, place, size, with};

pub(super) const INSTANCES: &[Instance] = &[
    instance("mapId", 1, "|a: [i32; N]| a >> map(|x| x) >> map(|x| x + 1)"),
    instance("mapId", 1, "|m: [i => [i32; i + 1]; N]| m >> map(|row| row)"),
    instance("mapId", 0, "|a: [i32; N]| a >> mapSeq(|x| x)"),
    instance("mapId", 0, "|a: [(i32, i32); N]| a >> map(|(x, y)| (y, x))"),
    //
    instance("idMap", 2, "|a: [i32; N]| a >> map(|x| x + 1)"),
    instance(
        "idMap",
        3,
        "|m: [i => [i32; i + 1]; N]| m >> map(|row| row >> reduce(add, 0)) >> reduce(add, 0)",
    ),
    instance("idMap", 0, "|x: i32| x + 1"),
    //
    after(
        || vec![Strategy::rule(&rules::TREE_REDUCE)],
        instance("iterateZero", 1, "|a: [i32; 1]| a >> reduce(add, 5)"),
    ),
    instance("iterateZero", 0, "|a: [i32; N]| a >> iterate(1, map(|x| x + 1))"),
    instance("iterateOne", 1, "|a: [i32; N]| a >> iterate(1, map(|x| x + 1))"),
    instance(
        "iterateOne",
        1,
        "|a: [[i32; 8]; N]| a >> map(|row| row >> iterate(1, |t| t >> slide(3, 1) >> map(reduce(add, 0))))",
    ),
    instance("iterateOne", 0, "|a: [i32; N]| a >> iterate(2, map(|x| x + 1))"),
    //
    with(
        "letInline",
        || vec![size(0)],
        1,
        "|a: [i32; N]| { let b = a >> map(|x| x + 1); zip(b, reverse(b)) >> map(|(x, y)| x * y) }",
    ),
    with(
        "letInline",
        || vec![size(1)],
        1,
        "|a: [i32; N]| {
            let b = a >> map(|x| x + 1);
            let c = b >> map(|x| x * x);
            let d = zip(b, c) >> map(|(x, y)| x * y);
            zip(c, d) >> map(|(x, y)| x - y)
        }",
    ),
    with("letInline", || vec![size(0)], 1, "|a: [i32; N]| a >> map(|x| { let y = x * x; y * y + x })"),
    with("letInline", || vec![size(1)], 0, "|a: [i32; N]| a >> map(|x| { let y = x * x; y * y + x })"),
    //
    with("letIntroduce", || vec![place(&[0])], 1, "|a: [i32; N]| a >> map(|x| (x + 1) * (x + 1))"),
    with(
        "letIntroduce",
        || vec![place(&[1, 1])],
        1,
        "|a: [i32; N], b: [i32; M]| a >> map(|x| x * reduce(add, 0, b))",
    ),
    with("letIntroduce", || vec![place(&[1, 1])], 0, "|a: [i32; N]| a >> map(|x| x * (x + 1))"),
    //
    instance("zipSame", 1, "|a: [i32; N]| zip(a, a) >> map(|(x, y)| x * y)"),
    instance("zipSame", 1, "|a: [i32; N], b: [i32; N]| zip(a, b, a) >> map(|(x, y, z)| x * y - z)"),
    instance(
        "zipSame",
        1,
        "|m: [i => [i32; i + 1]; N]| zip(m, m) >> map(|(r, s)| reduce(add, 0, r) * reduce(add, 1, s))",
    ),
    instance("zipSame", 1, "|a: [i32; N]| zip(map(|x| x + 1, a), map(|y| y + 1, a)) >> map(|(x, y)| x * y)"),
    instance("zipSame", 0, "|a: [i32; N]| zip(a, reverse(a)) >> map(|(x, y)| x * y)"),
    //
    after(
        || vec![Strategy::with(&rules::LET_INLINE, size(0)).innermost()],
        instance("componentOfTuple", 2, "|a: [i32; N]| a >> map(|x| { let t = (x, x * x); t.0 - t.1 })"),
    ),
    instance("componentOfTuple", 0, "|a: [(i32, i32); N]| a >> map(|t| t.0)"),
    //
    instance("unzipZip", 1, "|a: [i32; N], b: [i32; N]| zip(a, b >> map(|x| x + 1)) >> unzip"),
    instance("unzipZip", 0, "|a: [i32; N], b: [i32; N]| zip(a, b) >> reverse >> unzip"),
    //
    instance("mapOfLiteral", 1, "|x: i32, y: i32| [x, y, 3] >> map(|x| x * x + 1)"),
    instance("mapOfLiteral", 1, "|a: [i32; N]| a >> map(|x| [x, x + 1] >> map(|y| y * x) >> reduce(add, 0))"),
    instance("mapOfLiteral", 1, "|x: i32, y: i32| [x, y, 3] >> map(|i => x| x * i as i32)"),
    instance("mapOfLiteral", 0, "|x: i32, y: i32| [x, y, 3] >> reverse >> map(|x| x * x + 1)"),
    //
    instance(
        "mapOfRepeat",
        1,
        "|x: i32, a: [i32; N]| zip(a, repeat(N, x) >> map(|x| x * x)) >> map(|(x, y)| x * y)",
    ),
    instance(
        "mapOfRepeat",
        1,
        "|a: [i32; N]| a >> map(|x| repeat(3, x * x) >> map(|y| y * y) >> reduce(add, 0))",
    ),
    instance("mapOfRepeat", 0, "|x: i32| repeat(4, x) >> map(|i => x| x * i as i32)"),
    instance("mapOfRepeat", 0, "|x: i32, a: [i32; N]| zip(a, repeat(N, x)) >> map(|(x, y)| x * y)"),
    instance("arrayOfHead", 1, "|a: [i32; N]| [a >> slice(0, 1) >> head] >> map(|x| x + 1)"),
    instance("arrayOfHead", 0, "|a: [i32; N]| [a >> head]"),
    instance("arrayOfHead", 0, "|a: [i32; N]| [a >> slice(0, 1) >> head, 2]"),
];
