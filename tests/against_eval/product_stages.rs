//! Products among the stages of a program: groups compute their tiles, and what surrounds them as in other
//! forms. The results are what the reference evaluator says.

use lift_core::compiled::{Compiled, DeviceClass, Form};
use lift_core::ir::nat::Var;
use lift_core::ir::typed::Program;

use crate::common::is_simulated;
use crate::compare::arguments::arguments_of;
use crate::compare::compare_with;
use crate::kernels::kernels;
use crate::product_forms::{HEAD, is_for, sizes_for, small};
use crate::random::{self, Target};

/// Programs after the name and the sizes, how many products groups compute in tiles, how far their numbers
/// may be off, and the least number of columns that the form takes: operators without an identity need an
/// element for each work-item.
const STAGES: [(&str, usize, f32, usize); 20] = [
    // Products of products.
    ("(a: [[i32; K]; N], b: [[i32; M]; K], c: [[i32; N]; M]) -> [[i32; N]; N] {
        let ab = a >> map(|r| b >> transpose >> map(|s| dotProduct(r, s)));
        ab >> map(|r| c >> transpose >> map(|s| dotProduct(r, s))) }", 2, 0.0, 1),
    ("(x: [[f32; K]; N], a: [[f32; K]; M], b: [[f32; M]; 10]) -> [[f32; 10]; N] {
        let h = x >> map(|v| a >> map(|row| max(dotProduct(row, v), 0)));
        h >> map(|v| b >> map(|row| dotProduct(row, v))) }", 2, 0.0, 1),
    ("(x: [[f32; K]; N], a: [[f32; K]; M], b: [[f32; M]; 3]) -> [[f32; 3]; N] {
        x >> map(|v| a >> map(|row| dotProduct(row, v) + 1)) >> map(|v| b >> map(|row| dotProduct(row, v))) }", 1, 0.0, 1),
    ("(a: [[i64; K]; N], b: [[i64; K]; M]) -> ([[i64; M]; N], [[i64; N]; N]) {
        (a >> map(|r| b >> map(|s| dotProduct(r, s))), a >> map(|r| a >> map(|s| dotProduct(r, s)))) }", 2, 0.0, 1),
    // One place in the source for several of them, and for another reduction.
    ("(a: [[i32; K]; N], b: [[i32; K]; K], c: [[i32; M]; K]) -> [[i32; M]; N] {
        let product = |x, y| x >> map(|r| transpose(y) >> map(|s| dotProduct(r, s)));
        product(product(a, b), c) }", 2, 0.0, 1),
    ("(a: [[i32; K]; N], b: [[i32; K]; M]) -> [[i32; M]; N] {
        let dots = |x, y| zip(x, y) >> map(mult) >> reduce(add, 0);
        let norms = a >> map(|r| dots(r, r));
        zip(a, norms) >> map(|r, n| b >> map(|s| n - dots(r, s))) }", 1, 0.0, 1),
    // A product that follows another one at once.
    ("(a: [[i32; K]; N], b: [[i32; K]; M], c: [[i32; M]; 17]) -> [[i32; 17]; N] {
        a >> map(|r| b >> map(|s| dotProduct(r, s))) >> map(|r| c >> map(|s| dotProduct(r, s))) }", 2, 0.0, 1),
    // Rows before it, beside it and after it.
    ("(a: [[i32; K]; N], b: [[i32; K]; M]) -> [[i32; M]; N] {
        let large = a >> map(|r| reduce(max, -9, r));
        zip(a, large) >> map(|(r, l)| b >> map(|s| l - dotProduct(r, s))) }", 1, 0.0, 1),
    ("(a: [[f32; K]; N], b: [[f32; K]; M]) -> [[f32; M]; N] {
        let of_rows = a >> map(|r| dotProduct(r, r));
        let of_columns = b >> map(|s| dotProduct(s, s));
        zip(a, of_rows) >> map(|(r, p)| zip(b, of_columns) >> map(|(s, q)| p + q - 2 * dotProduct(r, s))) }", 1, 0.0, 1),
    ("(a: [[i32; K]; N], b: [[i32; M]; K]) -> [i32; N] {
        let ab = a >> map(|r| b >> transpose >> map(|s| dotProduct(r, s)));
        ab >> map(reduce(max, -100)) }", 1, 0.0, 1),
    ("(a: [[i32; K]; N], b: [[i32; M]; K]) -> ([[i32; M]; N], i32) {
        let ab = a >> map(|r| b >> transpose >> map(|s| dotProduct(r, s)));
        (ab, ab >> join >> reduce(add, 0)) }", 1, 0.0, 1),
    // Columns before it and after it.
    ("(a: [[i32; K]; N], b: [[i32; M]; K]) -> [[i32; M]; N] {
        let sums = a >> transpose >> map(reduce(add, 0));
        a >> map(|r| b >> transpose >> map(|s| zip(r, sums, s) >> map(|(x, m, y)| (x - m) * y) >> reduce(add, 0))) }", 1, 0.0, 1),
    ("(a: [[f32; K]; N], b: [[f32; K]; M]) -> [f32; M] {
        let ab = a >> map(|r| b >> map(|s| dotProduct(r, s)));
        ab >> transpose >> map(reduce(add, 0)) }", 1, 0.0, 1),
    // The results of the pairs of a row are reduced again.
    ("(a: [[i32; K]; N], b: [[i32; K]; M]) -> [i32; N] {
        a >> map(|r| b >> map(|s| zip(r, s) >> map(|(x, y)| (x - y) * (x - y)) >> reduce(add, 0)) >> reduce(min, 10000)) }",
        1, 0.0, 1),
    ("(a: [[f32; K]; N], b: [[f32; K]; M]) -> [u32; N] {
        a >> map(|r| b >> map(|s| zip(r, s) >> map(|(x, y)| (x - y) * (x - y)) >> reduce(add, 0)) >> argmin) }", 1, 0.0, 32),
    ("(a: [[i32; K]; N], b: [[i32; K]; M]) -> i32 {
        a >> map(|r| b >> map(|s| zip(r, s) >> map(|(x, y)| (x - y) * (x - y)) >> reduce(add, 0)) >> reduce(min, 10000))
            >> reduce(max, 0) }", 1, 0.0, 1),
    ("(a: [[i64; K]; N], b: [[i64; K]; M]) -> [i64; N] {
        a >> map(|r| (b >> map(|s| dotProduct(r, s) * 2) >> reduce(add, 0)) + 1) }", 1, 0.0, 1),
    // Views in the functions: a convolution of several channels.
    ("(filters: [[[i32; 3]; K]; N], line: [[i32; 2 * M]; K]) -> [[[i32; M]; 2]; N] {
        let patches = line >> map(|channel| channel >> padConstant(1, 1, 0) >> slide(3, 1)) >> transpose >> map(join);
        filters >> map(|filter| {
            let weights = join(filter);
            patches >> map(|patch| zip(weights, patch) >> map(mult) >> reduce(add, 0)) >> split(M) }) }", 1, 0.0, 1),
    // Attention.
    ("(q: [[f32; K]; N], k: [[f32; K]; M], v: [[f32; 20]; M]) -> [[f32; 20]; N] {
        q >> map(|row| {
            let scores = k >> map(|key| dotProduct(row, key));
            let most = scores >> reduce(max, -1e30);
            let weights = scores >> map(|x| exp(x - most));
            let sum = weights >> reduce(add, 0);
            transpose(v) >> map(|col| dotProduct(col, weights) / sum) }) }", 2, 1e-5, 1),
    ("(q: [[f32; K]; N], k: [[f32; K]; M], v: [[f32; 20]; M]) -> [[f32; 20]; N] {
        let scores = q >> map(|row| k >> map(|key| dotProduct(row, key)));
        let weights = scores >> map(|row| {
            let e = row >> map(exp);
            let sum = e >> reduce(add, 0);
            e >> map(|x| x / sum)
        });
        weights >> map(|row| transpose(v) >> map(|col| dotProduct(col, row))) }", 2, 1e-5, 1),
];

/// How many of them have a form in which long reductions of products are cut into pieces. The others reduce
/// the results of pairs again, or have products of different sizes at one place in the source.
const WITH_PIECES: usize = 14;

/// Sizes with long reductions of one product or of another one, which are cut into pieces.
const LONG_SIZES: [[usize; 3]; 2] = [[3, 600, 5], [4, 19, 520]];

/// With more elements, exponentials of products of small numbers may be infinite.
const MOST_ELEMENTS: usize = 40;

#[test]
fn stages_with_products_compute_the_same() -> Result<(), String> {
    let device = random::opencl_device();
    let mut with_pieces = 0;
    for (number, (rest, tiled, tolerance, least_columns)) in STAGES.iter().enumerate() {
        let text = format!("fn f<{HEAD}{rest}");
        for kernel in kernels(&text)? {
            let compiled = lift_core::compile(&kernel).map_err(|errors| format!("{text}\n{errors:?}"))?;
            let form = compiled.forms().find(|form| form.name == "productTiles");
            let form = form.unwrap_or_else(|| panic!("there is no such form of\n{text}"));
            assert_eq!(compiled.refused, [], "{text}");
            // No other kernel loads what the next step takes while it computes one.
            let pipelined = |form: &Form| form.source.matches("/* reduceSeqPipelined */").count();
            assert_eq!(pipelined(form), *tiled, "{text}\n{}", form.source);
            if let Some(long) = compiled.forms().find(|form| form.name == "longProductTiles") {
                // Long products are worth it with fewer columns, too. What pieces give is added up by more
                // kernels.
                assert!(pipelined(long) >= *tiled, "{text}\n{}", long.source);
                assert!(long.source.contains("const index_t steps"), "{text}\n{}", long.source);
                assert!(long.kernels.len() > form.kernels.len(), "{text}\n{}", long.source);
                with_pieces += 1;
            }
            let mut sizes = sizes_for(number, is_simulated(&device));
            if !is_simulated(&device) {
                sizes.extend(LONG_SIZES.iter().map(|sizes| sizes.to_vec()));
            }
            // Exponentials of long sums are infinite.
            sizes.retain(|sizes| sizes[2] <= MOST_ELEMENTS || !text.contains("map(exp)"));
            // There is no smallest of no numbers, and `split` has no chunks of none.
            sizes.retain(|sizes| sizes[1] > 0 || !text.contains("argmin") && !text.contains("split"));
            for sizes in &sizes {
                let [rows, columns, elements] = sizes[..] else { panic!("three sizes") };
                let takes = rows > 0 && columns >= *least_columns && elements > 0;
                assert!(is_for(form, &kernel, sizes) || !takes, "{text}\nat {sizes:?}");
            }
            let arguments = |kernel: &Program, sizes: &[usize]| arguments_of(small, kernel, sizes);
            compare_with(&kernel, &sizes, &arguments, &|_| *tolerance, Target::opencl(&device))
                .map_err(|error| format!("{text}\n{error}"))?;
        }
    }
    assert_eq!(with_pieces, WITH_PIECES);
    Ok(())
}

#[test]
fn products_are_cut_where_a_device_lacks_tiles() -> Result<(), String> {
    let names_on = |device: DeviceClass, compiled: &Compiled, sizes: [i128; 3]| -> Vec<String> {
        let value = |variable: &Var| {
            let at = compiled.sizes.iter().position(|size| &size.variable == variable)?;
            sizes.get(at).copied()
        };
        let is_chosen = |form: &&Form| {
            let conditions = form.guards.iter().chain(&form.thresholds);
            conditions.map(|guard| guard.condition.evaluate(&value)).all(|holds| holds == Some(true))
        };
        let long = compiled.forms().filter(|form| form.name.starts_with("long") && form.devices == device);
        long.filter(is_chosen).map(|form| form.name.clone()).collect()
    };
    let names = |compiled: &Compiled, sizes| names_on(DeviceClass::Accelerator, compiled, sizes);
    let on_processors = |compiled: &Compiled, sizes| names_on(DeviceClass::Processor, compiled, sizes);
    let compiled = |rest: &str| {
        let kernel = kernels(&format!("fn f<{HEAD}{rest}"))?.remove(0);
        lift_core::compile(&kernel).map_err(|errors| format!("{rest}\n{errors:?}"))
    };
    let layer = compiled(
        "(a: [[f32; K]; N], b: [[f32; K]; M]) -> [[f32; M]; N] {
             a >> map(|r| b >> map(|c| max(0, dotProduct(r, c)))) }",
    )?;
    assert_eq!(names(&layer, [64, 64, 4096]), ["longProductTiles"]);
    assert_eq!(names(&layer, [64, 64, 256]), [""; 0]);
    // There are few results, but many tiles, most of each in vain.
    assert_eq!(names(&layer, [4, 128_256, 4096]), [""; 0]);
    // A processor needs fewer tiles for its cores, and is slower in the plain form.
    assert_eq!(on_processors(&layer, [127, 64, 1021]), ["longVectorProductTiles"]);
    assert_eq!(on_processors(&layer, [31, 64, 4096]), [""; 0]);
    assert_eq!(on_processors(&layer, [256, 320, 4096]), [""; 0]);
    assert_eq!(on_processors(&layer, [64, 64, 256]), [""; 0]);
    // With this few pairs, a GPU needs no pieces.
    let short = compiled(
        "(a: [[f32; 400]; 50], b: [[f32; 400]; 50], n: [f32; N], m: [f32; M], k: [f32; K]) -> [[f32; 50]; 50] {
             a >> map(|r| b >> map(|c| dotProduct(r, c))) }",
    )?;
    assert_eq!(on_processors(&short, [1, 1, 1]), ["longVectorProductTiles"]);
    assert!(!short.forms().any(|form| form.name == "longProductTiles"));
    let layers = compiled(
        "(x: [[f32; K]; N], a: [[f32; K]; M], b: [[f32; M]; 10]) -> [[f32; 10]; N] {
             let h = x >> map(|v| a >> map(|row| dotProduct(row, v)));
             h >> map(|v| b >> map(|row| dotProduct(row, v))) }",
    )?;
    assert_eq!(names(&layers, [64, 4096, 4096]), ["longProductTiles", "longLastProductTiles"]);
    assert_eq!(names(&layers, [4096, 4096, 64]), ["longLastProductTiles"]);
    assert_eq!(on_processors(&layers, [127, 1021, 64]), ["longLastVectorProductTiles"]);
    assert_eq!(on_processors(&layers, [4096, 4096, 64]), [""; 0]);
    // One place in the source has one length of pieces, which is no good for both.
    let chain = compiled(
        "(a: [[f32; K]; N], b: [[f32; M]; K], c: [[f32; 64]; M]) -> [[f32; 64]; N] {
             let product = |x, y| x >> map(|r| transpose(y) >> map(|c| dotProduct(r, c)));
             product(product(a, b), c) }",
    )?;
    assert!(!chain.forms().any(|form| form.name.starts_with("long")));
    Ok(())
}
