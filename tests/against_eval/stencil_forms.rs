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
const SMALL: [&str; 26] = [
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
    "(a: [[i32; M]; N]) -> [[(i32, i32); M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| (at(0, at(1, n)) - at(2, at(1, n)), join(n) >> reduce(max, 0))) }",
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
    "(a: [[i32; M]; N], b: [[i32; M]; N]) -> [[(i32, i32); M]; N] {
        zip2(a >> pad2(1, 1, clamp) >> slide2(3, 1), b) >> map2(|t| (at(0, at(0, t.0)), t.1)) }",
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

/// What has no such form: results that are reduced further, a number for each row, columns as rows, windows that
/// do not begin at every element, rows that begin between vectors, planes of a box, and functions that do
/// more than reduce large windows.
const OTHERS: [&str; 8] = [
    "(a: [[f32; M]; N]) -> f32 { a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(max, 0)) >> join >> reduce(add, 0) }",
    "(a: [[f32; M]; N], b: [f32; N]) -> [[f32; M]; N] {
        zip(a >> pad2(1, 1, clamp) >> slide2(3, 1), b) >> map(|(r, x)| r >> map(|n| x + (join(n) >> reduce(add, 0)))) }",
    "(a: [[i32; N]; M]) -> [[i32; M]; N] { a >> transpose >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(add, 0)) }",
    "(a: [[i32; N]; M]) -> [[i32; M]; N] {
        let turned = transpose(a); turned >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(add, 0)) }",
    "(a: [[f32; 2 * M]; 2 * N]) -> [[f32; M]; N] { a >> slide2(2, 2) >> map2(|n| join(n) >> reduce(max, 0)) }",
    "(a: [[f32; M + 2]; N + 2]) -> [[f32; M]; N] { a >> slide2(3, 1) >> map2(|n| at(0, at(0, n)) - at(2, at(2, n))) }",
    "(a: [[[f32; M]; N]; 3]) -> [[[f32; M]; N]; 3] {
        a >> map(|p| p >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(add, 0))) }",
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

/// The sizes for the program with this number: all, or one of the first for a simulator.
fn sizes_for(number: usize, is_simulated: bool) -> Vec<Vec<usize>> {
    const SIMULATED: usize = 3;
    match is_simulated {
        false => SIZES.iter().map(|sizes| sizes.to_vec()).collect(),
        true => vec![SIZES[number % SIMULATED].to_vec()],
    }
}

/// Whether rows roll through registers where the program has these sizes.
fn rows_roll(kernel: &Program, compiled: &Compiled, sizes: &[usize]) -> bool {
    let form = compiled.forms().find(|form| form.name == "rollingRows").expect("there is such a form");
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

/// How many stencils a form has changed: each is cut along columns or into tiles once.
fn changed(compiled: &Compiled) -> usize {
    let form = compiled.forms().next().expect("there is a form");
    let steps = form.derivation.lines();
    steps.filter(|step| ["slide2ByColumns", "slide2ByRows"].iter().any(|name| step.starts_with(name))).count()
}

/// Compares all forms of a program, which have to be these, with the reference evaluator. The first has to
/// have changed so many stencils.
fn compared(rest: &str, number: usize, names: &[&str], stencils: usize, step: usize) -> Result<(), String> {
    let device = random::opencl_device();
    // Whole numbers from -2 to 2: sums of them are exact.
    let small = |position: usize| sample(position).rem_euclid(5.0).floor() - 2.0;
    let text = format!("fn f<const N: usize, const M: usize>{rest}");
    for kernel in kernels(&text)? {
        let compiled = lift_core::compile(&kernel).map_err(|errors| format!("{text}\n{errors:?}"))?;
        assert_eq!(compiled.forms().map(|form| form.name.as_str()).collect::<Vec<_>>(), names, "{text}");
        assert_eq!(compiled.refused, [], "{text}");
        assert_eq!(changed(&compiled), stencils, "{text}");
        let sizes: Vec<_> = sizes_for(number, is_simulated(&device)).into_iter().step_by(step).collect();
        if names.contains(&"rollingRows") {
            for sizes in &sizes {
                let is_filled = sizes[1] % width(rest) == 0;
                assert_eq!(rows_roll(&kernel, &compiled, sizes), is_filled, "{text}\nat {sizes:?}");
            }
        }
        let arguments = |kernel: &Program, sizes: &[usize]| arguments_of(small, kernel, sizes);
        compare_with(&kernel, &sizes, &arguments, &|_| 0.0, Target::opencl(&device))
            .map_err(|error| format!("{text}\n{error}"))?;
    }
    Ok(())
}

#[test]
fn strips_of_windows_compute_the_same() -> Result<(), String> {
    let forms = ["rollingRows", "elements", "plain"];
    SMALL
        .iter()
        .enumerate()
        .try_for_each(|(number, rest)| compared(rest, number, &forms, rest.matches("slide2").count(), 1))
}

#[test]
fn stencils_of_several_arrays_and_what_follows_compute_the_same() -> Result<(), String> {
    let forms = ["rollingRows", "elements", "plain"];
    FUSED.iter().enumerate().try_for_each(|(number, rest)| compared(rest, number, &forms, 1, 2))
}

#[test]
fn tiles_of_windows_compute_the_same() -> Result<(), String> {
    LARGE.iter().enumerate().try_for_each(|(number, (rest, are_small))| {
        let forms: &[&str] = match are_small {
            true => &["rollingRows", "windowTiles", "plain"],
            false => &["windowTiles", "plain"],
        };
        compared(rest, number, forms, rest.matches("slide2").count(), 2)
    })
}

#[test]
fn other_stencils_have_neither() -> Result<(), String> {
    for rest in OTHERS {
        let text = format!("fn f<const N: usize, const M: usize>{rest}");
        for kernel in kernels(&text)? {
            let compiled = lift_core::compile(&kernel).map_err(|errors| format!("{text}\n{errors:?}"))?;
            assert_eq!(compiled.refused, [], "{text}");
            let of_windows = |name: &str| ["rollingRows", "windowTiles"].contains(&name);
            assert!(!compiled.forms().any(|form| of_windows(&form.name)), "{text}");
        }
    }
    Ok(())
}
