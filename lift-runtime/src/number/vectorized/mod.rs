//! Functions of single precision that a loop over lanes computes for several numbers at once.
//!
//! The functions of the system's library take one number at a time, which keeps LLVM from vectorising the
//! loop around them. Those here have no branches and call nothing. Two things must stay true for all
//! arguments: a result is as precise as OpenCL demands (OpenCL 1.2, table 7.4: within three units in the last
//! place for most), and special values are those of the standard library.
//!
//! - `single`: exponential and logarithm in single precision;
//! - `exponential`, `logarithm`, `trigonometric`, `power`: all others, in double precision, where it is
//!   enough to round once at the end. Arguments are reduced as in Cody and Waite, *Software manual for the
//!   elementary functions*, 1980; polynomials are the beginnings of Taylor series, long enough for the
//!   reduced argument.

mod exponential;
mod logarithm;
mod power;
mod single;
mod trigonometric;

pub(super) use exponential::{cosh, exp2, sinh, tanh};
pub(super) use logarithm::{log2, log10};
pub(super) use power::pow;
pub(super) use single::{exp, log};
pub(super) use trigonometric::{cos, sin, tan};

/// A number whose unit in the last place is 1, with room on both sides. A sum with it is rounded to a whole
/// number, which is in its last bits.
const ROUNDING: f64 = 6_755_399_441_055_744.0;

/// The sum of `coefficients[i] * x^i`.
#[inline(always)]
fn polynomial<const N: usize>(x: f64, coefficients: [f64; N]) -> f64 {
    let mut sum = 0.0;
    for position in (0..N).rev() {
        sum = sum * x + coefficients[position];
    }
    sum
}

#[cfg(test)]
mod tests;
