//! Where the rows lie that windows are read from.

use std::rc::Rc;

use crate::ir::nat::Nat;
use crate::ir::typed::{Expr, ExprKind, Layout};
use crate::middle::rewrite::Pattern;

/// The length of the rows that an array has in memory, where its own rows are these, maybe with borders; or
/// its columns, where it is `turned`. For arrays with these names, `views`, it is not known.
fn row_in_memory(array: &Expr, turned: bool, views: &[u32]) -> Option<Nat> {
    let own = || array.ty.as_array()?.element.as_array().map(|row| row.length.clone()).filter(|_| !turned);
    match &array.kind {
        ExprKind::Variable(variable) => own().filter(|_| !views.contains(&variable.id)),
        ExprKind::Repeat(_, row) if matches!(row.kind, ExprKind::Variable(_)) => own(),
        ExprKind::Let { body: input, .. }
        | ExprKind::Layout(Layout::Pad { .. }, input)
        | ExprKind::PadConstant { input, .. } => row_in_memory(input, turned, views),
        ExprKind::Layout(Layout::Transpose, input) => row_in_memory(input, !turned, views),
        ExprKind::Map(_, function, input) => match &function.body.kind {
            _ if is_border(&function.body) => row_in_memory(input, turned, views),
            // What is computed of single elements is read where these lie; what windows give is stored.
            ExprKind::Map(_, _, row) if matches!(row.kind, ExprKind::Variable(_)) && !has_windows(input) => {
                row_in_memory(input, turned, views)
            }
            _ => own().filter(|_| !Pattern::View.matches(&function.body)),
        },
        ExprKind::Zip(parts) => same_row_in_memory(parts, turned, views),
        _ => None,
    }
}

/// The same for several arrays whose rows are as long as each other.
pub(super) fn same_row_in_memory<'e>(
    arrays: impl IntoIterator<Item = &'e Rc<Expr>>,
    turned: bool,
    views: &[u32],
) -> Option<Nat> {
    let mut rows = arrays.into_iter().map(|array| row_in_memory(array, turned, views));
    let first = rows.next()??;
    rows.all(|row| row.as_ref() == Some(&first)).then_some(first)
}

/// Whether the body of a function only adds a border to its parameter.
pub(super) fn is_border(body: &Expr) -> bool {
    match &body.kind {
        ExprKind::Layout(Layout::Pad { .. }, row) | ExprKind::PadConstant { input: row, .. } => {
            matches!(row.kind, ExprKind::Variable(_))
        }
        _ => false,
    }
}

/// Whether the elements of an array are windows of another one, or lie beside such.
fn has_windows(array: &Expr) -> bool {
    match &array.kind {
        ExprKind::Layout(Layout::Slide { .. }, _) => true,
        ExprKind::Layout(_, input) => has_windows(input),
        ExprKind::Map(_, function, input) => Pattern::View.matches(&function.body) && has_windows(input),
        ExprKind::Zip(parts) => parts.iter().any(|part| has_windows(part)),
        _ => false,
    }
}
