//! Arguments, and host data as arguments; [`device_array`](crate::device_array) has those on a device.
//!
//! [`Array`] is what follows from a type alone: element type, rank, elements. [`Input`] adds what a parameter
//! asks for, an element type and a rank. It is implemented by structure, one obligation leading to the next,
//! so that a literal infers its type: `&[1.0, 2.0]` is an array of `f32` where one is needed. How that is
//! done is nothing for a user: every implementation is marked `do_not_recommend`, so that a mistake gets one
//! message, about the argument as it was passed and what is asked for.

pub(crate) mod contents;
mod given;
mod open_rank;
mod shape;
mod value;

use std::borrow::Cow;

use ndarray::{ArrayBase, Data, Dimension, Ix0, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn};

use crate::device::DeviceData;
use crate::element::{Element, Entry, Item, ItemOf, SameType};
use crate::host_elements::HostElements;
use crate::program::ScalarType;
use crate::sealed::Sealed;

pub(crate) use given::Given;
pub use open_rank::{AtLeast, Beyond, OpenInput, OpenItem, Without};
pub(crate) use open_rank::{Rows, check as check_rows, reshape};
pub use shape::{Dim, Dynamic, HasSize, MayBe, SameSize, SameSizeAs, Static};
pub(crate) use value::ValuePlace;
pub use value::{Value, ValueInput};

/// One component of the elements of an argument: all of them, unless they are tuples.
#[doc(hidden)]
#[derive(Debug)]
pub struct Part<'a> {
    /// The type of one element.
    pub element: ScalarType,
    /// The lengths, outermost first.
    pub lengths: Vec<usize>,
    /// The elements.
    pub source: Source<'a>,
}

/// Where the elements of an argument are.
#[doc(hidden)]
#[derive(Debug)]
pub enum Source<'a> {
    /// In row-major order in the host's memory.
    Host(HostElements<'a>),
    /// In a buffer on a device.
    Device(&'a DeviceData),
}

impl Source<'_> {
    /// How many elements of this type there are; `None` if they are of another one.
    pub(crate) fn count(&self, element: ScalarType) -> Option<usize> {
        match self {
            Source::Host(elements) => elements.count(element),
            Source::Device(data) => data.memory.count(element),
        }
    }
}

/// Host data or a device array: anything that can be passed as an array.
///
/// These are `[T; N]`, `[T]`, `Vec<T>`, `Box<[T; N]>` and their nestings with fixed inner sizes (`Vec<[[f32;
/// 3]; 3]>`), every `ndarray` array and view, [`DeviceArray`](crate::DeviceArray), and references to all of
/// them. A scalar counts as an array without dimensions. Elements may be tuples (`Vec<(f32, i32)>`), and a
/// tuple of arrays with the same number of dimensions counts as the array of tuples that has these
/// components: this is how device arrays are passed as one. This trait is sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed as an array",
    label = "not an array that a device can take",
    note = "accepted are `[T; N]`, `Vec<T>`, `&[T]`, `Box<[T; N]>` and nested arrays of fixed inner size, \
            every `ndarray` array or view, and `DeviceArray`"
)]
pub trait Array: Sealed {
    /// The type of one element.
    type Element: Entry;
    /// The number of dimensions, as a type of `ndarray`.
    type Dimension: Dimension;

    /// The lengths, outermost first, without those inside of an element.
    #[doc(hidden)]
    fn lengths(&self) -> Vec<usize>;

    /// Gives the components of the elements, in order.
    #[doc(hidden)]
    fn parts<'a>(&'a self, give: &mut dyn FnMut(Part<'a>));
}

/// An array of `T` with `RANK` dimensions that can be passed to a kernel: every [`Array`] with such elements
/// and such a rank. The rank of a dynamic-rank array is compared when the kernel is called.
///
/// ```
/// # use lift_runtime::{Input, ndarray};
/// fn matrix<A: Input<f32, 2> + ?Sized>(_: &A) {}
///
/// matrix(&[[1.0, 2.0], [3.0, 4.0]]);
/// matrix(&vec![[0.5; 3]; 100]);
/// matrix(&ndarray::Array2::<f32>::zeros((3, 4)).t());
/// ```
///
/// Elements of another type, and rows without a fixed size, are errors of rustc at the call:
///
/// ```compile_fail,E0277
/// # fn matrix<A: lift_runtime::Input<f32, 2> + ?Sized>(_: &A) {}
/// matrix(&[[1.0f64, 2.0], [3.0, 4.0]]);
/// ```
///
/// ```compile_fail,E0277
/// # fn matrix<A: lift_runtime::Input<f32, 2> + ?Sized>(_: &A) {}
/// matrix(&vec![vec![1.0f32, 2.0]]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed as a {RANK}-dimensional array of `{T}`",
    label = "not a {RANK}-dimensional array of `{T}`",
    note = "accepted are `[T; N]`, `Vec<T>`, `&[T]`, `Box<[T; N]>` and nested arrays of fixed inner size, \
            every `ndarray` array or view of the right rank, and `DeviceArray`",
    note = "elements are `bool`, `i8` to `u64`, `f32`, `f64`, `half::f16` with the feature `f16`, vectors of these (`f32x4` is `[f32; 4]`), and tuples; instead of `usize`, \
            take `u32` or `u64`",
    note = "the rows of a `Vec<Vec<T>>` lie apart and may differ in length: use `Vec<[T; N]>`, or an `ndarray` array of the elements \
            one after another, `lift::ndarray::Array2::from_shape_vec((rows, columns), vectors.concat())`",
    note = "a call returns a `Result`; `?` after it gives the array"
)]
pub trait Input<T: Entry, const RANK: usize>: Array {}

macro_rules! scalars {
    ($($ty:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl Array for $ty {
            type Element = $ty;
            type Dimension = Ix0;

            fn lengths(&self) -> Vec<usize> {
                Vec::new()
            }

            fn parts<'a>(&'a self, give: &mut dyn FnMut(Part<'a>)) {
                host_parts(&[], Cow::Borrowed(std::slice::from_ref(self)), give);
            }
        }

        #[diagnostic::do_not_recommend]
        impl Input<$ty, 0> for $ty {}
    )*};
}

scalars!(bool, i8, u8, i16, u16, i32, u32, i64, u64, f32, f64);
#[cfg(feature = "f16")]
scalars!(half::f16);

/// The components of elements in the host's memory.
fn host_parts<'a, T: Entry>(lengths: &[usize], elements: Cow<'a, [T]>, give: &mut dyn FnMut(Part<'a>)) {
    T::split(elements, &mut |element, inner, bytes| {
        give(Part { element, lengths: [lengths, inner].concat(), source: Source::Host(bytes) });
    });
}

fn lengths_of<I: Item>(outermost: usize) -> Vec<usize> {
    let mut lengths = vec![outermost];
    I::append_lengths(&mut lengths);
    lengths
}

/// Implements [`Array`] and [`Input`] for something that dereferences to a slice of items.
macro_rules! sequences {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<I: Item, $($generics)*> Array for $ty {
            type Element = I::Element;
            type Dimension = <I::Dimension as Dimension>::Larger;

            fn lengths(&self) -> Vec<usize> {
                lengths_of::<I>(self.len())
            }

            fn parts<'a>(&'a self, give: &mut dyn FnMut(Part<'a>)) {
                host_parts(&self.lengths(), Cow::Borrowed(I::elements(self)), give);
            }
        }

        sequences!(@ranks [$($generics)*] $ty: 0 => 1, 1 => 2, 2 => 3, 3 => 4, 4 => 5, 5 => 6);
    )*};
    (@ranks $generics:tt $ty:ty: $($inner:literal => $outer:literal),*) => {
        $(sequences!(@rank $generics $ty, $inner, $outer);)*
    };
    (@rank [$($generics:tt)*] $ty:ty, $inner:literal, $outer:literal) => {
        #[diagnostic::do_not_recommend]
        impl<T: Entry, I: ItemOf<T, $inner>, $($generics)*> Input<T, $outer> for $ty {}
    };
}

sequences! {
    [] [I];
    [] Vec<I>;
    [const N: usize] [I; N];
}

/// Implements [`Array`] and [`Input`] for a pointer to an array.
macro_rules! pointers {
    ($($ty:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<A: Array + ?Sized> Array for $ty {
            type Element = A::Element;
            type Dimension = A::Dimension;

            fn lengths(&self) -> Vec<usize> {
                (**self).lengths()
            }

            fn parts<'a>(&'a self, give: &mut dyn FnMut(Part<'a>)) {
                (**self).parts(give);
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: Entry, A: Input<T, RANK> + ?Sized, const RANK: usize> Input<T, RANK> for $ty {}
    )*};
}

pointers!(&A, &mut A, Box<A>);

#[diagnostic::do_not_recommend]
impl<T: Entry, S: Data<Elem = T>, D: Dimension> Array for ArrayBase<S, D> {
    type Element = T;
    type Dimension = D;

    fn lengths(&self) -> Vec<usize> {
        self.shape().to_vec()
    }

    /// Borrowed when the array is laid out row-major without gaps, else a copy that is.
    fn parts<'a>(&'a self, give: &mut dyn FnMut(Part<'a>)) {
        let elements = match self.as_slice() {
            Some(elements) => Cow::Borrowed(elements),
            None => Cow::Owned(self.iter().copied().collect()),
        };
        host_parts(self.shape(), elements, give);
    }
}

/// Implements [`Input`] for the arrays of `ndarray` with one type of dimensions.
macro_rules! dimensions {
    ($($dimension:ty => $rank:literal),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Entry, S: Data<Elem: Entry + SameType<T>>> Input<T, $rank> for ArrayBase<S, $dimension> {}
    )*};
}

dimensions!(Ix0 => 0, Ix1 => 1, Ix2 => 2, Ix3 => 3, Ix4 => 4, Ix5 => 5, Ix6 => 6);

#[diagnostic::do_not_recommend]
impl<T: Entry, S: Data<Elem: Entry + SameType<T>>, const RANK: usize> Input<T, RANK> for ArrayBase<S, IxDyn> {}

/// Implements [`Input`] for single vectors.
macro_rules! vectors {
    ($($width:literal),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Element, U: Element + SameType<T>> Input<[T; $width], 0> for [U; $width] {}
    )*};
}

vectors!(2, 4, 8, 16);

/// Implements [`Array`] and [`Input`] for tuples of arrays, which are arrays of tuples.
macro_rules! side_by_side {
    ($(($first:ident $first_element:ident $(, $other:ident $element:ident $position:tt)*))*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$first: Array, $($other: Array<Dimension = $first::Dimension>),*> Array for ($first, $($other),*) {
            type Element = ($first::Element, $($other::Element),*);
            type Dimension = $first::Dimension;

            fn lengths(&self) -> Vec<usize> {
                self.0.lengths()
            }

            fn parts<'a>(&'a self, give: &mut dyn FnMut(Part<'a>)) {
                self.0.parts(give);
                $(self.$position.parts(give);)*
            }
        }

        #[diagnostic::do_not_recommend]
        impl<
            $first_element: Entry,
            $first: Input<$first_element, RANK>,
            $($element: Entry, $other: Input<$element, RANK> + Array<Dimension = $first::Dimension>,)*
            const RANK: usize
        > Input<($first_element, $($element),*), RANK> for ($first, $($other),*) {}
    )*};
}

side_by_side! {
    (A T, B U 1)
    (A T, B U 1, C V 2)
    (A T, B U 1, C V 2, D W 3)
    (A T, B U 1, C V 2, D W 3, E X 4)
    (A T, B U 1, C V 2, D W 3, E X 4, F Y 5)
    (A T, B U 1, C V 2, D W 3, E X 4, F Y 5, G Z 6)
    (A T, B U 1, C V 2, D W 3, E X 4, F Y 5, G Z 6, H S 7)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Call;
    use crate::device::Device;
    use crate::error::{Error, Result};
    use crate::generated::Generated;
    use crate::program::{ArrayType, NO_KERNELS, Parameter, ParameterType, Program, Size, SizeVariable};

    /// Says that it is a row of two million elements. No other crate can write this.
    #[derive(Clone, Copy)]
    struct Lying(f32);

    impl Sealed for Lying {}

    impl Item for Lying {
        type Element = f32;
        type Dimension = Ix1;

        fn append_lengths(lengths: &mut Vec<usize>) {
            lengths.push(2_000_000);
        }

        fn elements(items: &[Self]) -> &[f32] {
            items.first().map_or(&[], |lying| std::slice::from_ref(&lying.0))
        }

        fn elements_mut(_: &mut [Self]) -> &mut [f32] {
            &mut []
        }
    }

    static ROWS: Program = Program {
        name: "rows",
        type_parameters: 0,
        sizes: &[SizeVariable { name: "N", minimum: 0 }, SizeVariable { name: "M", minimum: 0 }],
        parameters: &[Parameter {
            name: "a",
            ty: ParameterType::Array {
                element: ScalarType::F32,
                shape: &[Size::Variable(0), Size::Variable(1)],
            },
        }],
        results: &[ArrayType { element: ScalarType::F32, shape: &[Size::Variable(1)] }],
        obligations: &[],
        plain: NO_KERNELS,
        others: &[],
        exact: crate::program::ROUNDED_FREELY,
        repeated: &[],
    };

    fn refused<T: std::fmt::Debug>(result: Result<T>, of: &str) {
        let Err(Error::Internal { program, message }) = result else { panic!("{result:?}") };
        assert_eq!(program, of);
        assert_eq!(message, "its lengths are [1, 2000000], and it has 1 elements of type `f32`");
    }

    #[test]
    fn an_array_with_fewer_elements_than_its_lengths_say_is_uploaded_nowhere() {
        for device in Device::list().expect("devices can be listed") {
            refused(device.upload(&[Lying(1.0)]), "the array");
        }
    }

    #[test]
    fn an_array_with_fewer_elements_than_its_lengths_say_reaches_no_kernel() {
        for device in Device::list().expect("devices can be listed") {
            // SAFETY: the program has no kernels.
            #[allow(unsafe_code, reason = "the program is written by hand")]
            let rows = unsafe { Generated::new(&ROWS, &[]) };
            refused(Call::new(rows).array(&[Lying(1.0)]).run::<ndarray::Array1<f32>>(&device), "a");
        }
    }
}
