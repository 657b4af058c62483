//! Powers.

use super::ROUNDING;
use super::exponential::power_of_two;
use super::logarithm::binary_logarithm;

/// From here on every number of single precision is whole and even.
const ALL_EVEN: f64 = 16_777_216.0;

/// `x` to the power of `y`.
#[inline(always)]
pub(in super::super) fn pow(x: f32, y: f32) -> f32 {
    let (base, exponent) = (f64::from(x), f64::from(y));
    let magnitude = power_of_two(exponent * binary_logarithm(base.abs()));
    let nearest = |value: f64| (value + ROUNDING) - ROUNDING;
    let half = 0.5 * exponent;
    let is_large = exponent.abs() >= ALL_EVEN;
    let is_whole = (nearest(exponent) == exponent) | is_large;
    let is_odd = is_whole & (nearest(half) != half) & !is_large;
    let is_negative = base.is_sign_negative();
    let signed = if is_odd & is_negative { -magnitude } else { magnitude };
    let has_no_value = !is_whole & (base < 0.0) & base.is_finite();
    let power = if has_no_value { f64::NAN } else { signed };
    // One, if the exponent is 0 or the base is 1, whatever the other is; and if the base is -1 and the
    // exponent is infinite.
    let is_one = (y == 0.0) | (x == 1.0) | ((x == -1.0) & exponent.is_infinite());
    if is_one { 1.0 } else { power as f32 }
}
