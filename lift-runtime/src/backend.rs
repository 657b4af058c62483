//! What computes: an OpenCL device, or the host with kernels as native Rust.
//!
//! Only this module and `launch`, which has a module for each, tell the two apart. Everything else knows a
//! [`Device`](crate::Device) with its limits, and arrays in its [`Memory`].

use std::sync::{Arc, Mutex, PoisonError};

use crate::cache::ProgramCache;
use crate::element::Element;
use crate::erased::ErasedVec;
use crate::error::{Error, Result};
use crate::host_elements::HostElements;
use crate::opencl::{Buffer, DeviceId, Session};
use crate::process;
use crate::program::ScalarType;

/// What a device computes with.
#[derive(Debug)]
pub(crate) enum Backend {
    /// A device of an OpenCL driver.
    OpenCl(OpenClDevice),
    /// The threads of this process.
    Host,
}

/// An OpenCL device, which is opened when it is first needed, and the programs that were built for it.
#[derive(Debug)]
pub(crate) struct OpenClDevice {
    id: DeviceId,
    session: Mutex<Option<Arc<Session>>>,
    pub(crate) programs: ProgramCache,
}

impl OpenClDevice {
    pub(crate) fn new(id: DeviceId) -> OpenClDevice {
        OpenClDevice { id, session: Mutex::new(None), programs: ProgramCache::default() }
    }

    /// Frees the memory that is kept for later calls, and returns its number of bytes.
    pub(crate) fn release_memory(&self) -> Result<usize> {
        process::check()?;
        let session = self.session.lock().unwrap_or_else(PoisonError::into_inner).clone();
        session.map_or(Ok(0), |session| session.release_memory())
    }

    /// The session of the device, which is opened first if necessary; the name is for messages.
    pub(crate) fn session(&self, name: &dyn std::fmt::Display) -> Result<Arc<Session>> {
        process::check()?;
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        match session.as_ref() {
            Some(session) => Ok(Arc::clone(session)),
            None => {
                let opened = Arc::new(Session::open(self.id, name.to_string())?);
                *session = Some(Arc::clone(&opened));
                Ok(opened)
            }
        }
    }
}

/// The elements of an array on a device. They do not change once a user can see them.
#[derive(Debug, Clone)]
pub(crate) enum Memory {
    /// In an OpenCL buffer, whose elements have no type.
    OpenCl { session: Arc<Session>, buffer: Arc<Buffer> },
    /// In a vector.
    Host(Arc<ErasedVec>),
}

impl Memory {
    /// Puts host data into the memory of a device. The data is copied unless it is a copy already.
    pub(crate) fn upload(
        backend: &Backend,
        name: &dyn std::fmt::Display,
        elements: HostElements<'_>,
    ) -> Result<Memory> {
        match backend {
            Backend::OpenCl(device) => {
                let session = device.session(name)?;
                let elements = elements.as_slice();
                let buffer = session.with_room(|| session.upload(elements.bytes()))?;
                Ok(Memory::OpenCl { session, buffer: Arc::new(buffer) })
            }
            Backend::Host => Ok(Memory::Host(Arc::new(match elements {
                HostElements::Borrowed(elements) => elements.to_vec()?,
                HostElements::Owned(elements) => elements,
            }))),
        }
    }

    /// The number of elements of this type; `None` if they are known to have another type.
    pub(crate) fn count(&self, element: ScalarType) -> Option<usize> {
        match self {
            Memory::OpenCl { buffer, .. } => {
                let (bytes, size) = (buffer.bytes(), usize::from(element.known_bytes()?));
                (bytes % size == 0).then_some(bytes / size)
            }
            Memory::Host(elements) => {
                let elements = elements.as_slice();
                (elements.element() == element).then(|| elements.len())
            }
        }
    }

    /// A copy of the elements; `count` is their number.
    pub(crate) fn read<T: Element>(&self, count: usize) -> Result<Vec<T>> {
        match self {
            Memory::OpenCl { session, buffer } => T::read(count, &mut |bytes| session.read(buffer, bytes)),
            Memory::Host(elements) => held::<T>(elements.as_slice().to_vec()?),
        }
    }

    /// The elements; `count` is their number. They are not copied if they are on the host and nobody else has
    /// them.
    pub(crate) fn into_vec<T: Element>(self, count: usize) -> Result<Vec<T>> {
        match self {
            Memory::OpenCl { .. } => self.read(count),
            Memory::Host(elements) => match Arc::try_unwrap(elements) {
                Ok(elements) => held::<T>(elements),
                Err(shared) => Memory::Host(shared).read(count),
            },
        }
    }

    /// Overwrites `elements` with those of the array, which must be equally many.
    pub(crate) fn read_into<T: Element>(&self, elements: &mut [T]) -> Result<()> {
        match self {
            Memory::OpenCl { session, buffer } => {
                T::read_into(elements, &mut |bytes| session.read(buffer, bytes))
            }
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
