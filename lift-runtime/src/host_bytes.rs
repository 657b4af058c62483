//! Elements in the host's memory without their type, as a device gets them.

use std::borrow::Cow;
use std::fmt;

use crate::element::Element;

/// The elements of host data, without their type.
#[doc(hidden)]
pub enum HostBytes<'a> {
    /// In the user's memory.
    Borrowed(&'a [u8]),
    /// Copied, because the user's memory has another order.
    Owned(Box<dyn OwnedElements>),
}

impl<'a> HostBytes<'a> {
    pub(crate) fn from_elements<T: Element>(elements: Cow<'a, [T]>) -> HostBytes<'a> {
        match elements {
            Cow::Borrowed(elements) => HostBytes::Borrowed(T::bytes(elements)),
            Cow::Owned(elements) => HostBytes::Owned(Box::new(elements)),
        }
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        match self {
            HostBytes::Borrowed(bytes) => bytes,
            HostBytes::Owned(elements) => elements.bytes(),
        }
    }
}

impl fmt::Debug for HostBytes<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} bytes", self.as_slice().len())
    }
}

/// A vector of elements of some type.
#[doc(hidden)]
pub trait OwnedElements {
    /// The elements as a device gets them.
    fn bytes(&self) -> &[u8];
}

impl<T: Element> OwnedElements for Vec<T> {
    fn bytes(&self) -> &[u8] {
        T::bytes(self)
    }
}
