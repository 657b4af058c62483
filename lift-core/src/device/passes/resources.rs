//! Where passes take new buffers and variables from.

use crate::ir::kernel::Buffer;
use crate::ir::names::Fresh;

/// What a pass adds to besides the code.
pub(super) struct Resources<'r> {
    /// All buffers.
    pub(super) buffers: &'r mut Vec<Buffer>,
    /// Makes variables.
    pub(super) fresh: &'r mut Fresh,
}
