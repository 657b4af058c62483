//! The form for processors, in which a work-item reduces its row as vectors: lane `l` reduces every w-th
//! element from element `l` on, and then the lanes are reduced (`vectoriseReduceWithRest`).
//!
//! A processor has few work-items at a time and no memory that they share, so that rows are not shared
//! either. What it lacks is an order of additions that its vectors can take: compilers keep the order of
//! floats (Intel, "Writing Optimal OpenCL Code", 2013; CASES 2016, section 4). The plain form makes vectors of
//! the rows of neighbouring work-items, whose elements lie far apart.

use super::defaults::{LANES, VECTOR_ROW};
use super::left_out::Reason;
use super::reductions::{may_have, no_row};
use super::survey::Reduction;
use super::{Candidate, at_least, different};
use crate::compiled::{DeviceClass, Selection};
use crate::ir::source::Source;
use crate::ir::typed::{Expr, ExprKind, Path, Program, ReduceKind};
use crate::middle::rewrite::rules::VECTORISE_REDUCE_WITH_REST;
use crate::middle::rewrite::{Argument, Rewriter, Strategy};

/// The form of a program that reduces rows, at least one of them with an operator that vectors have, too.
///
/// # Errors
/// Says why there is none.
pub(super) fn form(program: &Program, reductions: &[Reduction]) -> Result<Candidate, Reason> {
    let first = reductions.first().ok_or(Reason::NothingReduced)?;
    let is_wanted = |row: &&Reduction| no_row(row).is_none() && may_have(&row.length, VECTOR_ROW);
    let rows: Vec<&Reduction> = reductions.iter().filter(is_wanted).collect();
    if rows.is_empty() {
        return Err(no_row(first).unwrap_or(Reason::ShortRow));
    }
    let thresholds = different(rows.iter().filter_map(|row| at_least(&row.length, VECTOR_ROW)));
    let selection = Selection { thresholds, ..Selection::new("rowVectors", DeviceClass::Processor) };
    let sources: Vec<Source> = rows.iter().map(|row| row.source).collect();
    let mut places = Vec::new();
    places_of(&program.body, &sources, &Path::root(), &mut places);
    let mut rewriter = Rewriter::new(program);
    let vectors = Strategy::with(&VECTORISE_REDUCE_WITH_REST, Argument::Width(LANES));
    let mut is_any = false;
    for place in places {
        is_any |= rewriter.run(&Strategy::At(place, Box::new(vectors.clone()))).is_ok();
    }
    match is_any {
        true => Candidate::rewritten(selection, rewriter.rewritten()).map_err(|_| Reason::NoVectors),
        false => Err(Reason::NoVectors),
    }
}

/// The places of these reductions, inner ones before those around them.
fn places_of(expr: &Expr, sources: &[Source], here: &Path, places: &mut Vec<Path>) {
    for (position, child) in expr.children().into_iter().enumerate() {
        places_of(child, sources, &here.child(position), places);
    }
    if matches!(expr.kind, ExprKind::Reduce(ReduceKind::Unspecified, ..)) && sources.contains(&expr.source) {
        places.push(here.clone());
    }
}
