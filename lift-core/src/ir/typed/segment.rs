//! Recognises reductions of segments: loops over the elements between two positions that data gives.
//!
//! `reduceSegments(f, z, offsets, xs)` computes `{ let first = …; let count = …; reduceWhile(|k => acc, _| (k
//! as i64 < count, f(acc, at(first + k as i64, xs))), z, repeat(len(xs), 0)) }` for each segment (the
//! segmented reduction of Blelloch, *Vector Models for Data-Parallel Computing*, MIT Press 1990, section 3.2,
//! with a loop for each segment).

use std::sync::Arc;

use super::binders::{mentions, mentions_size};
use super::keyed::{MOST_BINDINGS, written_out};
use super::{Binding, Expr, ExprKind, Lambda, ReduceKind};
use crate::ir::nat::{Nat, Var};
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType};
use crate::ir::types::Type;

/// The reduction of a segment.
pub struct Segment<'e> {
    /// What is computed first.
    pub bindings: &'e [Binding],
    /// The loop.
    pub reduction: &'e Arc<Expr>,
    /// A step: whether the segment has an element at a position, and the accumulator after it.
    pub step: &'e Lambda,
    /// The position in the segment.
    pub position: &'e Var,
    /// The number of elements of the segment, a variable.
    pub count: &'e Arc<Expr>,
    /// The accumulator before the first.
    pub initial: &'e Arc<Expr>,
    /// The most elements that a segment has.
    pub most: &'e Nat,
    /// What a step does with the accumulator, at a position. Values that the step binds are written out in
    /// it: it is for looking at, and not for computing with.
    pub combination: Lambda,
}

impl<'e> Segment<'e> {
    /// The parts of the reduction of a segment.
    pub fn of(expr: &'e Expr) -> Option<Segment<'e>> {
        let ExprKind::Let { bindings, body: reduction } = &expr.kind else { return None };
        let ExprKind::Reduce(ReduceKind::While, step, initial, steps) = &reduction.kind else { return None };
        let most = &steps.ty.as_array()?.length;
        let position = step.index.as_ref()?;
        let ExprKind::Tuple(parts) = &step.body.kind else { return None };
        let [goes_on, next] = parts.as_slice() else { return None };
        let ExprKind::Binary(BinaryOperator::Less, counter, count) = &goes_on.kind else { return None };
        let ExprKind::Variable(counted) = &count.kind else { return None };
        let is_counter =
            matches!(&counter.kind, ExprKind::Size(size) if size.as_variable() == Some(position));
        let is_wide = counter.ty == Type::Scalar(ScalarType::I64);
        let [(accumulator, _), (element, _)] = step.parameters.as_slice() else { return None };
        let is_outside = counted.id != accumulator.id && counted.id != element.id;
        // A position of an element must lie inside of its array, also in steps that are not taken.
        let is_number = !mentions_size(&without_numbers(next), position);
        let is_element = initial.ty.is_element();
        if !is_element || !is_counter || !is_wide || !is_outside || mentions(next, element) || !is_number {
            return None;
        }
        let body = written_out(next, &mut MOST_BINDINGS.clone())?;
        let combination = Lambda { index: None, body, ..step.clone() };
        Some(Segment { bindings, reduction, step, position, count, initial, most, combination })
    }
}

/// An expression in which 0 stands for sizes that are used as numbers.
fn without_numbers(expr: &Arc<Expr>) -> Arc<Expr> {
    match &expr.kind {
        ExprKind::Size(_) => {
            Arc::new(Expr { kind: ExprKind::Literal(Literal::Integer(0)), ..(**expr).clone() })
        }
        _ => expr.with_children(&mut |child| without_numbers(child)),
    }
}
