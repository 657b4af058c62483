//! Scalars are elements, entries, items, and values.

use std::borrow::Cow;
use std::vec;

use ndarray::Ix0;

use super::{
    ByValue, Element, Entry, GiveComponent, GivePart, GivePlace, Item, ItemOf, SameType, next_component,
};
use crate::device::DeviceData;
use crate::error::Result;
use crate::host_elements::HostElements;
use crate::program::ScalarType;
use crate::results::Results;

macro_rules! elements {
    ($($ty:ty => $scalar:ident;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Element for $ty {
            const SCALAR: ScalarType = ScalarType::$scalar;
        }

        impl ByValue for $ty {
            type Element = $ty;

            #[inline]
            fn element(self) -> Result<$ty, u64> {
                Ok(self)
            }
        }

        #[diagnostic::do_not_recommend]
        impl Item for $ty {
            type Element = $ty;
            type Dimension = Ix0;

            fn append_lengths(_: &mut Vec<usize>) {}

            fn elements(items: &[$ty]) -> &[$ty] {
                items
            }

            fn elements_mut(items: &mut [$ty]) -> &mut [$ty] {
                items
            }
        }

        #[diagnostic::do_not_recommend]
        impl SameType<$ty> for $ty {}
    )*};
}

elements! {
    bool => Bool;
    i8 => I8;
    u8 => U8;
    i16 => I16;
    u16 => U16;
    i32 => I32;
    u32 => U32;
    i64 => I64;
    u64 => U64;
    f32 => F32;
    f64 => F64;
}

#[cfg(feature = "f16")]
elements! {
    half::f16 => F16;
}

impl ByValue for usize {
    type Element = i64;

    fn element(self) -> Result<i64, u64> {
        i64::try_from(self).map_err(|_| self as u64)
    }
}

impl ByValue for isize {
    type Element = i64;

    fn element(self) -> Result<i64, u64> {
        Ok(self as i64)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element> Entry for T {
    const COMPONENTS: usize = 1;

    fn components(give: &mut GiveComponent<'_>) {
        give(T::SCALAR, &[]);
    }

    fn split<'a>(entries: Cow<'a, [T]>, give: &mut GivePart<'_, 'a>) {
        give(T::SCALAR, &[], HostElements::new(entries));
    }

    fn take_components(results: &mut Results, components: &mut Vec<DeviceData>) -> Result<Vec<usize>> {
        let (shape, data) = results.next::<T>()?;
        components.push(data);
        Ok(shape)
    }

    fn join(components: &mut vec::IntoIter<DeviceData>, count: usize) -> Result<Vec<T>> {
        next_component(components)?.memory.into_vec(count)
    }

    fn take_into(entries: &mut [T], results: &mut Results) -> Result<()> {
        results.next_elements_into(entries)
    }

    fn places<'a>(entries: &'a mut [T], give: &mut GivePlace<'_, 'a>) {
        give(Some(T::erase_cells(entries)));
    }
}

#[diagnostic::do_not_recommend]
impl<T: Entry, U: SameType<T>> ItemOf<T, 0> for U {}
