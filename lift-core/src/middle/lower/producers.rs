//! Tells producers, which are written element by element, from views and delayed arrays.

use std::sync::Arc;

use crate::ir::nat::Nat;
use crate::ir::typed::{Application, Expr, ExprKind, IndexFunction, Lambda, Layout, MapKind};
use crate::middle::memory::computed_by;

/// An `iterate` that keeps the type of its array has code for each application if there are at most this
/// many.
pub const FEW_APPLICATIONS: i128 = 4;

/// Whether an expression is a producer: its elements are written one by one, by maps that are not delayed.
pub fn is_producer(expr: &Expr) -> bool {
    match expr.application() {
        Some(Application::Map(MapKind::Unspecified, function, input)) => {
            function.inverse_layout().is_some() && is_producer(input)
        }
        Some(Application::Map(..) | Application::Scan(..)) => true,
        Some(Application::Iterate(count, function, input)) => {
            stores_applications(count, function) || is_producer(input)
        }
        Some(Application::Reduce(..)) => !expr.ty.is_element(),
        Some(Application::Generate(_) | Application::Lanewise(..)) => false,
        None => match &expr.kind {
            ExprKind::Store(..) => true,
            ExprKind::Layout(Layout::Scatter(function), input) => {
                !is_readable(function, input) || is_producer(input)
            }
            _ => expr.parts_of_value().into_iter().any(|part| is_producer(part)),
        },
    }
}

/// Whether the arrays between the applications of an `iterate` are stored. A few applications of a layout are
/// one layout.
pub(super) fn stores_applications(count: &Nat, function: &Lambda) -> bool {
    let are_few = count.as_constant().is_some_and(|count| count <= FEW_APPLICATIONS);
    !are_few || !is_view(&function.body) || function.may_end()
}

/// Whether computing an element of a value writes an array: the value is a producer, or a delayed map whose
/// elements are producers, seen through layouts that can be written through.
pub fn makes_arrays(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Map(MapKind::Unspecified, function, input) => match function.inverse_layout() {
            Some(_) => makes_arrays(input),
            None => !function.body.ty.is_element() && makes_arrays(&function.body),
        },
        ExprKind::Layout(layout, input) if writes_through(layout, input) => makes_arrays(input),
        // Whatever else is no producer is computed element by element.
        _ => is_producer(expr),
    }
}

/// Whether a scatter can be read through, because its inverse is known. Otherwise it can only be written
/// through.
pub fn is_readable(function: &IndexFunction, input: &Expr) -> bool {
    input.ty.as_array().is_some_and(|array| function.inverse(&array.length).is_some())
}

/// Whether a layout of this input can be applied to the destination instead of to the value.
pub fn writes_through(layout: &Layout, input: &Expr) -> bool {
    match layout {
        // Elements outside are computed in vain: of a delayed map, only those inside are computed.
        Layout::Slice { .. } => writes_elements(input),
        // The writer of an element must find its row.
        Layout::Partition(rows) => rows.index.is_none() || rows.chunk().is_some() || rows.are_few(),
        _ => layout.inverse(&input.ty).is_some(),
    }
}

/// Whether maps write each element of a value once, and nothing reads it again where it lies: elements that
/// are not wanted may be left out. An `iterate` reads what it has written, and some reductions do.
fn writes_elements(expr: &Expr) -> bool {
    match &expr.kind {
        // Rows that are only rearranged are written through.
        ExprKind::Map(MapKind::Unspecified, function, input) if function.inverse_layout().is_some() => {
            writes_elements(input)
        }
        ExprKind::Map(MapKind::Unspecified, ..) => false,
        ExprKind::Map(_, function, _) => function.body.ty.is_element() || writes_elements(&function.body),
        ExprKind::Layout(layout, input) => writes_through(layout, input) && writes_elements(input),
        ExprKind::Let { body: value, .. } | ExprKind::Store(_, value) => writes_elements(value),
        _ => false,
    }
}

/// The input of an expression that only rearranges it, in a way that can be written through; `None` where
/// that is not known, so that the value is stored.
pub(crate) fn rearranged(expr: &Expr) -> Option<&Arc<Expr>> {
    match &expr.kind {
        ExprKind::Layout(layout, input) if writes_through(layout, input) => Some(input),
        ExprKind::Map(MapKind::Unspecified, function, input) if function.inverse_layout().is_some() => {
            Some(input)
        }
        _ => None,
    }
}

/// Whether a value is a view of an array that has to be stored first, as nothing can be written through the
/// view: its elements are copied from there.
pub(super) fn shows_stored_array(expr: &Expr) -> bool {
    match &expr.kind {
        // What only its rows or positions can tell is written from its input, or not at all.
        ExprKind::Layout(Layout::Scatter(_) | Layout::Partition(_), _) => false,
        ExprKind::Layout(layout, input) => !writes_through(layout, input) && is_producer(input),
        ExprKind::PadConstant { input, .. } => is_producer(input),
        // Groups compute a part, and what nobody computes would be copied in the same kernel.
        ExprKind::Zip(parts) => {
            parts.iter().any(|part| computed_by(part, |kind| matches!(kind, MapKind::WorkGroup(_))))
                && parts.iter().any(|part| !is_producer(part))
        }
        _ => false,
    }
}

/// Whether the elements of a value are the elements of a map, below nothing but invertible layouts.
pub(super) fn holds_map(expr: &Expr) -> bool {
    if rearranged(expr).is_some_and(|part| holds_map(part)) {
        return true;
    }
    match expr.application() {
        Some(Application::Map(_, function, _)) => function.inverse_layout().is_none(),
        Some(Application::Iterate(_, function, _)) => holds_map(&function.body),
        Some(
            Application::Reduce(..)
            | Application::Scan(..)
            | Application::Generate(_)
            | Application::Lanewise(..),
        ) => is_producer(expr),
        None => match &expr.kind {
            ExprKind::Let { body, .. } | ExprKind::EndUnless(_, body) => holds_map(body),
            ExprKind::Concat(parts) => parts.iter().any(|part| holds_map(part)),
            _ => is_producer(expr),
        },
    }
}

/// Whether the reader of a value stores arrays on the way.
pub(super) fn stores(expr: &Expr) -> bool {
    is_producer(expr) || expr.children().any(|child| stores(child))
}

/// Whether a value takes a loop to compute. Work-items that share the work that depends on it would each
/// repeat the loop.
pub(crate) fn takes_a_loop(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Reduce(..))
        || is_producer(expr)
        || expr.children().any(|child| takes_a_loop(child))
}

/// Whether the reader of an element stores arrays on the way, because a delayed map makes them.
pub(super) fn stores_per_element(expr: &Expr) -> bool {
    match expr.application() {
        // The whole array is stored before.
        Some(Application::Map(kind, ..)) if kind != MapKind::Unspecified => false,
        Some(Application::Map(_, function, input)) => stores(&function.body) || stores_per_element(input),
        Some(Application::Generate(function)) => stores(&function.body),
        Some(
            Application::Reduce(..)
            | Application::Scan(..)
            | Application::Iterate(..)
            | Application::Lanewise(..),
        )
        | None => expr.children().any(|part| stores_per_element(part)),
    }
}

/// Whether a function body is known to be only a view of its parameter.
pub(super) fn is_view(body: &Expr) -> bool {
    match &body.kind {
        ExprKind::Variable(_) => true,
        ExprKind::Layout(_, input) => is_view(input),
        _ => false,
    }
}
