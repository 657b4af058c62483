//! Functions of integers alone, most of them on their bits, and between floats and their bits.

use super::Arithmetic;

/// An integer, with functions that floats do not have. Counts are taken modulo their number.
pub trait Integral: Arithmetic {
    /// The bits moved up; zeros come in.
    fn shl(x: Self, count: Self) -> Self;
    /// The bits moved down; copies of the sign come in, or zeros for unsigned types.
    fn shr(x: Self, count: Self) -> Self;
    /// The bits moved up; those that fall out come in again.
    fn rotl(x: Self, count: Self) -> Self;
    /// The bits moved down; those that fall out come in again.
    fn rotr(x: Self, count: Self) -> Self;
    /// The upper half of the product, which has twice as many bits.
    fn mul_hi(x: Self, y: Self) -> Self;
    /// A power, which wraps as products do.
    fn wrapping_pow(x: Self, exponent: u32) -> Self;
    /// The number of bits that are set.
    fn popcount(x: Self) -> Self;
    /// The number of zeros above the highest bit that is set.
    fn leading_zeros(x: Self) -> Self;
    /// The number of zeros below the lowest bit that is set.
    fn trailing_zeros(x: Self) -> Self;
}

macro_rules! integrals {
    ($($ty:ty, $wide:ty;)*) => {$(
        impl Integral for $ty {
            #[inline(always)]
            fn shl(x: Self, count: Self) -> Self {
                x.wrapping_shl(count as u32)
            }

            #[inline(always)]
            fn shr(x: Self, count: Self) -> Self {
                x.wrapping_shr(count as u32)
            }

            #[inline(always)]
            fn rotl(x: Self, count: Self) -> Self {
                x.rotate_left(count as u32 % Self::BITS)
            }

            #[inline(always)]
            fn rotr(x: Self, count: Self) -> Self {
                x.rotate_right(count as u32 % Self::BITS)
            }

            #[inline(always)]
            fn mul_hi(x: Self, y: Self) -> Self {
                ((x as $wide * y as $wide) >> Self::BITS) as Self
            }

            #[inline(always)]
            fn wrapping_pow(x: Self, exponent: u32) -> Self {
                x.wrapping_pow(exponent)
            }

            #[inline(always)]
            fn popcount(x: Self) -> Self {
                x.count_ones() as Self
            }

            #[inline(always)]
            fn leading_zeros(x: Self) -> Self {
                x.leading_zeros() as Self
            }

            #[inline(always)]
            fn trailing_zeros(x: Self) -> Self {
                x.trailing_zeros() as Self
            }
        }
    )*};
}

integrals! {
    i8, i16;
    i16, i32;
    i32, i64;
    i64, i128;
    u8, u16;
    u16, u32;
    u32, u64;
    u64, u128;
}

/// A float whose bits are an integer.
pub trait WithBits {
    /// That integer.
    type Bits;

    /// The bits.
    fn to_bits(x: Self) -> Self::Bits;
}

/// An integer that is the bits of a float.
pub trait BitsOfFloat {
    /// That float.
    type Float;

    /// The float with these bits.
    fn from_bits(bits: Self) -> Self::Float;
}

macro_rules! bits_of_floats {
    ($($float:ty, $bits:ty;)*) => {$(
        impl WithBits for $float {
            type Bits = $bits;

            #[inline(always)]
            fn to_bits(x: Self) -> $bits {
                x.to_bits()
            }
        }

        impl BitsOfFloat for $bits {
            type Float = $float;

            #[inline(always)]
            fn from_bits(bits: Self) -> $float {
                <$float>::from_bits(bits)
            }
        }
    )*};
}

bits_of_floats! {
    f32, u32;
    f64, u64;
}
