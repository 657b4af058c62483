//! How many comparisons may tell the rows of joined arrays apart in the code for one element.

/// The comparisons that tell rows apart in the code for one scalar, at most.
const MOST_COMPARISONS: i128 = 48;

/// The same for one vector, all components together: what it reads is long already.
const MOST_COMPARISONS_OF_VECTORS: i128 = 14;

/// The comparisons that tell rows apart in the code for one element.
#[derive(Clone)]
pub(super) struct RowComparisons {
    /// Whether there are any around.
    pub(super) is_open: bool,
    /// How many there are.
    pub(super) taken: usize,
    /// For how many components of vectors there is such code.
    pub(super) lanes: usize,
}

impl RowComparisons {
    pub(super) fn none() -> RowComparisons {
        RowComparisons { is_open: false, taken: 0, lanes: 1 }
    }

    /// Whether the rows of one more array may be told apart, for elements of so many components.
    pub(super) fn have_room_for(&self, rows: i128, lanes: usize) -> bool {
        let branches = i128::try_from(self.taken).unwrap_or(i128::MAX).saturating_add(rows - 1);
        match self.lanes.max(lanes) {
            0 | 1 => branches <= MOST_COMPARISONS,
            lanes => branches.saturating_mul(lanes as i128) <= MOST_COMPARISONS_OF_VECTORS,
        }
    }
}
