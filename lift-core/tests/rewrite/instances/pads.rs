//! Pads and slices out of functions and past transposes.

use super::{Instance, instance};

pub(super) const INSTANCES: &[Instance] = &[
    instance(
        "padOfElements",
        1,
        "|a: [[i32; M]; N]| a >> map(|r| r >> padConstant(1, 2, 7) >> reduce(add, 0))",
    ),
    instance(
        "padOfElements",
        1,
        "|a: [[i32; M]; N]| a >> map(|i => r| (r >> padConstant(0, 2, 7) >> reduce(add, i as i32)) \
         + (r >> padConstant(0, 2, 7) >> reduce(max, 0)))",
    ),
    instance(
        "padOfElements",
        0,
        "|a: [[i32; M]; N]| a >> map(|r| (r >> padConstant(1, 2, 7) >> reduce(add, 0)) + (r >> reduce(max, 0)))",
    ),
    instance(
        "padOfElements",
        0,
        "|a: [[i32; M]; N]| a >> map(|r| (r >> padConstant(1, 2, 7) >> reduce(add, 0)) \
         + (r >> padConstant(1, 2, 8) >> reduce(max, 0)))",
    ),
    instance(
        "padOfElements",
        0,
        "|a: [[i32; M]; N]| a >> map(|i => r| r >> padConstant(i, N - i, 7) >> reduce(add, 0))",
    ),
    instance(
        "padOfElements",
        0,
        "|a: [[i32; M]; N]| a >> map(|r| r >> padConstant(1, 2, r >> reduce(add, 0)) >> reduce(max, 0))",
    ),
    instance(
        "padOfElements",
        0,
        "|a: [[i32; M]; N], b: [i32; N]| a >> map(|r| b >> map(|j => y| r >> padConstant(0, j, 7) >> reduce(add, y)))",
    ),
    instance("transposeBeforeMapPad", 1, "|a: [[i32; M]; N]| a >> transpose >> map(padConstant(1, 2, 7))"),
    instance("transposeBeforeMapPad", 0, "|a: [[i32; M]; N]| a >> map(padConstant(1, 2, 7))"),
    instance(
        "transposeBeforeMapPad",
        0,
        "|a: [[i32; M]; N]| a >> transpose >> padConstant(1, 2, repeat(N, 7))",
    ),
    instance("transposeBeforeReorder", 1, "|a: [[i32; M]; N]| a >> transpose >> pad(1, 2, clamp)"),
    instance("transposeBeforeReorder", 1, "|a: [[i32; 5]; N]| a >> transpose >> slice(1, 3)"),
    instance("transposeBeforeReorder", 0, "|a: [[i32; 5]; N]| a >> slice(1, N - 1)"),
    instance("transposeBeforeReorder", 0, "|a: [[i32; 4]; N]| a >> transpose >> split(2)"),
    instance("reorderInRows", 1, "|a: [[i32; M]; N]| a >> map(pad(1, 2, mirror))"),
    instance("reorderInRows", 1, "|a: [[i32; 5]; N]| a >> map(slice(1, 3))"),
    instance("reorderInRows", 0, "|a: [[i32; 4]; N]| a >> map(split(2))"),
    instance(
        "reorderInRows",
        0,
        "|a: [[i32; N]; N]| a >> map(|i => r| r >> slice(i, N - i) >> reduce(add, 0))",
    ),
];
