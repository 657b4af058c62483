//! An argument as it was passed.

use super::contents;
use crate::bits::Bits;
use crate::device::DeviceData;
use crate::error::Result;
use crate::host_elements::HostElements;
use crate::program::ScalarType;

/// An argument as it was passed.
#[derive(Debug)]
pub(crate) enum Given<'a> {
    Host {
        element: ScalarType,
        lengths: Vec<usize>,
        elements: HostElements<'a>,
    },
    Device {
        element: ScalarType,
        lengths: Vec<usize>,
        data: &'a DeviceData,
    },
    /// A scalar, or a vector of more than one.
    Scalar {
        element: ScalarType,
        width: usize,
        bits: Bits,
    },
    /// A scalar without lengths, or a vector with one, that another call left on a device.
    DeviceValue {
        element: ScalarType,
        lengths: Vec<usize>,
        data: &'a DeviceData,
    },
    /// A size; for a scalar, a number that is larger than any size.
    Size(u64),
}

impl Given<'_> {
    /// The element type; a size has none.
    pub(crate) fn element(&self) -> Option<ScalarType> {
        match *self {
            Given::Host { element, .. }
            | Given::Device { element, .. }
            | Given::Scalar { element, .. }
            | Given::DeviceValue { element, .. } => Some(element),
            Given::Size(_) => None,
        }
    }

    /// Checks that an array holds one element for each position, and so a scalar or a vector on a device.
    pub(crate) fn check_contents(&self, name: &str) -> Result<()> {
        match self {
            Given::Host { element, lengths, elements } => {
                contents::check(name, *element, lengths, elements.count(*element))
            }
            Given::Device { element, lengths, data } => {
                contents::check(name, *element, lengths, data.memory.count(*element))
            }
            Given::DeviceValue { element, lengths, data } => {
                contents::check(name, *element, lengths, data.memory.count(*element))
            }
            Given::Scalar { .. } | Given::Size(_) => Ok(()),
        }
    }

    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Given::Host { .. } | Given::Device { .. } => "an array",
            Given::Scalar { width: 1, .. } => "a scalar",
            Given::Scalar { .. } => "a vector",
            Given::DeviceValue { lengths, .. } if lengths.is_empty() => "a scalar",
            Given::DeviceValue { .. } => "a vector",
            Given::Size(_) => "a size",
        }
    }
}
