//! Arrays of fixed size: vectors are entries, rows are items.

use std::borrow::Cow;
use std::vec;

use ndarray::Dimension;

use super::{Element, Entry, GiveComponent, GivePart, GivePlace, Item, ItemOf, SameType, next_component};
use crate::device::DeviceData;
use crate::error::Result;
use crate::host_elements::HostElements;
use crate::results::Results;

macro_rules! vectors {
    ($($width:literal),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Element> Entry for [T; $width] {
            const COMPONENTS: usize = 1;

            fn components(give: &mut GiveComponent<'_>) {
                give(T::SCALAR, &[$width]);
            }

            fn split<'a>(entries: Cow<'a, [Self]>, give: &mut GivePart<'_, 'a>) {
                let elements = match entries {
                    Cow::Borrowed(entries) => Cow::Borrowed(entries.as_flattened()),
                    Cow::Owned(entries) => Cow::Owned(entries.into_flattened()),
                };
                give(T::SCALAR, &[$width], HostElements::new(elements));
            }

            fn take_components(
                results: &mut Results,
                components: &mut Vec<DeviceData>,
            ) -> Result<Vec<usize>> {
                let (mut shape, data) = results.next::<T>()?;
                shape.pop();
                components.push(data);
                Ok(shape)
            }

            fn join(components: &mut vec::IntoIter<DeviceData>, count: usize) -> Result<Vec<Self>> {
                Ok(T::vectors(next_component(components)?.memory.into_vec(count * $width)?))
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

#[diagnostic::do_not_recommend]
impl<I: Item, const N: usize> Item for [I; N] {
    type Element = I::Element;
    type Dimension = <I::Dimension as Dimension>::Larger;

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

macro_rules! fixed_rows {
    ($($inner:literal => $outer:literal),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Entry, I: ItemOf<T, $inner>, const N: usize> ItemOf<T, $outer> for [I; N] {}
    )*};
}

fixed_rows!(0 => 1, 1 => 2, 2 => 3, 3 => 4, 4 => 5);
