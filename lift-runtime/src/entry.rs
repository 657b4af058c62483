//! What stands at one position of an array: an element, a vector of elements, or a tuple of these.
//!
//! A vector is `[T; W]`, laid out as on a device. There, an array of vectors is an array of elements with one
//! more dimension. A device never sees tuples: there, an array of tuples is one array per component. Arrays
//! of Rust tuples are split into components on the way in and joined on the way out, in one pass each.

use std::borrow::Cow;
use std::fmt::Debug;

use ndarray::Ix0;

use crate::element::Element;
use crate::erased::ErasedCells;
use crate::error::Result;
use crate::host_elements::HostElements;
use crate::input::{Item, SameType};
use crate::output::Results;
use crate::program::ScalarType;

/// What an array can hold at one position: an [`Element`], a vector `[T; 2]`, `[T; 4]`, `[T; 8]` or `[T; 16]`
/// of elements, or a tuple of two to eight entries.
///
/// An array of vectors is passed for a parameter `[f32x4; N]`, from `Vec<[f32; 4]>` as from
/// `Array1<[f32; 4]>`. An array of tuples is one array per component on the device: `Vec<(f32, i32)>` is
/// passed for a parameter `[(f32, i32); N]`, and copied twice, once into its components and once to the
/// device. This trait is sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element of an array on a device",
    label = "not an element type",
    note = "element types are `bool`, `i8` to `u64`, `f32`, `f64`, `half::f16` with the feature `f16`, and tuples of these"
)]
pub trait Entry: SameType<Self> + Copy + Debug + Default + Send + Sync + 'static {
    /// The number of arrays that hold the entries of one array on a device.
    #[doc(hidden)]
    const COMPONENTS: usize;

    /// Gives the lengths inside of one entry, for each component in order. Only a vector has such lengths.
    #[doc(hidden)]
    fn inner_lengths(give: &mut dyn FnMut(&'static [usize]));

    /// Gives the components of some entries, in order.
    #[doc(hidden)]
    fn split<'a>(entries: Cow<'a, [Self]>, give: &mut GivePart<'_, 'a>);

    /// Copies the next results to the host, and returns their shape and one entry for each position.
    #[doc(hidden)]
    fn take(results: &mut Results) -> Result<(Vec<usize>, Vec<Self>)>;

    /// Overwrites entries with the next results.
    #[doc(hidden)]
    fn take_into(entries: &mut [Self], results: &mut Results) -> Result<()>;

    /// Gives the memory of each component, in order, if it is laid out as on a device.
    #[doc(hidden)]
    fn places<'a>(entries: &'a mut [Self], give: &mut GivePlace<'_, 'a>);
}

/// Takes the memory of a component; `None` if its elements do not lie one after the other.
#[doc(hidden)]
pub(crate) type GivePlace<'g, 'a> = dyn FnMut(Option<ErasedCells<'a>>) + 'g;

/// Takes a component: its element type, the lengths inside of an entry, the elements.
#[doc(hidden)]
pub(crate) type GivePart<'g, 'a> = dyn FnMut(ScalarType, &'static [usize], HostElements<'a>) + 'g;

#[diagnostic::do_not_recommend]
impl<T: Element> Entry for T {
    const COMPONENTS: usize = 1;

    fn inner_lengths(give: &mut dyn FnMut(&'static [usize])) {
        give(&[]);
    }

    fn split<'a>(entries: Cow<'a, [T]>, give: &mut GivePart<'_, 'a>) {
        give(T::SCALAR, &[], HostElements::new(entries));
    }

    fn take(results: &mut Results) -> Result<(Vec<usize>, Vec<T>)> {
        results.next_elements()
    }

    fn take_into(entries: &mut [T], results: &mut Results) -> Result<()> {
        results.next_elements_into(entries)
    }

    fn places<'a>(entries: &'a mut [T], give: &mut GivePlace<'_, 'a>) {
        give(Some(T::erase_cells(entries)));
    }
}

macro_rules! vectors {
    ($($width:literal),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Element> Entry for [T; $width] {
            const COMPONENTS: usize = 1;

            fn inner_lengths(give: &mut dyn FnMut(&'static [usize])) {
                give(&[$width]);
            }

            fn split<'a>(entries: Cow<'a, [Self]>, give: &mut GivePart<'_, 'a>) {
                let elements = match entries {
                    Cow::Borrowed(entries) => Cow::Borrowed(entries.as_flattened()),
                    Cow::Owned(entries) => Cow::Owned(entries.into_flattened()),
                };
                give(T::SCALAR, &[$width], HostElements::new(elements));
            }

            fn take(results: &mut Results) -> Result<(Vec<usize>, Vec<Self>)> {
                results.next_vectors()
            }

            fn take_into(entries: &mut [Self], results: &mut Results) -> Result<()> {
                results.next_elements_into(entries.as_flattened_mut())
            }

            fn places<'a>(entries: &'a mut [Self], give: &mut GivePlace<'_, 'a>) {
                T::places(entries.as_flattened_mut(), give);
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: Element + SameType<U>, U: Element> SameType<[U; $width]> for [T; $width] {}
    )*};
}

vectors!(2, 4, 8, 16);

macro_rules! tuples {
    ($(($($part:ident $given:ident $parts:ident $position:tt),*))*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($part: Entry),*> Entry for ($($part,)*) {
            const COMPONENTS: usize = 0 $(+ $part::COMPONENTS)*;

            fn inner_lengths(give: &mut dyn FnMut(&'static [usize])) {
                $($part::inner_lengths(give);)*
            }

            fn split<'a>(entries: Cow<'a, [Self]>, give: &mut GivePart<'_, 'a>) {
                $(let mut $parts: Vec<$part> = Vec::with_capacity(entries.len());)*
                for entry in entries.iter() {
                    $($parts.push(entry.$position);)*
                }
                $($part::split(Cow::Owned($parts), give);)*
            }

            fn take(results: &mut Results) -> Result<(Vec<usize>, Vec<Self>)> {
                let parts = ($($part::take(results)?,)*);
                let mut entries = Vec::with_capacity(parts.0.1.len());
                $(let mut $parts = parts.$position.1.into_iter();)*
                entries.extend(std::iter::from_fn(|| Some(($($parts.next()?,)*))));
                Ok((parts.0.0, entries))
            }

            fn take_into(entries: &mut [Self], results: &mut Results) -> Result<()> {
                let (_, taken) = Self::take(results)?;
                entries.iter_mut().zip(taken).for_each(|(entry, taken)| *entry = taken);
                Ok(())
            }

            fn places<'a>(_: &'a mut [Self], give: &mut GivePlace<'_, 'a>) {
                (0..Self::COMPONENTS).for_each(|_| give(None));
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($part: Entry),*> Item for ($($part,)*) {
            type Element = Self;
            type Dimension = Ix0;

            fn append_lengths(_: &mut Vec<usize>) {}

            fn elements(items: &[Self]) -> &[Self] {
                items
            }

            fn elements_mut(items: &mut [Self]) -> &mut [Self] {
                items
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($part: Entry + SameType<$given>, $given: Entry),*> SameType<($($given,)*)> for ($($part,)*) {}
    )*};
}

tuples! {
    (A T a 0, B U b 1)
    (A T a 0, B U b 1, C V c 2)
    (A T a 0, B U b 1, C V c 2, D W d 3)
    (A T a 0, B U b 1, C V c 2, D W d 3, E X e 4)
    (A T a 0, B U b 1, C V c 2, D W d 3, E X e 4, F Y f 5)
    (A T a 0, B U b 1, C V c 2, D W d 3, E X e 4, F Y f 5, G Z g 6)
    (A T a 0, B U b 1, C V c 2, D W d 3, E X e 4, F Y f 5, G Z g 6, H S h 7)
}
