//! What a program needs of an element type that it leaves open.
//!
//! Generated code bounds such a type with one of these, so that rustc refuses an argument of the wrong kind
//! at the call.

use std::ops::{BitAnd, BitOr, BitXor, Not};

use crate::element::Element;
use crate::number::{Arithmetic, Floating, Integral};

/// An element type with operators on bits: integers, and `bool`.
#[diagnostic::on_unimplemented(
    message = "this computation needs integers or truth values, but `{Self}` is neither",
    label = "operators on bits are not defined on `{Self}`"
)]
pub trait Bits:
    Element + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
}

/// An element type with arithmetic: every one but `bool`.
#[diagnostic::on_unimplemented(
    message = "this computation needs numbers, but `{Self}` is no number",
    label = "arithmetic is not defined on `{Self}`"
)]
pub trait Number: Element + Arithmetic {}

/// An integer element type.
#[diagnostic::on_unimplemented(
    message = "this computation needs integers, but `{Self}` is no integer",
    label = "an operation in this expression is defined on integers only",
    note = "a size such as `len(xs)` is an integer; `len(xs) as f32` is a float"
)]
pub trait Integer: Number + Bits + Integral {}

/// A floating-point element type.
#[diagnostic::on_unimplemented(
    message = "this computation needs floating-point numbers, but `{Self}` is none",
    label = "an operation in this expression is defined on floating-point numbers only",
    note = "convert the numbers in the expression: `map(|x| x as f32)`"
)]
pub trait Float: Number + Floating {}

macro_rules! classes {
    ($class:ident: $($ty:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl Number for $ty {}

        #[diagnostic::do_not_recommend]
        impl $class for $ty {}
    )*};
}

macro_rules! bits {
    ($($ty:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl Bits for $ty {}
    )*};
}

bits!(bool, i8, u8, i16, u16, i32, u32, i64, u64);
classes!(Integer: i8, u8, i16, u16, i32, u32, i64, u64);
classes!(Float: f32, f64);

#[cfg(feature = "f16")]
classes!(Float: half::f16);
