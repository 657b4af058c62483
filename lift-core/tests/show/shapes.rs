//! Compositions of the prelude are found again with their arguments.

use lift_core::ir::primitive::Primitive;
use lift_core::ir::typed::shapes::{composition, is_recognised};

use crate::support::typed;

/// A call of every derived primitive, and how it is written with its arguments but without its data.
const CALLS: &[(&str, &str)] = &[
    ("|a: [[f32; M]; N]| a >> map2(|x| x + 1)", "map2"),
    ("|a: [[[f32; K]; M]; N]| a >> map3(|x| x + 1)", "map3"),
    ("|a: [[f32; M]; N], b: [[f32; M]; N]| zip2(a, b)", "zip2"),
    ("|a: [[[f32; K]; M]; N], b: [[[f32; K]; M]; N]| zip3(a, b)", "zip3"),
    ("|a: [f32; N]| reverse(a)", "reverse"),
    ("|a: [[f32; M]; N]| a >> slide2(3, 1)", "slide2"),
    ("|a: [[[f32; K]; M]; N]| a >> slide3(3, 1)", "slide3"),
    ("|a: [[f32; M]; N]| a >> slide2d(3, 1, 5, 2)", "slide2d"),
    ("|a: [[f32; M]; N]| a >> pad2(1, 1, clamp)", "pad2"),
    ("|a: [[[f32; K]; M]; N]| a >> pad3(1, 1, mirror)", "pad3"),
    ("|a: [[f32; M]; N]| a >> pad2(1, 1, |i, n| 0)", "pad2"),
    ("|a: [[f32; M]; N]| a >> pad2d(1, 2, 3, 4, clamp, wrap)", "pad2d"),
    ("|a: [[f32; M]; N]| a >> padConstant2(1, 1, 0.5)", "padConstant2"),
    ("|a: [[[f32; K]; M]; N], v: f32| a >> padConstant3(1, 1, v)", "padConstant3"),
    ("|a: [[f32; 32]; 64]| a >> tile(4, 8)", "tile"),
    ("|a: [[[[f32; 8]; 4]; 4]; 16]| untile(a)", "untile"),
    ("|a: [[f32; M]; N]| a >> increase2d(0, 1, 2, 3)", "increase2d"),
    ("|a: [f32; N], b: [f32; N]| dotProduct(a, b)", "dotProduct"),
    ("|a: [f32; N], i: u8, x: f32| a >> update(i, x)", "update"),
    ("|a: [f32; N], i: i64, x: f32| a >> update(i, x)", "update"),
    ("|a: [f32x4; N], b: [f32x4; N]| dotProduct(a, b)", "dotProduct"),
];

#[test]
fn derived_primitives_are_found_again() {
    for (text, name) in CALLS {
        let program = typed(text).unwrap_or_else(|message| panic!("{text}\n{message}"));
        let found = composition(&program.body).unwrap_or_else(|| panic!("{text} is not recognised"));
        assert_eq!(found.primitive.row().map(|row| row.name), Some(*name), "{text}");
    }
    for row in Primitive::ALL.iter().filter(|row| is_recognised(row.primitive)) {
        assert!(CALLS.iter().any(|(_, name)| *name == row.name), "no test calls {}", row.name);
    }
}

#[test]
fn other_programs_are_no_compositions() {
    for text in [
        "|a: [[f32; M]; N]| a >> slide(3, 1) >> map(transpose)",
        "|a: [[f32; M]; N]| a >> map(slide(3, 1)) >> slide(3, 1)",
        "|a: [[f32; M]; N]| a >> pad(1, 1, clamp)",
        "|a: [[f32; M]; N]| a >> mapGlb1(mapGlb0(|x| x + 1))",
        "|a: [[f32; M]; N]| a >> map(|row| row >> map(|x| x + at(0, row)))",
        "|a: [[f32; M]; N]| a >> map(|row| row >> padConstant(1, 1, reduce(add, 0, row))) >> transpose",
        "|a: [f32; N], b: [f32; N]| zip(a, b) >> map(mult) >> reduce(add, 1)",
        "|a: [f32; N], b: [f32; N]| zip(a, b) >> map(mult) >> reduceSeq(add, 0)",
    ] {
        let program = typed(text).unwrap_or_else(|message| panic!("{text}\n{message}"));
        assert!(composition(&program.body).is_none(), "{text}");
    }
}
