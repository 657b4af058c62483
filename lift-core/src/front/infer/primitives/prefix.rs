//! `scan`, `scanSeq` and `scanInclusive`: all prefixes of a reduction.

use std::sync::Arc;

use super::super::environment::Argument;
use super::super::error::{ArrayMistake, Error};
use super::super::inference::Inference;
use super::super::unknowns::Unknowns;
use super::call::Call;
use crate::ir::nat::Nat;
use crate::ir::scalar::{Literal, ScalarType};
use crate::ir::source::Source;
use crate::ir::typed::result::array;
use crate::ir::typed::{self, ExprKind, Lambda, ScanKind};
use crate::ir::types::{ArrayType, Type};

impl<'a> Inference<'a> {
    /// `((B, A) -> B) -> B -> [A; n] -> [B; n]`
    pub(super) fn scan(
        &mut self,
        call: &Call,
        kind: ScanKind,
        given: Vec<Argument<'a>>,
        data: typed::Expr,
    ) -> typed::Expr {
        let array =
            self.regular(call, &data).map(|(element, length)| ArrayType { index: None, element, length });
        let Some((lambda, initial)) = self.accumulation(call, given, array.as_ref()) else {
            return self.mistake(call.source);
        };
        let Some(ty) = array.and_then(|array| array::scan(kind, &array, &initial.ty).ok()) else {
            return self.mistake(call.source);
        };
        self.node(ExprKind::Scan(kind, lambda, Arc::new(initial), Arc::new(data)), ty, call.source)
    }

    /// `((A, A) -> A) -> [A; n] -> [A; n]`
    pub(super) fn scan_inclusive(
        &mut self,
        call: &Call,
        given: Vec<Argument<'a>>,
        data: typed::Expr,
    ) -> typed::Expr {
        let array = self.regular(call, &data);
        let Some(function) = given.into_iter().next().and_then(|argument| self.function_argument(argument))
        else {
            return self.mistake(call.source);
        };
        let (element, length) = array.unwrap_or_else(|| (Unknowns::mistake(), Nat::zero()));
        let array = ArrayType { index: None, element: element.clone(), length };
        let written = function.source;
        let lambda = self.at_position(&array, function, |this, index, function, element| {
            let parameters = [("acc", element.clone()), ("x", element)];
            Lambda { index, ..this.lambda(function, &parameters) }
        });
        if let Err(mismatch) = self.unify(&lambda.body.ty, &element, "scanInclusive", call.source) {
            let mistake = ArrayMistake::Scanned {
                found: self.known(&lambda.body.ty),
                element: self.known(&element),
                mismatch: self.simplified_mismatch(&mismatch),
            };
            return self.fail(Error::new(written, mistake));
        }
        if self.unknowns.is_mistake(&data.ty) || self.unknowns.is_mistake(&lambda.body.ty) {
            return self.mistake(call.source);
        }
        let initial = self.zero(&element, call.source);
        let ty = data.ty.clone();
        let kind = ExprKind::Scan(ScanKind::Inclusive, lambda, Arc::new(initial), Arc::new(data));
        self.node(kind, ty, call.source)
    }

    /// A value of a type, made of zeros.
    fn zero(&mut self, ty: &Type, source: Source) -> typed::Expr {
        let kind = match self.unknowns.outermost(ty) {
            Type::Scalar(ScalarType::Bool) => ExprKind::Literal(Literal::Bool(false)),
            // An open type that turns out to be `bool` makes `false` of it.
            Type::Scalar(_) | Type::Size => ExprKind::Literal(Literal::Integer(0)),
            Type::Vector(lane, _) => ExprKind::Broadcast(Arc::new(self.zero(&Type::Scalar(lane), source))),
            Type::Tuple(components) => {
                let zeros = components.iter().map(|component| Arc::new(self.zero(component, source)));
                ExprKind::Tuple(zeros.collect())
            }
            Type::Array(array) => {
                let element = self.zero(&array.element, source);
                ExprKind::Repeat(array.length.clone(), Arc::new(element))
            }
        };
        self.node(kind, ty.clone(), source)
    }
}
