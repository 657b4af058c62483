//! Gives each reduction of a column a map of its own, in forms that cut columns into pieces.
//!
//! The variance of a column needs its mean, which is another reduction. A group cannot wait for pieces of a
//! column that others reduce: the means of all columns are stored, and the variances are made by a map of the
//! columns beside the means. (Rows are different: one group shares a row and computes both.)
//!
//! Input: a program without stages, and the reductions whose columns are cut. Output: the same program, in
//! which no map has several of them, as far as the rules allow it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ir::source::Source;
use crate::ir::typed::{Expr, ExprKind, MapKind, Path, ReduceKind};
use crate::middle::rewrite::rules::{LET_INTRODUCE, MAP_LET_FISSION};
use crate::middle::rewrite::strategies::Pieces;
use crate::middle::rewrite::{Argument, Rewriter, Strategy};

/// Separates them. A map whose reductions cannot be separated keeps them.
pub(super) fn separate(rewriter: &mut Rewriter<'_>, columns: &BTreeMap<Source, Pieces>) {
    if columns.is_empty() {
        return;
    }
    // A reduction gets a name, and then a map.
    for _ in 0..2 * count(rewriter.body()) {
        let steps = steps(rewriter.body(), columns);
        if !steps.iter().any(|step| rewriter.run(step).is_ok()) {
            break;
        }
    }
}

/// The number of reductions in an expression.
fn count(expr: &Expr) -> usize {
    let inside: usize = expr.children().map(|child| count(child)).sum();
    inside + usize::from(matches!(expr.kind, ExprKind::Reduce(..)))
}

/// For each map with several reductions, or with one that is part of an array literal, the step that names
/// the first of them, or that gives it a map if it has a name.
fn steps(body: &Arc<Expr>, columns: &BTreeMap<Source, Pieces>) -> Vec<Strategy> {
    let mut steps = Vec::new();
    collect_steps(body, &Path::root(), columns, &mut steps);
    steps
}

fn collect_steps(
    expr: &Arc<Expr>,
    here: &Path,
    columns: &BTreeMap<Source, Pieces>,
    steps: &mut Vec<Strategy>,
) {
    if let ExprKind::Map(MapKind::Unspecified, function, _) = &expr.kind {
        let mut found = Vec::new();
        collect_reductions(&function.body, &Path::root(), &mut found);
        let are_columns = found.iter().all(|(_, reduction)| columns.contains_key(&reduction.source));
        if (found.len() > 1 || found.len() == 1 && makes_literal(&function.body)) && are_columns {
            let (first, _) = found.swap_remove(0);
            steps.push(Strategy::At(here.clone(), Box::new(step(&function.body, &first))));
        }
    }
    for (position, child) in expr.children().enumerate() {
        if !expr.is_function_body(position) {
            collect_steps(child, &here.child(position), columns, steps);
        }
    }
}

/// Whether a function makes an array of single elements: a reduction alone in its map makes one element.
fn makes_literal(body: &Expr) -> bool {
    match &body.kind {
        ExprKind::Let { body, .. } => makes_literal(body),
        _ => matches!(body.kind, ExprKind::ArrayLiteral(_)),
    }
}

/// The step for a map with this function, whose first reduction stands at a place of its body.
fn step(body: &Expr, first: &Path) -> Strategy {
    let named = |place: Path| Strategy::with(&LET_INTRODUCE, Argument::Place(place));
    match (&body.kind, first.positions()) {
        (ExprKind::Let { bindings, .. }, [position, ..]) if *position < bindings.len() => {
            Strategy::with(&MAP_LET_FISSION, Argument::Place(Path::root().child(*position)))
        }
        // It may need the names before it.
        (ExprKind::Let { .. }, [after, place @ ..]) => {
            Strategy::At(Path::root().child(*after), Box::new(named(Path::from(place.to_vec()))))
                .in_function()
        }
        _ => named(first.clone()).in_function(),
    }
}

/// The reductions that stand in no function, with their places.
fn collect_reductions<'e>(expr: &'e Arc<Expr>, here: &Path, found: &mut Vec<(Path, &'e Arc<Expr>)>) {
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
