//! What looks like Rust's shifts and methods on bits: `x >> 3`, which is composition here, `x.count_ones()`.

use crate::front::infer::clauses::spelling;
use crate::front::infer::environment::{Argument, Binding, Environment};
use crate::front::infer::error::{Error, ScalarMistake};
use crate::front::infer::inference::Inference;
use crate::front::syntax::{Expr, ExprKind};
use crate::ir::scalar::{ScalarClass, ScalarType};
use crate::ir::typed;
use crate::ir::types::Type;

/// Methods of Rust's integers that look at bits, and what computes the same here.
const BIT_METHODS: &[(&str, &str)] = &[
    ("rotate_left", "rotl(x, k)"),
    ("rotate_right", "rotr(x, k)"),
    ("count_ones", "popcount(x)"),
    ("count_zeros", "popcount(!x)"),
    ("leading_zeros", "leadingZeros(x)"),
    ("leading_ones", "leadingZeros(!x)"),
    ("trailing_zeros", "trailingZeros(x)"),
    ("trailing_ones", "trailingZeros(!x)"),
    ("wrapping_shl", "shl(x, k)"),
    ("wrapping_shr", "shr(x, k)"),
];

impl<'a> Inference<'a> {
    /// The mistake of `left >> right` where both are numbers. `value` is that of `left`.
    pub(in crate::front::infer) fn shift(
        &self,
        left: &Expr,
        value: &typed::Expr,
        right: &Expr,
        names: &Environment<'_>,
    ) -> Option<Error> {
        let is_number = match &right.kind {
            ExprKind::Literal(..) | ExprKind::Binary(..) | ExprKind::Cast(..) => true,
            ExprKind::Name(name) => match names.get(name) {
                Some(Binding::Value(value, _)) => self.is_number(&value.ty),
                Some(Binding::Size(_)) => true,
                None => self.is_capturable(name),
                Some(Binding::Function(_) | Binding::Alias(_)) => false,
            },
            _ => false,
        };
        if !is_number || !self.is_number(&value.ty) {
            return None;
        }
        let (number, bits) = (spelling(left), spelling(right));
        Some(Error::new(right.source, ScalarMistake::Shift { number, bits }))
    }

    /// The mistake of a method of Rust's integers on a number that is none, or whose type is not known.
    pub(in crate::front::infer) fn bit_method(
        &mut self,
        method: &Expr,
        arguments: &[Argument<'a>],
        names: &Environment<'a>,
    ) -> Option<Error> {
        let ExprKind::Name(name) = &method.kind else { return None };
        let (_, written) = BIT_METHODS.iter().find(|(method, _)| method == name)?;
        if names.get(name).is_some() {
            return None;
        }
        let receiver = arguments.first()?.clone();
        let receiver = self.discarded(|this| this.argument_value(receiver));
        if !self.is_number(&receiver.ty) {
            return None;
        }
        Some(Error::new(method.source, ScalarMistake::BitMethod { name: name.clone(), written }))
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
