//! Operators that need not be applied in the order of the program.
//!
//! An operator that is known to be associative may combine what others have combined already; one that is commutative as well may
//! take its operands in any order. Known are the built-in ones and what the user states of a function with `#[assoc]` and `#[comm]`.
//! Sums and products of floats count among them: rounding is the only difference.

use crate::primitive::builtin::Builtin;
use crate::scalar::{BinaryOperator, Literal};
use crate::typed::{Expr, ExprKind, Function, Lambda, Laws, Variable};
use crate::types::Type;

/// An associative operator on values of one type.
pub(super) struct Operator<'e> {
    pub(super) function: &'e Lambda,
    /// What else may be done with it.
    pub(super) laws: Laws,
    /// A value that changes nothing.
    pub(super) identity: Option<Literal>,
}

impl<'e> Operator<'e> {
    /// The operator that a function is; none where it is not known to be associative.
    pub(super) fn of(function: &'e Lambda, functions: &[Function]) -> Option<Operator<'e>> {
        let [(left, left_type), (right, right_type)] = function.parameters.as_slice() else { return None };
        let are_operands = |a: &Expr, b: &Expr| {
            (is_variable(a, left) && is_variable(b, right)) || (is_variable(a, right) && is_variable(b, left))
        };
        let any_order = Laws { associative: true, commutative: true };
        let scalar = |literal| matches!(left_type, Type::Scalar(_)).then_some(literal);
        let (laws, identity) = match &function.body.kind {
            ExprKind::Binary(operator, a, b) if are_operands(a, b) => match operator {
                BinaryOperator::Add => (any_order, scalar(Literal::Integer(0))),
                BinaryOperator::Multiply => (any_order, scalar(Literal::Integer(1))),
                BinaryOperator::And => (any_order, scalar(Literal::Bool(true))),
                BinaryOperator::Or => (any_order, scalar(Literal::Bool(false))),
                BinaryOperator::Subtract
                | BinaryOperator::Divide
                | BinaryOperator::Remainder
                | BinaryOperator::Equal
                | BinaryOperator::NotEqual
                | BinaryOperator::Less
                | BinaryOperator::LessOrEqual
                | BinaryOperator::Greater
                | BinaryOperator::GreaterOrEqual => return None,
            },
            ExprKind::Builtin(Builtin::Min | Builtin::Max, arguments) => match arguments.as_slice() {
                [a, b] if are_operands(a, b) => (any_order, None),
                _ => return None,
            },
            // With its operands exchanged an associative function is associative, too.
            ExprKind::Function(called, arguments) => match (functions.get(*called), arguments.as_slice()) {
                (Some(called), [a, b]) if called.laws.associative && are_operands(a, b) => {
                    (called.laws, None)
                }
                _ => return None,
            },
            _ => return None,
        };
        (left_type == right_type && *left_type == function.body.ty).then_some(Operator {
            function,
            laws,
            identity,
        })
    }

    /// The type of the operands.
    pub(super) fn element(&self) -> &Type {
        &self.function.body.ty
    }

    /// The operator, applied.
    pub(super) fn apply(&self, left: &Expr, right: &Expr) -> Expr {
        let mut applied = self.function.body.as_ref().clone();
        for ((parameter, _), argument) in self.function.parameters.iter().zip([left, right]) {
            applied = applied.replace(parameter, argument);
        }
        applied
    }
}

fn is_variable(expr: &Expr, variable: &Variable) -> bool {
    matches!(&expr.kind, ExprKind::Variable(read) if read.id == variable.id)
}
