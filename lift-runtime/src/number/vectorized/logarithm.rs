//! Logarithms.

use std::f64::consts::{LOG2_E, LOG10_2, SQRT_2};

use super::{ROUNDING, polynomial};

/// The logarithm to base 2 of a number that is not negative and that single precision can hold, to 40 bits.
#[inline(always)]
pub(super) fn binary_logarithm(x: f64) -> f64 {
    let bits = x.to_bits();
    let mantissa = f64::from_bits(bits & 0x000f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000);
    // Between the root of a half and the root of two.
    let is_high = mantissa > SQRT_2;
    let mantissa = if is_high { 0.5 * mantissa } else { mantissa };
    let exponent = (bits >> 52).wrapping_sub(if is_high { 1022 } else { 1023 });
    // The whole number goes into the last bits of a float, which costs less than a conversion.
    let exponent = f64::from_bits(ROUNDING.to_bits().wrapping_add(exponent)) - ROUNDING;
    // The logarithm of `(1 + z) / (1 - z)`.
    let z = (mantissa - 1.0) / (mantissa + 1.0);
    let series = polynomial(
        z * z,
        [1.0, 1.0 / 3.0, 1.0 / 5.0, 1.0 / 7.0, 1.0 / 9.0, 1.0 / 11.0, 1.0 / 13.0, 1.0 / 15.0],
    );
    let finite = exponent + z * series * (2.0 * LOG2_E);
    let finite = if x > 0.0 { finite } else { f64::NEG_INFINITY };
    if x < f64::INFINITY { finite } else { x }
}

/// The logarithm of any number to another base; `of_two` is the logarithm of 2 to that base.
#[inline(always)]
fn logarithm(x: f32, of_two: f64) -> f32 {
    let value = (binary_logarithm(f64::from(x)) * of_two) as f32;
    if x < 0.0 { f32::NAN } else { value }
}

/// Logarithm to base 2.
#[inline(always)]
pub(in super::super) fn log2(x: f32) -> f32 {
    logarithm(x, 1.0)
}

/// Logarithm to base 10.
#[inline(always)]
pub(in super::super) fn log10(x: f32) -> f32 {
    logarithm(x, LOG10_2)
}
