//! Columns that are reduced several times, and what is made of columns with the results, are what the
//! reference evaluator says, whatever columns are cut into.

use lift_core::ir::typed::Program;

use crate::common::is_simulated;
use crate::compare::arguments::arguments_of;
use crate::compare::compare_with;
use crate::kernels::kernels;
use crate::product_forms::small;
use crate::random::{self, Target};

/// Programs, after the name and the sizes, with the number of passes over their columns that reduce
/// something. Their numbers are whole.
const STATISTICS: [(&str, usize); 12] = [
    // One needs the other.
    (
        "(a: [[i32; M]; N]) -> [i32; M] {
        a >> transpose >> map(|c| { let s = reduce(add, 0, c); c >> map(|x| (x - s) * (x - s)) >> reduce(add, 0) }) }",
        2,
    ),
    (
        "(a: [[i64; M]; N]) -> ([i64; M], [i64; M]) {
        a >> transpose >> map(|c| { let s = reduce(add, 0, c); (s, c >> map(|x| x * x - s) >> reduce(add, 0)) }) >> unzip }",
        2,
    ),
    (
        "(a: [[f32; M]; N], w: [f32; N]) -> [f32; M] {
        a >> transpose >> map(|c| {
            let s = reduce(max, -9, c);
            let t = zip(c, w) >> map(|x, y| x * y - s) >> reduce(add, 1);
            c >> map(|x| min(x, t)) >> reduce(min, 9) }) }",
        3,
    ),
    // None needs the other.
    (
        "(a: [[f32; M]; N]) -> [(f32, f32); M] { a >> transpose >> map(|c| (reduce(min, 9, c), reduce(max, -9, c))) }",
        1,
    ),
    (
        "(a: [[u8; M]; N]) -> [u8; M] { a >> transpose >> map(|c| reduce(max, 0, c) - reduce(min, 255, c)) }",
        1,
    ),
    (
        "(a: [[i32; M]; N]) -> [i32; M] {
        a >> transpose >> map(|c| { let range = reduce(max, -9, c) - reduce(min, 9, c); range * reduce(add, 0, c) }) }",
        1,
    ),
    // A name before them.
    (
        "(a: [[i32; M]; N]) -> [i32; M] {
        a >> transpose >> map(|c| { let n = len(c) as i32; reduce(max, 0, c) + n * reduce(add, 0, c) }) }",
        1,
    ),
    // Beside something of each column, and of two matrices.
    (
        "(a: [[i32; M]; N], w: [i32; M]) -> [i32; M] {
        zip(a >> transpose, w) >> map(|c, v| { let s = reduce(add, v, c); c >> map(|x| x * s) >> reduce(max, 0) }) }",
        2,
    ),
    (
        "(a: [[i32; M]; N], b: [[i32; M]; N]) -> [i32; M] {
        zip(a >> transpose, b >> transpose) >> map(|c, d| dotProduct(c, d) * reduce(add, 0, c) + reduce(max, 0, d)) }",
        3,
    ),
    // Columns are written again.
    (
        "(a: [[i32; M]; N]) -> [[i32; M]; N] {
        a >> transpose >> map(|c| {
            let s = reduce(add, 0, c);
            let most = c >> map(|x| x * s) >> reduce(max, 0);
            c >> map(|x| most - x * s) }) >> transpose }",
        2,
    ),
    (
        "(a: [[f32; M]; N], w: [f32; M]) -> [[f32; M]; N] {
        zip(a >> transpose, w) >> map(|c, v| { let s = reduce(max, v, c); c >> map(|x| x - s + v) }) >> transpose }",
        1,
    ),
    (
        "(a: [[i32; M]; N]) -> [[i32; N]; M] {
        a >> transpose >> map(|c| { let s = reduce(add, 0, c); c >> map(|x| x - s) }) }",
        1,
    ),
];

/// Numbers of rows and of columns: pieces have at least 32 rows, and groups combine those of 16 columns.
const SIZES: [[usize; 2]; 10] =
    [[1, 1], [2, 3], [31, 17], [32, 16], [33, 15], [67, 5], [512, 2], [1031, 1], [3, 131], [0, 4]];

#[test]
fn pieces_of_columns_give_the_same_numbers() -> Result<(), String> {
    let device = random::opencl_device();
    for (number, (rest, passes)) in STATISTICS.iter().enumerate() {
        let text = format!("fn f<const N: usize, const M: usize>{rest}");
        for kernel in kernels(&text)? {
            let compiled = lift_core::compile(&kernel).map_err(|errors| format!("{text}\n{errors:?}"))?;
            assert_eq!(compiled.refused, [], "{text}");
            let form = compiled.forms().find(|form| form.name == "columns");
            let form = form.unwrap_or_else(|| panic!("there is no such form of\n{text}"));
            assert!(form.guards.is_empty(), "{text}");
            // Two kernels for each pass that work-items divide, and none that walks down a column.
            let writes_columns = kernel.body.ty.rank() > 1;
            let kernels = 2 * passes + usize::from(writes_columns);
            assert_eq!(form.kernels.len(), kernels, "{text}\n{}", form.source);
            let sizes: Vec<Vec<usize>> = match is_simulated(&device) {
                false => SIZES.iter().map(|sizes| sizes.to_vec()).collect(),
                true => vec![SIZES[number % 6].to_vec()],
            };
            let arguments = |kernel: &Program, sizes: &[usize]| arguments_of(small, kernel, sizes);
            compare_with(&kernel, &sizes, &arguments, &|_| 0.0, Target::opencl(&device))
                .map_err(|error| format!("{text}\n{error}"))?;
        }
    }
    Ok(())
}

/// No other test sees that neighbours write what lies apart.
#[test]
fn columns_that_are_written_again_are_written_as_rows() -> Result<(), String> {
    for (rest, _) in &STATISTICS[9..11] {
        let text = format!("fn f<const N: usize, const M: usize>{rest}");
        for kernel in kernels(&text)? {
            let compiled = lift_core::compile(&kernel).map_err(|errors| format!("{text}\n{errors:?}"))?;
            for form in compiled.forms() {
                let stores = "result[M * g_id1 + g_id0] = ";
                assert!(form.source.contains(stores), "{text}\n{}", form.source);
            }
        }
    }
    Ok(())
}
