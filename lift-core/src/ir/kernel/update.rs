//! Atomic updates: `buffer[index] = buffer[index] operator value`, as one step that no other one disturbs.
//!
//! Work-items update an element at the same time, in an order that nobody knows. So there are only operators
//! on integers that are associative and commutative: what all updates make of an element does not depend on
//! their order.

use super::Expression;
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::BinaryOperator;

/// What an update does with the element and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UpdateOperator {
    /// `+`, modulo the width.
    Add,
    /// The smaller one.
    Min,
    /// The larger one.
    Max,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
}

impl UpdateOperator {
    /// The update that an operator of the language is.
    pub(crate) fn of_operator(operator: BinaryOperator) -> Option<UpdateOperator> {
        match operator {
            BinaryOperator::Add => Some(UpdateOperator::Add),
            BinaryOperator::BitAnd => Some(UpdateOperator::And),
            BinaryOperator::BitOr => Some(UpdateOperator::Or),
            BinaryOperator::BitXor => Some(UpdateOperator::Xor),
            BinaryOperator::Subtract
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Remainder
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

    /// The update that a function of the language is.
    pub(crate) fn of_function(function: Builtin) -> Option<UpdateOperator> {
        match function {
            Builtin::Min => Some(UpdateOperator::Min),
            Builtin::Max => Some(UpdateOperator::Max),
            _ => None,
        }
    }

    /// The element after an update.
    pub(crate) fn applied(self, element: Expression, value: Expression) -> Expression {
        let binary =
            |operator| Expression::Binary(operator, Box::new(element.clone()), Box::new(value.clone()));
        match self {
            UpdateOperator::Add => binary(BinaryOperator::Add),
            UpdateOperator::And => binary(BinaryOperator::BitAnd),
            UpdateOperator::Or => binary(BinaryOperator::BitOr),
            UpdateOperator::Xor => binary(BinaryOperator::BitXor),
            UpdateOperator::Min => Expression::Builtin(Builtin::Min, vec![element, value]),
            UpdateOperator::Max => Expression::Builtin(Builtin::Max, vec![element, value]),
        }
    }
}
