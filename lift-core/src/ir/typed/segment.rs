//! Recognises reductions of segments: loops over the elements between two positions that data gives.
//!
//! `reduceSegments(f, z, offsets, xs)` computes `{ let first = …; let last = …; iterateWhile(len(xs), |(k, _)| k <
//! last, |(k, acc)| (k + 1, f(acc, at(k, xs))), (first, z)).1 }` for each segment (the segmented reduction of
//! Blelloch, *Vector Models for Data-Parallel Computing*, MIT Press 1990, section 3.2, with a loop for each
//! segment). Both positions are clamped into the array, so that the loop ends where the segment does, and its
//! counter stays far below the largest integer.

use std::rc::Rc;

use super::binders::mentions;
use super::keyed::{MOST_BINDINGS, written_out};
use super::{Binding, Expr, ExprKind, Lambda, ReduceKind, Variable};
use crate::ir::nat::Nat;
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType};
use crate::ir::types::Type;

/// The reduction of a segment.
pub struct Segment<'e> {
    /// What is computed first, among it the two positions.
    pub bindings: &'e [Binding],
    /// The loop.
    pub reduction: &'e Rc<Expr>,
    /// A step: the counter and the accumulator after an element.
    pub step: &'e Lambda,
    /// The position of the first element.
    pub first: &'e Rc<Expr>,
    /// The accumulator before it.
    pub initial: &'e Rc<Expr>,
    /// The number of elements of the array, the most that a segment has.
    pub most: &'e Nat,
    /// What a step does with the accumulator: a function of it and of the counter. Values that the step binds are
    /// written out in it: it is for looking at, and not for computing with.
    pub combination: Lambda,
}

impl<'e> Segment<'e> {
    /// The parts of the reduction of a segment.
    pub fn of(expr: &'e Expr) -> Option<Segment<'e>> {
        let ExprKind::Let { bindings, body } = &expr.kind else { return None };
        let ExprKind::Component(reduction, 1) = &body.kind else { return None };
        let ExprKind::Reduce(ReduceKind::While, step, start, steps) = &reduction.kind else { return None };
        let ExprKind::Tuple(start) = &start.kind else { return None };
        let [first, initial] = start.as_slice() else { return None };
        let most = &steps.ty.as_array()?.length;
        let [(state, state_type), _] = step.parameters.as_slice() else { return None };
        let ExprKind::Tuple(parts) = &step.body.kind else { return None };
        let [goes_on, next] = parts.as_slice() else { return None };
        let ExprKind::Binary(BinaryOperator::Less, counter, last) = &goes_on.kind else { return None };
        let ExprKind::Tuple(next) = &next.kind else { return None };
        let [counted, combined] = next.as_slice() else { return None };
        let ExprKind::Binary(BinaryOperator::Add, before, one) = &counted.kind else { return None };
        let is_counted = is_component(counter, state, 0)
            && is_component(before, state, 0)
            && one.kind == ExprKind::Literal(Literal::Integer(1));
        let is_clamped =
            is_at_most(bound(last, bindings)?, most) && is_position_in(bound(first, bindings)?, most);
        if !is_counted || !is_clamped {
            return None;
        }
        let combination = combination(state, state_type, combined)?;
        Some(Segment { bindings, reduction, step, first, initial, most, combination })
    }
}

/// `|acc, k| combined`, where `combined` mentions both as components of one variable.
fn combination(state: &Variable, ty: &Type, combined: &Rc<Expr>) -> Option<Lambda> {
    let Type::Tuple(types) = ty else { return None };
    let [counter, accumulator] = types.as_slice() else { return None };
    // The state is mentioned no more, and its variable is that of the accumulator. The counter may be any variable
    // that nobody mentions.
    let number = Variable { id: u32::MAX, name: "k".into() };
    let part = |variable: &Variable, ty: &Type, of: &Expr| {
        Rc::new(Expr { kind: ExprKind::Variable(variable.clone()), ty: ty.clone(), ..of.clone() })
    };
    let combined = written_out(combined, &mut MOST_BINDINGS.clone())?;
    let body = taken_apart(&combined, state, &|position, of| match position {
        0 => part(&number, counter, of),
        _ => part(state, accumulator, of),
    })?;
    let parameters = vec![(state.clone(), accumulator.clone()), (number, counter.clone())];
    Some(Lambda { parameters, index: None, body })
}

/// An expression in which each component of a tuple is replaced. `None` if it mentions the tuple as a whole.
fn taken_apart(
    expr: &Rc<Expr>,
    tuple: &Variable,
    part: &dyn Fn(usize, &Expr) -> Rc<Expr>,
) -> Option<Rc<Expr>> {
    match &expr.kind {
        ExprKind::Component(of, position) if is(of, tuple) => Some(part(*position, expr)),
        ExprKind::Variable(variable) if variable.id == tuple.id => None,
        _ if !mentions(expr, tuple) => Some(expr.clone()),
        _ => {
            let mut is_apart = true;
            let replaced = expr.with_children(&mut |child| {
                taken_apart(child, tuple, part).unwrap_or_else(|| {
                    is_apart = false;
                    child.clone()
                })
            });
            is_apart.then_some(replaced)
        }
    }
}

/// The value of a variable that these bind.
fn bound<'e>(expr: &Expr, bindings: &'e [Binding]) -> Option<&'e Rc<Expr>> {
    let ExprKind::Variable(variable) = &expr.kind else { return None };
    bindings.iter().find(|binding| binding.variable.id == variable.id).map(|binding| &binding.value)
}

/// `min(x, most)`, as a number that holds all sizes.
fn is_at_most(expr: &Expr, most: &Nat) -> bool {
    let is_most = |part: &Rc<Expr>| matches!(&part.kind, ExprKind::Size(size) if size == most);
    expr.ty == Type::Scalar(ScalarType::I64)
        && matches!(&expr.kind, ExprKind::Builtin(Builtin::Min, parts) if parts.iter().any(is_most))
}

/// `min(max(x, 0), most)`
fn is_position_in(expr: &Expr, most: &Nat) -> bool {
    let is_zero = |part: &Rc<Expr>| part.kind == ExprKind::Literal(Literal::Integer(0));
    let is_positive = |part: &Rc<Expr>| matches!(&part.kind, ExprKind::Builtin(Builtin::Max, parts) if parts.iter().any(is_zero));
    is_at_most(expr, most)
        && matches!(&expr.kind, ExprKind::Builtin(Builtin::Min, parts) if parts.iter().any(is_positive))
}

fn is_component(expr: &Expr, tuple: &Variable, position: usize) -> bool {
    matches!(&expr.kind, ExprKind::Component(of, found) if *found == position && is(of, tuple))
}

fn is(expr: &Expr, variable: &Variable) -> bool {
    matches!(&expr.kind, ExprKind::Variable(read) if read.id == variable.id)
}
