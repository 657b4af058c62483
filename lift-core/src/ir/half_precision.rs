//! Numbers of half precision, for a language that has no type for them.
//!
//! The evaluator keeps such a number as an `f32`, and printers write literals of it with the digits of one.
//! Whoever rounds must round once: from an `f64`, and not by way of an `f32`. An `f64` has more than twice
//! the digits of half precision, so that sums and products of two numbers come out as if they were exact.

/// Rounds to half precision, ties to even (IEEE 754, section 4.3.1); values beyond its range become infinite.
pub(crate) fn round_to_half(value: f64) -> f32 {
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
