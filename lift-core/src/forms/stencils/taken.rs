//! Which elements of its windows the function of a stencil takes.

use crate::flat::FlatSet;
use crate::ir::nat::Nat;
use crate::ir::typed::{Expr, ExprKind, Position};
use crate::middle::rewrite::rules::Neighbourhoods;

/// The positions of elements in a window, the outermost dimension first.
pub(super) type Positions = FlatSet<Vec<i128>>;

/// The elements that the function takes of the windows that are part `number` of what it takes; `None` if it
/// takes the windows as a whole, or elements whose positions are not known.
pub(super) fn taken(stencil: &Neighbourhoods<'_>, number: usize, dimensions: usize) -> Option<Positions> {
    let (parameter, _) = stencil.function.parameters.first()?;
    let is_parameter =
        |expr: &Expr| matches!(&expr.kind, ExprKind::Variable(read) if read.id == parameter.id);
    let is_window = |expr: &Expr| match &expr.kind {
        ExprKind::Component(of, position) if stencil.is_zip => is_parameter(of) && *position == number,
        _ => !stencil.is_zip && is_parameter(expr),
    };
    let mut positions = Positions::new();
    collect(&stencil.function.body, &is_window, &is_parameter, dimensions, &mut positions)
        .then_some(positions)
}

/// Collects the elements that an expression takes; `false` if it takes others, too.
fn collect(
    expr: &Expr,
    is_window: &impl Fn(&Expr) -> bool,
    is_parameter: &impl Fn(&Expr) -> bool,
    dimensions: usize,
    positions: &mut Positions,
) -> bool {
    if let Some(position) = position(expr, is_window, dimensions) {
        positions.insert(position);
        return true;
    }
    if is_window(expr) || is_parameter(expr) {
        return false;
    }
    let is_other_part = matches!(&expr.kind, ExprKind::Component(of, _) if is_parameter(of));
    is_other_part
        || expr.children().all(|child| collect(child, is_window, is_parameter, dimensions, positions))
}

/// The position of the element of a window that an expression is.
fn position(expr: &Expr, is_window: &impl Fn(&Expr) -> bool, dimensions: usize) -> Option<Vec<i128>> {
    let mut position = Vec::new();
    let mut array = expr;
    for _ in 0..dimensions {
        let ExprKind::At(Position::Size(index), of) = &array.kind else { return None };
        position.push(Nat::as_constant(index)?);
        array = of;
    }
    position.reverse();
    is_window(array).then_some(position)
}
