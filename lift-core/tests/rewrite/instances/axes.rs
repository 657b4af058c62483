//! Stencils, one axis after the other.

use super::{Instance, instance};

const SUMS: &str = "|a: [[i32; M]; N]| a >> pad2(1, 1, clamp) >> slide2(3, 1) >> \
                    map2(|w| w >> join >> reduce(|s, x| 2 * s + x, 0))";
const STEPS: &str = "|a: [[i32; 2 * M + 1]; N]| a >> slide2d(2, 1, 3, 2) >> \
                     map(|i => r| r >> map(|j => w| at(1, at(0, w)) * i as i32 + at(2, at(1, w)) * j as i32))";
const SEVERAL: &str = "|a: [[i32; M]; N], b: [[i32; M]; N]| \
                       zip2(a >> pad2(1, 1, wrap) >> slide2(3, 1), b) >> \
                       map2(|(w, x)| at(2, at(0, w)) * x + reduce(max, 0, join(w)))";
const OF_ROWS: &str = "|a: [[i32; M]; N]| a >> slide2(2, 1) >> \
                       map(|r| r >> map(|w| reduce(add, 0, join(w)) * at(0, at(0, at(0, r)))))";
const ALONE: &str = "|a: [[i32; M]; N]| a >> slide2(2, 1)";
const BOXES: &str = "|a: [[[i32; L]; M]; N]| a >> pad3(1, 1, clamp) >> slide3(3, 1) >> \
                     map3(|w| at(0, at(1, at(2, w))) - 2 * at(2, at(0, at(1, w))))";
const BOXES_AND_ELEMENTS: &str = "|a: [[[i32; L]; M]; N], b: [[[i32; L]; M]; N]| \
                                  zip3(b, a >> pad3(0, 1, wrap) >> slide3(2, 1)) >> \
                                  map(|i => p| p >> map(|j => r| r >> map(|k => (x, w)| \
                                  x * (w >> join >> join >> reduce(max, i as i32)) + (j - k) as i32)))";

pub(super) const INSTANCES: &[Instance] = &[
    instance("slide2ByRows", 1, SUMS),
    instance("slide2ByRows", 1, STEPS),
    instance("slide2ByRows", 1, SEVERAL),
    instance("slide2ByRows", 0, OF_ROWS),
    instance("slide2ByRows", 0, ALONE),
    instance("slide2ByColumns", 1, SUMS),
    instance("slide2ByColumns", 1, STEPS),
    instance("slide2ByColumns", 1, SEVERAL),
    instance("slide2ByColumns", 0, OF_ROWS),
    instance("slide2ByColumns", 0, ALONE),
    instance("slide3ByRows", 1, BOXES),
    instance("slide3ByRows", 1, BOXES_AND_ELEMENTS),
    instance(
        "slide3ByRows",
        1,
        "|a: [[[i32; L]; M]; N]| a >> slide3(2, 3) >> map3(|w| at(1, at(0, at(1, w))))",
    ),
    instance("slide3ByRows", 0, "|a: [[[i32; L]; M]; N]| a >> slide3(2, 1)"),
    instance(
        "slide3ByRows",
        0,
        "|a: [[[i32; L]; M]; N]| a >> map(|p| p >> slide2(2, 1) >> map2(|w| at(1, at(0, w))))",
    ),
];
