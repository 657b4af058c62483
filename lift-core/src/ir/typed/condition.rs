//! Comparisons of sizes, in a program and in the algebra.

use super::{Expr, ExprKind};
use crate::ir::nat::{Condition, Nat, too_large};
use crate::ir::scalar::{BinaryOperator, Literal, UnaryOperator};

impl Expr {
    /// A condition as a comparison of sizes; `None` where it compares anything else.
    pub fn size_condition(&self) -> Option<Condition> {
        match &self.kind {
            ExprKind::Unary(UnaryOperator::Not, operand) => operand.size_condition().map(Condition::negate),
            ExprKind::Binary(BinaryOperator::And, left, right) => {
                Some(left.size_condition()?.and(right.size_condition()?))
            }
            ExprKind::Binary(BinaryOperator::Or, left, right) => {
                Some(left.size_condition()?.or(right.size_condition()?))
            }
            ExprKind::Binary(operator, left, right) if operator.is_comparison() => {
                compare(*operator, left.compared_size()?, right.compared_size()?)
            }
            _ => None,
        }
    }

    /// A size in a comparison, or a number beside one.
    fn compared_size(&self) -> Option<Nat> {
        match &self.kind {
            ExprKind::Size(size) => Some(size.clone()),
            // A number that is too large for a size has another type.
            ExprKind::Literal(Literal::Integer(number)) => {
                Some(Nat::constant(*number)).filter(|size| too_large(size).is_none())
            }
            _ => None,
        }
    }
}

/// A comparison of two sizes; `None` for operators that compare nothing.
pub fn compare(operator: BinaryOperator, left: Nat, right: Nat) -> Option<Condition> {
    match operator {
        BinaryOperator::Less => Some(Condition::Less(left, right)),
        BinaryOperator::LessOrEqual => Some(Condition::LessOrEqual(left, right)),
        BinaryOperator::Greater => Some(Condition::Less(right, left)),
        BinaryOperator::GreaterOrEqual => Some(Condition::LessOrEqual(right, left)),
        BinaryOperator::Equal => Some(Condition::Equal(left, right)),
        BinaryOperator::NotEqual => Some(Condition::Equal(left, right).negate()),
        BinaryOperator::Add
        | BinaryOperator::Subtract
        | BinaryOperator::Multiply
        | BinaryOperator::Divide
        | BinaryOperator::Remainder
        | BinaryOperator::BitAnd
        | BinaryOperator::BitXor
        | BinaryOperator::BitOr
        | BinaryOperator::And
        | BinaryOperator::Or => None,
    }
}
