//! What a program says about the thread hierarchy.

use super::producers::{rearranged, shows_stored_array};
use crate::ir::typed::{Application, Expr, ExprKind, MapKind};
use crate::middle::memory::computed_by;

/// Whether the maps that produce a result use the hierarchy. Maps that produce its inputs belong to other
/// kernels and do not count.
pub(super) fn says_who_computes(expr: &Expr) -> bool {
    match expr.application() {
        Some(Application::Map(kind, function, input)) => {
            is_level(kind)
                || uses_hierarchy(&function.body)
                || (rearranged(expr).is_some() && says_who_computes(input))
        }
        Some(Application::Reduce(kind, function, _, _)) => {
            kind.sharing().is_some() || uses_hierarchy(&function.body)
        }
        Some(Application::Scan(_, function, _, _)) => uses_hierarchy(&function.body),
        Some(Application::Iterate(_, function, _)) => says_who_computes(&function.body),
        // Their elements are computed by whoever reads them.
        Some(Application::Generate(_) | Application::Lanewise(..)) => false,
        // Nobody is said to copy it.
        None if shows_stored_array(expr) => false,
        None => expr.parts_of_value().into_iter().any(|part| says_who_computes(part)),
    }
}

/// The nested maps of the device that compute a value, or a part of it, outer ones first. Maps that produce
/// its inputs belong to other kernels.
pub(super) fn maps_of_device(expr: &Expr) -> Vec<MapKind> {
    nested_maps(expr, |kind| matches!(kind, MapKind::Global(_)))
}

/// The nested maps that distribute a value among the work-items of a group, or the array in the group that a
/// delayed map shows, outer ones first.
pub(super) fn maps_of_group(expr: &Expr) -> Vec<MapKind> {
    let own = nested_maps(expr, |kind| matches!(kind, MapKind::Local(_)));
    if !own.is_empty() {
        return own;
    }
    let parts = match &expr.kind {
        ExprKind::Map(MapKind::Unspecified | MapKind::Sequential, _, input) => vec![input],
        _ => expr.parts_of_value(),
    };
    parts.into_iter().map(|part| maps_of_group(part)).max_by_key(Vec::len).unwrap_or_default()
}

fn nested_maps(expr: &Expr, is_wanted: fn(MapKind) -> bool) -> Vec<MapKind> {
    match expr.application() {
        Some(Application::Map(kind, function, _)) if is_wanted(kind) => {
            [vec![kind], nested_maps(&function.body, is_wanted)].concat()
        }
        Some(Application::Map(_, function, input)) => match rearranged(expr) {
            Some(_) => nested_maps(input, is_wanted),
            None => nested_maps(&function.body, is_wanted),
        },
        Some(_) => Vec::new(),
        None => {
            let parts = expr.parts_of_value().into_iter().map(|part| nested_maps(part, is_wanted));
            parts.max_by_key(Vec::len).unwrap_or_default()
        }
    }
}

/// Whether a map distributes its elements over a level of the hierarchy.
pub(super) fn is_level(kind: MapKind) -> bool {
    match kind {
        MapKind::Global(_) | MapKind::WorkGroup(_) | MapKind::Local(_) => true,
        MapKind::Unspecified | MapKind::Sequential | MapKind::Unrolled | MapKind::Sliding => false,
    }
}

/// The maps whose workers share the elements of an expression: itself, or those of a reduction.
fn workers(expr: &Expr) -> Option<MapKind> {
    match &expr.kind {
        ExprKind::Map(kind, ..) => Some(*kind),
        ExprKind::Reduce(kind, ..) => kind.sharing(),
        _ => None,
    }
}

/// Whether an expression uses the thread hierarchy anywhere.
pub fn uses_hierarchy(expr: &Expr) -> bool {
    workers(expr).is_some_and(is_level) || expr.children().any(|child| uses_hierarchy(child))
}

/// Whether a map distributes its elements over the whole device.
fn is_of_device(kind: MapKind) -> bool {
    match kind {
        MapKind::Global(_) | MapKind::WorkGroup(_) => true,
        MapKind::Local(_)
        | MapKind::Unspecified
        | MapKind::Sequential
        | MapKind::Unrolled
        | MapKind::Sliding => false,
    }
}

/// Whether the elements of a value are written by work-items of several groups.
pub fn is_shared_work(expr: &Expr) -> bool {
    computed_by(expr, is_of_device)
}

/// Whether the work-items of the device share any of the work of an expression.
pub fn uses_device(expr: &Expr) -> bool {
    workers(expr).is_some_and(is_of_device) || expr.children().any(|part| uses_device(part))
}
