//! Functions of floats, in the precision of their argument.

use super::{Arithmetic, vectorized};

/// Exponents up to this one take fewer multiplications than a power of floats takes.
const SMALL: i32 = 8;

macro_rules! floating {
    ($($(#[$documentation:meta])* $name:ident($($argument:ident),*) = $single:expr, $double:expr;)*) => {
        /// A floating-point number.
        pub trait Floating: Arithmetic {
            /// A literal, given in both precisions.
            fn from_literals(single: f32, double: f64) -> Self;

            $($(#[$documentation])* fn $name($($argument: Self),*) -> Self;)*

            /// `x` to the power of an integer.
            fn powi(x: Self, exponent: i32) -> Self;

            /// `x` times 2 to the power of an integer, rounded once.
            fn ldexp(x: Self, exponent: i32) -> Self;

            /// Whether it is NaN.
            fn is_nan(x: Self) -> bool;

            /// Whether it is neither NaN nor infinite.
            fn is_finite(x: Self) -> bool;
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

            #[inline(always)]
            fn powi(x: f32, exponent: i32) -> f32 {
                match exponent {
                    0..=SMALL => x.powi(exponent),
                    _ => f64::from(x).powf(exponent.into()) as f32,
                }
            }

            #[inline(always)]
            fn ldexp(x: f32, exponent: i32) -> f32 {
                libm::ldexpf(x, exponent)
            }

            #[inline(always)]
            fn is_nan(x: f32) -> bool {
                x.is_nan()
            }

            #[inline(always)]
            fn is_finite(x: f32) -> bool {
                x.is_finite()
            }
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

            #[inline(always)]
            fn powi(x: f64, exponent: i32) -> f64 {
                match exponent {
                    0..=SMALL => x.powi(exponent),
                    _ => x.powf(exponent.into()),
                }
            }

            #[inline(always)]
            fn ldexp(x: f64, exponent: i32) -> f64 {
                libm::ldexp(x, exponent)
            }

            #[inline(always)]
            fn is_nan(x: f64) -> bool {
                x.is_nan()
            }

            #[inline(always)]
            fn is_finite(x: f64) -> bool {
                x.is_finite()
            }
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

            #[inline(always)]
            fn powi(x: half::f16, exponent: i32) -> half::f16 {
                half::f16::from_f64(x.to_f64().powf(exponent.into()))
            }

            #[inline(always)]
            fn ldexp(x: half::f16, exponent: i32) -> half::f16 {
                half::f16::from_f64(libm::ldexp(x.to_f64(), exponent))
            }

            #[inline(always)]
            fn is_nan(x: half::f16) -> bool {
                x.is_nan()
            }

            #[inline(always)]
            fn is_finite(x: half::f16) -> bool {
                x.is_finite()
            }
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
    /// Inverse hyperbolic sine. The standard library's overflows for large numbers.
    asinh(x) = libm::asinhf, libm::asinh;
    /// Inverse hyperbolic cosine. The standard library's is imprecise near 1.
    acosh(x) = libm::acoshf, libm::acosh;
    /// Inverse hyperbolic tangent.
    atanh(x) = libm::atanhf, libm::atanh;
    /// `log(1 + x)`
    log1p(x) = f32::ln_1p, f64::ln_1p;
    /// `exp(x) - 1`
    expm1(x) = f32::exp_m1, f64::exp_m1;
    /// The error function.
    erf(x) = libm::erff, libm::erf;
    /// `1 - erf(x)`
    erfc(x) = libm::erfcf, libm::erfc;
    /// The natural logarithm of the absolute value of the gamma function.
    lgamma(x) = libm::lgammaf, libm::lgamma;
    /// The gamma function.
    tgamma(x) = libm::tgammaf, libm::tgamma;
    /// `sqrt(x * x + y * y)`
    hypot(x, y) = f32::hypot, f64::hypot;
    /// Rounded down.
    floor(x) = f32::floor, f64::floor;
    /// Rounded up.
    ceil(x) = f32::ceil, f64::ceil;
    /// Rounded to the nearest, ties away from zero.
    round(x) = f32::round, f64::round;
    /// Rounded towards zero.
    trunc(x) = f32::trunc, f64::trunc;
    /// Rounded to the nearest, ties to the even one.
    rint(x) = f32::round_ties_even, f64::round_ties_even;
    /// The remainder of a division that is rounded towards zero.
    fmod(x, y) = |x: f32, y: f32| x % y, |x: f64, y: f64| x % y;
    /// The absolute value of `x` with the sign of `y`.
    copysign(x, y) = f32::copysign, f64::copysign;
    /// `x * y + z`, rounded once.
    fma(x, y, z) = f32::mul_add, f64::mul_add;
}
