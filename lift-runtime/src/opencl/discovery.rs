//! Which platforms and devices there are, and what they have.

use std::sync::{Mutex, PoisonError};

use lift_opencl::LibrarySource;
use ocl::core::{self, DeviceFpConfig, DeviceInfo, DeviceType, PlatformInfo, Status};

use super::{OpenCl, failure};
use crate::backend::{Arithmetic, DeviceKind, Driver, Floats, Found, Limits, Platform};
use crate::error::Error;
use crate::process;

/// More than `ocl` would ask for by default. `ocl` trusts the driver not to report more than it was asked
/// for.
const MOST_DEVICES: u32 = 1024;

impl Driver for OpenCl {
    /// All platforms, in the loader's order.
    ///
    /// Only one thread at a time asks: PoCL 3.1 sets its devices up when it is first asked for them, and lets
    /// a second thread see them before it is done.
    fn platforms() -> (Vec<Platform<core::DeviceId>>, Vec<Error>) {
        static ASKING: Mutex<()> = Mutex::new(());
        if let Err(error) = process::check() {
            return (Vec::new(), vec![error]);
        }
        let _asking = ASKING.lock().unwrap_or_else(PoisonError::into_inner);
        let mut problems = Vec::new();
        let ids = core::get_platform_ids().unwrap_or_else(|error| {
            problems.push(failure("OpenCL", "clGetPlatformIDs", &error));
            Vec::new()
        });
        let platforms = ids.into_iter().map(|platform| {
            let name = platform_text(platform, PlatformInfo::Name);
            let devices = match core::get_device_ids(platform, Some(DeviceType::ALL), Some(MOST_DEVICES)) {
                Ok(ids) => ids.into_iter().filter_map(found).collect(),
                Err(error) if error.api_status() == Some(Status::CL_DEVICE_NOT_FOUND) => Vec::new(),
                Err(error) => {
                    problems.push(failure(&name, "clGetDeviceIDs", &error));
                    Vec::new()
                }
            };
            Platform { name, version: platform_text(platform, PlatformInfo::Version), devices }
        });
        (platforms.collect(), problems)
    }

    fn absence() -> String {
        let no_driver = || "the OpenCL library is there, but no driver offers a device".to_owned();
        loader().err().unwrap_or_else(no_driver)
    }

    fn hidden_by() -> Option<String> {
        lift_opencl::library_source().err().filter(|reason| reason.chosen.is_some()).map(ToString::to_string)
    }
}

/// Where the OpenCL functions come from, or why there are none.
pub(crate) fn loader() -> Result<String, String> {
    match lift_opencl::library_source() {
        Ok(LibrarySource::AlreadyLoaded) => Ok("a library that was loaded with the program".to_owned()),
        Ok(LibrarySource::Opened(name)) => Ok(name.clone()),
        Err(reason) => Err(reason.to_string()),
    }
}

/// The device, its platform and the versions of both, as far as built programs depend on them.
pub(super) fn driver(id: core::DeviceId) -> String {
    let keys = [DeviceInfo::Name, DeviceInfo::Vendor, DeviceInfo::Version, DeviceInfo::DriverVersion];
    let mut driver: Vec<String> = keys.into_iter().map(|key| text(id, key).unwrap_or_default()).collect();
    if let Ok(core::DeviceInfoResult::Platform(platform)) = core::get_device_info(id, DeviceInfo::Platform) {
        driver.push(platform_text(platform, PlatformInfo::Name));
        driver.push(platform_text(platform, PlatformInfo::Version));
    }
    driver.join("\n")
}

fn platform_text(platform: core::PlatformId, key: PlatformInfo) -> String {
    core::get_platform_info(platform, key).map_or_else(|_| "unknown".to_owned(), |text| text.to_string())
}

/// A device with what it reports of itself; `None` if it does not answer.
fn found(id: core::DeviceId) -> Option<Found<core::DeviceId>> {
    let kind = DeviceType::from_bits_truncate(number(id, DeviceInfo::Type)?);
    let extensions = text(id, DeviceInfo::Extensions)?;
    let is = |key| number(id, key).is_some_and(|truth| truth != 0);
    Some(Found {
        device: id,
        name: text(id, DeviceInfo::Name)?,
        kind: if kind.contains(DeviceType::GPU) {
            DeviceKind::Gpu
        } else if kind.contains(DeviceType::CPU) {
            DeviceKind::Cpu
        } else {
            DeviceKind::Accelerator
        },
        limits: Limits {
            compute_units: number(id, DeviceInfo::MaxComputeUnits).unwrap_or_default(),
            local_memory: number(id, DeviceInfo::LocalMemSize)?,
            buffer: number(id, DeviceInfo::MaxMemAllocSize)?,
            memory: number(id, DeviceInfo::GlobalMemSize)?,
            group: number(id, DeviceInfo::MaxWorkGroupSize)?,
            group_dimensions: work_item_sizes(id)?,
            extensions: extensions.split_whitespace().map(str::to_owned).collect(),
            floats: floats(id),
        },
        version: text(id, DeviceInfo::Version).unwrap_or_default(),
        driver: text(id, DeviceInfo::DriverVersion).unwrap_or_default(),
        memory: number(id, DeviceInfo::GlobalMemSize).unwrap_or_default(),
        obstacle: if !is(DeviceInfo::Available) {
            Some("it is not available")
        } else if !is(DeviceInfo::CompilerAvailable) {
            Some("its driver has no compiler")
        } else {
            None
        },
    })
}

/// What a device says of its floats. Quotients of double precision are always exact, and those of half
/// precision need not be.
fn floats(id: core::DeviceId) -> Floats {
    let arithmetic = |key, divides_exactly: fn(DeviceFpConfig) -> bool| {
        let has = DeviceFpConfig::from_bits_truncate(number(id, key).unwrap_or_default());
        Arithmetic {
            rounds_to_nearest: has.contains(DeviceFpConfig::ROUND_TO_NEAREST | DeviceFpConfig::INF_NAN),
            keeps_subnormals: has.contains(DeviceFpConfig::DENORM),
            divides_exactly: divides_exactly(has),
        }
    };
    Floats {
        half: arithmetic(DeviceInfo::HalfFpConfig, |_| false),
        single: arithmetic(DeviceInfo::SingleFpConfig, |has| {
            has.contains(DeviceFpConfig::CORRECTLY_ROUNDED_DIVIDE_SQRT)
        }),
        double: arithmetic(DeviceInfo::DoubleFpConfig, |_| true),
    }
}

fn information(id: core::DeviceId, key: DeviceInfo) -> Option<Vec<u8>> {
    core::get_device_info_raw(id, key as u32).ok()
}

/// Queries a number of 4 or 8 bytes.
fn number(id: core::DeviceId, key: DeviceInfo) -> Option<u64> {
    let bytes = information(id, key)?;
    if let Ok(word) = <[u8; 8]>::try_from(bytes.as_slice()) {
        return Some(u64::from_ne_bytes(word));
    }
    Some(u64::from(u32::from_ne_bytes(<[u8; 4]>::try_from(bytes.as_slice()).ok()?)))
}

fn text(id: core::DeviceId, key: DeviceInfo) -> Option<String> {
    let bytes = information(id, key)?;
    Some(String::from_utf8_lossy(&bytes).trim_matches(|c: char| c == '\0' || c.is_whitespace()).to_owned())
}

fn work_item_sizes(id: core::DeviceId) -> Option<[u64; 3]> {
    let bytes = information(id, DeviceInfo::MaxWorkItemSizes)?;
    let mut sizes = bytes.chunks_exact(size_of::<usize>()).map(|chunk| {
        let word = chunk.try_into().map(usize::from_ne_bytes).unwrap_or(0);
        word as u64
    });
    Some([sizes.next()?, sizes.next()?, sizes.next()?])
}
