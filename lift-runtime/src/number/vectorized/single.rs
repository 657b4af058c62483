//! Functions in the arithmetic of single precision.
//!
//! The polynomials are those of the Cephes library (Moshier, *Methods and programs for mathematical
//! functions*, 1989).

/// The logarithm of 2 in two parts. The first is 355/512: its products with whole numbers up to 2^12 are
/// exact.
const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];

/// A number whose unit in the last place is 1, with room on both sides. A sum with it is rounded to a whole
/// number.
const ROUNDING: f32 = 12_582_912.0;

/// `e` to the power of `x`.
#[inline(always)]
pub(in super::super) fn exp(x: f32) -> f32 {
    // Beyond these bounds the result is infinite or zero. Comparisons let NaN pass.
    let x = if x > 89.0 { 89.0 } else { x };
    let x = if x < -104.0 { -104.0 } else { x };
    let rounded = x * std::f32::consts::LOG2_E + ROUNDING;
    let whole = rounded - ROUNDING;
    let exponent = rounded.to_bits().wrapping_sub(ROUNDING.to_bits()) as i32;
    let rest = x - whole * LN_2[0] - whole * LN_2[1];
    let mut series = 1.987_569_1e-4;
    for coefficient in [1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 5e-1] {
        series = series * rest + coefficient;
    }
    // In two steps, so that neither power of two leaves the range of normal numbers.
    let half = exponent >> 1;
    (series * rest * rest + rest + 1.0) * power_of_two(half) * power_of_two(exponent.wrapping_sub(half))
}

/// 2 to a power between -126 and 127.
#[inline(always)]
fn power_of_two(exponent: i32) -> f32 {
    f32::from_bits((exponent.wrapping_add(127) as u32) << 23)
}

/// Natural logarithm.
#[inline(always)]
pub(in super::super) fn log(x: f32) -> f32 {
    let is_normal = x >= f32::MIN_POSITIVE;
    let scaled = if is_normal { x } else { x * 8_388_608.0 };
    let shift = if is_normal { 126 } else { 126 + 23 };
    let bits = scaled.to_bits();
    let mantissa = f32::from_bits(bits & 0x007f_ffff | 0x3f00_0000);
    // Between the root of a half and the root of two, less one.
    let is_low = mantissa < std::f32::consts::FRAC_1_SQRT_2;
    let exponent = ((bits >> 23) as i32).wrapping_sub(if is_low { shift + 1 } else { shift }) as f32;
    let rest = (if is_low { mantissa + mantissa } else { mantissa }) - 1.0;
    let square = rest * rest;
    let mut series = 7.037_683_6e-2;
    for coefficient in [
        -1.151_461e-1,
        1.167_699_9e-1,
        -1.242_014_1e-1,
        1.424_932_3e-1,
        -1.666_805_8e-1,
        2.000_071_4e-1,
        -2.499_999_4e-1,
        3.333_333e-1,
    ] {
        series = series * rest + coefficient;
    }
    let correction = series * rest * square + exponent * LN_2[1] - 0.5 * square;
    let logarithm = rest + correction + exponent * LN_2[0];
    let finite = if x < f32::INFINITY { logarithm } else { x };
    let positive = if x > 0.0 { finite } else { f32::NAN };
    if x == 0.0 { f32::NEG_INFINITY } else { positive }
}
