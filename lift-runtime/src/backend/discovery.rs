//! What a driver says of this machine before any of its devices is opened.

use super::limits::{DeviceKind, Limits};
use super::session::Session;
use crate::error::Error;

/// A driver: it finds devices, which are opened as [`Session`]s.
pub(crate) trait Driver: Session {
    /// All platforms with their devices, and the errors of those that failed.
    fn platforms() -> (Vec<Platform<Self::DeviceId>>, Vec<Error>);

    /// Why there is no device, as far as the library of the driver can tell.
    fn absence() -> String;

    /// The reason, if an environment variable hides every device because it names no library.
    fn hidden_by() -> Option<String>;
}

/// A platform: devices of one maker, identified by values of type `D`.
#[derive(Debug)]
pub(crate) struct Platform<D> {
    pub(crate) name: String,
    /// What it reports as its version; PoCL gives its name there.
    pub(crate) version: String,
    pub(crate) devices: Vec<Found<D>>,
}

/// A device of a platform.
#[derive(Debug)]
pub(crate) struct Found<D> {
    pub(crate) device: D,
    pub(crate) name: String,
    pub(crate) kind: DeviceKind,
    pub(crate) limits: Limits,
    pub(crate) version: String,
    pub(crate) driver: String,
    /// Bytes of global memory.
    pub(crate) memory: u64,
    /// Why it cannot be used; `None` if it can.
    pub(crate) obstacle: Option<&'static str>,
}

impl<D> Platform<D> {
    /// The same platform with its devices identified by other values.
    pub(super) fn map<E>(self, identify: impl Fn(D) -> E) -> Platform<E> {
        let Platform { name, version, devices } = self;
        let devices = devices.into_iter().map(|found| {
            let Found { device, name, kind, limits, version, driver, memory, obstacle } = found;
            Found { device: identify(device), name, kind, limits, version, driver, memory, obstacle }
        });
        Platform { name, version, devices: devices.collect() }
    }
}
