//! Trigonometric functions.
//!
//! An argument is turned into a number of turns; only its fraction counts. The factor `1 / (2 pi)`
//! is stored with 200 bits, in parts so short that products with arguments are exact and lose their whole
//! turns without an error (Payne and Hanek, *Radian reduction for trigonometric functions*, SIGNUM Newsletter
//! 1983; Muller et al., *Handbook of floating-point arithmetic*, section 11.1). So there is no branch for
//! large arguments, and no table, which would keep LLVM from vectorising loops that write somewhere.

use std::f64::consts::TAU;

use super::{ROUNDING, polynomial};

/// `1 / (2 pi)` in parts of 28 bits, and the rest.
const TURNS: [f64; 6] = [
    0.159_154_942_259_192_47,
    8.327_028_684_640_414e-10,
    5.690_025_119_525_34e-19,
    6.317_065_047_250_705_4e-27,
    4.170_716_914_254_881e-35,
    2.897_178_338_357_036e-44,
];

/// From here on, the products of arguments (24 bits) with parts of `TURNS` are whole numbers.
const ALL_WHOLE: f64 = (1u64 << 51) as f64;

/// The distance to the nearest quarter of a turn. The last two bits of `quarter` say which quarter that is.
#[derive(Clone, Copy)]
struct Angle {
    distance: f64,
    quarter: u64,
}

/// A number of turns without the whole ones.
#[inline(always)]
fn fraction(turns: f64) -> f64 {
    turns - ((turns + ROUNDING) - ROUNDING)
}

/// The angle of an argument, in radians; NaN for infinity.
#[inline(always)]
fn angle(x: f32) -> Angle {
    let x = f64::from(x);
    let mut parts = [0.0; TURNS.len()];
    for (part, turns) in parts.iter_mut().zip(TURNS) {
        *part = x * turns;
    }
    // Larger numbers cannot be rounded like this; later parts are smaller for all arguments. Infinity becomes
    // NaN.
    for part in &mut parts[..3] {
        *part = if part.abs() < ALL_WHOLE { fraction(*part) } else { 0.0 * *part };
    }
    for part in &mut parts[3..5] {
        *part = fraction(*part);
    }
    let [first, second, third, fourth, fifth, sixth] = parts;
    let sum = first + (second + (third + (fourth + (fifth + sixth))));
    let quarters = 4.0 * sum + ROUNDING;
    // Parts before the rounding cancel exactly where little is left of them.
    let distance = first - 0.25 * (quarters - ROUNDING) + second + third + fourth + fifth + sixth;
    Angle { distance: distance * TAU, quarter: quarters.to_bits() }
}

/// The coefficients of sine and cosine. Sine is a series in the square of its argument, divided by the
/// argument. The argument is less than a quarter of pi.
const SERIES: [[f64; 7]; 2] = [
    [1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362_880.0, -1.0 / 39_916_800.0, 0.0],
    [1.0, -1.0 / 2.0, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40320.0, -1.0 / 3_628_800.0, 1.0 / 479_001_600.0],
];

/// Sine, in single precision.
#[inline(always)]
fn sine(Angle { distance, quarter }: Angle) -> f32 {
    let is_odd = quarter & 1 != 0;
    let mut coefficients = SERIES[0];
    for (coefficient, of_cosine) in coefficients.iter_mut().zip(SERIES[1]) {
        *coefficient = if is_odd { of_cosine } else { *coefficient };
    }
    let factor = if is_odd { 1.0 } else { distance };
    let factor = if quarter & 2 != 0 { -factor } else { factor };
    (factor * polynomial(distance * distance, coefficients)) as f32
}

/// Sine.
#[inline(always)]
pub(in super::super) fn sin(x: f32) -> f32 {
    sine(angle(x))
}

/// Cosine.
#[inline(always)]
pub(in super::super) fn cos(x: f32) -> f32 {
    let angle = angle(x);
    sine(Angle { quarter: angle.quarter.wrapping_add(1), ..angle })
}

/// Tangent.
#[inline(always)]
pub(in super::super) fn tan(x: f32) -> f32 {
    let Angle { distance, quarter } = angle(x);
    let square = distance * distance;
    let (sine, cosine) = (distance * polynomial(square, SERIES[0]), polynomial(square, SERIES[1]));
    let is_odd = quarter & 1 != 0;
    let (above, below) = if is_odd { (-cosine, sine) } else { (sine, cosine) };
    (above / below) as f32
}
