//! Which memory a value that must be stored lies in (Steuwer et al., CGO 2017, section 5.2).
//!
//! Only values that are written element by element and then read by something else are stored; everything else is a
//! view. The memory is what the user says with `toGlobal`, `toLocal` or `toPrivate` around the value or around the last
//! thing that writes it; where nothing is said, what the work-items of a group make is shared in local
//! memory, what one work-item makes is private, and what the whole device makes is global.

pub(crate) mod contraction;
mod padding;

pub use padding::gaps;

use crate::ir::kernel::Workers;
use crate::ir::typed::{AddressSpace, Expr, ExprKind, MapKind};

/// The memory that the user names for a value, outermost word first.
pub fn stated_space(expr: &Expr) -> Option<AddressSpace> {
    match &expr.kind {
        ExprKind::Store(Some(space), _) => Some(*space),
        ExprKind::Map(_, function, _) | ExprKind::Iterate(_, function, _) => stated_space(&function.body),
        _ => expr.parts_of_value().into_iter().find_map(stated_space),
    }
}

/// The memory of a value that is stored: stated, or chosen by who computes it.
pub fn space_of(expr: &Expr) -> AddressSpace {
    stated_space(expr).unwrap_or_else(|| {
        if computed_by(expr, |kind| matches!(kind, MapKind::Global(_) | MapKind::WorkGroup(_))) {
            AddressSpace::Global
        } else if computed_by(expr, |kind| matches!(kind, MapKind::Local(_))) {
            AddressSpace::Local
        } else {
            AddressSpace::Private
        }
    })
}

/// Whether a map of such a kind writes elements of the value.
pub fn computed_by(expr: &Expr, is_such: fn(MapKind) -> bool) -> bool {
    match &expr.kind {
        ExprKind::Map(kind, function, _) => is_such(*kind) || computed_by(&function.body, is_such),
        ExprKind::Reduce(_, function, _, _)
        | ExprKind::Scan(_, function, _, _)
        | ExprKind::Iterate(_, function, _) => computed_by(&function.body, is_such),
        _ => expr.parts_of_value().into_iter().any(|part| computed_by(part, is_such)),
    }
}

/// The work-items of a group that compute the elements of a value, for each dimension of it that they share.
pub fn workers_by_dimension(expr: &Expr) -> Vec<Workers> {
    match &expr.kind {
        ExprKind::Map(MapKind::Local(dimension), function, _) => {
            let mut workers = vec![Workers::Local(*dimension)];
            workers.extend(workers_by_dimension(&function.body));
            workers
        }
        ExprKind::Let { body, .. } => workers_by_dimension(body),
        ExprKind::Store(_, value) => workers_by_dimension(value),
        _ => Vec::new(),
    }
}
