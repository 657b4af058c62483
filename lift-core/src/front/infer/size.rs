//! Sizes: expressions of the algebra, elaborated where a primitive or a type takes a size.

use super::constants::{bits_of_sizes, is_count};
use super::environment::{Argument, Binding, Elaborated, Environment};
use super::error::{Error, Mistake, NoSize, SizeMistake, Taker};
use super::inference::Inference;
use super::need::{Need, Reason};
use super::primitives::position_name;
use super::scalar::is_size;
use crate::front::syntax::{Expr, ExprKind};
use crate::ir::nat::too_large;
use crate::ir::nat::{Condition, Nat};
use crate::ir::primitive::Primitive;
use crate::ir::scalar::{BinaryOperator, Literal, UnaryOperator};
use crate::ir::source::Source;
use crate::ir::typed::result::Purpose;
use crate::ir::typed::{self, Requirement, compare};

impl<'a> Inference<'a> {
    /// A size that must be a natural number. Messages say that `what` needs it.
    pub(super) fn natural(&mut self, expr: &'a Expr, names: &Environment<'a>, what: &str) -> Option<Nat> {
        let size = self.size(expr, names)?;
        self.not_negative(&size, Reason::Primitive(Purpose::NotNegative), what, expr.source)?;
        Some(self.simplified(&size))
    }

    /// The length of an array in a type annotation, not simplified by what is known.
    pub(super) fn written_length(&mut self, expr: &'a Expr, names: &Environment<'a>) -> Option<Nat> {
        let size = self.size(expr, names)?;
        self.not_negative(&size, Reason::LengthNotNegative, "", expr.source)?;
        Some(size)
    }

    /// A size argument of a primitive.
    pub(super) fn natural_argument(&mut self, argument: Argument<'a>, call: &str) -> Option<Nat> {
        let source = argument.source();
        let size = self.size_argument(argument)?;
        self.not_negative(&size, Reason::Primitive(Purpose::NotNegative), call, source)?;
        Some(self.simplified(&size))
    }

    /// Demands a natural number. `None` when it never is one.
    pub(super) fn not_negative(
        &mut self,
        size: &Nat,
        reason: Reason,
        call: &str,
        source: Source,
    ) -> Option<()> {
        let requirement = Requirement::AtMost(Nat::zero(), size.clone());
        self.need(Need { requirement, reason, call: call.to_owned(), source })
    }

    pub(super) fn size_argument(&mut self, argument: Argument<'a>) -> Option<Nat> {
        match argument {
            Argument::Syntax(expr, names) => self.size(expr, &names),
            Argument::Elaborated(elaborated) => match *elaborated {
                Elaborated::Value(value) => self.size_of_value(&value),
                function @ Elaborated::Function(_) => {
                    self.must_be_value(function);
                    None
                }
            },
        }
    }

    /// A typed expression as a size. `None` after a mistake.
    fn size_of_value(&mut self, value: &typed::Expr) -> Option<Nat> {
        match &value.kind {
            typed::ExprKind::Size(size) => Some(size.clone()),
            typed::ExprKind::Literal(Literal::Integer(number)) => {
                self.representable(Nat::constant(*number), value.source)
            }
            _ if self.unknowns.is_mistake(&value.ty) => None,
            typed::ExprKind::Variable(variable) if let Some(path) = self.path_of_captured(variable) => {
                self.captured_size(&path)
            }
            _ => {
                let parameter = match &value.kind {
                    typed::ExprKind::Variable(variable)
                        if self.parameters.contains(variable) && self.is_number(&value.ty) =>
                    {
                        Some(variable.name.to_string())
                    }
                    _ => None,
                };
                let mistake = SizeMistake::Value { ty: self.known(&value.ty), parameter };
                // A parameter is reported once: one declaration corrects all of its uses.
                let is_known =
                    |error: &Error| matches!(&error.mistake, Mistake::Size(known) if *known == mistake);
                if !matches!(value.kind, typed::ExprKind::Variable(_)) || !self.errors.iter().any(is_known) {
                    self.report(Error::new(value.source, mistake));
                }
                None
            }
        }
    }

    /// An integer of the algebra. `None` after a mistake.
    pub(super) fn size(&mut self, expr: &'a Expr, names: &Environment<'a>) -> Option<Nat> {
        let size = self.deeper(expr.source, |this| this.size_form(expr, names), |_| None)?;
        self.representable(size, expr.source)
    }

    /// A size whose numbers all fit into 64 bits. `None` after a mistake.
    pub(super) fn representable(&mut self, size: Nat, source: Source) -> Option<Nat> {
        let Some(number) = too_large(&size) else { return Some(size) };
        let mistake = match size.as_constant() {
            Some(_) => SizeMistake::TooLarge(number),
            None => SizeMistake::ComputedTooLarge(number),
        };
        self.report(Error::new(source, mistake));
        None
    }

    fn size_form(&mut self, expr: &'a Expr, names: &Environment<'a>) -> Option<Nat> {
        match &expr.kind {
            ExprKind::Literal(Literal::Integer(number), _) => Some(Nat::constant(*number)),
            ExprKind::Name(name) => self.size_name(name, expr.source, names),
            ExprKind::Path(path) => {
                let value = self.discarded(|this| this.path(path, expr.source));
                self.size_of_value(&value)
            }
            ExprKind::Component(..) | ExprKind::Field(..)
                if let Some(place) = self.rust_place(expr, names) =>
            {
                self.captured_size(&place)
            }
            ExprKind::Unary(UnaryOperator::Negate, operand) => Some(Nat::zero() - self.size(operand, names)?),
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = (self.size(left, names), self.size(right, names));
                self.size_operation(*operator, left?, right?, expr.source)
            }
            ExprKind::If(condition, then, otherwise) => {
                let condition = self.condition(condition, names);
                let (then, otherwise) = (self.size(then, names), self.size(otherwise, names));
                Some(Nat::select(&condition?, &then?, &otherwise?))
            }
            ExprKind::Call(callee, arguments, _) => self.size_call(callee, arguments, expr, names),
            ExprKind::Block(bindings, body) if bindings.is_empty() => self.size(body, names),
            ExprKind::Shift(shift, left, right) if is_count(right, names) => {
                self.shifted_size(*shift, (left, right), expr.source, names)
            }
            ExprKind::Pipe(..) | ExprKind::Shift(..) => {
                let value = self.discarded(|this| this.value(expr, names));
                self.size_of_value(&value)
            }
            ExprKind::Error => {
                self.poisoned = true;
                None
            }
            ExprKind::Literal(..)
            | ExprKind::Array(_)
            | ExprKind::Lambda(..)
            | ExprKind::Tuple(_)
            | ExprKind::Component(..)
            | ExprKind::Field(..)
            | ExprKind::Block(..)
            | ExprKind::Cast(..)
            | ExprKind::Unary(UnaryOperator::Not, _) => {
                self.report(Error::new(expr.source, SizeMistake::Form(no_size(&expr.kind))));
                None
            }
        }
    }

    fn size_name(&mut self, name: &'a str, source: Source, names: &Environment<'a>) -> Option<Nat> {
        match names.get(name).cloned() {
            Some(Binding::Size(size)) => Some(size),
            Some(Binding::Alias(argument)) => self.size_argument(argument),
            Some(Binding::Value(value, bound)) => match bound {
                Some((bound, scope)) if !is_size(&value) && self.is_size_syntax(bound, &scope) => {
                    self.size(bound, &scope)
                }
                Some(_) | None => self.size_of_value(&typed::Expr { source: self.located(source), ..value }),
            },
            Some(Binding::Constant(value)) if self.unknowns.is_mistake(&value.ty) => {
                self.poisoned = true;
                None
            }
            Some(Binding::Constant(value)) => {
                let (constant, ty) = (name.to_owned(), self.known(&value.ty));
                self.report(Error::new(source, SizeMistake::Constant { constant, ty }));
                None
            }
            Some(Binding::Function(function)) => {
                self.must_be_value(Elaborated::Function(function));
                None
            }
            None if self.is_capturable(name) => self.captured_size(name),
            None => {
                if let Some(mistake) = self.unknown_size(name, names) {
                    self.report(Error::new(source, mistake));
                }
                None
            }
        }
    }

    fn size_operation(
        &mut self,
        operator: BinaryOperator,
        left: Nat,
        right: Nat,
        source: Source,
    ) -> Option<Nat> {
        match operator {
            BinaryOperator::Add => Some(left + right),
            BinaryOperator::Subtract => Some(left - right),
            BinaryOperator::Multiply => Some(left * right),
            BinaryOperator::Divide | BinaryOperator::Remainder => {
                let call = format!("{} {} {}", operand(&left), operator.symbol(), operand(&right));
                self.positive(&right, &call, source)?;
                Some(match operator {
                    BinaryOperator::Divide => left.divide(&right),
                    _ => left.modulo(&right),
                })
            }
            BinaryOperator::BitAnd | BinaryOperator::BitXor | BinaryOperator::BitOr => {
                let (left, right) = (self.simplified(&left), self.simplified(&right));
                if let Some(size) = bits_of_sizes(operator, &left, &right) {
                    return Some(size);
                }
                self.report(Error::new(source, SizeMistake::Bits(operator.symbol())));
                None
            }
            BinaryOperator::Equal
            | BinaryOperator::NotEqual
            | BinaryOperator::Less
            | BinaryOperator::LessOrEqual
            | BinaryOperator::Greater
            | BinaryOperator::GreaterOrEqual
            | BinaryOperator::And
            | BinaryOperator::Or => {
                self.report(Error::new(source, SizeMistake::Truth));
                None
            }
        }
    }

    /// Elaborates something for its type only. The `let`s that it makes are dropped.
    pub(super) fn discarded(&mut self, elaborate: impl FnOnce(&mut Self) -> typed::Expr) -> typed::Expr {
        self.frames.push(Vec::new());
        let value = elaborate(self);
        self.frames.pop();
        value
    }

    /// Demands that a divisor is positive. `None` if it never is.
    pub(super) fn positive(&mut self, size: &Nat, call: &str, source: Source) -> Option<()> {
        let requirement = Requirement::AtMost(Nat::one(), size.clone());
        self.need(Need {
            requirement,
            reason: Reason::Primitive(Purpose::Positive),
            call: call.to_owned(),
            source,
        })
    }

    fn size_call(
        &mut self,
        callee: &'a Expr,
        arguments: &'a [Expr],
        expr: &'a Expr,
        names: &Environment<'a>,
    ) -> Option<Nat> {
        let name = match &callee.kind {
            ExprKind::Name(name) if names.get(name).is_none() => name.as_str(),
            _ => "",
        };
        if self.item_named(name, callee.source).is_none() {
            match name {
                "len" => {
                    let value = self.discarded(|this| this.value(expr, names));
                    return self.size_of_value(&value);
                }
                "sum" => return self.sum_of_sizes(arguments, expr.source, names),
                "tune" => return self.tune(&arguments.iter().collect::<Vec<_>>(), expr.source),
                // What a primitive makes is data.
                _ if Primitive::from_name(name).is_some() => {
                    let value = self.discarded(|this| this.value(expr, names));
                    return self.size_of_value(&value);
                }
                _ => {}
            }
        }
        let sizes: Vec<Option<Nat>> = arguments.iter().map(|argument| self.size(argument, names)).collect();
        let sizes: Vec<Nat> = sizes.into_iter().collect::<Option<_>>()?;
        match (name, sizes.as_slice()) {
            ("min", [left, right]) => Some(left.min(right)),
            ("max", [left, right]) => Some(left.max(right)),
            ("pow", [base, exponent]) => Some(base.pow(exponent)),
            ("log2", [size]) => Some(size.log2()),
            ("add", [left, right]) => Some(left + right),
            ("sub", [left, right]) => Some(left - right),
            ("mult" | "mul", [left, right]) => Some(left * right),
            ("min" | "max" | "pow" | "log2", _) => {
                let takes = if name == "log2" { 1 } else { 2 };
                let (function, given) = (name.to_owned(), sizes.len());
                self.report(Error::new(expr.source, SizeMistake::Arguments { function, takes, given }));
                None
            }
            _ => {
                self.report(Error::new(callee.source, SizeMistake::Function));
                None
            }
        }
    }

    /// `sum(n, |k| size)`: the sum of a size over the positions below `n`.
    fn sum_of_sizes(
        &mut self,
        arguments: &'a [Expr],
        source: Source,
        names: &Environment<'a>,
    ) -> Option<Nat> {
        let [count, function] = arguments else {
            self.report(Error::new(source, SizeMistake::SumArguments { given: arguments.len() }));
            return None;
        };
        let count = self.size(count, names)?;
        let function = Argument::Syntax(function, names.clone());
        let function = self.function_without_position(function, Taker::OfPositions)?;
        let index = self.unknowns.vars.fresh(position_name(&function));
        let body = self.under_index(&index, &count, |this| {
            this.apply_to_sizes(&function, &[Nat::variable(&index)], &count, source)
        })?;
        Some(Nat::sum(&index, &Nat::zero(), &count, &body))
    }

    /// A comparison of sizes. `None` after a mistake.
    pub(super) fn condition(&mut self, expr: &'a Expr, names: &Environment<'a>) -> Option<Condition> {
        match &expr.kind {
            ExprKind::Binary(BinaryOperator::And, left, right) => {
                let (left, right) = (self.condition(left, names), self.condition(right, names));
                Some(left?.and(right?))
            }
            ExprKind::Binary(BinaryOperator::Or, left, right) => {
                let (left, right) = (self.condition(left, names), self.condition(right, names));
                Some(left?.or(right?))
            }
            ExprKind::Unary(UnaryOperator::Not, operand) => Some(self.condition(operand, names)?.negate()),
            ExprKind::Binary(operator, left, right) if operator.is_comparison() => {
                let (left, right) = (self.size(left, names), self.size(right, names));
                compare(*operator, left?, right?)
            }
            ExprKind::Literal(Literal::Bool(truth), _) => Some(Condition::from_truth(*truth)),
            ExprKind::Error => {
                self.poisoned = true;
                None
            }
            _ => {
                self.report(Error::new(expr.source, SizeMistake::NoComparison));
                None
            }
        }
    }
}

/// What an expression is instead of a size.
fn no_size(kind: &ExprKind) -> NoSize {
    match kind {
        ExprKind::Literal(Literal::Float(_), _) => NoSize::Float,
        ExprKind::Literal(Literal::Bool(_), _) | ExprKind::Unary(UnaryOperator::Not, _) => NoSize::Truth,
        ExprKind::Array(_) => NoSize::Array,
        ExprKind::Lambda(..) => NoSize::Function,
        ExprKind::Tuple(_) => NoSize::Tuple,
        ExprKind::Name(_)
        | ExprKind::Path(_)
        | ExprKind::Literal(Literal::Integer(_), _)
        | ExprKind::Call(..)
        | ExprKind::Pipe(..)
        | ExprKind::Shift(..)
        | ExprKind::Component(..)
        | ExprKind::Field(..)
        | ExprKind::Unary(UnaryOperator::Negate, _)
        | ExprKind::Binary(..)
        | ExprKind::Cast(..)
        | ExprKind::Block(..)
        | ExprKind::If(..)
        | ExprKind::Error => NoSize::Computed,
    }
}

/// A size as an operand of `/`: in parentheses unless it is a number or a variable.
fn operand(size: &Nat) -> String {
    match size.as_constant().is_some() || size.as_variable().is_some() {
        true => size.to_string(),
        false => format!("({size})"),
    }
}
