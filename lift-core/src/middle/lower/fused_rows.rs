//! Horizontal fusion in the functions of maps: rows of which several numbers are wanted are read once.
//!
//! The least and the greatest element of a row are one reduction with two accumulators, as they are of a
//! whole array, and so are the sums of a column and of its squares (Henriksen, Larsen, Oancea, *Design and
//! GPGPU performance of Futhark's redomap construct*, ARRAY 2016). Otherwise a row that no cache keeps is
//! read from memory once for each of them.
//!
//! It applies to maps outside of functions, to reductions of one array, and only where it leaves one loop. If
//! a row is read again all the same, as where a variance needs the mean, or where the row is written, nothing
//! is fused: a group of work-items keeps such a row, and reduces it several times. Short arrays of a known
//! length, such as the windows of stencils, stay as they are: they are in registers, or in a cache.

use std::sync::Arc;

use crate::ir::nat::Nat;
use crate::ir::typed::{Expr, ExprKind, MapKind, Path, ReduceKind};
use crate::middle::rewrite::rules::FUSE_TOGETHER;
use crate::middle::rewrite::{Argument, Pattern, Strategy};

/// From this length on, an array is a row.
const LEAST_ROW: i128 = 64;

/// The strategy that fuses reductions of one row in functions of maps; `None` where no function has several.
pub(crate) fn rows_fused(body: &Arc<Expr>) -> Option<Strategy> {
    let mut places = Vec::new();
    collect_functions(body, &Path::root(), &mut places);
    let fused = Strategy::with(&FUSE_TOGETHER, Argument::Size(Nat::constant(LEAST_ROW)));
    let is_one = Strategy::Sequence(Vec::new()).where_it_is(Pattern::OneReduction);
    let fused = Strategy::in_order([fused, is_one]).tried();
    let fused = |place| Strategy::At(place, Box::new(fused.clone()));
    (!places.is_empty())
        .then(|| Strategy::Sequence(places.into_iter().map(fused).collect()).named("rowsFused", Vec::new()))
}

/// Collects the functions with several reductions, of maps outside of functions. Rows of different lengths
/// stay as they are.
fn collect_functions(expr: &Arc<Expr>, here: &Path, places: &mut Vec<Path>) {
    let is_of_rows = || {
        let input = expr.input().and_then(|input| input.ty.as_array());
        input.is_some_and(|array| array.index.is_none())
    };
    for (position, child) in expr.children().enumerate() {
        match expr.is_function_body(position) {
            false => collect_functions(child, &here.child(position), places),
            true if matches!(expr.kind, ExprKind::Map(MapKind::Unspecified, ..))
                && is_of_rows()
                && reductions(child) > 1 =>
            {
                places.push(here.child(position));
            }
            true => {}
        }
    }
}

/// The number of reductions in an expression, outside of functions.
fn reductions(expr: &Expr) -> usize {
    let here = usize::from(matches!(expr.kind, ExprKind::Reduce(ReduceKind::Unspecified, ..)));
    let outside = expr.children().enumerate().filter(|(position, _)| !expr.is_function_body(*position));
    here + outside.map(|(_, child)| reductions(child)).sum::<usize>()
}
