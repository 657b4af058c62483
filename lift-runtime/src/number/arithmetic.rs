//! Arithmetic of numbers: every element type but `bool`.

use super::{Convert, extremes};

/// A number, with the operators and functions that integers and floats have alike. Comparisons are Rust's
/// own.
pub trait Arithmetic: Convert + PartialOrd {
    /// `x + y`
    fn add(x: Self, y: Self) -> Self;
    /// `x - y`
    fn subtract(x: Self, y: Self) -> Self;
    /// `x * y`
    fn multiply(x: Self, y: Self) -> Self;
    /// `x / y`
    fn divide(x: Self, y: Self) -> Self;
    /// `x % y`
    fn remainder(x: Self, y: Self) -> Self;
    /// `-x`
    fn negate(x: Self) -> Self;
    /// The smaller one.
    fn min(x: Self, y: Self) -> Self;
    /// The larger one.
    fn max(x: Self, y: Self) -> Self;
    /// The smaller one, where -0.0 is smaller than 0.0.
    fn least(x: Self, y: Self) -> Self;
    /// The larger one, likewise.
    fn greatest(x: Self, y: Self) -> Self;
    /// The absolute value.
    fn abs(x: Self) -> Self;
    /// -1, 0 or 1.
    fn sign(x: Self) -> Self;

    /// `x * y + z`, rounded twice.
    #[inline(always)]
    fn mad(x: Self, y: Self, z: Self) -> Self {
        Self::add(Self::multiply(x, y), z)
    }

    /// `min(max(x, low), high)`, also where `low > high`.
    #[inline(always)]
    fn clampv(x: Self, low: Self, high: Self) -> Self {
        Self::min(Self::max(x, low), high)
    }
}

macro_rules! integers {
    ($($ty:ty, $abs:expr, $sign:expr;)*) => {$(
        impl Arithmetic for $ty {
            #[inline(always)]
            fn add(x: Self, y: Self) -> Self {
                x.wrapping_add(y)
            }

            #[inline(always)]
            fn subtract(x: Self, y: Self) -> Self {
                x.wrapping_sub(y)
            }

            #[inline(always)]
            fn multiply(x: Self, y: Self) -> Self {
                x.wrapping_mul(y)
            }

            #[inline(always)]
            fn divide(x: Self, y: Self) -> Self {
                if y == 0 { 0 } else { x.wrapping_div(y) }
            }

            #[inline(always)]
            fn remainder(x: Self, y: Self) -> Self {
                if y == 0 { x } else { x.wrapping_rem(y) }
            }

            #[inline(always)]
            fn negate(x: Self) -> Self {
                x.wrapping_neg()
            }

            #[inline(always)]
            fn min(x: Self, y: Self) -> Self {
                Ord::min(x, y)
            }

            #[inline(always)]
            fn max(x: Self, y: Self) -> Self {
                Ord::max(x, y)
            }

            #[inline(always)]
            fn least(x: Self, y: Self) -> Self {
                Ord::min(x, y)
            }

            #[inline(always)]
            fn greatest(x: Self, y: Self) -> Self {
                Ord::max(x, y)
            }

            #[inline(always)]
            fn abs(x: Self) -> Self {
                $abs(x)
            }

            #[inline(always)]
            fn sign(x: Self) -> Self {
                $sign(x)
            }
        }
    )*};
}

integers! {
    i8, i8::wrapping_abs, i8::signum;
    i16, i16::wrapping_abs, i16::signum;
    i32, i32::wrapping_abs, i32::signum;
    i64, i64::wrapping_abs, i64::signum;
    u8, u8::from, |x| u8::from(x > 0);
    u16, u16::from, |x| u16::from(x > 0);
    u32, u32::from, |x| u32::from(x > 0);
    u64, u64::from, |x| u64::from(x > 0);
}

macro_rules! floats {
    ($($ty:ty, $min:path, $max:path, $abs:path;)*) => {$(
        impl Arithmetic for $ty {
            #[inline(always)]
            fn add(x: Self, y: Self) -> Self {
                x + y
            }

            #[inline(always)]
            fn subtract(x: Self, y: Self) -> Self {
                x - y
            }

            #[inline(always)]
            fn multiply(x: Self, y: Self) -> Self {
                x * y
            }

            #[inline(always)]
            fn divide(x: Self, y: Self) -> Self {
                x / y
            }

            #[inline(always)]
            fn remainder(x: Self, y: Self) -> Self {
                x % y
            }

            #[inline(always)]
            fn negate(x: Self) -> Self {
                -x
            }

            #[inline(always)]
            fn min(x: Self, y: Self) -> Self {
                $min(x, y)
            }

            #[inline(always)]
            fn max(x: Self, y: Self) -> Self {
                $max(x, y)
            }

            #[inline(always)]
            fn least(x: Self, y: Self) -> Self {
                if x < y || y.is_nan() || (x == y && x.is_sign_negative()) { x } else { y }
            }

            #[inline(always)]
            fn greatest(x: Self, y: Self) -> Self {
                if x > y || y.is_nan() || (x == y && x.is_sign_positive()) { x } else { y }
            }

            #[inline(always)]
            fn abs(x: Self) -> Self {
                $abs(x)
            }

            #[inline(always)]
            fn sign(x: Self) -> Self {
                let (zero, one) = (Self::from_literal(0), Self::from_literal(1));
                if x > zero {
                    one
                } else if x < zero {
                    -one
                } else if x == zero {
                    x
                } else {
                    zero
                }
            }
        }
    )*};
}

floats! {
    f32, extremes::single::min, extremes::single::max, f32::abs;
    f64, extremes::double::min, extremes::double::max, f64::abs;
}

#[cfg(feature = "f16")]
use half::f16;

#[cfg(feature = "f16")]
mod half_precision {
    use super::{extremes, f16};

    /// The smaller one; the other one if one is NaN.
    pub(super) fn min(x: f16, y: f16) -> f16 {
        f16::from_f32(extremes::single::min(x.to_f32(), y.to_f32()))
    }

    /// The larger one; the other one if one is NaN.
    pub(super) fn max(x: f16, y: f16) -> f16 {
        f16::from_f32(extremes::single::max(x.to_f32(), y.to_f32()))
    }

    pub(super) fn abs(x: f16) -> f16 {
        f16::from_bits(x.to_bits() & 0x7fff)
    }
}

// Sums, differences, products and quotients are computed in single precision. It has enough additional digits
// that rounding its result is the same as rounding the exact one.
#[cfg(feature = "f16")]
floats! {
    f16, half_precision::min, half_precision::max, half_precision::abs;
}
