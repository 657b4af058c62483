//! The strip around the current code, and the slices that were made before its loops.

use crate::host::{Lanes, Strip};
use crate::ir::kernel::BufferId;
use crate::ir::kernel::accesses::{Access, Stride};
use crate::ir::nat::{Nat, Var};

/// The strip around the current code.
#[derive(Clone, Copy)]
pub(super) struct StripContext<'s> {
    pub(super) strip: &'s Strip,
    /// The position of the first lane.
    pub(super) index: &'s Var,
    /// The number of neighbours.
    pub(super) lanes: Lanes,
    /// The position of the first of several rows, and the number of rows.
    pub(super) rows: Option<(&'s Var, usize)>,
    /// The slices that were cut out before the loops around.
    pub(super) slices: &'s [SlidingSlice],
    /// Whether lanes update kept values in place or in a second array.
    pub(super) updates: Updates,
}

/// Whether lanes update the values that they keep from one statement to the next in place or in a second
/// array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Updates {
    /// In place.
    InPlace,
    /// In a second array, which then replaces the first one. LLVM keeps both in registers over the iterations
    /// of a loop. An array that is changed in place stays in memory if the loop is unrolled before LLVM knows
    /// that all lanes fit registers.
    Moved,
}

/// The elements that a load in a loop reads in all iterations.
#[derive(Clone)]
pub(super) struct SlidingSlice {
    pub(super) buffer: BufferId,
    pub(super) index: Nat,
    /// The number of the row, where there are several.
    pub(super) row: Option<usize>,
    /// The array to read instead of the buffer.
    pub(super) source: Source,
    /// The position of the first lane's element in it.
    pub(super) position: Nat,
    /// The distance of the elements of neighbouring lanes.
    pub(super) stride: Stride,
}

impl SlidingSlice {
    /// The slice for an access, if it has one.
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

/// A buffer, or a slice of one.
#[derive(Debug, Clone)]
pub(super) struct Source {
    pub(super) name: String,
    /// Whether it is a slice that nobody writes.
    pub(super) is_slice: bool,
}
