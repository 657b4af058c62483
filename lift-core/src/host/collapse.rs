//! Two loops that are one over all positions of both.
//!
//! Where the body of two nested loops depends on `M * i + j` only, `j` running up to `M`, both are one loop over the elements of a packed
//! array (loop collapsing; Polychronopoulos, *Loop coalescing*, ICPP 1987). Rows of three channels, or of 16 columns, then are no shorter for vectors than
//! rows of a thousand.

use super::distribute::Substitute;
use crate::ir::kernel::fold::Fold;
use crate::ir::kernel::{Loop, Uses};
use crate::ir::names::Fresh;
use crate::ir::nat::{Nat, Ranges};

/// The one loop that `outer` and all that is in it, `inner`, are, if they are one. `ranges` hold around both.
pub(super) fn collapsed(outer: &Loop, inner: &Loop, ranges: &Ranges, fresh: &mut Fresh) -> Option<Loop> {
    let index = fresh.index(inner.index.name());
    let column = Nat::variable(&index) - &inner.extent * Nat::variable(&outer.index);
    let body = Substitute { index: &inner.index, value: &column }.block(&inner.body);
    if Uses::of(&body).sizes.contains(&outer.index) {
        return None;
    }
    let extent = ranges.simplify(&(&outer.extent * &inner.extent));
    Some(Loop { index, extent, body, origin: inner.origin.clone(), ..outer.clone() })
}
