//! Literals, operators and casts on scalars and, component by component, on vectors.
//!
//! Integers wrap at their width, as on every backend. Integer division by zero has a value: `x / 0` is `0`
//! and `x % 0` is `x`. Floats are computed in their own precision. A function returns `None` where its
//! operands have types that inference never combines.

use super::value::Value;
use crate::ir::half_precision::round_to_half;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType, UnaryOperator};

/// The value of a literal with this type. An integer literal may be a float.
pub(super) fn literal(literal: &Literal, scalar: ScalarType) -> Option<Value> {
    match (literal, scalar) {
        (Literal::Bool(value), ScalarType::Bool) => Some(Value::Bool(*value)),
        (Literal::Integer(value), ScalarType::F16) => Some(Value::F16(round_to_half(*value as f64))),
        (Literal::Integer(value), ScalarType::F32) => Some(Value::F32(*value as f32)),
        (Literal::Integer(value), ScalarType::F64) => Some(Value::F64(*value as f64)),
        (Literal::Integer(value), scalar) => wrap(scalar, *value),
        (Literal::Float(digits), ScalarType::F16) => digits.parse().ok().map(round_to_half).map(Value::F16),
        (Literal::Float(digits), ScalarType::F32) => digits.parse().ok().map(Value::F32),
        (Literal::Float(digits), ScalarType::F64) => digits.parse().ok().map(Value::F64),
        (Literal::Bool(_) | Literal::Float(_), _) => None,
    }
}

/// An integer, wrapped to the width of an integer type.
pub(super) fn wrap(scalar: ScalarType, value: i128) -> Option<Value> {
    let wrapped = match scalar {
        ScalarType::I8 => i128::from(value as i8),
        ScalarType::U8 => i128::from(value as u8),
        ScalarType::I16 => i128::from(value as i16),
        ScalarType::U16 => i128::from(value as u16),
        ScalarType::I32 => i128::from(value as i32),
        ScalarType::U32 => i128::from(value as u32),
        ScalarType::I64 => i128::from(value as i64),
        ScalarType::U64 => i128::from(value as u64),
        ScalarType::Bool | ScalarType::F16 | ScalarType::F32 | ScalarType::F64 | ScalarType::Parameter(_) => {
            return None;
        }
    };
    Some(Value::Integer(scalar, wrapped))
}

/// An operator with one operand.
pub(super) fn unary(operator: UnaryOperator, operand: Value) -> Option<Value> {
    match (operator, operand) {
        (operator, Value::Vector(lanes)) => {
            lanes.into_iter().map(|lane| unary(operator, lane)).collect::<Option<_>>().map(Value::Vector)
        }
        (UnaryOperator::Negate, Value::Integer(scalar, value)) => wrap(scalar, value.wrapping_neg()),
        (UnaryOperator::Negate, Value::F16(value)) => Some(Value::F16(-value)),
        (UnaryOperator::Negate, Value::F32(value)) => Some(Value::F32(-value)),
        (UnaryOperator::Negate, Value::F64(value)) => Some(Value::F64(-value)),
        (UnaryOperator::Negate, Value::Size(value)) => value.checked_neg().map(Value::Size),
        (UnaryOperator::Not, Value::Bool(value)) => Some(Value::Bool(!value)),
        (UnaryOperator::Not, Value::Integer(scalar, value)) => wrap(scalar, !value),
        (
            UnaryOperator::Not,
            Value::F16(_)
            | Value::F32(_)
            | Value::F64(_)
            | Value::Size(_)
            | Value::Tuple(_)
            | Value::Array(_),
        )
        | (UnaryOperator::Negate, Value::Bool(_) | Value::Tuple(_) | Value::Array(_)) => None,
    }
}

/// An operator with two operands of one type.
pub(super) fn binary(operator: BinaryOperator, left: Value, right: Value) -> Option<Value> {
    match (left, right) {
        (Value::Vector(left), Value::Vector(right)) if left.len() == right.len() => {
            let lanes = left.into_iter().zip(right).map(|(left, right)| binary(operator, left, right));
            lanes.collect::<Option<_>>().map(Value::Vector)
        }
        (Value::Bool(left), Value::Bool(right)) => on_truth_values(operator, left, right),
        (Value::Integer(scalar, left), Value::Integer(other, right)) if scalar == other => {
            if let Some(result) = compare(operator, &left, &right) {
                return Some(result);
            }
            wrap(scalar, on_integers(operator, left, right)?)
        }
        (Value::F16(left), Value::F16(right)) => compare(operator, &left, &right).or_else(|| {
            // Double precision has more than twice the digits of half precision. So rounding its result is
            // the same as rounding the exact result.
            let result = on_doubles(operator, left.into(), right.into())?;
            Some(Value::F16(round_to_half(result)))
        }),
        (Value::F32(left), Value::F32(right)) => {
            compare(operator, &left, &right).or_else(|| on_singles(operator, left, right).map(Value::F32))
        }
        (Value::F64(left), Value::F64(right)) => {
            compare(operator, &left, &right).or_else(|| on_doubles(operator, left, right).map(Value::F64))
        }
        (Value::Size(left), Value::Size(right)) => {
            compare(operator, &left, &right).or_else(|| on_sizes(operator, left, right).map(Value::Size))
        }
        _ => None,
    }
}

/// Logic and comparisons of truth values, where `false < true`.
fn on_truth_values(operator: BinaryOperator, left: bool, right: bool) -> Option<Value> {
    match operator {
        BinaryOperator::And | BinaryOperator::BitAnd => Some(Value::Bool(left && right)),
        BinaryOperator::Or | BinaryOperator::BitOr => Some(Value::Bool(left || right)),
        BinaryOperator::BitXor => Some(Value::Bool(left != right)),
        BinaryOperator::Add
        | BinaryOperator::Subtract
        | BinaryOperator::Multiply
        | BinaryOperator::Divide
        | BinaryOperator::Remainder
        | BinaryOperator::Equal
        | BinaryOperator::NotEqual
        | BinaryOperator::Less
        | BinaryOperator::LessOrEqual
        | BinaryOperator::Greater
        | BinaryOperator::GreaterOrEqual => compare(operator, &left, &right),
    }
}

/// The result of a comparison; `None` for other operators.
fn compare<T: PartialOrd>(operator: BinaryOperator, left: &T, right: &T) -> Option<Value> {
    let holds = match operator {
        BinaryOperator::Equal => left == right,
        BinaryOperator::NotEqual => left != right,
        BinaryOperator::Less => left < right,
        BinaryOperator::LessOrEqual => left <= right,
        BinaryOperator::Greater => left > right,
        BinaryOperator::GreaterOrEqual => left >= right,
        BinaryOperator::Add
        | BinaryOperator::Subtract
        | BinaryOperator::Multiply
        | BinaryOperator::Divide
        | BinaryOperator::Remainder
        | BinaryOperator::BitAnd
        | BinaryOperator::BitXor
        | BinaryOperator::BitOr
        | BinaryOperator::And
        | BinaryOperator::Or => return None,
    };
    Some(Value::Bool(holds))
}

/// Operators on integers before the result is wrapped; division truncates.
fn on_integers(operator: BinaryOperator, left: i128, right: i128) -> Option<i128> {
    match operator {
        BinaryOperator::Add => Some(left.wrapping_add(right)),
        BinaryOperator::Subtract => Some(left.wrapping_sub(right)),
        // The low bits of a product are right however often the product wraps.
        BinaryOperator::Multiply => Some(left.wrapping_mul(right)),
        BinaryOperator::Divide => Some(left.checked_div(right).unwrap_or(0)),
        BinaryOperator::Remainder => Some(left.checked_rem(right).unwrap_or(left)),
        // The sign of a negative number goes on in all higher bits.
        BinaryOperator::BitAnd => Some(left & right),
        BinaryOperator::BitXor => Some(left ^ right),
        BinaryOperator::BitOr => Some(left | right),
        BinaryOperator::Equal
        | BinaryOperator::NotEqual
        | BinaryOperator::Less
        | BinaryOperator::LessOrEqual
        | BinaryOperator::Greater
        | BinaryOperator::GreaterOrEqual
        | BinaryOperator::And
        | BinaryOperator::Or => None,
    }
}

/// Arithmetic in the algebra of sizes: no wrapping, Euclidean division.
fn on_sizes(operator: BinaryOperator, left: i128, right: i128) -> Option<i128> {
    match operator {
        BinaryOperator::Add => left.checked_add(right),
        BinaryOperator::Subtract => left.checked_sub(right),
        BinaryOperator::Multiply => left.checked_mul(right),
        BinaryOperator::Divide => left.checked_div_euclid(right),
        BinaryOperator::Remainder => left.checked_rem_euclid(right),
        BinaryOperator::BitAnd
        | BinaryOperator::BitXor
        | BinaryOperator::BitOr
        | BinaryOperator::Equal
        | BinaryOperator::NotEqual
        | BinaryOperator::Less
        | BinaryOperator::LessOrEqual
        | BinaryOperator::Greater
        | BinaryOperator::GreaterOrEqual
        | BinaryOperator::And
        | BinaryOperator::Or => None,
    }
}

macro_rules! float_arithmetic {
    ($(#[$documentation:meta])* $name:ident, $float:ty) => {
        $(#[$documentation])*
        fn $name(operator: BinaryOperator, left: $float, right: $float) -> Option<$float> {
            match operator {
                BinaryOperator::Add => Some(left + right),
                BinaryOperator::Subtract => Some(left - right),
                BinaryOperator::Multiply => Some(left * right),
                BinaryOperator::Divide => Some(left / right),
                BinaryOperator::Remainder => Some(left % right),
                BinaryOperator::BitAnd
                | BinaryOperator::BitXor
                | BinaryOperator::BitOr
                | BinaryOperator::Equal
                | BinaryOperator::NotEqual
                | BinaryOperator::Less
                | BinaryOperator::LessOrEqual
                | BinaryOperator::Greater
                | BinaryOperator::GreaterOrEqual
                | BinaryOperator::And
                | BinaryOperator::Or => None,
            }
        }
    };
}

float_arithmetic!(
    /// Arithmetic in single precision; `%` is C's `fmod`.
    on_singles,
    f32
);
float_arithmetic!(
    /// Arithmetic in double precision; `%` is C's `fmod`.
    on_doubles,
    f64
);

/// `value as scalar`, with Rust's meaning.
pub(super) fn cast(scalar: ScalarType, value: Value) -> Option<Value> {
    match value {
        Value::Bool(truth) => cast_integer(scalar, truth.into()),
        Value::Integer(_, integer) | Value::Size(integer) => cast_integer(scalar, integer),
        Value::F16(float) | Value::F32(float) => match scalar {
            ScalarType::F32 => Some(Value::F32(float)),
            _ => cast_float(scalar, float.into()),
        },
        Value::F64(float) => cast_float(scalar, float),
        Value::Vector(lanes) => {
            lanes.into_iter().map(|lane| cast(scalar, lane)).collect::<Option<_>>().map(Value::Vector)
        }
        Value::Tuple(_) | Value::Array(_) => None,
    }
}

fn cast_integer(scalar: ScalarType, integer: i128) -> Option<Value> {
    match scalar {
        // Only a truth value can be cast to one.
        ScalarType::Bool => Some(Value::Bool(integer != 0)),
        ScalarType::F16 => Some(Value::F16(round_to_half(integer as f64))),
        ScalarType::F32 => Some(Value::F32(integer as f32)),
        ScalarType::F64 => Some(Value::F64(integer as f64)),
        ScalarType::I8
        | ScalarType::U8
        | ScalarType::I16
        | ScalarType::U16
        | ScalarType::I32
        | ScalarType::U32
        | ScalarType::I64
        | ScalarType::U64
        | ScalarType::Parameter(_) => wrap(scalar, integer),
    }
}

/// Casts a float. Casts to integers saturate, and NaN becomes zero.
fn cast_float(scalar: ScalarType, float: f64) -> Option<Value> {
    let integer = match scalar {
        ScalarType::F16 => return Some(Value::F16(round_to_half(float))),
        ScalarType::F32 => return Some(Value::F32(float as f32)),
        ScalarType::F64 => return Some(Value::F64(float)),
        ScalarType::I8 => i128::from(float as i8),
        ScalarType::U8 => i128::from(float as u8),
        ScalarType::I16 => i128::from(float as i16),
        ScalarType::U16 => i128::from(float as u16),
        ScalarType::I32 => i128::from(float as i32),
        ScalarType::U32 => i128::from(float as u32),
        ScalarType::I64 => i128::from(float as i64),
        ScalarType::U64 => i128::from(float as u64),
        ScalarType::Bool | ScalarType::Parameter(_) => return None,
    };
    Some(Value::Integer(scalar, integer))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(scalar: ScalarType, value: i128) -> Value {
        Value::Integer(scalar, value)
    }

    #[test]
    fn integer_arithmetic_wraps_at_its_width() {
        use BinaryOperator::{Add, Divide, Multiply, Remainder, Subtract};
        let max = i128::from(u64::MAX);
        let cases = [
            (Add, ScalarType::I8, 127, 1, -128),
            (Subtract, ScalarType::U8, 0, 1, 255),
            (Multiply, ScalarType::U64, max, max, 1),
            (Divide, ScalarType::I32, i128::from(i32::MIN), -1, i128::from(i32::MIN)),
            (Divide, ScalarType::I32, -7, 2, -3),
            (Remainder, ScalarType::I32, -7, 2, -1),
            (Divide, ScalarType::I32, 7, 0, 0),
            (Remainder, ScalarType::I32, 7, 0, 7),
        ];
        for (operator, scalar, left, right, expected) in cases {
            let result = binary(operator, integer(scalar, left), integer(scalar, right));
            assert_eq!(result, Some(integer(scalar, expected)), "{left} {} {right}", operator.symbol());
        }
    }

    #[test]
    fn operators_on_bits_see_the_bits_of_the_type() {
        use BinaryOperator::{BitAnd, BitOr, BitXor};
        let cases = [
            (BitAnd, ScalarType::I8, -128, 127, 0),
            (BitOr, ScalarType::I8, -128, 127, -1),
            (BitXor, ScalarType::I16, -1, 1, -2),
            (BitXor, ScalarType::U64, i128::from(u64::MAX), 1, i128::from(u64::MAX) - 1),
            (BitAnd, ScalarType::U32, 12, 10, 8),
        ];
        for (operator, scalar, left, right, expected) in cases {
            let result = binary(operator, integer(scalar, left), integer(scalar, right));
            assert_eq!(result, Some(integer(scalar, expected)), "{left} {} {right}", operator.symbol());
        }
        let inverted = |scalar, value| unary(UnaryOperator::Not, integer(scalar, value));
        assert_eq!(inverted(ScalarType::U8, 1), Some(integer(ScalarType::U8, 254)));
        assert_eq!(inverted(ScalarType::I8, 127), Some(integer(ScalarType::I8, -128)));
        for (left, right) in [(false, false), (false, true), (true, true)] {
            let of_both = |operator| binary(operator, left.into(), right.into());
            assert_eq!(of_both(BitXor), Some((left != right).into()));
            assert_eq!(of_both(BitAnd), Some((left && right).into()));
            assert_eq!(of_both(BitOr), Some((left || right).into()));
        }
        assert_eq!(binary(BitAnd, Value::F32(1.0), Value::F32(1.0)), None);
    }

    #[test]
    fn single_precision_is_rounded_after_every_operation() {
        let sum = binary(BinaryOperator::Add, Value::F32(16_777_216.0), Value::F32(1.0));
        assert_eq!(sum, Some(Value::F32(16_777_216.0)));
        let half = binary(BinaryOperator::Add, Value::F16(2048.0), Value::F16(1.0));
        assert_eq!(half, Some(Value::F16(2048.0)));
    }

    #[test]
    fn sizes_divide_as_euclid() {
        let divide = |left, right| binary(BinaryOperator::Divide, Value::Size(left), Value::Size(right));
        assert_eq!(divide(-1, 4), Some(Value::Size(-1)));
        assert_eq!(divide(1, 0), None);
        let remainder = binary(BinaryOperator::Remainder, Value::Size(-1), Value::Size(4));
        assert_eq!(remainder, Some(Value::Size(3)));
    }

    #[test]
    fn casts_mean_what_they_mean_in_rust() {
        let cases = [
            (ScalarType::I8, Value::F32(1000.0), integer(ScalarType::I8, 127)),
            (ScalarType::U32, Value::F32(-3.5), integer(ScalarType::U32, 0)),
            (ScalarType::I32, Value::F64(f64::NAN), integer(ScalarType::I32, 0)),
            (ScalarType::U8, integer(ScalarType::I32, -1), integer(ScalarType::U8, 255)),
            (ScalarType::F32, integer(ScalarType::I32, 16_777_217), Value::F32(16_777_216.0)),
            (ScalarType::I32, Value::Bool(true), integer(ScalarType::I32, 1)),
            (ScalarType::F32, Value::Size(7), Value::F32(7.0)),
            (ScalarType::I64, Value::F32(-2.9), integer(ScalarType::I64, -2)),
        ];
        for (scalar, value, expected) in cases {
            assert_eq!(cast(scalar, value.clone()), Some(expected), "{value:?} as {scalar}");
        }
    }

    #[test]
    fn a_literal_takes_the_type_of_its_context() {
        assert_eq!(literal(&Literal::Integer(1), ScalarType::F32), Some(Value::F32(1.0)));
        assert_eq!(literal(&Literal::Integer(300), ScalarType::U8), Some(integer(ScalarType::U8, 44)));
        assert_eq!(literal(&Literal::Float("0.1".into()), ScalarType::F64), Some(Value::F64(0.1)));
        assert_eq!(literal(&Literal::Float("0.1".into()), ScalarType::I32), None);
        assert_eq!(literal(&Literal::Bool(true), ScalarType::Bool), Some(Value::Bool(true)));
    }

    #[test]
    fn comparisons_with_not_a_number_do_not_hold() {
        let nan = Value::F32(f32::NAN);
        assert_eq!(binary(BinaryOperator::Equal, nan.clone(), nan.clone()), Some(Value::Bool(false)));
        assert_eq!(binary(BinaryOperator::NotEqual, nan.clone(), nan), Some(Value::Bool(true)));
    }
}
