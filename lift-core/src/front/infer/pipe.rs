//! Pipelines: `a >> f >> g`, and compositions `f >> g`.
//!
//! The place of a call in a pipeline is `f` alone, without what stands before it, and its mistakes are
//! underlined there. The value that reaches it stands elsewhere, perhaps many lines above, so messages
//! describe it in words.

use std::sync::Arc;

use super::clauses::spelling;
use super::environment::{Argument, Elaborated, Environment, Function, Head};
use super::error::{Reached, Subject};
use super::inference::Inference;
use super::primitives::call::{spelled, written_call};
use crate::front::syntax::{Expr, ExprKind};
use crate::ir::source::Source;
use crate::ir::typed;
use crate::ir::types::Type;

/// What reaches a call.
struct Given {
    ty: Type,
    source: Source,
}

impl<'a> Inference<'a> {
    /// `left >> right`: application to a value, composition of two functions.
    pub(super) fn pipe(
        &mut self,
        left: &'a Expr,
        right: &'a Expr,
        source: Source,
        names: &Environment<'a>,
    ) -> Elaborated<'a> {
        let origin = origin(left);
        let written = left;
        let left = self.expression(left, names);
        if let Elaborated::Value(value) = &left
            && let Some(error) = self.no_shift(written, value, right, names)
        {
            return Elaborated::Value(self.fail(error));
        }
        let call = right.source;
        let Some(right) = self.function(right, names, source) else {
            return Elaborated::Value(self.mistake(source));
        };
        self.piped(left, right, origin, (call, source))
    }

    /// `left >> f`: `f` applied to a value, or composed with a function. The sources are that of `f` and that
    /// of the whole expression.
    pub(super) fn piped(
        &mut self,
        left: Elaborated<'a>,
        right: Function<'a>,
        origin: Option<String>,
        (call, source): (Source, Source),
    ) -> Elaborated<'a> {
        match left {
            Elaborated::Value(value) => self.reach(right, value, origin, call),
            Elaborated::Function(left) => {
                let head = Head::Composition(Arc::new(left), Arc::new(right));
                Elaborated::Function(Function::new(head, source))
            }
        }
    }

    /// Applies a function to the value that a pipeline gives it. `origin` is the expression of the value,
    /// unless that is just a name.
    pub(super) fn reach(
        &mut self,
        function: Function<'a>,
        value: typed::Expr,
        origin: Option<String>,
        call: Source,
    ) -> Elaborated<'a> {
        let known = self.errors.len();
        let given = Given { ty: value.ty.clone(), source: value.source };
        let applied = match self.call(function, vec![Argument::value(value)], call) {
            Elaborated::Function(Function { head: Head::Primitive(row), given, source })
                if let Some(error) = self.misplaced(row, &given, source) =>
            {
                Elaborated::Value(self.fail(error))
            }
            applied => applied,
        };
        if let Some(origin) = origin {
            self.say_what_reaches(known, &given, &origin, call);
        }
        applied
    }

    /// Points the mistakes of a call in a pipeline at the call, and says what reaches it.
    fn say_what_reaches(&mut self, known: usize, given: &Given, origin: &str, call: Source) {
        if call == Source::UNKNOWN || self.unknowns.is_mistake(&given.ty) {
            return;
        }
        let ty = self.known(&given.ty);
        for error in self.errors.iter_mut().skip(known) {
            let subject = match error.source {
                source if source == given.source => Subject::Value,
                source if source == call => Subject::Call,
                _ => continue,
            };
            error.source = call;
            error.reached.push(Reached { ty: ty.clone(), origin: origin.to_owned(), subject });
        }
    }

    /// A function as the user wrote it, with `…` for what would be long.
    pub(super) fn spelled_function(&self, function: &Function<'a>) -> String {
        if let Head::Composition(_, last) = &function.head {
            return self.spelled_function(last);
        }
        if let Head::Closure(_) = &function.head {
            return "…".to_owned();
        }
        let given: Vec<String> = function.given.iter().map(spelled).collect();
        written_call(self.callee(&function.head).name().unwrap_or("…"), &given)
    }
}

/// The expression that a value comes from; of a pipeline, the last call. `None` for a name.
pub(super) fn origin(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Name(_) => None,
        ExprKind::Pipe(_, last) => Some(spelling(last)),
        _ => Some(spelling(expr)),
    }
}
