//! What computes: the devices of a driver, or the host with kernels as native Rust.
//!
//! Only this module knows which there are. A driver is a line of the table below ([`Backend`]): whatever
//! implements [`Session`] and [`Driver`]. OpenCL is one. All that looks for devices goes through the table,
//! and exhaustive matches on [`Backend`] ask what else must be decided about a new driver. The rest of the
//! crate knows a [`Device`](crate::Device) with its limits, and arrays in its [`Memory`].

mod cache;
mod discovery;
mod floats;
mod index_width;
mod limits;
mod pool;
mod session;
mod temporaries;

use std::any::Any;
use std::fmt::Display;
use std::sync::Arc;

use crate::erased::{Erase, ErasedCells, ErasedVec, scalar_type};
use crate::error::{Error, Result};
use crate::host_elements::HostElements;
use crate::opencl::OpenCl;
use crate::program::ScalarType;

pub(crate) use cache::{Build, Built};
pub(crate) use discovery::{Driver, Found, Platform};
pub(crate) use floats::{Arithmetic, Floats};
pub(crate) use index_width::IndexWidth;
pub use limits::DeviceKind;
pub(crate) use limits::Limits;
pub(crate) use pool::{Keeping, Pool, Pooled, VARIABLE as POOL_VARIABLE};
use session::AnyDriverDevice;
#[cfg(test)]
pub(crate) use session::COMPARED_AT_ONCE;
pub(crate) use session::{Buffer, DeviceMemory, DriverDevice, DriverMemory, KernelArgument, Session};
pub(crate) use temporaries::Temporaries;

/// Makes the back ends of a table of drivers.
macro_rules! drivers {
    ($($(#[$documentation:meta])* $driver:ident: $session:ty;)*) => {
        /// What a device computes with.
        #[derive(Debug)]
        pub(crate) enum Backend {
            $($(#[$documentation])* $driver(DriverDevice<$session>),)*
            /// The threads of this process.
            Host,
        }

        impl Backend {
            /// The device of a driver; `None` on the host.
            fn driver(&self) -> Option<&dyn AnyDriverDevice> {
                match self {
                    $(Backend::$driver(device) => Some(device),)*
                    Backend::Host => None,
                }
            }
        }

        /// The platforms of all drivers, and the errors of those that do not work.
        pub(crate) fn platforms() -> (Vec<Platform<Backend>>, Vec<Error>) {
            let (mut platforms, mut problems) = (Vec::new(), Vec::new());
            $({
                let (found, errors) = <$session>::platforms();
                let identified = |platform: Platform<_>| {
                    platform.map(|id| Backend::$driver(DriverDevice::new(id)))
                };
                platforms.extend(found.into_iter().map(identified));
                problems.extend(errors);
            })*
            (platforms, problems)
        }

        /// Why no driver has a device.
        pub(crate) fn absence() -> String {
            [$(<$session>::absence()),*].join("; ")
        }

        /// The reason, if an environment variable hides every device of a driver.
        pub(crate) fn hidden_by() -> Option<String> {
            None$(.or_else(<$session>::hidden_by))*
        }
    };
}

drivers! {
    /// A device of an OpenCL driver.
    OpenCl: OpenCl;
}

impl Backend {
    /// Frees the memory that is kept for later calls, and returns its number of bytes.
    pub(crate) fn release_memory(&self) -> Result<usize> {
        match self.driver() {
            Some(driver) => driver.release_memory(),
            None => Ok(temporaries::release()),
        }
    }
}

/// The elements of an array on a device. They do not change while a user can see them: memory that no other
/// array has is written again only while a user gives it away for that.
#[derive(Debug, Clone)]
pub(crate) enum Memory {
    /// In memory of a driver.
    Driver(Arc<dyn DriverMemory>),
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
        match backend.driver() {
            Some(driver) => driver.upload(name, elements.as_slice().bytes()).map(Memory::Driver),
            None => Ok(Memory::Host(Arc::new(match elements {
                HostElements::Borrowed(elements) => elements.to_vec()?,
                HostElements::Owned(elements) => elements,
            }))),
        }
    }

    /// The elements, if they are on the host.
    pub(crate) fn on_host(&self) -> Option<&ErasedVec> {
        match self {
            Memory::Driver(_) => None,
            Memory::Host(elements) => Some(elements),
        }
    }

    /// Whether another array has this memory, too.
    pub(crate) fn is_shared(&mut self) -> bool {
        match self {
            Memory::Driver(memory) => Arc::get_mut(memory).is_none(),
            Memory::Host(elements) => Arc::get_mut(elements).is_none(),
        }
    }

    /// The elements, to be overwritten, if they are on the host and no other array has them.
    pub(crate) fn cells_on_host(&mut self) -> Option<ErasedCells<'_>> {
        match self {
            Memory::Driver(_) => None,
            Memory::Host(elements) => Arc::get_mut(elements).map(ErasedVec::as_cells),
        }
    }

    /// The memory, if it is of such a driver.
    pub(crate) fn of_driver<S: Session>(&self) -> Option<&DeviceMemory<S>> {
        match self {
            Memory::Driver(memory) => (memory.as_ref() as &dyn Any).downcast_ref(),
            Memory::Host(_) => None,
        }
    }

    /// The number of elements of this type; `None` if they are known to have another type, or if there is no
    /// whole number of them.
    pub(crate) fn count(&self, element: ScalarType) -> Option<usize> {
        match self {
            Memory::Driver(memory) => {
                let (bytes, size) = (memory.byte_count(), usize::from(element.known_bytes()?));
                (bytes % size == 0).then_some(bytes / size)
            }
            Memory::Host(elements) => {
                let elements = elements.as_slice();
                (elements.element() == element).then(|| elements.len())
            }
        }
    }

    /// A copy of the elements; `count` is their number.
    pub(crate) fn read<T: Erase>(&self, count: usize) -> Result<Vec<T>> {
        match self {
            Memory::Driver(memory) => T::read(count, &mut |bytes| memory.read(bytes)),
            Memory::Host(elements) => held::<T>(elements.as_slice().to_vec()?),
        }
    }

    /// The elements; `count` is their number. They are not copied if they are on the host and nobody else has
    /// them.
    pub(crate) fn into_vec<T: Erase>(self, count: usize) -> Result<Vec<T>> {
        match self {
            Memory::Driver(_) => self.read(count),
            Memory::Host(elements) => held::<T>(owned(elements)?),
        }
    }

    /// The same for elements whose type is known only at run time.
    pub(crate) fn into_erased(self, element: ScalarType, count: usize) -> Result<ErasedVec> {
        match self {
            Memory::Driver(memory) => ErasedVec::read(element, count, &mut |bytes| memory.read(bytes)),
            Memory::Host(elements) => {
                let elements = owned(elements)?;
                let found = elements.as_slice().element();
                if found == element { Ok(elements) } else { Err(mismatch(&elements, element)) }
            }
        }
    }

    /// Overwrites `elements` with those of the array, which must be equally many.
    pub(crate) fn read_into<T: Erase>(&self, elements: &mut [T]) -> Result<()> {
        match self {
            Memory::Driver(memory) => T::read_into(elements, &mut |bytes| memory.read(bytes)),
            Memory::Host(held) => match T::slice(held.as_slice()) {
                Some(held) if held.len() == elements.len() => {
                    elements.copy_from_slice(held);
                    Ok(())
                }
                Some(_) | None => Err(mismatch(held, scalar_type::<T>())),
            },
        }
    }
}

/// The elements, which are copied if somebody else has them.
fn owned(elements: Arc<ErasedVec>) -> Result<ErasedVec> {
    Arc::try_unwrap(elements).or_else(|shared| shared.as_slice().to_vec())
}

fn held<T: Erase>(elements: ErasedVec) -> Result<Vec<T>> {
    T::vec(elements).map_err(|other| mismatch(&other, scalar_type::<T>()))
}

fn mismatch(found: &ErasedVec, wanted: ScalarType) -> Error {
    let found = found.as_slice();
    let message = format!("{} elements of type {} are not {wanted}", found.len(), found.element());
    Error::Internal { program: "a result on the host".to_owned(), message }
}
