//! Compiles a program at run time and runs it on a device: what the macro does at build time, for programs
//! that no build has seen.

#![allow(dead_code, unused_imports, reason = "each test program uses its own part of this module")]

mod launch;
mod leak;
mod parts;
mod target;

pub(crate) use launch::run;
pub(crate) use leak::program_from;
pub(crate) use target::{LaunchSizes, Target};
pub(crate) use {
    launch::generated,
    parts::{Dense, Sizes, parts, taken_apart},
};

use lift_runtime::{Device, DeviceKind};

/// The default device, unless that is the host, which only runs what was compiled before: then the first
/// OpenCL device. What `LIFT_DEVICE` names is never another device than that.
///
/// # Panics
/// Where there is none.
pub(crate) fn opencl_device() -> Device {
    let default = Device::default_device().expect("the default device is there");
    if default.kind() != DeviceKind::Host {
        return default;
    }
    let devices = Device::list().expect("devices can be listed");
    let opencl = devices.into_iter().find(|device| device.kind() != DeviceKind::Host);
    opencl.expect("the tests need an OpenCL device")
}
