//! What passes use and change besides the code of a kernel.

use crate::device::launch::Sizes;
use crate::flat::FlatSet;
use crate::ir::code::Notes;
use crate::ir::kernel::{Buffer, BufferId};
use crate::ir::names::Fresh;
use crate::ir::nat::{Ranges, Var};
use crate::options::Options;

/// The data that passes use and change besides the code of a kernel.
pub(crate) struct Context<'c> {
    pub(crate) options: &'c Options,
    /// The sizes of the launch.
    pub(crate) launch: &'c Sizes,
    /// What is known about sizes.
    pub(crate) ranges: &'c Ranges,
    /// The sizes, which are constant for a whole launch.
    pub(crate) sizes: &'c FlatSet<Var>,
    pub(crate) notes: &'c Notes,
    /// All buffers of the program. Passes may change those of the kernel and add new ones.
    pub(crate) buffers: &'c mut Vec<Buffer>,
    pub(crate) fresh: &'c mut Fresh,
    /// The double buffers and the registers of software pipelining.
    pub(crate) prefetched: Prefetched,
}

/// What a pass adds to besides the code.
pub(super) struct Resources<'r> {
    /// All buffers.
    pub(super) buffers: &'r mut Vec<Buffer>,
    /// Makes variables.
    pub(super) fresh: &'r mut Fresh,
}

/// The results that later passes need.
#[derive(Default)]
pub(crate) struct Prefetched {
    /// The local buffers that became double buffers.
    pub(crate) doubled: FlatSet<BufferId>,
    /// The registers that hold the early loads.
    pub(super) registers: FlatSet<BufferId>,
}
