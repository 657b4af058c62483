//! What there is to compute with on this machine, and what is missing.

mod advice;
mod machine;
mod problems;
mod show;

use std::env;

use crate::device::{Device, DeviceKind};
use crate::error::Result;
use crate::host;
use crate::opencl::{self, Found, Platform};
use machine::Machine;

/// The variables that change what is found, and what is done.
const SETTINGS: [&str; 9] = [
    crate::device::DEVICE_VARIABLE,
    crate::disk_cache::VARIABLE,
    crate::specialise::VARIABLE,
    crate::pool::VARIABLE,
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
    /// The host; none without the feature `host`.
    pub host: Option<HostReport>,
    /// The device that calls use unless they name another one.
    pub default_device: Result<Device>,
    /// The environment variables that matter here and are set, with their values.
    pub settings: Vec<(String, String)>,
    /// What does not work.
    pub problems: Vec<String>,
    /// What more could be computed with, and what that needs.
    pub missing: Vec<String>,
    /// The command that installs all that is missing; none where nothing is, or where it is not known how.
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
    /// Why it cannot be used; none where it can.
    pub obstacle: Option<String>,
}

/// The host backend.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct HostReport {
    /// On how many threads kernels run.
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

/// Looks at what there is to compute with: the OpenCL library, its platforms and devices, the host; and at what is missing.
///
/// It works where nothing is installed. `cargo run --example doctor` shows it.
pub fn doctor() -> Report {
    let loader = opencl::loader();
    let (found, errors) = opencl::platforms();
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
    // One that is installed is not helped by another installation.
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

/// A variable of the environment; one that is empty is as good as none.
fn variable(name: &str) -> Option<String> {
    let value = env::var_os(name)?.to_string_lossy().into_owned();
    (!value.is_empty()).then_some(value)
}

impl PlatformReport {
    fn new(platform: Platform) -> PlatformReport {
        let Platform { name, version, devices } = platform;
        PlatformReport { name, version, devices: devices.into_iter().map(DeviceReport::new).collect() }
    }
}

impl DeviceReport {
    fn new(found: Found) -> DeviceReport {
        let Found { id: _, name, kind, limits, version, driver, compute_units, memory, obstacle } = found;
        DeviceReport {
            name,
            kind,
            version,
            driver,
            compute_units,
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
