//! Functions that Rust's standard library lacks, or has with too little precision, in double precision. Each
//! is computed in another way than a library does, from a formula of the *NIST Handbook of Mathematical
//! Functions*, so that nothing is compared with itself.

use std::f64::consts::{LN_2, PI};

/// Inverse hyperbolic sine. The standard library's overflows for large numbers.
pub(super) fn asinh(x: f64) -> f64 {
    let magnitude = x.abs();
    let result = match magnitude < 1e9 {
        // sqrt(x^2 + 1) - 1, without a difference of nearly equal numbers.
        true => {
            let root = (magnitude * magnitude + 1.0).sqrt();
            (magnitude + magnitude * magnitude / (root + 1.0)).ln_1p()
        }
        false => magnitude.ln() + LN_2,
    };
    result.copysign(x)
}

/// Inverse hyperbolic cosine. The standard library's is imprecise near 1.
pub(super) fn acosh(x: f64) -> f64 {
    let above = x - 1.0;
    match x > 1e9 {
        true => x.ln() + LN_2,
        false => (above + (above * (above + 2.0)).sqrt()).ln_1p(),
    }
}

/// Inverse hyperbolic tangent.
pub(super) fn atanh(x: f64) -> f64 {
    let magnitude = x.abs();
    (0.5 * (2.0 * magnitude / (1.0 - magnitude)).ln_1p()).copysign(x)
}

/// The error function: the series 7.6.2, whose terms are all positive, or what is left of 1.
pub(super) fn erf(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    let magnitude = x.abs();
    if magnitude > 2.0 {
        return (1.0 - erfc(magnitude)).copysign(x);
    }
    let (mut term, mut sum) = (magnitude, magnitude);
    for n in 1..100 {
        term *= 2.0 * magnitude * magnitude / f64::from(2 * n + 1);
        sum += term;
    }
    let factor = 2.0 / PI.sqrt();
    (sum * factor * (-magnitude * magnitude).exp()).copysign(x)
}

/// What the error function lacks to 1: the continued fraction 7.9.1 for what is small.
pub(super) fn erfc(x: f64) -> f64 {
    if x.is_nan() || x < 1.0 {
        return 1.0 - erf(x);
    }
    if x > 30.0 {
        return 0.0;
    }
    let fraction = (1..400).rev().fold(x, |rest, n| x + f64::from(n) / 2.0 / rest);
    // The square has more digits than a number; the exponential would show those that are missing.
    let square = x * x;
    let missing = x.mul_add(x, -square);
    (-square).exp() * (1.0 - missing) / fraction / PI.sqrt()
}

/// The gamma function: Stirling's series 5.11.3 for large numbers, the recurrence 5.5.1 for others, and the
/// reflection 5.5.3 for negative ones.
pub(super) fn gamma(x: f64) -> f64 {
    if x.is_nan() || x == f64::NEG_INFINITY || (x < 0.0 && x == x.trunc()) {
        return f64::NAN;
    }
    if x < 0.5 {
        return reflected(x);
    }
    if x > 172.0 {
        return f64::INFINITY;
    }
    let (mut shifted, mut product) = (x, 1.0);
    while shifted < 20.0 {
        product *= shifted;
        shifted += 1.0;
    }
    // Half of the power twice, since the whole is too large where the result is not.
    let half = shifted.powf((shifted - 0.5) / 2.0);
    (2.0 * PI).sqrt() * half * (-shifted).exp() * half * series(shifted).exp() / product
}

/// The gamma function of a number below 1/2 that is no negative whole number.
fn reflected(x: f64) -> f64 {
    if x.abs() < 1e-300 {
        return 1.0 / x;
    }
    let sine = sine_of_half_turns(x);
    match 1.0 - x {
        other if other < 171.0 => PI / (sine * gamma(other)),
        // In two steps, since the divisor is too large where the result is not quite zero.
        other => PI / sine / gamma(other - 20.0) / (1..=20).fold(1.0, |all, k| all * (other - f64::from(k))),
    }
}

/// `sin(πx)`
fn sine_of_half_turns(x: f64) -> f64 {
    let rest = x % 2.0;
    // In the quarter turn around 0, where the sine is precise.
    match rest.abs() {
        small if small <= 0.5 => (PI * rest).sin(),
        middle if middle <= 1.5 => (PI * (1.0 - middle)).sin().copysign(rest) * (1.0 - middle).signum(),
        large => -(PI * (2.0 - large)).sin().copysign(rest),
    }
}

/// What Stirling's formula adds to the logarithm of the gamma function, for large numbers.
fn series(x: f64) -> f64 {
    let coefficients =
        [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360_360.0];
    coefficients.iter().rev().fold(0.0, |sum, coefficient| sum / (x * x) + coefficient) / x
}

/// The logarithm of the absolute value of the gamma function.
pub(super) fn log_gamma(x: f64) -> f64 {
    if x.is_infinite() || (x <= 0.0 && x == x.trunc()) {
        return f64::INFINITY;
    }
    if x.abs() < 1e-300 {
        return -x.abs().ln();
    }
    if x < -20.0 {
        return (PI / sine_of_half_turns(x).abs()).ln() - log_gamma(1.0 - x);
    }
    if x < 20.0 {
        return gamma(x).abs().ln();
    }
    (x - 0.5) * x.ln() - x + (2.0 * PI).ln() / 2.0 + series(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function, a number, and what the function makes of it.
    type Case = (fn(f64) -> f64, f64, f64);

    fn near(found: f64, expected: f64) -> bool {
        found == expected || ((found - expected) / expected).abs() < 1e-14
    }

    /// Values rounded from 25 digits that mpmath computes.
    #[test]
    fn values_are_known_ones() {
        let cases: [Case; 30] = [
            (erf, 0.5, 0.520_499_877_813_046_5),
            (erf, -1.0, -0.842_700_792_949_714_9),
            (erf, 2.0, 0.995_322_265_018_952_7),
            (erf, 1e-20, 1.128_379_167_095_512_6e-20),
            (erf, 7.0, 1.0),
            (erfc, 0.5, 0.479_500_122_186_953_5),
            (erfc, 1.0, 0.157_299_207_050_285_13),
            (erfc, 3.0, 2.209_049_699_858_544e-5),
            (erfc, 10.0, 2.088_487_583_762_545e-45),
            (erfc, -3.0, 1.999_977_909_503_001_4),
            (gamma, 0.5, 1.772_453_850_905_516),
            (gamma, 1.0, 1.0),
            (gamma, 5.0, 24.0),
            (gamma, -0.5, -3.544_907_701_811_032),
            (gamma, -1.5, 2.363_271_801_207_355),
            (gamma, -2.5, -0.945_308_720_482_941_9),
            (gamma, 11.0, 3_628_800.0),
            (gamma, 171.0, 7.257_415_615_307_999e306),
            (gamma, 1e-3, 999.423_772_484_595_5),
            (log_gamma, 0.5, 0.572_364_942_924_700_1),
            (log_gamma, 10.0, 12.801_827_480_081_469),
            (log_gamma, 100.0, 359.134_205_369_575_4),
            (log_gamma, -0.5, 1.265_512_123_484_645_4),
            (log_gamma, 1e-310, 713.801_378_828_154_2),
            (asinh, 1.0, 0.881_373_587_019_543),
            (asinh, -1e-10, -1e-10),
            (asinh, f64::MAX, 710.475_860_073_943_9),
            (acosh, 2.0, 1.316_957_896_924_816_7),
            (acosh, 1.0 + 2f64.powi(-40), 1.348_699_152_348_511_6e-6),
            (atanh, -0.5, -0.549_306_144_334_054_8),
        ];
        for (position, (function, x, expected)) in cases.into_iter().enumerate() {
            let found = function(x);
            assert!(near(found, expected), "case {position}: of {x}, {found:e} and not {expected:e}");
        }
    }

    #[test]
    fn values_at_the_edges_are_those_of_c() {
        let infinity = f64::INFINITY;
        assert_eq!((erf(infinity), erf(-infinity), erfc(infinity), erfc(-infinity)), (1.0, -1.0, 0.0, 2.0));
        assert!(erf(f64::NAN).is_nan() && erfc(f64::NAN).is_nan() && erf(-0.0).is_sign_negative());
        assert_eq!(
            (gamma(0.0), gamma(-0.0), gamma(infinity), gamma(172.0)),
            (infinity, -infinity, infinity, infinity)
        );
        assert!([-1.0, -infinity, f64::NAN].iter().all(|x| gamma(*x).is_nan()));
        assert_eq!([0.0, -1.0, infinity, -infinity].map(log_gamma), [infinity; 4]);
        assert!(log_gamma(f64::NAN).is_nan());
        assert!(log_gamma(1.0).abs() < 1e-14 && log_gamma(2.0).abs() < 1e-14);
        assert_eq!(
            (asinh(infinity), asinh(-infinity), acosh(infinity), acosh(1.0)),
            (infinity, -infinity, infinity, 0.0)
        );
        assert!(acosh(0.5).is_nan() && atanh(1.5).is_nan() && asinh(-0.0).is_sign_negative());
        assert_eq!((atanh(1.0), atanh(-1.0)), (infinity, -infinity));
    }
}
