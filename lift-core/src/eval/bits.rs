//! Functions on the bits of integers and floats.
//!
//! They return `None` where the types are such that inference never lets them through.

use super::scalar::wrap;
use super::value::Value;
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::ScalarType;

/// The value of a function on bits; `None` also for any other function.
pub(super) fn on_bits(builtin: Builtin, arguments: &[Value]) -> Option<Value> {
    match arguments {
        [Value::Integer(scalar, x), Value::Integer(other, y)] if scalar == other => {
            on_two(builtin, *scalar, *x, *y)
        }
        [Value::Integer(scalar, x)] => on_one(builtin, *scalar, *x),
        [Value::F32(x)] if builtin == Builtin::ToBits => {
            Some(Value::Integer(ScalarType::U32, x.to_bits().into()))
        }
        [Value::F64(x)] if builtin == Builtin::ToBits => {
            Some(Value::Integer(ScalarType::U64, x.to_bits().into()))
        }
        _ => None,
    }
}

/// The width of a type, and the bits of a number of that type.
fn bits_of(scalar: ScalarType, x: i128) -> (u32, u128) {
    let width = 8 * u32::from(scalar.known_bytes().unwrap_or(8));
    (width, x as u128 & ((1 << width) - 1))
}

fn on_two(builtin: Builtin, scalar: ScalarType, x: i128, y: i128) -> Option<Value> {
    let (width, bits) = bits_of(scalar, x);
    let count = u32::try_from(y.rem_euclid(width.into())).ok()?;
    let rotated_up = |count: u32| ((bits << count) | (bits >> (width - count))) as i128;
    let result = match builtin {
        Builtin::Shl => (bits << count) as i128,
        // A negative number goes on with its sign.
        Builtin::Shr => x >> count,
        Builtin::Rotl => rotated_up(count),
        Builtin::Rotr => rotated_up((width - count) % width),
        Builtin::MulHi => match x >= 0 && y >= 0 {
            // The product of two unsigned numbers of 64 bits needs 128.
            true => ((x as u128 * y as u128) >> width) as i128,
            false => x.wrapping_mul(y) >> width,
        },
        _ => return None,
    };
    wrap(scalar, result)
}

fn on_one(builtin: Builtin, scalar: ScalarType, x: i128) -> Option<Value> {
    let (width, bits) = bits_of(scalar, x);
    let count = match builtin {
        Builtin::Popcount => bits.count_ones(),
        Builtin::LeadingZeros => bits.leading_zeros() - (u128::BITS - width),
        Builtin::TrailingZeros => bits.trailing_zeros().min(width),
        Builtin::FromBits => return from_bits(scalar, x),
        _ => return None,
    };
    wrap(scalar, count.into())
}

fn from_bits(scalar: ScalarType, x: i128) -> Option<Value> {
    match scalar {
        ScalarType::U32 => u32::try_from(x).ok().map(f32::from_bits).map(Value::F32),
        ScalarType::U64 => u64::try_from(x).ok().map(f64::from_bits).map(Value::F64),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(builtin: Builtin, scalar: ScalarType, arguments: &[i128]) -> Option<i128> {
        let arguments: Vec<Value> = arguments.iter().map(|x| Value::Integer(scalar, *x)).collect();
        match on_bits(builtin, &arguments)? {
            Value::Integer(of, result) if of == scalar => Some(result),
            _ => None,
        }
    }

    #[test]
    fn shifts_and_rotations_take_their_counts_modulo_the_width() {
        let cases = [
            (Builtin::Shl, ScalarType::U8, [0x81, 9], 2),
            (Builtin::Shl, ScalarType::I8, [1, 7], -128),
            (Builtin::Shl, ScalarType::U64, [u64::MAX.into(), 63], 1 << 63),
            (Builtin::Shr, ScalarType::I16, [-4, 1], -2),
            (Builtin::Shr, ScalarType::I16, [-1, -1], -1),
            (Builtin::Shr, ScalarType::U16, [0x8000, 31], 1),
            (Builtin::Rotl, ScalarType::U32, [0x8000_0001, 33], 3),
            (Builtin::Rotl, ScalarType::I32, [7, 32], 7),
            (Builtin::Rotr, ScalarType::U8, [1, 1], 128),
            (Builtin::Rotr, ScalarType::I64, [1, 0], 1),
            (Builtin::Rotr, ScalarType::I64, [1, 1], i64::MIN.into()),
        ];
        for (builtin, scalar, arguments, expected) in cases {
            assert_eq!(applied(builtin, scalar, &arguments), Some(expected), "{builtin} of {arguments:?}");
        }
    }

    #[test]
    fn the_upper_half_of_a_product_is_that_of_the_exact_one() {
        let most = i128::from(u64::MAX);
        assert_eq!(applied(Builtin::MulHi, ScalarType::U64, &[most, most]), Some(most - 1));
        let least = i128::from(i64::MIN);
        assert_eq!(applied(Builtin::MulHi, ScalarType::I64, &[least, least]), Some(1 << 62));
        assert_eq!(applied(Builtin::MulHi, ScalarType::I8, &[-1, 1]), Some(-1));
        assert_eq!(applied(Builtin::MulHi, ScalarType::U16, &[0x1234, 0x100]), Some(0x12));
    }

    #[test]
    fn bits_are_counted_in_the_width_of_the_type() {
        let counts = |scalar, x| {
            let count = |builtin| applied(builtin, scalar, &[x]);
            [Builtin::Popcount, Builtin::LeadingZeros, Builtin::TrailingZeros].map(count)
        };
        assert_eq!(counts(ScalarType::I8, -128), [Some(1), Some(0), Some(7)]);
        assert_eq!(counts(ScalarType::U16, 0), [Some(0), Some(16), Some(16)]);
        assert_eq!(counts(ScalarType::I64, -1), [Some(64), Some(0), Some(0)]);
        assert_eq!(counts(ScalarType::U32, 12), [Some(2), Some(28), Some(2)]);
    }

    #[test]
    fn floats_and_their_bits_are_of_one_width() {
        assert_eq!(
            on_bits(Builtin::ToBits, &[Value::F32(1.0)]),
            Some(Value::Integer(ScalarType::U32, 0x3f80_0000))
        );
        let bits = Value::Integer(ScalarType::U64, (-2f64).to_bits().into());
        assert_eq!(on_bits(Builtin::ToBits, &[Value::F64(-2.0)]), Some(bits.clone()));
        assert_eq!(on_bits(Builtin::FromBits, &[bits]), Some(Value::F64(-2.0)));
        assert_eq!(on_bits(Builtin::FromBits, &[Value::Integer(ScalarType::I32, 0)]), None);
    }
}
