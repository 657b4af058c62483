//! How often layouts show the elements of the array below them.
//!
//! Layouts directly on top of each other are counted together, by the number of elements of the outermost and
//! of the array: the windows of size three of a padded array show each element three times, whatever the
//! padding in between shows.

use std::sync::Arc;

use super::multiplicity::Multiplicity;
use crate::ir::nat::{Nat, Ranges};
use crate::ir::typed::{Expr, ExprKind, Lambda, Layout, MapKind};
use crate::ir::types::Type;

/// Larger numbers count as [`Multiplicity::Many`].
const MOST: i128 = 4;

/// The size of everything when a number of times is refuted by an example.
const LARGE: i128 = 1 << 20;

/// Rounding takes less than this part of a number.
const ROUNDING: i128 = 8;

/// The array whose elements an expression shows without computing any.
pub(super) fn shown_by(expr: &Expr) -> Option<&Arc<Expr>> {
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

/// The array below the layouts on top of an expression that only put its elements in another order or in
/// rows. It has as many elements, which costs a proof where rows have different lengths.
pub(super) fn with_same_elements(mut expr: &Expr) -> &Expr {
    while let ExprKind::Layout(
        Layout::Split { .. }
        | Layout::Partition(_)
        | Layout::Join
        | Layout::Transpose
        | Layout::Deinterleave { .. }
        | Layout::Interleave,
        input,
    ) = &expr.kind
    {
        expr = input;
    }
    expr
}

/// How often layouts from an array of type `inner` to a value of type `outer` show an element on average: an
/// upper bound for all sizes.
pub(super) fn times_shown(outer: &Type, inner: &Type, ranges: &Ranges) -> Multiplicity {
    let (outer, inner) = (outer.element_count(), inner.element_count());
    if outer == inner {
        return Multiplicity::ONCE;
    }
    let is_enough = |times: &i128| {
        !is_clearly_more(&outer, &inner, *times)
            && ranges.proves_at_most(&outer, &(&inner * Nat::constant(*times)))
    };
    // If even `MOST` is not enough, no smaller number is.
    match is_enough(&MOST) {
        true => Multiplicity::Known((1..MOST).find(is_enough).unwrap_or(MOST)),
        false => Multiplicity::Many,
    }
}

/// Whether one number is more than another one this many times if all sizes are large and the same. Then
/// there is no proof of the contrary, and looking for one takes longest if there is none. The answer is no
/// for sums, because they take long to evaluate.
fn is_clearly_more(number: &Nat, other: &Nat, times: i128) -> bool {
    if number.has_sums() || other.has_sums() {
        return false;
    }
    let at_large_sizes = |n: &Nat| n.evaluate_soon(&|_| Some(LARGE));
    let (Some(number), Some(other)) = (at_large_sizes(number), at_large_sizes(other)) else { return false };
    // Where a size is known to be a multiple of a number, quotients are exact that are rounded here.
    let most = other.checked_add(other / ROUNDING).and_then(|most| most.checked_mul(times));
    most.is_some_and(|most| number > most)
}
