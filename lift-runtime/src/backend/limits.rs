//! What a device says about itself: its kind and its limits.

use std::collections::BTreeSet;

use super::floats::Floats;
use crate::program::ScalarType;

/// What kind of processor a device is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DeviceKind {
    /// A graphics processor, with OpenCL.
    Gpu,
    /// The host's processor, with OpenCL.
    Cpu,
    /// Anything else, with OpenCL.
    Accelerator,
    /// The host's processor, with kernels as native Rust: it needs no driver.
    Host,
}

impl DeviceKind {
    /// Its rank in the search for a default device. Native Rust comes before OpenCL on the same processor: it
    /// needs no compiler at the first call, and most programs are faster.
    pub(crate) fn preference(self) -> usize {
        match self {
            DeviceKind::Gpu => 0,
            DeviceKind::Accelerator => 1,
            DeviceKind::Host => 2,
            DeviceKind::Cpu => 3,
        }
    }
}

/// What a device offers to kernels.
#[derive(Debug, Clone)]
pub(crate) struct Limits {
    /// The processors that groups are divided among: cores or multiprocessors.
    pub(crate) compute_units: u64,
    /// Bytes of local memory for a work-group.
    pub(crate) local_memory: u64,
    /// Bytes of the largest buffer.
    pub(crate) buffer: u64,
    /// Bytes of all memory for buffers.
    pub(crate) memory: u64,
    /// Work-items of the largest work-group.
    pub(crate) group: u64,
    /// The same for each dimension.
    pub(crate) group_dimensions: [u64; 3],
    /// The OpenCL extensions; for the host, those whose meaning it provides.
    pub(crate) extensions: BTreeSet<String>,
    /// How exactly it computes.
    pub(crate) floats: Floats,
}

impl Limits {
    /// The extension that arithmetic on this type needs, if the device does not have it.
    pub(crate) fn lacks(&self, element: ScalarType) -> Option<&'static str> {
        extension(element).filter(|extension| !self.extensions.contains(*extension))
    }

    /// The limits of the host. There, local memory is memory like any other, and work-groups are loops.
    pub(crate) fn of_the_host() -> Limits {
        let mut extensions = BTreeSet::from(["cl_khr_fp64".to_owned()]);
        if cfg!(feature = "f16") {
            extensions.insert("cl_khr_fp16".to_owned());
        }
        Limits {
            compute_units: u64::MAX,
            local_memory: u64::MAX,
            buffer: u64::MAX,
            memory: u64::MAX,
            group: u64::MAX,
            group_dimensions: [u64::MAX; 3],
            extensions,
            floats: Floats::EXACT,
        }
    }
}

/// The extension that a device needs for arithmetic on this type.
fn extension(scalar: ScalarType) -> Option<&'static str> {
    match scalar {
        ScalarType::F16 => Some("cl_khr_fp16"),
        ScalarType::F64 => Some("cl_khr_fp64"),
        ScalarType::Bool
        | ScalarType::I8
        | ScalarType::U8
        | ScalarType::I16
        | ScalarType::U16
        | ScalarType::I32
        | ScalarType::U32
        | ScalarType::I64
        | ScalarType::U64
        | ScalarType::F32
        | ScalarType::Parameter(_) => None,
    }
}
