//! Every form of a program computes what the reference evaluator says, at sizes around those that tiles have.

use std::collections::BTreeSet;

use lift::Device;
use lift_core::eval::Argument;
use lift_core::ir::nat::Var;
use lift_core::ir::typed::Program;
use lift_core::work::of_program;

use crate::common::{is_simulated, sample};
use crate::compare::arguments::arguments_of;
use crate::compare::{compare, compare_with};
use crate::kernels::kernels;
use crate::random::{self, Target};

/// Programs, with the names of their forms.
const PROGRAMS: [(&str, &[&str]); 14] = [
    ("fn sums<const N: usize>(a: [i32; N]) -> [i32; N] { a >> scanInclusive(add) }", SCANS),
    ("fn before<const N: usize>(a: [f32; N]) -> [f32; N] { a >> scan(add, 3) >> map(|x| x + x) }", SCANS),
    ("fn largest<const N: usize>(a: [f32; N]) -> [f32; N] { a >> map(|x| 0 - x) >> scan(max, 0) }", SCANS),
    ("#[assoc] fn last(before: i32, x: i32) -> i32 { if x == 0 { before } else { x } }
      fn filled<const N: usize>(a: [i32; N]) -> ([i32; N], [i32; N]) { (a >> scan(last, 0), a >> scanInclusive(last)) }", SCANS),
    ("fn shares<const N: usize>(a: [i32; N]) -> [i32; N] { let s = reduce(add, 1, a); a >> scan(add, 0) >> map(|x| x + s) }", SCANS),
    ("fn total<const N: usize>(a: [i32; N]) -> i32 { a >> reduce(add, 7) }", PLAIN),
    ("fn squares<const N: usize>(a: [i32; N], b: [i32; N]) -> (i32, i32) {
        zip(a, b) >> reduce(|(s, m), (x, y)| { let d = x - y; (s + d * d + x, max(m, d)) }, (5, -9)) }", PLAIN),
    ("fn least<const N: usize>(a: [f32; N]) -> f32 { a >> reduce(min, 1000) }", PLAIN),
    ("fn in_order<const N: usize>(a: [i32; N]) -> [i32; N] { a >> scan(|before, x| x - before, 1) }", PLAIN),
    ("fn chosen<const N: usize>(a: [i32; N]) -> [i32; N] { a >> scanSeq(add, 0) }", PLAIN),
    ("fn scaled<const N: usize>(k: i32, x: [i32; N], y: [i32; N]) -> [i32; N] { zip(x, y) >> map(|(x, y)| k * x + y) }", ELEMENTS),
    ("fn smooth<const N: usize>(a: [f32; N]) -> [f32; N + 1] { a >> padConstant(2, 1, 0) >> slide(3, 1) >> map(reduce(add, 0)) }", ELEMENTS),
    ("fn two_results<const N: usize>(a: [i32; N], b: [i32; N], c: [i32; N]) -> ([i32; N], [i32; N]) {
        (zip(a, b) >> map(|(x, y)| x + y), zip(b, c) >> map(|(x, y)| x - y)) }", ELEMENTS),
    ("fn again<const N: usize>(a: [i32; N]) -> [i32; N] { iterate(3, |t| t >> gather(rotate(2)) >> map(|x| x + 1), a) }", ELEMENTS),
];

const SCANS: &[&str] = &["scansInOrder", "plain"];
const ELEMENTS: &[&str] = &["elements", "plain"];
const PLAIN: &[&str] = &["plain"];

/// The lengths that few elements have, those around 16 tiles of 256 and 4 of 1024, and a prime number.
const SIZES: [usize; 8] = [0, 1, 2, 3, 4095, 4096, 4097, 4099];

/// A simulator takes minutes for more elements than that, and for more rows where each has a group of
/// work-items. Races and accesses out of bounds show at fewer, too. A program is simulated
/// with every fourth of the other matrices, and the next programs with the rest.
const MOST_SIMULATED: usize = 4095;
const MOST_ROWS_SIMULATED: usize = 32;

fn is_for(device: &Device, sizes: &[usize]) -> bool {
    !is_simulated(device) || sizes.iter().product::<usize>() <= MOST_SIMULATED
}

/// Columns are cut into pieces of rows, so that only these need many of them.
fn is_for_matrix(device: &Device, forms: &[&str], sizes: &[usize]) -> bool {
    // Groups that read rows once have many work-items; those of a schedule have few, and take many rows.
    let has = |name| forms.iter().any(|form| form.to_lowercase().contains(name));
    let has_columns = has("columns") && !has("onepass");
    let has_few_rows = sizes.first().is_none_or(|rows| *rows <= MOST_ROWS_SIMULATED);
    is_for(device, sizes) && (!is_simulated(device) || has_columns || has_few_rows)
}

/// The evaluator takes minutes for many more operations of a program. Only one that computes the same rows for
/// each column, as its source says, has more at the largest sizes.
const MOST_OPERATIONS: i128 = 1 << 22;

fn is_soon_known(kernel: &Program, sizes: &[usize]) -> bool {
    let size = |wanted: &Var| {
        let mut named = kernel.sizes.iter().zip(sizes);
        named.find(|(own, _)| own.variable == *wanted).map(|(_, size)| *size as i128)
    };
    of_program(kernel).operations.evaluate(&size).is_none_or(|operations| operations <= MOST_OPERATIONS)
}

/// What sums in another order may change, of the largest result.
const TOLERANCE: f32 = 1e-5;

#[test]
fn all_forms_compute_the_same() -> Result<(), String> {
    let device = random::opencl_device();
    let sizes = SIZES.iter().map(|size| vec![*size]).filter(|sizes| is_for(&device, sizes));
    let sizes: Vec<Vec<usize>> = sizes.collect();
    for (text, forms) in PROGRAMS {
        for kernel in kernels(text)? {
            let compiled = lift_core::compile(&kernel).map_err(|errors| format!("{text}\n{errors:?}"))?;
            let found: Vec<&str> = compiled.forms().map(|form| &*form.name).collect();
            assert_eq!(found, forms, "{text}");
            assert_eq!(compiled.refused, []);
            compare(&kernel, &sizes, TOLERANCE, Target::opencl(&device))
                .map_err(|error| format!("{text}\n{error}"))?;
        }
    }
    Ok(())
}

/// Programs over matrices, with the names of their forms, refused ones among them. Nobody had the programs of
/// the second half in mind when the rules for choosing forms were made.
const OF_MATRICES: [(&str, &[&str]); 140] = [
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N], x: [i32; M]) -> [i32; N] { a >> map(|row| dotProduct(row, x)) }", ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; N] { a >> map(|row| 2 * reduce(max, 0, row) + 1) }", ROWS_OF_FLOATS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [i32; N] {
        a >> map(|row| { let s = reduce(add, 0, row); row >> map(|x| x * s) >> reduce(add, 1) }) }", KEPT_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [[i32; M]; N] {
        a >> map(|row| { let s = reduce(add, 0, row); let m = row >> map(|x| x - s) >> reduce(max, -100000); row >> map(|x| x * s - m) }) }", KEPT_ROWS),
    ("fn f<const N: usize>(a: [i => [i32; i + 1]; N]) -> [i32; N] { a >> map(|row| row >> reduce(add, 0)) }", ROWS_WITHOUT_VECTORS),
    ("fn f<const N: usize>(a: [i => [i32; i + 1]; N], z: i32) -> [i32; N] { a >> map(|row| row >> reduce(max, z)) }", ROWS_WITHOUT_VECTORS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N], x: [i32; M], y: [i32; N]) -> [i32; N] {
        zip(a >> map(|row| dotProduct(row, x)), y) >> map(|(d, v)| 2 * d + v) }", ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; N] {
        a >> map(|row| row >> reduce(min, 1000)) >> map(|x| x + 1) >> map(|x| x * x) }", ROWS_OF_FLOATS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [i32; M] { a >> transpose >> map(|c| reduce(add, 0, c)) }", COLUMNS),
    ("fn f<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; M] {
        let y = a >> map(|row| dotProduct(row, x)); a >> transpose >> map(|c| dotProduct(c, y)) }", ONE_PASS_OF_FLOATS),
    // Rows that are the same for all columns.
    ("fn f<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; M] {
        a >> transpose >> map(|c| dotProduct(c, a >> map(|row| dotProduct(row, x)))) }", BOTH_OF_FLOATS),
    ("fn f<const N: usize, const M: usize>(a: [[f64; M]; N], x: [f64; M]) -> [f64; M] {
        let y = a >> map(|row| dotProduct(row, x)); a >> transpose >> map(|c| dotProduct(c, y)) }", BOTH_OF_FLOATS),
    // Columns that are written as rows, with something that follows.
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N], w: [i32; N]) -> [i32; M] {
        zip(a, w) >> reduce(|s, (row, w)| zip(s, row) >> map(|(s, x)| s + w * x), repeat(M, 1)) >> map(|x| 3 * x) }", COLUMNS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N], t: i32) -> [(i32, i32); M] {
        a >> reduce(|s, row| zip(s, row) >> map(|((p, q), x)| (p + x, max(q, x))), repeat(M, (t, t * 2))) }", COLUMNS),
    // Rows that give something for columns, by way of a number for each row.
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N], x: [i32; M]) -> [i32; M] {
        let y = a >> map(|row| dotProduct(row, x));
        zip(a, y) >> reduce(|s, (row, v)| zip(s, row) >> map(|(p, q)| p + q * v), repeat(M, 0)) }", ONE_PASS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N], l: [i32; N], w: [i32; M]) -> [i32; M] {
        let e = zip(a, l) >> map(|(row, l)| dotProduct(row, w) - l); a >> transpose >> map(|c| 3 * dotProduct(c, e)) }", ONE_PASS),
    ("fn f<const N: usize>(a: [[u8; 601]; N]) -> [u32; 601] {
        let m = a >> map(reduce(max, 0));
        a >> transpose >> map(|c| zip(c, m) >> map(|(x, m)| if x == m { 1 } else { 0 }) >> reduce(add, 0)) }", ONE_PASS_OF_FEW),
    ("fn f<const N: usize, const M: usize>(a: [[f32; M]; N], b: [f32; M]) -> [f32; M] {
        let n = a >> map(|row| zip(row, b) >> map(|(x, y)| abs(x - y)) >> reduce(add, 1));
        a >> transpose >> map(|c| zip(c, n) >> map(|(x, n)| x * n) >> reduce(max, -1000)) }", ONE_PASS_OF_FLOATS),
    ("#[schedule(onePassInGroups(2, 8, 40))]
      fn f<const N: usize, const M: usize>(a: [[i32; M]; N], x: [i32; M]) -> [i32; M] {
        let y = a >> map(|row| dotProduct(row, x)); a >> transpose >> map(|c| dotProduct(c, y)) }", SCHEDULED),
    ("fn f<const N: usize, const M: usize>(a: [[f64; M]; N], x: [f64; M]) -> [f64; N] { a >> map(|row| dotProduct(row, x)) }", ROWS_OF_FLOATS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [[i32; N]; M] { a >> transpose }", TRANSPOSED),
    ("fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M + 1]; N + 1] {
        a >> padConstant2(2, 1, 0) >> slide2(3, 1) >> map2(|w| w >> join >> reduce(add, 0)) }", ELEMENTS),
    ("fn f<const N: usize, const M: usize>(a: [[[i32; 5]; M]; N]) -> [[[i32; 5]; M]; N] { a >> map(map(map(|x| x * 2))) }", ELEMENTS),
    ("fn f<const N: usize, const M: usize>(a: [[[i32; M]; 3]; N]) -> [[[i32; M]; 3]; N] { a >> map(reverse) }", ELEMENTS),
    // Products of a matrix with few and with many others.
    ("fn f<const N: usize, const M: usize>(a: [[f32; M]; N], x: [[f32; 2]; M]) -> [[f32; 2]; N] {
        a >> map(|row| x >> transpose >> map(|x| dotProduct(row, x))) }", NARROW_BLOCKS),
    ("fn f<const N: usize, const M: usize>(a: [[i64; M]; N], x: [[i64; M]; 2]) -> [[i64; 2]; N] {
        a >> map(|row| x >> map(|x| dotProduct(row, x))) }", NARROW_BLOCKS),
    ("fn f<const N: usize, const M: usize>(a: [[f32; M]; N], x: [[f32; 8]; M]) -> [[f32; 8]; N] {
        a >> map(|row| x >> transpose >> map(|x| dotProduct(row, x))) }", BLOCKS_AND_TILES),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N], x: [[i32; 4]; M]) -> [[i32; 4]; N] {
        a >> map(|row| x >> transpose >> map(|x| dotProduct(row, x))) }", SMALL_BLOCKS_AND_TILES),
    ("fn f<const N: usize, const M: usize>(a: [[f32; M]; N], x: [[f32; M]; 3]) -> [[f32; 3]; N] {
        a >> map(|row| x >> map(|x| dotProduct(row, x))) }", BLOCKS),
    ("fn f<const N: usize, const M: usize>(a: [[f64; M]; N], x: [[f64; 5]; M]) -> [[f64; 5]; N] {
        a >> map(|row| x >> transpose >> map(|x| dotProduct(row, x))) }", SMALL_BLOCKS_AND_TILES),
    ("fn f<const N: usize, const M: usize>(a: [[f32; M]; N], x: [[f32; 5]; M]) -> [[f32; 5]; N] {
        a >> map(|row| x >> transpose >> map(|x| dotProduct(row, x))) }", BLOCKS_AND_TILES),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N], b: [[i32; M]; N]) -> [[i32; N]; N] {
        a >> map(|x| b >> map(|y| zip(x, y) >> map(|(p, q)| (p - q) * (p - q)) >> reduce(add, 0))) }", SQUARE_TILES),
    ("fn f<const N: usize, const M: usize>(a: [[i64; M]; N], x: [[i64; M]; 7]) -> [[i64; 7]; N] {
        a >> map(|row| x >> map(|x| zip(row, x) >> reduce(|s, (p, q)| min(s, p + q), 1000000))) }", TILES_OF_WHOLE_PRODUCTS),
    ("fn f<const N: usize, const M: usize>(a: [[i64; M]; N], x: [[i64; M]; 9]) -> [[i64; 9]; N] {
        a >> map(|row| x >> map(|x| zip(row, x) >> reduce(|s, (p, q)| min(s, p + q), 1000000))) }", TILES_OF_WHOLE_PRODUCTS),
    ("fn f<const N: usize, const M: usize>(a: [[bool; M]; N], x: [[bool; M]; 4]) -> [[bool; 4]; N] {
        a >> map(|row| x >> map(|x| zip(row, x) >> map(|(p, q)| p && q) >> reduce(|s, x| s || x, false))) }", SMALL_BLOCKS_AND_TILES),
    ("fn f<const N: usize, const M: usize>(a: [[u8; M]; N], x: [[u8; M]; 2], y: [[u8; 2]; N]) -> [[u8; 2]; N] {
        zip(a, y) >> map(|(row, y)| zip(x, y) >> map(|(x, y)| 2 * dotProduct(row, x) + y)) }", LONG_PRODUCTS),
    ("fn f<const N: usize, const M: usize>(a: [[[f32; M]; N]; 2], x: [[[f32; M]; 3]; 2]) -> [[[f32; 3]; N]; 2] {
        zip(a, x) >> map(|(a, x)| a >> map(|row| x >> map(|x| dotProduct(row, x)))) }", SEVERAL_PRODUCTS),
    // Element types of all widths.
    ("fn f<const N: usize, const M: usize>(a: [[f64; M]; N]) -> [[f64; M]; N] {
        a >> map(|row| { let s = reduce(add, 1, row); row >> map(|x| x - s) }) }", KEPT_ROWS_OF_FLOATS),
    ("fn f<const N: usize, const M: usize>(a: [[u8; M]; N]) -> [u8; N] {
        a >> map(|row| { let m = reduce(max, 0, row); row >> map(|x| m - x) >> reduce(add, 0) }) }", KEPT_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[i64; M]; N], x: [i64; M]) -> [i64; N] { a >> map(|row| dotProduct(row, x)) }", ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[bool; M]; N]) -> [bool; N] { a >> map(|row| row >> reduce(|s, x| s || x, false)) }", ROWS),
    // Rows of planes, rows whose length a plane says, and lengths that are constants.
    ("fn f<const N: usize, const M: usize>(a: [[[i32; M]; 3]; N]) -> [[[i32; M]; 3]; N] {
        a >> map(map(|row| { let s = reduce(add, 0, row); row >> map(|x| x * s) })) }", KEPT_ROWS),
    ("fn f<const N: usize>(a: [i => [[i32; i + 1]; 4]; N]) -> [[i32; 4]; N] {
        a >> map(map(|row| { let s = reduce(add, 0, row); row >> map(|x| x * s) >> reduce(add, 0) })) }", KEPT_SHORT_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; 1024]; N], x: [i32; M]) -> [[i32; 1024]; N] {
        a >> map(|row| { let s = reduce(add, 0, row); row >> map(|x| x * s) }) }", KEPT_ROWS_OF_ONE_LENGTH),
    // Lengths that work-items and vectors do not divide, and others that are known.
    ("fn f<const N: usize, const M: usize>(a: [[i32; 100]; N], x: [i32; M]) -> [[i32; 100]; N] {
        a >> map(|row| { let s = reduce(add, 0, row); row >> map(|x| x * s) }) }", KEPT_SHORT_VECTORS_OF_ONE_LENGTH),
    ("fn f<const N: usize, const M: usize>(a: [[i32; 99]; N], x: [i32; M]) -> [[i32; 99]; N] {
        a >> map(|row| { let s = reduce(add, 0, row); row >> map(|x| x * s) }) }", KEPT_SHORT_ROWS_OF_ONE_LENGTH),
    ("fn f<const N: usize, const M: usize>(a: [[f32; 260]; N], x: [f32; M]) -> [[f32; 260]; N] {
        a >> map(|row| { let s = reduce(add, 0, row); row >> map(|x| x - s) }) }", KEPT_FLOATS_OF_ONE_LENGTH),
    ("fn f<const N: usize, const M: usize>(a: [[i32; 777]; N], x: [i32; M]) -> [i32; N] {
        a >> map(|row| { let s = reduce(add, 0, row); row >> map(|x| x * s) >> reduce(max, -9) }) }", KEPT_SCALARS_OF_ONE_LENGTH),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M + 1]; N]) -> [[i32; M + 1]; N] {
        a >> map(|row| { let s = reduce(add, 0, row); row >> map(|x| x * s) }) }", KEPT_ROWS),
    // Triangles, scalars of two sizes, tuples, and a border.
    ("fn f<const N: usize, const M: usize>(a: [i => [i32; i + 1]; N], x: [i32; M]) -> [i => [i32; i + 1]; N] {
        a >> map(|row| { let s = reduce(add, 0, row); row >> map(|x| x * s) }) }", KEPT_TRIANGLES),
    ("fn f<const N: usize, const M: usize>(a: [[f32; M]; N], b: [[i64; M]; N]) -> [[i64; M]; N] {
        zip(a, b) >> map(|(r, q)| { let s = reduce(add, 0, q); let t = reduce(max, -9, r);
            zip(r, q) >> map(|(x, y)| if x < t { y * s } else { y }) }) }", KEPT_PAIRS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [[i32; M + 4]; N] {
        a >> map(|row| { let m = reduce(max, -9, row); row >> padConstant(0, 4, m) >> map(|x| x - m) }) }", LOCAL_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[u8; M]; N]) -> [[u8; M]; N] {
        a >> map(|row| { let m = reduce(max, 0, row); row >> map(|x| if x == m { x } else { m - x }) }) }", KEPT_ROWS),
    // What is computed of a row is taken twice, too; and elements of others, which local memory shows.
    ("fn f<const N: usize, const M: usize>(a: [[f32; M]; N], g: [f32; M]) -> [[f32; M]; N] {
        a >> map(|row| { let m = row >> reduce(max, -9); let p = zip(row, g) >> map(|(x, y)| (x - m) * y);
            let s = p >> reduce(add, 0); zip(p, row) >> map(|(p, x)| p - x * s) }) }", KEPT_ROWS_OF_FLOATS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [[i32; M]; N] {
        a >> map(|row| { let s = reduce(add, 0, row); zip(row, reverse(row)) >> map(|(x, y)| s * x - y) }) }", LOCAL_ROWS),
    // Numbers that are made of several reductions, and rows of two matrices.
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [i32; N] {
        a >> map(|row| { let m = reduce(max, -9, row); let s = row >> map(|x| x * m) >> reduce(add, 0); 2 * s - m }) }", KEPT_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[i64; M]; N]) -> [(i64, i64); N] {
        a >> map(|row| { let m = reduce(max, -9, row); let s = row >> map(|x| x * m) >> reduce(add, 0); (s, m) }) }", KEPT_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N], b: [[i32; M]; N]) -> [i32; N] {
        zip(a, b) >> map(|(x, y)| { let p = x >> map(|v| v * v) >> reduce(add, 0); let q = y >> map(|v| v * v) >> reduce(add, 0);
            dotProduct(x, y) * (p - q) }) }", KEPT_ROWS_IN_REGISTERS),
    // What is not made of vectors.
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [i32; N] { a >> map(|row| row >> map(|x| if x > 2 { 1 } else { x }) >> reduce(add, 0)) }",
        ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [i32; N] { a >> map(|row| row >> scan(add, 0) >> reduce(max, 0)) }",
        NO_ROWS),
    ("fn row_wise_dot_products<const N: usize, const M: usize>(a: [[i32; M]; N], b: [[i32; M]; N]) -> [i32; N] {
        zip(a, b) >> map(|(x, y)| dotProduct(x, y)) }", ROWS),
    ("fn variances_of_columns<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; M] {
        a >> transpose >> map(|c| { let m = reduce(add, 0, c) / (len(c) as f32 + 1.0); c >> map(|x| (x - m) * (x - m)) >> reduce(add, 0) }) }",
        COLUMNS),
    ("fn divided_by_magnitude<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> map(|row| { let m = row >> map(|x| abs(x)) >> reduce(max, 1); row >> map(|x| x / m) }) }", KEPT_ROWS_OF_FLOATS),
    ("fn cumulative_products<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [[i32; M]; N] {
        a >> map(|row| row >> scanInclusive(mult)) }", ROW_SCANS),
    ("fn f<const N: usize, const M: usize>(a: [[u8; M]; N], w: [u8; N]) -> [[u8; M]; N] {
        zip(a, w) >> map(|(r, w)| r >> map(|x| x * w) >> scanInclusive(add) >> map(|x| x + w)) }", ROW_SCANS),
    ("fn f<const N: usize, const M: usize>(a: [[i64; M]; N]) -> [[i64; M]; N] {
        a >> map(|r| r >> scan(|s, x| max(s, x * x), 3)) }", ROW_SCANS),
    ("#[assoc] fn last(before: i32, x: i32) -> i32 { if x == 0 { before } else { x } }
      fn filled<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [[i32; M]; N] { a >> map(scan(last, 7)) }", ROW_SCANS),
    ("fn integral_image<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> map(scanInclusive(add)) >> transpose >> map(scanInclusive(add)) >> transpose }", ROW_SCANS),
    ("fn f<const N: usize, const M: usize>(a: [[f64; M]; N]) -> ([[f64; M]; N], [[f64; M]; N]) {
        (a >> map(scan(add, 1)), a >> map(scanInclusive(max))) }", ROW_SCANS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N], b: [[i32; M]; N]) -> [[i32; M]; N] {
        zip(a, b) >> map(|(r, s)| zip(r, s) >> map(|(x, y)| x * y) >> scan(add, 0)) }", ROW_SCANS),
    ("fn f<const N: usize, const M: usize>(a: [[[i32; M]; 3]; N]) -> [[[i32; M]; 3]; N] {
        a >> map(map(|r| r >> scanInclusive(add) >> map(|x| x - 1))) }", ROW_SCANS),
    // What a row is reduced to is taken before and after its scan, in stages and in a loop of the launcher.
    ("fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> map(|r| { let s = reduce(max, 1, r); r >> scanInclusive(add) >> map(|x| x - s) }) }", ROW_SCANS_OF_FLOATS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [[i32; M]; N] {
        a >> map(|r| { let m = reduce(max, 0, r); let s = reduce(add, 0, r);
            r >> map(|x| x * m) >> scan(add, 1) >> map(|x| x - s) }) }", ROW_SCANS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N], w: [i32; N]) -> [i32; N] {
        zip(a, w) >> map(|(r, w)| { let s = reduce(add, w, r); r >> map(|x| x - s) >> scanInclusive(min) }) >> map(reduce(max, -1000000)) }",
        ROW_SCANS),
    ("fn f<const N: usize, const M: usize>(a: [[i64; M]; N]) -> [[i64; M]; N] {
        a >> map(|r| { let m = reduce(max, 0, r); let e = r >> map(|x| (x - m) * x); let s = reduce(add, 0, e);
            e >> map(|x| 2 * x - s) >> scanInclusive(add) }) }", ROW_SCANS),
    ("fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> map(|r| { let m = reduce(max, 0, r); let e = r >> map(|x| exp(x - m)); let s = reduce(add, 0, e);
            e >> map(|x| x / s) >> scanInclusive(add) }) }", ROW_SCANS_AND_ELEMENTS),
    ("fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        iterate(3, |t| t >> map(|r| { let s = reduce(max, 1, r); r >> map(|x| x - s) >> scan(max, -3) }), a) }", ROW_SCANS_OF_FLOATS),
    ("fn f<const N: usize, const M: usize>(a: [[[i32; M]; 3]; N]) -> [[[i32; M]; 3]; N] {
        a >> map(map(|r| { let s = reduce(max, 1, r); r >> scanInclusive(add) >> map(|x| x * s) })) }", ROW_SCANS),
    // A scan has a name, because it is reduced, chosen from, or taken several times.
    ("fn f<const N: usize, const M: usize>(a: [[f32; M + 1]; N]) -> [[f32; M + 1]; N] {
        a >> map(|r| { let c = r >> scanInclusive(add); let t = at(M, c); c >> map(|x| x - t) }) }", ROW_SCANS_THEN_ELEMENTS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [[i32; M]; N] {
        a >> map(|r| { let c = r >> scan(add, 3); let t = reduce(max, 0, c); zip(c, r) >> map(|x, y| x * t - y) }) }",
        ROW_SCANS_THEN_ELEMENTS),
    ("fn f<const N: usize, const M: usize>(a: [[i64; M]; N], w: [i64; N]) -> [[i64; M]; N] {
        zip(a, w) >> map(|(r, w)| { let s = reduce(add, w, r); let c = r >> map(|x| x - s) >> scan(add, w);
            zip(c, reverse(c)) >> map(|x, y| x * 2 - y) }) }", ROW_SCANS_THEN_ELEMENTS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [[i32; M]; N] {
        a >> map(|r| { let c = r >> scan(add, 0); let t = reduce(max, 0, c); c >> map(|x| x - t) >> scanInclusive(max) }) }", ROW_SCANS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [i32; N] {
        a >> map(|r| { let c = r >> scan(add, 0); let t = reduce(max, 0, c); zip(c, r) >> map(|x, y| x - t * y) >> reduce(add, 0) }) }",
        ROW_SCANS),
    ("fn entropy<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; N] {
        a >> map(|row| 0 - (row >> map(|p| (abs(p) + 1) * log(abs(p) + 1)) >> reduce(add, 0))) }", ROWS_OF_FLOATS),
    ("fn polynomials<const N: usize, const M: usize>(a: [[i32; M]; N], c: [i32; 5]) -> [[i32; M]; N] {
        a >> map(|row| row >> map(|x| c >> reduce(|acc, k| acc * x + k, 0))) }", ELEMENTS),
    ("fn checksums<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [i32; N] {
        a >> map(|row| row >> map(|i => x| x * (i as i32 + 1)) >> reduce(add, 17)) }", ROWS_WITHOUT_VECTORS),
    ("fn counts_above<const N: usize, const M: usize>(a: [[f32; M]; N], t: f32) -> [i32; M] {
        a >> transpose >> map(|c| c >> map(|x| if x > t { 1 } else { 0 }) >> reduce(add, 0)) }", COLUMNS),
    ("fn differences<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [[i32; M]; N] {
        zip(a, a >> gather(rotate(1))) >> map(|(r, s)| zip(r, s) >> map(|(x, y)| y - x)) }", ELEMENTS),
    ("fn gathered<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [[i32; M]; N] { a >> gather(rotate(1)) }", ELEMENTS),
    // Several numbers of each row, and a row beside its number.
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N]) -> ([i32; N], [i32; N]) {
        a >> map(|row| { let m = reduce(max, -1000, row); let s = reduce(add, 0, row); (m, s - m) }) >> unzip }", ROWS_WITHOUT_VECTORS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [[i32; 3]; N] {
        a >> map(|row| { let m = reduce(max, -1000, row); let s = reduce(add, 0, row); [m, s, m - s] }) }", ROWS_WITHOUT_VECTORS),
    ("fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; 2]; N] {
        a >> map(|row| [reduce(min, 1000, row), reduce(add, 0, row)]) }", FLOATS_WITHOUT_VECTORS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N]) -> ([i32; N], [[i32; M]; N]) {
        a >> map(|row| { let m = reduce(add, 1, row); (m, row >> map(|x| x - m)) }) >> unzip }", KEPT_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N], w: [i32; N]) -> ([[i32; M]; N], [i32; N], [[i32; M]; N]) {
        zip(a, w) >> map(|(row, w)| { let m = reduce(add, w, row); (row >> map(|x| x * m), m, row >> map(|x| x - m)) }) >> unzip }", KEPT_ROWS_IN_REGISTERS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N], b: [i32; N]) -> ([i32; N], i32) {
        let ms = a >> map(|row| { let m = reduce(max, -1000, row); (m, row >> map(|x| x - m) >> reduce(add, 0)) });
        let v = zip(ms, b) >> map(|((m, s), y)| s * y - m); (v, v >> reduce(add, 0)) }", LONG_AND_SHORT_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [[i32; N]; 2] {
        a >> map(|row| [reduce(max, -1000, row), reduce(add, 0, row)]) >> transpose }", ROWS_WITHOUT_VECTORS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N]) -> ([i32; N], [[i32; 2]; N]) {
        a >> map(|row| { let m = reduce(max, -1000, row); let s = reduce(add, 0, row); (s, [m, s - m]) }) >> unzip }", ROWS_WITHOUT_VECTORS),
    ("fn f<const N: usize>(a: [[i32; N]; N], x: [i32; N]) -> i32 {
        iterate(2, |x| a >> map(|row| dotProduct(row, x) - 7), x) >> reduce(add, 0) }", LONG_AND_SHORT_ROWS),
    // Rows are reduced, and then what they give.
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N], w: [i32; M], y: [i32; N]) -> i32 {
        zip(a, y) >> map(|(row, y)| { let d = dotProduct(row, w) - y; d * d }) >> reduce(add, 3) }", LONG_AND_SHORT_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> f32 { a >> map(|row| row >> map(abs) >> reduce(add, 0)) >> reduce(max, 1) }",
        LONG_AND_SHORT_ROWS_OF_FLOATS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N], x: [i32; N], y: [i32; M]) -> (i32, i32) {
        let b = a >> map(|row| dotProduct(row, y)); let s = dotProduct(x, b); (s, s + reduce(min, 1000, reverse(b))) }", LONG_AND_SHORT_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [i32; N] {
        let s = a >> map(|row| (reduce(max, -1000, row), reduce(add, 0, row))) >> map(|(m, s)| m * s) >> reduce(add, 0);
        a >> map(|row| s - atOr(0, 0, row)) }", LONG_AND_SHORT_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N], x: [i32; N], y: [i32; M]) -> i32 {
        dotProduct(y, a >> transpose >> map(|c| dotProduct(c, x))) }", COLUMNS),
    ("fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> f32 { a >> transpose >> map(|c| reduce(add, 0, c)) >> reduce(max, 0) }", COLUMNS),
    // What rows and columns are reduced to beside other arrays, in parts, and accumulated.
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N], x: [i32; M], b: [i32; N]) -> i32 {
        zip(a >> map(|row| dotProduct(row, x)), b) >> map(|(p, q)| (p - q) * (p - q)) >> reduce(add, 0) }", LONG_AND_SHORT_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N], c: [[i32; M]; N]) -> [(i32, i32); N] {
        zip(a >> map(reduce(add, 0)), c >> map(reduce(max, 0))) }", LONG_AND_SHORT_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N], c: [[i32; N]; N]) -> i32 {
        concat(a >> map(reduce(add, 0)), c >> map(reduce(max, 0))) >> map(|s| s * s) >> reduce(add, 0) }", LONG_AND_SHORT_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; 4 * N]) -> [i32; N] {
        a >> map(reduce(max, 0)) >> split(4) >> map(reduce(add, 0)) }", LONG_AND_SHORT_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[[i32; M]; 5]; N]) -> [i32; N] {
        a >> map(|plane| plane >> map(reduce(max, 0)) >> reduce(add, 0)) }", LONG_AND_SHORT_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[[f32; M]; 3]; N], w: [f32; 3]) -> [f32; N] {
        a >> map(|plane| zip(plane >> map(reduce(max, 0)), w) >> map(|(p, q)| p * q) >> reduce(add, 0)) }", LONG_AND_SHORT_ROWS_OF_FLOATS),
    ("fn f<const N: usize, const M: usize>(a: [[[i32; M]; N]; 3]) -> i32 {
        a >> map(|plane| plane >> map(reduce(max, 0)) >> reduce(add, 0)) >> reduce(max, -1) }", LONG_AND_SHORT_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N], x: [i32; M]) -> i32 {
        a >> reduce(|s, row| s + dotProduct(row, x), 7) }", LONG_AND_SHORT_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N], x: [i32; M], y: [i32; N]) -> i32 {
        zip(a, y) >> reduce(|s, (row, t)| { let e = t - dotProduct(row, x); s + e * e }, 0) }", LONG_AND_SHORT_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[[i32; M]; 9]; N], y: [i32; 9]) -> [i32; N] {
        a >> map(|plane| dotProduct(y, plane >> map(reduce(add, 0)))) }", LONG_AND_SHORT_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[[i32; M]; 9]; N]) -> [[i32; 9]; N] {
        a >> map(|plane| { let s = plane >> map(reduce(add, 0)); let t = reduce(max, 0, s); s >> map(|x| x - t) }) }", LONG_AND_SHORT_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [i32; N] { let s = a >> map(reduce(add, 0)); s >> scanInclusive(add) }", SCANNED_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N]) -> ([i32; N], [i32; N]) {
        let s = a >> map(|row| (row >> reduce(max, 0), row >> reduce(add, 0))); unzip(s) }", ROWS_WITHOUT_VECTORS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N], b: [i32; M]) -> [i32; M] {
        zip(a >> transpose >> map(reduce(add, 0)), b) >> map(|(p, q)| (p - q) * (p - q)) }", COLUMNS),
    // Planes that are joined, as pools of images and statistics of channels are.
    ("fn f<const N: usize, const M: usize>(a: [[[i32; M]; 3]; N]) -> [i32; N] {
        a >> map(|plane| plane >> join >> reduce(add, 0)) }", JOINED_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[[f32; M]; 3]; N]) -> [f32; N] { a >> map(join) >> map(reduce(max, 0)) }", ROWS_OF_FLOATS),
    ("fn f<const N: usize, const M: usize>(a: [[[f32; M]; 3]; N]) -> [[[f32; M]; 3]; N] {
        a >> map(|plane| { let top = plane >> join >> reduce(max, 0); plane >> map2(|x| x - top) }) }", LONG_AND_SHORT_ROWS_OF_FLOATS),
    ("fn f<const N: usize, const M: usize>(a: [[[i32; M]; N]; 3]) -> [i32; N] {
        a >> transpose >> map(|rows| rows >> join >> reduce(add, 0)) }", JOINED_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[[[i32; M]; 2]; N]; 3]) -> [i32; N] {
        a >> transpose >> map(|planes| planes >> join >> join >> reduce(max, -1)) }", JOINED_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[[i32; M]; 3]; N], w: [[i32; M]; 3]) -> [i32; N] {
        a >> map(|plane| dotProduct(join(plane), join(w))) }", JOINED_ROWS),
    // Rows beside others, and in another order than they are taken further.
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N], b: [i32; M]) -> [i32; N + M] {
        concat(a >> map(reduce(add, 0)), b) }", LONG_AND_SHORT_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N], c: [[i32; N]; N]) -> ([i32; N + N], i32) {
        (concat(c >> map(reduce(max, 0)) >> map(|x| x + 1), a >> map(reduce(add, 0)) >> reverse), 7) }", LONG_AND_SHORT_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; N] { a >> map(reduce(max, 0)) >> reverse >> map(|x| 2 * x) }", LONG_AND_SHORT_ROWS_OF_FLOATS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N], b: [i32; N]) -> [i32; N] {
        zip(a >> map(reduce(add, 0)) >> reverse, b) >> map(|(x, y)| x * y) }", LONG_AND_SHORT_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [[i32; 3]; N + 1] {
        a >> map(reduce(add, 0)) >> padConstant(1, 2, 0) >> slide(3, 1) >> map2(|x| x * x) }", LONG_AND_SHORT_ROWS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N], b: [i32; M]) -> [i32; N + M] {
        concat(b, a >> map(reduce(add, 0))) >> map(|x| x + 3) }", LONG_AND_SHORT_ROWS),
    // Few results of many elements that all work-items take.
    ("fn f<const N: usize, const M: usize>(a: [i32; N], b: [i32; M]) -> [i32; N] {
        a >> map(|x| b >> map(|y| x * y) >> reduce(add, 1)) }", FEW_RESULTS),
    ("fn f<const N: usize, const M: usize>(a: [f32; N], b: [f32; M]) -> [(f32, f32); N] {
        a >> map(|x| b >> reduce(|(s, m), y| (s + x * y, max(m, y - x)), (0, -1000))) }", FEW_RESULTS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; 2]; N], b: [[i32; 3]; M]) -> [[i32; 3]; N] {
        a >> map(|p| { let (s, t) = b >> map(|q| (at(0, q) * at(1, p), at(2, q) - at(0, p)))
            >> reduce(|(s, t), (x, y)| (s + x, t + y), (0, 1)); [s, t, at(1, p)] }) }", FEW_RESULTS),
    // Several numbers of a column, or of a row, in one pass.
    ("fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; 2]; M] {
        a >> transpose >> map(|c| [reduce(min, 1000, c), reduce(max, -1000, c)]) }", COLUMNS),
    ("fn f<const N: usize, const M: usize>(a: [[f64; M]; N]) -> ([f64; M], [f64; M]) {
        a >> transpose >> map(|c| (reduce(add, 0, c), c >> map(|x| x * x) >> reduce(add, 1))) >> unzip }", COLUMNS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N], k: [i32; N]) -> [i32; M] {
        a >> transpose >> map(|c| { let d = dotProduct(c, k); let p = zip(c, k) >> map(|(x, k)| x - k) >> reduce(max, -1000);
            d - 2 * p }) }", COLUMNS),
    ("fn f<const N: usize, const M: usize>(a: [[i32; M]; N]) -> i32 {
        a >> transpose >> map(|c| reduce(max, -1000, c) - reduce(min, 1000, c)) >> reduce(add, 0) }", COLUMNS),
    ("fn f<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [(f32, f32, f32); N] {
        a >> map(|r| (dotProduct(r, x), zip(r, x) >> map(|(p, q)| max(p, q)) >> reduce(add, 0),
            zip(r, x) >> map(|(p, q)| p - q) >> reduce(min, 1000))) }", FLOATS_WITHOUT_VECTORS),
    ("fn f<const N: usize, const M: usize>(a: [[f64; M]; N]) -> [f64; N] {
        a >> map(|r| { let q = r >> map(|x| x * x) >> reduce(add, 0); let s = reduce(add, 0, r); q - s * s }) }",
        FLOATS_WITHOUT_VECTORS),
    ("fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; N] {
        a >> map(|r| { let p = { let s = reduce(add, 0, r); s * s }; let t = reduce(max, 0, r); p + t }) }", FLOATS_WITHOUT_VECTORS),
];

const FEW_RESULTS: &[&str] = &["veryFewResults", "fewResults", "plain"];
pub(crate) const ROWS: &[&str] =
    &["mediumRows", "rows", "narrowRows", "shortRowVectors", "shortRows", "plain"];
pub(crate) const ROWS_OF_FLOATS: &[&str] =
    &["mediumRows", "rows", "narrowRows", "shortRowVectors", "shortRows", "rowVectors", "plain"];
pub(crate) const ROWS_WITHOUT_VECTORS: &[&str] = &["mediumRows", "rows", "narrowRows", "shortRows", "plain"];
const FLOATS_WITHOUT_VECTORS: &[&str] =
    &["mediumRows", "rows", "narrowRows", "shortRows", "rowVectors", "plain"];
const NO_ROWS: &[&str] = &["plain", "rows: refused", "shortRows: refused"];
const JOINED_ROWS: &[&str] = &["rows", "narrowRows", "shortRows", "plain"];
const LONG_AND_SHORT_ROWS: &[&str] = &["rows", "shortRows", "plain"];
const LONG_AND_SHORT_ROWS_OF_FLOATS: &[&str] = &["rows", "shortRows", "rowVectors", "plain"];
const SCANNED_ROWS: &[&str] = &["scansInOrder", "rows", "shortRows", "plain"];
const KEPT_ROWS: &[&str] = &[
    "keptNarrowRows",
    "keptShortRowVectors",
    "keptShortRows",
    "keptRowVectors",
    "keptLongRowVectors",
    "keptLongRows",
    "rows",
    "plain",
];
pub(crate) const KEPT_ROWS_OF_FLOATS: &[&str] = &[
    "keptNarrowRows",
    "keptShortRowVectors",
    "keptShortRows",
    "keptRowVectors",
    "keptLongRowVectors",
    "keptLongRows",
    "rows",
    "rowVectors",
    "plain",
];
const KEPT_SHORT_ROWS: &[&str] = &["keptNarrowRows", "keptShortRows", "rows", "plain"];
const KEPT_ROWS_OF_ONE_LENGTH: &[&str] = &["keptRowVectors", "plain"];
const KEPT_SHORT_ROWS_OF_ONE_LENGTH: &[&str] = &["keptShortRows", "plain"];
const KEPT_SHORT_VECTORS_OF_ONE_LENGTH: &[&str] = &["keptShortRowVectors", "plain"];
const KEPT_FLOATS_OF_ONE_LENGTH: &[&str] = &["keptRowVectors", "rowVectors", "plain"];
const KEPT_SCALARS_OF_ONE_LENGTH: &[&str] = &["keptRows", "plain"];
const KEPT_TRIANGLES: &[&str] = &["keptNarrowRows", "keptShortRows", "keptLongRows", "rows", "plain"];
const KEPT_PAIRS: &[&str] = &[
    "keptNarrowRows",
    "keptShortRowVectors",
    "keptShortRows",
    "keptRowVectors",
    "keptLongRowVectors",
    "rows",
    "rowVectors",
    "plain",
];
const KEPT_ROWS_IN_REGISTERS: &[&str] = &[
    "keptNarrowRows",
    "keptShortRowVectors",
    "keptShortRows",
    "keptRowVectors",
    "keptLongRowVectors",
    "rows",
    "plain",
];
const LOCAL_ROWS: &[&str] = &["keptShortRows", "keptRows", "rows", "plain"];
const COLUMNS: &[&str] = &["columns", "plain"];
const BOTH_OF_FLOATS: &[&str] =
    &["rowVectorsAndColumns", "rowsAndColumns", "rows", "columns", "rowVectors", "plain"];
const ONE_PASS: &[&str] = &["onePass", "onePassOfLongRows", "rowsAndColumns", "columns", "plain"];
const ONE_PASS_OF_FEW: &[&str] = &["onePass", "rowsAndColumns", "columns", "plain"];
const ONE_PASS_OF_FLOATS: &[&str] = &[
    "rowVectorsAndColumns",
    "onePass",
    "onePassOfLongRows",
    "rowsAndColumns",
    "columns",
    "rowVectors",
    "plain",
];
const SCHEDULED: &[&str] = &["scheduled", "plain"];
const BLOCKS: &[&str] = &["longProductTiles", "blocks", "plain"];
const NARROW_BLOCKS: &[&str] = &["longProductTiles", "narrowBlocks", "blocks", "plain"];
const SQUARE_TILES: &[&str] = &[
    "longProductTiles",
    "longVectorProductTiles",
    "wideBlocks",
    "blocks",
    "productTiles",
    "vectorProductTiles",
    "plain",
];
const BLOCKS_AND_TILES: &[&str] = &["longProductTiles", "wideBlocks", "blocks", "tallProductTiles", "plain"];
const SMALL_BLOCKS_AND_TILES: &[&str] = &["longProductTiles", "blocks", "tallProductTiles", "plain"];
const TILES_OF_WHOLE_PRODUCTS: &[&str] = &["blocks", "tallProductTiles", "plain"];
const LONG_PRODUCTS: &[&str] = &["longProductTiles", "plain"];
const SEVERAL_PRODUCTS: &[&str] = &["blocks", "plain"];
const ROW_SCANS: &[&str] = &["shortRowScans", "wholeRowScans", "rowScans", "plain"];
const ROW_SCANS_OF_FLOATS: &[&str] = &["shortRowScans", "wholeRowScans", "rowScans", "rowVectors", "plain"];
const ROW_SCANS_THEN_ELEMENTS: &[&str] = &["shortRowScans", "wholeRowScans", "rowScans", "elements", "plain"];
const ROW_SCANS_AND_ELEMENTS: &[&str] =
    &["shortRowScans", "wholeRowScans", "rowScans", "elements", "rowVectors", "plain"];
const TRANSPOSED: &[&str] = &["tiledTranspose", "plain"];

/// Rows and columns around the numbers that forms go by: 8 rows in a group, 32, 128 and 256 work-items, 64
/// pieces, 132 and 264 groups that read rows once, blocks of 8 by 8 and of 4 by 4, tiles of 32 by 32 and of 8 by
/// 128, room for 256, 1024, 2048, 4096 and 8192 elements, vectors of two and of four.
/// No form asks whether it is worth it here.
const MATRICES: [[usize; 2]; 26] = [
    [0, 0],
    [0, 3],
    [3, 0],
    [1, 1],
    [2, 3],
    [3, 31],
    [7, 32],
    [8, 33],
    [9, 127],
    [5, 128],
    [2, 257],
    [63, 5],
    [65, 64],
    [131, 7],
    [32, 96],
    [9, 1023],
    [3, 1025],
    [17, 300],
    [2, 8193],
    [533, 3],
    [2, 4097],
    [1, 8192],
    [3, 4],
    [9, 262],
    [2, 2048],
    [2, 2052],
];

/// Arguments whose floats are whole numbers from -2 to 2: where products of thousands of them are added up, and
/// products of such sums again, the results are exact, so that no order of additions changes them.
pub(crate) fn small_arguments(kernel: &Program, sizes: &[usize]) -> Option<Vec<Argument>> {
    arguments_of(|position| sample(position).rem_euclid(5.0).floor() - 2.0, kernel, sizes)
}

/// What sums in another order may change, of the largest result: nothing where all numbers are whole, else the
/// last bit of each partial sum (Higham, *Accuracy and Stability of Numerical Algorithms*, section 4.2).
fn tolerance(text: &str, sizes: &[usize]) -> f32 {
    let is_rounded = text.contains("log(") || text.contains(" / ");
    let longest = sizes.iter().max().copied().unwrap_or_default();
    if is_rounded { longest as f32 * f32::EPSILON } else { 0.0 }
}

#[test]
fn forms_for_rows_and_columns_compute_the_same() -> Result<(), String> {
    let device = random::opencl_device();
    let (step, target) = match is_simulated(&device) {
        true => (4, Target::opencl(&device).without_product_tiles()),
        false => (1, Target::opencl(&device)),
    };
    for (number, (text, forms)) in OF_MATRICES.iter().enumerate() {
        for kernel in kernels(text)? {
            let compiled = lift_core::compile(&kernel).map_err(|errors| format!("{text}\n{errors:?}"))?;
            let found = compiled.forms().map(|form| form.name.clone());
            let refused = compiled.refused.iter().map(|form| format!("{}: refused", form.name));
            assert_eq!(found.chain(refused).collect::<Vec<_>>(), *forms, "{text}");
            let matrices = MATRICES.iter().skip(number % step).step_by(step);
            let all = matrices.map(|matrix| &matrix[..kernel.sizes.len()]);
            let all =
                all.filter(|sizes| is_for_matrix(&device, forms, sizes) && is_soon_known(&kernel, sizes));
            let all: BTreeSet<Vec<usize>> = all.map(<[_]>::to_vec).collect();
            assert!(is_simulated(&device) || all.len() > 10, "{text}\nis compared at {} sizes", all.len());
            let tolerance = |sizes: &[usize]| tolerance(text, sizes);
            compare_with(&kernel, &Vec::from_iter(all), &small_arguments, &tolerance, target)
                .map_err(|error| format!("{text}\n{error}"))?;
        }
    }
    Ok(())
}
