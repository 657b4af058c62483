//! The form of a transposed array: its tiles pass through local memory, so that neighbouring work-items both
//! read neighbours and write neighbours. In the plain form they do only one of the two.
//!
//! It is for programs that only transpose a parameter. For those that also compute elements, or read several
//! arrays, there is no such form.

use super::defaults::{LARGE_MATRIX, SIDE_OF_TILES, TILE_ITEMS};
use super::left_out::Class;
use super::{Attempt, Candidate, at_least};
use crate::compiled::{DeviceClass, RefusedForm, Selection};
use crate::diagnostic::Diagnostic;
use crate::ir::nat::Nat;
use crate::ir::typed::{ExprKind, Launch, Layout, Pinning, Program};
use crate::ir::types::Type;
use crate::middle::rewrite::Rewriter;
use crate::middle::rewrite::strategies::tiled_transpose;

/// The form of a program that transposes a parameter; `None` for other programs.
pub(super) fn form(program: &Program) -> Option<Attempt> {
    let ExprKind::Layout(Layout::Transpose, array) = &program.body.kind else { return None };
    let is_matrix = program.body.ty.rank() == 2 && matches!(program.body.ty.innermost(), Type::Scalar(_));
    if !is_matrix || !matches!(array.kind, ExprKind::Variable(_)) || !program.open_ranks.is_empty() {
        return None;
    }
    let refused = |reason| RefusedForm { name: Class::Transposition.to_string(), reasons: vec![reason] };
    Some(in_tiles(program).map_err(refused))
}

/// The form of a transposed parameter.
///
/// # Errors
/// Says which rule does not apply, or what no call can check.
fn in_tiles(program: &Program) -> Result<Candidate, Diagnostic> {
    let mut rewriter = Rewriter::new(program);
    rewriter.run(&tiled_transpose(&Nat::constant(SIDE_OF_TILES))).map_err(|failure| {
        let message = format!("work-items cannot transpose the array in tiles: {failure}");
        Diagnostic::new(failure.source, message)
    })?;
    let made = rewriter.rewritten();
    let count = program.body.ty.element_count();
    let thresholds = at_least(&count, LARGE_MATRIX).into_iter().collect();
    let name = Class::Transposition.to_string();
    let selection = Selection { thresholds, ..Selection::new(&name, DeviceClass::Accelerator) };
    let launch = Launch {
        local: Some(TILE_ITEMS),
        global: None,
        pinning: Pinning::Pinned,
        source: program.body.source,
    };
    let mut form = Candidate::rewritten(selection, made)?;
    form.program.launches = vec![launch];
    Ok(form)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::ir::scalar::{Literal, ScalarType};
    use crate::ir::source::Source;
    use crate::ir::typed::{Expr, NodeId};

    #[test]
    fn where_the_rules_do_not_apply_the_reason_is_kept() {
        let body = Expr {
            id: NodeId(0),
            ty: Type::Scalar(ScalarType::I32),
            source: Source::UNKNOWN,
            kind: ExprKind::Literal(Literal::Integer(0)),
        };
        let zero = Program::new("zero", Arc::new(body), 1);
        assert!(form(&zero).is_none());
        let reason = in_tiles(&zero).err().expect("a number cannot be transposed").message;
        let expected = "work-items cannot transpose the array in tiles: it takes layouts of what has a name, \
                        but this is a literal";
        assert_eq!(reason, expected);
    }
}
