//! Where the rows lie that windows are read from.

use std::sync::Arc;

use crate::ir::nat::Nat;
use crate::ir::typed::{Expr, ExprKind, Lambda, Layout, Variable};
use crate::middle::rewrite::Pattern;
use crate::middle::rewrite::rules::arrays_of_nest;

/// What is known of arrays.
pub(super) struct Memory<'v> {
    /// The variables whose rows do not lie in memory as they are: they name views, or what is computed
    /// where it is read.
    pub(super) views: &'v [u32],
    /// Whether what is computed of windows is stored before other windows are made of it.
    pub(super) is_stored: bool,
}

impl Memory<'_> {
    /// The length of the rows that some arrays with this number of dimensions have in memory, where their own
    /// rows are these, maybe with borders, and as long as each other.
    pub(super) fn same_row<'e>(
        &self,
        arrays: impl IntoIterator<Item = &'e Arc<Expr>>,
        dimensions: usize,
    ) -> Option<Nat> {
        self.same(arrays, dimensions, dimensions.checked_sub(1)?)
    }

    fn same<'e>(
        &self,
        arrays: impl IntoIterator<Item = &'e Arc<Expr>>,
        dimensions: usize,
        axis: usize,
    ) -> Option<Nat> {
        let mut rows = arrays.into_iter().map(|array| self.row(array, dimensions, axis));
        let first = rows.next()??;
        rows.all(|row| row.as_ref() == Some(&first)).then_some(first)
    }

    /// The same for one array, and for what lies along any of its axes, the outermost being 0.
    fn row(&self, array: &Arc<Expr>, dimensions: usize, axis: usize) -> Option<Nat> {
        let own = || own_row(array, dimensions).filter(|_| axis + 1 == dimensions);
        match &array.kind {
            ExprKind::Variable(variable) => own().filter(|_| !self.views.contains(&variable.id)),
            ExprKind::Repeat(_, row) if dimensions > 1 && self.is_stored_variable(row) => own(),
            ExprKind::Layout(Layout::Pad { .. }, input) | ExprKind::PadConstant { input, .. } => {
                self.row(input, dimensions, axis)
            }
            ExprKind::Layout(Layout::Transpose, input) => self.row(input, dimensions, turned(axis)),
            ExprKind::Map(_, function, input) => {
                match (axis_before_map(function, axis), arrays_of_nest(array)) {
                    (Some(axis), _) => self.row(input, dimensions, axis),
                    // What is computed of single elements is read where these lie.
                    (None, Some(arrays)) if !arrays.iter().any(has_windows) => {
                        self.same(arrays, dimensions, axis)
                    }
                    (None, arrays) => {
                        let is_of_windows = arrays.is_some_and(|arrays| arrays.iter().any(has_windows));
                        let is_stored = self.is_stored && !Pattern::View.matches(&function.body);
                        own().filter(|_| is_stored && (is_of_windows || reduces(&function.body)))
                    }
                }
            }
            ExprKind::Zip(parts) => self.same(parts, dimensions, axis),
            _ => None,
        }
    }

    fn is_stored_variable(&self, expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Variable(variable) if !self.views.contains(&variable.id))
    }

    /// Whether a value that has a name is a view of others, or computed where it is read, so that its rows do
    /// not lie in memory as they are.
    pub(super) fn is_view(&self, value: &Arc<Expr>) -> bool {
        match &value.kind {
            ExprKind::Layout(..)
            | ExprKind::PadConstant { .. }
            | ExprKind::Zip(_)
            | ExprKind::Repeat(..)
            | ExprKind::Map(..) => {
                let dimensions = value.ty.rank();
                let row = self.same_row([value], dimensions);
                row.is_none() || row != own_row(value, dimensions)
            }
            _ => Pattern::View.matches(value),
        }
    }
}

/// Whether an expression reduces or scans something, so that its value is stored before several others read
/// it.
fn reduces(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Reduce(..) | ExprKind::Scan(..) | ExprKind::Iterate(..))
        || expr.children().any(|child| reduces(child))
}

/// The length of the rows of an array with this number of dimensions.
fn own_row(array: &Expr, dimensions: usize) -> Option<Nat> {
    let mut ty = &array.ty;
    for _ in 1..dimensions {
        ty = &ty.as_array()?.element;
    }
    Some(ty.as_array()?.length.clone())
}

/// Whether a function only adds borders to its parameter, and turns it.
pub(super) fn is_border(function: &Lambda) -> bool {
    axis_before_map(function, 0).is_some()
}

/// Which axis of an array becomes this one of a map over it, where the function only adds borders to its
/// parameter, and turns it.
fn axis_before_map(function: &Lambda, axis: usize) -> Option<usize> {
    let (parameter, _) = function.parameters.first()?;
    let inside = axis_before(&function.body, parameter, axis.saturating_sub(1))?;
    Some(if axis == 0 { 0 } else { inside + 1 })
}

/// The same for an array that is made of a variable.
fn axis_before(array: &Expr, variable: &Variable, axis: usize) -> Option<usize> {
    match &array.kind {
        ExprKind::Variable(read) => (read.id == variable.id).then_some(axis),
        ExprKind::Layout(Layout::Pad { .. }, input) | ExprKind::PadConstant { input, .. } => {
            axis_before(input, variable, axis)
        }
        ExprKind::Layout(Layout::Transpose, input) => axis_before(input, variable, turned(axis)),
        ExprKind::Map(_, function, input) => axis_before(input, variable, axis_before_map(function, axis)?),
        _ => None,
    }
}

/// The axis of an array that is this one of the transposed array.
fn turned(axis: usize) -> usize {
    match axis {
        0 => 1,
        1 => 0,
        _ => axis,
    }
}

/// Whether the elements of an array are windows of another one, or lie beside such.
fn has_windows(array: &Arc<Expr>) -> bool {
    match &array.kind {
        ExprKind::Layout(Layout::Slide { .. }, _) => true,
        ExprKind::Layout(_, input) => has_windows(input),
        ExprKind::Map(_, function, input) => Pattern::View.matches(&function.body) && has_windows(input),
        ExprKind::Zip(parts) => parts.iter().any(has_windows),
        _ => false,
    }
}
