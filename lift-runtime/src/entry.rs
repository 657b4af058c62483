//! What stands at one position of an array: an element, or a tuple of elements.
//!
//! A device never sees tuples: an array of them is one array per component there. Arrays of Rust tuples are split into
//! these on the way in and put together on the way out, in one pass each.

use std::borrow::Cow;
use std::fmt::Debug;

use ndarray::Ix0;

use crate::element::Element;
use crate::error::Result;
use crate::host_bytes::HostBytes;
use crate::input::{Item, SameType};
use crate::output::Results;
use crate::program::ScalarType;

/// What an array can hold at one position: an [`Element`], or a tuple of two to eight entries.
///
/// An array of tuples is one array per component on the device: `Vec<(f32, i32)>` is passed for a parameter `[(f32, i32); N]`,
/// and copied twice, once into its components and once to the device. This trait is sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element of an array on a device",
    label = "not an element type",
    note = "element types are `bool`, `i8` to `u64`, `f32`, `f64`, `half::f16` with the feature `f16`, and tuples of these"
)]
pub trait Entry:
    Item<Element = Self> + SameType<Self> + Copy + Debug + Default + Send + Sync + sealed::Sealed + 'static
{
    /// How many arrays hold the entries of one array on a device.
    #[doc(hidden)]
    const COMPONENTS: usize;

    /// Gives the components of some entries, in order.
    #[doc(hidden)]
    fn split<'a>(entries: Cow<'a, [Self]>, give: &mut dyn FnMut(ScalarType, HostBytes<'a>));

    /// Copies the next results to the host: their shape, and one entry for each position.
    #[doc(hidden)]
    fn take(results: &mut Results) -> Result<(Vec<usize>, Vec<Self>)>;

    /// Overwrites entries with the next results.
    #[doc(hidden)]
    fn take_into(entries: &mut [Self], results: &mut Results) -> Result<()>;
}

mod sealed {
    pub trait Sealed {}
}

impl<T: Element> sealed::Sealed for T {}

impl<T: Element> Entry for T {
    const COMPONENTS: usize = 1;

    fn split<'a>(entries: Cow<'a, [T]>, give: &mut dyn FnMut(ScalarType, HostBytes<'a>)) {
        give(T::SCALAR, HostBytes::from_elements(entries));
    }

    fn take(results: &mut Results) -> Result<(Vec<usize>, Vec<T>)> {
        results.next_elements()
    }

    fn take_into(entries: &mut [T], results: &mut Results) -> Result<()> {
        results.next_elements_into(entries)
    }
}

macro_rules! tuples {
    ($(($($part:ident $given:ident $parts:ident $position:tt),*))*) => {$(
        impl<$($part: Entry),*> sealed::Sealed for ($($part,)*) {}

        impl<$($part: Entry),*> Entry for ($($part,)*) {
            const COMPONENTS: usize = 0 $(+ $part::COMPONENTS)*;

            fn split<'a>(entries: Cow<'a, [Self]>, give: &mut dyn FnMut(ScalarType, HostBytes<'a>)) {
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
        }

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
