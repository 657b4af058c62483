//! Layouts that cancel, and layouts of zipped arrays.

use super::{Instance, instance};

pub(super) const INSTANCES: &[Instance] = &[
    instance("removeInverses", 1, "|a: [[i32; M]; N]| a >> transpose >> transpose"),
    instance("removeInverses", 1, "|a: [[i32; M]; N]| a >> map(|r| r >> split(2) >> join)"),
    instance("removeInverses", 1, "|a: [[i32; M]; N]| a >> join >> split(M)"),
    // The chunks may be as long as the rows.
    instance("removeInverses", 1, "|a: [[i32; M]; N], b: [i32; K]| zip(a >> join >> split(K) >> head, b)"),
    instance("removeInverses", 1, "|a: [i32; N]| a >> asVector(4) >> asScalar"),
    instance("removeInverses", 1, "|a: [i32x4; N]| a >> asScalar >> asVector(4)"),
    instance("removeInverses", 1, "|a: [i32; N]| a >> reverse >> reverse"),
    instance("removeInverses", 1, "|a: [i32; N]| a >> gather(|i| N - 1 - i) >> reverse"),
    instance("removeInverses", 1, "|a: [i32; 12]| a >> gather(stride(3)) >> gather(stride(4))"),
    instance("removeInverses", 1, "|a: [i32; N]| a >> gather(reverse) >> scatter(reverse)"),
    instance("removeInverses", 1, "|a: [i32; 12]| a >> gather(stride(3)) >> scatter(stride(3))"),
    instance("removeInverses", 1, "|a: [i => [i32; i + 1]; N]| a >> reverse >> reverse"),
    instance("removeInverses", 1, "|a: [i32; N]| zip(a >> split(3) >> join, a) >> map(|(x, y)| x - y)"),
    instance("removeInverses", 0, "|a: [[i32; 3]; N]| a >> join >> split(2)"),
    instance("removeInverses", 0, "|a: [i32; 12]| a >> gather(stride(3)) >> gather(stride(3))"),
    instance("removeInverses", 0, "|a: [i32x4; N]| a >> asScalar >> asVector(2)"),
    instance("removeInverses", 0, "|a: [i32; N]| a >> slide(3, 1) >> join"),
    instance("removeEmptyPad", 1, "|a: [i32; N]| a >> pad(0, 0, clamp) >> map(|x| x + 1)"),
    instance("removeEmptyPad", 1, "|a: [i32; N]| a >> padConstant(0, 0, 7)"),
    instance("removeEmptyPad", 0, "|a: [i32; N]| a >> pad(1, 0, clamp)"),
    instance("removeEmptyPad", 0, "|a: [i32; N]| a >> padConstant(0, 1, 7)"),
    instance("removeWholeSlice", 1, "|a: [i32; N]| a >> slice(0, N)"),
    instance("removeWholeSlice", 1, "|a: [i => [i32; i + 1]; N]| a >> slice(0, N)"),
    instance("removeWholeSlice", 0, "|a: [i32; N]| a >> slice(1, N - 1)"),
    instance("sliceSlice", 1, "|a: [i32; N]| a >> slice(2, 4) >> slice(1, 2)"),
    instance("sliceSlice", 1, "|a: [i => [i32; i + 1]; N]| a >> slice(1, N - 1) >> slice(1, N - 2)"),
    instance("sliceSlice", 0, "|a: [i32; N]| a >> slice(1, 2) >> reverse"),
    instance("splitSplit", 1, "|a: [i32; N]| a >> split(2) >> split(3)"),
    instance("splitSplit", 1, "|a: [i32; N]| a >> map(|x| (x, x + 1)) >> split(2) >> split(2)"),
    instance("splitSplit", 0, "|a: [i32; N]| a >> split(2) >> join"),
    instance(
        "reorderOutsideZip",
        1,
        "|a: [i32; N], b: [[i32; 2]; N]| zip(a >> reverse, b >> reverse) >> map(|(x, p)| x * at(1, p))",
    ),
    instance(
        "reorderOutsideZip",
        1,
        "|a: [i32; N], b: [i32; N], c: [f32; N]| \
         zip(a >> slice(1, 2), b >> slice(1, 2), c >> slice(1, 2)) >> map(|(x, y, z)| z)",
    ),
    instance(
        "reorderOutsideZip",
        1,
        "|a: [i32; N], b: [i32; N]| zip(a >> pad(1, 2, wrap), b >> pad(1, 2, wrap))",
    ),
    instance(
        "reorderOutsideZip",
        1,
        "|a: [i32; N], b: [i32; N]| zip(a >> scatter(reverse), b >> scatter(reverse))",
    ),
    instance("reorderOutsideZip", 0, "|a: [i32; N], b: [i32; N]| zip(a >> reverse, b)"),
    instance("reorderOutsideZip", 0, "|a: [i32; N], b: [i32; N]| zip(a >> slice(0, 2), b >> slice(1, 2))"),
    instance(
        "reorderOutsideZip",
        0,
        "|a: [i32; N], b: [i32; N]| zip(a >> split(2), b >> split(2)) >> map(|(r, s)| at(0, r) + at(1, s))",
    ),
    instance(
        "rowsOutsideZip",
        1,
        "|a: [i32; N], b: [i32; N]| zip(a >> split(2), b >> split(2)) >> map(|(r, s)| zip(r, s))",
    ),
    instance(
        "rowsOutsideZip",
        1,
        "|a: [i32; N], b: [i32; N]| zip(a >> slide(3, 1), b >> slide(3, 1)) >> \
         map(|(r, s)| zip(r, s) >> map(|(x, y)| x * y) >> reduce(add, 0))",
    ),
    instance(
        "rowsOutsideZip",
        0,
        "|a: [i32; N], b: [i32; N]| zip(a >> split(2), b >> split(2)) >> map(|(r, s)| zip(s, r))",
    ),
    instance(
        "rowsOutsideZip",
        0,
        "|a: [i32; N], b: [i32; N]| zip(a >> slide(2, 1), b >> slide(2, 1)) >> \
         map(|(r, s)| zip(r, s) >> map(|(x, y)| x * y + at(0, r)))",
    ),
    instance(
        "transposeOutsideZip",
        1,
        "|a: [[i32; M]; N], b: [[i32; M]; N]| zip(a >> transpose, b >> transpose) >> \
         map(|(r, s)| zip(r, s) >> map(|(x, y)| x * y) >> reduce(add, 0))",
    ),
    instance(
        "transposeOutsideZip",
        1,
        "|a: [[i32; M]; N], b: [[i32; M]; N]| zip(a >> transpose, b >> transpose) >> map(|(r, s)| zip(r, s))",
    ),
    instance(
        "transposeOutsideZip",
        0,
        "|a: [[i32; M]; N], b: [[i32; N]; M]| zip(a >> transpose, b) >> map(|(r, s)| zip(r, s))",
    ),
    instance(
        "joinOutsideZip",
        1,
        "|a: [[i32; M]; N], b: [[i32; M]; N]| zip(a >> join, b >> join) >> map(|(x, y)| x - y)",
    ),
    instance(
        "joinOutsideZip",
        1,
        "|a: [i => [i32; i + 1]; N], b: [i => [i32; i + 1]; N]| \
         zip(a >> join, b >> join) >> map(|(x, y)| x - y)",
    ),
    instance("joinOutsideZip", 0, "|a: [[i32; 2]; 3], b: [[i32; 3]; 2]| zip(a >> join, b >> join)"),
    instance("joinOutsideZip", 0, "|a: [[i32; M]; N], b: [i32; M * N]| zip(a >> join, b)"),
];
