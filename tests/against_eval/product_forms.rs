//! The tiles of products compute what the reference evaluator says, whatever they fit: sizes around those
//! of a tile, prime numbers, one and nothing.

use lift_core::compiled::{Compiled, DeviceClass, Form};
use lift_core::ir::nat::Var;
use lift_core::ir::typed::Program;

use crate::common::{is_simulated, sample};
use crate::compare::arguments::arguments_of;
use crate::compare::compare_with;
use crate::kernels::kernels;
use crate::random::{self, Target};

/// The parameters of a program with rows of one matrix and columns of another one.
pub(crate) const HEAD: &str = "const N: usize, const M: usize, const K: usize>";

/// Products of every kind, after the name and the first size: what the function returns and computes.
const PRODUCTS: [&str; 20] = [
    // A B, A B^T, A^T B, A^T B^T.
    "(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N] { a >> map(|r| b >> transpose >> map(|c| dotProduct(r, c))) }",
    "(a: [[f32; K]; N], b: [[f32; K]; M]) -> [[f32; M]; N] { a >> map(|r| b >> map(|c| dotProduct(c, r))) }",
    "(a: [[f32; N]; K], b: [[f32; M]; K]) -> [[f32; M]; N] {
        a >> transpose >> map(|r| b >> transpose >> map(|c| dotProduct(r, c))) }",
    "(a: [[f32; N]; K], b: [[f32; K]; M]) -> [[f32; M]; N] { a >> transpose >> map(|r| b >> map(|c| dotProduct(r, c))) }",
    // Columns outside.
    "(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; N]; M] { b >> transpose >> map(|c| a >> map(|r| dotProduct(r, c))) }",
    // Other types, and sums of a wider one.
    "(a: [[f64; K]; N], b: [[f64; M]; K]) -> [[f64; M]; N] { a >> map(|r| b >> transpose >> map(|c| dotProduct(r, c))) }",
    "(a: [[i64; K]; N], b: [[i64; M]; K]) -> [[i64; M]; N] { a >> map(|r| b >> transpose >> map(|c| dotProduct(r, c))) }",
    "(a: [[u8; K]; N], b: [[i16; M]; K]) -> [[i32; M]; N] {
        a >> map(|r| b >> transpose >> map(|c| zip(r, c) >> map(|(x, y)| x as i32 * y as i32) >> reduce(add, 7))) }",
    // What follows: a factor, a row and no negative numbers, a matrix.
    "(a: [[f32; K]; N], b: [[f32; M]; K], s: f32) -> [[f32; M]; N] {
        a >> map(|r| b >> transpose >> map(|c| s * dotProduct(r, c) + 1)) }",
    "(a: [[f32; K]; N], b: [[f32; M]; K], w: [f32; M]) -> [[f32; M]; N] {
        a >> map(|r| zip(b >> transpose, w) >> map(|(c, v)| max(0, dotProduct(r, c) + v))) }",
    "(a: [[f32; K]; N], b: [[f32; M]; K], d: [[f32; M]; N], s: f32, t: f32) -> [[f32; M]; N] {
        zip(a, d) >> map(|(r, line)| zip(b >> transpose, line) >> map(|(c, v)| s * dotProduct(r, c) + t * v)) }",
    // Functions of pairs that are not products, or not only.
    "(a: [[i32; K]; N], b: [[i32; K]; M]) -> [[i32; M]; N] {
        a >> map(|r| b >> map(|c| zip(r, c) >> map(|(x, y)| { let d = x - y; d * d }) >> reduce(add, 0))) }",
    "(a: [[i32; K]; N], b: [[i32; K]; M], w: [i32; K]) -> [[i32; M]; N] {
        a >> map(|r| b >> map(|c| zip(r, w, c) >> map(|(x, y, z)| x * y * z) >> reduce(add, 0))) }",
    "(a: [[i32; K]; N], b: [[i32; M]; K]) -> [[i32; M]; N] {
        a >> map(|r| b >> transpose >> map(|c| zip(r, c) >> reduce(|s, (x, y)| min(s, x + y), 1000))) }",
    "(a: [[u8; K]; N], b: [[u8; K]; M]) -> [[u32; M]; N] {
        a >> map(|r| b >> map(|c| zip(r, c) >> map(|(x, y)| if x == y { 1u32 } else { 0 }) >> reduce(add, 0))) }",
    "(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N] {
        a >> map(|r| b >> transpose >> map(|c| zip(r, c) >> reduce(|s, (x, y)| s + x * y, 3))) }",
    // What is computed where it is read.
    "(a: [[i32; K]; N], b: [[i32; M]; K]) -> [[i32; M]; N] {
        a >> map(map(|x| x * x)) >> map(|r| b >> transpose >> map(|c| c >> map(|y| y + y)) >> map(|c| dotProduct(r, c))) }",
    "(a: [[i32; K]; N], b: [[i32; M]; K]) -> [[i32; M]; N] {
        a >> reverse >> map(|r| b >> transpose >> reverse >> map(|c| dotProduct(r, c))) }",
    // A matrix with itself, and several products.
    "(a: [[f32; K]; N], b: [f32; M]) -> [[f32; N]; N] { a >> map(|x| a >> map(|y| dotProduct(x, y))) }",
    "(a: [[[i32; K]; N]; 2], b: [[[i32; M]; K]; 2]) -> [[[i32; M]; N]; 2] {
        zip(a, b) >> map(|(x, y)| x >> map(|r| y >> transpose >> map(|c| dotProduct(r, c)))) }",
];

/// Rows, columns and elements: one, prime numbers, those around tiles of 64 x 64 x 16, and nothing.
const SIZES: [[usize; 3]; 14] = [
    [2, 3, 5],
    [65, 66, 5],
    [1, 65, 16],
    [3, 2, 48],
    [67, 1, 33],
    [1, 1, 1],
    [2, 3, 0],
    [63, 64, 17],
    [64, 64, 16],
    [65, 63, 15],
    [67, 131, 7],
    [64, 128, 48],
    [0, 3, 2],
    [3, 0, 2],
];

/// The same with reductions of several pieces. The last piece is full, has one element, or ends within a step.
const LONG_SIZES: [[usize; 3]; 4] = [[2, 3, 512], [65, 66, 257], [3, 2, 1031], [17, 1, 777]];

/// A simulator takes long for more multiplications.
const MOST_SIMULATED: usize = 30_000;

/// Whole numbers from -2 to 2, whose sums are exact in any order.
pub(crate) fn small(position: usize) -> f32 {
    sample(position).rem_euclid(5.0).floor() - 2.0
}

/// The sizes for the program with this number: all, or one of the small ones for a simulator.
pub(crate) fn sizes_for(number: usize, is_simulated: bool) -> Vec<Vec<usize>> {
    let is_quick = |sizes: &&[usize; 3]| sizes.iter().product::<usize>() <= MOST_SIMULATED;
    let is_full = |sizes: &&[usize; 3]| !sizes.contains(&0);
    match is_simulated {
        false => SIZES.iter().map(|sizes| sizes.to_vec()).collect(),
        true => {
            let quick: Vec<&[usize; 3]> = SIZES.iter().filter(is_full).filter(is_quick).collect();
            vec![quick[number % quick.len()].to_vec()]
        }
    }
}

/// Whether a form is for sizes, fast or not.
pub(crate) fn is_for(form: &Form, kernel: &Program, sizes: &[usize]) -> bool {
    let known = |variable: &Var| {
        let at = kernel.sizes.iter().position(|size| &size.variable == variable)?;
        sizes.get(at).map(|size| *size as i128)
    };
    form.guards.iter().all(|guard| guard.condition.evaluate(&known) == Some(true))
}

/// Fails unless a program has the form, and the form is for sizes: for all that are not empty, or for those
/// with multiples of 16 elements, if the function makes of zeros no identity of the operator.
fn assert_is_made(text: &str, kernel: &Program, compiled: &Compiled, sizes: &[Vec<usize>]) {
    let form = |name: &str| compiled.forms().find(|form| form.name == name);
    let takes_zeros = !text.contains("min(") && !text.contains("x == y");
    // Several products at once have groups enough.
    let is_cut = takes_zeros && !text.contains("; 2]");
    assert_eq!(form("longProductTiles").is_some(), is_cut, "{text}");
    let form = form("productTiles").unwrap_or_else(|| panic!("there is no such form of\n{text}"));
    assert_eq!(compiled.refused, [], "{text}");
    // What follows a reduction is done with the accumulators, whatever order the arrays of a `zip` have.
    assert_eq!((form.kernels.len(), form.temporaries.len()), (1, 0), "{text}\n{}", form.source);
    assert!(
        !form.source.contains("4)(own_0, own_1"),
        "vectors of columns are put together:\n{}",
        form.source
    );
    for sizes in sizes {
        let holds = is_for(form, kernel, sizes);
        let [rows, columns, elements] = sizes[..] else { panic!("three sizes") };
        // A matrix with itself has no columns of its own.
        let is_empty = rows == 0 || columns == 0 && !text.contains("a >> map(|y|");
        assert_eq!(holds, !is_empty && (takes_zeros || elements % 16 == 0), "{text}\nat {sizes:?}");
    }
}

#[test]
fn tiles_of_products_compute_the_same() -> Result<(), String> {
    let device = random::opencl_device();
    for (number, rest) in PRODUCTS.iter().enumerate() {
        let text = format!("fn f<{HEAD}{rest}");
        for kernel in kernels(&text)? {
            let compiled = lift_core::compile(&kernel).map_err(|errors| format!("{text}\n{errors:?}"))?;
            let mut sizes = sizes_for(number, is_simulated(&device));
            if !is_simulated(&device) {
                sizes.extend(LONG_SIZES.iter().map(|sizes| sizes.to_vec()));
            } else if number % 4 == 0 {
                sizes.push(LONG_SIZES[number % LONG_SIZES.len()].to_vec());
            }
            assert_is_made(&text, &kernel, &compiled, &sizes);
            let arguments = |kernel: &Program, sizes: &[usize]| arguments_of(small, kernel, sizes);
            compare_with(&kernel, &sizes, &arguments, &|_| 0.0, Target::opencl(&device))
                .map_err(|error| format!("{text}\n{error}"))?;
        }
    }
    Ok(())
}

/// What is filled up is multiplied by nothing that is infinite, and no result of others sees it.
#[test]
fn infinite_elements_stay_in_their_rows_and_columns() -> Result<(), String> {
    let device = random::opencl_device();
    let with_infinities = |position: usize| if position % 97 == 5 { f32::INFINITY } else { small(position) };
    for (number, rest) in PRODUCTS.iter().take(4).enumerate() {
        let text = format!("fn f<{HEAD}{rest}");
        for kernel in kernels(&text)? {
            let arguments = |kernel: &Program, sizes: &[usize]| arguments_of(with_infinities, kernel, sizes);
            let sizes = sizes_for(number, is_simulated(&device));
            compare_with(&kernel, &sizes, &arguments, &|_| 0.0, Target::opencl(&device))
                .map_err(|error| format!("{text}\n{error}"))?;
        }
    }
    Ok(())
}

#[test]
fn processors_take_tiles_unless_columns_are_small_and_constant() -> Result<(), String> {
    let devices = |sizes: &str| -> Result<Vec<(String, DeviceClass)>, String> {
        let text = format!("fn f<{HEAD}{sizes} {{ a >> map(|r| b >> map(|c| dotProduct(r, c))) }}");
        let kernel = kernels(&text)?.remove(0);
        let compiled = lift_core::compile(&kernel).map_err(|errors| format!("{text}\n{errors:?}"))?;
        let tiles =
            compiled.forms().filter(|form| ["productTiles", "vectorProductTiles"].contains(&&*form.name));
        Ok(tiles.map(|form| (form.name.clone(), form.devices)).collect())
    };
    let of_processors = [
        ("productTiles".to_owned(), DeviceClass::Any),
        ("vectorProductTiles".to_owned(), DeviceClass::Processor),
    ];
    assert_eq!(devices("(a: [[f32; K]; N], b: [[f32; K]; M], s: f32) -> [[f32; M]; N]")?, of_processors);
    assert_eq!(
        devices("(a: [[f32; 256]; N], b: [[f32; 256]; 256], c: [f32; M], d: [f32; K]) -> [[f32; 256]; N]")?,
        of_processors
    );
    let others = [("productTiles".to_owned(), DeviceClass::Accelerator)];
    assert_eq!(
        devices("(a: [[f32; 64]; N], b: [[f32; 64]; 128], c: [f32; M], d: [f32; K]) -> [[f32; 128]; N]")?,
        others
    );
    Ok(())
}
