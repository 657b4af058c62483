//! Functions of a number and an exponent, which is an integer of a type of its own.
//!
//! They return `None` where the types are such that inference never lets them through.

use super::scalar::wrap;
use super::value::Value;
use crate::ir::half_precision::round_to_half;
use crate::ir::primitive::builtin::Builtin;

/// The value of a function of a number and an exponent; `None` also for any other function.
pub(super) fn of_exponent(builtin: Builtin, arguments: &[Value]) -> Option<Value> {
    let [number, Value::Integer(ty, exponent)] = arguments else { return None };
    if builtin.exponent() != Some(*ty) {
        return None;
    }
    if let (Builtin::WrappingPow, Value::Integer(scalar, base)) = (builtin, number) {
        // The lower 128 bits of the power hold those of every type.
        return wrap(*scalar, base.wrapping_pow(u32::try_from(*exponent).ok()?));
    }
    let exponent = i32::try_from(*exponent).ok()?;
    let function: fn(f64, i32) -> f64 = match builtin {
        Builtin::Powi => |x, exponent| x.powf(exponent.into()),
        Builtin::Ldexp => ldexp,
        _ => return None,
    };
    match number {
        Value::F16(x) => Some(Value::F16(round_to_half(function((*x).into(), exponent)))),
        Value::F32(x) => Some(Value::F32(function((*x).into(), exponent) as f32)),
        Value::F64(x) => Some(Value::F64(function(*x, exponent))),
        _ => None,
    }
}

/// `x * 2^exponent`, rounded once. A step before the last one rounds only what the last one makes zero.
fn ldexp(x: f64, exponent: i32) -> f64 {
    // No two floats are more than 2200 places apart.
    let (mut scaled, mut exponent) = (x, exponent.clamp(-2200, 2200));
    while exponent > 1023 {
        scaled *= 2f64.powi(1023);
        exponent -= 1023;
    }
    while exponent < -1022 {
        scaled *= 2f64.powi(-969);
        exponent += 969;
    }
    scaled * 2f64.powi(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::scalar::ScalarType;

    #[test]
    fn scaled_numbers_are_rounded_once() {
        let least = f64::from_bits(1);
        assert_eq!((ldexp(least, 1074), ldexp(1.0, -1074), ldexp(1.0, -1076)), (1.0, least, 0.0));
        assert_eq!((ldexp(least, 2097), ldexp(f64::MAX, -2098)), (2f64.powi(1023), least));
        assert_eq!((ldexp(3.0, i32::MAX), ldexp(-0.0, i32::MIN).to_bits()), (f64::INFINITY, 1 << 63));
        // Halfway between two numbers, and a bit above: rounding twice would make both even.
        let halves = [0x1_8000_0000u64, 0x1_8000_0001].map(|digits| digits as f64);
        assert_eq!(halves.map(|x| ldexp(x, -32 - 1074).to_bits()), [2, 2]);
        assert_eq!(ldexp(2.5f64 + 2f64.powi(-40), -1074).to_bits(), 3);
        assert!(ldexp(f64::NAN, 3).is_nan());
    }

    #[test]
    fn exponents_have_a_type_of_their_own() {
        let exponent = |ty, value| Value::Integer(ty, value);
        let (signed, unsigned) = (ScalarType::I32, ScalarType::U32);
        let of = |builtin, x, k| of_exponent(builtin, &[x, k]);
        assert_eq!(of(Builtin::Powi, Value::F32(-2.0), exponent(signed, -3)), Some(Value::F32(-0.125)));
        assert_eq!(of(Builtin::Powi, Value::F32(0.0), exponent(signed, -1)), Some(Value::F32(f32::INFINITY)));
        assert_eq!(
            of(Builtin::Ldexp, Value::F32(1.5), exponent(signed, 127)),
            Some(Value::F32(1.5 * 2f32.powi(127)))
        );
        assert_eq!(
            of(Builtin::Ldexp, Value::F16(1.0), exponent(signed, 16)),
            Some(Value::F16(f32::INFINITY))
        );
        let byte = |x| Value::Integer(ScalarType::I8, x);
        assert_eq!(of(Builtin::WrappingPow, byte(-3), exponent(unsigned, 5)), Some(byte(13)));
        assert_eq!(of(Builtin::WrappingPow, byte(0), exponent(unsigned, 0)), Some(byte(1)));
        assert_eq!(of(Builtin::WrappingPow, byte(3), exponent(signed, 5)), None);
    }
}
