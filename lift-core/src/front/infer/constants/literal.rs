//! Values as programs write them: `-0.5` is `-` before a literal, and no literal is infinite.

use std::sync::Arc;

use super::evaluate::Value;
use crate::front::infer::inference::Inference;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType, UnaryOperator};
use crate::ir::source::Source;
use crate::ir::typed::{self, ExprKind};
use crate::ir::types::Type;

impl Inference<'_> {
    /// A value as an expression.
    pub(in crate::front::infer) fn literal_of(
        &mut self,
        value: Value,
        ty: &Type,
        source: Source,
    ) -> typed::Expr {
        match value {
            Value::Bool(truth) => self.node(ExprKind::Literal(Literal::Bool(truth)), ty.clone(), source),
            Value::Integer(number) => {
                self.node(ExprKind::Literal(Literal::Integer(number)), ty.clone(), source)
            }
            Value::Float(number) => {
                let magnitude = self.magnitude(number.abs(), ty, source);
                if number.is_nan() || number.is_sign_positive() {
                    return magnitude;
                }
                self.node(ExprKind::Unary(UnaryOperator::Negate, Arc::new(magnitude)), ty.clone(), source)
            }
        }
    }

    /// A float that is not negative.
    fn magnitude(&mut self, number: f64, ty: &Type, source: Source) -> typed::Expr {
        let digits = |number: f64| Literal::Float(shortest_digits(number, ty));
        let quotient = match number {
            _ if number.is_nan() => (0.0, 0.0),
            _ if number.is_infinite() => (1.0, 0.0),
            _ => return self.node(ExprKind::Literal(digits(number)), ty.clone(), source),
        };
        let (left, right) = (digits(quotient.0), digits(quotient.1));
        let left = self.node(ExprKind::Literal(left), ty.clone(), source);
        let right = self.node(ExprKind::Literal(right), ty.clone(), source);
        let quotient = ExprKind::Binary(BinaryOperator::Divide, Arc::new(left), Arc::new(right));
        self.node(quotient, ty.clone(), source)
    }
}

/// The fewest digits that are this number in its type.
fn shortest_digits(number: f64, ty: &Type) -> String {
    match ty {
        Type::Scalar(ScalarType::F64) => format!("{number:?}"),
        _ => format!("{:?}", number as f32),
    }
}
