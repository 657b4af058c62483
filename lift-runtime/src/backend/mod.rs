//! What computes: the devices of a driver, or the host with kernels as native Rust.
//!
//! Only this module knows which there are. A driver is whatever implements [`Session`]: OpenCL is one.
//! Everything else knows a [`Device`](crate::Device) with its limits, arrays in its [`Memory`], and a
//! [`Launcher`](crate::launch::Launcher) that runs kernels there. A further back end is a variant of
//! [`Backend`] and of [`Memory`]; the matches on them lead to all that must be decided about it.

mod session;

use std::fmt::Display;
use std::sync::Arc;

use crate::device::{DeviceKind, Limits};
use crate::element::Element;
use crate::erased::ErasedVec;
use crate::error::{Error, Result};
use crate::host_elements::HostElements;
use crate::launch::{HostLauncher, Launcher, temporaries};
use crate::opencl::{self, OpenCl};
use crate::program::ScalarType;

pub(crate) use opencl::{absence, hidden_by};
#[cfg(test)]
pub(crate) use session::COMPARED_AT_ONCE;
pub(crate) use session::{Buffer, DeviceMemory, DriverDevice, KernelArgument, Session};

/// What a device computes with.
#[derive(Debug)]
pub(crate) enum Backend {
    /// A device of an OpenCL driver.
    OpenCl(DriverDevice<OpenCl>),
    /// The threads of this process.
    Host,
}

/// A device that a driver offers.
pub(crate) struct Offered {
    pub(crate) name: String,
    pub(crate) platform: String,
    pub(crate) platform_version: String,
    pub(crate) kind: DeviceKind,
    pub(crate) limits: Limits,
    pub(crate) backend: Backend,
}

/// The devices of all drivers that can be used, and the errors of drivers that do not work.
pub(crate) fn offered() -> (Vec<Offered>, Vec<Error>) {
    let (platforms, problems) = opencl::platforms();
    let devices = platforms.into_iter().flat_map(|opencl::Platform { name: platform, version, devices }| {
        let usable = devices.into_iter().filter(|device| device.obstacle.is_none());
        usable.map(move |opencl::Found { id, name, kind, limits, .. }| Offered {
            name,
            platform: platform.clone(),
            platform_version: version.clone(),
            kind,
            limits,
            backend: Backend::OpenCl(DriverDevice::new(id)),
        })
    });
    (devices.collect(), problems)
}

impl Backend {
    /// What runs kernels there.
    pub(crate) fn launcher(&self) -> &dyn Launcher {
        match self {
            Backend::OpenCl(device) => device,
            Backend::Host => &HostLauncher,
        }
    }

    /// Frees the memory that is kept for later calls, and returns its number of bytes.
    pub(crate) fn release_memory(&self) -> Result<usize> {
        match self {
            Backend::OpenCl(device) => device.release_memory(),
            Backend::Host => Ok(temporaries::release()),
        }
    }

    /// The extension that arithmetic on this type needs, if a device with these limits does not have it.
    pub(crate) fn lacks(&self, element: ScalarType, limits: &Limits) -> Option<&'static str> {
        let needed = match self {
            // The host has the same extensions as far as it provides what they mean.
            Backend::OpenCl(_) | Backend::Host => opencl::extension(element),
        };
        needed.filter(|extension| !limits.extensions.contains(*extension))
    }
}

/// The elements of an array on a device. They do not change once a user can see them.
#[derive(Debug, Clone)]
pub(crate) enum Memory {
    /// In an OpenCL buffer.
    OpenCl(DeviceMemory<OpenCl>),
    /// In a vector.
    Host(Arc<ErasedVec>),
}

impl Memory {
    /// Puts host data into the memory of a device. The data is copied unless it is a copy already.
    pub(crate) fn upload(
        backend: &Backend,
        name: &dyn Display,
        elements: HostElements<'_>,
    ) -> Result<Memory> {
        match backend {
            Backend::OpenCl(device) => device.upload(name, elements.as_slice().bytes()).map(Memory::OpenCl),
            Backend::Host => Ok(Memory::Host(Arc::new(match elements {
                HostElements::Borrowed(elements) => elements.to_vec()?,
                HostElements::Owned(elements) => elements,
            }))),
        }
    }

    /// The elements, if they are on the host.
    pub(crate) fn on_host(&self) -> Option<&ErasedVec> {
        match self {
            Memory::OpenCl(_) => None,
            Memory::Host(elements) => Some(elements),
        }
    }

    /// The number of elements of this type; `None` if they are known to have another type.
    pub(crate) fn count(&self, element: ScalarType) -> Option<usize> {
        match self {
            Memory::OpenCl(memory) => memory.count(element),
            Memory::Host(elements) => {
                let elements = elements.as_slice();
                (elements.element() == element).then(|| elements.len())
            }
        }
    }

    /// A copy of the elements; `count` is their number.
    pub(crate) fn read<T: Element>(&self, count: usize) -> Result<Vec<T>> {
        match self {
            Memory::OpenCl(memory) => memory.read(count),
            Memory::Host(elements) => held::<T>(elements.as_slice().to_vec()?),
        }
    }

    /// The elements; `count` is their number. They are not copied if they are on the host and nobody else has
    /// them.
    pub(crate) fn into_vec<T: Element>(self, count: usize) -> Result<Vec<T>> {
        match self {
            Memory::OpenCl(memory) => memory.read(count),
            Memory::Host(elements) => match Arc::try_unwrap(elements) {
                Ok(elements) => held::<T>(elements),
                Err(shared) => Memory::Host(shared).read(count),
            },
        }
    }

    /// Overwrites `elements` with those of the array, which must be equally many.
    pub(crate) fn read_into<T: Element>(&self, elements: &mut [T]) -> Result<()> {
        match self {
            Memory::OpenCl(memory) => memory.read_into(elements),
            Memory::Host(held) => match T::slice(held.as_slice()) {
                Some(held) if held.len() == elements.len() => {
                    elements.copy_from_slice(held);
                    Ok(())
                }
                Some(_) | None => Err(mismatch::<T>(held)),
            },
        }
    }
}

fn held<T: Element>(elements: ErasedVec) -> Result<Vec<T>> {
    T::vec(elements).map_err(|other| mismatch::<T>(&other))
}

fn mismatch<T: Element>(found: &ErasedVec) -> Error {
    let (found, wanted) = (found.as_slice(), T::SCALAR);
    let message = format!("{} elements of type {} are not {wanted}", found.len(), found.element());
    Error::Internal { program: "a result on the host".to_owned(), message }
}
