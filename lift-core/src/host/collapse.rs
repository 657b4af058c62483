//! Two loops that are one over all positions of both.
//!
//! Where the body of two nested loops depends only on `M * i + j`, with `j` below `M`, both are one loop over
//! the elements of a packed array (loop collapsing; Polychronopoulos, *Loop coalescing*, ICPP 1987). Then
//! rows of three channels, or of 16 columns, fill vectors as well as rows of a thousand.

use super::distribute::Substitute;
use crate::ir::kernel::fold::Fold;
use crate::ir::kernel::{Loop, mentions};
use crate::ir::names::Fresh;
use crate::ir::nat::{Nat, Ranges};

/// The one loop that replaces `outer` and its whole body, `inner`; `None` if one loop cannot. `ranges` hold
/// around both.
pub(super) fn collapsed(outer: &Loop, inner: &Loop, ranges: &Ranges, fresh: &mut Fresh) -> Option<Loop> {
    let index = fresh.index(inner.index.name());
    let column = Nat::variable(&index) - &inner.extent * Nat::variable(&outer.index);
    let body = Substitute { index: &inner.index, value: &column }.block(&inner.body);
    if mentions(&body, |mention| mention.depends_on(&outer.index)) {
        return None;
    }
    let extent = ranges.simplify(&(&outer.extent * &inner.extent));
    Some(Loop { index, extent, body, origin: inner.origin.clone(), source: inner.source, ..outer.clone() })
}
