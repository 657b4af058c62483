//! `reduceWhile` and `iterateWhile`: loops of one work-item that end when data says so.
//!
//! A `reduceWhile` is a reduction in order whose function also says whether to go on
//! ([`ReduceKind::While`]). An `iterateWhile` is one over `limit` steps that have no elements; inference makes
//! one function of its condition and its function. The limit makes both end always.

use std::sync::Arc;

use super::super::environment::{Argument, Function};
use super::super::error::{ArrayMistake, Error, Taker};
use super::super::inference::Inference;
use super::call::Call;
use crate::ir::nat::Nat;
use crate::ir::scalar::{Literal, ScalarType};
use crate::ir::typed::{self, ExprKind, Lambda, ReduceKind};
use crate::ir::types::{ArrayType, Type};

impl<'a> Inference<'a> {
    /// `((B, A) -> (bool, B)) -> B -> [A; n] -> B`
    pub(super) fn reduce_while(
        &mut self,
        call: &Call,
        given: Vec<Argument<'a>>,
        data: typed::Expr,
    ) -> typed::Expr {
        let array = self.array(call, &data);
        let mut given = given.into_iter();
        let (Some(function), Some(initial)) = (given.next(), given.next()) else {
            return self.mistake(call.source);
        };
        let initial = self.argument_value(initial);
        let initial = match &array {
            Some(array) => self.size_as_integer(initial, &array.element),
            None => initial,
        };
        let initial = self.sized_integer(initial);
        let initial = self.as_stored(initial);
        if self.unknowns.is_mistake(&initial.ty) {
            return self.mistake(call.source);
        }
        let (Some(function), Some(array)) = (self.function_argument(function), array) else {
            return self.mistake(call.source);
        };
        let written = function.source;
        let (mut lambda, initial) = self.at_position(&array, function, |this, index, function, element| {
            let (lambda, initial) = this.widening(function, initial, element, next_of_step);
            (Lambda { index, ..lambda }, initial)
        });
        lambda.body = Arc::new(self.fit_step(Arc::unwrap_or_clone(lambda.body), &initial.ty));
        let wanted = ReduceKind::While.step(&initial.ty);
        if let Err(mismatch) = self.unify(&lambda.body.ty, &wanted, call.row.name, call.source) {
            let (name, mismatch) = (self.written_name(call), self.simplified_mismatch(&mismatch));
            let accumulator = self.known(&initial.ty);
            let mistake = match &self.unknowns.resolve(&lambda.body.ty) {
                // Its user knows nothing of the truth value.
                Type::Tuple(parts) if let ("reduceSegments", [_, next]) = (name, parts.as_slice()) => {
                    ArrayMistake::Accumulator { name, found: self.known(next), accumulator, mismatch }
                }
                found => ArrayMistake::Step { name, found: self.known(found), accumulator, mismatch },
            };
            return self.fail(Error::new(written, mistake));
        }
        if self.unknowns.is_mistake(&lambda.body.ty) {
            return self.mistake(call.source);
        }
        let ty = initial.ty.clone();
        self.node(
            ExprKind::Reduce(ReduceKind::While, lambda, Arc::new(initial), Arc::new(data)),
            ty,
            call.source,
        )
    }

    /// `size -> (A -> bool) -> (A -> A) -> A -> A`
    pub(super) fn iterate_while(
        &mut self,
        call: &Call,
        given: Vec<Argument<'a>>,
        initial: typed::Expr,
    ) -> typed::Expr {
        let mut given = given.into_iter();
        let (Some(limit), Some(condition), Some(function)) = (given.next(), given.next(), given.next())
        else {
            return self.mistake(call.source);
        };
        let name = self.written_name(call);
        let limit = self.natural_argument(limit, name);
        if self.is_array(&initial, [&condition, &function]) {
            return self.iterate_array_while(call, limit, [condition, function], initial);
        }
        let condition = self.function_without_position(condition, Taker::Primitive(name));
        let function = self.function_argument(function);
        let initial = self.accumulated(call, initial);
        let (Some(limit), Some(condition), Some(function), Some(initial)) =
            (limit, condition, function, initial)
        else {
            return self.mistake(call.source);
        };
        let step = Type::Scalar(ScalarType::I32);
        let steps = ArrayType { index: None, element: step.clone(), length: limit.clone() };
        let joined = self.at_position(&steps, function, |this, index, function, _| {
            let next = this.next_value(call, function, &initial)?;
            let goes_on = this.condition_of(call, condition, &initial)?;
            Some(Lambda { index, ..this.one_step(next, goes_on, step.clone()) })
        });
        let Some(lambda) = joined else { return self.mistake(call.source) };
        let zero = self.node(ExprKind::Literal(Literal::Integer(0)), step.clone(), call.source);
        let steps =
            self.node(ExprKind::Repeat(limit.clone(), Arc::new(zero)), Type::array(step, limit), call.source);
        let ty = initial.ty.clone();
        self.node(
            ExprKind::Reduce(ReduceKind::While, lambda, Arc::new(initial), Arc::new(steps)),
            ty,
            call.source,
        )
    }

    /// Whether an `iterateWhile` starts with an array. The type of a Rust variable is unknown; only the
    /// condition and the function tell. So they are typed on trial, and typed again once this is decided.
    fn is_array(&mut self, initial: &typed::Expr, functions: [&Argument<'a>; 2]) -> bool {
        let is_array = |this: &Self| this.unknowns.outermost(&initial.ty).as_array().is_some();
        if !self.unknowns.is_open(&initial.ty) {
            return is_array(self);
        }
        let before = self.snapshot();
        for function in functions {
            if let Some(function) = self.function_argument(function.clone()) {
                self.lambda(function.at(&Nat::zero()), &[("z", initial.ty.clone())]);
            }
        }
        let found = is_array(self);
        self.restore(before);
        found
    }

    /// The value that such a loop starts with: a number, a vector or a tuple of such. `None` after a mistake.
    pub(super) fn accumulated(&mut self, call: &Call, initial: typed::Expr) -> Option<typed::Expr> {
        let initial = self.sized_integer(initial);
        let initial = self.as_stored(initial);
        if self.unknowns.is_mistake(&initial.ty) {
            return None;
        }
        if !self.unknowns.resolve(&initial.ty).is_element() {
            let mistake =
                ArrayMistake::NoElement { name: self.written_name(call), found: self.known(&initial.ty) };
            self.report(Error::new(initial.source, mistake));
            return None;
        }
        Some(initial)
    }

    /// The pair of a truth value and an accumulator, whose scalars become vectors where the accumulator has
    /// vectors.
    fn fit_step(&mut self, step: typed::Expr, accumulator: &Type) -> typed::Expr {
        match step.kind {
            ExprKind::Tuple(mut parts) if parts.len() == 2 => {
                if let Some(next) = parts.pop() {
                    let next = self.fit(Arc::unwrap_or_clone(next), accumulator);
                    parts.push(Arc::new(self.as_stored(next)));
                }
                let ty = Type::Tuple(parts.iter().map(|part| part.ty.clone()).collect());
                typed::Expr { ty, kind: ExprKind::Tuple(parts), ..step }
            }
            ExprKind::Let { bindings, body } => {
                let body = self.fit_step(Arc::unwrap_or_clone(body), accumulator);
                let ty = body.ty.clone();
                typed::Expr { ty, kind: ExprKind::Let { bindings, body: Arc::new(body) }, ..step }
            }
            kind => typed::Expr { kind, ..step },
        }
    }

    /// The function of an `iterateWhile`. `None` after a mistake.
    fn next_value(&mut self, call: &Call, function: Function<'a>, initial: &typed::Expr) -> Option<Lambda> {
        let written = function.source;
        let mut next = self.lambda(function, &[("z", initial.ty.clone())]);
        let body = self.fit(Arc::unwrap_or_clone(next.body), &initial.ty);
        next.body = Arc::new(self.as_stored(body));
        let name = self.written_name(call);
        if let Err(mismatch) = self.unify(&next.body.ty, &initial.ty, name, call.source) {
            let mismatch = self.simplified_mismatch(&mismatch);
            let (found, initial) = (self.known(&next.body.ty), self.known(&initial.ty));
            let mistake = ArrayMistake::Repeated { name, found, initial, mismatch };
            self.report(Error::new(written, mistake));
            return None;
        }
        (!self.unknowns.is_mistake(&next.body.ty)).then_some(next)
    }

    /// The condition of an `iterateWhile`. `None` after a mistake.
    pub(super) fn condition_of(
        &mut self,
        call: &Call,
        condition: Function<'a>,
        initial: &typed::Expr,
    ) -> Option<Lambda> {
        let written = condition.source;
        let goes_on = self.lambda(condition, &[("z", initial.ty.clone())]);
        let name = self.written_name(call);
        let truth = Type::Scalar(ScalarType::Bool);
        if self.unify(&goes_on.body.ty, &truth, name, call.source).is_err() {
            let mistake = ArrayMistake::Condition { name, found: self.known(&goes_on.body.ty) };
            self.report(Error::new(written, mistake));
            return None;
        }
        (!self.unknowns.is_mistake(&goes_on.body.ty)).then_some(goes_on)
    }

    /// One function of both: of the value and of a step, whose element it does not need.
    fn one_step(&mut self, next: Lambda, goes_on: Lambda, step: Type) -> Lambda {
        let source = next.body.source;
        let mut parameters = next.parameters;
        let mut condition = goes_on.body;
        if let ([(value, ty)], [(asked, _)]) = (parameters.as_slice(), goes_on.parameters.as_slice()) {
            let value = self.variable(value, ty, source);
            condition = condition.replace(asked, &Arc::new(value));
        }
        parameters.push((self.fresh_variable("step"), step));
        let ty = Type::Tuple(vec![condition.ty.clone(), next.body.ty.clone()]);
        let body = self.node(ExprKind::Tuple(vec![condition, next.body]), ty, source);
        Lambda { parameters, index: next.index, body: Arc::new(body) }
    }
}

/// The type of the accumulator, given the type of the pair `(goes_on, accumulator)`.
fn next_of_step(step: Type) -> Type {
    match step {
        Type::Tuple(mut parts) if parts.len() == 2 => parts.swap_remove(1),
        other => other,
    }
}
