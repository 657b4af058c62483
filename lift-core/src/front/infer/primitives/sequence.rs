//! `concat`, `slice`, `generate`, `repeat`, `unzip`, `tuple`, `increase`: arrays made of arrays, values and
//! positions.

use std::sync::Arc;

use super::super::environment::{Argument, Function, Head};
use super::super::error::{ArrayMistake, Error, Taker};
use super::super::inference::{Inference, shared};
use super::super::unknowns::Mismatch;
use super::call::Call;
use crate::front::syntax::{Pattern, PatternKind};
use crate::ir::nat::Nat;
use crate::ir::scalar::ScalarClass;
use crate::ir::typed::result::{self, array};
use crate::ir::typed::{self, ExprKind, Lambda, Layout};
use crate::ir::types::{ArrayType, Type};

impl<'a> Inference<'a> {
    /// `[A; n] -> [A; m] -> [A; n + m]`
    pub(super) fn concat(&mut self, call: &Call, given: Vec<Argument<'a>>) -> typed::Expr {
        let values: Vec<typed::Expr> =
            given.into_iter().map(|argument| self.argument_value(argument)).collect();
        let mut arrays: Vec<Arc<ArrayType>> = Vec::new();
        for value in &values {
            let regular = self.regular(call, value);
            arrays.extend(
                regular.map(|(element, length)| Arc::new(ArrayType { index: None, element, length })),
            );
        }
        match array::concat(&arrays, &mut self.asked("concat", call.source)) {
            Ok(ty) if arrays.len() == values.len() => {
                self.node(ExprKind::Concat(shared(values)), ty, call.source)
            }
            Err(result::Mismatch::Types { sizes, .. }) => {
                let types = values.iter().map(|value| self.known(&value.ty)).collect();
                let mismatch = sizes.map_or(Mismatch::Shape, |(left, right)| Mismatch::Size(left, right));
                let mismatch = self.simplified_mismatch(&mismatch);
                self.fail(Error::new(call.source, ArrayMistake::Concatenated { types, mismatch }))
            }
            // What is no array was reported.
            Ok(_) | Err(_) => self.mistake(call.source),
        }
    }

    /// `[A; n] -> [A; len]`
    pub(super) fn slice(&mut self, call: &Call, given: Vec<Argument<'a>>, data: typed::Expr) -> typed::Expr {
        let array = self.array(call, &data);
        let sizes = self.sizes(call, given);
        let (Some(array), Some(sizes)) = (array, sizes) else { return self.mistake(call.source) };
        let [start, length] = sizes.as_slice() else { return self.mistake(call.source) };
        let written = self.written_call(call, &[start.to_string(), length.to_string()]);
        let layout = Layout::Slice { start: start.clone(), length: length.clone() };
        self.layout(call, &written, layout, &array, data)
    }

    /// `(size -> A) -> [A; n]`
    pub(super) fn generate(&mut self, call: &Call, given: Vec<Argument<'a>>) -> typed::Expr {
        let mut given = given.into_iter();
        let (Some(length), Some(function)) = (given.next(), given.next()) else {
            return self.mistake(call.source);
        };
        let name = self.written_name(call).to_owned();
        let length = self.natural_argument(length, &name);
        let Some(function) = self.function_without_position(function, Taker::OfPositions) else {
            return self.mistake(call.source);
        };
        let Some(length) = length else { return self.mistake(call.source) };
        let index = self.unknowns.vars.fresh(position_name(&function));
        let written = function.source;
        let body = self.under_index(&index, &length, |this| {
            this.in_frame(|this| {
                let position = this.size_value(Nat::variable(&index), written);
                let value = this.apply(function, vec![position], written);
                this.as_stored(value)
            })
        });
        if self.unknowns.is_mistake(&body.ty) {
            return self.mistake(call.source);
        }
        let asked = self.asked(&name, call.source);
        let ty = array::of_results(Some(&index), &body.ty, length.clone(), &asked);
        let lambda = Lambda { parameters: Vec::new(), index: Some(index), body: Arc::new(body) };
        self.node(ExprKind::Generate(length, lambda), ty, call.source)
    }

    /// `A -> [A; n]`
    pub(super) fn repeat(
        &mut self,
        call: &Call,
        given: Vec<Argument<'a>>,
        value: typed::Expr,
    ) -> typed::Expr {
        let Some(length) = self.sizes(call, given).and_then(|sizes| sizes.into_iter().next()) else {
            return self.mistake(call.source);
        };
        let value = self.as_stored(value);
        if self.unknowns.is_mistake(&value.ty) {
            return self.mistake(call.source);
        }
        let ty = array::of_length(value.ty.clone(), &length, &self.asked(call.row.name, call.source));
        self.node(ExprKind::Repeat(length, Arc::new(value)), ty, call.source)
    }

    /// `[(A, B); n] -> ([A; n], [B; n])`
    pub(super) fn unzip(&mut self, call: &Call, data: typed::Expr) -> typed::Expr {
        let Some(array) = self.array(call, &data) else { return self.mistake(call.source) };
        if self.unknowns.is_mistake(&array.element) {
            return self.mistake(call.source);
        }
        let Ok(ty) = array::unzip(&array, &self.asked(call.row.name, call.source)) else {
            let mistake = ArrayMistake::Unzipped { row: call.row, ty: self.known(&data.ty) };
            return self.fail(Error::new(data.source, mistake));
        };
        self.node(ExprKind::Unzip(Arc::new(data)), ty, call.source)
    }

    /// `(a, b, …)`
    pub(super) fn tuple(&mut self, call: &Call, values: Vec<typed::Expr>) -> typed::Expr {
        let ty = Type::Tuple(values.iter().map(|value| value.ty.clone()).collect());
        self.node(ExprKind::Tuple(shared(values)), ty, call.source)
    }

    /// `[A; n] -> [A; n]`
    pub(super) fn increase(
        &mut self,
        call: &Call,
        given: Vec<Argument<'a>>,
        data: typed::Expr,
    ) -> typed::Expr {
        let array = self.array(call, &data);
        let sizes = self.sizes(call, given);
        let (Some(array), Some(sizes)) = (array, sizes) else { return self.mistake(call.source) };
        let [left, right] = sizes.as_slice() else { return self.mistake(call.source) };
        let layout = Layout::Increase { left: left.clone(), right: right.clone() };
        self.satisfied_layout(call, layout, &array, data)
    }

    /// A value that becomes an element of an array: the sizes in it become integers.
    pub(in crate::front::infer) fn as_stored(&mut self, value: typed::Expr) -> typed::Expr {
        match value.kind {
            ExprKind::Size(_) if value.ty == Type::Size => {
                let integer = self.unknowns.fresh_scalar(ScalarClass::Integer);
                typed::Expr { ty: integer, ..value }
            }
            ExprKind::Tuple(parts) => {
                let stored = |part| Arc::new(self.as_stored(Arc::unwrap_or_clone(part)));
                let parts: Vec<Arc<typed::Expr>> = parts.into_iter().map(stored).collect();
                let ty = match parts.as_slice() {
                    // The tuple without components stands for a mistake.
                    [] => value.ty,
                    _ => Type::Tuple(parts.iter().map(|part| part.ty.clone()).collect()),
                };
                typed::Expr { ty, kind: ExprKind::Tuple(parts), ..value }
            }
            ExprKind::Let { bindings, body } => {
                let body = self.as_stored(Arc::unwrap_or_clone(body));
                let ty = body.ty.clone();
                let kind = ExprKind::Let { bindings, body: Arc::new(body) };
                typed::Expr { ty, kind, ..value }
            }
            _ => value,
        }
    }
}

/// The user's name for the position that a function takes.
pub(in crate::front::infer) fn position_name<'f>(function: &'f Function<'_>) -> &'f str {
    match &function.head {
        Head::Closure(closure) => {
            closure.patterns.get(function.given.len()).and_then(pattern_name).unwrap_or("i")
        }
        Head::Primitive(_)
        | Head::Builtin(..)
        | Head::Operator(..)
        | Head::Negate
        | Head::Identity
        | Head::Item(_)
        | Head::Composition(..) => "i",
    }
}

fn pattern_name(pattern: &Pattern) -> Option<&str> {
    match &pattern.kind {
        PatternKind::Name(name) => Some(name),
        PatternKind::Typed(pattern, _) => pattern_name(pattern),
        PatternKind::Wildcard | PatternKind::Tuple(_) | PatternKind::Array(_) => None,
    }
}
