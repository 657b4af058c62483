//! Powers of two and of `e`, and hyperbolic functions.

use std::f64::consts::{LN_2, LOG2_E};

use super::{ROUNDING, polynomial};

/// 2 to the power of `x`. A result that single precision cannot hold is out of its range here, too.
#[inline(always)]
pub(super) fn power_of_two(x: f64) -> f64 {
    // Comparisons let NaN pass.
    let x = if x > 200.0 { 200.0 } else { x };
    let x = if x < -200.0 { -200.0 } else { x };
    let rounded = x + ROUNDING;
    let exponent = rounded.to_bits().wrapping_sub(ROUNDING.to_bits());
    let rest = (x - (rounded - ROUNDING)) * LN_2;
    let series = polynomial(
        rest,
        [1.0, 1.0, 1.0 / 2.0, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0, 1.0 / 720.0, 1.0 / 5040.0, 1.0 / 40320.0],
    );
    series * f64::from_bits(exponent.wrapping_add(1023) << 52)
}

/// 2 to the power of `x`.
#[inline(always)]
pub(in super::super) fn exp2(x: f32) -> f32 {
    power_of_two(f64::from(x)) as f32
}

/// Hyperbolic sine.
#[inline(always)]
pub(in super::super) fn sinh(x: f32) -> f32 {
    let x = f64::from(x);
    let power = power_of_two(x.abs() * LOG2_E);
    let large = (power - 1.0 / power) * 0.5;
    let square = x * x;
    // The difference has too few digits for small arguments.
    let small = x.abs() * polynomial(square, [1.0, 1.0 / 6.0, 1.0 / 120.0]);
    (if x.abs() < 0.03 { small } else { large }).copysign(x) as f32
}

/// Hyperbolic cosine.
#[inline(always)]
pub(in super::super) fn cosh(x: f32) -> f32 {
    let power = power_of_two(f64::from(x).abs() * LOG2_E);
    ((power + 1.0 / power) * 0.5) as f32
}

/// Hyperbolic tangent.
#[inline(always)]
pub(in super::super) fn tanh(x: f32) -> f32 {
    let x = f64::from(x);
    let power = power_of_two(x.abs() * (2.0 * LOG2_E));
    let large = 1.0 - 2.0 / (power + 1.0);
    let square = x * x;
    // The difference has too few digits for small arguments.
    let small = x.abs() * polynomial(square, [1.0, -1.0 / 3.0, 2.0 / 15.0]);
    (if x.abs() < 0.02 { small } else { large }).copysign(x) as f32
}
