//! What is written element by element, and what is only a view of something else.

use crate::ir::nat::Nat;
use crate::ir::typed::{Expr, ExprKind, IndexFunction, Lambda, Layout, MapKind};

/// So many applications of an `iterate` that keeps the type of its array have code each.
pub const FEW_APPLICATIONS: i128 = 4;

/// Whether a value of this expression is written element by element, by maps inside it that are not delayed.
pub fn is_producer(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Map(MapKind::Unspecified, function, input) => {
            function.inverse_layout().is_some() && is_producer(input)
        }
        ExprKind::Map(..) | ExprKind::Store(..) | ExprKind::Scan(..) => true,
        ExprKind::Layout(Layout::Scatter(function), input) => {
            !is_readable(function, input) || is_producer(input)
        }
        ExprKind::Iterate(count, function, input) => {
            stores_applications(count, function) || is_producer(input)
        }
        ExprKind::Reduce(..) => !expr.ty.is_element(),
        _ => expr.parts_of_value().into_iter().any(is_producer),
    }
}

/// Whether the arrays that an `iterate` makes are stored. A few layouts one after the other are one.
pub(super) fn stores_applications(count: &Nat, function: &Lambda) -> bool {
    let are_few = count.as_constant().is_some_and(|count| count <= FEW_APPLICATIONS);
    !are_few || !is_view(&function.body)
}

/// Whether whoever makes an element of this value has to write an array: the value is produced, or it is a delayed map whose
/// elements are, seen through layouts that can be written through.
pub fn makes_arrays(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Map(MapKind::Unspecified, function, input) => match function.inverse_layout() {
            Some(_) => makes_arrays(input),
            None => !function.body.ty.is_element() && makes_arrays(&function.body),
        },
        ExprKind::Layout(layout, input) if writes_through(layout, input) => makes_arrays(input),
        _ => is_producer(expr),
    }
}

/// Whether a scatter can be read through: its inverse is known. Otherwise it can only be written through.
pub fn is_readable(function: &IndexFunction, input: &Expr) -> bool {
    input.ty.as_array().is_some_and(|array| function.inverse(&array.length).is_some())
}

/// Whether a layout of this input can be applied to the destination instead of to the value.
pub fn writes_through(layout: &Layout, input: &Expr) -> bool {
    match layout {
        // Whoever writes an element must find the row it belongs to.
        Layout::Partition(rows) => rows.index.is_none() || rows.are_few(),
        _ => layout.inverse(&input.ty).is_some(),
    }
}

/// The array that an expression only rearranges, in a way that can be written through.
pub(super) fn rearranged(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        ExprKind::Layout(layout, input) if writes_through(layout, input) => Some(input),
        ExprKind::Map(MapKind::Unspecified, function, input) if function.inverse_layout().is_some() => {
            Some(input)
        }
        _ => None,
    }
}

/// Whether a map stands where its elements are the value's elements, under nothing but invertible layouts.
pub(super) fn holds_map(expr: &Expr) -> bool {
    match &expr.kind {
        _ if rearranged(expr).is_some_and(holds_map) => true,
        ExprKind::Map(_, function, _) => function.inverse_layout().is_none(),
        ExprKind::Let { body, .. } => holds_map(body),
        ExprKind::Concat(parts) => parts.iter().any(holds_map),
        ExprKind::Iterate(_, function, _) => holds_map(&function.body),
        _ => is_producer(expr),
    }
}

/// Whether reading a value stores arrays on the way: whoever reads it makes them.
pub(super) fn stores(expr: &Expr) -> bool {
    is_producer(expr) || expr.children().into_iter().any(stores)
}

/// Whether a value takes a loop to compute: work-items that share what depends on it would each repeat that loop.
pub(crate) fn takes_a_loop(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Reduce(..))
        || is_producer(expr)
        || expr.children().into_iter().any(takes_a_loop)
}

/// Whether reading an element stores arrays on the way: a delayed map makes them, and whoever reads the element does it.
pub(super) fn stores_per_element(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Map(_, function, input) => stores(&function.body) || stores_per_element(input),
        ExprKind::Generate(_, function) => stores(&function.body),
        _ => expr.children().into_iter().any(stores_per_element),
    }
}

/// Whether a function only rearranges what it takes.
pub(super) fn is_view(body: &Expr) -> bool {
    match &body.kind {
        ExprKind::Variable(_) => true,
        ExprKind::Layout(_, input) => is_view(input),
        _ => false,
    }
}
