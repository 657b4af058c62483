//! Rust's constants of scalar types by their paths.

use lift_core::front::infer::{Value, infer_items};
use lift_core::front::syntax::Input;
use lift_parser::parse_text;

use crate::support::{elaborated, mistakes};

/// The value of a path, by way of a constant with its type.
fn value(ty: &str, path: &str) -> Value {
    let parsed = parse_text(&format!("const A: {ty} = {path};"));
    let Some(Input::Items(items)) = &parsed.input else { panic!("{path}: {:?}", parsed.errors) };
    let items = infer_items(items).unwrap_or_else(|errors| panic!("{path}: {errors:?}"));
    items.constants.last().unwrap_or_else(|| panic!("{path}")).value
}

#[test]
fn constants_of_rust_have_their_values() {
    let pi = std::f64::consts::PI;
    for (ty, path, expected) in [
        ("i8", "i8::MIN", Value::Integer(i8::MIN.into())),
        ("u16", "u16::MAX", Value::Integer(u16::MAX.into())),
        ("i64", "i64::MIN", Value::Integer(i64::MIN.into())),
        ("u64", "core::u64::MAX", Value::Integer(u64::MAX.into())),
        ("u32", "u8::BITS + i64::BITS", Value::Integer(72)),
        ("usize", "u8::BITS * 4", Value::Integer(32)),
        ("f32", "f32::MAX", Value::Float(f32::MAX.into())),
        ("f64", "f64::MIN", Value::Float(f64::MIN)),
        ("f32", "f32::MIN_POSITIVE", Value::Float(f32::MIN_POSITIVE.into())),
        ("f64", "f64::EPSILON", Value::Float(f64::EPSILON)),
        ("f32", "-f32::INFINITY", Value::Float(f64::NEG_INFINITY)),
        ("f64", "f64::NEG_INFINITY", Value::Float(f64::NEG_INFINITY)),
        ("bool", "f32::NAN == f32::NAN", Value::Bool(false)),
        ("f16", "f16::MAX", Value::Float(65504.0)),
        ("f16", "f16::EPSILON", Value::Float(0.000_976_562_5)),
        ("u32", "f64::MANTISSA_DIGITS", Value::Integer(53)),
        ("i32", "f32::MIN_EXP", Value::Integer(f32::MIN_EXP.into())),
        ("f32", "std::f32::consts::PI", Value::Float(std::f32::consts::PI.into())),
        ("f64", "core::f64::consts::PI / 2", Value::Float(pi / 2.0)),
        ("f64", "f64::consts::LOG2_E", Value::Float(std::f64::consts::LOG2_E)),
        ("f16", "std::f16::consts::PI", Value::Float(3.140_625)),
    ] {
        assert_eq!(value(ty, path), expected, "{path}");
    }
}

#[test]
fn a_path_has_the_type_of_its_constant() {
    let written = "lift!(|a: [f32; N]| map(|x| x * 3.1415927f32, a))";
    let path = "lift!(|a: [f32; N]| map(|x| x * std::f32::consts::PI, a))";
    let inside = |text: &str| elaborated(text.trim_start_matches("lift!(").trim_end_matches(')'));
    assert_eq!(inside(path), inside(written));
    let found = mistakes("|a: [f32; N]| map(|x| x * std::f64::consts::PI, a)");
    assert!(found.contains("operands of one type"), "{found}");
}

#[test]
fn a_path_that_leads_nowhere_names_those_that_do() {
    for (path, expected) in [
        ("std::f32::consts::FRAC_PI_5", "there is a similar name: `std::f32::consts::FRAC_PI_2`"),
        ("u8::EPSILON", "`u8` has MIN, MAX and BITS"),
        ("f23::MAX", "there is a similar name: `f32::MAX`"),
        ("bool::MAX", "paths are those of constants of scalars, such as `f32::MAX`"),
        (
            "usize::MAX",
            "paths are those of constants of scalars, such as `u64::MAX`; write a size as a number",
        ),
        ("config::RADIUS", "for another one write `use config::RADIUS;` in Rust, and `RADIUS` here"),
        ("f32::powf(2.0, 3.0)", "`powf` is written `pow(x, y)`"),
    ] {
        let found = mistakes(&format!("map(|x| x * {path}, a)"));
        assert!(found.contains(expected), "{path}: {found}");
    }
}
