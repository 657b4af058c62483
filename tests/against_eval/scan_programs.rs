//! Divided scans compute on a device what the reference evaluator says, at sizes of all kinds.
//!
//! Elements of many bytes have small tiles: of `u32x16`, a work-group scans 64, so that a few hundred
//! elements are many tiles, and some work-items scan the totals of several.

use crate::compare::compare;
use crate::kernels::kernels;
use crate::random::{self, Target};
use lift_core::Class;

/// Programs, with the largest size that is tried.
const PROGRAMS: [(&str, usize); 9] = [
    ("fn sums<const N: usize>(a: [u32x16; N]) -> [u32x16; N] { a >> scanInclusive(add) }", 1200),
    ("fn before<const N: usize>(a: [u32x16; N]) -> [u32x16; N] { a >> map(|x| x * x) >> scan(add, 5) >> map(|x| x - 1) }", 1200),
    ("fn products<const N: usize>(a: [u32x16; N]) -> [u32x16; N] { a >> reverse >> scanInclusive(mult) >> reverse }", 300),
    ("#[assoc] fn compose(f: (u32x8, u32x8), g: (u32x8, u32x8)) -> (u32x8, u32x8) { (f.0 * g.0, f.1 * g.0 + g.1) }
      fn compositions<const N: usize>(a: [(u32x8, u32x8); N]) -> [(u32x8, u32x8); N] { a >> scanInclusive(compose) }", 1200),
    ("#[assoc] fn compose(f: (u32, u32), g: (u32, u32)) -> (u32, u32) { (f.0 * g.0, f.1 * g.0 + g.1) }
      fn compositions<const N: usize>(a: [(u32, u32); N]) -> [u32; N] { a >> scan(compose, (1, 3)) >> map(|p, q| p - q) }", 3000),
    ("#[assoc] fn last(before: i32, x: i32) -> i32 { if x == 0 { before } else { x } }
      fn filled<const N: usize>(a: [i32; N]) -> ([i32; N], [i32; N]) { (a >> scan(last, 0), a >> scanInclusive(last)) }", 4000),
    ("fn largest<const N: usize>(a: [f32; N]) -> [f32; N] { a >> pad(1, 1, wrap) >> slide(3, 1) >> map(reduce(min, 1000)) >> scan(max, 0 - 1000) }", 4000),
    ("fn twice<const N: usize>(a: [u32; N]) -> [u32; N] { iterate(2, |xs| xs >> scanInclusive(add) >> scan(add, 1), a) }", 4000),
    ("fn normalised<const N: usize>(a: [f32; N]) -> [f32; N] where N > 0 { let s = scanInclusive(add, a); s >> map(|x| x / (1000 + abs(last(s)))) }", 4000),
];

/// Sizes of each program that are spread over those that are tried, besides the smallest ones.
const SIZES: usize = 6;

/// What sums in another order may change, of the largest result.
const TOLERANCE: f32 = 1e-5;

#[test]
fn scans_of_all_lengths_compute_what_they_mean() -> Result<(), String> {
    let device = random::opencl_device();
    for (number, (text, largest)) in PROGRAMS.into_iter().enumerate() {
        let spread = (0..SIZES).map(|turn| vec![1 + (turn * 7919 + number * 4201 + 63) % largest]);
        let sizes: Vec<Vec<usize>> =
            [1, 2 + number].map(|size| vec![size]).into_iter().chain(spread).collect();
        for kernel in kernels(text)? {
            compare(&kernel, &sizes, TOLERANCE, Target::opencl(&device))
                .map_err(|error| format!("{text}\n{error}"))?;
        }
    }
    Ok(())
}

const SHARED: &[&str] = &["shortRowScans", "wholeRowScans", "rowScans"];

/// The rest of a program with a matrix `a: [[f32; M]; N]` and a column `w: [f32; N]`, and its forms for scans
/// of rows.
const ROW_SCANS: [(&str, &[&str]); 20] = [
    ("-> [[f32; M]; N] { a >> map(scan(add, 0)) }", SHARED),
    (
        "-> [[f32; M]; N] { zip(a, w) >> map(|r, w| { let v = exp(w); r >> scan(add, v) >> map(|x| x * v) }) }",
        SHARED,
    ),
    // The scanned array is a stage, for itself, for others and in each application.
    ("-> [[f32; N]; M] { a >> map(scan(add, 0)) >> transpose >> map(scan(add, 0)) }", SHARED),
    (
        "-> ([[f32; M]; N], [[f32; M]; N]) { let s = a >> map(scan(add, 0)); (s >> map(map(|x| x + 1)), s >> map(map(|x| x * x))) }",
        SHARED,
    ),
    ("-> [[f32; M]; N] { iterate(3, |x| x >> map(scanInclusive(add)), a) }", SHARED),
    // So are the rows of several matrices.
    ("-> [[[f32; N]; M]; 2] { repeat(2, a) >> map(|m| transpose(m) >> map(scan(add, 0))) }", &[]),
    ("-> [[[f32; M]; N]; 2] { repeat(2, a) >> map(map(scan(add, 0))) }", SHARED),
    (
        "-> [[[f32; M]; 4]; N] { a >> map(|r| repeat(4, r)) >> map(map(scanInclusive(add))) >> map(map(map(|x| x * x))) }",
        SHARED,
    ),
    // Groups share the sums of the rows, too.
    ("-> ([f32; N], [[f32; M]; N]) { (a >> map(reduce(add, 0)), a >> map(scan(add, 0))) }", SHARED),
    // Neighbours of a row lie far apart.
    ("-> [[f32; N]; M] { a >> transpose >> map(scan(add, 0)) }", &[]),
    ("-> [[f32; N]; M] { let t = transpose(a); t >> map(scan(add, 0)) }", &[]),
    // What takes a loop for each row gets a map of its own, and so do arrays that take long to compute.
    (
        "-> [[f32; M]; N] { a >> map(|r| { let s = reduce(add, 0, r); r >> scan(add, 0) >> map(|x| x - s) }) }",
        SHARED,
    ),
    (
        "-> [[f32; M]; N] { a >> map(|r| { let e = r >> map(exp); let s = reduce(add, 0, e); e >> map(|x| x / s) >> scan(add, 0) }) }",
        SHARED,
    ),
    // Neither a map that cannot be joined, nor rows that are turned before they are scanned, are in the way.
    (
        "-> ([[[f32; M]; N]; 2], [[f32; M]; N]) { (repeat(2, a) >> map(|m| m >> map(|r| { let s = reduce(add, 0, m >> join); r >> map(|x| x / s) >> scan(add, 0) })), a >> map(scan(add, 0))) }",
        SHARED,
    ),
    (
        "-> ([[f32; M]; N], [[f32; M]; N]) { (a >> map(scan(add, 0)), a >> map(|r| { let s = reduce(add, 0, r); r >> reverse >> map(|x| x / s) >> scan(add, 0) })) }",
        SHARED,
    ),
    (
        "-> [[f32; M]; N] { a >> map(|r| { let s = reduce(add, 0, r); r >> reverse >> map(|x| x / s) >> scan(add, 0) }) }",
        &[],
    ),
    // An array that takes a loop, or is read twice, is not computed again for a scan.
    (
        "-> [[f32; M]; N] { a >> map(|r| { let s = reduce(max, 0, r); let d = r >> scan(add, 0) >> map(|x| x + s); zip(d, d) >> map(|(x, y)| x * s - y) >> scan(max, 0) }) }",
        &[],
    ),
    (
        "-> [[f32; M]; N] { a >> map(|r| { let s = reduce(max, 0, r); let d = r >> map(|x| x + s); zip(d, d) >> map(|(x, y)| x * y) >> scan(max, 0) }) }",
        &[],
    ),
    // A work-item takes a loop for each element beside the scan.
    (
        "-> [[f32; M]; N] { a >> map(|r| { let s = reduce(add, 0, r); r >> scan(add, 0) >> map(|x| w >> reduce(|t, y| t + x * y, s)) }) }",
        &[],
    ),
    ("-> [[f32; M]; N] { a >> map(|r| r >> scanSeq(add, 0)) }", &[]),
];

#[test]
fn groups_share_the_scans_of_rows_that_lie_side_by_side() -> Result<(), String> {
    let names = |text: &str| -> Result<Vec<String>, String> {
        let kernel = kernels(text)?.remove(0);
        let compiled = lift_core::compile(&kernel).map_err(|errors| format!("{text}\n{errors:?}"))?;
        let names = compiled.forms().map(|form| form.name.clone());
        Ok(names.filter(|name| name.ends_with("owScans")).collect())
    };
    for (rest, forms) in ROW_SCANS {
        let text = format!("fn f<const N: usize, const M: usize>(a: [[f32; M]; N], w: [f32; N]) {rest}");
        assert_eq!(names(&text)?, forms, "{text}");
    }
    // Floats of a strict program are added in its order, and the first form with room is for all calls.
    let of_length = |attribute: &str, length: usize| {
        names(&format!(
            "{attribute} fn f<const N: usize>(a: [[f32; {length}]; N]) -> [[f32; {length}]; N] {{ a >> map(scan(add, 0)) }}"
        ))
    };
    assert_eq!(of_length("#[strict]", 100)?, [""; 0]);
    assert_eq!(of_length("", 32)?, [""; 0]);
    assert_eq!(of_length("", 100)?, ["shortRowScans"]);
    assert_eq!(of_length("", 1000)?, ["wholeRowScans"]);
    assert_eq!(of_length("", 4000)?, ["rowScans"]);
    Ok(())
}

#[test]
fn why_groups_share_no_scans_is_told() -> Result<(), String> {
    let reason = |text: &str| -> Result<String, String> {
        let kernel = kernels(text)?.remove(0);
        let choice = lift_core::choice(&kernel).map_err(|errors| format!("{text}\n{errors:?}"))?;
        let of_scans = choice.left_out.iter().find(|left_out| left_out.class == Class::RowScans);
        Ok(of_scans.map(|left_out| left_out.reason.to_string()).unwrap_or_default())
    };
    let short = "fn f<const N: usize>(a: [[f32; 32]; N]) -> [[f32; 32]; N] { a >> map(scan(add, 0)) }";
    assert_eq!(reason(short)?, "the rows that are scanned have too few elements");
    let unknown = "fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] { a >> map(scan(|s, x| x - s, 0)) }";
    assert_eq!(
        reason(unknown)?,
        "no rows that lie side by side are scanned with an operator known as associative"
    );
    let mapped = "fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> map(|r| { let s = reduce(max, 0, r); let d = r >> scan(add, 0) >> map(|x| x + s); zip(d, d) >> map(|(x, y)| x * y) >> scan(max, 0) }) }";
    assert_eq!(
        reason(mapped)?,
        "groups cannot share the scans of rows together with what else is computed of these rows"
    );
    Ok(())
}
