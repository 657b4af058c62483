//! A kernel as a call launches it.

/// A kernel with its actual launch geometry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlannedKernel {
    pub(crate) position: usize,
    pub(crate) global: [usize; 3],
    pub(crate) local: [usize; 3],
    /// Whether the user chose these sizes.
    pub(crate) is_chosen: bool,
    pub(crate) local_memory: usize,
}
