//! Tiles that overlap.

use super::{Instance, size, with};

pub(super) const INSTANCES: &[Instance] = &[
    with("slideTiling", || vec![size(6)], 1, "|a: [i32; N]| a >> slide(3, 1)"),
    with("slideTiling", || vec![size(7)], 1, "|a: [i32; N]| a >> slide(3, 2)"),
    with(
        "slideTiling",
        || vec![size(4)],
        1,
        "|a: [[i32; M]; N]| a >> pad(1, 1, clamp) >> slide(3, 1) >> map(map(reduce(add, 0)))",
    ),
    with("slideTiling", || vec![size(4)], 1, "|a: [i => [i32; i + 1]; N]| a >> slide(2, 1)"),
    with("slideTiling", || vec![size(2)], 0, "|a: [i32; N]| a >> slide(3, 1)"),
    with("slideTiling", || vec![size(6)], 0, "|a: [i32; N]| a >> split(3)"),
    with(
        "mapSlideTiling",
        || vec![size(6)],
        1,
        "|a: [i32; N]| a >> pad(1, 1, clamp) >> slide(3, 1) >> map(reduce(add, 0))",
    ),
    with(
        "mapSlideTiling",
        || vec![size(5)],
        1,
        "|a: [i => [i32; i + 1]; N]| a >> slide(2, 1) >> map(|w| w >> map(reduce(add, 0)) >> reduce(add, 0))",
    ),
    with("mapSlideTiling", || vec![size(5)], 0, "|a: [i32; N]| a >> slide(3, 1) >> mapSeq(reduce(add, 0))"),
    with(
        "slideTiling2",
        || vec![size(4), size(5)],
        1,
        "|a: [[i32; M]; N]| a >> pad2(1, 1, clamp) >> slide2(3, 1)",
    ),
    with(
        "slideTiling2",
        || vec![size(4), size(5)],
        1,
        "|a: [[i32; M]; N]| a >> slide2d(2, 1, 3, 2) >> map2(|w| w >> join >> reduce(add, 0))",
    ),
    with(
        "slideTiling2",
        || vec![size(4), size(5)],
        0,
        "|a: [[i32; M]; N]| a >> map(slide(3, 1)) >> slide(3, 1)",
    ),
    with(
        "mapSlideTiling2",
        || vec![size(4), size(5)],
        1,
        "|a: [[i32; M]; N]| a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|w| w >> join >> reduce(add, 0))",
    ),
    with(
        "mapSlideTiling2",
        || vec![size(4), size(5)],
        0,
        "|a: [[i32; M]; N]| a >> slide2(3, 1) >> \
         map(|r| r >> map(|w| w >> join >> reduce(add, 0)) >> reduce(add, 0))",
    ),
    // Windows of two arrays, of lengths and steps of their own.
    with(
        "mapSlideTiling",
        || vec![size(6)],
        1,
        "|a: [i32; N], b: [i32; N]| zip(a >> pad(1, 1, clamp) >> slide(3, 1), \
         b >> pad(0, 1, clamp) >> slide(2, 1)) >> map(|(v, w)| reduce(add, 0, v) * reduce(max, 0, w))",
    ),
    with(
        "mapSlideTiling",
        || vec![size(5)],
        1,
        "|a: [i32; 2 * N + 1], b: [i32; N]| zip(b, a >> slide(3, 2)) >> \
         map(|i => (y, w)| y * i as i32 + reduce(add, 0, w))",
    ),
    with(
        "mapSlideTiling",
        || vec![size(6)],
        0,
        "|a: [i32; N], b: [i32; N]| zip(a, b) >> map(|(x, y)| x + y)",
    ),
    // Windows and elements.
    with(
        "mapSlideTiling2",
        || vec![size(4), size(5)],
        1,
        "|a: [[i32; M]; N], b: [[i32; M]; N]| zip2(a >> pad2(1, 1, clamp) >> slide2(3, 1), b) \
         >> map2(|(w, x)| x - (w >> join >> reduce(add, 0)))",
    ),
    with(
        "mapSlideTiling2",
        || vec![size(3), size(5)],
        1,
        "|a: [[i32; M]; N], b: [[i32; M]; N]| zip2(b >> pad2d(1, 0, 0, 0, clamp, clamp) >> \
         slide2d(2, 1, 1, 1), a >> pad2(1, 1, wrap) >> slide2(3, 1)) >> \
         map2(|(v, w)| reduce(max, 0, join(v)) - reduce(add, 0, join(w)))",
    ),
    with(
        "mapSlideTiling2",
        || vec![size(4), size(5)],
        0,
        "|a: [[i32; M]; N], b: [i32; N]| zip(a >> pad2(1, 1, clamp) >> slide2(3, 1), b) >> \
         map(|(r, x)| r >> map(|w| x - (w >> join >> reduce(add, 0))))",
    ),
    // More results than there are, of windows and of elements, in both dimensions or in one.
    with(
        "roundUpStencil2",
        || vec![size(2), size(4)],
        1,
        "|a: [[i32; M]; N]| a >> pad2(1, 1, wrap) >> slide2(3, 1) >> map2(|w| w >> join >> reduce(add, 0))",
    ),
    with(
        "roundUpStencil2",
        || vec![size(3), size(1)],
        1,
        "|a: [[i32; M]; N], b: [[i32; M]; N]| zip2(a >> padConstant2(2, 0, 5) >> slide2(3, 1), b) \
         >> map2(|(w, x)| 100 / x - (w >> join >> reduce(max, 0)))",
    ),
    with(
        "roundUpStencil2",
        || vec![size(1), size(3)],
        1,
        "|a: [[(i32, i32); M]; N]| a >> pad2d(1, 0, 0, 2, clamp, mirror) >> slide2d(2, 1, 3, 1) \
         >> map2(|w| at(1, at(0, w)).0 - at(0, at(1, w)).1)",
    ),
    with(
        "roundUpStencil2",
        || vec![size(2), size(2)],
        1,
        "|a: [[i32; 6]; 4]| a >> slide2(3, 1) >> map2(|w| w >> join >> reduce(add, 0))",
    ),
    with(
        "roundUpStencil2",
        || vec![size(2), size(2)],
        0,
        "|a: [[i32; M]; N]| a >> pad2(1, 1, clamp) >> slide2(3, 1) \
         >> map(|i => r| r >> map(|w| i as i32 * (w >> join >> reduce(add, 0))))",
    ),
    with(
        "roundUpStencil2",
        || vec![size(2), size(2)],
        1,
        "|a: [[i32; M]; N], b: [[i32; M]; N]| zip2(a >> pad2(1, 1, wrap) >> slide2(3, 1), \
         b >> pad2(0, 1, mirror) >> slide2(2, 1)) >> map2(|(v, w)| reduce(max, 0, join(v)) - reduce(add, 0, join(w)))",
    ),
    with(
        "roundUpStencil2",
        || vec![size(2), size(2)],
        0,
        "|a: [[i32; M]; N], b: [[i32; 2 * M]; 2 * N]| zip2(a >> pad2(1, 1, wrap) >> slide2(3, 1), \
         b >> slide2(2, 2)) >> map2(|(v, w)| reduce(max, 0, join(v)) - reduce(add, 0, join(w)))",
    ),
    with(
        "roundUpStencil2",
        || vec![size(2), size(2)],
        0,
        "|a: [[i32; 2 * M]; 2 * N]| a >> slide2(2, 2) >> map2(|w| w >> join >> reduce(add, 0))",
    ),
    with(
        "mapSlideTiling3",
        || vec![size(3), size(4), size(5)],
        1,
        "|a: [[[i32; 5]; M]; 5]| a >> slide3(2, 1) >> \
         map3(|w| w >> join >> join >> reduce(|s, x| 3 * s + x, 0))",
    ),
    with(
        "mapSlideTiling3",
        || vec![size(4), size(3), size(3)],
        1,
        "|a: [[[i32; 3]; M]; N], b: [[[i32; 3]; M]; N]| zip3(a >> pad3(1, 1, clamp) >> slide3(3, 1), b) \
         >> map3(|(w, x)| x - (w >> join >> join >> reduce(add, 0)))",
    ),
    with(
        "mapSlideTiling3",
        || vec![size(3), size(4), size(5)],
        0,
        "|a: [[[i32; 5]; M]; 4]| a >> map(slide2(2, 1)) >> map3(|w| w >> join >> reduce(add, 0))",
    ),
];
