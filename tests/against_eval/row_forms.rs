//! For which rows there are vectors.

use crate::kernels::kernels;

/// The conditions of the form `shortRowVectors` of a program, after its name and sizes; `None` without it.
fn conditions(rest: &str) -> Result<Option<String>, String> {
    let text = format!("fn f<const N: usize, const M: usize>{rest}");
    let kernel = kernels(&text)?.remove(0);
    let compiled = lift_core::compile(&kernel).map_err(|errors| format!("{text}\n{errors:?}"))?;
    assert_eq!(compiled.refused, [], "{text}");
    let form = compiled.forms().find(|form| form.name == "shortRowVectors");
    Ok(form.map(|form| {
        let conditions = form.guards.iter().chain(&form.thresholds).map(|guard| &*guard.text);
        conditions.collect::<Vec<_>>().join(", ")
    }))
}

#[test]
fn vectors_are_loaded_of_short_rows_that_they_fill() -> Result<(), String> {
    let of = |rest| conditions(rest).map(|found| found.unwrap_or_default());
    assert_eq!(
        of("(a: [[f32; M]; N]) -> [f32; N] { a >> map(reduce(add, 0)) }")?,
        "M <= 512, M % 4 == 0, M >= 32"
    );
    // Pairs of rows, and rows beside numbers.
    assert_eq!(
        of("(a: [[f32; M]; N], b: [[f32; M]; N]) -> [f32; N] { zip(a, b) >> map(|x, y| dotProduct(x, y)) }")?,
        "M % 4 == 0, M >= 32, M <= 512"
    );
    assert_eq!(
        of("(a: [[f64; M]; N], z: [f64; N]) -> [f64; N] { zip(a, z) >> map(|r, z| reduce(add, z, r)) }")?,
        "M % 2 == 0, M >= 32, M <= 256"
    );
    Ok(())
}

#[test]
fn there_are_no_vectors_of_tuples_of_other_rows_and_of_elements_with_positions() -> Result<(), String> {
    for rest in [
        "(a: [[f32; M]; N]) -> [(f32, f32); N] { a >> map(|r| (reduce(add, 0, r), reduce(max, 0, r))) }",
        "(a: [[f32; M]; N]) -> [(f32, f32); N] {
            a >> map(|r| r >> map(|x| (x, x * x)) >> reduce(|(s, t), (x, y)| (s + x, t + y), (0, 0))) }",
        "(a: [[f32; M]; N], b: [[f32; N]; M]) -> [[f32; M]; N] {
            a >> map(|r| b >> map(|c| reduce(add, 0, r) + at(0, c))) }",
        "(a: [[f32; 1000]; N], b: [[f32; 1000]; N], c: [f32; M]) -> [f32; N] {
            zip(a, b) >> map(|x, y| dotProduct(x, y)) }",
        "(a: [[f32; M]; N]) -> [f32; N] { a >> map(|r| r >> map(|i => x| x * (i as f32)) >> reduce(add, 0)) }",
    ] {
        assert_eq!(conditions(rest)?, None, "{rest}");
    }
    Ok(())
}
