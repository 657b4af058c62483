//! Brings `let`s into a form in which no value is a `let`, and none is a tuple of arrays.
//!
//! `{ let x = { let y = e; v }; w }` is `{ let y = e; let x = v; w }`: both compute `y` once each time that
//! the expression is evaluated. Afterwards, whoever asks how often the value of a `let` is computed sees the
//! value itself. Inlined calls, whose parameters are `let`s, thus count like their bodies.
//!
//! `{ let t = (x, y); w }` with an array in the tuple is `{ let t_0 = x; let t_1 = y; w }`, where `w` reads
//! `t_0` for `t.0`. So lowering decides about each component as if it had been bound alone.
//!
//! A name of another name, which storing what a `let` binds may leave, gives way to that.
//!
//! The rules are `letOfLet`, `letOfTuple` and `letInline`. A step makes places for others, in the same `let` and inside of
//! it, so that the places are decided one after the other, outer ones first.

use std::rc::Rc;

use crate::ir::nat::Nat;
use crate::ir::typed::binders::is_atomic;
use crate::ir::typed::{Expr, ExprKind, Path};
use crate::middle::rewrite::rules::{LET_INLINE, LET_OF_LET, LET_OF_TUPLE, is_tuple_of_arrays};
use crate::middle::rewrite::{Argument, Strategy};

/// The steps that make the first `let` flat that is not; `None` if all are.
pub(super) fn flat_let(body: &Rc<Expr>) -> Option<Strategy> {
    let has_more = |value: &Expr| matches!(value.kind, ExprKind::Let { .. }) || is_tuple_of_arrays(value);
    let (place, _) = first(body, &has_more, &mut Vec::new())?;
    let step = Strategy::Choice(vec![Strategy::rule(&LET_OF_LET), Strategy::rule(&LET_OF_TUPLE)]);
    // At least one step, and each leaves fewer `let`s and tuples: there is an end.
    let steps = Strategy::Sequence(vec![step.clone(), Strategy::Repeat(Box::new(step), u32::MAX)]);
    Some(Strategy::At(Path::from(place), Box::new(steps)).named("flatLet", Vec::new()))
}

/// The step that makes the first name of another name give way to that; `None` if there is none.
pub(super) fn name_of_name(body: &Rc<Expr>) -> Option<Strategy> {
    let (place, position) = first(body, &is_atomic, &mut Vec::new())?;
    let position = Argument::Size(Nat::constant(i128::try_from(position).ok()?));
    Some(Strategy::At(Path::from(place), Box::new(Strategy::with(&LET_INLINE, position))))
}

/// The place of the first `let` with a value like this, and the position of that value.
fn first(
    expr: &Rc<Expr>,
    is_wanted: &dyn Fn(&Expr) -> bool,
    here: &mut Vec<usize>,
) -> Option<(Vec<usize>, usize)> {
    if let ExprKind::Let { bindings, .. } = &expr.kind
        && let Some(position) = bindings.iter().position(|binding| is_wanted(&binding.value))
    {
        return Some((here.clone(), position));
    }
    expr.children().enumerate().find_map(|(position, child)| {
        here.push(position);
        let found = first(child, is_wanted, here);
        here.pop();
        found
    })
}
