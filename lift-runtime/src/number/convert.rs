//! Casts between all element types.

use crate::element::Element;

/// An element that can be cast to every other, with the meaning of `as`: casts of floats to integers
/// saturate, NaN becomes zero, integers wrap.
pub trait Convert: Element {
    /// This type from any other.
    fn from_number<From: Convert>(value: From) -> Self;

    /// This type from an integer literal.
    fn from_literal(value: i128) -> Self;

    /// Whether it is not zero.
    fn to_bool(self) -> bool;
    /// As this type.
    fn to_i8(self) -> i8;
    /// As this type.
    fn to_u8(self) -> u8;
    /// As this type.
    fn to_i16(self) -> i16;
    /// As this type.
    fn to_u16(self) -> u16;
    /// As this type.
    fn to_i32(self) -> i32;
    /// As this type.
    fn to_u32(self) -> u32;
    /// As this type.
    fn to_i64(self) -> i64;
    /// As this type.
    fn to_u64(self) -> u64;
    /// As this type.
    fn to_f32(self) -> f32;
    /// As this type.
    fn to_f64(self) -> f64;
}

macro_rules! casts {
    ($value:ident, $through:expr, $($method:ident: $to:ty),*) => {
        $(
            #[inline(always)]
            fn $method($value) -> $to {
                ($through) as $to
            }
        )*
    };
}

macro_rules! numbers {
    ($($ty:ty, $to_self:ident, $zero:literal;)*) => {$(
        impl Convert for $ty {
            #[inline(always)]
            fn from_number<From: Convert>(value: From) -> Self {
                value.$to_self()
            }

            #[inline(always)]
            fn from_literal(value: i128) -> Self {
                value as $ty
            }

            #[inline(always)]
            fn to_bool(self) -> bool {
                self != $zero
            }

            casts!(self, self, to_i8: i8, to_u8: u8, to_i16: i16, to_u16: u16, to_i32: i32, to_u32: u32, to_i64: i64, to_u64: u64);
            casts!(self, self, to_f32: f32, to_f64: f64);
        }
    )*};
}

numbers! {
    i8, to_i8, 0;
    u8, to_u8, 0;
    i16, to_i16, 0;
    u16, to_u16, 0;
    i32, to_i32, 0;
    u32, to_u32, 0;
    i64, to_i64, 0;
    u64, to_u64, 0;
    f32, to_f32, 0.0;
    f64, to_f64, 0.0;
}

impl Convert for bool {
    #[inline(always)]
    fn from_number<From: Convert>(value: From) -> Self {
        value.to_bool()
    }

    #[inline(always)]
    fn from_literal(value: i128) -> Self {
        value != 0
    }

    #[inline(always)]
    fn to_bool(self) -> bool {
        self
    }

    casts!(self, self, to_i8: i8, to_u8: u8, to_i16: i16, to_u16: u16, to_i32: i32, to_u32: u32, to_i64: i64, to_u64: u64);
    casts!(self, u8::from(self), to_f32: f32, to_f64: f64);
}

/// Half precision is cast through double precision, which has more than twice its digits.
#[cfg(feature = "f16")]
impl Convert for half::f16 {
    #[inline(always)]
    fn from_number<From: Convert>(value: From) -> Self {
        half::f16::from_f64(value.to_f64())
    }

    #[inline(always)]
    fn from_literal(value: i128) -> Self {
        half::f16::from_f64(value as f64)
    }

    #[inline(always)]
    fn to_bool(self) -> bool {
        self.to_f32() != 0.0
    }

    casts!(self, half::f16::to_f32(self), to_i8: i8, to_u8: u8, to_i16: i16, to_u16: u16, to_i32: i32, to_u32: u32, to_i64: i64, to_u64: u64);
    casts!(self, half::f16::to_f32(self), to_f32: f32, to_f64: f64);
}
