//! How often layouts show the elements of the array below them.
//!
//! Layouts directly on top of each other are counted together, by the number of elements of the outermost and
//! of the array: the windows of size three of a padded array show each element three times, whatever the
//! padding in between shows.

use std::rc::Rc;

use super::multiplicity::Multiplicity;
use crate::ir::nat::{Nat, Ranges};
use crate::ir::typed::{Expr, ExprKind, Lambda, MapKind};
use crate::ir::types::Type;

/// Larger numbers count as [`Multiplicity::Many`].
const MOST: i128 = 4;

/// The array whose elements an expression shows without computing any.
pub(super) fn shown_by(expr: &Expr) -> Option<&Rc<Expr>> {
    match &expr.kind {
        ExprKind::Layout(_, input) | ExprKind::Repeat(_, input) => Some(input),
        ExprKind::Map(MapKind::Unspecified, function, input) if rearranges(function) => Some(input),
        _ => None,
    }
}

/// Whether a function only rearranges its argument.
fn rearranges(function: &Lambda) -> bool {
    fn shows(expr: &Expr, function: &Lambda) -> bool {
        match &expr.kind {
            ExprKind::Variable(read) => {
                function.parameters.iter().any(|(variable, _)| variable.id == read.id)
            }
            _ => shown_by(expr).is_some_and(|input| shows(input, function)),
        }
    }
    function.parameters.len() == 1 && shows(&function.body, function)
}

/// How often layouts from an array of type `inner` to a value of type `outer` show an element on average: an
/// upper bound for all sizes.
pub(super) fn times_shown(outer: &Type, inner: &Type, ranges: &Ranges) -> Multiplicity {
    let (outer, inner) = (outer.element_count(), inner.element_count());
    if outer == inner {
        return Multiplicity::ONCE;
    }
    let is_enough = |times: &i128| ranges.proves_at_most(&outer, &(&inner * Nat::constant(*times)));
    // If even `MOST` is not enough, no smaller number is.
    match is_enough(&MOST) {
        true => Multiplicity::Known((1..MOST).find(is_enough).unwrap_or(MOST)),
        false => Multiplicity::Many,
    }
}
