//! Results: as owned host data, into the user's memory, or left on the device.

use ndarray::{Array as HostArray, ArrayBase, DataMut, Dimension};

use crate::device_array::{DeviceArray, dimension, host_array};
use crate::element::{Element, Entry, GivePlace, Item};
use crate::erased::ErasedVec;
use crate::error::{Error, Result, internal};
use crate::input::{Array, Input};
use crate::program::Program;
use crate::results::Results;
use crate::sealed::Sealed;

impl Results {
    pub(crate) fn host<R: Output>(mut self) -> Result<R> {
        let output = R::read(&mut self)?;
        self.all_taken()?;
        Ok(output)
    }

    pub(crate) fn device<R: DeviceOutput>(mut self) -> Result<R> {
        let output = R::take(&mut self)?;
        self.all_taken()?;
        Ok(output)
    }

    pub(crate) fn fill<D: Destination>(mut self, destination: &mut D) -> Result<()> {
        destination.fill(&mut self)
    }
}

/// A result as host data: a scalar, an owned `ndarray` array, or a tuple of these. The elements of an array
/// may be tuples. This trait is sealed.
pub trait Output: Sealed + Sized {
    /// Copies the next results to the host.
    #[doc(hidden)]
    fn read(results: &mut Results) -> Result<Self>;
}

impl<T: Element> Output for T {
    fn read(results: &mut Results) -> Result<T> {
        match results.next_elements::<T>()? {
            (shape, elements) if shape.is_empty() => {
                elements.first().copied().ok_or_else(|| internal(results.program(), "no scalar".to_owned()))
            }
            (shape, _) => {
                Err(internal(results.program(), format!("a scalar was asked for, not the shape {shape:?}")))
            }
        }
    }
}

macro_rules! vectors {
    ($($width:literal),*) => {$(
        impl<T: Element> Output for [T; $width] {
            fn read(results: &mut Results) -> Result<Self> {
                let mut vector = [T::default(); $width];
                results.next_elements_into(&mut vector)?;
                Ok(vector)
            }
        }
    )*};
}

vectors!(2, 4, 8, 16);

impl<T: Entry, D: Dimension> Output for HostArray<T, D> {
    fn read(results: &mut Results) -> Result<Self> {
        let (shape, elements) = T::take(results)?;
        host_array(dimension(&shape)?, elements)
    }
}

/// All results of a call, of any type: each with its shape and its elements in row-major order. For callers
/// that know only from the description of a program what it computes.
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct Untyped(pub Vec<(Vec<usize>, ErasedVec)>);

impl Sealed for Untyped {}

impl Output for Untyped {
    fn read(results: &mut Results) -> Result<Self> {
        results.rest().map(Untyped)
    }
}

/// A result that stays on the device: a [`DeviceArray`], without dimensions for a scalar, or a tuple of these.
/// This trait is sealed.
pub trait DeviceOutput: Sealed + Sized {
    /// Takes the next results.
    #[doc(hidden)]
    fn take(results: &mut Results) -> Result<Self>;
}

impl<T: Entry, D: Dimension> DeviceOutput for DeviceArray<T, D> {
    fn take(results: &mut Results) -> Result<Self> {
        let mut components = Vec::with_capacity(T::COMPONENTS);
        let shape = T::take_components(results, &mut components)?;
        DeviceArray::new(components, dimension(&shape)?)
    }
}

/// Host memory that a result can be written to: a scalar, `[T; N]`, `[T]`, `Vec<T>`, `Box<[T; N]>` and their
/// nestings with fixed inner sizes, and every mutable `ndarray` array or view. Its shape stays as it is. This
/// trait is sealed.
#[diagnostic::on_unimplemented(
    message = "a result cannot be written into `{Self}`",
    label = "not a mutable array of the host",
    note = "accepted are `[T; N]`, `[T]`, `Vec<T>`, `Box<[T; N]>`, nested arrays of fixed inner size, and every \
            mutable `ndarray` array or view"
)]
pub trait ArrayMut: Array {
    /// Overwrites all elements, in row-major order, with the next results.
    #[doc(hidden)]
    fn overwrite(&mut self, results: &mut Results) -> Result<()>;

    /// Gives the memory of each component, in order, if it is row-major without gaps.
    #[doc(hidden)]
    fn places<'a>(&'a mut self, give: &mut GivePlace<'_, 'a>);
}

/// Memory for a result that is an array of `T` with `RANK` dimensions. One trait covers all requirements, so
/// that a mistake gets one message.
#[diagnostic::on_unimplemented(
    message = "a result that is a {RANK}-dimensional array of `{T}` cannot be written into `{Self}`",
    label = "not a mutable {RANK}-dimensional array of `{T}`",
    note = "accepted are `[T; N]`, `[T]`, `Vec<T>`, `Box<[T; N]>`, nested arrays of fixed inner size, and every \
            mutable `ndarray` array or view of the right rank"
)]
pub trait Place<T: Entry, const RANK: usize>: ArrayMut<Element = T> + Input<T, RANK> {}

#[diagnostic::do_not_recommend]
impl<T: Entry, A: ArrayMut<Element = T> + Input<T, RANK> + ?Sized, const RANK: usize> Place<T, RANK> for A {}

/// Memory for a result that is an array of `T` with `RANK` dimensions, where `T` is or contains a vector. The
/// elements of nested arrays of Rust are scalars, even where they are taken for vectors.
#[diagnostic::on_unimplemented(
    message = "a result that is a {RANK}-dimensional array of `{T}` cannot be written into `{Self}`",
    label = "not a mutable {RANK}-dimensional array of `{T}`",
    note = "accepted are `[T; N]`, `[T]`, `Vec<T>`, `Box<[T; N]>`, nested arrays of fixed inner size, and every \
            mutable `ndarray` array or view of the right rank"
)]
pub trait PlaceOfVectors<T: Entry, const RANK: usize>: ArrayMut + Input<T, RANK> {}

#[diagnostic::do_not_recommend]
impl<T: Entry, A: ArrayMut + Input<T, RANK> + ?Sized, const RANK: usize> PlaceOfVectors<T, RANK> for A {}

macro_rules! sliceable {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<I: Item, $($generics)*> ArrayMut for $ty {
            fn overwrite(&mut self, results: &mut Results) -> Result<()> {
                I::Element::take_into(I::elements_mut(self), results)
            }

            fn places<'a>(&'a mut self, give: &mut GivePlace<'_, 'a>) {
                I::Element::places(I::elements_mut(self), give);
            }
        }
    )*};
}

sliceable! {
    [] [I];
    [] Vec<I>;
    [const N: usize] [I; N];
}

macro_rules! pointers {
    ($($ty:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<A: ArrayMut + ?Sized> ArrayMut for $ty {
            fn overwrite(&mut self, results: &mut Results) -> Result<()> {
                (**self).overwrite(results)
            }

            fn places<'a>(&'a mut self, give: &mut GivePlace<'_, 'a>) {
                (**self).places(give);
            }
        }
    )*};
}

pointers!(&mut A, Box<A>);

macro_rules! scalars {
    ($($ty:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl ArrayMut for $ty {
            fn overwrite(&mut self, results: &mut Results) -> Result<()> {
                <$ty>::take_into(std::slice::from_mut(self), results)
            }

            fn places<'a>(&'a mut self, give: &mut GivePlace<'_, 'a>) {
                <$ty as Entry>::places(std::slice::from_mut(self), give);
            }
        }
    )*};
}

scalars!(bool, i8, u8, i16, u16, i32, u32, i64, u64, f32, f64);
#[cfg(feature = "f16")]
scalars!(half::f16);

#[diagnostic::do_not_recommend]
impl<T: Entry, S: DataMut<Elem = T>, D: Dimension> ArrayMut for ArrayBase<S, D> {
    fn overwrite(&mut self, results: &mut Results) -> Result<()> {
        if let Some(elements) = self.as_slice_mut() {
            return T::take_into(elements, results);
        }
        let (_, elements) = T::take(results)?;
        self.iter_mut().zip(elements).for_each(|(place, element)| *place = element);
        Ok(())
    }

    fn places<'a>(&'a mut self, give: &mut GivePlace<'_, 'a>) {
        match self.as_slice_mut() {
            Some(elements) => T::places(elements, give),
            None => (0..T::COMPONENTS).for_each(|_| give(None)),
        }
    }
}

/// Where `run_into` writes: a mutable reference to a scalar or an array, or a tuple of these.
/// This trait is sealed.
pub trait Destination: Sealed {
    /// Compares its shape with that of the next results.
    #[doc(hidden)]
    fn check(&self, program: &'static Program, shapes: &mut dyn Iterator<Item = &[usize]>) -> Result<()>;

    /// Overwrites it with the next results.
    #[doc(hidden)]
    fn fill(&mut self, results: &mut Results) -> Result<()>;

    /// Gives the memory for each result, in order, if it is row-major without gaps.
    #[doc(hidden)]
    fn places<'a>(&'a mut self, give: &mut GivePlace<'_, 'a>);
}

impl<A: ArrayMut + ?Sized> Destination for &mut A {
    fn check(&self, program: &'static Program, shapes: &mut dyn Iterator<Item = &[usize]>) -> Result<()> {
        let lengths = self.lengths();
        let mut checked = Ok(());
        A::Element::components(&mut |_, inner| {
            if checked.is_ok() {
                checked = check_shape(program, &[lengths.as_slice(), inner].concat(), shapes);
            }
        });
        checked
    }

    fn fill(&mut self, results: &mut Results) -> Result<()> {
        self.overwrite(results)
    }

    fn places<'a>(&'a mut self, give: &mut GivePlace<'_, 'a>) {
        (**self).places(give);
    }
}

fn check_shape(
    program: &'static Program,
    found: &[usize],
    shapes: &mut dyn Iterator<Item = &[usize]>,
) -> Result<()> {
    match shapes.next() {
        Some(expected) if expected == found => Ok(()),
        Some(expected) => Err(Error::DestinationShape {
            program: program.name.to_owned(),
            expected: expected.to_vec(),
            found: found.to_vec(),
        }),
        None => Err(internal(program, "there are more destinations than results".to_owned())),
    }
}

macro_rules! tuples {
    ($(($($part:ident),*))*) => {$(
        impl<$($part: Output),*> Output for ($($part,)*) {
            fn read(results: &mut Results) -> Result<Self> {
                Ok(($($part::read(results)?,)*))
            }
        }

        impl<$($part: DeviceOutput),*> DeviceOutput for ($($part,)*) {
            fn take(results: &mut Results) -> Result<Self> {
                Ok(($($part::take(results)?,)*))
            }
        }

        #[allow(non_snake_case, reason = "each part is named after its type parameter")]
        impl<$($part: Destination),*> Destination for ($($part,)*) {
            fn check(
                &self,
                program: &'static Program,
                shapes: &mut dyn Iterator<Item = &[usize]>,
            ) -> Result<()> {
                let ($($part,)*) = self;
                $($part.check(program, shapes)?;)*
                Ok(())
            }

            fn fill(&mut self, results: &mut Results) -> Result<()> {
                let ($($part,)*) = self;
                $($part.fill(results)?;)*
                Ok(())
            }

            fn places<'a>(&'a mut self, give: &mut GivePlace<'_, 'a>) {
                let ($($part,)*) = self;
                $($part.places(give);)*
            }
        }
    )*};
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
