//! Methods of Rust's integers, with the types that they have in Rust: a count is a `u32` whatever the type of
//! the number is.
//!
//! Functions on bits take and make numbers of one type. So counts are converted around them, which loses
//! nothing: no number has more bits than its type can count, and counts are taken modulo the width.

use std::sync::Arc;

use super::environment::{Argument, Elaborated, Environment};
use super::error::{Error, ScalarMistake};
use super::inference::Inference;
use crate::front::syntax::{Expr, ExprKind as Syntax};
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{BinaryOperator, ScalarType, UnaryOperator};
use crate::ir::source::Source;
use crate::ir::typed::result::scalar::with_lane;
use crate::ir::typed::{self, ExprKind};
use crate::ir::types::Type;

/// What a method does.
#[derive(Debug, Clone, Copy)]
enum Method {
    /// An operator: integers wrap.
    Operator(BinaryOperator),
    /// Moves bits by a count.
    Move(Builtin),
    /// A power, whose exponent has the type that it has in Rust.
    Power,
    /// Counts bits.
    Count(Builtin),
    /// Counts the bits of the inverted number.
    CountInverted(Builtin),
}

/// A method of Rust's integers.
struct Row {
    name: &'static str,
    /// What computes the same here, of numbers of any type.
    written: &'static str,
    method: Method,
}

const fn row(name: &'static str, written: &'static str, method: Method) -> Row {
    Row { name, written, method }
}

const METHODS: [Row; 14] = [
    row("wrapping_add", "x + y", Method::Operator(BinaryOperator::Add)),
    row("wrapping_sub", "x - y", Method::Operator(BinaryOperator::Subtract)),
    row("wrapping_mul", "x * y", Method::Operator(BinaryOperator::Multiply)),
    row("wrapping_pow", "wrappingPow(x, k)", Method::Power),
    row("wrapping_shl", "shl(x, k)", Method::Move(Builtin::Shl)),
    row("wrapping_shr", "shr(x, k)", Method::Move(Builtin::Shr)),
    row("rotate_left", "rotl(x, k)", Method::Move(Builtin::Rotl)),
    row("rotate_right", "rotr(x, k)", Method::Move(Builtin::Rotr)),
    row("count_ones", "popcount(x)", Method::Count(Builtin::Popcount)),
    row("count_zeros", "popcount(!x)", Method::CountInverted(Builtin::Popcount)),
    row("leading_zeros", "leadingZeros(x)", Method::Count(Builtin::LeadingZeros)),
    row("leading_ones", "leadingZeros(!x)", Method::CountInverted(Builtin::LeadingZeros)),
    row("trailing_zeros", "trailingZeros(x)", Method::Count(Builtin::TrailingZeros)),
    row("trailing_ones", "trailingZeros(!x)", Method::CountInverted(Builtin::TrailingZeros)),
];

impl<'a> Inference<'a> {
    /// The call of a method that Rust's integers have, or a mistake where it is one of another number. `None`
    /// for other methods, and for arrays and tuples. The receiver is elaborated once, since it may be a long
    /// chain of such calls.
    pub(super) fn integer_method(
        &mut self,
        method: &Expr,
        arguments: &mut [Argument<'a>],
        source: Source,
        names: &Environment<'a>,
    ) -> Option<typed::Expr> {
        let Syntax::Name(name) = &method.kind else { return None };
        let row = METHODS.iter().find(|row| row.name == name)?;
        if names.get(name).is_some() || self.items.position(name).is_some() {
            return None;
        }
        let (first, others) = arguments.split_first_mut()?;
        let receiver = self.argument_value(first.clone());
        *first = Argument::Elaborated(Box::new(Elaborated::Value(receiver.clone())));
        if self.unknowns.is_mistake(&receiver.ty) {
            return Some(self.mistake(source));
        }
        let lane = match self.lane(&receiver.ty) {
            Type::Array(_) | Type::Tuple(_) => return None,
            Type::Scalar(lane) if lane.integer_limits().is_some() => lane,
            Type::Scalar(_) | Type::Vector(..) | Type::Size => {
                let ty = self.known(&receiver.ty);
                let mistake = ScalarMistake::IntegerMethod { name: row.name, written: row.written, ty };
                return Some(self.fail(Error::new(method.source, mistake)));
            }
        };
        Some(match (row.method, others) {
            (Method::Operator(operator), [other]) => {
                let other = self.argument_value(other.clone());
                self.binary(operator, receiver, other, source)
            }
            (Method::Power, [exponent]) => {
                let exponent = self.argument_value(exponent.clone());
                self.builtin(Builtin::WrappingPow, vec![receiver, exponent], source)
            }
            (Method::Move(function), [count]) => {
                let count = self.argument_value(count.clone());
                let count = self.as_integer(count, lane);
                self.builtin(function, vec![receiver, count], source)
            }
            (Method::Count(function), []) => {
                let count = self.builtin(function, vec![receiver], source);
                self.as_integer(count, ScalarType::U32)
            }
            (Method::CountInverted(function), []) => {
                let ty = receiver.ty.clone();
                let inverted = ExprKind::Unary(UnaryOperator::Not, Arc::new(receiver));
                let inverted = self.node(inverted, ty, source);
                let count = self.builtin(function, vec![inverted], source);
                self.as_integer(count, ScalarType::U32)
            }
            (method, others) => {
                let takes = match method {
                    Method::Operator(_) | Method::Move(_) | Method::Power => 1,
                    Method::Count(_) | Method::CountInverted(_) => 0,
                };
                let mistake = ScalarMistake::MethodArguments { name: row.name, takes, given: others.len() };
                self.fail(Error::new(source, mistake))
            }
        })
    }

    /// An integer of a known type as one of another type. Anything else stays as it is.
    pub(super) fn as_integer(&mut self, value: typed::Expr, scalar: ScalarType) -> typed::Expr {
        let ty = self.unknowns.outermost(&value.ty);
        match self.lane(&ty) {
            Type::Scalar(lane) if lane != scalar && lane.integer_limits().is_some() => {
                let source = value.source;
                let ty = with_lane(&ty, scalar);
                self.node(ExprKind::Cast(scalar, Arc::new(value)), ty, source)
            }
            Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_) => value,
        }
    }
}
