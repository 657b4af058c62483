//! Who executes a loop.

/// Who executes the iterations of a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Workers {
    /// The current worker, in order.
    Sequential,
    /// Global work-items of a dimension.
    Global(u8),
    /// Work-groups of a dimension.
    WorkGroup(u8),
    /// Work-items of a group, in a dimension.
    Local(u8),
}

impl Workers {
    /// The name of the index of a loop over them, as in the papers' kernels.
    pub(crate) fn name(self) -> String {
        match self {
            Workers::Sequential => "i".to_owned(),
            Workers::Global(dimension) => format!("g_id{dimension}"),
            Workers::WorkGroup(dimension) => format!("wg_id{dimension}"),
            Workers::Local(dimension) => format!("l_id{dimension}"),
        }
    }
}
