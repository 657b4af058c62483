//! The values of Rust's constants of scalar types. Those of `f16` are defined by its format (IEEE 754,
//! binary16), because Rust has no such type in all its versions.

use crate::front::infer::constants::Value;
use crate::ir::half_precision::round_to_half;
use crate::ir::scalar::ScalarType;

/// The constants in the modules `consts`: name, value as an `f32`, value as an `f64`.
const CONSTS: [(&str, f32, f64); 21] = {
    macro_rules! row {
        ($name:ident) => {
            (stringify!($name), std::f32::consts::$name, std::f64::consts::$name)
        };
    }
    [
        row!(E),
        row!(EULER_GAMMA),
        row!(FRAC_1_PI),
        row!(FRAC_1_SQRT_2),
        row!(FRAC_2_PI),
        row!(FRAC_2_SQRT_PI),
        row!(FRAC_PI_2),
        row!(FRAC_PI_3),
        row!(FRAC_PI_4),
        row!(FRAC_PI_6),
        row!(FRAC_PI_8),
        row!(GOLDEN_RATIO),
        row!(LN_10),
        row!(LN_2),
        row!(LOG10_2),
        row!(LOG10_E),
        row!(LOG2_10),
        row!(LOG2_E),
        row!(PI),
        row!(SQRT_2),
        row!(TAU),
    ]
};

/// The names of the constants of integers.
const OF_INTEGERS: [&str; 3] = ["MIN", "MAX", "BITS"];

/// The names of the constants of floats.
const OF_FLOATS: [&str; 14] = [
    "MIN",
    "MAX",
    "MIN_POSITIVE",
    "EPSILON",
    "INFINITY",
    "NEG_INFINITY",
    "NAN",
    "RADIX",
    "DIGITS",
    "MANTISSA_DIGITS",
    "MIN_EXP",
    "MAX_EXP",
    "MIN_10_EXP",
    "MAX_10_EXP",
];

/// The constant of a type in its module `consts`.
pub(super) fn of_consts(ty: ScalarType, name: &str) -> Option<Value> {
    let (_, single, double) = CONSTS.iter().find(|(known, ..)| *known == name)?;
    Some(Value::Float(match ty {
        ScalarType::F16 => round_to_half(*double).into(),
        ScalarType::F32 => f64::from(*single),
        _ => *double,
    }))
}

/// The names of all constants in a module `consts`.
pub(super) fn names_of_consts() -> Vec<&'static str> {
    CONSTS.iter().map(|(name, ..)| *name).collect()
}

/// The constant of a type, with its own type.
pub(super) fn of_type(ty: ScalarType, name: &str) -> Option<(Value, ScalarType)> {
    if let Some((least, greatest)) = ty.integer_limits() {
        // A type that has numbers below zero has one bit for the sign.
        let bits = 128 - (greatest - least).leading_zeros();
        return match name {
            "MIN" => Some((Value::Integer(least), ty)),
            "MAX" => Some((Value::Integer(greatest), ty)),
            "BITS" => Some((Value::Integer(bits.into()), ScalarType::U32)),
            _ => None,
        };
    }
    if let Some(number) = float(ty, name) {
        return Some((Value::Float(number), ty));
    }
    exponent_or_digits(ty, name)
}

/// The names of all constants of a type.
pub(super) fn names_of_type(ty: ScalarType) -> Vec<&'static str> {
    match ty {
        _ if ty.is_integer() => OF_INTEGERS.to_vec(),
        _ if ty.is_float() => OF_FLOATS.to_vec(),
        _ => Vec::new(),
    }
}

/// The constant of a type of floats that is such a float.
fn float(ty: ScalarType, name: &str) -> Option<f64> {
    let (greatest, least_positive, epsilon) = match ty {
        ScalarType::F16 => (65504.0, 2f64.powi(-14), 2f64.powi(-10)),
        ScalarType::F32 => (f32::MAX.into(), f32::MIN_POSITIVE.into(), f32::EPSILON.into()),
        ScalarType::F64 => (f64::MAX, f64::MIN_POSITIVE, f64::EPSILON),
        _ => return None,
    };
    Some(match name {
        "MIN" => -greatest,
        "MAX" => greatest,
        "MIN_POSITIVE" => least_positive,
        "EPSILON" => epsilon,
        "INFINITY" => f64::INFINITY,
        "NEG_INFINITY" => f64::NEG_INFINITY,
        "NAN" => f64::NAN,
        _ => return None,
    })
}

/// The constant of a type of floats that is an integer.
fn exponent_or_digits(ty: ScalarType, name: &str) -> Option<(Value, ScalarType)> {
    let (digits, exponents) = match ty {
        ScalarType::F16 => ([2, 3, 11], [-13, 16, -4, 4]),
        ScalarType::F32 => (
            [f32::RADIX, f32::DIGITS, f32::MANTISSA_DIGITS],
            [f32::MIN_EXP, f32::MAX_EXP, f32::MIN_10_EXP, f32::MAX_10_EXP],
        ),
        ScalarType::F64 => (
            [f64::RADIX, f64::DIGITS, f64::MANTISSA_DIGITS],
            [f64::MIN_EXP, f64::MAX_EXP, f64::MIN_10_EXP, f64::MAX_10_EXP],
        ),
        _ => return None,
    };
    let ([radix, decimals, bits], [least, greatest, least_of_10, greatest_of_10]) = (digits, exponents);
    let unsigned = |number: u32| (Value::Integer(number.into()), ScalarType::U32);
    let signed = |number: i32| (Value::Integer(number.into()), ScalarType::I32);
    Some(match name {
        "RADIX" => unsigned(radix),
        "DIGITS" => unsigned(decimals),
        "MANTISSA_DIGITS" => unsigned(bits),
        "MIN_EXP" => signed(least),
        "MAX_EXP" => signed(greatest),
        "MIN_10_EXP" => signed(least_of_10),
        "MAX_10_EXP" => signed(greatest_of_10),
        _ => return None,
    })
}
