//! Rows of a few elements, such as points, complex numbers and pixels: what is computed of them, stored as
//! vectors or one by one, is what the reference evaluator says.

use lift_core::compiled::Compiled;

use crate::common::is_simulated;
use crate::compare::compare_with;
use crate::forms::small_arguments;
use crate::kernels::kernels;
use crate::random::{self, Target};

/// Programs, after the name and the sizes, and whether some form of them has vectors. Numbers are whole.
const RECORDS: [(&str, bool); 34] = [
    // Complex numbers, points and pixels.
    ("(a: [[f32; 2]; N], b: [[f32; 2]; N]) -> [[f32; 2]; N] {
        zip(a, b) >> map(|(p, q)| [at(0, p) * at(0, q) - at(1, p) * at(1, q), at(0, p) * at(1, q) + at(1, p) * at(0, q)]) }", true),
    ("(a: [[u8; 4]; N]) -> [[u8; 4]; N] { a >> map(|p| [at(2, p), at(1, p), at(0, p), at(3, p)]) }", true),
    ("(a: [[u8; 4]; N]) -> [u8; N] { a >> map(|p| at(0, p) / 4 + at(1, p) / 2 + at(2, p) / 4) }", true),
    ("(a: [[f32; 4]; N], s: f32) -> [[f32; 4]; N] {
        a >> map(|p| [at(0, p) * s, at(1, p) * s, at(2, p) * s, at(3, p) * s]) }", true),
    ("(a: [[f32; 3]; N]) -> [[f32; 3]; N] { a >> map(|p| [at(1, p), at(2, p) - at(0, p), at(0, p)]) }", false),
    // Rows longer than a vector, and rows that vectors of two fill.
    ("(a: [[f32; 8]; N]) -> [[f32; 2]; N] {
        a >> map(|p| [at(0, p) + at(1, p) + at(2, p) + at(3, p), at(4, p) + at(5, p) + at(6, p) + at(7, p)]) }", true),
    ("(a: [[i32; 6]; N]) -> [[i32; 6]; N] {
        a >> map(|p| [at(5, p), at(4, p), at(3, p), at(2, p), at(1, p), at(0, p)]) }", true),
    ("(a: [[i32; 4]; N]) -> [i32; N] { a >> map(|p| at(1, p) * at(2, p)) }", false),
    ("(a: [[i32; 4]; N]) -> [i32; N] { a >> map(|p| at(0, p) * at(1, p)) }", true),
    // All widths.
    ("(a: [[i8; 8]; N]) -> [[i8; 4]; N] {
        a >> map(|p| [at(0, p) - at(4, p), at(1, p) - at(5, p), at(2, p) - at(6, p), at(3, p) - at(7, p)]) }", true),
    ("(a: [[i16; 4]; N]) -> [[i16; 2]; N] { a >> map(|p| [at(0, p) + at(3, p), at(1, p) * at(2, p)]) }", true),
    ("(a: [[u16; 2]; N]) -> [[u32; 2]; N] { a >> map(|p| [at(0, p) as u32 * 3, at(1, p) as u32 + 1]) }", true),
    ("(a: [[i64; 2]; N]) -> [[i64; 2]; N] { a >> map(|p| [at(1, p), at(0, p) - at(1, p)]) }", true),
    ("(a: [[f64; 4]; N]) -> [[f64; 4]; N] { a >> map(|p| [at(3, p), at(0, p), at(0, p) + at(1, p), at(2, p)]) }", true),
    ("(a: [[bool; 4]; N]) -> [[bool; 4]; N] { a >> map(|p| [at(0, p) && at(1, p), at(1, p) || at(2, p), at(3, p), true]) }", false),
    // Positions from data, conditions, neighbours, and rows in planes.
    ("(a: [[f32; 4]; 5], i: [i32; N]) -> [[f32; 4]; N] {
        i >> map(|k| { let p = at(k, a); [at(3, p), at(2, p), at(1, p), at(0, p)] }) }", true),
    ("(a: [[i32; 4]; N]) -> [[i32; 2]; N] {
        a >> map(|p| if at(0, p) > 2 { [at(1, p), at(2, p)] } else { [at(2, p) + at(3, p), 7] }) }", true),
    ("(a: [[i32; 2]; N + 1]) -> [[i32; 2]; N + 1] {
        a >> pad(1, 1, clamp) >> slide(3, 1) >> map(|w| [at(0, at(0, w)) + at(0, at(2, w)), at(1, at(1, w))]) }", true),
    ("(a: [[[f32; 4]; 3]; N]) -> [[[f32; 4]; 3]; N] {
        a >> map(map(|p| [at(1, p), at(0, p), at(3, p), at(2, p) * at(2, p)])) }", true),
    ("(a: [[[i32; 2]; 2]; N]) -> [[[i32; 2]; 2]; N] {
        a >> map(|m| [[at(1, at(1, m)), 0 - at(1, at(0, m))], [0 - at(0, at(1, m)), at(0, at(0, m))]]) }", true),
    // Parts of rows, and several results.
    ("(a: [[i32; 4]; N]) -> [[i32; 2]; N + 1] { concat(a >> map(|p| [at(0, p), at(1, p)]), [[3, 4]]) }", false),
    ("(a: [[f32; 4]; N]) -> ([f32; N], [[f32; 2]; N]) {
        (a >> map(|p| at(0, p) + at(1, p)), a >> map(|p| [at(2, p), at(3, p)])) }", true),
    // Loops over the elements of a row.
    ("(a: [[f32; 4]; N]) -> [f32; N] { a >> map(|p| dotProduct(p, p)) }", true),
    ("(a: [[i32; 8]; N]) -> [i32; N] { a >> map(|p| reduce(max, 0, p)) }", true),
    ("(a: [[u8; 16]; N]) -> [u8; N] { a >> map(|p| reduce(min, 100, p)) }", true),
    ("(a: [[f64; 6]; N], w: [f64; 6]) -> [f64; N] { a >> map(|p| dotProduct(p, w)) }", true),
    ("(a: [[i32; 5]; N]) -> [i32; N] { a >> map(|p| reduce(add, 1, p)) }", false),
    ("(m: [[f32; 4]; 2], a: [[f32; 4]; N]) -> [[f32; 2]; N] {
        a >> map(|p| [dotProduct(at(0, m), p), dotProduct(at(1, m), p)]) }", true),
    ("(a: [[i32; 4]; N]) -> [[i32; 4]; N] { a >> map(|p| scanInclusive(add, p)) }", true),
    ("(a: [[i32; 4]; N], k: [i32; N]) -> [[i32; 6]; N] {
        zip(a, k) >> map(|(p, k)| if k > 0 { concat([1, 2], p) } else { concat(p, [3, k]) }) }", true),
    ("(b: [[f32; 4]; 4], a: [[f32; 4]; N]) -> [[f32; 4]; N] { a >> map(|p| b >> map(|r| dotProduct(r, p) + 1)) }", true),
    ("(a: [[i32; 4]; N]) -> [[i32; 4]; N] { iterate(3, |t| t >> map(|p| [at(1, p), at(2, p), at(3, p), at(0, p) + 1]), a) }", true),
    // Few results of many records.
    ("(a: [[i32; 4]; N]) -> [[i32; 4]; N] {
        a >> map(|p| { let s = a >> map(|q| (at(0, q) - at(0, p)) * at(3, q) + at(1, q) * at(2, q)) >> reduce(add, 0);
            [s, s + at(1, p), s - at(2, p), 0] }) }", true),
    ("(a: [[f32; 2]; 7], b: [[f32; 2]; N]) -> [[f32; 2]; 7] {
        a >> map(|p| { let (s, t) = b >> map(|q| (at(0, p) * at(0, q), at(1, p) - at(1, q)))
            >> reduce(|(s, t), (x, y)| (s + x, t + y), (0, 0)); [s, t] }) }", true),
];

/// The least, and those around tiles of 1024. A simulator gets those below 100.
const SIZES: [usize; 10] = [0, 1, 2, 3, 17, 65, 1023, 1024, 1025, 2053];

/// Whether some form other than the plain one loads or stores vectors.
fn has_vectors(compiled: &Compiled) -> bool {
    let others = compiled.forms().filter(|form| form.name != "plain");
    let pointers = ["2*)", "4*)", "8*)", "16*)"];
    others.into_iter().any(|form| pointers.iter().any(|pointer| form.source.contains(pointer)))
}

#[test]
fn records_are_computed_as_the_evaluator_does() -> Result<(), String> {
    let device = random::opencl_device();
    let target = Target::opencl(&device);
    let most = if is_simulated(&device) { 100 } else { usize::MAX };
    let sizes: Vec<Vec<usize>> =
        SIZES.into_iter().filter(|size| *size < most).map(|size| vec![size]).collect();
    for (text, vectors) in RECORDS {
        let text = format!("fn f<const N: usize>{text}");
        for kernel in kernels(&text)? {
            let compiled = lift_core::compile(&kernel).map_err(|errors| format!("{text}\n{errors:?}"))?;
            if has_vectors(&compiled) != vectors {
                return Err(format!("{text}\nvectors: {}", !vectors));
            }
            compare_with(&kernel, &sizes, &small_arguments, &|_| 0.0, target)
                .map_err(|error| format!("{text}\n{error}"))?;
        }
    }
    Ok(())
}

/// The plain kernel of a program.
fn plain(text: &str) -> Result<String, String> {
    let text = format!("fn f<const N: usize>{text}");
    let kernel = kernels(&text)?.pop().ok_or("there is no program")?;
    let compiled = lift_core::compile(&kernel).map_err(|errors| format!("{text}\n{errors:?}"))?;
    let plain = compiled.forms().find(|form| form.name == "plain").ok_or("there is no plain form")?;
    Ok(plain.source.clone())
}

#[test]
fn one_work_item_writes_a_record_and_several_share_a_row() -> Result<(), String> {
    let records = [
        "(a: [[f32; 2]; N]) -> [[f32; 2]; N] { a >> map(|p| [at(0, p) + at(1, p), at(0, p) - at(1, p)]) }",
        "(a: [[f32; 2]; N]) -> [[f32; 2]; N] { a >> map(|p| reverse([at(0, p) + at(1, p), at(1, p)])) }",
        "(a: [[f32; 2]; N]) -> [[f32; 2]; N] { a >> map(|p| if at(0, p) > 1 { [at(1, p), 0] } else { [2, at(1, p)] }) }",
        "(a: [f32; N]) -> [[[f32; 2]; 2]; N] { a >> map(|x| [[x, 0 - x], [x * x, 1]]) }",
    ];
    for text in records {
        assert!(!plain(text)?.contains("get_global_id(1)"), "{text}");
    }
    let rows = [
        "(a: [[f32; 62]; N]) -> [[f32; 64]; N] { a >> map(|r| reverse(concat(r, [at(0, r), at(1, r)]))) }",
        "(a: [[f32; 62]; N]) -> [[f32; 64]; N] { a >> map(|r| { let w = [at(0, r) * 2, at(1, r) * 3]; concat(w, r) }) }",
        "(a: [[f32; 34]; N]) -> [[f32; 32]; N] {
            a >> map(|r| { let w = [0.25, 0.5, 0.25]; r >> slide(3, 1) >> map(|n| dotProduct(n, w)) }) }",
    ];
    for text in rows {
        assert!(plain(text)?.contains("get_global_id(1)"), "{text}");
    }
    Ok(())
}
