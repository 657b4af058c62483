//! The form for processors, in which a work-item reduces its row as vectors: lane `l` reduces every w-th
//! element from element `l` on, and then the lanes are reduced (`vectoriseReduceWithRest`).
//!
//! A processor has few work-items at a time and no memory that they share, so that rows are not shared
//! either. What it lacks is an order of additions that its vectors can take: compilers keep the order of
//! floats (Intel, "Writing Optimal OpenCL Code", 2013; CASES 2016, section 4), and make vectors of the rows of
//! neighbouring work-items, whose elements lie far apart. Integers they reorder themselves, so that their plain
//! form is the faster one.

use super::defaults::{LANES, VECTOR_ROW};
use super::left_out::Reason;
use super::reductions::{columns_in_pieces, long_rows, may_have, no_row};
use super::survey::Reduction;
use super::{Candidate, different};
use crate::compiled::{DeviceClass, Selection};
use crate::ir::source::Source;
use crate::ir::typed::{Expr, ExprKind, Path, Program, ReduceKind};
use crate::ir::types::Type;
use crate::middle::rewrite::rules::VECTORISE_REDUCE_WITH_REST;
use crate::middle::rewrite::{Argument, Rewriter, Strategy};

/// The forms of a program that reduces rows, at least one of them with an operator that vectors have, too.
/// Where it also reduces columns, the first form cuts these into pieces, as the form `columns` does.
///
/// # Errors
/// Says why there are none.
pub(super) fn forms(program: &Program, reductions: &[Reduction]) -> Result<Vec<Candidate>, Reason> {
    let rows = form(program, reductions)?;
    let with_columns = columns_in_pieces(reductions).map(|(cooperation, thresholds)| {
        let thresholds = different(rows.selection.thresholds.iter().cloned().chain(thresholds));
        let name = "rowVectorsAndColumns".to_owned();
        let selection = Selection { name, thresholds, ..rows.selection.clone() };
        Candidate { cooperation, ..Candidate::new(selection, rows.program.clone()) }
    });
    let with_columns = with_columns.filter(|form| form.is_ever_chosen(program));
    Ok(with_columns.into_iter().chain([rows]).collect())
}

/// The form in which nothing but rows differs from the plain one.
///
/// # Errors
/// Says why there is none.
fn form(program: &Program, reductions: &[Reduction]) -> Result<Candidate, Reason> {
    let first = reductions.first().ok_or(Reason::NothingReduced)?;
    let is_wanted = |row: &&Reduction| no_row(row).is_none() && may_have(&row.length, VECTOR_ROW);
    let rows: Vec<&Reduction> = reductions.iter().filter(is_wanted).collect();
    if rows.is_empty() {
        return Err(no_row(first).unwrap_or(Reason::ShortRow { least: VECTOR_ROW }));
    }
    let thresholds = different(long_rows(&rows, |_| VECTOR_ROW));
    let selection = Selection { thresholds, ..Selection::new("rowVectors", DeviceClass::Processor) };
    let sources: Vec<Source> = rows.iter().map(|row| row.source).collect();
    let surveyed: Vec<Source> = reductions.iter().map(|reduction| reduction.source).collect();
    let mut found = Vec::new();
    reductions_at(&program.body, [&Path::root(); 2], &mut found);
    // The plain form fuses reductions of one row, which are then surveyed as the first of them: a reduction
    // that stands in a function beside a surveyed one, and was not surveyed itself, is one of these.
    let homes: Vec<Path> = found
        .iter()
        .filter(|found| sources.contains(&found.reduction.source))
        .map(|found| found.home.clone())
        .collect();
    found.retain(|Found { home, reduction, .. }| {
        let is_fused = || homes.contains(home) && !surveyed.contains(&reduction.source);
        is_of_floats(reduction) && (sources.contains(&reduction.source) || is_fused())
    });
    if found.is_empty() {
        return Err(Reason::Integers);
    }
    let mut rewriter = Rewriter::new(program);
    let vectors = Strategy::with(&VECTORISE_REDUCE_WITH_REST, Argument::Width(LANES));
    let mut is_any = false;
    for Found { place, .. } in found.into_iter().filter(|found| is_reduced_as_vectors(found.reduction)) {
        is_any |= rewriter.run(&Strategy::At(place, Box::new(vectors.clone()))).is_ok();
    }
    let form = Candidate::rewritten(selection, rewriter.rewritten()).map_err(|_| Reason::NoVectors)?;
    // Rows without a common length may be empty, and without an identity nothing can be made of an empty row.
    match is_any && form.is_ever_chosen(program) {
        true => Ok(form),
        false => Err(Reason::NoVectors),
    }
}

/// A reduction of the program.
struct Found<'e> {
    place: Path,
    /// The place of the body of the function that it stands in.
    home: Path,
    reduction: &'e Expr,
}

/// The reductions in an expression at a place, inner ones before those around them.
fn reductions_at<'e>(expr: &'e Expr, [here, home]: [&Path; 2], found: &mut Vec<Found<'e>>) {
    for (position, child) in expr.children().enumerate() {
        let place = here.child(position);
        let home = if expr.is_function_body(position) { &place } else { home };
        reductions_at(child, [&place, home], found);
    }
    if matches!(expr.kind, ExprKind::Reduce(ReduceKind::Unspecified, ..)) {
        found.push(Found { place: here.clone(), home: home.clone(), reduction: expr });
    }
}

fn is_of_floats(reduction: &Expr) -> bool {
    matches!(reduction.ty, Type::Scalar(scalar) if scalar.is_float())
}

fn is_reduced_as_vectors(reduction: &Expr) -> bool {
    reduction.input().is_some_and(|array| is_made_of_vectors(array))
}

/// Whether the elements of an array can be computed as vectors: each is made of those at its position without
/// loops, choices, and positions from data. The rule takes the array apart, so that a scan or what is stored
/// would be computed for each part.
fn is_made_of_vectors(array: &Expr) -> bool {
    match &array.kind {
        ExprKind::Map(_, function, input) => is_straight(&function.body) && is_made_of_vectors(input),
        ExprKind::Zip(parts) => parts.iter().all(|part| is_made_of_vectors(part)),
        ExprKind::Layout(_, input) | ExprKind::Component(input, _) => is_made_of_vectors(input),
        ExprKind::Variable(_) => true,
        _ => false,
    }
}

/// Whether an expression is computed by vectors as it is by scalars.
fn is_straight(expr: &Expr) -> bool {
    let is_itself = matches!(
        expr.kind,
        ExprKind::Literal(_)
            | ExprKind::Variable(_)
            | ExprKind::Size(_)
            | ExprKind::Tuple(_)
            | ExprKind::Component(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Builtin(..)
            | ExprKind::Cast(..)
    );
    is_itself && expr.children().all(|child| is_straight(child))
}
