//! Methods of Rust's integers, with the types that they have in Rust: a count is a `u32` whatever the type of
//! the number is.
//!
//! Functions on bits take and make numbers of one type. So counts are converted around them, which loses
//! nothing: no number has more bits than its type can count, and counts are taken modulo the width.

use std::rc::Rc;

use super::environment::{Argument, Environment};
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
    /// Counts bits.
    Count(Builtin),
    /// Counts the bits of the inverted number.
    CountInverted(Builtin),
}

const METHODS: [(&str, Method); 13] = [
    ("wrapping_add", Method::Operator(BinaryOperator::Add)),
    ("wrapping_sub", Method::Operator(BinaryOperator::Subtract)),
    ("wrapping_mul", Method::Operator(BinaryOperator::Multiply)),
    ("wrapping_shl", Method::Move(Builtin::Shl)),
    ("wrapping_shr", Method::Move(Builtin::Shr)),
    ("rotate_left", Method::Move(Builtin::Rotl)),
    ("rotate_right", Method::Move(Builtin::Rotr)),
    ("count_ones", Method::Count(Builtin::Popcount)),
    ("count_zeros", Method::CountInverted(Builtin::Popcount)),
    ("leading_zeros", Method::Count(Builtin::LeadingZeros)),
    ("leading_ones", Method::CountInverted(Builtin::LeadingZeros)),
    ("trailing_zeros", Method::Count(Builtin::TrailingZeros)),
    ("trailing_ones", Method::CountInverted(Builtin::TrailingZeros)),
];

impl<'a> Inference<'a> {
    /// The call of a method that Rust's integers have. `None` for other methods and receivers.
    pub(super) fn integer_method(
        &mut self,
        method: &Expr,
        arguments: &[Argument<'a>],
        source: Source,
        names: &Environment<'a>,
    ) -> Option<typed::Expr> {
        let Syntax::Name(name) = &method.kind else { return None };
        let (_, method) = METHODS.into_iter().find(|(method, _)| method == name)?;
        if names.get(name).is_some() || self.items.position(name).is_some() {
            return None;
        }
        let receiver = arguments.first()?.clone();
        let receiver = self.discarded(|this| this.argument_value(receiver));
        let Type::Scalar(lane) = self.lane(&receiver.ty) else { return None };
        lane.integer_limits()?;
        let mut values = arguments.iter().cloned();
        match (method, values.len()) {
            (Method::Operator(operator), 2) => {
                let (left, right) = (values.next()?, values.next()?);
                let (left, right) = (self.argument_value(left), self.argument_value(right));
                Some(self.binary(operator, left, right, source))
            }
            (Method::Move(function), 2) => {
                let (number, count) = (values.next()?, values.next()?);
                let (number, count) = (self.argument_value(number), self.argument_value(count));
                let count = self.as_integer(count, lane);
                Some(self.builtin(function, vec![number, count], source))
            }
            (Method::Count(function), 1) => {
                let number = self.argument_value(values.next()?);
                let count = self.builtin(function, vec![number], source);
                Some(self.as_integer(count, ScalarType::U32))
            }
            (Method::CountInverted(function), 1) => {
                let number = self.argument_value(values.next()?);
                let ty = number.ty.clone();
                let inverted = ExprKind::Unary(UnaryOperator::Not, Rc::new(number));
                let inverted = self.node(inverted, ty, source);
                let count = self.builtin(function, vec![inverted], source);
                Some(self.as_integer(count, ScalarType::U32))
            }
            (Method::Operator(_) | Method::Move(_) | Method::Count(_) | Method::CountInverted(_), _) => None,
        }
    }

    /// An integer of a known type as one of another type. Anything else stays as it is.
    fn as_integer(&mut self, value: typed::Expr, scalar: ScalarType) -> typed::Expr {
        let ty = self.unknowns.outermost(&value.ty);
        match self.lane(&ty) {
            Type::Scalar(lane) if lane != scalar && lane.integer_limits().is_some() => {
                let source = value.source;
                let ty = with_lane(&ty, scalar);
                self.node(ExprKind::Cast(scalar, Rc::new(value)), ty, source)
            }
            Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_) => value,
        }
    }
}
