//! Windows and borders.

use super::{Instance, instance};

pub(super) const INSTANCES: &[Instance] = &[
    instance("slideSlide", 1, "|a: [i32; N]| a >> slide(3, 1) >> slide(2, 1)"),
    instance("slideSlide", 1, "|a: [i32; N]| a >> slide(3, 2) >> slide(2, 2)"),
    instance("slideSlide", 1, "|a: [i => [i32; i + 1]; N]| a >> slide(2, 1) >> slide(2, 1)"),
    instance("slideSlide", 0, "|a: [i32; N]| a >> slide(3, 1) >> split(2)"),
    instance("mapFBeforeSlide", 1, "|a: [i32; N]| a >> map(|x| x * x) >> slide(3, 1) >> map(reduce(add, 0))"),
    instance("mapFBeforeSlide", 1, "|a: [i => [i32; i + 1]; N]| a >> map(reduce(add, 0)) >> slide(3, 2)"),
    instance("mapFBeforeSlide", 0, "|a: [i32; N]| a >> mapSeq(|x| x * x) >> slide(3, 1)"),
    instance("slideBeforeMapMapF", 1, "|a: [i32; N]| a >> slide(3, 1) >> map(map(|x| x * x))"),
    instance(
        "slideBeforeMapMapF",
        1,
        "|a: [i32; N]| a >> slide(3, 1) >> map(|w| w >> map(|x| x * x) >> reduce(add, 0))",
    ),
    instance(
        "slideBeforeMapMapF",
        1,
        "|a: [[i32; 3]; N]| a >> slide(3, 1) >> \
         map(|w| (w >> map(reduce(add, 0)) >> reduce(max, 0)) - (w >> map(reduce(add, 0)) >> at(1)))",
    ),
    instance(
        "slideBeforeMapMapF",
        0,
        "|a: [i32; N]| a >> slide(3, 1) >> map(|w| w >> map(|x| x * at(1, w)) >> reduce(add, 0))",
    ),
    instance(
        "slideBeforeMapMapF",
        0,
        "|a: [i32; N]| a >> slide(3, 1) >> map(|w| (w >> map(|x| x * x) >> reduce(add, 0)) + at(0, w))",
    ),
    instance("mapFBeforePad", 1, "|a: [i32; N]| a >> map(|x| x * x) >> pad(1, 2, clamp)"),
    instance("mapFBeforePad", 1, "|a: [[i32; M]; N]| a >> map(reduce(add, 0)) >> pad(1, 1, mirror)"),
    instance("mapFBeforePad", 0, "|a: [i32; N]| a >> map(|x| x * x) >> padConstant(1, 2, 0)"),
    instance("mapFBeforePad", 0, "|a: [i => [i32; i + 1]; N]| a >> map(reduce(add, 0)) >> pad(1, 2, clamp)"),
    instance("padBeforeMapF", 1, "|a: [i32; N]| a >> pad(1, 2, wrap) >> map(|x| x * x)"),
    instance("padBeforeMapF", 1, "|a: [[i32; M]; N]| a >> pad(1, 1, clamp) >> map(pad(1, 1, clamp))"),
    instance("padBeforeMapF", 0, "|a: [i32; N]| a >> padConstant(1, 2, 0) >> map(|x| x * x)"),
    instance(
        "slideOutsideZip",
        1,
        "|a: [i32; N + 2], b: [i32; N]| zip(a >> slide(3, 1), b) >> map(|(w, y)| (w >> reduce(add, 0)) * y)",
    ),
    instance(
        "slideOutsideZip",
        1,
        "|a: [i32; N + 2], b: [i32; N + 2]| zip(a >> slide(3, 1), b >> slide(3, 1)) >>
            map(|(v, w)| zip(v, w) >> map(|(x, y)| x * y) >> reduce(add, 0))",
    ),
    instance(
        "slideOutsideZip",
        1,
        "|a: [(i32, i32); N], b: [i32; N + 4], c: [[i32; M]; N + 1]| zip(a, b >> slide(5, 1), c >> slide(2, 1)) >>
            map(|i => (x, v, w)| x.0 + at(3, v) * x.1 - (w >> join >> reduce(add, i as i32)))",
    ),
    instance(
        "slideOutsideZip",
        1,
        "|a: [i32; N + 2], b: [i32; N + 1]| zip(a >> slide(3, 1), b >> slide(2, 1)) >>
            map(|(v, w)| at(0, v) - at(2, v) + at(0, w) * at(1, w))",
    ),
    instance("slideOutsideZip", 1, "|a: [i32; N], b: [i32; N]| zip(a >> slide(1, 1), b) >> map(|t| (t.1, at(0, t.0)))"),
    instance("slideOutsideZip", 0, "|a: [i32; N]| a >> slide(3, 1) >> map(reduce(add, 0))"),
    instance(
        "slideOutsideZip",
        0,
        "|a: [i32; 2 * N + 1], b: [i32; N]| zip(a >> slide(3, 2), b) >> map(|(w, y)| (w >> reduce(add, 0)) * y)",
    ),
    instance("slideOutsideZip", 0, "|a: [i32; N], b: [i32; N]| zip(a, b) >> map(|(x, y)| x * y)"),
    instance("mapSeqSlide", 1, "|a: [i32; N]| a >> slide(3, 1) >> map(reduceSeq(add, 0))"),
    instance("mapSeqSlide", 1, "|a: [i32; N]| a >> slide(3, 1) >> mapSeq(reduceSeq(add, 0))"),
    instance("mapSeqSlide", 0, "|a: [i32; N]| a >> slide(3, 1) >> mapGlb(reduceSeq(add, 0))"),
    instance("mapSeqSlide", 0, "|a: [i32; N]| a >> split(3) >> map(reduceSeq(add, 0))"),
    instance(
        "inputStationary",
        1,
        "|a: [i32; N]| a >> slide(3, 1) >> map(reduceSeq(|acc, x| acc * 2 + x, 0))",
    ),
    instance("inputStationary", 1, "|a: [i32; N]| a >> slide(3, 2) >> map(reduce(max, 0))"),
    instance(
        "inputStationary",
        1,
        "|a: [i32; N], weights: [i32; 3]| \
         a >> slide(3, 1) >> map(|w| zip(w, weights) >> reduceSeq(|acc, (x, y)| acc * 2 + x * y, 1))",
    ),
    instance(
        "inputStationary",
        1,
        "|a: [[i32; M]; N]| a >> slide(2, 1) >> \
         map(|w| w >> reduce(|acc, row| max(acc, row >> reduce(add, 0)), 0))",
    ),
    instance(
        "inputStationary",
        1,
        "|a: [i32; N]| a >> slide(3, 1) >> map(|i => w| (reduce(|acc, x| acc * 2 + x, 0, w) - 7) * i as i32)",
    ),
    instance("inputStationary", 0, "|a: [i32; N]| a >> slide(3, 1) >> map(|w| reduce(add, 0, w) - at(1, w))"),
    instance(
        "inputStationary",
        0,
        "|a: [i32; N]| a >> slide(3, 1) >> map(|w| w >> reverse >> reduce(add, 0))",
    ),
    instance(
        "inputStationary",
        0,
        "|a: [i32; N]| a >> slide(3, 1) >> map(|w| w >> reduce(|acc, x| acc + x * at(0, w), 0))",
    ),
];
