//! The memory for values that must be stored (Steuwer et al., CGO 2017, section 5.2).
//!
//! Only values that are written element by element and then read by something else are stored; everything
//! else is a view. The user states the memory with `toGlobal`, `toLocal` or `toPrivate` around the value or
//! around the last expression that writes it. Otherwise the memory follows from who computes the value:
//! global memory for the whole device, local memory for the work-items of a group, private memory for one
//! work-item.

pub(crate) mod contraction;
mod padding;

pub use padding::Room;

use crate::ir::kernel::Workers;
use crate::ir::typed::{AddressSpace, Application, Expr, ExprKind, MapKind, ReduceKind};

/// The memory that the user states for a value; the outermost statement counts.
pub fn stated_space(expr: &Expr) -> Option<AddressSpace> {
    if let ExprKind::Store(Some(space), _) = &expr.kind {
        return Some(*space);
    }
    match expr.application() {
        Some(Application::Map(_, function, _) | Application::Iterate(_, function, _)) => {
            stated_space(&function.body)
        }
        // Nothing inside of them is about the memory of the whole value.
        Some(
            Application::Reduce(..)
            | Application::Scan(..)
            | Application::Generate(_)
            | Application::Lanewise(..),
        ) => None,
        None => expr.parts_of_value().into_iter().find_map(|part| stated_space(part)),
    }
}

/// The memory of a stored value: the stated one, or the one that follows from who computes it.
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

/// Whether a map of such a kind, or a reduction by the same workers, writes the elements of the value.
pub fn computed_by(expr: &Expr, is_such: fn(MapKind) -> bool) -> bool {
    match expr.application() {
        Some(Application::Map(kind, function, _)) => is_such(kind) || computed_by(&function.body, is_such),
        Some(Application::Reduce(kind, function, _, _)) => {
            kind.sharing().is_some_and(is_such) || computed_by(&function.body, is_such)
        }
        Some(Application::Scan(_, function, _, _) | Application::Iterate(_, function, _)) => {
            computed_by(&function.body, is_such)
        }
        // Their elements are computed wherever they are read.
        Some(Application::Generate(_) | Application::Lanewise(..)) => false,
        None => expr.parts_of_value().into_iter().any(|part| computed_by(part, is_such)),
    }
}

/// For each outer dimension of a value that work-items of a group share, the workers among whom it is
/// divided.
pub fn workers_by_dimension(expr: &Expr) -> Vec<Workers> {
    match &expr.kind {
        ExprKind::Map(MapKind::Local(dimension), function, _) => {
            let mut workers = vec![Workers::Local(*dimension)];
            workers.extend(workers_by_dimension(&function.body));
            workers
        }
        ExprKind::Reduce(ReduceKind::Local, ..) => vec![Workers::Local(0)],
        ExprKind::Let { body, .. } => workers_by_dimension(body),
        ExprKind::Store(_, value) => workers_by_dimension(value),
        // A value that is made in another way is not divided; whoever copies it copies it alone.
        _ => Vec::new(),
    }
}
