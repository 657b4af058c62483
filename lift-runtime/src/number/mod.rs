//! What operators and built-in functions mean on the host. For every element type it is what the language
//! says, whatever Rust's own operator does.
//!
//! Integers wrap. An integer divided by zero gives 0, and the remainder is the dividend. `min` and `max` of
//! floats ignore NaN. Casts are those of `as`. Kernels that are generic in their element type call the same
//! functions as all others. A function has the name of the built-in in the language, as Rust writes names, and
//! an operator that of its variant in lower case.
//!
//! Everything here is on scalars. [`lanes`] applies it to vectors, which are arrays of Rust.

mod arithmetic;
mod convert;
mod extremes;
mod floating;
mod integral;
pub mod lanes;
mod vectorized;

pub use arithmetic::Arithmetic;
pub use convert::Convert;
pub use extremes::{is_number, larger, smaller};
pub use floating::Floating;
pub use integral::{BitsOfFloat, Integral, WithBits};

/// `value as To`, with Rust's meaning. A size or an index is cast as an `isize`, by [`from_index`].
#[inline(always)]
pub fn cast<To: Convert, From: Convert>(value: From) -> To {
    To::from_number(value)
}

/// A size or an index as a number.
#[inline(always)]
pub fn from_index<To: Convert>(index: isize) -> To {
    To::from_number(index as i64)
}

/// An integer literal of a type, which may be a float.
#[inline(always)]
pub fn integer<T: Convert>(value: i128) -> T {
    T::from_literal(value)
}

/// A floating-point literal of a type, given in both precisions, so that it is rounded once.
#[inline(always)]
pub fn float<T: Floating>(single: f32, double: f64) -> T {
    T::from_literals(single, double)
}

macro_rules! functions {
    ($class:ident; $($(#[$documentation:meta])* $name:ident($($argument:ident),*);)*) => {$(
        $(#[$documentation])*
        #[inline(always)]
        pub fn $name<T: $class>($($argument: T),*) -> T {
            $class::$name($($argument),*)
        }
    )*};
}

functions! {
    Arithmetic;
    /// `x + y`; integers wrap.
    add(x, y);
    /// `x - y`; integers wrap.
    subtract(x, y);
    /// `x * y`; integers wrap.
    multiply(x, y);
    /// `x / y`; for integers, 0 if `y` is 0.
    divide(x, y);
    /// `x % y`; for integers, `x` if `y` is 0; for floats, C's `fmod`.
    remainder(x, y);
    /// `-x`; integers wrap.
    negate(x);
    /// The smaller one; if one of two floats is NaN, the other one.
    min(x, y);
    /// The larger one; if one of two floats is NaN, the other one.
    max(x, y);
    /// The smaller one, where -0.0 is smaller than 0.0; if one of two floats is NaN, the other one.
    least(x, y);
    /// The larger one, likewise.
    greatest(x, y);
    /// The absolute value; the smallest integer wraps to itself.
    abs(x);
    /// -1, 0 or 1; for floats, a zero keeps its sign and NaN becomes zero.
    sign(x);
    /// `x * y + z`, rounded twice.
    mad(x, y, z);
    /// `min(max(x, low), high)`.
    clampv(x, low, high);
}

functions! {
    Floating;
    /// Square root.
    sqrt(x);
    /// `1 / sqrt(x)`.
    rsqrt(x);
    /// Cube root.
    cbrt(x);
    /// `e` to the power of `x`.
    exp(x);
    /// 2 to the power of `x`.
    exp2(x);
    /// Natural logarithm.
    log(x);
    /// Logarithm to base 2.
    log2(x);
    /// Logarithm to base 10.
    log10(x);
    /// `x` to the power of `y`.
    pow(x, y);
    /// Sine.
    sin(x);
    /// Cosine.
    cos(x);
    /// Tangent.
    tan(x);
    /// Arc sine.
    asin(x);
    /// Arc cosine.
    acos(x);
    /// Arc tangent.
    atan(x);
    /// Arc tangent of `y / x` in the right quadrant.
    atan2(y, x);
    /// Hyperbolic sine.
    sinh(x);
    /// Hyperbolic cosine.
    cosh(x);
    /// Hyperbolic tangent.
    tanh(x);
    /// Inverse hyperbolic sine.
    asinh(x);
    /// Inverse hyperbolic cosine.
    acosh(x);
    /// Inverse hyperbolic tangent.
    atanh(x);
    /// `log(1 + x)`.
    log1p(x);
    /// `exp(x) - 1`.
    expm1(x);
    /// The error function.
    erf(x);
    /// `1 - erf(x)`.
    erfc(x);
    /// The natural logarithm of the absolute value of the gamma function.
    lgamma(x);
    /// The gamma function.
    tgamma(x);
    /// `sqrt(x * x + y * y)`.
    hypot(x, y);
    /// Rounded down.
    floor(x);
    /// Rounded up.
    ceil(x);
    /// Rounded to the nearest, ties away from zero.
    round(x);
    /// Rounded towards zero.
    trunc(x);
    /// Rounded to the nearest, ties to the even one.
    rint(x);
    /// The remainder of a division that is rounded towards zero.
    fmod(x, y);
    /// The absolute value of `x` with the sign of `y`.
    copysign(x, y);
    /// `x * y + z`, rounded once.
    fma(x, y, z);
}

functions! {
    Integral;
    /// The bits moved up by a count modulo their number; zeros come in.
    shl(x, count);
    /// The bits moved down; copies of the sign come in, or zeros for unsigned types.
    shr(x, count);
    /// The bits moved up; those that fall out come in again.
    rotl(x, count);
    /// The bits moved down; those that fall out come in again.
    rotr(x, count);
    /// The upper half of the product, which has twice as many bits.
    mul_hi(x, y);
    /// The number of bits that are set.
    popcount(x);
    /// The number of zeros above the highest bit that is set; all bits of 0.
    leading_zeros(x);
    /// The number of zeros below the lowest bit that is set; all bits of 0.
    trailing_zeros(x);
}

/// `x` to the power of an integer.
#[inline(always)]
pub fn powi<T: Floating>(x: T, exponent: i32) -> T {
    T::powi(x, exponent)
}

/// `x` times 2 to the power of an integer, rounded once.
#[inline(always)]
pub fn ldexp<T: Floating>(x: T, exponent: i32) -> T {
    T::ldexp(x, exponent)
}

/// Whether it is NaN.
#[inline(always)]
pub fn is_nan<T: Floating>(x: T) -> bool {
    T::is_nan(x)
}

/// Whether it is neither NaN nor infinite.
#[inline(always)]
pub fn is_finite<T: Floating>(x: T) -> bool {
    T::is_finite(x)
}

/// An integer to the power of another one, which wraps as products do.
#[inline(always)]
pub fn wrapping_pow<T: Integral>(x: T, exponent: u32) -> T {
    T::wrapping_pow(x, exponent)
}

/// The bits of a float as an unsigned integer.
#[inline(always)]
pub fn to_bits<T: WithBits>(x: T) -> T::Bits {
    T::to_bits(x)
}

/// The float with the bits of an unsigned integer.
#[inline(always)]
pub fn from_bits<T: BitsOfFloat>(bits: T) -> T::Float {
    T::from_bits(bits)
}

/// `then` where the condition holds, else `otherwise`.
#[inline(always)]
pub fn select<T>(condition: bool, then: T, otherwise: T) -> T {
    if condition { then } else { otherwise }
}

#[cfg(test)]
mod tests;
