//! The devices of this machine, and which one is used by default.
//!
//! Devices are enumerated once and opened when first used; a [`Device`] is a shared handle, so that asking for
//! the default device before every call costs next to nothing.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::cache::ProgramCache;
use crate::device_array::DeviceArray;
use crate::element::Element;
use crate::error::{Error, Result};
use crate::input::Array;
use crate::opencl::{self, Offered, Session};

/// The environment variable that names the default device.
const DEVICE_VARIABLE: &str = "LIFT_DEVICE";

/// What kind of processor a device is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DeviceKind {
    /// A graphics processor.
    Gpu,
    /// The host's processor.
    Cpu,
    /// Anything else.
    Accelerator,
}

/// What a device has of what kernels need.
#[derive(Debug, Clone)]
pub(crate) struct Limits {
    /// Bytes of local memory for a work-group.
    pub(crate) local_memory: u64,
    /// Bytes of the largest buffer.
    pub(crate) buffer: u64,
    /// Work-items of the largest work-group.
    pub(crate) group: u64,
    /// The same for each dimension.
    pub(crate) group_dimensions: [u64; 3],
    /// The OpenCL extensions.
    pub(crate) extensions: BTreeSet<String>,
}

/// A device that can compute. Copies of a handle are cheap and stand for the same device; it can be used from
/// several threads at once.
#[derive(Clone)]
pub struct Device(Arc<Inner>);

struct Inner {
    offered: Offered,
    session: Mutex<Option<Arc<Session>>>,
    programs: ProgramCache,
}

impl Device {
    /// All devices, in the order of the OpenCL platforms. An empty list is not an error.
    pub fn list() -> Result<Vec<Device>> {
        static DEVICES: Mutex<Vec<Device>> = Mutex::new(Vec::new());
        let mut devices = DEVICES.lock().unwrap_or_else(PoisonError::into_inner);
        // A list without devices is not kept: a driver may start later than this program.
        if devices.is_empty() {
            *devices = opencl::offered_devices()?.into_iter().map(Device::new).collect();
        }
        Ok(devices.clone())
    }

    /// The device that the environment variable `LIFT_DEVICE` names, by a part of its name or of its platform's
    /// name in any case; if it is not set, the first GPU, else the first other device.
    pub fn default_device() -> Result<Device> {
        static LATEST: Mutex<Option<(Option<OsString>, Device)>> = Mutex::new(None);
        let wanted = env::var_os(DEVICE_VARIABLE);
        let mut latest = LATEST.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((choice, device)) = latest.as_ref()
            && *choice == wanted
        {
            return Ok(device.clone());
        }
        let name = wanted.as_ref().map(|name| name.to_string_lossy().trim().to_owned());
        let device = choose(Device::list()?, name.as_deref().filter(|name| !name.is_empty()))?;
        *latest = Some((wanted, device.clone()));
        Ok(device)
    }

    fn new(offered: Offered) -> Device {
        Device(Arc::new(Inner { offered, session: Mutex::new(None), programs: ProgramCache::default() }))
    }

    /// The name that the driver gives the device.
    pub fn name(&self) -> &str {
        &self.0.offered.name
    }

    /// The name of the OpenCL platform that it belongs to.
    pub fn platform(&self) -> &str {
        &self.0.offered.platform
    }

    /// What kind of processor it is.
    pub fn kind(&self) -> DeviceKind {
        self.0.offered.kind
    }

    /// Copies host data to the device. An array that is on this device already is shared instead.
    /// The components of an array of tuples are uploaded one by one.
    pub fn upload<A>(&self, array: &A) -> Result<DeviceArray<A::Element, A::Dimension>>
    where
        A: Array<Element: Element> + ?Sized,
    {
        DeviceArray::upload(self, array)
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.0.offered.limits
    }

    pub(crate) fn programs(&self) -> &ProgramCache {
        &self.0.programs
    }

    /// The open device. It is opened when it is first needed.
    pub(crate) fn session(&self) -> Result<Arc<Session>> {
        let mut session = self.0.session.lock().unwrap_or_else(PoisonError::into_inner);
        match session.as_ref() {
            Some(session) => Ok(Arc::clone(session)),
            None => {
                let opened = Arc::new(Session::open(self.0.offered.id, self.to_string())?);
                *session = Some(Arc::clone(&opened));
                Ok(opened)
            }
        }
    }
}

impl PartialEq for Device {
    fn eq(&self, other: &Device) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Device {}

impl fmt::Display for Device {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({})", self.name(), self.platform())
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Device")
            .field("name", &self.name())
            .field("platform", &self.platform())
            .field("kind", &self.kind())
            .finish_non_exhaustive()
    }
}

fn choose(devices: Vec<Device>, wanted: Option<&str>) -> Result<Device> {
    let Some(wanted) = wanted else {
        let first_gpu = devices.iter().find(|device| device.kind() == DeviceKind::Gpu);
        return first_gpu
            .or(devices.first())
            .cloned()
            .ok_or_else(|| Error::NoDevice { reason: opencl::absence() });
    };
    if wanted.eq_ignore_ascii_case("host") {
        return Err(Error::HostBackendMissing);
    }
    let part = wanted.to_lowercase();
    let named = |device: &&Device| {
        device.name().to_lowercase().contains(&part) || device.platform().to_lowercase().contains(&part)
    };
    devices.iter().find(named).cloned().ok_or_else(|| Error::DeviceNotFound {
        wanted: wanted.to_owned(),
        available: devices.iter().map(Device::to_string).collect(),
    })
}
