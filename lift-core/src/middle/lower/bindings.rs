//! Brings `let`s into a form in which no value is a `let`, and none is a tuple of arrays.
//!
//! `{ let x = { let y = e; v }; w }` is `{ let y = e; let x = v; w }`: both compute `y` once each time that
//! the expression is evaluated. Afterwards, whoever asks how often the value of a `let` is computed sees the
//! value itself. Inlined calls, whose parameters are `let`s, thus count like their bodies.
//!
//! `{ let t = (x, y); w }` with an array in the tuple is `{ let t_0 = x; let t_1 = y; w }`, where `w` reads
//! `t_0` for `t.0`. So lowering decides about each component as if it had been bound alone.
//!
//! The rules are `letOfLet` and `letOfTuple`. A step makes places for others, inside and in what follows, so
//! that they are decided one after the other, outer places before inner ones.

use std::rc::Rc;

use crate::ir::typed::{Expr, ExprKind, Path};
use crate::middle::rewrite::Strategy;
use crate::middle::rewrite::rules::{LET_OF_LET, LET_OF_TUPLE, is_tuple_of_arrays};

/// The next step towards flat `let`s; `None` if they are.
pub(super) fn flat_let(body: &Rc<Expr>) -> Option<Strategy> {
    let (place, strategy) = first(body, &mut Vec::new())?;
    Some(Strategy::At(Path::from(place), Box::new(strategy)).named("flatLets", Vec::new()))
}

/// The first place of a step, and the step.
fn first(expr: &Rc<Expr>, here: &mut Vec<usize>) -> Option<(Vec<usize>, Strategy)> {
    if let ExprKind::Let { bindings, .. } = &expr.kind {
        let mut values = bindings.iter().map(|binding| &binding.value);
        if values.clone().any(|value| matches!(value.kind, ExprKind::Let { .. })) {
            return Some((here.clone(), Strategy::rule(&LET_OF_LET)));
        }
        if values.any(|value| is_tuple_of_arrays(value)) {
            return Some((here.clone(), Strategy::rule(&LET_OF_TUPLE)));
        }
    }
    expr.children().into_iter().enumerate().find_map(|(position, child)| {
        here.push(position);
        let found = first(child, here);
        here.pop();
        found
    })
}
