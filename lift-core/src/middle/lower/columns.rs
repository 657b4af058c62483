//! Gives each reduction of a column a map of its own, in forms that cut columns into pieces.
//!
//! The mean and the variance of a column are two reductions, of which the second one needs the result of the
//! first one. A group cannot wait for the pieces of a column that others reduce: what the first one gives is
//! stored for all columns, and the second one is a map of the columns beside these results. (Rows are shared
//! as a whole by one group, which computes both.)
//!
//! Input: a program without stages, and the reductions whose columns are cut. Output: one step at a time, until
//! no map has several of them.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::ir::source::Source;
use crate::ir::typed::{Expr, ExprKind, MapKind, Path, ReduceKind};
use crate::middle::rewrite::rules::{LET_INTRODUCE, MAP_LET_FISSION};
use crate::middle::rewrite::strategies::Pieces;
use crate::middle::rewrite::{Argument, Strategy};

/// The most steps: two for each reduction of a map.
pub(super) const MOST_STEPS: usize = 32;

/// The next step, if there is one: the first of several reductions of a map gets a name, or what has a name and
/// holds one gets a map.
pub(super) fn apart(body: &Rc<Expr>, columns: &BTreeMap<Source, Pieces>) -> Option<Strategy> {
    if columns.is_empty() {
        return None;
    }
    outside_functions(body, &Path::root(), columns)
}

/// The step for the first map outside of all functions that has several reductions.
fn outside_functions(expr: &Rc<Expr>, here: &Path, columns: &BTreeMap<Source, Pieces>) -> Option<Strategy> {
    if let ExprKind::Map(MapKind::Unspecified, function, _) = &expr.kind {
        let mut found = Vec::new();
        collect_reductions(&function.body, &Path::root(), &mut found);
        let are_columns = found.iter().all(|(_, reduction)| columns.contains_key(&reduction.source));
        if found.len() > 1 && are_columns {
            let (first, _) = found.swap_remove(0);
            return Some(Strategy::At(here.clone(), Box::new(step(&function.body, first))));
        }
    }
    let outside = expr.children().enumerate().filter(|(position, _)| !expr.is_function_body(*position));
    outside.into_iter().find_map(|(position, child)| outside_functions(child, &here.child(position), columns))
}

/// The step for a map with this function, whose first reduction stands at a place of its body.
fn step(body: &Expr, first: Path) -> Strategy {
    match (&body.kind, first.positions()) {
        (ExprKind::Let { bindings, .. }, [position, ..]) if *position < bindings.len() => {
            Strategy::with(&MAP_LET_FISSION, Argument::Place(Path::root().child(*position)))
        }
        _ => Strategy::with(&LET_INTRODUCE, Argument::Place(first)).in_function(),
    }
}

/// The reductions that stand in no function, with their places.
fn collect_reductions<'e>(expr: &'e Rc<Expr>, here: &Path, found: &mut Vec<(Path, &'e Rc<Expr>)>) {
    if let ExprKind::Reduce(ReduceKind::Unspecified, ..) = expr.kind {
        found.push((here.clone(), expr));
        return;
    }
    for (position, child) in expr.children().enumerate() {
        if !expr.is_function_body(position) {
            collect_reductions(child, &here.child(position), found);
        }
    }
}
