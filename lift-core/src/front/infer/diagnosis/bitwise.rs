//! What looks like Rust's shifts and methods on bits: `x >> 3`, which is composition here, `x.swap_bytes()`.

use crate::front::infer::environment::{Argument, Binding, Environment};
use crate::front::infer::error::{BitMethod, Error, ScalarMistake};
use crate::front::infer::inference::Inference;
use crate::front::syntax::{Expr, ExprKind};
use crate::ir::scalar::{Literal, ScalarClass, ScalarType};
use crate::ir::typed;
use crate::ir::types::Type;

/// Methods of Rust's integers that look at bits.
const BIT_METHODS: &[&str] = &[
    "rotate_left",
    "rotate_right",
    "count_ones",
    "count_zeros",
    "leading_zeros",
    "trailing_zeros",
    "swap_bytes",
    "reverse_bits",
];

impl<'a> Inference<'a> {
    /// The mistake of `left >> right` where both are numbers.
    pub(in crate::front::infer) fn shift(
        &self,
        left: &typed::Expr,
        right: &Expr,
        names: &Environment<'_>,
    ) -> Option<Error> {
        let bits = match &right.kind {
            ExprKind::Literal(Literal::Integer(bits), _) => Some(*bits),
            ExprKind::Literal(Literal::Float(_) | Literal::Bool(_), _)
            | ExprKind::Binary(..)
            | ExprKind::Cast(..) => None,
            ExprKind::Name(name) => match names.get(name) {
                Some(Binding::Value(value, _)) if self.is_number(&value.ty) => None,
                Some(Binding::Size(_)) => None,
                None if self.is_capturable(name) => None,
                Some(Binding::Value(..) | Binding::Function(_) | Binding::Alias(_)) | None => return None,
            },
            _ => return None,
        };
        if !self.is_number(&left.ty) {
            return None;
        }
        let bits = bits.filter(|bits| (0..64).contains(bits)).unwrap_or(3);
        Some(Error::new(right.source, ScalarMistake::Shift { bits }))
    }

    /// The mistake of a method of Rust's integers on their bits.
    pub(in crate::front::infer) fn bit_method(
        &mut self,
        method: &Expr,
        arguments: &[Argument<'a>],
        names: &Environment<'a>,
    ) -> Option<Error> {
        let ExprKind::Name(name) = &method.kind else { return None };
        if !BIT_METHODS.contains(&name.as_str()) || names.get(name).is_some() {
            return None;
        }
        let receiver = arguments.first()?.clone();
        let receiver = self.discarded(|this| this.argument_value(receiver));
        if !self.is_number(&receiver.ty) {
            return None;
        }
        let width = match self.unknowns.outermost(&receiver.ty) {
            Type::Scalar(scalar) if !scalar.is_float() => u32::try_from(8 * scalar.bytes()).unwrap_or(32),
            _ => 32,
        };
        let width = if self.unknowns.class(&receiver.ty).is_some() { 32 } else { width };
        let given = match arguments.get(1) {
            Some(Argument::Syntax(Expr { kind: ExprKind::Literal(Literal::Integer(bits), _), .. }, _)) => {
                u32::try_from(*bits).ok().filter(|bits| (1..width).contains(bits))
            }
            _ => None,
        };
        let bits = given.unwrap_or(5);
        let kind = match name.as_str() {
            "rotate_left" => BitMethod::RotateLeft,
            "rotate_right" => BitMethod::RotateRight,
            _ => BitMethod::Other,
        };
        Some(Error::new(method.source, ScalarMistake::BitMethod { name: name.clone(), kind, width, bits }))
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
