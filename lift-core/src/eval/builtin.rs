//! Built-in scalar functions, as OpenCL C defines them.
//!
//! They return `None` where the types or the number of arguments are such that inference never lets them
//! through.

use super::bits::on_bits;
use super::powers::of_exponent;
use super::scalar::{binary, wrap};
use super::special;
use super::value::Value;
use crate::ir::half_precision::round_to_half;
use crate::ir::primitive::builtin::{Builtin, Native};
use crate::ir::scalar::BinaryOperator;

/// Applies a built-in to its arguments.
pub(super) fn apply(builtin: Builtin, arguments: Vec<Value>) -> Option<Value> {
    if builtin == Builtin::Dot {
        return dot(&arguments);
    }
    if let Some(width) = arguments.iter().find_map(width) {
        let lanes = (0..width).map(|lane| {
            let of_lane = arguments.iter().map(|argument| component(argument, lane)).collect::<Option<_>>();
            apply(builtin, of_lane?)
        });
        return lanes.collect::<Option<_>>().map(Value::Vector);
    }
    exact(builtin, &arguments)
}

/// The value of a function on scalars.
fn exact(builtin: Builtin, arguments: &[Value]) -> Option<Value> {
    match builtin {
        Builtin::Min => on_two(arguments, minimum),
        Builtin::Max => on_two(arguments, maximum),
        Builtin::Abs => on_one(arguments, absolute),
        Builtin::Sqrt => on_float(arguments, f32::sqrt, f64::sqrt),
        Builtin::Rsqrt => on_float(arguments, |x| 1.0 / x.sqrt(), |x| 1.0 / x.sqrt()),
        Builtin::Cbrt => on_float(arguments, f32::cbrt, f64::cbrt),
        Builtin::Exp => on_float(arguments, f32::exp, f64::exp),
        Builtin::Exp2 => on_float(arguments, f32::exp2, f64::exp2),
        Builtin::Log => on_float(arguments, f32::ln, f64::ln),
        Builtin::Log2 => on_float(arguments, f32::log2, f64::log2),
        Builtin::Log10 => on_float(arguments, f32::log10, f64::log10),
        Builtin::Pow => on_two_floats(arguments, f32::powf, f64::powf),
        Builtin::Sin => on_float(arguments, f32::sin, f64::sin),
        Builtin::Cos => on_float(arguments, f32::cos, f64::cos),
        Builtin::Tan => on_float(arguments, f32::tan, f64::tan),
        Builtin::Asin => on_float(arguments, f32::asin, f64::asin),
        Builtin::Acos => on_float(arguments, f32::acos, f64::acos),
        Builtin::Atan => on_float(arguments, f32::atan, f64::atan),
        Builtin::Atan2 => on_two_floats(arguments, f32::atan2, f64::atan2),
        Builtin::Sinh => on_float(arguments, f32::sinh, f64::sinh),
        Builtin::Cosh => on_float(arguments, f32::cosh, f64::cosh),
        Builtin::Tanh => on_float(arguments, f32::tanh, f64::tanh),
        Builtin::Asinh => on_float(arguments, |x| special::asinh(x.into()) as f32, special::asinh),
        Builtin::Acosh => on_float(arguments, |x| special::acosh(x.into()) as f32, special::acosh),
        Builtin::Atanh => on_float(arguments, |x| special::atanh(x.into()) as f32, special::atanh),
        Builtin::Log1p => on_float(arguments, f32::ln_1p, f64::ln_1p),
        Builtin::Expm1 => on_float(arguments, f32::exp_m1, f64::exp_m1),
        Builtin::Erf => on_float(arguments, |x| special::erf(x.into()) as f32, special::erf),
        Builtin::Erfc => on_float(arguments, |x| special::erfc(x.into()) as f32, special::erfc),
        Builtin::Lgamma => on_float(arguments, |x| special::log_gamma(x.into()) as f32, special::log_gamma),
        Builtin::Tgamma => on_float(arguments, |x| special::gamma(x.into()) as f32, special::gamma),
        Builtin::Hypot => on_two_floats(arguments, f32::hypot, f64::hypot),
        Builtin::Floor => on_float(arguments, f32::floor, f64::floor),
        Builtin::Ceil => on_float(arguments, f32::ceil, f64::ceil),
        Builtin::Round => on_float(arguments, f32::round, f64::round),
        Builtin::Trunc => on_float(arguments, f32::trunc, f64::trunc),
        Builtin::Rint => on_float(arguments, f32::round_ties_even, f64::round_ties_even),
        Builtin::Fmod => on_two_floats(arguments, |x, y| x % y, |x, y| x % y),
        Builtin::Copysign => on_two_floats(arguments, f32::copysign, f64::copysign),
        Builtin::IsNan => test_of_float(arguments, f64::is_nan),
        Builtin::IsFinite => test_of_float(arguments, f64::is_finite),
        Builtin::Powi | Builtin::Ldexp | Builtin::WrappingPow => of_exponent(builtin, arguments),
        Builtin::Fma => fused_multiply_add(arguments),
        Builtin::Mad => multiply_add(arguments),
        Builtin::ClampValue => clamp(arguments),
        Builtin::Sign => on_one(arguments, sign),
        Builtin::Select => select(arguments),
        Builtin::Dot => dot(arguments),
        Builtin::Shl
        | Builtin::Shr
        | Builtin::Rotl
        | Builtin::Rotr
        | Builtin::MulHi
        | Builtin::Popcount
        | Builtin::LeadingZeros
        | Builtin::TrailingZeros
        | Builtin::ToBits
        | Builtin::FromBits => on_bits(builtin, arguments),
        Builtin::Native(native) => exactly(native, arguments),
    }
}

/// The exact function that a native one means.
fn exactly(native: Native, arguments: &[Value]) -> Option<Value> {
    match (native, native.exact()) {
        (_, Some(function)) => exact(function, arguments),
        (Native::Recip, None) => on_float(arguments, f32::recip, f64::recip),
        (_, None) => on_two_floats(arguments, |x, y| x / y, |x, y| x / y),
    }
}

fn width(value: &Value) -> Option<usize> {
    match value {
        Value::Vector(lanes) => Some(lanes.len()),
        _ => None,
    }
}

/// A component of a vector; a scalar is the same in every component.
fn component(value: &Value, lane: usize) -> Option<Value> {
    match value {
        Value::Vector(lanes) => lanes.get(lane).cloned(),
        scalar => Some(scalar.clone()),
    }
}

/// The products of the components, added in order.
fn dot(arguments: &[Value]) -> Option<Value> {
    let [Value::Vector(left), Value::Vector(right)] = arguments else { return None };
    let products = left.iter().zip(right);
    let mut products = products.map(|(x, y)| binary(BinaryOperator::Multiply, x.clone(), y.clone()));
    let first = products.next()??;
    products.try_fold(first, |sum, product| binary(BinaryOperator::Add, sum, product?))
}

fn on_one(arguments: &[Value], function: fn(&Value) -> Option<Value>) -> Option<Value> {
    let [x] = arguments else { return None };
    function(x)
}

fn on_two(arguments: &[Value], function: fn(&Value, &Value) -> Option<Value>) -> Option<Value> {
    let [x, y] = arguments else { return None };
    function(x, y)
}

/// A function on floats, in the precision of its argument.
fn on_float(arguments: &[Value], single: fn(f32) -> f32, double: fn(f64) -> f64) -> Option<Value> {
    match arguments {
        [Value::F16(x)] => Some(Value::F16(round_to_half(double(f64::from(*x))))),
        [Value::F32(x)] => Some(Value::F32(single(*x))),
        [Value::F64(x)] => Some(Value::F64(double(*x))),
        _ => None,
    }
}

/// Whether a float is of a kind. No wider type changes that.
fn test_of_float(arguments: &[Value], test: fn(f64) -> bool) -> Option<Value> {
    match arguments {
        [Value::F16(x) | Value::F32(x)] => Some(Value::Bool(test(f64::from(*x)))),
        [Value::F64(x)] => Some(Value::Bool(test(*x))),
        _ => None,
    }
}

/// A function on two floats, in the precision of its arguments.
fn on_two_floats(
    arguments: &[Value],
    single: fn(f32, f32) -> f32,
    double: fn(f64, f64) -> f64,
) -> Option<Value> {
    match arguments {
        [Value::F16(x), Value::F16(y)] => {
            Some(Value::F16(round_to_half(double(f64::from(*x), f64::from(*y)))))
        }
        [Value::F32(x), Value::F32(y)] => Some(Value::F32(single(*x, *y))),
        [Value::F64(x), Value::F64(y)] => Some(Value::F64(double(*x, *y))),
        _ => None,
    }
}

/// `min` on integers, `fmin` on floats: if one number is NaN, the other one.
fn minimum(x: &Value, y: &Value) -> Option<Value> {
    match (x, y) {
        (Value::Integer(scalar, x), Value::Integer(other, y)) if scalar == other => {
            Some(Value::Integer(*scalar, *x.min(y)))
        }
        (Value::Size(x), Value::Size(y)) => Some(Value::Size(*x.min(y))),
        _ => on_two_floats(&[x.clone(), y.clone()], f32::min, f64::min),
    }
}

/// `max` on integers, `fmax` on floats: if one number is NaN, the other one.
fn maximum(x: &Value, y: &Value) -> Option<Value> {
    match (x, y) {
        (Value::Integer(scalar, x), Value::Integer(other, y)) if scalar == other => {
            Some(Value::Integer(*scalar, *x.max(y)))
        }
        (Value::Size(x), Value::Size(y)) => Some(Value::Size(*x.max(y))),
        _ => on_two_floats(&[x.clone(), y.clone()], f32::max, f64::max),
    }
}

/// The absolute value, in the type of its argument; for the smallest integer, it wraps to that integer.
fn absolute(x: &Value) -> Option<Value> {
    match x {
        Value::Integer(scalar, x) => wrap(*scalar, x.wrapping_abs()),
        Value::Size(x) => x.checked_abs().map(Value::Size),
        _ => on_float(std::slice::from_ref(x), f32::abs, f64::abs),
    }
}

/// -1, 0 or 1. For floats, a zero keeps its sign, and NaN becomes zero.
fn sign(x: &Value) -> Option<Value> {
    match x {
        Value::Integer(scalar, x) => Some(Value::Integer(*scalar, x.signum())),
        Value::Size(x) => Some(Value::Size(x.signum())),
        _ => on_float(std::slice::from_ref(x), single_sign, double_sign),
    }
}

fn single_sign(x: f32) -> f32 {
    if x.is_nan() {
        0.0
    } else if x == 0.0 {
        x
    } else {
        x.signum()
    }
}

fn double_sign(x: f64) -> f64 {
    if x.is_nan() {
        0.0
    } else if x == 0.0 {
        x
    } else {
        x.signum()
    }
}

/// `x * y + z`, rounded once.
fn fused_multiply_add(arguments: &[Value]) -> Option<Value> {
    match arguments {
        [Value::F16(x), Value::F16(y), Value::F16(z)] => {
            let result = f64::from(*x).mul_add(f64::from(*y), f64::from(*z));
            Some(Value::F16(round_to_half(result)))
        }
        [Value::F32(x), Value::F32(y), Value::F32(z)] => Some(Value::F32(x.mul_add(*y, *z))),
        [Value::F64(x), Value::F64(y), Value::F64(z)] => Some(Value::F64(x.mul_add(*y, *z))),
        _ => None,
    }
}

/// `x * y + z`, rounded twice.
fn multiply_add(arguments: &[Value]) -> Option<Value> {
    let [x, y, z] = arguments else { return None };
    let product = binary(BinaryOperator::Multiply, x.clone(), y.clone())?;
    binary(BinaryOperator::Add, product, z.clone())
}

/// `min(max(x, lo), hi)`, also where `lo > hi`.
fn clamp(arguments: &[Value]) -> Option<Value> {
    let [x, low, high] = arguments else { return None };
    minimum(&maximum(x, low)?, high)
}

/// The second argument where the first holds, otherwise the third.
fn select(arguments: &[Value]) -> Option<Value> {
    match arguments {
        [Value::Bool(true), chosen, _] | [Value::Bool(false), _, chosen] => Some(chosen.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::primitive::builtin::Domain;
    use crate::ir::scalar::ScalarType;

    fn singles(builtin: Builtin, arguments: &[f32]) -> Option<Value> {
        apply(builtin, arguments.iter().map(|x| Value::F32(*x)).collect())
    }

    #[test]
    fn the_minimum_and_maximum_of_a_number_and_nan_are_the_number() {
        for builtin in [Builtin::Min, Builtin::Max] {
            assert_eq!(singles(builtin, &[f32::NAN, 2.0]), Some(Value::F32(2.0)));
            assert_eq!(singles(builtin, &[2.0, f32::NAN]), Some(Value::F32(2.0)));
        }
        assert_eq!(apply(Builtin::Min, vec![3.into(), (-4).into()]), Some((-4).into()));
        assert_eq!(apply(Builtin::Max, vec![3.into(), (-4).into()]), Some(3.into()));
    }

    #[test]
    fn every_builtin_takes_the_number_of_arguments_that_the_table_says() {
        for (builtin, name, arity, domain) in Builtin::ALL {
            let argument = match domain {
                Domain::Integer | Domain::BitsOfFloat => Value::Integer(ScalarType::U32, 5),
                Domain::Number | Domain::Float | Domain::Single | Domain::FloatWithBits => Value::F32(0.5),
            };
            let mut arguments = vec![argument; *arity];
            if let (Some(ty), Some(last)) = (builtin.exponent(), arguments.last_mut()) {
                *last = Value::Integer(ty, 3);
            }
            match builtin {
                Builtin::Select => arguments[0] = Value::Bool(true),
                Builtin::Dot => arguments.fill(Value::Vector(vec![Value::F32(0.5); 4])),
                _ => {}
            }
            assert!(apply(*builtin, arguments.clone()).is_some(), "{name}");
            arguments.push(Value::F32(0.5));
            assert_eq!(apply(*builtin, arguments), None, "{name}");
        }
    }

    #[test]
    fn builtins_are_computed_in_the_precision_of_their_arguments() {
        assert_eq!(singles(Builtin::Sqrt, &[2.0]), Some(Value::F32(2f32.sqrt())));
        assert_eq!(apply(Builtin::Sqrt, vec![Value::F64(2.0)]), Some(Value::F64(2f64.sqrt())));
        assert_eq!(apply(Builtin::Sqrt, vec![Value::F16(2.0)]), Some(Value::F16(1.414_062_5)));
        assert_eq!(singles(Builtin::Atan2, &[1.0, -1.0]), Some(Value::F32(1f32.atan2(-1.0))));
    }

    #[test]
    fn rounding_goes_where_opencl_says() {
        for (builtin, expected) in [
            (Builtin::Floor, -3.0),
            (Builtin::Ceil, -2.0),
            (Builtin::Round, -3.0),
            (Builtin::Trunc, -2.0),
            (Builtin::Rint, -2.0),
        ] {
            assert_eq!(singles(builtin, &[-2.5]), Some(Value::F32(expected)), "{builtin}");
        }
    }

    #[test]
    fn the_sign_of_zero_and_of_nan_is_zero() {
        assert_eq!(singles(Builtin::Sign, &[0.0]), Some(Value::F32(0.0)));
        assert_eq!(singles(Builtin::Sign, &[f32::NAN]), Some(Value::F32(0.0)));
        assert_eq!(singles(Builtin::Sign, &[-3.0]), Some(Value::F32(-1.0)));
        assert_eq!(apply(Builtin::Sign, vec![(-7).into()]), Some((-1).into()));
    }

    #[test]
    fn what_a_float_is_and_its_sign_are_seen_in_all_precisions() {
        let is = |builtin, x| apply(builtin, vec![x]);
        assert_eq!(is(Builtin::IsNan, Value::F16(f32::NAN)), Some(Value::Bool(true)));
        assert_eq!(is(Builtin::IsNan, Value::F64(f64::INFINITY)), Some(Value::Bool(false)));
        assert_eq!(is(Builtin::IsFinite, Value::F32(f32::MAX)), Some(Value::Bool(true)));
        assert_eq!(is(Builtin::IsFinite, Value::F32(f32::NAN)), Some(Value::Bool(false)));
        assert_eq!(singles(Builtin::Copysign, &[3.0, -0.0]), Some(Value::F32(-3.0)));
        assert_eq!(singles(Builtin::Fmod, &[-7.5, 2.0]), Some(Value::F32(-1.5)));
        assert_eq!(singles(Builtin::Hypot, &[3e30, 4e30]), Some(Value::F32(5e30)));
    }

    #[test]
    fn integers_work_where_the_table_says_number() {
        assert_eq!(apply(Builtin::Abs, vec![i32::MIN.into()]), Some(i32::MIN.into()));
        assert_eq!(apply(Builtin::Mad, vec![3.into(), 4.into(), 5.into()]), Some(17.into()));
        assert_eq!(apply(Builtin::ClampValue, vec![9.into(), 0.into(), 5.into()]), Some(5.into()));
        let largest = Value::Integer(ScalarType::U8, 255);
        assert_eq!(apply(Builtin::Sign, vec![largest]), Some(Value::Integer(ScalarType::U8, 1)));
    }

    #[test]
    fn builtins_work_on_every_component_of_vectors() {
        let vector = |lanes: [i32; 2]| Value::Vector(lanes.into_iter().map(Value::from).collect());
        let smaller = apply(Builtin::Min, vec![vector([1, 5]), vector([2, 3])]);
        assert_eq!(smaller, Some(vector([1, 3])));
        let chosen = Value::Vector(vec![Value::Bool(true), Value::Bool(false)]);
        assert_eq!(
            apply(Builtin::Select, vec![chosen, vector([1, 2]), vector([3, 4])]),
            Some(vector([1, 4]))
        );
        assert_eq!(apply(Builtin::Dot, vec![vector([1, 5]), vector([2, 3])]), Some(17.into()));
    }

    #[test]
    fn select_takes_the_second_argument_where_the_first_holds() {
        let select = |condition| apply(Builtin::Select, vec![Value::Bool(condition), 1.into(), 2.into()]);
        assert_eq!(select(true), Some(1.into()));
        assert_eq!(select(false), Some(2.into()));
    }
}
