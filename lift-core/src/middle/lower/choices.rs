//! Choices between arrays are made for each element.
//!
//! An element of an `if` between arrays is an `if` between elements, by the rule `chooseElements`. So
//! lowering finds the arrays of both branches before the choice, where it decides about them as about any
//! others: what is delayed is computed where it is chosen, and only there; what has to be stored (a scan,
//! what is read often) is computed whatever is chosen.
//!
//! Where a branch says who computes it, it is taken at its word, if it can be: a choice that is written stays
//! as it is, and work-items write the branch that is chosen. That needs branches that are written at once. In
//! any other place, and where a branch stores something on the way, work-items compute both branches.
//!
//! A choice between updates of one array is an update of it, by the rule `chooseUpdate`, which copies nothing.
//! An `update` chooses at each position between two elements. Where it updates an accumulator, that choice
//! stays as well: one row is written, and no other is touched.

use std::sync::Arc;

use super::hierarchy::{is_level, uses_hierarchy};
use crate::ir::typed::keyed::AccumulatorUpdate;
use crate::ir::typed::{Application, Expr, ExprKind, MapKind, Path, is_same_place};
use crate::ir::types::Type;
use crate::middle::rewrite::Strategy;
use crate::middle::rewrite::rules::{CHOOSE_ELEMENTS, CHOOSE_UPDATE};

/// Updates instead of choices between updates, inner ones first; `None` where there are no choices of arrays.
pub(super) fn chosen_updates(body: &Arc<Expr>) -> Option<Strategy> {
    let (mut here, mut steps) = (Vec::new(), Vec::new());
    collect_choices_of_arrays(body, &mut here, &mut steps);
    (!steps.is_empty()).then(|| Strategy::Sequence(steps).named("chosenUpdates", Vec::new()))
}

fn collect_choices_of_arrays(expr: &Expr, here: &mut Vec<usize>, steps: &mut Vec<Strategy>) {
    for (position, child) in expr.children().enumerate() {
        here.push(position);
        collect_choices_of_arrays(child, here, steps);
        here.pop();
    }
    if is_choice_of_arrays(expr) {
        let step = Strategy::rule(&CHOOSE_UPDATE).tried();
        steps.push(Strategy::At(Path::from(here.clone()), Box::new(step)));
    }
}

/// Choices between elements instead of arrays, inner ones first; `None` where there are none.
pub(super) fn chosen_elements(body: &Arc<Expr>) -> Option<Strategy> {
    let mut choices = Choices { here: Vec::new(), updates: Vec::new(), steps: Vec::new() };
    choices.collect(body, Use::Written);
    let Choices { steps, .. } = choices;
    (!steps.is_empty()).then(|| Strategy::Sequence(steps).named("chosenElements", Vec::new()))
}

/// What becomes of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// It is written to memory.
    Written,
    /// Something else reads it.
    Read,
}

struct Choices {
    here: Vec<usize>,
    /// The updates of accumulators around.
    updates: Vec<Arc<Expr>>,
    steps: Vec<Strategy>,
}

impl Choices {
    fn collect(&mut self, expr: &Arc<Expr>, used: Use) {
        let update = updated_accumulator(expr);
        let is_updated = update.is_some();
        self.updates.extend(update);
        for (position, child) in expr.children().enumerate() {
            self.here.push(position);
            self.collect(child, use_of_part(expr, position, child, used));
            self.here.pop();
        }
        if is_updated {
            self.updates.pop();
        }
        let is_update = self.updates.iter().any(|update| is_choice_of(update, expr));
        if is_choice_of_arrays(expr) && !is_update && !(used == Use::Written && is_written_by_workers(expr)) {
            // Rules that make such choices themselves know that the branches are equally long only where they
            // are chosen. These choices stay.
            let step = Strategy::rule(&CHOOSE_ELEMENTS).tried();
            self.steps.push(Strategy::At(Path::from(self.here.clone()), Box::new(step)));
        }
    }
}

/// The update that each step of a reduction makes of its accumulator.
fn updated_accumulator(expr: &Expr) -> Option<Arc<Expr>> {
    let ExprKind::Reduce(_, step, ..) = &expr.kind else { return None };
    AccumulatorUpdate::of(step).map(|of_step| of_step.body.clone())
}

/// Whether an expression is the choice between the new element and an old one.
fn is_choice_of(update: &Expr, expr: &Arc<Expr>) -> bool {
    matches!(&update.kind, ExprKind::Map(_, function, _) if is_same_place(&function.body, expr))
}

fn is_choice_of_arrays(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::If(..)) && !expr.ty.is_element()
}

/// What becomes of a part of an expression.
fn use_of_part(expr: &Expr, position: usize, part: &Arc<Expr>, used: Use) -> Use {
    let is_body = expr.is_function_body(position);
    match expr.application() {
        Some(Application::Map(kind, ..)) if is_body => match kind {
            MapKind::Unspecified => used,
            _ => Use::Written,
        },
        None if matches!(expr.kind, ExprKind::Store(..)) => Use::Written,
        None if expr.parts_of_value().into_iter().any(|value| is_same_place(value, part)) => used,
        Some(_) | None => Use::Read,
    }
}

/// Whether a choice is written by the work-items that its branches name, without anything that has to be
/// complete before.
fn is_written_by_workers(choice: &Expr) -> bool {
    matches!(choice.ty, Type::Array(_))
        && choice
            .parts_of_value()
            .into_iter()
            .all(|branch| uses_hierarchy(branch) && is_written_at_once(branch))
}

/// Whether the hierarchy is used only by the maps that write the elements of a value.
fn is_written_at_once(expr: &Expr) -> bool {
    let is_part =
        |part: &Arc<Expr>| expr.parts_of_value().into_iter().any(|value| is_same_place(value, part));
    expr.children().enumerate().all(|(position, part)| match &expr.kind {
        ExprKind::Map(kind, ..) if is_level(*kind) && expr.is_function_body(position) => {
            is_written_at_once(part)
        }
        _ if is_part(part) => is_written_at_once(part),
        _ => !uses_hierarchy(part),
    })
}
