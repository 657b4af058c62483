//! Trigonometric functions.
//!
//! An argument is reduced to the quadrant around zero with its distance to a multiple of half of pi, in three parts, of which the first two
//! are short: products with whole numbers are exact (Cody and Waite). Beyond 2^24 it is a multiple of a power of two first, which a
//! table has less a multiple of two pi, in three parts again (as in Payne and Hanek, *Radian reduction for trigonometric functions*, SIGNUM
//! Newsletter 1983, and Muller et al., *Handbook of floating-point arithmetic*, section 11.1), so that there is no branch for
//! large arguments.

use std::f64::consts::FRAC_2_PI;

use super::{ROUNDING, polynomial};

/// Half of pi: 27 bits, 22 bits further down, and the rest.
const HALF_PI: [f64; 3] = [1.570_796_325_802_803, 9.920_935_184_482_005e-10, 6.123_233_995_736_766e-17];

/// The exponent field of numbers whose unit in the last place is 1.
const UNIT: u32 = 150;

/// 2^0 up to 2^104 less multiples of two pi: multiples of 2^-26, multiples of 2^-52, and the rest. As many as a mask can index; what is
/// beyond 2^104 is nobody's factor.
static POWERS: [[f64; 3]; 128] = powers();

/// Two pi, and the powers of two, as multiples of 2^-252 with the highest 64 bits first.
const TWO_PI: [u64; 4] =
    [0x6487_ed51_10b4_611a, 0x6263_3145_c06e_0e68, 0x9481_2704_4533_e63a, 0x0105_df53_1d89_cd91];

const fn powers() -> [[f64; 3]; 128] {
    let mut powers = [[0.0; 3]; 128];
    let mut power = [1 << 60, 0, 0, 0];
    let mut exponent = 0;
    while exponent < powers.len() {
        powers[exponent] = parts(power);
        power = doubled(power);
        exponent += 1;
    }
    powers
}

/// A number that is less than two pi, twice, less two pi where that leaves something.
const fn doubled(number: [u64; 4]) -> [u64; 4] {
    let (mut twice, mut reduced) = ([0; 4], [0; 4]);
    let (mut carry, mut borrow) = (0, false);
    let mut limb = number.len();
    while limb > 0 {
        limb -= 1;
        twice[limb] = number[limb] << 1 | carry;
        carry = number[limb] >> 63;
        let (difference, first) = twice[limb].overflowing_sub(TWO_PI[limb]);
        let (difference, second) = difference.overflowing_sub(borrow as u64);
        reduced[limb] = difference;
        borrow = first | second;
    }
    if borrow { twice } else { reduced }
}

const fn parts(number: [u64; 4]) -> [f64; 3] {
    // Four bits are whole.
    let (first, second) = (number[0] >> 34, number[0] >> 8 & 0x03ff_ffff);
    let rest = (number[0] & 0xff) << 45 | number[1] >> 19;
    let unit = 1.0 / (1u64 << 26) as f64;
    [first as f64 * unit, second as f64 * unit * unit, rest as f64 * unit * unit / (1u64 << 53) as f64]
}

/// The distance of a number to the nearest multiple of half of pi, and in the last two bits which one it is. NaN is far from all of them.
#[inline(always)]
fn reduced(x: f32) -> (f64, u64) {
    let field = x.to_bits() >> 23 & 0xff;
    let shift = field.saturating_sub(UNIT);
    let [first, second, third] = POWERS[(shift & 127) as usize];
    // With at most 24 bits before the point: products with the first two parts are exact.
    let factor = f64::from_bits(f64::from(x).to_bits().wrapping_sub(u64::from(shift) << 52));
    let rounded = factor * first * FRAC_2_PI + ROUNDING;
    let whole = rounded - ROUNDING;
    // Differences of multiples of 2^-26 and 2^-52: exact as well.
    let high = factor * first - whole * HALF_PI[0];
    let middle = factor * second - whole * HALF_PI[1];
    let low = factor * third - whole * HALF_PI[2];
    let distance = high + middle + low;
    let is_finite = x.abs() < f32::INFINITY;
    (if is_finite { distance } else { f64::NAN }, rounded.to_bits())
}

/// The sine of a number between plus and minus a quarter of pi.
#[inline(always)]
fn sine(x: f64) -> f64 {
    x * polynomial(x * x, [1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362_880.0, -1.0 / 39_916_800.0])
}

/// The cosine of a number between plus and minus a quarter of pi.
#[inline(always)]
fn cosine(x: f64) -> f64 {
    polynomial(
        x * x,
        [1.0, -1.0 / 2.0, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40320.0, -1.0 / 3_628_800.0, 1.0 / 479_001_600.0],
    )
}

/// The sine of a number that lies so far from this multiple of half of pi.
#[inline(always)]
fn sine_at(distance: f64, quadrant: u64) -> f32 {
    let value = if quadrant & 1 == 0 { sine(distance) } else { cosine(distance) };
    (if quadrant & 2 == 0 { value } else { -value }) as f32
}

/// Sine.
#[inline(always)]
pub(in super::super) fn sin(x: f32) -> f32 {
    let (distance, quadrant) = reduced(x);
    sine_at(distance, quadrant)
}

/// Cosine.
#[inline(always)]
pub(in super::super) fn cos(x: f32) -> f32 {
    let (distance, quadrant) = reduced(x);
    sine_at(distance, quadrant.wrapping_add(1))
}

/// Tangent.
#[inline(always)]
pub(in super::super) fn tan(x: f32) -> f32 {
    let (distance, quadrant) = reduced(x);
    let (sine, cosine) = (sine(distance), cosine(distance));
    (if quadrant & 1 == 0 { sine / cosine } else { -(cosine / sine) }) as f32
}
