//! The strip around the code that is printed, and the slices that were made before its loops.

use crate::host::accesses::{Access, Stride};
use crate::host::{Lanes, Strip};
use crate::ir::kernel::BufferId;
use crate::ir::nat::{Nat, Var};

/// The strip around the code that is printed.
#[derive(Clone, Copy)]
pub(super) struct StripContext<'s> {
    pub(super) strip: &'s Strip,
    /// The position of the first lane.
    pub(super) index: &'s Var,
    /// How many neighbours.
    pub(super) lanes: Lanes,
    /// The position of the first of several rows, and how many.
    pub(super) rows: Option<(&'s Var, usize)>,
    /// What was cut out before the loops around.
    pub(super) slices: &'s [SlidingSlice],
    /// Where lanes change variables.
    pub(super) updates: Updates,
}

/// Where the lanes change the variables that they have from one statement to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Updates {
    /// In their places.
    InPlace,
    /// In a second array, which is then moved to the place of the first. LLVM keeps both in registers over the steps of a loop. An array
    /// that is changed in place stays in memory if the loop is unrolled before it is known that all lanes fit registers.
    Moved,
}

/// What a load of a loop reads in all steps.
#[derive(Clone)]
pub(super) struct SlidingSlice {
    pub(super) buffer: BufferId,
    pub(super) index: Nat,
    /// Of which of several rows it is.
    pub(super) row: Option<usize>,
    /// What to read instead of the buffer.
    pub(super) source: Source,
    /// Where in it the first lane finds its element.
    pub(super) position: Nat,
    /// How far apart neighbouring lanes find theirs.
    pub(super) stride: Stride,
}

impl SlidingSlice {
    /// The window of an access, where it has one.
    pub(super) fn of<'w>(
        slices: &'w [SlidingSlice],
        access: &Access,
        row: Option<usize>,
    ) -> Option<&'w SlidingSlice> {
        slices
            .iter()
            .find(|window| (window.buffer, &window.index, window.row) == (access.buffer, &access.index, row))
    }
}

/// A buffer, or a window of one.
#[derive(Debug, Clone)]
pub(super) struct Source {
    pub(super) name: String,
    /// Whether it is a slice that nobody writes.
    pub(super) is_slice: bool,
}
