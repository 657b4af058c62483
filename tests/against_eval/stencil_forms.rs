//! Strips of rows that roll through registers, and tiles of windows in local memory, compute what the
//! reference evaluator says: windows of all shapes, borders, types and functions, at sizes that strips,
//! vectors and tiles fill, and that they do not.

use lift_core::compiled::Compiled;
use lift_core::ir::nat::Var;
use lift_core::ir::typed::Program;

use crate::common::{is_simulated, sample};
use crate::compare::arguments::arguments_of;
use crate::compare::compare_with;
use crate::kernels::kernels;
use crate::random::{self, Target};

/// Stencils of small windows, after the name and the sizes.
const SMALL: [&str; 25] = [
    // Borders of all kinds, and none.
    "(a: [[f32; M]; N]) -> [[f32; M]; N] { a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| (n >> join >> reduce(add, 0)) * 0.5) }",
    "(a: [[f32; M]; N], w: [[f32; 5]; 5]) -> [[f32; M]; N] {
        a >> pad2(2, 2, mirror) >> slide2(5, 1) >> map2(|n| dotProduct(join(n), join(w))) }",
    "(a: [[i32; M]; N]) -> [[i32; M]; N] { a >> pad2(1, 1, wrap) >> slide2(3, 1) >> map2(|n| {
        let alive = (join(n) >> reduce(add, 0)) - at(1, at(1, n));
        if alive == 3 || (alive == 2 && at(1, at(1, n)) == 1) { 1 } else { 0 } }) }",
    "(a: [[i32; M]; N]) -> [[i32; M]; N] { a >> padConstant2(1, 1, 7) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(min, 100)) }",
    "(a: [[f32; M + 4]; N + 4]) -> [[f32; M]; N] { a >> slide2(5, 1) >> map2(|n| at(0, at(0, n)) - at(4, at(4, n))) }",
    // Windows of one row, of one column, tall ones, even ones, and those that reach further to one side.
    "(a: [[f32; M]; N], w: [f32; 5]) -> [[f32; M]; N] {
        a >> pad2d(0, 0, 2, 2, clamp, clamp) >> slide2d(1, 1, 5, 1) >> map2(|n| dotProduct(join(n), w)) }",
    "(a: [[f32; M]; N], w: [f32; 7]) -> [[f32; M]; N] {
        a >> pad2d(3, 3, 0, 0, clamp, clamp) >> slide2d(7, 1, 1, 1) >> map2(|n| dotProduct(join(n), w)) }",
    "(a: [[i32; M]; N]) -> [[i32; M]; N] {
        a >> pad2d(1, 0, 2, 0, clamp, mirror) >> slide2d(2, 1, 3, 1) >> map2(|n| join(n) >> reduce(max, 0)) }",
    "(a: [[i32; M]; N]) -> [[i32; M]; N] { a >> pad2d(5, 1, 0, 1, clamp, clamp) >> slide2d(7, 1, 2, 1) >> map2(|n| join(n) >> reduce(add, 3)) }",
    // Types.
    "(a: [[u8; M]; N]) -> [[u8; M]; N] { a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(max, 0)) }",
    "(a: [[i16; M]; N]) -> [[i32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> map(|x| x as i32 * 3) >> reduce(add, 0)) }",
    "(a: [[f64; M]; N]) -> [[f64; M]; N] { a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(add, 0)) }",
    "(a: [[i64; M]; N]) -> [[i64; M]; N] { a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| at(0, at(1, n)) * at(2, at(1, n))) }",
    "(a: [[i32; M]; N]) -> [[f32; M]; N] { a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| (join(n) >> reduce(add, 0)) as f32 * 0.25) }",
    // Elements and results of several components.
    "(a: [[(i32, f32); M]; N]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> map(|(x, y)| x as f32 * y) >> reduce(add, 0)) }",
    "(a: [[i32; M]; N]) -> ([[i32; M]; N], [[i32; M]; N]) {
        (a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(max, 0)),
         a >> pad2(1, 1, wrap) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(min, 9))) }",
    // What functions take besides windows.
    "(a: [[f32; M]; N], s: f32, t: [f32; 3]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| max(s, zip(at(1, n), t) >> map(mult) >> reduce(add, at(0, t)))) }",
    "(a: [[f32; M]; N]) -> [[f32; M]; N] { a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| {
        let across = at(0, at(1, n)) - at(2, at(1, n)); let down = at(1, at(0, n)) - at(1, at(2, n));
        across * across + down * down }) }",
    "(a: [[f32; M]; N]) -> [[f32; M]; N] { a >> map2(|x| x + x) >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(add, 0)) }",
    // Stencils of stencils, in other windows and behind names; again and again.
    "(a: [[i32; M]; N]) -> [[i32; M]; N] {
        a >> pad2d(0, 0, 2, 2, clamp, clamp) >> slide2d(1, 1, 5, 1) >> map2(|n| join(n) >> reduce(add, 0))
          >> pad2d(2, 2, 0, 0, clamp, clamp) >> slide2d(5, 1, 1, 1) >> map2(|n| join(n) >> reduce(max, 0)) }",
    "(a: [[i32; M]; N]) -> [[i32; M]; N] {
        let sums = a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(add, 0));
        let largest = sums >> pad2(1, 1, wrap) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(max, 0));
        largest >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| at(0, at(1, n)) - at(2, at(1, n))) }",
    "(a: [[i32; M]; N]) -> [[i32; M]; N] {
        a >> padConstant2(1, 1, 0) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(add, 0))
          >> padConstant2(1, 1, 5) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(max, 0)) }",
    "(a: [[i32; M]; N]) -> [[i32; M]; N] {
        iterate(3, |t| t >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| (join(n) >> reduce(add, 0)) / 4), a) }",
    "(a: [[i32; M]; N], b: [[i32; M]; N]) -> [[i32; M]; N] {
        let sums = a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(add, 0));
        sums >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| (join(n) >> reduce(max, 0)) + at(0, at(0, b))) }",
    "(a: [[i32; M]; N]) -> [[i32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| n >> map(reduce(add, 0)) >> reduce(max, 0)) }",
];

/// Stencils of windows of several arrays, of elements beside windows, and of what is computed further; each
/// becomes one stencil.
const FUSED: [&str; 17] = [
    "(a: [[f32; M]; N], b: [[f32; M]; N], s: f32) -> [[f32; M]; N] {
        zip2(a >> pad2(1, 1, clamp) >> slide2(3, 1), b) >> map2(|(n, x)| s * x + (join(n) >> reduce(add, 0))) }",
    "(a: [[i32; M]; N], b: [[i32; M]; N]) -> [[i32; M]; N] {
        zip2(a >> pad2(1, 1, clamp) >> slide2(3, 1), b >> padConstant2(1, 1, 3) >> slide2(3, 1)) >> map2(|(n, m)|
            zip(join(n), join(m)) >> map(mult) >> reduce(add, 0)) }",
    // Windows of different sizes, and several arrays of elements, of different types.
    "(a: [[i32; M]; N], b: [[i32; M]; N]) -> [[i32; M]; N] {
        zip2(a >> pad2d(2, 1, 0, 1, clamp, clamp) >> slide2d(4, 1, 2, 1), b >> pad2d(1, 0, 1, 1, wrap, wrap) >> slide2d(2, 1, 3, 1))
          >> map2(|(n, m)| (join(n) >> reduce(max, 0)) - (join(m) >> reduce(add, 0))) }",
    "(a: [[f32; M]; N], b: [[u8; M]; N], c: [[i32; M]; N]) -> [[f32; M]; N] {
        zip2(b, a >> pad2(1, 1, clamp) >> slide2(3, 1), c) >> map2(|(x, n, y)| at(0, at(2, n)) + (x as i32 + y) as f32) }",
    "(a: [[i32; M]; N], b: [[(i32, f32); M]; N]) -> [[i32; M]; N] {
        zip2(a >> pad2(1, 1, clamp) >> slide2(3, 1), b) >> map2(|(n, (x, y))| if y > 0 { x } else { join(n) >> reduce(add, 0) }) }",
    "(a: [[i32; M]; N], c: [i32; M]) -> [[i32; M]; N] {
        zip2(a >> pad2(1, 1, wrap) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(add, 0)), repeat(N, c)) >> map2(|(x, y)| x * y) }",
    // A `zip` of rows.
    "(a: [[i32; M]; N], b: [[i32; M]; N]) -> [[i32; M]; N] {
        zip(a >> pad2(1, 1, clamp) >> slide2(3, 1), b) >> map(|(r, s)| zip(r, s) >> map(|(n, x)| x - (join(n) >> reduce(min, 9)))) }",
    // What is computed further, beside elements, beside other results, and behind names.
    "(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(add, 0)) >> map2(|x| x * 0.5) >> map2(|x| x + 1) }",
    "(a: [[i32; M]; N], b: [[i32; M]; N]) -> [[i32; M]; N] {
        zip2(a >> pad2(1, 1, clamp) >> slide2(3, 1), b >> map2(|x| x * 2)) >> map2(|(n, x)| x + (join(n) >> reduce(add, 0))) }",
    "(a: [[i32; M]; N], b: [[i32; M]; N]) -> [[i32; M]; N] {
        zip2(a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(add, 0)),
             b >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(max, 0))) >> map2(|(x, y)| x * x - y) }",
    "(a: [[i32; M]; N]) -> [[i32; M]; N] {
        zip2(a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(add, 0)), a) >> map2(|(x, y)| x - 9 * y) }",
    "(a: [[i32; M]; N]) -> [[i32; M]; N] {
        let sums = a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(add, 0));
        zip2(a >> pad2(1, 1, clamp) >> slide2(3, 1), sums) >> map2(|(n, x)| x - at(1, at(1, n))) }",
    "(a: [[i32; M]; N]) -> [[i32; M]; N] {
        let sums = a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(add, 0));
        sums >> map2(|x| x * x) }",
    "(a: [[i32; M]; N], b: [[i32; M]; N]) -> [[i32; M]; N] {
        zip2(a >> pad2(1, 1, clamp) >> slide2(3, 1), b) >> map2(|t| (at(0, at(0, t.0)), t.1)) >> map2(|t| t.0 - t.1) }",
    // Again and again.
    "(a: [[i32; M]; N], b: [[i32; M]; N]) -> [[i32; M]; N] {
        iterate(3, |t| zip2(t >> pad2(1, 1, clamp) >> slide2(3, 1), b) >> map2(|(n, x)| x + at(1, at(2, n)) - at(0, at(1, n))), a) }",
    "(a: [[f64; M]; N], b: [[f64; M]; N]) -> [[f64; M]; N] {
        zip2(a >> pad2(1, 1, clamp) >> slide2(3, 1), b) >> map2(|(n, x)| x * at(1, at(0, n))) }",
    "(a: [[f32; M]; N], b: [[f32; M]; N], w: [[f32; 5]; 5]) -> [[f32; M]; N] {
        zip2(a >> pad2(2, 2, clamp) >> slide2(5, 1), b) >> map2(|(n, x)| x - dotProduct(join(n), join(w))) }",
];

/// Stencils of windows that are so large that groups copy tiles, after the name and the sizes; and whether
/// they are small enough for registers as well.
const LARGE: [(&str, bool); 13] = [
    ("(a: [[f32; M]; N], w: [[f32; 7]; 7]) -> [[f32; M]; N] {
        a >> pad2(3, 3, clamp) >> slide2(7, 1) >> map2(|n| dotProduct(join(n), join(w))) }", true),
    ("(a: [[i32; M]; N]) -> [[i32; M]; N] { a >> padConstant2(2, 3, 4) >> slide2(6, 1) >> map2(|n| join(n) >> reduce(max, 0)) }", true),
    ("(a: [[f32; M]; N], w: [[f32; 9]; 9]) -> [[f32; M]; N] {
        a >> pad2(4, 4, mirror) >> slide2(9, 1) >> map2(|n| zip(join(n), join(w)) >> map(mult) >> reduce(add, 0)) }", false),
    ("(a: [[f32; M]; N], w: [[f32; 17]; 17]) -> [[f32; M]; N] {
        a >> pad2(8, 8, clamp) >> slide2(17, 1) >> map2(|n| max(0, 2 * dotProduct(join(n), join(w)) + 1)) }", false),
    ("(a: [[i32; M + 10]; N + 8]) -> [[i32; M]; N] { a >> slide2d(9, 1, 11, 1) >> map2(|n| join(n) >> reduce(add, 5)) }", false),
    ("(a: [[i64; M]; N]) -> [[i64; M]; N] { a >> pad2d(6, 6, 1, 1, wrap, clamp) >> slide2d(13, 1, 3, 1) >> map2(|n| join(n) >> reduce(min, 9)) }", false),
    ("(a: [[f64; M]; N]) -> [[f64; M]; N] { a >> pad2(4, 4, clamp) >> slide2(9, 1) >> map2(|n| join(n) >> reduce(add, 0)) }", false),
    ("(a: [[u8; M]; N]) -> [[u8; M]; N] { a >> pad2(5, 5, clamp) >> slide2(11, 1) >> map2(|n| join(n) >> reduce(max, 0)) }", false),
    ("(a: [[i16; M]; N]) -> [[i32; M]; N] {
        a >> pad2(4, 4, clamp) >> slide2(9, 1) >> map2(|n| join(n) >> map(|x| x as i32 * 3) >> reduce(add, 0)) }", false),
    ("(a: [[i32; M]; N], s: i32) -> [[i32; M]; N] {
        a >> map2(|x| x + s) >> pad2(4, 4, clamp) >> slide2(9, 1) >> map2(|n| join(n) >> map(|x| x * x) >> reduce(add, 0)) }", false),
    ("(a: [[i32; M]; N]) -> [[i32; M]; N] {
        let sums = a >> pad2(4, 4, clamp) >> slide2(9, 1) >> map2(|n| join(n) >> reduce(add, 0));
        sums >> pad2(5, 5, wrap) >> slide2(11, 1) >> map2(|n| join(n) >> reduce(max, 0)) }", false),
    ("(a: [[i32; M]; N]) -> [[i32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(add, 0))
          >> pad2(4, 4, clamp) >> slide2(9, 1) >> map2(|n| join(n) >> reduce(max, 0)) }", true),
    ("(a: [[i32; M]; N]) -> [[i32; M]; N] {
        iterate(2, |t| t >> pad2(4, 4, clamp) >> slide2(9, 1) >> map2(|n| (join(n) >> reduce(max, 0)) - 1), a) }", false),
];

/// Stencils of lines, of the rows of a matrix, of planes and of boxes, after the name and the sizes: how many
/// of these there are, which form it has, and how many stencils that changes.
const OTHER_DIMENSIONS: [(usize, &str, usize, &str); 22] = [
    (1, "windowVectors", 1, "(a: [f32; N]) -> [f32; N] { a >> pad(1, 1, clamp) >> slide(3, 1) >> map(|w| dotProduct(w, [0.25, 0.5, 0.25])) }"),
    (1, "windowVectors", 1, "(a: [i32; N], b: [i32; N]) -> [i32; N] {
        zip(a >> pad(2, 1, wrap) >> slide(4, 1), b) >> map(|(w, x)| x * (w >> reduce(max, 0))) }"),
    (1, "windowVectors", 1, "(a: [u8; N]) -> [i32; N] { a >> padConstant(3, 3, 1) >> slide(7, 1) >> map(|w| w >> map(|x| x as i32) >> reduce(add, 0)) }"),
    (1, "windowVectors", 1, "(a: [f64; N]) -> [f64; N] { a >> pad(0, 1, mirror) >> slide(2, 1) >> map(|w| at(1, w) - at(0, w)) >> map(|x| x * x) }"),
    (1, "windowVectors", 1, "(a: [i32; N]) -> [i32; N] {
        iterate(3, |t| t >> pad(1, 1, clamp) >> slide(3, 1) >> map(|w| at(0, w) - 2 * at(1, w) + at(2, w)), a) }"),
    (1, "windowVectors", 2, "(a: [i32; N]) -> [i32; N] {
        let sums = a >> pad(1, 1, clamp) >> slide(3, 1) >> map(reduce(add, 0));
        sums >> pad(1, 1, clamp) >> slide(3, 1) >> map(|w| at(0, w) - 2 * at(2, w)) }"),
    (1, "windowVectors", 1, "(a: [(i32, f32); N]) -> [f32; N] {
        a >> pad(1, 1, clamp) >> slide(3, 1) >> map(|w| w >> map(|(x, y)| x as f32 * y) >> reduce(add, 0)) }"),
    (1, "windowVectors", 1, "(a: [i32; N], b: [i32; N]) -> [i32; N] {
        let v = a >> map(|i => x| x * i as i32); zip(b >> pad(1, 1, clamp) >> slide(3, 1), v) >> map(|(w, x)| at(0, w) * x) }"),
    (2, "windowVectors", 1, "(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> map(|r| r >> pad(2, 2, clamp) >> slide(5, 1) >> map(|w| w >> reduce(add, 0))) }"),
    (2, "windowVectors", 1, "(a: [[i32; M]; N]) -> [[i32; M]; N] {
        a >> map(|i => r| r >> pad(1, 1, clamp) >> slide(3, 1) >> map(|w| at(0, w) + i as i32 * at(2, w))) }"),
    (3, "windowVectors", 1, "(a: [[[i32; M]; N]; L]) -> [[[i32; M]; N]; L] {
        a >> map2(|r| r >> pad(1, 1, wrap) >> slide(3, 1) >> map(|w| w >> reduce(min, 9))) }"),
    (3, "rollingRows", 1, "(a: [[[f32; M]; N]; L]) -> [[[f32; M]; N]; L] {
        a >> map(|p| p >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|w| join(w) >> reduce(add, 0))) }"),
    (3, "rollingRows", 1, "(a: [[[i32; M]; N]; L], b: [[i32; M]; N]) -> [[[i32; M]; N]; L] {
        a >> map(|k => p| zip2(p >> pad2(1, 1, clamp) >> slide2(3, 1), b) >> map2(|(w, x)| k as i32 * x + at(1, at(2, w)))) }"),
    (3, "rollingRows", 1, "(a: [[[f32; M]; N]; L]) -> [[[f32; M]; N]; L] {
        a >> pad3(1, 1, clamp) >> slide3(3, 1) >> map3(|w| at(1, at(1, at(0, w))) + at(1, at(0, at(1, w))) - at(0, at(1, at(1, w)))
            + at(2, at(1, at(1, w))) - at(1, at(2, at(1, w))) + at(1, at(1, at(2, w))) * 0.5) }"),
    (3, "rollingRows", 1, "(a: [[[i32; M]; N]; L]) -> [[[i32; M]; N]; L] {
        a >> padConstant3(1, 1, 3) >> slide3(3, 1) >> map3(|w| w >> join >> join >> reduce(max, 0)) }"),
    (3, "rollingRows", 1, "(a: [[[i32; M]; N]; L], b: [[[i32; M]; N]; L]) -> [[[i32; M]; N]; L] {
        zip3(b, a >> pad3(1, 0, wrap) >> slide3(2, 1)) >> map3(|(x, w)| x * at(0, at(1, at(1, w))) - at(1, at(1, at(0, w)))) >> map3(|x| x + 1) }"),
    (3, "rollingRows", 1, "(a: [[[f32; M]; N]; L], b: [[[f32; M]; N]; L]) -> [[[f32; M]; N]; L] {
        zip3(a >> pad3(1, 1, clamp) >> slide3(3, 1), b >> pad3(1, 1, mirror) >> slide3(3, 1))
          >> map3(|(v, w)| at(1, at(1, at(0, v))) - at(1, at(2, at(1, w)))) }"),
    (3, "rollingRows", 1, "(a: [[[i16; M]; N]; L]) -> [[[i16; M]; N]; L] {
        a >> pad3(2, 2, clamp) >> slide3(5, 1) >> map3(|w| at(2, at(2, at(0, w))) + at(2, at(0, at(2, w))) + at(4, at(2, at(2, w)))) }"),
    (3, "rollingRows", 1, "(a: [[[i32; M]; N]; L]) -> [[[i32; M]; N]; L] {
        iterate(2, |t| t >> pad3(1, 1, clamp) >> slide3(3, 1) >> map3(|w| at(0, at(1, at(1, w))) - at(1, at(0, at(2, w)))), a) }"),
    (3, "rollingRows", 2, "(a: [[[i32; M]; N]; L]) -> [[[i32; M]; N]; L] {
        let sums = a >> pad3(1, 1, clamp) >> slide3(3, 1) >> map3(|w| at(1, at(1, at(0, w))) + at(1, at(1, at(2, w))));
        sums >> pad3(1, 1, clamp) >> slide3(3, 1) >> map3(|w| at(1, at(0, at(1, w))) + at(1, at(2, at(1, w)))) }"),
    (3, "rollingRows", 2, "(a: [[[i32; M]; N]; L]) -> [[[i32; M]; N]; L] {
        let sums = a >> map(|p| p >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|w| join(w) >> reduce(add, 0)));
        sums >> pad3(1, 1, clamp) >> slide3(3, 1) >> map3(|w| at(1, at(0, at(1, w))) - at(1, at(2, at(1, w)))) }"),
    (3, "rollingRows", 1, "(a: [[[f64; M]; N]; L]) -> [[[f64; M]; N]; L] {
        a >> pad3(1, 1, clamp) >> slide3(3, 1) >> map3(|w| at(1, at(1, at(0, w))) + at(1, at(1, at(1, w)))) }"),
];

/// What has no such form: results that are reduced further, a number for each row, columns as rows, windows
/// that do not begin at every element, rows that begin between vectors, boxes whose planes lie in other
/// planes, elements that are arrays or computed outside of an `iterate`, results that are tuples, and
/// functions that do more than reduce large windows.
const OTHERS: [&str; 16] = [
    "(a: [[f32; M]; N]) -> f32 { a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(max, 0)) >> join >> reduce(add, 0) }",
    "(a: [[f32; M]; N], b: [f32; N]) -> [[f32; M]; N] {
        zip(a >> pad2(1, 1, clamp) >> slide2(3, 1), b) >> map(|(r, x)| r >> map(|n| x + (join(n) >> reduce(add, 0)))) }",
    "(a: [[i32; N]; M]) -> [[i32; M]; N] { a >> transpose >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(add, 0)) }",
    "(a: [[i32; N]; M]) -> [[i32; M]; N] {
        let turned = transpose(a); turned >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(add, 0)) }",
    "(a: [[i32; N]; M]) -> [[i32; M]; N] {
        ({ let turned = transpose(a); turned }) >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| at(0, at(1, n))) }",
    "(a: [[f32; N]; M]) -> [[f32; M]; N] {
        let twice = a >> transpose >> map2(|x| x * 2); twice >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| at(0, at(1, n)) + at(1, at(2, n))) }",
    "(a: [[f32; M + 1]; N]) -> [[f32; M]; N] {
        let twice = a >> map(|r| r >> map(|x| x * 2) >> slice(1, M)); twice >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| at(0, at(1, n))) }",
    "(a: [f32; M + 1], n: [f32; N]) -> [[f32; M]; N] {
        let row = a >> slice(1, M); repeat(len(n), row) >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| at(0, at(1, n)) + at(1, at(2, n))) }",
    "(a: [[i32; M]; N], b: [[i32; M]; N]) -> [[i32; M]; N] {
        let squares = a >> map2(|x| x * x);
        iterate(3, |t| zip2(t >> pad2(1, 1, clamp) >> slide2(3, 1), squares) >> map2(|(n, x)| x + at(1, at(2, n))), b) }",
    "(a: [[i32; M]; N], b: [[i32; M]; N]) -> [[i32; M]; N] {
        let sums = a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(add, 0));
        iterate(3, |t| zip2(t >> pad2(1, 1, clamp) >> slide2(3, 1), sums) >> map2(|(n, x)| x + at(1, at(2, n))), b) }",
    "(a: [[i32; M]; N]) -> [[(i32, i32); M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| (at(0, at(1, n)) - at(2, at(1, n)), join(n) >> reduce(max, 0))) }",
    "(a: [[f32; 2 * M]; 2 * N]) -> [[f32; M]; N] { a >> slide2(2, 2) >> map2(|n| join(n) >> reduce(max, 0)) }",
    "(a: [[f32; M + 2]; N + 2]) -> [[f32; M]; N] { a >> slide2(3, 1) >> map2(|n| at(0, at(0, n)) - at(2, at(2, n))) }",
    "(a: [[[f32; M]; N]; N]) -> [[[f32; M]; N]; N] {
        a >> transpose >> map(|p| p >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(add, 0))) }",
    "(a: [[[f32; 3]; M]; N]) -> [[[f32; 3]; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|w| join(w) >> transpose >> map(reduce(add, 0))) }",
    "(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(4, 4, clamp) >> slide2(9, 1) >> map2(|n| (join(n) >> reduce(add, 0)) - (join(n) >> reduce(max, 0))) }",
];

/// Rows and columns: those that strips of four and eight results, vectors of two and four, and tiles of 32
/// x 64 fill, one more and one less, prime numbers, and one. (Windows of nothing are refused.)
const SIZES: [[usize; 2]; 17] = [
    [7, 12],
    [33, 68],
    [9, 132],
    [32, 64],
    [64, 128],
    [40, 260],
    [5, 4],
    [12, 2],
    [31, 63],
    [8, 13],
    [9, 16],
    [65, 30],
    [5, 3],
    [131, 7],
    [1, 1],
    [2, 1],
    [1, 4],
];

/// The lengths of lines.
const LENGTHS: [usize; 9] = [12, 68, 256, 1, 2, 3, 4, 31, 1021];

/// Planes, rows and columns of boxes.
const BOXES: [[usize; 3]; 8] =
    [[3, 9, 20], [2, 4, 132], [5, 7, 8], [1, 1, 1], [2, 3, 4], [1, 5, 6], [7, 2, 33], [4, 33, 36]];

/// The sizes for the program with this number, which has `of_each` of them: all, or one of the first for a
/// simulator.
fn sizes_for(number: usize, of_each: usize, is_simulated: bool) -> Vec<Vec<usize>> {
    const SIMULATED: usize = 3;
    let all: Vec<Vec<usize>> = match of_each {
        1 => LENGTHS.iter().map(|length| vec![*length]).collect(),
        2 => SIZES.iter().map(|sizes| sizes.to_vec()).collect(),
        _ => BOXES.iter().map(|sizes| sizes.to_vec()).collect(),
    };
    match is_simulated {
        false => all,
        true => vec![all[number % SIMULATED].clone()],
    }
}

/// Whether the first form is possible where the program has these sizes.
fn is_possible(kernel: &Program, compiled: &Compiled, sizes: &[usize]) -> bool {
    let form = compiled.forms().next().expect("there is a form");
    let known = |variable: &Var| {
        let at = kernel.sizes.iter().position(|size| &size.variable == variable)?;
        sizes.get(at).map(|size| *size as i128)
    };
    form.guards.iter().all(|guard| guard.condition.evaluate(&known) == Some(true))
}

/// The width of the vectors of a program with small windows: 16 bytes, or half of that where more do not fit
/// registers.
fn width(text: &str) -> usize {
    let are_wide = ["i64", "f64", "(i32, f32)", "slide2(6", "slide2(7"];
    if are_wide.iter().any(|wide| text.contains(wide)) { 2 } else { 4 }
}

/// How many stencils a form has changed: each has vectors or rows of windows once.
fn changed(compiled: &Compiled) -> usize {
    const STEPS: [&str; 2] = ["vectoriseNeighbourhood", "slide2ByRows"];
    let form = compiled.forms().next().expect("there is a form");
    form.derivation.lines().filter(|step| STEPS.iter().any(|name| step.starts_with(name))).count()
}

/// The number of kernels in a text.
fn starts(source: &str) -> usize {
    source.lines().filter(|line| line.starts_with("kernel")).count()
}

/// A stencil, after the name and the sizes, and what is expected of it.
struct Stencil<'t> {
    /// The number of its sizes: `N`, `N` and `M`, or `L`, `N` and `M`.
    dimensions: usize,
    text: &'t str,
    forms: &'t [&'t str],
    /// The number of stencils that the first form changes.
    changed: usize,
    /// Every size of the list is tried if this is 1, every second one if it is 2.
    step: usize,
}

impl Stencil<'_> {
    /// Compares all forms with the reference evaluator, the one with this number.
    fn compare(&self, number: usize) -> Result<(), String> {
        let device = random::opencl_device();
        // Whole numbers from -2 to 2: sums of them are exact.
        let small = |position: usize| sample(position).rem_euclid(5.0).floor() - 2.0;
        let names = [&["N"][..], &["N", "M"], &["L", "N", "M"]][self.dimensions - 1];
        let sizes: Vec<String> = names.iter().map(|name| format!("const {name}: usize")).collect();
        let text = format!("fn f<{}>{}", sizes.join(", "), self.text);
        for kernel in kernels(&text)? {
            let compiled = lift_core::compile(&kernel).map_err(|errors| format!("{text}\n{errors:?}"))?;
            let forms: Vec<_> = compiled.forms().map(|form| form.name.as_str()).collect();
            assert_eq!(forms, self.forms, "{text}");
            assert_eq!(compiled.refused, [], "{text}");
            assert_eq!(changed(&compiled), self.changed, "{text}");
            // What is done besides is done in their kernels. An `iterate` may have one for each application.
            let kernels = compiled.forms().next().map_or(0, |form| starts(&form.source));
            assert!(kernels <= self.changed || text.contains("iterate"), "{text}");
            let sizes = sizes_for(number, self.dimensions, is_simulated(&device));
            let sizes: Vec<_> = sizes.into_iter().step_by(self.step).collect();
            if self.forms[0] != "windowTiles" {
                for sizes in &sizes {
                    let is_filled = sizes.last().is_some_and(|last| last % width(self.text) == 0);
                    assert_eq!(is_possible(&kernel, &compiled, sizes), is_filled, "{text}\nat {sizes:?}");
                }
            }
            let arguments = |kernel: &Program, sizes: &[usize]| arguments_of(small, kernel, sizes);
            compare_with(&kernel, &sizes, &arguments, &|_| 0.0, Target::opencl(&device))
                .map_err(|error| format!("{text}\n{error}"))?;
        }
        Ok(())
    }
}

#[test]
fn strips_of_windows_compute_the_same() -> Result<(), String> {
    let forms = &["rollingRows", "elements", "plain"];
    SMALL.iter().enumerate().try_for_each(|(number, text)| {
        let changed = text.matches("slide2").count();
        Stencil { dimensions: 2, text, forms, changed, step: 1 }.compare(number)
    })
}

#[test]
fn stencils_of_several_arrays_and_what_follows_compute_the_same() -> Result<(), String> {
    let forms = &["rollingRows", "elements", "plain"];
    FUSED.iter().enumerate().try_for_each(|(number, text)| {
        Stencil { dimensions: 2, text, forms, changed: 1, step: 2 }.compare(number)
    })
}

#[test]
fn stencils_of_lines_and_boxes_compute_the_same() -> Result<(), String> {
    OTHER_DIMENSIONS.iter().enumerate().try_for_each(|(number, (dimensions, form, changed, text))| {
        let (dimensions, changed) = (*dimensions, *changed);
        // A work-item that reduces a window of 27 elements has enough to do.
        let forms: &[&str] = match text.contains("join >> join") {
            true => &[form, "plain"],
            false => &[form, "elements", "plain"],
        };
        Stencil { dimensions, text, forms, changed, step: 1 }.compare(number)
    })
}

#[test]
fn tiles_of_windows_compute_the_same() -> Result<(), String> {
    LARGE.iter().enumerate().try_for_each(|(number, (text, are_small))| {
        let forms: &[&str] = match are_small {
            true => &["rollingRows", "windowTiles", "plain"],
            false => &["windowTiles", "plain"],
        };
        let changed = text.matches("slide2").count();
        Stencil { dimensions: 2, text, forms, changed, step: 2 }.compare(number)
    })
}

#[test]
fn other_stencils_have_none() -> Result<(), String> {
    for rest in OTHERS {
        let text = format!("fn f<const N: usize, const M: usize>{rest}");
        for kernel in kernels(&text)? {
            let compiled = lift_core::compile(&kernel).map_err(|errors| format!("{text}\n{errors:?}"))?;
            assert_eq!(compiled.refused, [], "{text}");
            let of_windows = |name: &str| ["rollingRows", "windowVectors", "windowTiles"].contains(&name);
            assert!(!compiled.forms().any(|form| of_windows(&form.name)), "{text}");
        }
    }
    Ok(())
}
