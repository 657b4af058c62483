//! What there is to compute with on this machine, and what is missing.

mod advice;
mod machine;
mod problems;
mod show;

use std::env;

use crate::backend::{self, DeviceKind, Found, Platform};
use crate::device::Device;
use crate::error::Result;
use crate::host;
use crate::opencl;
use machine::Machine;

/// The environment variables that change what is found and how it is used.
const SETTINGS: [&str; 9] = [
    crate::device::DEVICE_VARIABLE,
    crate::disk_cache::VARIABLE,
    crate::specialise::VARIABLE,
    backend::POOL_VARIABLE,
    host::instructions::VARIABLE,
    lift_opencl::PATH_VARIABLE,
    machine::VENDORS_VARIABLE,
    "OCL_ICD_FILENAMES",
    "RAYON_NUM_THREADS",
];

/// What [`doctor`] found. It is shown as text by `println!("{report}")`.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Report {
    /// The OpenCL library that is used, or why there is none.
    pub loader: Result<String, String>,
    /// The OpenCL platforms: the drivers that answer.
    pub platforms: Vec<PlatformReport>,
    /// The host; `None` without the feature `host`.
    pub host: Option<HostReport>,
    /// The device that calls use unless they name another one.
    pub default_device: Result<Device>,
    /// The environment variables that matter here and are set, with their values.
    pub settings: Vec<(String, String)>,
    /// What does not work.
    pub problems: Vec<String>,
    /// Further devices that are possible, and what they need.
    pub missing: Vec<String>,
    /// The command that installs everything that is missing; `None` if nothing is, or if the command is not
    /// known.
    pub command: Option<String>,
}

/// An OpenCL platform.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PlatformReport {
    /// Its name.
    pub name: String,
    /// Its version of OpenCL and its own.
    pub version: String,
    /// Its devices.
    pub devices: Vec<DeviceReport>,
}

/// An OpenCL device.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct DeviceReport {
    /// Its name.
    pub name: String,
    /// What kind of processor it is.
    pub kind: DeviceKind,
    /// Its version of OpenCL.
    pub version: String,
    /// The version of its driver.
    pub driver: String,
    /// Its compute units.
    pub compute_units: u64,
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes of the largest array.
    pub largest_array: u64,
    /// Bytes of local memory for a work-group.
    pub local_memory: u64,
    /// Work-items of the largest work-group.
    pub group: u64,
    /// The same for each dimension.
    pub group_dimensions: [u64; 3],
    /// Its extensions.
    pub extensions: Vec<String>,
    /// Why it cannot be used; `None` if it can.
    pub obstacle: Option<String>,
}

/// The host backend.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct HostReport {
    /// The number of threads that run kernels.
    pub threads: usize,
    /// The instruction set that their loops are compiled for.
    pub instructions: String,
}

impl DeviceReport {
    /// Whether it has an extension of OpenCL.
    pub fn has(&self, extension: &str) -> bool {
        self.extensions.iter().any(|found| found == extension)
    }
}

/// Reports what this machine can compute with (the OpenCL library, its platforms and devices, the host), and
/// what is missing.
///
/// It works even if nothing is installed. `cargo run --example doctor` shows it.
pub fn doctor() -> Report {
    let loader = opencl::loader();
    let (found, errors) = backend::platforms();
    let platforms: Vec<PlatformReport> = found.into_iter().map(PlatformReport::new).collect();
    let machine = Machine::here();
    let found = problems::Found {
        loader: &loader,
        chosen_library: variable(lift_opencl::PATH_VARIABLE),
        has_platform: !platforms.is_empty(),
        chosen_vendors: variable(machine::VENDORS_VARIABLE),
    };
    let drivers = errors.iter().map(ToString::to_string).chain(problems::of(&machine, &found));
    let instructions = host::threads().and_then(|_| host::instructions::chosen().err());
    let problems = drivers.chain(instructions.map(|error| error.to_string())).collect();
    // Installing a library again that is already there does not help.
    let has_loader = loader.is_ok() || found.chosen_library.is_some() && machine.has_loader;
    let advice = advice::of(&machine, has_loader, &platforms);
    Report {
        problems,
        loader,
        platforms,
        host: host::threads()
            .map(|threads| HostReport { threads, instructions: host::instruction_set().to_string() }),
        default_device: Device::default_device(),
        settings: SETTINGS.iter().filter_map(|name| Some(((*name).to_owned(), variable(name)?))).collect(),
        missing: advice.missing,
        command: advice.command,
    }
}

/// An environment variable; an empty one counts as unset.
fn variable(name: &str) -> Option<String> {
    let value = env::var_os(name)?.to_string_lossy().into_owned();
    (!value.is_empty()).then_some(value)
}

impl PlatformReport {
    fn new<D>(platform: Platform<D>) -> PlatformReport {
        let Platform { name, version, devices } = platform;
        PlatformReport { name, version, devices: devices.into_iter().map(DeviceReport::new).collect() }
    }
}

impl DeviceReport {
    fn new<D>(found: Found<D>) -> DeviceReport {
        let Found { device: _, name, kind, limits, version, driver, memory, obstacle } = found;
        DeviceReport {
            name,
            kind,
            version,
            driver,
            compute_units: limits.compute_units,
            memory,
            largest_array: limits.buffer,
            local_memory: limits.local_memory,
            group: limits.group,
            group_dimensions: limits.group_dimensions,
            extensions: limits.extensions.into_iter().collect(),
            obstacle: obstacle.map(str::to_owned),
        }
    }
}
