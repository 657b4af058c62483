//! The values of expressions.

use crate::ir::scalar::ScalarType;

/// A value of the language. Arrays and tuples are trees of values: slow, but obviously correct.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer in the range of its type, which is one of the eight integer types.
    Integer(ScalarType, i128),
    /// A half precision number, as an `f32` that half precision can represent.
    F16(f32),
    /// A single precision number.
    F32(f32),
    /// A double precision number.
    F64(f64),
    /// A size or an index, as a number of the algebra of sizes.
    Size(i128),
    /// A vector: numbers or truth values of one type.
    Vector(Vec<Value>),
    /// A tuple of two or more.
    Tuple(Vec<Value>),
    /// An array; its elements are of one type, whose sizes may depend on the position.
    Array(Vec<Value>),
}

impl Value {
    /// An array of `i32`.
    pub fn i32_array(elements: impl IntoIterator<Item = i32>) -> Value {
        Value::Array(elements.into_iter().map(Value::from).collect())
    }

    /// An array of `f32`.
    pub fn f32_array(elements: impl IntoIterator<Item = f32>) -> Value {
        Value::Array(elements.into_iter().map(Value::from).collect())
    }

    /// The elements of an array.
    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Value::Array(elements) => Some(elements),
            Value::Bool(_)
            | Value::Integer(..)
            | Value::F16(_)
            | Value::F32(_)
            | Value::F64(_)
            | Value::Size(_)
            | Value::Vector(_)
            | Value::Tuple(_) => None,
        }
    }

    /// The type of a number or truth value; `None` for sizes, vectors, tuples and arrays.
    pub fn scalar_type(&self) -> Option<ScalarType> {
        match self {
            Value::Bool(_) => Some(ScalarType::Bool),
            Value::Integer(scalar, _) => Some(*scalar),
            Value::F16(_) => Some(ScalarType::F16),
            Value::F32(_) => Some(ScalarType::F32),
            Value::F64(_) => Some(ScalarType::F64),
            Value::Size(_) | Value::Vector(_) | Value::Tuple(_) | Value::Array(_) => None,
        }
    }

    /// The innermost scalars, in row-major order: the contents of a dense buffer.
    pub fn flatten(&self) -> Vec<Value> {
        match self {
            Value::Vector(parts) | Value::Tuple(parts) | Value::Array(parts) => {
                parts.iter().flat_map(Value::flatten).collect()
            }
            Value::Bool(_)
            | Value::Integer(..)
            | Value::F16(_)
            | Value::F32(_)
            | Value::F64(_)
            | Value::Size(_) => vec![self.clone()],
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl From<i32> for Value {
    fn from(value: i32) -> Value {
        Value::Integer(ScalarType::I32, value.into())
    }
}

impl From<f32> for Value {
    fn from(value: f32) -> Value {
        Value::F32(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value::F64(value)
    }
}

/// Rounds to half precision, ties to even (IEEE 754, section 4.3.1); values beyond its range become infinite.
pub(super) fn round_to_half(value: f64) -> f32 {
    const SMALLEST_NORMAL_EXPONENT: i32 = -14;
    const FRACTION_BITS: i32 = 10;
    const OVERFLOW: f64 = 65520.0;
    if value == 0.0 || !value.is_finite() {
        return value as f32;
    }
    if value.abs() >= OVERFLOW {
        return f32::INFINITY.copysign(value as f32);
    }
    let exponent = exponent_of(value).max(SMALLEST_NORMAL_EXPONENT);
    let unit = 2f64.powi(exponent - FRACTION_BITS);
    ((value / unit).round_ties_even() * unit) as f32
}

/// The exponent `e` of a finite number other than zero, so that `2^e <= |value| < 2^(e + 1)`. It may be
/// smaller for numbers below the range of half precision.
fn exponent_of(value: f64) -> i32 {
    const FRACTION_BITS: u32 = 52;
    const EXPONENT_MASK: u64 = 0x7ff;
    const BIAS: i32 = 1023;
    ((value.to_bits() >> FRACTION_BITS) & EXPONENT_MASK) as i32 - BIAS
}

#[cfg(test)]
mod tests {
    use super::round_to_half;

    #[test]
    fn rounding_to_half_precision_keeps_eleven_bits_and_ties_to_even() {
        let cases = [
            (0.0, 0.0),
            (1.0, 1.0),
            (2049.0, 2048.0),
            (2051.0, 2052.0),
            (65504.0, 65504.0),
            (65519.0, 65504.0),
            (65520.0, f32::INFINITY),
            (-1.0e9, f32::NEG_INFINITY),
            (0.1, 0.099_975_586),
            // The smallest subnormal number is 2^-24; half of it ties to zero.
            (5.960_464_477_539_063e-8, 5.960_464_5e-8),
            (2.980_232_238_769_531_3e-8, 0.0),
        ];
        for (value, expected) in cases {
            assert_eq!(round_to_half(value), expected, "{value}");
        }
        assert!(round_to_half(f64::NAN).is_nan());
    }
}
