//! What looks like Rust's shifts outside of user functions: `x >> 3`, which is composition there.

use crate::front::infer::clauses::spelling;
use crate::front::infer::environment::{Binding, Environment};
use crate::front::infer::error::{Error, ScalarMistake};
use crate::front::infer::inference::Inference;
use crate::front::syntax::{Expr, ExprKind};
use crate::ir::scalar::{BinaryOperator, ScalarClass, ScalarType};
use crate::ir::typed;
use crate::ir::types::Type;

impl<'a> Inference<'a> {
    /// The mistake of `left >> right` where both are numbers. `value` is that of `left`.
    pub(in crate::front::infer) fn no_shift(
        &self,
        left: &Expr,
        value: &typed::Expr,
        right: &Expr,
        names: &Environment<'_>,
    ) -> Option<Error> {
        let is_number = match &right.kind {
            ExprKind::Literal(..) | ExprKind::Binary(..) | ExprKind::Cast(..) => true,
            ExprKind::Name(name) => match names.get(name) {
                Some(Binding::Value(value, _) | Binding::Constant(value)) => self.is_number(&value.ty),
                Some(Binding::Size(_)) => true,
                None => self.is_capturable(name),
                Some(Binding::Function(_) | Binding::Alias(_)) => false,
            },
            ExprKind::Component(..) | ExprKind::Field(..) => self.rust_place(right, names).is_some(),
            _ => false,
        };
        if !is_number || !self.is_number(&value.ty) {
            return None;
        }
        // In Rust, the shift is inside of `h ^ h >> 15` and `x >> 3 & 7`. Here, parentheses leave no trace.
        let (number, bits) = match binds_weaker_than_shifts(left) || binds_weaker_than_shifts(right) {
            true => ("x".to_owned(), "k".to_owned()),
            false => (spelling(left), spelling(right)),
        };
        Some(Error::new(right.source, ScalarMistake::Shift { number, bits }))
    }

    /// Whether a type is known to be a type of numbers.
    pub(in crate::front::infer) fn is_number(&self, ty: &Type) -> bool {
        match self.unknowns.outermost(ty) {
            _ if self.unknowns.is_mistake(ty) => false,
            Type::Size => true,
            Type::Scalar(ScalarType::Bool) => false,
            Type::Scalar(ScalarType::Parameter(_)) => matches!(
                self.unknowns.class(ty),
                Some(ScalarClass::Number | ScalarClass::Integer | ScalarClass::Float)
            ),
            Type::Scalar(_) | Type::Vector(..) => true,
            Type::Tuple(_) | Type::Array(_) => false,
        }
    }
}

/// Whether the outermost operator of an expression binds weaker than shifts do in Rust.
fn binds_weaker_than_shifts(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Binary(operator, ..) => match operator {
            BinaryOperator::Add
            | BinaryOperator::Subtract
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Remainder => false,
            BinaryOperator::BitAnd
            | BinaryOperator::BitOr
            | BinaryOperator::BitXor
            | BinaryOperator::And
            | BinaryOperator::Or
            | BinaryOperator::Equal
            | BinaryOperator::NotEqual
            | BinaryOperator::Less
            | BinaryOperator::LessOrEqual
            | BinaryOperator::Greater
            | BinaryOperator::GreaterOrEqual => true,
        },
        _ => false,
    }
}
