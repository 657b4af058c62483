//! Which types can be arguments, items of arrays and results: those that this crate knows.
//!
//! The implementations of [`Array`](crate::Array), [`Item`](crate::Item), [`Output`](crate::Output) and the
//! like are trusted: a kernel accesses as many elements as they report, and OpenCL checks nothing. So all of
//! these traits ask for [`Sealed`], and no other crate can name it. It is implemented by structure: a pointer
//! to a type of another crate counts as a type of that crate, and must not be sealed unless the type is.

use ndarray::{ArrayBase, RawData};

/// A type that this crate knows.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be made an argument, an item of an array or a result: `lift` knows all types that can be",
    label = "not one of the types that `lift` knows"
)]
pub trait Sealed {}

macro_rules! scalars {
    ($($ty:ty),*) => {
        $(
            #[diagnostic::do_not_recommend]
            impl Sealed for $ty {}
        )*
    };
}

scalars!(bool, i8, u8, i16, u16, i32, u32, i64, u64, f32, f64);
// Not elements, but passed by value.
scalars!(usize, isize);
#[cfg(feature = "f16")]
scalars!(half::f16);

#[diagnostic::do_not_recommend]
impl<I: Sealed> Sealed for [I] {}
#[diagnostic::do_not_recommend]
impl<I: Sealed> Sealed for Vec<I> {}
#[diagnostic::do_not_recommend]
impl<I: Sealed, const N: usize> Sealed for [I; N] {}
#[diagnostic::do_not_recommend]
impl<A: Sealed + ?Sized> Sealed for &A {}
#[diagnostic::do_not_recommend]
impl<A: Sealed + ?Sized> Sealed for &mut A {}
#[diagnostic::do_not_recommend]
impl<A: Sealed + ?Sized> Sealed for Box<A> {}
#[diagnostic::do_not_recommend]
impl<S: RawData, D> Sealed for ArrayBase<S, D> {}

macro_rules! tuples {
    ($(($($part:ident),*))*) => {
        $(
            #[diagnostic::do_not_recommend]
            impl<$($part: Sealed),*> Sealed for ($($part,)*) {}
        )*
    };
}

tuples! {
    (A, B)
    (A, B, C)
    (A, B, C, D)
    (A, B, C, D, E)
    (A, B, C, D, E, F)
    (A, B, C, D, E, F, G)
    (A, B, C, D, E, F, G, H)
}
