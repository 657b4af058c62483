//! Maps over joined rows of different lengths become maps over the rows.
//!
//! Divided among work-items, a map over the elements of `join(rows)` would have to find the row of every
//! element, for which there is no formula (see `codegen::rows`). So `map(f) . join` becomes
//! `join . map(map(f))`, by the rule `mapJoinRows`. Then rows and the positions in them are loops of their
//! own, and the result is written row by row.

use std::sync::Arc;

use crate::ir::typed::{Expr, ExprKind, Layout, MapKind, Path, Rows};
use crate::middle::rewrite::Strategy;
use crate::middle::rewrite::rules::MAP_JOIN_ROWS;

/// Maps over the rows instead of over their elements, inner ones first.
pub(super) fn maps_over_rows(body: &Arc<Expr>) -> Strategy {
    let mut steps = Vec::new();
    collect(body, &mut Vec::new(), &mut steps);
    Strategy::Sequence(steps).named("mapsOverRows", Vec::new())
}

/// The rows of different lengths of a `join`, unless they lie end to end already.
pub(super) fn scattered_rows(expr: &Expr) -> Option<&Arc<Expr>> {
    let ExprKind::Layout(Layout::Join, rows) = &expr.kind else { return None };
    let is_stored = matches!(&rows.kind, ExprKind::Variable(_) | ExprKind::Layout(Layout::Partition(_), _));
    let is_uneven = rows.ty.as_array().and_then(Rows::of).is_some_and(|rows| rows.index.is_some());
    (is_uneven && !is_stored).then_some(rows)
}

/// Returns whether the expression joins scattered rows once the steps are done.
fn collect(expr: &Arc<Expr>, here: &mut Vec<usize>, steps: &mut Vec<Strategy>) -> bool {
    let mut of_scattered_rows = false;
    for (position, child) in expr.children().enumerate() {
        here.push(position);
        let joins = collect(child, here, steps);
        here.pop();
        of_scattered_rows |= joins && position == 0;
    }
    match &expr.kind {
        ExprKind::Map(MapKind::Unspecified, function, input)
            if of_scattered_rows && (function.index.is_none() || is_regular(input)) =>
        {
            let step = Strategy::rule(&MAP_JOIN_ROWS);
            steps.push(Strategy::At(Path::from(here.clone()), Box::new(step)));
            true
        }
        _ => scattered_rows(expr).is_some(),
    }
}

/// Whether the elements of an array have one type, so that a function on them knows its position only because
/// the user has named it.
fn is_regular(array: &Expr) -> bool {
    array.ty.as_array().is_some_and(|array| array.index.is_none())
}
