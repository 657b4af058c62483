//! The type of indices in a kernel, and which one a device uses.

use super::limits::DeviceKind;

/// The type of indices in a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IndexWidth {
    /// 32 bits, if they hold everything that is computed with indices, but never on processors.
    Narrow,
    /// 64 bits.
    Wide,
}

impl IndexWidth {
    /// The type on a device of this kind, for numbers that fit into this type.
    ///
    /// On processors it is always the wide type. Addresses have 64 bits there and cost the same. An index
    /// that is computed in 32 bits and extended afterwards may wrap, which hides from the OpenCL compiler
    /// that neighbouring work-items access neighbouring elements. PoCL makes vector instructions of
    /// work-items only where it sees that. On GPUs 64 bits cost twice as much.
    pub(crate) fn on(self, kind: DeviceKind) -> IndexWidth {
        match kind {
            DeviceKind::Cpu => IndexWidth::Wide,
            DeviceKind::Gpu | DeviceKind::Accelerator | DeviceKind::Host => self,
        }
    }
}
