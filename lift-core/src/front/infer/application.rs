//! Calls: `f(a, b)`, `f(a)(b)` and `b >> f(a)` are the same, and a function with too few arguments is a
//! function.

use std::sync::Arc;

use super::arity::takes_more;
use super::environment::{Argument, Binding, Elaborated, Environment, Function, Head};
use super::error::{CallMistake, Error, PositionMistake, Taker};
use super::inference::Inference;
use crate::front::syntax::{Expr, ExprKind, Identifier, Notation};
use crate::ir::primitive::ArgumentKind;
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::Literal;
use crate::ir::source::Source;
use crate::ir::typed::binders::is_atomic;
use crate::ir::types::Type;

impl<'a> Inference<'a> {
    /// `callee(arguments)` as written.
    pub(super) fn call_expression(
        &mut self,
        callee: &'a Expr,
        arguments: &'a [Expr],
        notation: Notation,
        source: Source,
        names: &Environment<'a>,
    ) -> Elaborated<'a> {
        let mut arguments: Vec<Argument<'a>> =
            arguments.iter().map(|argument| Argument::Syntax(argument, names.clone())).collect();
        if notation == Notation::Method
            && let Some(error) = self.no_method(callee, names)
        {
            self.report(error);
            self.report_mistakes_in(arguments);
            return Elaborated::Value(self.mistake(source));
        }
        if notation == Notation::Method
            && let Some(value) = self.integer_method(callee, &mut arguments, source, names)
        {
            return Elaborated::Value(value);
        }
        if notation == Notation::Method
            && let Some((builtin, arity)) = self.method_of_floats(callee, names)
        {
            return self.call(Function::new(Head::Builtin(builtin, arity), source), arguments, source);
        }
        match self.function(callee, names, source) {
            Some(function) if arguments.is_empty() && self.arity(&function.head) != Some(0) => {
                let mistake = self.arity_mistake(&function.head, 0);
                Elaborated::Value(self.fail(Error::new(source, mistake)))
            }
            Some(function) => self.call(function, arguments, source),
            None => {
                self.report_mistakes_in(arguments);
                Elaborated::Value(self.mistake(source))
            }
        }
    }

    /// The function that a method of Rust's floats means, if it has another name here and the program none of
    /// that name.
    fn method_of_floats(&self, method: &Expr, names: &Environment<'a>) -> Option<(Builtin, usize)> {
        let ExprKind::Name(name) = &method.kind else { return None };
        let function = Builtin::from_method_of_floats(name)?;
        (names.get(name).is_none() && self.items.position(name).is_none()).then_some(function)
    }

    /// Elaborates what must be a function. An unknown name is not taken for a Rust variable here.
    pub(super) fn function(
        &mut self,
        expr: &'a Expr,
        names: &Environment<'a>,
        call: Source,
    ) -> Option<Function<'a>> {
        let elaborated = match &expr.kind {
            ExprKind::Name(name) => match self.known_function(name, expr.source, names) {
                Some(Ok(elaborated)) => elaborated,
                Some(Err(argument)) => return self.function_argument(argument),
                None => {
                    let mistake = self.unknown_function(name, names);
                    self.report(Error::new(expr.source, mistake));
                    return None;
                }
            },
            _ => self.expression(expr, names),
        };
        match elaborated {
            Elaborated::Function(function) => Some(function),
            Elaborated::Value(value) if self.unknowns.is_mistake(&value.ty) => None,
            Elaborated::Value(value) => {
                if let Some(error) = self.hidden_function(expr, &value) {
                    self.report(error);
                    return None;
                }
                let ty = self.known(&value.ty);
                let mistake = match call == expr.source {
                    true => CallMistake::ValueAsFunction { ty },
                    false => CallMistake::ValueCalled { ty },
                };
                self.report(Error::new(expr.source, mistake));
                None
            }
        }
    }

    /// What a name means, or the argument that it is an alias of.
    fn known_function(
        &mut self,
        name: &str,
        source: Source,
        names: &Environment<'a>,
    ) -> Option<Result<Elaborated<'a>, Argument<'a>>> {
        if let Some(Binding::Alias(argument)) = names.get(name) {
            return Some(Err(argument.clone()));
        }
        self.known_name(name, source, names).map(Ok)
    }

    /// An argument that must be a function.
    pub(super) fn function_argument(&mut self, argument: Argument<'a>) -> Option<Function<'a>> {
        match argument {
            Argument::Syntax(expr, names) => self.function(expr, &names, expr.source),
            Argument::Elaborated(elaborated) => match *elaborated {
                Elaborated::Function(function) => Some(function),
                Elaborated::Value(value) if self.unknowns.is_mistake(&value.ty) => None,
                Elaborated::Value(value) => {
                    let ty = self.known(&value.ty);
                    self.report(Error::new(value.source, CallMistake::ValueAsFunction { ty }));
                    None
                }
            },
        }
    }

    /// An argument that must be a function, for a primitive that gives it no position. `None` after a mistake.
    pub(super) fn function_without_position(
        &mut self,
        argument: Argument<'a>,
        taker: Taker,
    ) -> Option<Function<'a>> {
        let function = self.function_argument(argument)?;
        match function.position() {
            None => Some(function),
            Some(position) => {
                self.report(no_position(position, taker));
                None
            }
        }
    }

    /// Elaborates the arguments of a wrong call, to report their own mistakes.
    pub(super) fn report_mistakes_in(&mut self, arguments: Vec<Argument<'a>>) {
        for argument in arguments {
            let harmless = match &argument {
                Argument::Syntax(expr, _) => matches!(expr.kind, ExprKind::Name(_) | ExprKind::Lambda(..)),
                Argument::Elaborated(_) => true,
            };
            if !harmless {
                self.in_open_frame(|this| this.argument(argument));
            }
        }
    }

    /// Applies a function to more arguments; the result is a function while it lacks some.
    pub(super) fn call(
        &mut self,
        function: Function<'a>,
        arguments: Vec<Argument<'a>>,
        source: Source,
    ) -> Elaborated<'a> {
        self.deeper(source, |this| this.apply_arguments(function, arguments, source), Elaborated::Value)
    }

    fn apply_arguments(
        &mut self,
        function: Function<'a>,
        arguments: Vec<Argument<'a>>,
        source: Source,
    ) -> Elaborated<'a> {
        if let Head::Composition(first, second) = &function.head {
            return match self.call(first.as_ref().clone(), arguments, first.source) {
                Elaborated::Value(value) => {
                    let origin = self.spelled_function(first);
                    self.reach(second.as_ref().clone(), value, Some(origin), second.source)
                }
                Elaborated::Function(first) => {
                    let head = Head::Composition(Arc::new(first), second.clone());
                    Elaborated::Function(Function::new(head, source))
                }
            };
        }
        let mut given = function.given;
        given.extend(arguments);
        if let Head::Primitive(row) = &function.head
            && let Some(error) = self.parameters_as_arguments(row, &given)
        {
            return Elaborated::Value(self.fail(error));
        }
        let Some(arity) = self.arity(&function.head) else {
            return self.saturate(function.head, given, source);
        };
        if given.len() < arity
            && given.len() == 1
            && !matches!(function.head, Head::Primitive(_))
            && let Some(argument) = given.pop()
        {
            given = self.take_apart(argument, arity);
        }
        match given.len() {
            count if count > arity && !takes_more(&function.head) => {
                self.report_mistakes_in(given);
                let mistake = self.arity_mistake(&function.head, count);
                Elaborated::Value(self.fail(Error::new(source, mistake)))
            }
            count if count < arity => {
                let given = self.settle(&function.head, given);
                Elaborated::Function(Function { head: function.head, given, source })
            }
            _ => self.saturate(function.head, given, source),
        }
    }

    /// The components of one tuple that is given to a function of `count` parameters.
    fn take_apart(&mut self, argument: Argument<'a>, count: usize) -> Vec<Argument<'a>> {
        if let Argument::Syntax(Expr { kind: ExprKind::Tuple(components), .. }, names) = &argument
            && components.len() == count
        {
            return components.iter().map(|part| Argument::Syntax(part, names.clone())).collect();
        }
        if is_constant(&argument) {
            return vec![argument];
        }
        match self.argument(argument) {
            Elaborated::Value(value) => match self.unknowns.outermost(&value.ty) {
                Type::Tuple(types) if types.len() == count => {
                    self.spread(value, types).into_iter().map(Argument::value).collect()
                }
                Type::Tuple(_) | Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Array(_) => {
                    vec![Argument::value(value)]
                }
            },
            function @ Elaborated::Function(_) => vec![Argument::Elaborated(Box::new(function))],
        }
    }

    /// The first arguments of a function, each computed once however often the function is applied. Constants
    /// stay as they are, because their types may differ from use to use.
    fn settle(&mut self, head: &Head<'a>, given: Vec<Argument<'a>>) -> Vec<Argument<'a>> {
        let mut settled = Vec::new();
        for (position, argument) in given.into_iter().enumerate() {
            let lazy = match head {
                Head::Primitive(row) => match row.arguments.get(position) {
                    Some((_, ArgumentKind::Value | ArgumentKind::Values)) => false,
                    Some((_, ArgumentKind::Position)) => self.may_be_size(&argument),
                    Some(_) | None => true,
                },
                Head::Builtin(..)
                | Head::Operator(..)
                | Head::Negate
                | Head::Identity
                | Head::Closure(_)
                | Head::Item(_)
                | Head::Composition(..) => false,
            };
            if lazy || is_constant(&argument) {
                settled.push(argument);
                continue;
            }
            let elaborated = match self.argument(argument) {
                Elaborated::Value(value) => Elaborated::Value(self.bind(value, "value")),
                function @ Elaborated::Function(_) => function,
            };
            settled.push(Argument::Elaborated(Box::new(elaborated)));
        }
        settled
    }

    fn saturate(&mut self, head: Head<'a>, given: Vec<Argument<'a>>, source: Source) -> Elaborated<'a> {
        match head {
            Head::Primitive(row) => self.primitive(row, given, source),
            Head::Closure(closure) if let Some(position) = closure.position => {
                self.report_mistakes_in(given);
                let taker = match self.derived.last() {
                    Some(derivation) if source == Source::UNKNOWN => Taker::Ordering(derivation.name),
                    Some(_) | None => Taker::Call,
                };
                Elaborated::Value(self.fail(no_position(position, taker)))
            }
            Head::Closure(closure) => self.in_open_frame(|this| {
                let scope = closure
                    .patterns
                    .iter()
                    .zip(given)
                    .fold(closure.environment.clone(), |scope, (pattern, argument)| {
                        this.bind_pattern(pattern, argument, scope)
                    });
                this.expression(closure.body, &scope)
            }),
            Head::Item(item) => Elaborated::Value(self.call_item(item, given, source)),
            Head::Identity => match given.into_iter().next() {
                Some(argument) => self.argument(argument),
                None => Elaborated::Value(self.mistake(source)),
            },
            Head::Builtin(builtin, _) => {
                let values = given.into_iter().map(|argument| self.argument_value(argument)).collect();
                Elaborated::Value(self.builtin(builtin, values, source))
            }
            Head::Negate => match given.into_iter().next() {
                Some(argument) => {
                    let operand = self.argument_value(argument);
                    Elaborated::Value(self.negate(operand, source))
                }
                None => Elaborated::Value(self.mistake(source)),
            },
            Head::Operator(operator, _) => {
                let mut values = given.into_iter().map(|argument| self.argument_value(argument));
                match (values.next(), values.next()) {
                    (Some(left), Some(right)) => {
                        drop(values);
                        Elaborated::Value(self.binary(operator, left, right, source))
                    }
                    _ => {
                        drop(values);
                        Elaborated::Value(self.mistake(source))
                    }
                }
            }
            Head::Composition(first, second) => {
                let head = Head::Composition(first, second);
                self.apply_arguments(Function::new(head, source), given, source)
            }
        }
    }
}

/// The mistake of a function that knows its position where there is none.
pub(super) fn no_position(position: &Identifier, taker: Taker) -> Error {
    Error::new(position.source, PositionMistake::Unknown { name: position.name.clone(), taker })
}

/// Whether an argument is a constant, which costs nothing to elaborate again.
fn is_constant(argument: &Argument<'_>) -> bool {
    match argument {
        Argument::Syntax(expr, _) => is_constant_syntax(expr),
        Argument::Elaborated(elaborated) => match elaborated.as_ref() {
            Elaborated::Value(value) => is_atomic(value),
            Elaborated::Function(_) => false,
        },
    }
}

fn is_constant_syntax(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(Literal::Bool(_) | Literal::Integer(_) | Literal::Float(_), _) => true,
        ExprKind::Unary(_, operand) => is_constant_syntax(operand),
        ExprKind::Tuple(components) | ExprKind::Array(components) => {
            components.iter().all(is_constant_syntax)
        }
        _ => false,
    }
}
