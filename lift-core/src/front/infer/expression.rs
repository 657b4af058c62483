//! The forms of expressions. Operators, casts, conditionals and calls have files of their own.

use std::sync::Arc;

use super::environment::{Argument, Binding, Closure, Elaborated, Environment, Function, Head};
use super::error::{CallMistake, Error, NameMistake, TypeMistake};
use super::inference::{Inference, shared};
use crate::front::syntax::{Expr, ExprKind, Identifier, SELF};
use crate::ir::nat::Nat;
use crate::ir::primitive::Primitive;
use crate::ir::primitive::builtin::Builtin;
use crate::ir::primitive::vocabulary::is_reserved;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarClass, ScalarType};
use crate::ir::source::Source;
use crate::ir::typed;
use crate::ir::types::Type;

impl<'a> Inference<'a> {
    /// Elaborates an expression.
    pub(super) fn expression(&mut self, expr: &'a Expr, names: &Environment<'a>) -> Elaborated<'a> {
        self.deeper(expr.source, |this| this.form(expr, names), Elaborated::Value)
    }

    fn form(&mut self, expr: &'a Expr, names: &Environment<'a>) -> Elaborated<'a> {
        let source = expr.source;
        match &expr.kind {
            ExprKind::Name(name) => self.name(name, source, names),
            ExprKind::Path(path) => Elaborated::Value(self.path(path, source)),
            ExprKind::Call(callee, arguments, notation) => {
                self.call_expression(callee, arguments, *notation, source, names)
            }
            ExprKind::Lambda(lambda) => {
                let closure = Closure {
                    position: lambda.position.as_ref(),
                    patterns: &lambda.parameters,
                    body: &lambda.body,
                    environment: names.clone(),
                };
                Elaborated::Function(Function::new(Head::Closure(Arc::new(closure)), source))
            }
            ExprKind::Pipe(left, right) => self.pipe(left, right, source, names),
            ExprKind::Shift(shift, left, right) => self.shift(*shift, left, right, source, names),
            ExprKind::Block(bindings, body) => self.in_open_frame(|this| {
                let scope = bindings.iter().fold(names.clone(), |scope, binding| {
                    let argument = Argument::Syntax(&binding.value, scope.clone());
                    this.bind_pattern(&binding.pattern, argument, scope)
                });
                this.expression(body, &scope)
            }),
            ExprKind::Literal(literal, suffix) => Elaborated::Value(self.literal(literal, *suffix, source)),
            ExprKind::Array(elements) => Elaborated::Value(self.array_literal(elements, source, names)),
            ExprKind::Tuple(components) => {
                let components: Vec<typed::Expr> =
                    components.iter().map(|component| self.value(component, names)).collect();
                let ty = Type::Tuple(components.iter().map(|component| component.ty.clone()).collect());
                Elaborated::Value(self.node(typed::ExprKind::Tuple(shared(components)), ty, source))
            }
            ExprKind::Component(..) | ExprKind::Field(..)
                if let Some(place) = self.rust_place(expr, names) =>
            {
                Elaborated::Value(self.captured(&place, source))
            }
            ExprKind::Field(inner, field) => Elaborated::Value(self.no_field(inner, field, names)),
            ExprKind::Component(tuple, position) => {
                let tuple = self.value(tuple, names);
                Elaborated::Value(self.component(tuple, *position, source))
            }
            ExprKind::Cast(value, written) => Elaborated::Value(self.cast(value, written, source, names)),
            ExprKind::Unary(operator, operand) => {
                Elaborated::Value(self.unary(*operator, operand, source, names))
            }
            ExprKind::Binary(operator, left, right) => {
                let left = self.value(left, names);
                let right = self.value(right, names);
                Elaborated::Value(self.binary(*operator, left, right, source))
            }
            ExprKind::If(condition, then, otherwise) => {
                Elaborated::Value(self.conditional(condition, then, otherwise, source, names))
            }
            ExprKind::Error => {
                self.poisoned = true;
                Elaborated::Value(self.mistake(source))
            }
        }
    }

    /// Elaborates an expression that must be a value.
    pub(super) fn value(&mut self, expr: &'a Expr, names: &Environment<'a>) -> typed::Expr {
        let elaborated = self.expression(expr, names);
        self.must_be_value(elaborated)
    }

    /// The value, or the mistake of a function where a value is needed.
    pub(super) fn must_be_value(&mut self, elaborated: Elaborated<'a>) -> typed::Expr {
        match elaborated {
            Elaborated::Value(value) => value,
            Elaborated::Function(function) => {
                let error = self.function_as_value(&function);
                self.fail(error)
            }
        }
    }

    /// The mistake of a function where a value is needed.
    pub(super) fn function_as_value(&self, function: &Function<'a>) -> Error {
        if let Some(error) = self.incomplete(function) {
            return error;
        }
        let callee = self.callee(&function.head);
        let mistake = if function.given.is_empty() {
            let meant = self.meant_by(&callee);
            CallMistake::FunctionAsValue { callee, meant }
        } else if self.combines_elements(function) {
            CallMistake::ArrayAsOperand { callee }
        } else {
            self.arity_mistake(&function.head, function.given.len())
        };
        Error::new(function.source, mistake)
    }

    /// What a name means, or its mistake.
    fn name(&mut self, name: &'a str, source: Source, names: &Environment<'a>) -> Elaborated<'a> {
        if let Some(found) = self.known_name(name, source, names) {
            return found;
        }
        if self.captures.is_none() || is_reserved(name) {
            let mistake = self.unknown_name(name, names);
            return Elaborated::Value(self.fail(Error::new(source, mistake)));
        }
        Elaborated::Value(self.captured(name, source))
    }

    /// What a name means, unless it is a Rust variable or unknown.
    pub(super) fn known_name(
        &mut self,
        name: &str,
        source: Source,
        names: &Environment<'a>,
    ) -> Option<Elaborated<'a>> {
        if let Some(binding) = names.get(name) {
            return Some(match binding.clone() {
                Binding::Value(atom, _) => Elaborated::Value(self.copy(&atom, source)),
                Binding::Constant(value) => {
                    self.poisoned |= self.unknowns.is_mistake(&value.ty);
                    Elaborated::Value(self.copy(&value, source))
                }
                Binding::Size(size) => Elaborated::Value(self.size_value(size, source)),
                Binding::Function(function) => Elaborated::Function(Function { source, ..function }),
                Binding::Alias(argument) => self.argument(argument),
            });
        }
        let head = if let Some(item) = self.item_named(name, source) {
            Head::Item(item)
        } else if let Some(row) = Primitive::from_name(name) {
            Head::Primitive(row)
        } else if let Some((builtin, arity)) = Builtin::from_name(name) {
            Head::Builtin(builtin, arity)
        } else {
            match name {
                "id" => Head::Identity,
                "neg" => Head::Negate,
                "add" => Head::Operator(BinaryOperator::Add, "add"),
                "sub" => Head::Operator(BinaryOperator::Subtract, "sub"),
                "mult" => Head::Operator(BinaryOperator::Multiply, "mult"),
                "mul" => Head::Operator(BinaryOperator::Multiply, "mul"),
                "div" => Head::Operator(BinaryOperator::Divide, "div"),
                "rem" => Head::Operator(BinaryOperator::Remainder, "rem"),
                "bitAnd" => Head::Operator(BinaryOperator::BitAnd, "bitAnd"),
                "bitXor" => Head::Operator(BinaryOperator::BitXor, "bitXor"),
                "bitOr" => Head::Operator(BinaryOperator::BitOr, "bitOr"),
                _ => return None,
            }
        };
        Some(Elaborated::Function(Function::new(head, source)))
    }

    /// The item that a name at this place means. The prelude means the functions of the language, whatever
    /// the program calls its own.
    pub(super) fn item_named(&self, name: &str, source: Source) -> Option<usize> {
        let in_prelude = source == Source::UNKNOWN && !self.derived.is_empty();
        self.items.position(name).filter(|_| !in_prelude)
    }

    /// Elaborates an argument.
    pub(super) fn argument(&mut self, argument: Argument<'a>) -> Elaborated<'a> {
        match argument {
            Argument::Syntax(expr, names) => self.expression(expr, &names),
            Argument::Elaborated(elaborated) => *elaborated,
        }
    }

    /// Elaborates an argument that must be a value.
    pub(super) fn argument_value(&mut self, argument: Argument<'a>) -> typed::Expr {
        let elaborated = self.argument(argument);
        self.must_be_value(elaborated)
    }

    fn literal(&mut self, literal: &Literal, suffix: Option<ScalarType>, source: Source) -> typed::Expr {
        let ty = match (suffix, literal) {
            (Some(scalar), _) => Type::Scalar(scalar),
            (None, Literal::Bool(_)) => Type::Scalar(ScalarType::Bool),
            (None, Literal::Integer(_)) => self.unknowns.fresh_scalar(ScalarClass::Number),
            (None, Literal::Float(_)) => self.unknowns.fresh_scalar(ScalarClass::Float),
        };
        self.node(typed::ExprKind::Literal(literal.clone()), ty, source)
    }

    fn array_literal(
        &mut self,
        elements: &'a [Expr],
        source: Source,
        names: &Environment<'a>,
    ) -> typed::Expr {
        let element = self.unknowns.fresh();
        let mut values = Vec::new();
        for written in elements {
            let value = self.value(written, names);
            let value = self.fit(value, &element);
            let value = self.as_stored(value);
            if self.unify(&element, &value.ty, "this array", written.source).is_err() {
                let (first, other) = (self.known(&element), self.known(&value.ty));
                self.report(Error::new(written.source, TypeMistake::Elements { first, other }));
            }
            values.push(value);
        }
        let length = Nat::constant(values.len() as i128);
        self.node(typed::ExprKind::ArrayLiteral(shared(values)), Type::array(element, length), source)
    }

    /// The mistake of `value.field`, where the value is none of Rust.
    fn no_field(&mut self, value: &'a Expr, field: &Identifier, names: &Environment<'a>) -> typed::Expr {
        if let ExprKind::Name(name) = &value.kind
            && name == SELF
        {
            return self.fail(Error::new(value.source, NameMistake::SelfInItem));
        }
        let value = self.value(value, names);
        if self.unknowns.is_mistake(&value.ty) {
            return self.mistake(field.source);
        }
        self.fail(Error::new(field.source, TypeMistake::NoField { name: field.name.clone() }))
    }

    /// `tuple.position`
    pub(super) fn component(&mut self, tuple: typed::Expr, position: usize, source: Source) -> typed::Expr {
        if self.unknowns.is_mistake(&tuple.ty) && !matches!(tuple.ty, Type::Tuple(_)) {
            return self.mistake(source);
        }
        let tuple = match tuple.kind {
            typed::ExprKind::Tuple(mut parts) if position < parts.len() => {
                return Arc::unwrap_or_clone(parts.swap_remove(position));
            }
            kind => typed::Expr { kind, ..tuple },
        };
        let ty = self.known(&tuple.ty);
        let mistake = match self.unknowns.outermost(&tuple.ty) {
            Type::Tuple(components) => match components.get(position) {
                Some(ty) => {
                    let kind = typed::ExprKind::Component(Arc::new(tuple), position);
                    return self.node(kind, ty.clone(), source);
                }
                None => TypeMistake::NoComponent { position, count: components.len(), ty },
            },
            Type::Array(_) => TypeMistake::ComponentOfArray { position, ty },
            other if self.unknowns.is_open(&other) => TypeMistake::ComponentOfUnknown,
            Type::Scalar(_) | Type::Vector(..) | Type::Size => TypeMistake::ComponentOfOther { position, ty },
        };
        self.fail(Error::new(source, mistake))
    }
}
