//! What a program says of the thread hierarchy: which of its maps name work-items.

use super::producers::rearranged;
use crate::ir::typed::{Expr, ExprKind, MapKind};
use crate::middle::memory::computed_by;

/// Whether the maps that produce a result say who computes them. Those that produce what it is made from are other kernels.
pub(super) fn says_who_computes(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Map(kind, function, input) => {
            is_level(*kind)
                || uses_hierarchy(&function.body)
                || (rearranged(expr).is_some() && says_who_computes(input))
        }
        ExprKind::Reduce(_, function, _, _) | ExprKind::Scan(_, function, _, _) => {
            uses_hierarchy(&function.body)
        }
        ExprKind::Iterate(_, function, _) => says_who_computes(&function.body),
        _ => expr.parts_of_value().into_iter().any(says_who_computes),
    }
}

/// Whether a map is one of the thread hierarchy.
fn is_level(kind: MapKind) -> bool {
    match kind {
        MapKind::Global(_) | MapKind::WorkGroup(_) | MapKind::Local(_) => true,
        MapKind::Unspecified | MapKind::Sequential | MapKind::Unrolled | MapKind::Sliding => false,
    }
}

/// Whether an expression says anywhere who computes a map.
pub fn uses_hierarchy(expr: &Expr) -> bool {
    let here = matches!(&expr.kind, ExprKind::Map(kind, _, _) if is_level(*kind));
    here || expr.children().into_iter().any(uses_hierarchy)
}

/// Whether more work-items than those of a group share the work of writing the elements of a value.
pub fn is_shared_work(expr: &Expr) -> bool {
    computed_by(expr, |kind| match kind {
        MapKind::Global(_) | MapKind::WorkGroup(_) => true,
        MapKind::Local(_)
        | MapKind::Unspecified
        | MapKind::Sequential
        | MapKind::Unrolled
        | MapKind::Sliding => false,
    })
}

/// Whether the work-items of the device share any of the work that an expression takes.
pub fn uses_device(expr: &Expr) -> bool {
    let here = matches!(&expr.kind, ExprKind::Map(kind, ..) if matches!(kind, MapKind::Global(_) | MapKind::WorkGroup(_)));
    here || expr.children().into_iter().any(uses_device)
}
