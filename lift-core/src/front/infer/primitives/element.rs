//! `at`, `atOr`, `head`, `last` and `len`: one element of an array, and how many there are.

use std::sync::Arc;

use super::super::environment::{Argument, Binding, Environment};
use super::super::error::{Error, Place, PositionMistake};
use super::super::inference::Inference;
use super::call::Call;
use crate::front::syntax::{Expr, ExprKind as Syntax};
use crate::ir::nat::Nat;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarClass, UnaryOperator};
use crate::ir::typed::result::array;
use crate::ir::typed::{self, ExprKind, Position};
use crate::ir::types::{ArrayType, Type};

impl<'a> Inference<'a> {
    /// `integer -> A -> [A; n] -> [A; n]`
    pub(super) fn update(&mut self, call: &Call, given: Vec<Argument<'a>>, data: typed::Expr) -> typed::Expr {
        let element = self.regular(call, &data).map(|(element, _)| self.unknowns.resolve(&element));
        let mut given = given.into_iter();
        let position = given.next().and_then(|position| self.computed_position(call, position));
        let new = given.next().map(|new| self.argument_value(new));
        let (Some(position), Some(new), Some(element)) = (position, new, element) else {
            return self.mistake(call.source);
        };
        let new = self.expect(new, &element, Place::Element);
        if self.unknowns.is_mistake(&new.ty) {
            return self.mistake(call.source);
        }
        let given = vec![Argument::value(position), Argument::value(new)];
        self.derived_call(call, given, data)
    }

    /// `[A; n] -> A`: at a size that lies inside, or at an integer that is clamped into the array.
    pub(super) fn at(&mut self, call: &Call, given: Vec<Argument<'a>>, data: typed::Expr) -> typed::Expr {
        let array = self.array(call, &data);
        let Some(position) = given.into_iter().next() else { return self.mistake(call.source) };
        let Some(array) = array else { return self.mistake(call.source) };
        if self.may_be_size(&position) {
            let name = self.written_name(call).to_owned();
            let Some(position) = self.natural_argument(position, &name) else {
                return self.mistake(call.source);
            };
            let written = self.written_call(call, &[position.to_string()]);
            return self.element_at(call, written, position, data, &array);
        }
        let Some((element, _)) = self.regular(call, &data) else { return self.mistake(call.source) };
        let Some(index) = self.computed_position(call, position) else { return self.mistake(call.source) };
        let written = self.written_call(call, &[]);
        if array::has_elements(&array, &mut self.asked(&written, call.source)).is_err() {
            return self.mistake(call.source);
        }
        let kind = ExprKind::At(Position::Clamped(Arc::new(index)), Arc::new(data));
        self.node(kind, element, call.source)
    }

    /// `[A; n] -> A`, with a value for positions outside.
    pub(super) fn at_or(&mut self, call: &Call, given: Vec<Argument<'a>>, data: typed::Expr) -> typed::Expr {
        let array = self.regular(call, &data);
        let mut given = given.into_iter();
        let (Some(position), Some(default)) = (given.next(), given.next()) else {
            return self.mistake(call.source);
        };
        let index = self.computed_position(call, position);
        let default = self.argument_value(default);
        let (Some(index), Some((element, _))) = (index, array) else {
            return self.mistake(call.source);
        };
        let default = self.expect(default, &element, Place::Element);
        if self.unknowns.is_mistake(&default.ty) {
            return self.mistake(call.source);
        }
        let position = Position::OrDefault(Arc::new(index), Arc::new(default));
        self.node(ExprKind::At(position, Arc::new(data)), element, call.source)
    }

    /// The first element.
    pub(super) fn head(&mut self, call: &Call, data: typed::Expr) -> typed::Expr {
        let Some(array) = self.array(call, &data) else { return self.mistake(call.source) };
        let written = self.written_call(call, &[]);
        self.element_at(call, written, Nat::zero(), data, &array)
    }

    /// The last element.
    pub(super) fn last(&mut self, call: &Call, data: typed::Expr) -> typed::Expr {
        let Some(array) = self.array(call, &data) else { return self.mistake(call.source) };
        let written = self.written_call(call, &[]);
        let last = array::last_position(&array, &mut self.asked(&written, call.source));
        let Ok(position) = last else { return self.mistake(call.source) };
        let element = array.element_at(&position);
        self.node(ExprKind::At(Position::Size(position), Arc::new(data)), element, call.source)
    }

    /// The length, as a size.
    pub(super) fn length_of(&mut self, call: &Call, data: &typed::Expr) -> typed::Expr {
        match self.array(call, data) {
            Some(array) => self.size_value(array.length.clone(), call.source),
            None => self.mistake(call.source),
        }
    }

    fn element_at(
        &mut self,
        call: &Call,
        written: String,
        position: Nat,
        data: typed::Expr,
        array: &ArrayType,
    ) -> typed::Expr {
        let element = array::element_at(array, &position, &mut self.asked(&written, call.source));
        let Ok(element) = element else { return self.mistake(call.source) };
        self.node(ExprKind::At(Position::Size(position), Arc::new(data)), element, call.source)
    }

    /// A position that is an integer of the program.
    fn computed_position(&mut self, call: &Call, position: Argument<'a>) -> Option<typed::Expr> {
        let value = self.argument_value(position);
        let value = self.sized_integer(value);
        let name = self.written_name(call);
        if let Type::Vector(..) = self.unknowns.outermost(&value.ty) {
            let ty = self.known(&value.ty);
            self.report(Error::new(value.source, PositionMistake::Vector { name, ty }));
            return None;
        }
        self.number(value, ScalarClass::Integer, name)
    }

    /// Whether a position is a size: a number, a size of the program, a Rust variable, or arithmetic on
    /// these. Anything else is computed from data.
    pub(in crate::front::infer) fn may_be_size(&self, position: &Argument<'a>) -> bool {
        match position {
            Argument::Syntax(expr, names) => self.is_size_syntax(expr, names),
            Argument::Elaborated(elaborated) => match elaborated.as_ref() {
                super::Elaborated::Value(value) => self.is_size_value(value),
                super::Elaborated::Function(_) => false,
            },
        }
    }

    /// Whether an expression has the form of a size.
    pub(in crate::front::infer) fn is_size_syntax(&self, expr: &Expr, names: &Environment<'a>) -> bool {
        let all = |parts: &[Expr]| parts.iter().all(|part| self.is_size_syntax(part, names));
        match &expr.kind {
            Syntax::Literal(Literal::Integer(_), suffix) => suffix.is_none(),
            Syntax::Name(name) => match names.get(name) {
                Some(Binding::Size(_)) => true,
                Some(Binding::Value(value, None)) => self.is_size_value(value),
                Some(Binding::Value(value, Some((bound, scope)))) => {
                    self.is_size_value(value) && self.is_size_syntax(bound, scope)
                }
                Some(Binding::Alias(argument)) => self.may_be_size(argument),
                Some(Binding::Function(_) | Binding::Constant(_)) => false,
                None => self.is_capturable(name),
            },
            Syntax::Unary(UnaryOperator::Negate, operand) => self.is_size_syntax(operand, names),
            Syntax::Binary(operator, left, right) => {
                is_arithmetic(*operator)
                    && self.is_size_syntax(left, names)
                    && self.is_size_syntax(right, names)
            }
            Syntax::Call(callee, arguments, _) => match &callee.kind {
                Syntax::Name(name) if names.get(name).is_none() => match name.as_str() {
                    "len" | "tune" | "sum" => self.item_named(name, callee.source).is_none(),
                    "min" | "max" | "pow" | "log2" | "add" | "sub" | "mult" | "mul" => all(arguments),
                    _ => false,
                },
                _ => false,
            },
            Syntax::If(condition, then, otherwise) => {
                self.is_size_condition(condition, names)
                    && self.is_size_syntax(then, names)
                    && self.is_size_syntax(otherwise, names)
            }
            Syntax::Block(bindings, body) => bindings.is_empty() && self.is_size_syntax(body, names),
            Syntax::Component(..) | Syntax::Field(..) => self.rust_place(expr, names).is_some(),
            Syntax::Literal(..)
            | Syntax::Path(_)
            | Syntax::Array(_)
            | Syntax::Lambda(..)
            | Syntax::Pipe(..)
            | Syntax::Shift(..)
            | Syntax::Tuple(_)
            | Syntax::Cast(..)
            | Syntax::Unary(UnaryOperator::Not, _)
            | Syntax::Error => false,
        }
    }

    fn is_size_condition(&self, expr: &Expr, names: &Environment<'a>) -> bool {
        match &expr.kind {
            Syntax::Binary(BinaryOperator::And | BinaryOperator::Or, left, right) => {
                self.is_size_condition(left, names) && self.is_size_condition(right, names)
            }
            Syntax::Binary(operator, left, right) => {
                operator.is_comparison()
                    && self.is_size_syntax(left, names)
                    && self.is_size_syntax(right, names)
            }
            Syntax::Unary(UnaryOperator::Not, operand) => self.is_size_condition(operand, names),
            _ => false,
        }
    }

    /// Whether a value is known to be a size, or may become one.
    fn is_size_value(&self, value: &typed::Expr) -> bool {
        match &value.kind {
            ExprKind::Size(_) => value.ty == Type::Size,
            ExprKind::Literal(Literal::Integer(_)) => self.unknowns.class(&value.ty).is_some(),
            ExprKind::Variable(variable) => self.path_of_captured(variable).is_some(),
            _ => false,
        }
    }
}

fn is_arithmetic(operator: BinaryOperator) -> bool {
    match operator {
        BinaryOperator::Add
        | BinaryOperator::Subtract
        | BinaryOperator::Multiply
        | BinaryOperator::Divide
        | BinaryOperator::Remainder => true,
        BinaryOperator::BitAnd
        | BinaryOperator::BitXor
        | BinaryOperator::BitOr
        | BinaryOperator::Equal
        | BinaryOperator::NotEqual
        | BinaryOperator::Less
        | BinaryOperator::LessOrEqual
        | BinaryOperator::Greater
        | BinaryOperator::GreaterOrEqual
        | BinaryOperator::And
        | BinaryOperator::Or => false,
    }
}
