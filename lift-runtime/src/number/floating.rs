//! Functions of floats, in the precision of their argument.

use super::{Arithmetic, vectorized};

macro_rules! floating {
    ($($(#[$documentation:meta])* $name:ident($($argument:ident),*) = $single:expr, $double:expr;)*) => {
        /// A floating-point number.
        pub trait Floating: Arithmetic {
            /// A literal, given in both precisions.
            fn from_literals(single: f32, double: f64) -> Self;

            $($(#[$documentation])* fn $name($($argument: Self),*) -> Self;)*
        }

        impl Floating for f32 {
            #[inline(always)]
            fn from_literals(single: f32, _: f64) -> f32 {
                single
            }

            $(
                #[inline(always)]
                fn $name($($argument: f32),*) -> f32 {
                    $single($($argument),*)
                }
            )*
        }

        impl Floating for f64 {
            #[inline(always)]
            fn from_literals(_: f32, double: f64) -> f64 {
                double
            }

            $(
                #[inline(always)]
                fn $name($($argument: f64),*) -> f64 {
                    $double($($argument),*)
                }
            )*
        }

        /// Computed in double precision and rounded.
        #[cfg(feature = "f16")]
        impl Floating for half::f16 {
            #[inline(always)]
            fn from_literals(_: f32, double: f64) -> half::f16 {
                half::f16::from_f64(double)
            }

            $(
                #[inline(always)]
                fn $name($($argument: half::f16),*) -> half::f16 {
                    half::f16::from_f64($double($($argument.to_f64()),*))
                }
            )*
        }
    };
}

floating! {
    /// Square root.
    sqrt(x) = f32::sqrt, f64::sqrt;
    /// `1 / sqrt(x)`
    rsqrt(x) = |x: f32| 1.0 / x.sqrt(), |x: f64| 1.0 / x.sqrt();
    /// Cube root.
    cbrt(x) = f32::cbrt, f64::cbrt;
    /// `e` to the power of `x`.
    exp(x) = vectorized::exp, f64::exp;
    /// 2 to the power of `x`.
    exp2(x) = vectorized::exp2, f64::exp2;
    /// Natural logarithm.
    log(x) = vectorized::log, f64::ln;
    /// Logarithm to base 2.
    log2(x) = vectorized::log2, f64::log2;
    /// Logarithm to base 10.
    log10(x) = vectorized::log10, f64::log10;
    /// `x` to the power of `y`.
    pow(x, y) = vectorized::pow, f64::powf;
    /// Sine.
    sin(x) = vectorized::sin, f64::sin;
    /// Cosine.
    cos(x) = vectorized::cos, f64::cos;
    /// Tangent.
    tan(x) = vectorized::tan, f64::tan;
    /// Arc sine.
    asin(x) = f32::asin, f64::asin;
    /// Arc cosine.
    acos(x) = f32::acos, f64::acos;
    /// Arc tangent.
    atan(x) = f32::atan, f64::atan;
    /// Arc tangent of `y / x` in the right quadrant.
    atan2(y, x) = f32::atan2, f64::atan2;
    /// Hyperbolic sine.
    sinh(x) = vectorized::sinh, f64::sinh;
    /// Hyperbolic cosine.
    cosh(x) = vectorized::cosh, f64::cosh;
    /// Hyperbolic tangent.
    tanh(x) = vectorized::tanh, f64::tanh;
    /// Rounded down.
    floor(x) = f32::floor, f64::floor;
    /// Rounded up.
    ceil(x) = f32::ceil, f64::ceil;
    /// Rounded to the nearest, ties away from zero.
    round(x) = f32::round, f64::round;
    /// Rounded towards zero.
    trunc(x) = f32::trunc, f64::trunc;
    /// `x * y + z`, rounded once.
    fma(x, y, z) = f32::mul_add, f64::mul_add;
}
