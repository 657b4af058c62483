//! Limits the comparisons that find the rows of joined arrays in the code for one element: where joined rows
//! are rows of joined rows, the number of comparisons is multiplied.

/// The most comparisons in the code for one scalar.
const MOST_COMPARISONS: i128 = 48;

/// The most comparisons for all components of a vector together; their code is longer already.
const MOST_COMPARISONS_OF_VECTORS: i128 = 14;

/// The comparisons that find rows in the code for one element.
#[derive(Clone)]
pub(super) struct RowComparisons {
    /// Whether such comparisons stand around the current code.
    pub(super) is_open: bool,
    /// Their number.
    pub(super) taken: usize,
    /// The number of vector components that have such code each.
    pub(super) lanes: usize,
}

impl RowComparisons {
    pub(super) fn none() -> RowComparisons {
        RowComparisons { is_open: false, taken: 0, lanes: 1 }
    }

    /// Whether comparisons may find the row in one more array, for elements of `lanes` components.
    pub(super) fn have_room_for(&self, rows: i128, lanes: usize) -> bool {
        let branches = i128::try_from(self.taken).unwrap_or(i128::MAX).saturating_add(rows - 1);
        match self.lanes.max(lanes) {
            0 | 1 => branches <= MOST_COMPARISONS,
            lanes => branches.saturating_mul(lanes as i128) <= MOST_COMPARISONS_OF_VECTORS,
        }
    }
}
