//! Tuples are entries and items; they are split into components, and joined from these.

use std::borrow::Cow;

use ndarray::Ix0;

use super::{Entry, GivePart, GivePlace, Item, SameType};
use crate::error::Result;
use crate::results::Results;

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
