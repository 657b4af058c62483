//! Host data and device arrays as arguments.
//!
//! Three layers, so that rustc's messages speak of the user's mistake and literals infer their type:
//! [`Item`] says which element type a nesting of fixed arrays has, [`ArrayOf`] does the same for everything that
//! can be passed, and [`Input`] adds the number of dimensions. [`Array`] carries what follows from a type
//! alone. `T` is a parameter of the first three and not only an associated type, for only then does
//! `&[1.0, 2.0]` become an array of `f32` where one is needed.

use std::borrow::Cow;

use ndarray::{ArrayBase, Data, Dimension, Ix0, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn};

use crate::device_array::{DeviceArray, DeviceData};
use crate::element::Element;
use crate::shape::{AnyRank, Dynamic, HasRank, Shape, Static};

/// What an argument holds, and where.
#[doc(hidden)]
#[derive(Debug)]
pub enum Source<'a, T: Element> {
    /// Elements in row-major order in the host's memory.
    Host(Cow<'a, [T]>),
    /// A buffer on a device.
    Device(&'a DeviceData),
}

/// Host data or a device array: anything that can be passed as an array.
///
/// These are `[T; N]`, `[T]`, `Vec<T>`, `Box<[T; N]>` and their nestings with fixed inner sizes
/// (`Vec<[[f32; 3]; 3]>`), every `ndarray` array and view, [`DeviceArray`], and references to all of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed as an array",
    label = "not an array that a device can take",
    note = "accepted are `[T; N]`, `Vec<T>`, `&[T]`, `Box<[T; N]>` and nested arrays of fixed inner size, \
            every `ndarray` array or view, and `DeviceArray`"
)]
pub trait Array {
    /// The type of one element.
    type Element: Element;
    /// What the type says about the sizes.
    type Shape: Shape;

    /// The lengths, outermost first.
    #[doc(hidden)]
    fn lengths(&self) -> Vec<usize>;

    /// The elements.
    #[doc(hidden)]
    fn source(&self) -> Source<'_, Self::Element>;
}

/// An array of `T` with `RANK` dimensions that can be passed to a kernel. It is implemented for every
/// [`Array`] with such elements and such a shape.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed as an array of `{T}` with {RANK} dimensions",
    label = "not an array of `{T}` with {RANK} dimensions",
    note = "accepted are `[T; N]`, `Vec<T>`, `&[T]`, `Box<[T; N]>` and nested arrays of fixed inner size, \
            every `ndarray` array or view of the right rank, and `DeviceArray`"
)]
pub trait Input<T: Element, const RANK: usize>: Array {}

impl<A, T: Element, const RANK: usize> Input<T, RANK> for A where
    A: Array<Shape: HasRank<RANK>> + ArrayOf<T> + ?Sized
{
}

/// The elements are of type `T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed as an array of `{T}`",
    label = "not an array of `{T}`",
    note = "accepted are `[T; N]`, `Vec<T>`, `&[T]`, `Box<[T; N]>` and nested arrays of fixed inner size, \
            every `ndarray` array or view, and `DeviceArray`"
)]
pub trait ArrayOf<T: Element> {}

/// What an array of fixed-size arrays consists of: an element, or an array of items.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a row of an array on a device",
    label = "rows need a size that is fixed by their type",
    note = "rows of varying length have no dense layout: use `Vec<[T; N]>`, or an `ndarray` array \
            (`Array2::from_shape_vec`)"
)]
pub trait Item: Sized {
    /// The type of one element.
    type Element: Element;
    /// The sizes inside one item.
    type Shape: Shape;

    /// Appends the lengths of the dimensions inside an item.
    #[doc(hidden)]
    fn append_lengths(lengths: &mut Vec<usize>);

    /// The elements of consecutive items.
    #[doc(hidden)]
    fn elements(items: &[Self]) -> &[Self::Element];

    /// The elements of consecutive items, to be overwritten.
    #[doc(hidden)]
    fn elements_mut(items: &mut [Self]) -> &mut [Self::Element];
}

/// The elements of an item are of type `T`.
#[diagnostic::on_unimplemented(
    message = "an array of `{T}` is needed here, but this one consists of `{Self}`",
    label = "the elements have the wrong type"
)]
pub trait ItemOf<T: Element> {}

impl<T: Element> ItemOf<T> for T {}
impl<T: Element, I: ItemOf<T>, const N: usize> ItemOf<T> for [I; N] {}

impl<T: Element> Item for T {
    type Element = T;
    type Shape = ();

    fn append_lengths(_: &mut Vec<usize>) {}

    fn elements(items: &[T]) -> &[T] {
        items
    }

    fn elements_mut(items: &mut [T]) -> &mut [T] {
        items
    }
}

impl<I: Item, const N: usize> Item for [I; N] {
    type Element = I::Element;
    type Shape = (Static<N>, I::Shape);

    fn append_lengths(lengths: &mut Vec<usize>) {
        lengths.push(N);
        I::append_lengths(lengths);
    }

    fn elements(items: &[Self]) -> &[I::Element] {
        I::elements(items.as_flattened())
    }

    fn elements_mut(items: &mut [Self]) -> &mut [I::Element] {
        I::elements_mut(items.as_flattened_mut())
    }
}

fn lengths_of<I: Item>(outermost: usize) -> Vec<usize> {
    let mut lengths = vec![outermost];
    I::append_lengths(&mut lengths);
    lengths
}

/// Implements [`Array`] for something that dereferences to a slice of items.
macro_rules! sliceable {
    ($([$($generics:tt)*] $ty:ty, $size:ty;)*) => {$(
        impl<I: Item, $($generics)*> Array for $ty {
            type Element = I::Element;
            type Shape = ($size, I::Shape);

            fn lengths(&self) -> Vec<usize> {
                lengths_of::<I>(self.len())
            }

            fn source(&self) -> Source<'_, I::Element> {
                Source::Host(Cow::Borrowed(I::elements(self)))
            }
        }

        impl<T: Element, I: ItemOf<T>, $($generics)*> ArrayOf<T> for $ty {}
    )*};
}

sliceable! {
    [] [I], Dynamic;
    [] Vec<I>, Dynamic;
    [const N: usize] [I; N], Static<N>;
}

/// Implements [`Array`] for a pointer to an array.
macro_rules! pointers {
    ($($ty:ty),*) => {$(
        impl<A: Array + ?Sized> Array for $ty {
            type Element = A::Element;
            type Shape = A::Shape;

            fn lengths(&self) -> Vec<usize> {
                (**self).lengths()
            }

            fn source(&self) -> Source<'_, A::Element> {
                (**self).source()
            }
        }

        impl<T: Element, A: ArrayOf<T> + ?Sized> ArrayOf<T> for $ty {}
    )*};
}

pointers!(&A, &mut A, Box<A>);

/// Implements [`Array`] for the arrays of `ndarray` with one type of dimensions.
macro_rules! ndarrays {
    ($($dimension:ty => $shape:ty;)*) => {$(
        impl<T: Element, S: Data<Elem = T>> Array for ArrayBase<S, $dimension> {
            type Element = T;
            type Shape = $shape;

            fn lengths(&self) -> Vec<usize> {
                self.shape().to_vec()
            }

            fn source(&self) -> Source<'_, T> {
                Source::Host(row_major(self))
            }
        }

        impl<T: Element, S: Data<Elem: ItemOf<T>>> ArrayOf<T> for ArrayBase<S, $dimension> {}
    )*};
}

ndarrays! {
    Ix0 => ();
    Ix1 => (Dynamic, ());
    Ix2 => (Dynamic, (Dynamic, ()));
    Ix3 => (Dynamic, (Dynamic, (Dynamic, ())));
    Ix4 => (Dynamic, (Dynamic, (Dynamic, (Dynamic, ()))));
    Ix5 => (Dynamic, (Dynamic, (Dynamic, (Dynamic, (Dynamic, ())))));
    Ix6 => (Dynamic, (Dynamic, (Dynamic, (Dynamic, (Dynamic, (Dynamic, ()))))));
    IxDyn => AnyRank;
}

/// Borrowed when the array is laid out row-major without gaps, else a copy that is.
fn row_major<T: Element, S: Data<Elem = T>, D: Dimension>(array: &ArrayBase<S, D>) -> Cow<'_, [T]> {
    match array.as_slice() {
        Some(elements) => Cow::Borrowed(elements),
        None => Cow::Owned(array.iter().copied().collect()),
    }
}

macro_rules! device_arrays {
    ($($dimension:ty => $shape:ty;)*) => {$(
        impl<T: Element> Array for DeviceArray<T, $dimension> {
            type Element = T;
            type Shape = $shape;

            fn lengths(&self) -> Vec<usize> {
                self.shape().to_vec()
            }

            fn source(&self) -> Source<'_, T> {
                Source::Device(self.data())
            }
        }

        impl<T: Element, U: Element + ItemOf<T>> ArrayOf<T> for DeviceArray<U, $dimension> {}
    )*};
}

device_arrays! {
    Ix0 => ();
    Ix1 => (Dynamic, ());
    Ix2 => (Dynamic, (Dynamic, ()));
    Ix3 => (Dynamic, (Dynamic, (Dynamic, ())));
    Ix4 => (Dynamic, (Dynamic, (Dynamic, (Dynamic, ()))));
    Ix5 => (Dynamic, (Dynamic, (Dynamic, (Dynamic, (Dynamic, ())))));
    Ix6 => (Dynamic, (Dynamic, (Dynamic, (Dynamic, (Dynamic, (Dynamic, ()))))));
    IxDyn => AnyRank;
}
