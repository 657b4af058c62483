//! The cases of `lift_core::eval`, which is what host kernels are compared with.

use super::*;

#[test]
fn integer_arithmetic_wraps_at_its_width() {
    assert_eq!(add(127i8, 1), -128);
    assert_eq!(subtract(0u8, 1), 255);
    assert_eq!(multiply(u64::MAX, u64::MAX), 1);
    assert_eq!(negate(i16::MIN), i16::MIN);
    assert_eq!(mad(100u8, 3, 1), 45);
    assert_eq!(abs(i32::MIN), i32::MIN);
    assert_eq!(abs(200u8), 200);
}

#[test]
fn division_by_zero_has_a_value() {
    assert_eq!((divide(7i32, 0), remainder(7i32, 0)), (0, 7));
    assert_eq!((divide(7u64, 0), remainder(7u64, 0)), (0, 7));
    assert_eq!((divide(i32::MIN, -1), remainder(i32::MIN, -1)), (i32::MIN, 0));
    assert_eq!((divide(-7i64, 2), remainder(-7i64, 2)), (-3, -1));
    assert_eq!(divide(1.0f32, 0.0), f32::INFINITY);
    assert_eq!(remainder(-7.5f64, 2.0), -1.5);
}

#[test]
fn the_minimum_and_maximum_of_a_number_and_nan_are_the_number() {
    assert_eq!((min(f32::NAN, 2.0), max(2.0, f32::NAN)), (2.0, 2.0));
    assert_eq!((min(3i8, -4), max(3i8, -4)), (-4, 3));
    assert_eq!(clampv(9, 0, 5), 5);
    assert_eq!(clampv(1.0f64, 3.0, 2.0), 2.0);
}

#[test]
fn the_sign_of_zero_and_of_nan_is_zero() {
    assert_eq!((sign(0.0f32), sign(f32::NAN), sign(-3.0f32), sign(f64::INFINITY)), (0.0, 0.0, -1.0, 1.0));
    assert!(sign(-0.0f32).is_sign_negative());
    assert_eq!((sign(-7i32), sign(255u8), sign(0u16)), (-1, 1, 0));
}

#[test]
fn casts_mean_what_they_mean_in_rust() {
    assert_eq!(cast::<i8, _>(1000.0f32), 127);
    assert_eq!(cast::<u32, _>(-3.5f32), 0);
    assert_eq!(cast::<i32, _>(f64::NAN), 0);
    assert_eq!(cast::<u8, _>(-1i32), 255);
    assert_eq!(cast::<f32, _>(16_777_217i32), 16_777_216.0);
    assert_eq!(cast::<i32, _>(true), 1);
    assert_eq!(cast::<f64, _>(true), 1.0);
    assert_eq!(cast::<i64, _>(-2.9f32), -2);
    assert_eq!(cast::<u64, _>(u64::MAX), u64::MAX);
    assert!(cast::<bool, _>(true));
    assert_eq!((from_index::<f32>(7), from_index::<u8>(-1)), (7.0, 255));
}

#[test]
fn counts_of_shifts_and_rotations_are_taken_modulo_the_width() {
    assert_eq!((shl(0x81u8, 9), shl(1i8, 7), shl(1u64, 64)), (2, -128, 1));
    assert_eq!((shr(-4i16, 1), shr(0x8000u16, 31), shr(-1i32, -1)), (-2, 1, -1));
    assert_eq!((rotl(0x8000_0001u32, 33), rotr(1u8, 1), rotr(1i64, -63)), (3, 128, i64::MIN));
}

#[test]
fn bits_are_those_of_the_type() {
    assert_eq!((mul_hi(u64::MAX, u64::MAX), mul_hi(i64::MIN, i64::MIN)), (u64::MAX - 1, 1 << 62));
    assert_eq!((mul_hi(-1i8, 1), mul_hi(0x1234u16, 0x100)), (-1, 0x12));
    assert_eq!((popcount(-1i8), leading_zeros(0u16), trailing_zeros(i8::MIN)), (8, 16, 7));
    assert_eq!((to_bits(1f32), from_bits(0x8000_0000_0000_0000u64)), (0x3f80_0000, -0.0));
}

#[test]
fn literals_are_rounded_once() {
    assert_eq!((integer::<f32>(1), integer::<u8>(300)), (1.0, 44));
    assert_eq!((float::<f32>(0.1, 0.1), float::<f64>(0.1, 0.1)), (0.1f32, 0.1f64));
}

#[test]
fn functions_are_computed_in_the_precision_of_their_arguments() {
    assert_eq!((sqrt(2.0f32), sqrt(2.0f64)), (2f32.sqrt(), 2f64.sqrt()));
    assert_eq!(atan2(1.0f32, -1.0), 1f32.atan2(-1.0));
    assert_eq!((floor(-2.5f32), ceil(-2.5f32), round(-2.5f32), trunc(-2.5f32)), (-3.0, -2.0, -3.0, -2.0));
    // Rounded once, and twice.
    let (x, z) = (1.0 + f32::EPSILON, -1.0 - 2.0 * f32::EPSILON);
    assert_eq!((fma(x, x, z), mad(x, x, z)), (f32::EPSILON * f32::EPSILON, 0.0));
}

#[test]
fn numbers_are_scaled_and_signed_exactly() {
    let least = f32::from_bits(1);
    assert_eq!((ldexp(1.0f32, -149), ldexp(least, 149), ldexp(3.0f32, 300)), (least, 1.0, f32::INFINITY));
    assert_eq!((ldexp(f64::from_bits(1), 2097), ldexp(1.0f64, i32::MIN)), (2f64.powi(1023), 0.0));
    // Rounded twice, these would become even.
    assert_eq!(ldexp(2.5f64 + 2f64.powi(-40), -1074).to_bits(), 3);
    assert_eq!(ldexp(2.5f32 + 2f32.powi(-20), -149).to_bits(), 3);
    assert_eq!([-2.5f32, -1.5, -0.5, 0.5, 1.5].map(rint), [-2.0, -2.0, 0.0, 0.0, 2.0]);
    assert_eq!((copysign(3.0f32, -0.0), fmod(-7.5f64, 2.0), hypot(3e30f32, 4e30)), (-3.0, -1.5, 5e30));
    assert_eq!((is_nan(f32::NAN), is_nan(f64::INFINITY)), (true, false));
    assert_eq!(
        (is_finite(f32::MAX), is_finite(f64::NEG_INFINITY), is_finite(f32::NAN)),
        (true, false, false)
    );
}

#[test]
fn powers_of_integers_wrap_and_those_of_floats_are_precise() {
    assert_eq!(
        (wrapping_pow(-3i8, 5), wrapping_pow(10u64, 20), wrapping_pow(0i32, 0)),
        (13, 7766279631452241920, 1)
    );
    assert_eq!((powi(-2.0f32, -3), powi(0.0f64, -1), powi(f32::NAN, 0)), (-0.125, f64::INFINITY, 1.0));
    // Too large to be an `f32`, and odd.
    assert_eq!(powi(-1.0f32, (1 << 24) + 1), -1.0);
    assert_eq!(powi(10.0f32, -44), 1e-44);
    assert_eq!(powi(1e40f64, -8), 1e-320);
}

#[test]
fn vectors_are_computed_lane_by_lane() {
    use super::lanes::{dot, map, map2, map3};
    assert_eq!(map([1i8, -128], negate), [-1, -128]);
    assert_eq!(map2([1, 5], [2, 3], min), [1, 3]);
    assert_eq!(map2([1.0f32, 5.0], [2.0, 3.0], |x, y| x < y), [true, false]);
    assert_eq!(map3([true, false], [1, 2], [3, 4], select), [1, 4]);
    assert_eq!(dot([1, 5], [2, 3]), 17);
    assert_eq!(dot([16_777_216.0f32, 1.0, 1.0, -16_777_216.0], [1.0; 4]), 0.0);
}

#[test]
fn an_extreme_of_numbers_and_nan_is_a_number_wherever_it_stands() {
    use super::lanes::fold;
    for place in 0..16 {
        let mut numbers = [1.0f32; 16];
        numbers[place] = 7.0;
        assert_eq!((fold(numbers, larger), fold(numbers.map(|x| -x), smaller)), (7.0, -7.0));
    }
    assert_eq!((larger(f32::NAN, 2.0), smaller(f32::NAN, 2.0)), (2.0, 2.0));
    assert_eq!((is_number(f64::NAN), is_number(f64::INFINITY), is_number(3u8)), (false, true, true));
}

#[cfg(feature = "f16")]
#[test]
fn half_precision_is_rounded_after_every_operation() {
    use half::f16;
    let half = f16::from_f64;
    assert_eq!(add(half(2048.0), half(1.0)), half(2048.0));
    assert_eq!(sqrt(half(2.0)), half(1.414_062_5));
    assert_eq!(min(f16::NAN, half(2.0)), half(2.0));
    assert_eq!((abs(half(-2.0)), sign(half(-2.0))), (half(2.0), half(-1.0)));
    assert_eq!((cast::<i8, _>(half(1000.0)), cast::<f16, _>(7u64)), (127, half(7.0)));
    assert_eq!(float::<f16>(0.1, 0.1), half(0.1));
}
