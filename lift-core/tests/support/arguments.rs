//! Values for the parameters of random programs.

use lift_core::eval::{Argument, Value};
use lift_core::ir::scalar::ScalarType;

use super::types::{Element, Scalar, Type};

/// Numbers that are followed are integers of at most this magnitude in arguments.
pub(crate) const INPUT: f64 = 6.0;

/// Floats at the edges, on which comparisons and conversions are defined: no result depends on which NaN it
/// is, nor on how small numbers are rounded.
const EDGES: [f64; 10] =
    [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1.5, -2147483648.0, 16777216.0];

/// The largest number of half precision.
const LARGEST_HALF: f64 = 65504.0;

/// A sequence of numbers (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut state = self.0;
        state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        state ^ (state >> 31)
    }
}

/// Numbers that look random, for a type.
pub(crate) fn argument(ty: &Type, salt: usize) -> Argument {
    Argument::Value(value(ty, &mut Numbers(salt as u64)))
}

fn value(ty: &Type, numbers: &mut Numbers) -> Value {
    match ty {
        Type::Array(element, length) => {
            Value::Array((0..length.value()).map(|_| value(element, numbers)).collect())
        }
        Type::Tuple(components) => Value::Tuple(components.iter().map(|ty| value(ty, numbers)).collect()),
        Type::Vector(scalar, width) => Value::Vector((0..*width).map(|_| number(*scalar, numbers)).collect()),
        Type::Scalar(scalar) => number(*scalar, numbers),
    }
}

fn number(Scalar { element, bound }: Scalar, numbers: &mut Numbers) -> Value {
    let random = numbers.next();
    let small = (random >> 32) as i128 % (2 * INPUT as i128 + 1) - INPUT as i128;
    let any = bound.is_infinite();
    match (element, element.limits()) {
        (Element::F64, _) => Value::F64(if any { edge(random) } else { small as f64 }),
        (Element::F16, _) if any && edge(random).is_finite() => {
            Value::F16(edge(random).clamp(-LARGEST_HALF, LARGEST_HALF) as f32)
        }
        (Element::F16, _) => Value::F16(if any { edge(random) as f32 } else { small as f32 }),
        (Element::F32, _) => Value::F32(if any { edge(random) as f32 } else { small as f32 }),
        (_, Some(limits)) if any => integer(element, any_integer(limits, random)),
        (_, Some((least, _))) => integer(element, if least == 0 { small.abs() } else { small }),
        (_, None) => Value::Bool(random & 1 == 1),
    }
}

fn edge(random: u64) -> f64 {
    EDGES[(random % EDGES.len() as u64) as usize]
}

/// Any integer, every second time one of the first and last.
fn any_integer((least, greatest): (i128, i128), random: u64) -> i128 {
    match random % 8 {
        0 => least,
        1 => greatest,
        2 => greatest - i128::from(random >> 62),
        3 => least + i128::from(random >> 62),
        _ => least + i128::from(random >> 3) % (greatest - least + 1),
    }
}

fn integer(element: Element, value: i128) -> Value {
    Value::Integer(ScalarType::from_name(element.name()).expect("the name of a type"), value)
}
