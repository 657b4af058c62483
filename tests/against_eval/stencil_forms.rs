//! Strips of rows that roll through registers compute what the reference evaluator says: windows of all shapes,
//! borders, types and functions, at sizes that strips and vectors fill, and that they do not.

use lift_core::compiled::Compiled;
use lift_core::ir::nat::Var;
use lift_core::ir::typed::Program;

use crate::common::{is_simulated, sample};
use crate::compare::arguments::arguments_of;
use crate::compare::compare_with;
use crate::kernels::kernels;
use crate::random::{self, Target};

/// Stencils, after the name and the sizes.
const STENCILS: [&str; 26] = [
    // Borders of all kinds, and none.
    "(a: [[f32; M]; N]) -> [[f32; M]; N] { a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| (n >> join >> reduce(add, 0)) * 0.5) }",
    "(a: [[f32; M]; N], w: [[f32; 5]; 5]) -> [[f32; M]; N] {
        a >> pad2(2, 2, mirror) >> slide2(5, 1) >> map2(|n| dotProduct(join(n), join(w))) }",
    "(a: [[i32; M]; N]) -> [[i32; M]; N] { a >> pad2(1, 1, wrap) >> slide2(3, 1) >> map2(|n| {
        let alive = (join(n) >> reduce(add, 0)) - at(1, at(1, n));
        if alive == 3 || (alive == 2 && at(1, at(1, n)) == 1) { 1 } else { 0 } }) }",
    "(a: [[i32; M]; N]) -> [[i32; M]; N] { a >> padConstant2(1, 1, 7) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(min, 100)) }",
    "(a: [[f32; M + 2]; N + 2]) -> [[f32; M]; N] { a >> slide2(3, 1) >> map2(|n| at(0, at(0, n)) - at(2, at(2, n))) }",
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
        sqrt(across * across + down * down) }) }",
    "(a: [[f32; M]; N]) -> [[f32; M]; N] { a >> map2(|x| x + x) >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(add, 0)) }",
    "(a: [[i32; N]; M]) -> [[i32; M]; N] { a >> transpose >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(add, 0)) }",
    // Stencils of stencils, in other windows and behind names; again and again.
    "(a: [[i32; M]; N]) -> [[i32; M]; N] {
        a >> pad2d(0, 0, 2, 2, clamp, clamp) >> slide2d(1, 1, 5, 1) >> map2(|n| join(n) >> reduce(add, 0))
          >> pad2d(2, 2, 0, 0, clamp, clamp) >> slide2d(5, 1, 1, 1) >> map2(|n| join(n) >> reduce(max, 0)) }",
    "(a: [[i32; M]; N]) -> [[i32; M]; N] {
        let sums = a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(add, 0));
        let largest = sums >> pad2(1, 1, wrap) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(max, 0));
        largest >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| at(0, at(1, n)) - at(2, at(1, n))) }",
    "(a: [[i32; M]; N]) -> [[i32; M]; N] {
        iterate(3, |t| t >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| (join(n) >> reduce(add, 0)) / 4), a) }",
    "(a: [[i32; M]; N], b: [[i32; M]; N]) -> [[i32; M]; N] {
        let sums = a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(add, 0));
        sums >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| (join(n) >> reduce(max, 0)) + at(0, at(0, b))) }",
    "(a: [[i32; M]; N]) -> [[i32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| n >> map(reduce(add, 0)) >> reduce(max, 0)) }",
];

/// What has no such form: results that are computed further, several arrays, windows that are too large or do
/// not begin at every element, functions that are not there for vectors.
const OTHERS: [&str; 6] = [
    "(a: [[f32; M]; N]) -> [[f32; M]; N] { a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(add, 0)) >> map2(|x| sqrt(x)) }",
    "(a: [[f32; M]; N]) -> f32 { a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(max, 0)) >> join >> reduce(add, 0) }",
    "(a: [[f32; M]; N], b: [[f32; M]; N]) -> [[f32; M]; N] {
        zip2(a >> pad2(1, 1, clamp) >> slide2(3, 1), b) >> map2(|(n, x)| x + (join(n) >> reduce(add, 0))) }",
    "(a: [[f32; M]; N]) -> [[f32; M]; N] { a >> pad2(4, 4, clamp) >> slide2(9, 1) >> map2(|n| join(n) >> reduce(add, 0)) }",
    "(a: [[f32; 2 * M]; 2 * N]) -> [[f32; M]; N] { a >> slide2(2, 2) >> map2(|n| join(n) >> reduce(max, 0)) }",
    "(a: [[[f32; M]; N]; 3]) -> [[[f32; M]; N]; 3] {
        a >> map(|p| p >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| join(n) >> reduce(add, 0))) }",
];

/// Rows and columns: those that strips of four and eight results and vectors of two and four fill, one more and
/// one less, prime numbers, and one. (Windows of nothing are refused.)
const SIZES: [[usize; 2]; 15] = [
    [8, 12],
    [16, 4],
    [24, 8],
    [8, 132],
    [40, 260],
    [4, 4],
    [12, 2],
    [7, 12],
    [8, 13],
    [9, 16],
    [5, 3],
    [131, 7],
    [1, 1],
    [2, 1],
    [1, 4],
];

/// The sizes for the program with this number: all, or one of those that strips fill for a simulator.
fn sizes_for(number: usize, is_simulated: bool) -> Vec<Vec<usize>> {
    const FILLED: usize = 3;
    match is_simulated {
        false => SIZES.iter().map(|sizes| sizes.to_vec()).collect(),
        true => vec![SIZES[number % FILLED].to_vec()],
    }
}

fn form_at(kernel: &Program, compiled: &Compiled, sizes: &[usize]) -> bool {
    let form = compiled.forms().find(|form| form.name == "rollingRows").expect("there is such a form");
    let known = |variable: &Var| {
        let at = kernel.sizes.iter().position(|size| &size.variable == variable)?;
        sizes.get(at).map(|size| *size as i128)
    };
    form.guards.iter().all(|guard| guard.condition.evaluate(&known) == Some(true))
}

#[test]
fn strips_of_windows_compute_the_same() -> Result<(), String> {
    let device = random::opencl_device();
    // Whole numbers from -2 to 2: sums of them are exact.
    let small = |position: usize| sample(position).rem_euclid(5.0).floor() - 2.0;
    for (number, rest) in STENCILS.iter().enumerate() {
        let text = format!("fn f<const N: usize, const M: usize>{rest}");
        for kernel in kernels(&text)? {
            let compiled = lift_core::compile(&kernel).map_err(|errors| format!("{text}\n{errors:?}"))?;
            let names: Vec<&str> = compiled.forms().map(|form| form.name.as_str()).collect();
            assert_eq!(names, ["rollingRows", "elements", "plain"], "{text}");
            assert_eq!(compiled.refused, [], "{text}");
            let sizes = sizes_for(number, is_simulated(&device));
            for sizes in &sizes {
                let (rows, columns) = (sizes[0], sizes[1]);
                let are_filled = rows % 8 == 0 && columns % 4 == 0;
                assert!(!are_filled || form_at(&kernel, &compiled, sizes), "{text}\nat {sizes:?}");
                let are_ragged = rows % 4 != 0 || columns % 2 != 0;
                assert!(!are_ragged || !form_at(&kernel, &compiled, sizes), "{text}\nat {sizes:?}");
            }
            let arguments = |kernel: &Program, sizes: &[usize]| arguments_of(small, kernel, sizes);
            compare_with(&kernel, &sizes, &arguments, &|_| 0.0, Target::opencl(&device))
                .map_err(|error| format!("{text}\n{error}"))?;
        }
    }
    Ok(())
}

#[test]
fn other_stencils_have_no_strips() -> Result<(), String> {
    for rest in OTHERS {
        let text = format!("fn f<const N: usize, const M: usize>{rest}");
        for kernel in kernels(&text)? {
            let compiled = lift_core::compile(&kernel).map_err(|errors| format!("{text}\n{errors:?}"))?;
            assert!(compiled.forms().all(|form| form.name != "rollingRows"), "{text}");
        }
    }
    Ok(())
}
