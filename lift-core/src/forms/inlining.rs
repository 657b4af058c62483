//! Arrays whose elements are computed where they are read.
//!
//! An array that a `let` names is stored by a kernel of its own, and the kernel that reads it waits for that.
//! If only reductions of some kind read it, each element once, a form computes the elements there instead.

use std::sync::Arc;

use crate::ir::nat::Nat;
use crate::ir::typed::{Binding, Expr, ExprKind, MapKind, Path, Variable};
use crate::middle::rewrite::rules::LET_INLINE;
use crate::middle::rewrite::{Argument, Strategy};

/// The next step that inlines an array: one that `is_wanted` accepts, given the number of its mentions, if
/// `counted` counts all of these.
pub(super) fn inlined(
    body: &Arc<Expr>,
    is_wanted: &impl Fn(&Arc<Expr>, usize) -> bool,
    counted: &impl Fn(&Arc<Expr>, &Variable) -> usize,
) -> Option<Strategy> {
    let mut step = None;
    each_outside_functions(body, &Path::root(), &mut |expr, here| {
        let ExprKind::Let { bindings, body } = &expr.kind else { return };
        let read_by_them = bindings.iter().enumerate().find(|(position, Binding { variable, value })| {
            let others = || bindings[position + 1..].iter().map(|other| &other.value).chain([body]);
            let reads = others().map(|other| mentions(other, variable, true)).sum();
            matches!(value.kind, ExprKind::Map(MapKind::Unspecified, ..) | ExprKind::Layout(..))
                && is_wanted(value, reads)
                && reads == others().map(|other| counted(other, variable)).sum()
        });
        let number = read_by_them.and_then(|(number, _)| i128::try_from(number).ok());
        let inline = number.map(|number| Strategy::with(&LET_INLINE, Argument::Size(Nat::constant(number))));
        step = step.take().or(inline.map(|inline| Strategy::At(here.clone(), Box::new(inline))));
    });
    step
}

/// Looks at all expressions outside of functions, those of applications included.
pub(super) fn each_outside_functions(
    expr: &Arc<Expr>,
    here: &Path,
    look: &mut impl FnMut(&Arc<Expr>, &Path),
) {
    look(expr, here);
    let is_iterate = matches!(expr.kind, ExprKind::Iterate(..));
    for (position, child) in expr.children().enumerate() {
        if is_iterate || !expr.is_function_body(position) {
            each_outside_functions(child, &here.child(position), look);
        }
    }
}

/// How often an expression mentions a variable.
pub(super) fn mentions(expr: &Expr, variable: &Variable, in_functions: bool) -> usize {
    match &expr.kind {
        ExprKind::Variable(mentioned) => usize::from(mentioned.id == variable.id),
        _ => {
            let parts = expr.children().enumerate();
            let parts = parts.filter(|(position, _)| in_functions || !expr.is_function_body(*position));
            parts.map(|(_, part)| mentions(part, variable, in_functions)).sum()
        }
    }
}
