//! Constants among items: their values, where they may stand, and their mistakes.

use lift_core::front::infer::{Constant, Value, infer_items};
use lift_core::front::syntax::Input;
use lift_core::ir::scalar::ScalarType;
use lift_core::ir::types::Type;
use lift_parser::parse_text;

use crate::support::{elaborated, mistakes, signatures};

fn constants(text: &str) -> Vec<Constant> {
    let parsed = parse_text(text);
    let Some(Input::Items(items)) = &parsed.input else { panic!("{:?}", parsed.errors) };
    infer_items(items).unwrap_or_else(|errors| panic!("{text}: {errors:?}")).constants
}

/// The value of the last constant.
fn value(text: &str) -> Value {
    constants(text).last().unwrap_or_else(|| panic!("{text}")).value
}

#[test]
fn constants_are_computed_in_any_order() {
    let found = constants(
        "const WIDTH: usize = 2 * RADIUS + 1;
         const RADIUS: usize = 2;
         pub const SCALE: f32 = 1.0 / (WIDTH as f32);
         const IS_WIDE: bool = WIDTH > 3 && !(RADIUS == 0);
         const OFFSET: i32 = if IS_WIDE { -3 } else { 3 };",
    );
    let expected = [
        (Type::Size, Value::Integer(5)),
        (Type::Size, Value::Integer(2)),
        (Type::Scalar(ScalarType::F32), Value::Float(f64::from(0.2f32))),
        (Type::Scalar(ScalarType::Bool), Value::Bool(true)),
        (Type::Scalar(ScalarType::I32), Value::Integer(-3)),
    ];
    let expected: Vec<Constant> = expected.into_iter().map(|(ty, value)| Constant { ty, value }).collect();
    assert_eq!(found, expected);
}

#[test]
fn constants_have_the_values_that_they_have_in_rust() {
    for (text, expected) in [
        ("const A: i8 = -128;", Value::Integer(-128)),
        ("const A: i32 = -7 / 2 + -7 % 3;", Value::Integer(-7 / 2 + -7 % 3)),
        ("const A: u8 = !0 ^ 6 & 3 | 8;", Value::Integer((!0u8 ^ 6 & 3 | 8).into())),
        ("const A: u8 = 300i32 as u8 + -1.5f32 as u8;", Value::Integer(300 - 256)),
        ("const A: i64 = 1e30f32 as i64;", Value::Integer(i64::MAX.into())),
        ("const A: u64 = 18446744073709551615;", Value::Integer(u64::MAX.into())),
        ("const A: f32 = 0.1 + 0.2;", Value::Float((0.1f32 + 0.2).into())),
        ("const A: f64 = 0.1 + 0.2;", Value::Float(0.1f64 + 0.2)),
        ("const A: f16 = 1.0 / 3.0;", Value::Float(0.333_251_953_125)),
        ("const A: f32 = 16777217;", Value::Float(16_777_216.0)),
        ("const A: f64 = 7.5 % 2;", Value::Float(1.5)),
        ("const A: f64 = -1.0 / 0.0;", Value::Float(f64::NEG_INFINITY)),
        ("const A: f32 = { let half = 0.5; half * half };", Value::Float(0.25)),
        ("const A: usize = max(3, 2 * 4) - pow(2, 3) / 4;", Value::Integer(6)),
        ("const A: bool = 1.5 < 2 || 1 / 0.0 == 3;", Value::Bool(true)),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn a_size_stands_in_types_arguments_and_computations() {
    let text = "const RADIUS: usize = 1;
                const FACTOR: f32 = -0.5;
                fn f<const N: usize>(w: [f32; 2 * RADIUS + 1], a: [f32; N]) -> [f32; N + 2 * RADIUS] where N % (RADIUS + 1) == 0 {
                    a >> padConstant(2 * RADIUS, 2 * RADIUS, 0) >> slide(2 * RADIUS + 1, 1)
                      >> map(|v| zip(w, v) >> map(mult) >> reduce(add, FACTOR + RADIUS as f32))
                }";
    assert_eq!(
        signatures(text),
        "(w: [f32; 3], a: [f32; N]) -> [f32; N + 2]\n`f` is only for `N % (RADIUS + 1) == 0`"
    );
    assert_eq!(
        elaborated(
            "const K: f32 = -0.5; fn f<const N: usize>(a: [f32; N]) -> [f32; N] { map(|x| K * x, a) }"
        ),
        elaborated("fn f<const N: usize>(a: [f32; N]) -> [f32; N] { map(|x| -0.5 * x, a) }"),
    );
}

#[test]
fn mistakes_of_constants_are_reported_once() {
    for (text, expected) in [
        (
            "const A: i32 = 2 * B; const B: i32 = A + 1;",
            "`A`: `A` needs `B`, which needs `A`: its value would never be known",
        ),
        ("const A: u8 = 200 + 100;", "`200 + 100`: this is 300, which `u8` does not hold"),
        ("const A: i32 = 1 / 0;", "`1 / 0`: this divides by zero"),
        ("const A: usize = 2 - 3;", "`2 - 3`: `A` is -1, and a `usize` is not negative"),
        ("const A: usize = 1 / 0;", "`1 / 0`: `1 / 0`: this size must be at least 1, and it is 0"),
        ("const A: f32 = sqrt(2);", "`sqrt(2)`: this is not known while the constant is computed"),
        ("const A: f32 = f(2); fn f(x: f32) -> f32 { x }", "`f`: a constant cannot call `f`"),
        (
            "const A: [f32; 2] = [1, 2];",
            "`[f32; 2]`: `A` is `[f32; 2]`, and a constant is a number, a truth value or a size",
        ),
        ("const A: f32 = true;", "`true`: the constant `A` is `f32`, but this is `bool`"),
        ("const A: i32 = 2.5;", "`2.5`: the constant `A` is `i32`, but this is a floating-point number"),
        ("const A: f32 = B;", "`B`: unknown name `B`"),
        ("const A: u8 = 256; const B: u8 = A;", "`256`: the literal 256 does not fit `u8`"),
        ("const A: f32 = 2; const A: f32 = 3;", "`A`: `A` is defined twice"),
        (
            "const A: f32 = 2; fn f(A: f32) -> f32 { A }",
            "`A`: `A` is a constant of this `lift!`, and nothing else can have its name",
        ),
        (
            "const A: i32 = 2; fn f<const N: usize>(a: [f32; N]) -> [f32; N] { split(A, a) >> join }",
            "`A`: `A` is a constant of type `i32`, and a size is needed here",
        ),
        (
            "const A: usize = 2; fn f(x: f32) -> f32 { A * x }",
            "`A`: `*` takes operands of one type, but this is a size, an integer",
        ),
    ] {
        let found = mistakes(text);
        assert_eq!(found.lines().next(), Some(expected), "{text}: {found}");
        assert_eq!(found.lines().filter(|line| !line.starts_with("help: ")).count(), 1, "{text}: {found}");
    }
}
