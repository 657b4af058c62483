//! Reductions that work-items share (ICFP 2015, CGO 2017).

use super::{assert_derives_program, derived_in_steps, kernels, typed};

/// Maps of reductions.
const ROWS: [&str; 4] = [
    "|a: [[f32; M]; N], x: [f32; M]| a >> map(|row| dotProduct(row, x))",
    "|alpha: f32, beta: f32, a: [[f32; M]; N], x: [f32; M], y: [f32; N]| \
     zip(a, y) >> map(|(row, v)| alpha * dotProduct(row, x) + beta * v)",
    "|a: [[i32; M]; N]| a >> map(|row| row >> reduce(|(s, t), x| (s + x, t + x * x), (1, 0)))",
    "|a: [i => [i32; i + 1]; N], x: [i32; M]| a >> map(|row| at(0, x) + (row >> reduce(add, 0)))",
];

/// Functions that take their row several times.
const KEPT: [&str; 2] = [
    "|a: [[f32; M]; N]| a >> map(|row| { let s = reduce(add, 1, row); row >> map(|x| x - s) })",
    "|a: [[i32; M]; N]| a >> map(|row| { let m = reduce(max, 0, row); row >> map(|x| m - x) >> reduce(add, 0) })",
];

/// The same with rows of two matrices, with what is computed of a row, and with several results.
const KEPT_IN_REGISTERS: [&str; 3] = [
    "|a: [[i32; M]; N], b: [[i32; M]; N], w: [i32; N]| zip(a, b, w) >> map(|(r, q, v)| { \
     let d = zip(r, q) >> map(mult) >> reduce(add, v); zip(r, q) >> map(|(x, y)| if x > v { x * d } else { y }) })",
    "|a: [[f32; M]; N], g: [f32; M]| a >> map(|row| { let m = row >> reduce(max, -9); \
     let p = zip(row, g) >> map(|(x, y)| (x - m) * y); let s = p >> reduce(add, 0); \
     zip(p, row) >> map(|(p, x)| p - x * s) })",
    "|a: [[i32; M]; N]| a >> map(|row| { let m = reduce(add, 1, row); (m, row >> map(|x| x - m)) }) >> unzip",
];

/// Reductions of whole arrays.
const WHOLE: [&str; 3] = [
    "|x: [f32; N], y: [f32; N]| zip(x, y) >> map(mult) >> reduce(add, 0)",
    "|x: [f32; N], y: [f32; N]| [zip(x, y) >> map(mult) >> reduce(add, 3)]",
    "|x: [i32; N]| x >> reduce(|(s, t), v| (s + v, t + v * v), (0, 0))",
];

#[test]
fn every_step_towards_groups_keeps_the_program() {
    for text in ROWS {
        // More work-items than one can combine the results of, and no power of two.
        for items in [4, 40] {
            let (program, unsayable) = derived_in_steps(text, "rowsInGroups", &[items], &[5, 50]);
            assert_eq!(unsayable, 0, "{text}");
            kernels(&program);
        }
    }
    for text in KEPT {
        for (name, numbers) in [("keptRowsInGroups", &[20, 60][..]), ("keptShortRowsInGroups", &[2, 4, 60])] {
            let (program, unsayable) = derived_in_steps(text, name, numbers, &[5, 50]);
            assert_eq!(unsayable, 0, "{text}");
            kernels(&program);
        }
    }
    for text in KEPT.iter().chain(&KEPT_IN_REGISTERS) {
        for (name, numbers) in [
            ("rowsInRegisters", &[1, 4, 48][..]),
            ("rowsInRegisters", &[2, 4, 60]),
            ("rowsInVectorRegisters", &[1, 4, 48, 2]),
            ("rowsInVectorRegisters", &[2, 8, 60, 4]),
        ] {
            let (program, unsayable) = derived_in_steps(text, name, numbers, &[5, 48]);
            assert_eq!(unsayable, 0, "{text}");
            kernels(&program);
        }
    }
    for text in &ROWS[..2] {
        let (program, unsayable) = derived_in_steps(text, "rowsAtOnce", &[2, 4, 60], &[5, 50]);
        assert_eq!(unsayable, 0, "{text}");
        kernels(&program);
    }
    for text in WHOLE {
        let (program, unsayable) = derived_in_steps(text, "reduceInGroups", &[3, 4], &[17]);
        assert_eq!(unsayable, 0, "{text}");
        kernels(&program);
    }
}

/// An operator without an identity starts from an element of each part, so that no part may be empty.
#[test]
fn the_least_element_is_found_by_groups() {
    let text = "|x: [i32; N]| x >> map(|v| v * v) >> reduce(min, 7)";
    let (program, unsayable) = derived_in_steps(text, "reduceInGroups", &[2, 2], &[41]);
    assert_eq!(unsayable, 0, "{text}");
    kernels(&program);
}

/// A group computes an element. Eight work-items reduce what its 128 leave, and each reduces the rest.
const ROW_PER_GROUP: &str = "
    fn row_per_group<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; N] where M % 128 == 0 {
        a >> mapWrg0(|row| {
            [zip(row, x)
                >> deinterleave(128)
                >> toLocal(mapLcl0(reduceSeq(|acc, (y, z)| acc + y * z, 0)))
                >> deinterleave(8)
                >> toLocal(mapLcl0(reduceSeq(add, 0)))
                >> reduceSeq(add, 0)] >> toGlobal(mapLcl0(id))
        }) >> join
    }";

#[test]
fn a_row_for_each_group_is_derived() {
    let product = "fn product<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; N]
                   where M % 128 == 0 { a >> map(|row| dotProduct(row, x)) }";
    let by_hand = typed(ROW_PER_GROUP).expect("a program");
    assert_derives_program(&by_hand, "row_per_group", product, "rowsInGroups", &[128]);
}
