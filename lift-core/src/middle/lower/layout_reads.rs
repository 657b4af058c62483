//! How often layouts show the elements of the array underneath.
//!
//! Layouts that stand directly on one another are looked at together: padded by one on both sides, an array has a few elements more, and
//! each is in three windows of three; but the windows of a padded array show each of its elements three times in all, not nine.

use super::multiplicity::Multiplicity;
use crate::ir::nat::{Nat, Ranges};
use crate::ir::typed::{Expr, ExprKind, Lambda, MapKind};
use crate::ir::types::Type;

/// More repetitions than this are not told apart.
const MOST: i128 = 4;

/// The array whose elements an expression shows without computing any.
pub(super) fn shown_by(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        ExprKind::Layout(_, input) | ExprKind::Repeat(_, input) => Some(input),
        ExprKind::Map(MapKind::Unspecified, function, input) if rearranges(function) => Some(input),
        _ => None,
    }
}

/// Whether a function only shows its argument in another way.
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

/// How often layouts that make a value of one type show the elements of an array under them, of another type, on average: the most that
/// this can be, whatever the sizes are.
pub(super) fn times_shown(outer: &Type, inner: &Type, ranges: &Ranges) -> Multiplicity {
    let (outer, inner) = (outer.element_count(), inner.element_count());
    if outer == inner {
        return Multiplicity::ONCE;
    }
    let is_enough = |times: &i128| ranges.is_at_most(&outer, &(&inner * Nat::constant(*times))) == Some(true);
    (1..=MOST).find(is_enough).map_or(Multiplicity::Many, Multiplicity::Known)
}
