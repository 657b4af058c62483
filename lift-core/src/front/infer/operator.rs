//! Operators: `-x`, `!x`, and operators with two operands.

use std::sync::Arc;

use super::environment::Environment;
use super::error::{Error, Place, ScalarMistake};
use super::inference::Inference;
use crate::front::syntax::Expr;
use crate::ir::nat::Nat;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarClass, UnaryOperator};
use crate::ir::source::Source;
use crate::ir::typed::result::scalar::{class_of_operands, of_operator};
use crate::ir::typed::{self, ExprKind};
use crate::ir::types::Type;

impl<'a> Inference<'a> {
    /// `-x`, `!x`
    pub(super) fn unary(
        &mut self,
        operator: UnaryOperator,
        operand: &'a Expr,
        source: Source,
        names: &Environment<'a>,
    ) -> typed::Expr {
        let operand = self.value(operand, names);
        match operator {
            UnaryOperator::Negate => self.negate(operand, source),
            UnaryOperator::Not => {
                let operand = if self.is_number(&self.lane(&operand.ty)) {
                    let Some(operand) = self.number(operand, ScalarClass::Bits, "!") else {
                        return self.mistake(source);
                    };
                    operand
                } else {
                    self.truth(operand, Place::Inverted)
                };
                let ty = operand.ty.clone();
                self.node(ExprKind::Unary(UnaryOperator::Not, Arc::new(operand)), ty, source)
            }
        }
    }

    /// `-x`; a negative number is one literal, so that the smallest integer can be written.
    pub(super) fn negate(&mut self, operand: typed::Expr, source: Source) -> typed::Expr {
        let operand = match &operand.kind {
            ExprKind::Literal(Literal::Integer(value)) if *value > 0 => {
                let kind = ExprKind::Literal(Literal::Integer(-value));
                return self.node(kind, operand.ty.clone(), source);
            }
            ExprKind::Size(size) if operand.ty == Type::Size => {
                let size = Nat::zero() - size;
                return self.size_value(size, source);
            }
            _ => operand,
        };
        let Some(operand) = self.number(operand, ScalarClass::Number, "-") else {
            return self.mistake(source);
        };
        let ty = operand.ty.clone();
        self.node(ExprKind::Unary(UnaryOperator::Negate, Arc::new(operand)), ty, source)
    }

    /// `left operator right`
    pub(super) fn binary(
        &mut self,
        operator: BinaryOperator,
        left: typed::Expr,
        right: typed::Expr,
        source: Source,
    ) -> typed::Expr {
        if let Some(size) = self.size_arithmetic(operator, &left, &right) {
            return self.size_value(size, source);
        }
        if let (Type::Array(_), Type::Array(_)) =
            (self.unknowns.outermost(&left.ty), self.unknowns.outermost(&right.ty))
        {
            let mistake = ScalarMistake::Arrays {
                operation: operator.symbol(),
                left: self.known(&left.ty),
                right: self.known(&right.ty),
            };
            return self.fail(Error::new(source, mistake));
        }
        let Some(class) = class_of_operands(operator) else {
            let place = Place::Operand(operator.symbol());
            let (left, right) = (self.truth(left, place.clone()), self.truth(right, place));
            let Some((left, right)) = self.same_width(left, right, operator.symbol(), source) else {
                return self.mistake(source);
            };
            let ty = of_operator(operator, &left.ty);
            let kind = ExprKind::Binary(operator, Arc::new(left), Arc::new(right));
            return self.node(kind, ty, source);
        };
        let Some(operands) = self.operands(vec![left, right], class, operator.symbol(), source) else {
            return self.mistake(source);
        };
        let mut operands = operands.into_iter();
        let (Some(left), Some(right)) = (operands.next(), operands.next()) else {
            return self.mistake(source);
        };
        let ty = of_operator(operator, &self.unknowns.outermost(&left.ty));
        self.node(ExprKind::Binary(operator, Arc::new(left), Arc::new(right)), ty, source)
    }

    /// Arithmetic of sizes and numbers stays a size.
    fn size_arithmetic(
        &self,
        operator: BinaryOperator,
        left: &typed::Expr,
        right: &typed::Expr,
    ) -> Option<Nat> {
        if left.ty != Type::Size && right.ty != Type::Size {
            return None;
        }
        let (left, right) = (self.constant_size(left)?, self.constant_size(right)?);
        let divides = matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder);
        if divides && right.as_constant() == Some(0) {
            return None;
        }
        match operator {
            BinaryOperator::Add => Some(left + right),
            BinaryOperator::Subtract => Some(left - right),
            BinaryOperator::Multiply => Some(left * right),
            BinaryOperator::Divide => Some(left.divide(&right)),
            BinaryOperator::Remainder => Some(left.modulo(&right)),
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
            | BinaryOperator::Or => None,
        }
    }
}
