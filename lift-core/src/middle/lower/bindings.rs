//! Brings `let`s into a form in which no value is a `let`, and none is a tuple of arrays.
//!
//! `{ let x = { let y = e; v }; w }` is `{ let y = e; let x = v; w }`: both compute `y` once each time that
//! the expression is evaluated. Afterwards, whoever asks how often the value of a `let` is computed sees the
//! value itself. Inlined calls, whose parameters are `let`s, thus count like their bodies.
//!
//! `{ let t = (x, y); w }` with an array in the tuple is `{ let t_0 = x; let t_1 = y; w }`, where `w` reads
//! `t_0` for `t.0`. So lowering decides about each component as if it had been bound alone.
//!
//! The rules are `letOfLet` and `letOfTuple`. A step makes places for others, in the same `let` and inside of
//! it, so that the places are decided one after the other, outer ones first.

use std::sync::Arc;

use crate::ir::typed::{Expr, ExprKind, Path};
use crate::middle::rewrite::Strategy;
use crate::middle::rewrite::rules::{LET_OF_LET, LET_OF_TUPLE, is_tuple_of_arrays};

/// The steps that make the first `let` flat that is not; `None` if all are.
pub(crate) fn flat_let(body: &Arc<Expr>) -> Option<Strategy> {
    let place = first(body, &mut Vec::new())?;
    let step = Strategy::Choice(vec![Strategy::rule(&LET_OF_LET), Strategy::rule(&LET_OF_TUPLE)]);
    // At least one step, and each leaves fewer `let`s and tuples: there is an end.
    let steps = Strategy::Sequence(vec![step.clone(), Strategy::Repeat(Box::new(step), u32::MAX)]);
    Some(Strategy::At(Path::from(place), Box::new(steps)).named("flatLet", Vec::new()))
}

/// The place of the first `let` that is not flat.
fn first(expr: &Arc<Expr>, here: &mut Vec<usize>) -> Option<Vec<usize>> {
    if let ExprKind::Let { bindings, .. } = &expr.kind {
        let has_more = |value: &Expr| matches!(value.kind, ExprKind::Let { .. }) || is_tuple_of_arrays(value);
        if bindings.iter().any(|binding| has_more(&binding.value)) {
            return Some(here.clone());
        }
    }
    expr.children().enumerate().find_map(|(position, child)| {
        here.push(position);
        let found = first(child, here);
        here.pop();
        found
    })
}
