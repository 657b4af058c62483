//! Arrays for which a program knows only the first dimensions.
//!
//! An inline expression such as `reverse(m)` moves what stands at the positions of `m`, whatever it is: a
//! number, or rows of any shape. [`OpenInput`] is the bound of such an argument. Like [`Input`](crate::Input)
//! it is implemented by structure, so that a literal takes its type from the result. The dimensions of the
//! result follow from those of the argument, as types: [`Without`] takes away the dimensions that the program
//! knows, [`Beyond`] adds the rest to those of the program's result.

use ndarray::{ArrayBase, Data, Dimension, Ix0, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn};

use super::Array;
use crate::dense_array::DenseArray;
use crate::device_array::DeviceArray;
use crate::element::{Element, Item, SameType};
use crate::error::{Error, Result};
use crate::program::{Program, ScalarType};

/// An array of `T` with `RANK` dimensions or more: every [`Array`] with such elements.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed as an array of {RANK} or more dimensions",
    label = "not an array of {RANK} or more dimensions",
    note = "accepted are `[T; N]`, `Vec<T>`, `&[T]`, `Box<[T; N]>` and nested arrays of fixed inner size, \
            every `ndarray` array or view, and `DeviceArray`",
    note = "elements are `bool`, `i8` to `u64`, `f32`, `f64`, and `half::f16` with the feature `f16`; instead of `usize`, take `u32` or `u64`",
    note = "the rows of a `Vec<Vec<T>>` lie apart and may differ in length: use `Vec<[T; N]>`, or an `ndarray` array of the elements \
            one after another, `lift::ndarray::Array2::from_shape_vec((rows, columns), vectors.concat())`",
    note = "a call returns a `Result`; `?` after it gives the array"
)]
pub trait OpenInput<T: Element, const RANK: usize>: Array<Dimension: AtLeast<RANK>> {}

/// An item with elements of type `T`, of any rank.
pub trait OpenItem<T: Element>: Item {}

#[diagnostic::do_not_recommend]
impl<T: Element, I: OpenItem<T>, const N: usize> OpenItem<T> for [I; N] {}

macro_rules! scalars {
    ($($ty:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl OpenItem<$ty> for $ty {}
    )*};
}

scalars!(bool, i8, u8, i16, u16, i32, u32, i64, u64, f32, f64);
#[cfg(feature = "f16")]
scalars!(half::f16);

/// `RANK` dimensions or more, as a type of `ndarray`.
#[diagnostic::on_unimplemented(
    message = "this array has too few dimensions: the expression takes at least {RANK}",
    label = "an array of at least {RANK} dimensions is needed"
)]
pub trait AtLeast<const RANK: usize>: Without<RANK> {}

/// A number of dimensions from which `RANK` can be taken away. If there are too few, none are left. So a call
/// that [`AtLeast`] refuses still has a result type, and there is one message.
pub trait Without<const RANK: usize>: Dimension {
    /// The remaining dimensions.
    type More: Beyond;
}

/// The dimensions beyond those that a program knows.
pub trait Beyond: Dimension {
    /// `D` with that many more dimensions.
    type Added<D: Dimension>: Dimension;
}

macro_rules! beyond {
    ($($more:ty => $added:ty;)*) => {$(
        impl Beyond for $more {
            type Added<D: Dimension> = $added;
        }
    )*};
}

type Larger<D> = <D as Dimension>::Larger;

beyond! {
    Ix0 => D;
    Ix1 => Larger<D>;
    Ix2 => Larger<Larger<D>>;
    Ix3 => Larger<Larger<Larger<D>>>;
    Ix4 => Larger<Larger<Larger<Larger<D>>>>;
    Ix5 => Larger<Larger<Larger<Larger<Larger<D>>>>>;
    Ix6 => Larger<Larger<Larger<Larger<Larger<Larger<D>>>>>>;
    IxDyn => IxDyn;
}

macro_rules! without {
    ($($dimension:ty: $($rank:literal => $more:ty),*; $($larger:literal)*;)*) => {$(
        $(
            #[diagnostic::do_not_recommend]
            impl AtLeast<$rank> for $dimension {}

            impl Without<$rank> for $dimension {
                type More = $more;
            }
        )*
        $(
            impl Without<$larger> for $dimension {
                type More = Ix0;
            }
        )*
    )*};
}

without! {
    Ix0: ; 1 2 3 4 5 6;
    Ix1: 1 => Ix0; 2 3 4 5 6;
    Ix2: 1 => Ix1, 2 => Ix0; 3 4 5 6;
    Ix3: 1 => Ix2, 2 => Ix1, 3 => Ix0; 4 5 6;
    Ix4: 1 => Ix3, 2 => Ix2, 3 => Ix1, 4 => Ix0; 5 6;
    Ix5: 1 => Ix4, 2 => Ix3, 3 => Ix2, 4 => Ix1, 5 => Ix0; 6;
    Ix6: 1 => Ix5, 2 => Ix4, 3 => Ix3, 4 => Ix2, 5 => Ix1, 6 => Ix0;;
}

#[diagnostic::do_not_recommend]
impl<const RANK: usize> AtLeast<RANK> for IxDyn {}

impl<const RANK: usize> Without<RANK> for IxDyn {
    type More = IxDyn;
}

/// Implements [`OpenInput`] for arrays, separately for each number of dimensions. With one implementation for
/// all numbers, rustc would recommend it where an array has too few dimensions.
macro_rules! arrays {
    ($($rank:literal),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Element, I: OpenItem<T>> OpenInput<T, $rank> for [I] where Self: Array<Dimension: AtLeast<$rank>> {}

        #[diagnostic::do_not_recommend]
        impl<T: Element, I: OpenItem<T>> OpenInput<T, $rank> for Vec<I> where Self: Array<Dimension: AtLeast<$rank>> {}

        #[diagnostic::do_not_recommend]
        impl<T: Element, I: OpenItem<T>, const N: usize> OpenInput<T, $rank> for [I; N] where
            Self: Array<Dimension: AtLeast<$rank>>
        {
        }

        #[diagnostic::do_not_recommend]
        impl<T: Element, S: Data<Elem: Element + SameType<T>>, D: AtLeast<$rank>> OpenInput<T, $rank>
            for ArrayBase<S, D>
        {
        }

        #[diagnostic::do_not_recommend]
        impl<T: Element, U: Element + SameType<T>, D: AtLeast<$rank>> OpenInput<T, $rank> for DeviceArray<U, D> {}
    )*};
}

arrays!(1, 2, 3, 4, 5, 6);

/// Implements [`OpenInput`] for a pointer to an array.
macro_rules! pointers {
    ($($ty:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Element, A: OpenInput<T, RANK> + ?Sized, const RANK: usize> OpenInput<T, RANK> for $ty {}
    )*};
}

pointers!(&A, &mut A, Box<A>);

/// The dimensions of an argument that the program does not know.
#[derive(Debug)]
pub(crate) struct Rows {
    /// The position of the argument.
    argument: usize,
    /// The number of dimensions that the program knows.
    rank: usize,
    /// The type parameter of the elements.
    element: usize,
    /// All lengths, outermost first.
    lengths: Vec<usize>,
}

impl Rows {
    pub(crate) fn new(argument: usize, rank: usize, element: usize, lengths: Vec<usize>) -> Rows {
        Rows { argument, rank, element, lengths }
    }

    /// The lengths as the program knows them: all dimensions of a row are one.
    pub(crate) fn known_lengths(&self) -> Vec<usize> {
        let known = self.lengths.iter().take(self.rank).copied();
        let row = self.shape().iter().fold(1, |product: usize, &length| product.saturating_mul(length));
        known.chain([row]).collect()
    }

    /// The lengths of a row, outermost first; empty if it is a scalar.
    fn shape(&self) -> &[usize] {
        self.lengths.get(self.rank..).unwrap_or_default()
    }
}

/// Checks that every argument has the dimensions that the program knows, and that rows which may end up in
/// one array have one shape.
pub(crate) fn check(program: &'static Program, open: &[Rows]) -> Result<()> {
    let name = |rows: &Rows| program.parameters.get(rows.argument).map_or("", |found| found.name).to_owned();
    for (position, rows) in open.iter().enumerate() {
        if rows.lengths.len() < rows.rank {
            let (expected, found) = (rows.rank, rows.lengths.len());
            return Err(Error::Rank { argument: name(rows), expected, found });
        }
        let mut earlier = open.iter().take(position);
        if let Some(other) =
            earlier.find(|other| other.element == rows.element && other.shape() != rows.shape())
        {
            return Err(Error::RowShapes {
                argument: name(rows),
                found: rows.shape().to_vec(),
                other: name(other),
                expected: other.shape().to_vec(),
            });
        }
    }
    Ok(())
}

/// Adds the dimensions that the program does not know to the results.
pub(crate) fn reshape(program: &'static Program, open: &[Rows], results: &mut [DenseArray]) {
    for (result, declared) in results.iter_mut().zip(program.results) {
        let ScalarType::Parameter(parameter) = declared.element else { continue };
        if let Some(rows) = open.iter().find(|rows| rows.element == parameter.index)
            && result.shape.pop().is_some()
        {
            result.shape.extend(rows.shape());
        }
    }
}
