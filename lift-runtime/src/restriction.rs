//! Kernels that are restricted to some devices, by `#[host]` or `#[opencl]`.

use crate::backend::{self, Backend};
use crate::device::{Device, chosen_by_variable, preferred};
use crate::error::{Error, Result};

/// The devices that a kernel may run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Devices {
    /// Those of OpenCL.
    OpenCl,
    /// The host.
    Host,
}

/// What restricts a kernel to some devices.
#[derive(Debug, Clone, Copy)]
pub struct Restriction {
    /// The kernel.
    pub program: &'static str,
    /// The devices.
    pub devices: Devices,
}

impl Restriction {
    /// The default device of the kernel: the one that the environment names, else the first device in the
    /// usual order that the kernel may run on. The choice of the environment is never changed silently.
    pub fn default_device(self) -> Result<Device> {
        if let Some(name) = chosen_by_variable() {
            let device = Device::default_device()?;
            return if self.allows(&device) { Ok(device) } else { Err(self.refusal(&device, Some(name))) };
        }
        let allowed = Device::list()?.into_iter().filter(|device| self.allows(device));
        preferred(allowed).ok_or_else(|| Error::NoAllowedDevice {
            program: self.program.to_owned(),
            needed: self.needed().to_owned(),
            hidden_by: backend::hidden_by(),
        })
    }

    /// Refuses other devices.
    pub fn check(self, device: &Device) -> Result<()> {
        if self.allows(device) { Ok(()) } else { Err(self.refusal(device, None)) }
    }

    fn refusal(self, device: &Device, chosen: Option<String>) -> Error {
        Error::RestrictedKernel {
            program: self.program.to_owned(),
            needed: self.needed().to_owned(),
            device: device.to_string(),
            chosen,
        }
    }

    fn allows(self, device: &Device) -> bool {
        match device.backend() {
            Backend::OpenCl(_) => self.devices == Devices::OpenCl,
            Backend::Host => self.devices == Devices::Host,
        }
    }

    fn needed(self) -> &'static str {
        match self.devices {
            Devices::OpenCl => "OpenCL devices, by `#[opencl]`",
            Devices::Host => "the host, by `#[host]`",
        }
    }
}
