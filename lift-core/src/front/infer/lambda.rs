//! Functions that primitives apply. Each becomes a lambda, whose body is the function applied to the values
//! that the primitive gives it.

use std::sync::Arc;

use super::arity::takes_tuple;
use super::environment::{Argument, Elaborated, Function, Head};
use super::error::{CallMistake, Error};
use super::inference::{Inference, shared};
use crate::front::syntax::{Pattern, PatternKind};
use crate::ir::source::Source;
use crate::ir::typed::{self, Lambda};
use crate::ir::types::Type;

/// What a lambda under a primitive adds to the depth of an expression: typing it takes the stack of this many
/// calls.
const LAMBDA_DEPTH: usize = 4;

impl<'a> Inference<'a> {
    /// Applies a function to the values that a primitive gives it.
    pub(super) fn apply(
        &mut self,
        function: Function<'a>,
        values: Vec<typed::Expr>,
        source: Source,
    ) -> typed::Expr {
        let values = self.adapt(&function, values);
        let written = function.source;
        let callee = self.callee(&function.head);
        let arguments = values.into_iter().map(Argument::value).collect();
        match self.call(function, arguments, source) {
            Elaborated::Value(value) => value,
            Elaborated::Function(result) => {
                let inside = if result.source == source { written } else { result.source };
                let result = Function { source: inside, ..result };
                let error = match &result.head {
                    Head::Primitive(_) if let Some(error) = self.incomplete(&result) => error,
                    Head::Primitive(row) => {
                        Error::new(written, CallMistake::AppliedToTooLittle { callee, row })
                    }
                    Head::Builtin(..)
                    | Head::Operator(..)
                    | Head::Negate
                    | Head::Identity
                    | Head::Closure(_)
                    | Head::Item(_)
                    | Head::Composition(..) => self.function_as_value(&result),
                };
                self.fail(error)
            }
        }
    }

    /// The values as the function takes them: a function of k parameters takes the components of one k-tuple,
    /// and one that takes a k-tuple apart takes k values.
    fn adapt(&mut self, function: &Function<'a>, values: Vec<typed::Expr>) -> Vec<typed::Expr> {
        let function = first_applied(function);
        let lacking = match (self.arity(&function.head), &function.head) {
            (Some(arity), Head::Primitive(_)) if arity > function.given.len() + 1 => return values,
            (Some(arity), _) => arity.saturating_sub(function.given.len()),
            (None, _) => {
                let is_tuple = |value: &typed::Expr| match self.unknowns.outermost(&value.ty) {
                    Type::Tuple(components) => components.len(),
                    Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Array(_) => 1,
                };
                values.first().map_or(1, is_tuple)
            }
        };
        match (lacking, values.len()) {
            (1, count) if count > 1 && takes_tuple(&function.head) => {
                let ty = Type::Tuple(values.iter().map(|value| value.ty.clone()).collect());
                let source = function.source;
                vec![self.node(typed::ExprKind::Tuple(shared(values)), ty, source)]
            }
            (count, 1) if count > 1 => {
                let Some(value) = values.into_iter().next() else { return Vec::new() };
                let types: Vec<Type> = (0..count).map(|_| self.unknowns.fresh()).collect();
                let tuple = Type::Tuple(types.clone());
                let is_mistake = self.unknowns.is_mistake(&value.ty);
                match self.unify(&value.ty, &tuple, "this function", value.source) {
                    Ok(()) if is_mistake => (0..count).map(|_| self.mistake(value.source)).collect(),
                    Ok(()) => self.spread(value, types),
                    Err(_) => {
                        let (callee, ty) = (self.callee(&function.head), self.known(&value.ty));
                        let mistake = CallMistake::OneValue { callee, takes: count, ty };
                        let mistake = self.fail(Error::new(function.source, mistake));
                        (0..count).map(|_| self.mistake(mistake.source)).collect()
                    }
                }
            }
            _ => values,
        }
    }

    /// The lambda that a primitive applies, given the types of its parameters and names for those that the
    /// user has not named.
    pub(super) fn lambda(&mut self, function: Function<'a>, parameters: &[(&str, Type)]) -> Lambda {
        let names = parameter_names(first_applied(&function), parameters);
        let variables: Vec<(typed::Variable, Type)> = names
            .iter()
            .zip(parameters)
            .map(|(name, (_, ty))| (self.fresh_variable(name), ty.clone()))
            .collect();
        if let (Some(mapped), [(variable, _)]) = (self.mapped.take(), variables.as_slice()) {
            self.rows_of.insert(variable.clone(), mapped);
        }
        let written = function.source;
        self.depth += LAMBDA_DEPTH;
        let body = self.in_frame(|this| {
            let values = variables
                .iter()
                .map(|(variable, ty)| {
                    if this.unknowns.is_mistake(ty) {
                        let mistake = this.mistake(written);
                        typed::Expr { ty: ty.clone(), ..mistake }
                    } else {
                        this.variable(variable, ty, written)
                    }
                })
                .collect();
            this.apply(function, values, written)
        });
        self.depth = self.depth.saturating_sub(LAMBDA_DEPTH);
        Lambda { parameters: variables, index: None, body: Arc::new(body) }
    }
}

/// The function of a composition that is applied first.
fn first_applied<'f, 'a>(function: &'f Function<'a>) -> &'f Function<'a> {
    let mut function = function;
    while let Head::Composition(first, _) = &function.head {
        function = first;
    }
    function
}

/// The user's names for the parameters of a lambda, where there are some.
fn parameter_names(function: &Function<'_>, parameters: &[(&str, Type)]) -> Vec<String> {
    let patterns: &[Pattern] = match &function.head {
        Head::Closure(closure) => closure.patterns.get(function.given.len()..).unwrap_or_default(),
        Head::Primitive(_)
        | Head::Builtin(..)
        | Head::Operator(..)
        | Head::Negate
        | Head::Identity
        | Head::Item(_)
        | Head::Composition(..) => &[],
    };
    let alike = patterns.len() == parameters.len();
    let named = |position: usize| patterns.get(position).filter(|_| alike).and_then(pattern_name);
    parameters
        .iter()
        .enumerate()
        .map(|(position, (name, _))| named(position).unwrap_or(name).to_owned())
        .collect()
}

fn pattern_name(pattern: &Pattern) -> Option<&str> {
    match &pattern.kind {
        PatternKind::Name(name) => Some(name),
        PatternKind::Typed(pattern, _) => pattern_name(pattern),
        PatternKind::Wildcard | PatternKind::Tuple(_) | PatternKind::Array(_) => None,
    }
}
