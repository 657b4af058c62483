//! What a program needs of an element type that it leaves open.
//!
//! Generated code bounds such a type with one of these, so that rustc refuses an argument of the wrong kind
//! at the call.

use crate::element::Element;
use crate::number::{Arithmetic, Floating};

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
pub trait Integer: Number {}

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

classes!(Integer: i8, u8, i16, u16, i32, u32, i64, u64);
classes!(Float: f32, f64);

#[cfg(feature = "f16")]
classes!(Float: half::f16);
