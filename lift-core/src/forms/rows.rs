//! Rows: reductions of what lies side by side in memory.
//!
//! In the plain form a work-item reduces a row alone. Neighbours read what lies a row apart, so that a GPU
//! fetches a whole line of its cache for every element. In these forms the work-items of a group share a row:
//! neighbours read neighbours (TVM's rules for matrix-vector products and XLA's emitter of row reductions
//! decide alike).
//!
//! A program that is one map, whose function reduces a row once or several times, is rewritten as a whole: one
//! kernel reads the row again and again while it lies in a cache. Of other programs the stages are, one by one,
//! while they are lowered ([`Cooperation`]).

use std::collections::BTreeSet;

use super::defaults::{LONG_ROW, LONG_ROWS, SHORT_ROW, SHORT_ROWS};
use super::survey::{Load, Reduction};
use super::{Candidate, guard, rewritten};
use crate::compiled::{DeviceClass, Guard, Selection};
use crate::ir::kernel::accesses::Stride;
use crate::ir::nat::{Condition, Nat};
use crate::ir::source::Source;
use crate::ir::typed::{Expr, ExprKind, MapKind, Path, Program, ReduceKind};
use crate::middle::lower::{Cooperation, Group};
use crate::middle::rewrite::Rewriter;
use crate::middle::rewrite::strategies::rows_in_grid_of_groups;

/// How groups share rows.
struct Sharing {
    name: &'static str,
    group: Group,
    /// The least length of rows that are worth it.
    least: u32,
}

/// The form for the longest rows first.
const SHARINGS: [Sharing; 2] = [
    Sharing { name: "rows", group: LONG_ROWS, least: LONG_ROW },
    Sharing { name: "shortRows", group: SHORT_ROWS, least: SHORT_ROW },
];

/// The number of dimensions of an OpenCL launch.
const DIMENSIONS: usize = 3;

/// The forms for the rows among the reductions of a program.
pub(super) fn forms(program: &Program, reductions: &[Reduction]) -> Vec<Candidate> {
    let mut forms = Vec::new();
    for sharing in &SHARINGS {
        let is_known_short = |row: &Reduction| {
            row.length.as_constant().is_some_and(|length| length < i128::from(sharing.least))
        };
        let rows: Vec<&Reduction> =
            reductions.iter().filter(|reduction| is_row(reduction) && !is_known_short(reduction)).collect();
        if rows.is_empty() {
            continue;
        }
        let open = rows.iter().filter(|row| row.length.as_constant().is_none());
        let mut thresholds: Vec<Guard> = open.map(|row| at_least(&row.length, sharing.least)).collect();
        thresholds.dedup();
        let is_always_worth_it = thresholds.is_empty();
        let sources = rows.iter().map(|row| row.source).collect();
        forms.push(form(program, sharing, &sources, thresholds));
        if is_always_worth_it {
            break;
        }
    }
    forms
}

/// The form in which groups share the reductions at these places in the source. On processors a work-item reads
/// a row faster alone.
fn form(
    program: &Program,
    sharing: &Sharing,
    sources: &BTreeSet<Source>,
    thresholds: Vec<Guard>,
) -> Candidate {
    let selection = Selection {
        name: sharing.name.to_owned(),
        devices: DeviceClass::Accelerator,
        guards: Vec::new(),
        thresholds,
        derivation: String::new(),
    };
    whole(program, sharing, sources, &selection).unwrap_or_else(|| {
        let rows = sources.iter().map(|source| (*source, sharing.group)).collect();
        let cooperation = Cooperation { rows };
        Candidate { selection, program: program.clone(), cooperation, demanded: None }
    })
}

/// The form of a program that is one map over rows, and whose reductions are all among these.
fn whole(
    program: &Program,
    sharing: &Sharing,
    sources: &BTreeSet<Source>,
    selection: &Selection,
) -> Option<Candidate> {
    let mut places = Vec::new();
    let mut map = &program.body;
    let mut here = Path::root();
    loop {
        let ExprKind::Map(MapKind::Unspecified, function, _) = &map.kind else { return None };
        places.push(here.clone());
        // Maps around make arrays of what the innermost one makes.
        let is_outer = matches!(function.body.kind, ExprKind::Map(MapKind::Unspecified, ..))
            && !has_reduction(function.body.input()?);
        if !is_outer || !has_reduction(function.body.function_body()?) {
            break;
        }
        here = here.child(map.children().len() - 1);
        map = &function.body;
    }
    let body = map.function_body()?;
    if places.len() > DIMENSIONS || body.ty.rank() > 1 || !are_among(body, sources) {
        return None;
    }
    let (innermost, outer) = places.split_last()?;
    let Sharing { group, .. } = sharing;
    let strategy = rows_in_grid_of_groups(innermost, outer, &group.rows(), &group.items());
    let mut rewriter = Rewriter::new(program);
    rewriter.run(&strategy).ok()?;
    let made = rewriter.rewritten();
    // A reduction in a function, which depends on that function, is left to every work-item.
    if has_open_reduction(&made.program.body) {
        return None;
    }
    let guards = made.needs.iter().filter_map(guard).collect();
    let selection = Selection { guards, derivation: made.derivation.to_string(), ..selection.clone() };
    let cooperation = Cooperation::default();
    Some(Candidate { selection, program: rewritten(made), cooperation, demanded: None })
}

fn has_reduction(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Reduce(..)) || expr.children().into_iter().any(|child| has_reduction(child))
}

fn has_open_reduction(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Reduce(ReduceKind::Unspecified, ..))
        || expr.children().into_iter().any(|child| has_open_reduction(child))
}

/// Whether all loops of an expression are these reductions.
fn are_among(expr: &Expr, sources: &BTreeSet<Source>) -> bool {
    let is_other = match &expr.kind {
        ExprKind::Reduce(kind, ..) => *kind != ReduceKind::Unspecified || !sources.contains(&expr.source),
        ExprKind::Scan(..) | ExprKind::Iterate(..) => true,
        _ => false,
    };
    !is_other && expr.children().into_iter().all(|child| are_among(child, sources))
}

fn at_least(length: &Nat, least: u32) -> Guard {
    let condition = Condition::LessOrEqual(Nat::constant(i128::from(least)), length.clone());
    Guard { text: format!("{length} >= {least}"), condition }
}

/// Whether a reduction goes along a row of its own: what it loads lies side by side, and that of neighbouring
/// work-items does not.
fn is_row(reduction: &Reduction) -> bool {
    let is_apart = |stride: &Stride| matches!(stride, Stride::Other | Stride::Constant(_));
    let goes_along = |load: &Load| {
        load.along == Stride::One
            && load.across.iter().all(|stride| *stride != Stride::Zero)
            && load.across.last().is_some_and(is_apart)
    };
    // What neighbours read side by side already would be torn apart.
    let goes_across = |load: &Load| {
        !matches!(load.along, Stride::Zero | Stride::One) && load.across.last() == Some(&Stride::One)
    };
    reduction.loads.iter().any(goes_along) && !reduction.loads.iter().any(goes_across)
}
