//! Reporting a mistake: where it is, and what of its surroundings its message needs.

use std::sync::Arc;

use super::environment::Head;
use super::error::{CallMistake, Callee, Error, KnownType, Meant, Remedy};
use super::inference::Inference;
use super::unknowns::{Mismatch, Unknowns};
use crate::ir::primitive::vocabulary::is_function_of_the_language;
use crate::ir::scalar::ScalarClass;
use crate::ir::source::Source;
use crate::ir::typed;
use crate::ir::types::{ArrayType, Type};

impl Inference<'_> {
    /// Where a message about something at `source` points. Definitions of the prelude have no place of their
    /// own: it points at their use.
    pub(super) fn located(&self, source: Source) -> Source {
        if source != Source::UNKNOWN {
            return source;
        }
        self.derived.last().map_or(Source::UNKNOWN, |derivation| derivation.source)
    }

    /// Reports a mistake. An item that is inlined is right by itself, so that a mistake found there is in its
    /// call.
    pub(super) fn report(&mut self, error: Error) {
        let error = match self.inlined.first() {
            Some((name, source)) => Error { source: *source, in_call_of: Some((*name).to_owned()), ..error },
            None => Error { source: self.located(error.source), ..error },
        };
        let is_known = |reported: &Error| {
            let is_same = || reported.diagnostic().message == error.diagnostic().message;
            reported.source == error.source && (error.source != Source::UNKNOWN || is_same())
        };
        if !self.errors.iter().any(is_known) {
            self.errors.push(error);
        }
    }

    /// Reports a mistake, and returns an expression that replaces the one that has it.
    pub(super) fn fail(&mut self, error: Error) -> typed::Expr {
        let source = error.source;
        self.report(error);
        self.mistake(source)
    }

    /// An expression in the place of one whose mistake was reported. Its type equals every type.
    pub(super) fn mistake(&mut self, source: Source) -> typed::Expr {
        self.node(typed::ExprKind::Tuple(Vec::new()), Unknowns::mistake(), source)
    }

    /// A function, as messages call it.
    pub(super) fn callee(&self, head: &Head<'_>) -> Callee {
        match head {
            Head::Primitive(row) => Callee::Primitive(row),
            Head::Builtin(builtin, _) => Callee::Builtin(builtin.name()),
            Head::Operator(_, name) => Callee::Builtin(name),
            Head::Negate => Callee::Builtin("neg"),
            Head::Identity => Callee::Builtin("id"),
            Head::Closure(_) => Callee::Lambda,
            Head::Item(item) => Callee::Item {
                name: self.items.name(*item).to_owned(),
                parameters: self.items.parameters(*item),
            },
            Head::Composition(..) => Callee::Composition,
        }
    }

    /// The mistake of a call with the wrong number of arguments.
    pub(super) fn arity_mistake(&self, head: &Head<'_>, given: usize) -> CallMistake {
        CallMistake::Arguments { callee: self.callee(head), takes: self.arity(head), given }
    }

    /// A type as far as it is known.
    pub(super) fn known(&self, ty: &Type) -> KnownType {
        match self.unknowns.class(ty) {
            Some(
                class @ (ScalarClass::Float | ScalarClass::Integer | ScalarClass::Number | ScalarClass::Bits),
            ) if self.unknowns.declared_name(ty).is_none() => KnownType::Scalar(class),
            Some(_) | None => {
                let ty = simplified_lengths(&self.unknowns.resolve(ty), self);
                KnownType::Type(ty, self.unknowns.declared_names())
            }
        }
    }

    /// Like [`Self::known`], but a number whose type is open is just called a number.
    pub(super) fn known_roughly(&self, ty: &Type) -> KnownType {
        match self.unknowns.class(ty) {
            Some(_) if self.unknowns.declared_name(ty).is_none() => KnownType::Scalar(ScalarClass::Number),
            Some(_) | None => self.known(ty),
        }
    }

    /// What was meant by a function in the place of a value: perhaps a Rust variable that the function hides.
    pub(super) fn meant_by(&self, callee: &Callee) -> Meant {
        match callee.name() {
            Some(name) if self.captures.is_some() && is_function_of_the_language(name) => {
                Meant::PerhapsVariable
            }
            Some(_) | None => Meant::Function,
        }
    }

    /// The `where` clause that would make the sizes of a mismatch equal.
    pub(super) fn clause_for(&self, mismatch: &Mismatch) -> Option<Remedy> {
        match mismatch {
            Mismatch::Shape => None,
            Mismatch::Size(left, right) => {
                self.clause_for_equality(&self.simplified(left), &self.simplified(right))
            }
        }
    }

    /// A mismatch with its sizes simplified.
    pub(super) fn simplified_mismatch(&self, mismatch: &Mismatch) -> Mismatch {
        match mismatch {
            Mismatch::Shape => Mismatch::Shape,
            Mismatch::Size(left, right) => Mismatch::Size(self.simplified(left), self.simplified(right)),
        }
    }
}

fn simplified_lengths(ty: &Type, inference: &Inference<'_>) -> Type {
    match ty {
        Type::Scalar(_) | Type::Vector(..) | Type::Size => ty.clone(),
        Type::Tuple(components) => {
            Type::Tuple(components.iter().map(|component| simplified_lengths(component, inference)).collect())
        }
        Type::Array(array) => Type::Array(Arc::new(ArrayType {
            index: array.index.clone(),
            element: simplified_lengths(&array.element, inference),
            length: inference.simplified(&array.length),
        })),
    }
}
