//! The form of a transposed array: its tiles pass through local memory, so that neighbouring work-items both
//! read neighbours and write neighbours. In the plain form they do only one of the two.
//!
//! It is for programs that only transpose a parameter. For those that also compute elements, or read several
//! arrays, there is no such form.

use super::defaults::{LARGE_MATRIX, SIDE_OF_TILES, TILE_ITEMS};
use super::{Candidate, at_least};
use crate::compiled::{DeviceClass, Selection};
use crate::ir::nat::Nat;
use crate::ir::typed::{ExprKind, Launch, Layout, Pinning, Program};
use crate::ir::types::Type;
use crate::middle::rewrite::Rewriter;
use crate::middle::rewrite::strategies::tiled_transpose;

/// The form of a program that transposes a parameter.
pub(super) fn form(program: &Program) -> Option<Candidate> {
    let ExprKind::Layout(Layout::Transpose, array) = &program.body.kind else { return None };
    let is_matrix = program.body.ty.rank() == 2 && matches!(program.body.ty.innermost(), Type::Scalar(_));
    if !is_matrix || !matches!(array.kind, ExprKind::Variable(_)) || !program.open_ranks.is_empty() {
        return None;
    }
    let mut rewriter = Rewriter::new(program);
    rewriter.run(&tiled_transpose(&Nat::constant(SIDE_OF_TILES))).ok()?;
    let made = rewriter.rewritten();
    let count = program.body.ty.element_count();
    let thresholds = at_least(&count, LARGE_MATRIX).into_iter().collect();
    let selection = Selection { thresholds, ..Selection::new("tiledTranspose", DeviceClass::Accelerator) };
    let launch = Launch {
        local: Some(TILE_ITEMS),
        global: None,
        pinning: Pinning::Pinned,
        source: program.body.source,
    };
    let mut form = Candidate::rewritten(selection, made).ok()?;
    form.program.launches = vec![launch];
    Some(form)
}
