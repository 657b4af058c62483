//! What rustc knows about the sizes of an argument.
//!
//! The size of each dimension is a type, [`Static`] or [`Dynamic`], that [`Dim`] finds. Generated code bounds
//! its parameters with [`HasSize`] and [`SameSizeAs`], so that a wrong static size is an error of rustc at
//! the call. These traits ask nothing else of an argument: for something that is no array, only
//! [`Input`](crate::Input) gives a message.

use ndarray::ArrayBase;
use ndarray::{Ix0, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn};

use crate::device_array::DeviceArray;

/// A size that is part of a type, like the `N` of `[T; N]`.
#[derive(Debug, Clone, Copy)]
pub enum Static<const N: usize> {}

/// A size that is known only when the program runs.
#[derive(Debug, Clone, Copy)]
pub enum Dynamic {}

/// The size of the dimension `INDEX`, from 0 for the outermost. A dimension that does not exist is dynamic.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed as an array",
    label = "not an array that a device can take"
)]
pub trait Dim<const INDEX: usize> {
    /// [`Static`] or [`Dynamic`].
    type Size;
}

/// Implements [`Dim`] for sequences: the first size is the given one, the others are those of an item.
macro_rules! sequences {
    ($([$($generics:tt)*] $ty:ty => $size:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<I, $($generics)*> Dim<0> for $ty {
            type Size = $size;
        }

        sequences!(@inner [$($generics)*] $ty: 0 => 1, 1 => 2, 2 => 3, 3 => 4, 4 => 5);
    )*};
    (@inner $generics:tt $ty:ty: $($inner:literal => $outer:literal),*) => {
        $(sequences!(@one $generics $ty, $inner, $outer);)*
    };
    (@one [$($generics:tt)*] $ty:ty, $inner:literal, $outer:literal) => {
        #[diagnostic::do_not_recommend]
        impl<I: Dim<$inner>, $($generics)*> Dim<$outer> for $ty {
            type Size = I::Size;
        }
    };
}

sequences! {
    [] [I] => Dynamic;
    [] Vec<I> => Dynamic;
    [const N: usize] [I; N] => Static<N>;
}

/// Implements [`Dim`] for pointers to something that has it.
macro_rules! pointers {
    ($($ty:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<A: Dim<INDEX> + ?Sized, const INDEX: usize> Dim<INDEX> for $ty {
            type Size = A::Size;
        }
    )*};
}

pointers!(&A, &mut A, Box<A>);

/// Implements [`Dim`] for tuples of arrays: the first one decides, the others are compared with it at the
/// call.
macro_rules! side_by_side {
    ($(($first:ident $(, $other:ident)*))*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$first: Dim<INDEX>, $($other,)* const INDEX: usize> Dim<INDEX> for ($first, $($other),*) {
            type Size = $first::Size;
        }
    )*};
}

side_by_side! {
    (A, B)
    (A, B, C)
    (A, B, C, D)
    (A, B, C, D, E)
    (A, B, C, D, E, F)
    (A, B, C, D, E, F, G)
    (A, B, C, D, E, F, G, H)
}

/// Implements [`Dim`] for what has no static sizes.
macro_rules! dynamic {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)* const INDEX: usize> Dim<INDEX> for $ty {
            type Size = Dynamic;
        }
    )*};
}

dynamic! {
    [] bool; [] i8; [] u8; [] i16; [] u16; [] i32; [] u32; [] i64; [] u64; [] f32; [] f64;
    [S: ndarray::RawData,] ArrayBase<S, Ix0>;
    [S: ndarray::RawData,] ArrayBase<S, Ix1>;
    [S: ndarray::RawData,] ArrayBase<S, Ix2>;
    [S: ndarray::RawData,] ArrayBase<S, Ix3>;
    [S: ndarray::RawData,] ArrayBase<S, Ix4>;
    [S: ndarray::RawData,] ArrayBase<S, Ix5>;
    [S: ndarray::RawData,] ArrayBase<S, Ix6>;
    [S: ndarray::RawData,] ArrayBase<S, IxDyn>;
    [T, D,] DeviceArray<T, D>;
}

// These are no arrays, but are often passed for one. Only `Input` gives a message about them.
dynamic! {
    [T, E,] Result<T, E>;
    [T,] Option<T>;
    [] String; [] str; [] char; [] usize; [] isize; [] u128; [] i128;
}

#[cfg(feature = "f16")]
dynamic! {
    [] half::f16;
}

/// Two sizes that may be equal: a dynamic one agrees with every other, and is compared at the call.
pub trait SameSize<Other> {}

#[diagnostic::do_not_recommend]
impl SameSize<Dynamic> for Dynamic {}
#[diagnostic::do_not_recommend]
impl<const N: usize> SameSize<Static<N>> for Dynamic {}
#[diagnostic::do_not_recommend]
impl<const N: usize> SameSize<Dynamic> for Static<N> {}
#[diagnostic::do_not_recommend]
impl<const N: usize> SameSize<Static<N>> for Static<N> {}

/// A size that may be the literal `N` of a parameter's type.
pub trait MayBe<const N: usize> {}

#[diagnostic::do_not_recommend]
impl<const N: usize> MayBe<N> for Dynamic {}
#[diagnostic::do_not_recommend]
impl<const N: usize> MayBe<N> for Static<N> {}

/// The size of dimension `INDEX` may be `N`.
///
/// ```compile_fail,E0277
/// # use lift_runtime::{HasSize, Input};
/// fn cross<A: Input<f32, 1> + HasSize<0, 3>>(_: &A) {}
/// cross(&[1.0, 2.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "an array of the wrong size: dimension {INDEX} of `{Self}` is not {N}",
    label = "this array has the wrong size",
    note = "dimensions count from 0, the outermost"
)]
pub trait HasSize<const INDEX: usize, const N: usize> {}

#[diagnostic::do_not_recommend]
impl<A, const INDEX: usize, const N: usize> HasSize<INDEX, N> for A where
    A: Dim<INDEX, Size: MayBe<N>> + ?Sized
{
}

/// The size of dimension `INDEX` may be the size of dimension `OTHER_INDEX` of `Other`.
///
/// ```compile_fail,E0277
/// # use lift_runtime::{Input, SameSizeAs};
/// fn dot<A: Input<f32, 1> + SameSizeAs<0, B, 0>, B: Input<f32, 1>>(_: &A, _: &B) {}
/// dot(&[1.0, 2.0, 3.0], &[1.0, 2.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "the sizes of two arrays do not agree: dimension {INDEX} of `{Self}`, and dimension {OTHER_INDEX} of `{Other}`",
    label = "this array must be as long there as another argument",
    note = "dimensions count from 0, the outermost"
)]
pub trait SameSizeAs<const INDEX: usize, Other: ?Sized, const OTHER_INDEX: usize> {}

#[diagnostic::do_not_recommend]
impl<A, Other, const INDEX: usize, const OTHER_INDEX: usize> SameSizeAs<INDEX, Other, OTHER_INDEX> for A
where
    A: Dim<INDEX, Size: SameSize<<Other as Dim<OTHER_INDEX>>::Size>> + ?Sized,
    Other: Dim<OTHER_INDEX> + ?Sized,
{
}
