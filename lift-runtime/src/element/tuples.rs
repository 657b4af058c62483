//! Tuples are entries and items; they are split into components, and joined from these.

use std::borrow::Cow;
use std::vec;

use ndarray::Ix0;

use super::{Entry, GiveComponent, GivePart, GivePlace, Item, SameType};
use crate::device::DeviceData;
use crate::error::Result;
use crate::results::Results;

macro_rules! tuples {
    ($(($($part:ident $given:ident $parts:ident $position:tt),*))*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($part: Entry),*> Entry for ($($part,)*) {
            const COMPONENTS: usize = 0 $(+ $part::COMPONENTS)*;

            fn components(give: &mut GiveComponent<'_>) {
                $($part::components(give);)*
            }

            fn split<'a>(entries: Cow<'a, [Self]>, give: &mut GivePart<'_, 'a>) {
                $(let mut $parts: Vec<$part> = Vec::with_capacity(entries.len());)*
                for entry in entries.iter() {
                    $($parts.push(entry.$position);)*
                }
                $($part::split(Cow::Owned($parts), give);)*
            }

            fn take_components(
                results: &mut Results,
                components: &mut Vec<DeviceData>,
            ) -> Result<Vec<usize>> {
                let shapes = ($($part::take_components(results, components)?,)*);
                Ok(shapes.0)
            }

            fn join(components: &mut vec::IntoIter<DeviceData>, count: usize) -> Result<Vec<Self>> {
                $(let mut $parts = $part::join(components, count)?.into_iter();)*
                let mut entries = Vec::with_capacity(count);
                entries.extend(std::iter::from_fn(|| Some(($($parts.next()?,)*))));
                Ok(entries)
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
