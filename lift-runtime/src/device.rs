//! The devices of this machine, and which one is used by default.
//!
//! Devices are enumerated once and opened when first used; a [`Device`] is a shared handle, so that asking
//! for the default device before every call costs next to nothing. The host is a device like any other, the
//! last one.

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::backend::{self, Backend, DeviceKind, Found, Limits, Memory, Platform};
use crate::error::{Error, Result};
use crate::process;

/// The environment variable that names the default device.
pub(crate) const DEVICE_VARIABLE: &str = "LIFT_DEVICE";

/// The name of the host, in [`DEVICE_VARIABLE`] too.
const HOST_NAME: &str = "host";

/// A handle of a device that can compute. Copies are cheap and mean the same device; it can be used from
/// several threads at once.
#[derive(Clone)]
pub struct Device(Arc<Inner>);

struct Inner {
    name: String,
    platform: String,
    /// What the platform reports as its version; PoCL gives its name there.
    platform_version: String,
    kind: DeviceKind,
    limits: Limits,
    backend: Backend,
}

/// Elements and the device that they are on.
#[doc(hidden)]
#[derive(Clone)]
pub struct DeviceData {
    pub(crate) device: Device,
    pub(crate) memory: Memory,
}

impl Device {
    /// All devices: those of OpenCL, in the order of the platforms, then the host, unless `lift` is built
    /// without its feature `host`. An empty list is not an error.
    pub fn list() -> Result<Vec<Device>> {
        process::check()?;
        static OFFERED: Mutex<Vec<Device>> = Mutex::new(Vec::new());
        let mut devices = OFFERED.lock().unwrap_or_else(PoisonError::into_inner);
        // A list without devices is not kept: a driver may start later than this program.
        if devices.is_empty() {
            let (platforms, mut problems) = backend::platforms();
            *devices = platforms.into_iter().flat_map(Device::of_platform).collect();
            problems.iter().for_each(|problem| tracing::warn!(%problem, "a driver does not work"));
            // A driver that does not work is no reason not to use another device.
            if devices.is_empty()
                && Device::host().is_none()
                && let Some(problem) = problems.pop()
            {
                return Err(problem);
            }
        }
        Ok(devices.iter().cloned().chain(Device::host()).collect())
    }

    /// The device that the environment variable `LIFT_DEVICE` names. Its value is `host`, or a part of the
    /// name of a device or of its platform, or else of the version of the platform (`pocl`); upper and lower
    /// case are the same. If the variable is not set, it is the first GPU, else another accelerator, else the
    /// host, else, if `lift` is built without its feature `host`, a processor with OpenCL.
    pub fn default_device() -> Result<Device> {
        process::check()?;
        static LATEST: Mutex<Option<(Option<OsString>, Device)>> = Mutex::new(None);
        let wanted = env::var_os(DEVICE_VARIABLE);
        let mut latest = LATEST.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((choice, device)) = latest.as_ref()
            && *choice == wanted
        {
            return Ok(device.clone());
        }
        let name = wanted.as_ref().map(|name| name.to_string_lossy().trim().to_owned());
        let device = choose(name.as_deref().filter(|name| !name.is_empty()))?;
        tracing::info!(%device, LIFT_DEVICE = name, "the default device");
        *latest = Some((wanted, device.clone()));
        Ok(device)
    }

    /// The devices of a platform that can be used.
    fn of_platform(platform: Platform<Backend>) -> impl Iterator<Item = Device> {
        let Platform { name: platform, version: platform_version, devices } = platform;
        let usable = devices.into_iter().filter(|device| device.obstacle.is_none());
        usable.map(move |Found { device: backend, name, kind, limits, .. }| {
            let (platform, platform_version) = (platform.clone(), platform_version.clone());
            Device(Arc::new(Inner { name, platform, platform_version, kind, limits, backend }))
        })
    }

    /// The host; `None` without the feature `host`.
    fn host() -> Option<Device> {
        static HOST: OnceLock<Device> = OnceLock::new();
        let make = || {
            Device(Arc::new(Inner {
                name: HOST_NAME.to_owned(),
                platform: "native Rust".to_owned(),
                platform_version: String::new(),
                kind: DeviceKind::Host,
                limits: Limits::of_the_host(),
                backend: Backend::Host,
            }))
        };
        cfg!(feature = "host").then(|| HOST.get_or_init(make).clone())
    }

    /// The name that the driver gives the device; `host` for the host.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The name of the OpenCL platform that it belongs to; `native Rust` for the host.
    pub fn platform(&self) -> &str {
        &self.0.platform
    }

    /// What kind of processor it is.
    pub fn kind(&self) -> DeviceKind {
        self.0.kind
    }

    /// Frees the memory that is kept for later calls, and returns its number of bytes. Returns when the
    /// kernels that use this memory are done.
    ///
    /// Memory of the device that nobody uses any more, such as the temporaries of a call, is kept for the
    /// next call. Together with the memory in use it is never more than what was recently in use at once,
    /// apart from a small reserve. It is given back when it is needed elsewhere on this device or has not
    /// been used for long; other programs on the device do not see it before. With `LIFT_KEEP_MEMORY=0` in
    /// the environment nothing is kept. The host keeps temporaries only.
    pub fn release_memory(&self) -> Result<usize> {
        self.0.backend.release_memory()
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.0.limits
    }

    pub(crate) fn backend(&self) -> &Backend {
        &self.0.backend
    }
}

impl DeviceData {
    /// Returns itself if it is on `device`.
    pub(crate) fn on(&self, argument: &str, device: &Device) -> Result<&DeviceData> {
        if self.device == *device {
            return Ok(self);
        }
        Err(Error::OtherDevice {
            argument: argument.to_owned(),
            expected: device.to_string(),
            found: self.device.to_string(),
        })
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

impl fmt::Debug for DeviceData {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("DeviceData").field("device", &self.device).finish_non_exhaustive()
    }
}

#[cfg(test)]
impl Device {
    /// A device with these limits that no driver has.
    pub(crate) fn made_up(kind: DeviceKind, limits: Limits) -> Device {
        let (name, platform, platform_version) = ("made up".to_owned(), "tests".to_owned(), String::new());
        Device(Arc::new(Inner { name, platform, platform_version, kind, limits, backend: Backend::Host }))
    }
}

/// The most preferred device by [`DeviceKind::preference`]; the first one among equals.
pub(crate) fn preferred(devices: impl IntoIterator<Item = Device>) -> Option<Device> {
    devices.into_iter().min_by_key(|device| device.kind().preference())
}

fn choose(wanted: Option<&str>) -> Result<Device> {
    let Some(wanted) = wanted else {
        return preferred(Device::list()?).ok_or_else(|| Error::NoDevice { reason: backend::absence() });
    };
    // No driver is asked where none is needed.
    if wanted.eq_ignore_ascii_case(HOST_NAME) {
        return Device::host().ok_or(Error::HostBackendMissing);
    }
    let devices = Device::list()?;
    let part = wanted.to_lowercase();
    let mentions = |text: &str| text.to_lowercase().contains(&part);
    let by_name = |device: &&Device| mentions(device.name()) || mentions(device.platform());
    let by_version = |device: &&Device| mentions(&device.0.platform_version);
    let found = devices.iter().find(by_name).or_else(|| devices.iter().find(by_version));
    found.cloned().ok_or_else(|| Error::DeviceNotFound {
        wanted: wanted.to_owned(),
        available: devices.iter().map(Device::to_string).collect(),
        hidden_by: backend::hidden_by(),
    })
}

/// The name in the environment variable; `None` if it is unset or empty.
pub(crate) fn chosen_by_variable() -> Option<String> {
    let name = env::var_os(DEVICE_VARIABLE)?.to_string_lossy().trim().to_owned();
    (!name.is_empty()).then_some(name)
}
