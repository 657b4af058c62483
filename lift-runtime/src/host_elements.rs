//! Elements in the host's memory, as an argument holds them.

use std::borrow::Cow;

use crate::erased::{Erase, ErasedSlice, ErasedVec};
use crate::program::ScalarType;

/// The elements of host data, in row-major order.
#[doc(hidden)]
#[derive(Debug)]
pub enum HostElements<'a> {
    /// In the user's memory.
    Borrowed(ErasedSlice<'a>),
    /// Copied, because the user's memory has another order.
    Owned(ErasedVec),
}

impl<'a> HostElements<'a> {
    pub(crate) fn new<T: Erase>(elements: Cow<'a, [T]>) -> HostElements<'a> {
        match elements {
            Cow::Borrowed(elements) => HostElements::Borrowed(T::erase_slice(elements)),
            Cow::Owned(elements) => HostElements::Owned(T::erase_vec(elements)),
        }
    }

    pub(crate) fn as_slice(&self) -> ErasedSlice<'_> {
        match self {
            HostElements::Borrowed(elements) => *elements,
            HostElements::Owned(elements) => elements.as_slice(),
        }
    }

    /// The number of elements of this type; `None` if they have another type.
    pub(crate) fn count(&self, element: ScalarType) -> Option<usize> {
        let elements = self.as_slice();
        (elements.element() == element).then(|| elements.len())
    }

    /// The number of bytes that they take.
    pub(crate) fn byte_count(&self) -> usize {
        self.as_slice().bytes().len()
    }
}
