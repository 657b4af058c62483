//! Where one kernel ends and the next begins: what the whole device computes must be complete before anything reads it.
//!
//! Code generation ends a kernel after each array that it stores in global memory outside of all loops. Variables
//! end with their kernel, so that lowering has to know the same of an expression before there are kernels. What
//! an expression gives is written where its result goes; everything else that the whole device maps is stored.

use std::ptr;

use crate::typed::{AddressSpace, Expr, ExprKind, MapKind, Variable};

/// Whether a lowered expression, whose result is written to memory that is there, takes several kernels.
pub(crate) fn ends_kernels(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Store(Some(AddressSpace::Global), _) => true,
        ExprKind::Iterate(_, function, _) if !is_view(&function.body) => true,
        ExprKind::Map(_, function, input) => ends_kernels(&function.body) || is_complete_before_use(input),
        _ => {
            let written = expr.parts_of_value();
            expr.children().into_iter().any(|child| match written.iter().any(|part| ptr::eq(*part, child)) {
                true => ends_kernels(child),
                false => is_complete_before_use(child),
            })
        }
    }
}

/// The same for an expression that something else reads: a kernel ends where the device has computed it.
pub(super) fn is_complete_before_use(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Map(MapKind::Global(_) | MapKind::WorkGroup(_), ..) => true,
        ExprKind::Store(Some(AddressSpace::Global), _) => true,
        ExprKind::Iterate(_, function, _) if !is_view(&function.body) => true,
        _ => expr.children().into_iter().any(is_complete_before_use),
    }
}

/// Whether a variable is read in a kernel after the one that begins with the expression. `is_behind` says
/// whether a kernel has ended before the expression; afterwards, whether one has ended before or inside of it.
pub(super) fn is_read_in_later_kernel(expr: &Expr, variable: &Variable, is_behind: &mut bool) -> bool {
    let is_read = match &expr.kind {
        ExprKind::Variable(read) => *is_behind && read.id == variable.id,
        _ => {
            // What is applied again and again comes behind itself.
            *is_behind |=
                matches!(&expr.kind, ExprKind::Iterate(_, function, _) if ends_kernels(&function.body));
            let written = expr.parts_of_value();
            let is_written = |child: &Expr| written.iter().any(|part| ptr::eq(*part, child));
            expr.children().into_iter().any(|child| {
                let is_read = is_read_in_later_kernel(child, variable, is_behind);
                *is_behind |= !is_written(child) && is_complete_before_use(child);
                is_read
            })
        }
    };
    let is_stored =
        matches!(&expr.kind, ExprKind::Store(Some(AddressSpace::Global), _) | ExprKind::Iterate(..));
    *is_behind |= is_stored && ends_kernels(expr);
    is_read
}

/// Whether a function only rearranges what it takes.
pub(super) fn is_view(body: &Expr) -> bool {
    match &body.kind {
        ExprKind::Variable(_) => true,
        ExprKind::Layout(_, input) => is_view(input),
        _ => false,
    }
}
