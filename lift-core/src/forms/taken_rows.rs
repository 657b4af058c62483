//! What the function of a map takes of its element: rows, once or several times.

use super::row_defaults::LARGE_SCALAR;
use crate::ir::nat::Nat;
use crate::ir::typed::{Expr, ExprKind, MapKind, Variable};
use crate::ir::types::{ArrayType, Type};

/// The type of a row that the function of a map mentions more than once; it may be one of several that are
/// zipped.
pub(super) fn row_taken_again(map: &Expr) -> Option<&ArrayType> {
    let ExprKind::Map(_, function, _) = &map.kind else { return None };
    match function.parameters.as_slice() {
        [(row, Type::Array(array))] => (mentions(&function.body, row) > 1).then_some(array),
        [(rows, Type::Tuple(parts))] => parts.iter().enumerate().find_map(|(position, part)| match part {
            Type::Array(array) => (mentions_part(&function.body, rows, position) > 1).then_some(&**array),
            Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) => None,
        }),
        _ => None,
    }
}

/// The length of the first array that a function takes.
pub(super) fn row_of(ty: Type) -> Option<Nat> {
    match ty {
        Type::Array(row) => Some(row.length.clone()),
        Type::Tuple(parts) => parts.into_iter().find_map(row_of),
        Type::Scalar(_) | Type::Vector(..) | Type::Size => None,
    }
}

/// Whether the function of a map takes tuples.
pub(super) fn takes_tuple(map: &Expr) -> bool {
    let ExprKind::Map(_, function, _) = &map.kind else { return false };
    matches!(function.parameters.as_slice(), [(_, Type::Tuple(_))])
}

/// Whether the function of a map takes rows of large scalars.
pub(super) fn takes_large_scalars(map: &Expr) -> bool {
    fn has_large(ty: &Type) -> bool {
        match ty {
            Type::Scalar(scalar) => scalar.bytes() > LARGE_SCALAR,
            Type::Array(array) => has_large(&array.element),
            Type::Tuple(parts) => parts.iter().any(has_large),
            Type::Vector(..) | Type::Size => false,
        }
    }
    let ExprKind::Map(_, function, _) = &map.kind else { return false };
    function.parameters.iter().any(|(_, ty)| has_large(ty))
}

/// Whether the groups of a program read rows several times.
pub(super) fn groups_take_rows_again(expr: &Expr) -> bool {
    let is_of_group = matches!(&expr.kind, ExprKind::Map(MapKind::WorkGroup(_) | MapKind::Local(1), ..));
    is_of_group && row_taken_again(expr).is_some()
        || expr.children().any(|child| groups_take_rows_again(child))
}

/// How often an expression mentions a component of a variable.
fn mentions_part(expr: &Expr, variable: &Variable, position: usize) -> usize {
    match &expr.kind {
        ExprKind::Component(tuple, component) if *component == position => match &tuple.kind {
            ExprKind::Variable(mentioned) => usize::from(mentioned.id == variable.id),
            _ => mentions_part(tuple, variable, position),
        },
        _ => expr.children().map(|child| mentions_part(child, variable, position)).sum(),
    }
}

/// How often an expression mentions a variable.
pub(super) fn mentions(expr: &Expr, variable: &Variable) -> usize {
    match &expr.kind {
        ExprKind::Variable(mentioned) => usize::from(mentioned.id == variable.id),
        _ => expr.children().map(|child| mentions(child, variable)).sum(),
    }
}

/// How often an expression mentions a variable, functions left out.
pub(super) fn mentions_outside_functions(expr: &Expr, variable: &Variable) -> usize {
    if let ExprKind::Variable(mentioned) = &expr.kind {
        return usize::from(mentioned.id == variable.id);
    }
    let children = expr.children().enumerate().filter(|(position, _)| !expr.is_function_body(*position));
    children.map(|(_, child)| mentions_outside_functions(child, variable)).sum()
}
