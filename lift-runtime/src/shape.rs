//! Shapes as types: what rustc knows about the sizes of an argument.
//!
//! A [`Shape`] is a list of sizes, outermost first, as nested pairs: `(Static<3>, (Dynamic, ()))` is the shape of
//! a `[Vec<…>]`-like array of three rows of unknown length. Generated code bounds its parameters with
//! [`HasSize`] and [`SameSizeAs`], so that a wrong static size is an error of rustc at the call.

use ndarray::{Dimension, Ix0, IxDyn};

use crate::input::Array;

/// A size that is part of a type, like the `N` of `[T; N]`.
#[derive(Debug, Clone, Copy)]
pub enum Static<const N: usize> {}

/// A size that is known only when the program runs.
#[derive(Debug, Clone, Copy)]
pub enum Dynamic {}

/// The shape of an array with a dynamic number of dimensions.
#[derive(Debug, Clone, Copy)]
pub enum AnyRank {}

/// The shape of an array as a type.
pub trait Shape {
    /// The corresponding type of `ndarray`.
    type Dimension: Dimension;
}

impl Shape for () {
    type Dimension = Ix0;
}

impl<Outer, Inner: Shape> Shape for (Outer, Inner) {
    type Dimension = <Inner::Dimension as Dimension>::Larger;
}

impl Shape for AnyRank {
    type Dimension = IxDyn;
}

/// The shape has `RANK` dimensions, or a dynamic number of them.
#[diagnostic::on_unimplemented(
    message = "an array with {RANK} dimensions is needed here",
    label = "this array does not have {RANK} dimensions"
)]
pub trait HasRank<const RANK: usize> {}

impl<const RANK: usize> HasRank<RANK> for AnyRank {}
impl HasRank<0> for () {}

macro_rules! ranks {
    ($($inner:literal => $outer:literal),*) => {$(
        impl<Outer, Inner: HasRank<$inner>> HasRank<$outer> for (Outer, Inner) {}

        impl<Outer, Inner: Dim<$inner>> Dim<$outer> for (Outer, Inner) {
            type Size = Inner::Size;
        }
    )*};
}

ranks!(0 => 1, 1 => 2, 2 => 3, 3 => 4, 4 => 5, 5 => 6);

/// The size of one dimension. A dimension that does not exist is dynamic, for [`HasRank`] reports it.
pub trait Dim<const INDEX: usize> {
    /// [`Static`] or [`Dynamic`].
    type Size;
}

impl<const INDEX: usize> Dim<INDEX> for () {
    type Size = Dynamic;
}

impl<const INDEX: usize> Dim<INDEX> for AnyRank {
    type Size = Dynamic;
}

impl<Outer, Inner> Dim<0> for (Outer, Inner) {
    type Size = Outer;
}

/// Two sizes that may be equal: a dynamic one agrees with every other, and is compared at the call.
#[diagnostic::on_unimplemented(
    message = "the sizes of two static arrays do not agree: `{Self}` here, `{Other}` there",
    label = "these array sizes must be equal"
)]
pub trait SameSize<Other> {}

impl SameSize<Dynamic> for Dynamic {}
impl<const N: usize> SameSize<Static<N>> for Dynamic {}
impl<const N: usize> SameSize<Dynamic> for Static<N> {}
impl<const N: usize> SameSize<Static<N>> for Static<N> {}

/// A size that may be the literal `N` of a parameter's type.
#[diagnostic::on_unimplemented(
    message = "an array of the wrong size: `{Self}` was given, but the size {N} is needed",
    label = "this array has the wrong size"
)]
pub trait MayBe<const N: usize> {}

impl<const N: usize> MayBe<N> for Dynamic {}
impl<const N: usize> MayBe<N> for Static<N> {}

/// The size of dimension `INDEX` may be `N`.
pub trait HasSize<const INDEX: usize, const N: usize> {}

impl<A, const INDEX: usize, const N: usize> HasSize<INDEX, N> for A where
    A: Array<Shape: Dim<INDEX, Size: MayBe<N>>> + ?Sized
{
}

/// The size of dimension `INDEX` may be the size of dimension `OTHER_INDEX` of `Other`.
pub trait SameSizeAs<const INDEX: usize, Other: ?Sized, const OTHER_INDEX: usize> {}

impl<A, Other, const INDEX: usize, const OTHER_INDEX: usize> SameSizeAs<INDEX, Other, OTHER_INDEX> for A
where
    A: Array<Shape: Dim<INDEX, Size: SameSize<<Other::Shape as Dim<OTHER_INDEX>>::Size>>> + ?Sized,
    Other: Array<Shape: Dim<OTHER_INDEX>> + ?Sized,
{
}
