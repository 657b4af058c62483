//! Scalars as operands: numbers of one type, and sizes among them.

use std::sync::Arc;

use super::error::{Difference, Error, ScalarMistake};
use super::inference::Inference;
use crate::ir::nat::{Nat, too_large};
use crate::ir::scalar::{Literal, ScalarClass, ScalarType};
use crate::ir::source::Source;
use crate::ir::typed::{self, ExprKind};
use crate::ir::types::Type;

impl Inference<'_> {
    /// A value that must be a scalar of a class, or a vector of such scalars. `operation` is what needs it.
    pub(super) fn number(
        &mut self,
        value: typed::Expr,
        class: ScalarClass,
        operation: &'static str,
    ) -> Option<typed::Expr> {
        if self.unknowns.is_mistake(&value.ty) {
            return None;
        }
        let wanted = self.unknowns.fresh_scalar(class);
        let value = self.size_as_integer(value, &wanted);
        let lane = self.lane(&value.ty);
        if self.unify(&lane, &wanted, operation, value.source).is_ok() {
            return Some(value);
        }
        let (ty, remedy) = (self.known(&value.ty), self.declared_as(&lane, class));
        self.report(Error::new(value.source, ScalarMistake::Operand { operation, class, ty, remedy }));
        None
    }

    /// A size in a computation becomes an integer of the expected type, if that is a type of integers.
    pub(super) fn size_as_integer(&mut self, value: typed::Expr, expected: &Type) -> typed::Expr {
        if !is_size(&value) {
            return value;
        }
        match self.unknowns.outermost(expected) {
            Type::Scalar(scalar @ ScalarType::Parameter(_)) => {
                let ty = Type::Scalar(scalar);
                let class = self.unknowns.class(&ty);
                if class.is_none() {
                    return value;
                }
                let integer = self.unknowns.fresh_scalar(ScalarClass::Integer);
                match self.unknowns.unify(&ty, &integer, &mut self.facts) {
                    Ok(()) => retyped(value, &ty),
                    Err(_) => value,
                }
            }
            integer @ Type::Scalar(scalar) if scalar.is_integer() => retyped(value, &integer),
            Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_) => value,
        }
    }

    /// A size whose type nothing decides becomes an `i64`, as wide as sizes are.
    pub(super) fn sized_integer(&mut self, value: typed::Expr) -> typed::Expr {
        self.size_as_integer(value, &Type::Scalar(ScalarType::I64))
    }

    /// A size, or a number beside one. `None` for any other value.
    pub(super) fn constant_size(&self, value: &typed::Expr) -> Option<Nat> {
        match &value.kind {
            ExprKind::Size(size) if value.ty == Type::Size => Some(size.clone()),
            ExprKind::Literal(Literal::Integer(number)) if self.unknowns.class(&value.ty).is_some() => {
                Some(Nat::constant(*number)).filter(|size| too_large(size).is_none())
            }
            _ => None,
        }
    }

    /// Operands of one scalar type of a class. `None` after a mistake.
    pub(super) fn operands(
        &mut self,
        values: Vec<typed::Expr>,
        class: ScalarClass,
        operation: &'static str,
        source: Source,
    ) -> Option<Vec<typed::Expr>> {
        let vector = values.iter().find(|value| self.width(&value.ty).is_some());
        let common = vector
            .or_else(|| values.iter().find(|value| value.ty != Type::Size))
            .map_or(Type::Scalar(ScalarType::I64), |value| self.lane(&value.ty));
        let width = vector.and_then(|value| self.width(&value.ty));
        self.widen_beside_size(&values);
        let mut operands = Vec::new();
        let mut sound = true;
        for value in values {
            let value = self.size_as_integer(value, &common);
            if value.ty == Type::Size && self.is_float(&common) {
                let mistake = ScalarMistake::SizeBesideFloats { operation, float: self.float(&common) };
                self.report(Error::new(value.source, mistake));
                return None;
            }
            let is_mistake = self.unknowns.is_mistake(&value.ty);
            match self.number(value, class, operation) {
                Some(operand) => operands.push(self.broadcast_beside(operand, &common, width)),
                None if is_mistake => sound = false,
                // The other operands are most often wrong in the same way.
                None => return None,
            }
        }
        if !sound {
            return None;
        }
        let first = operands.first()?.ty.clone();
        for operand in &operands {
            if self.unify(&first, &operand.ty, operation, source).is_err() {
                let types = operands.iter().map(|operand| self.known(&operand.ty)).collect();
                let difference = match self.different_widths(&first, &operand.ty) {
                    true => Difference::Widths,
                    false => Difference::Types,
                };
                let remedy = self.missing_bound(&first, &operand.ty);
                let mistake = ScalarMistake::Operands { operation, types, difference, remedy };
                self.report(Error::new(source, mistake));
                return None;
            }
        }
        Some(operands)
    }

    /// Makes literals beside a size `i64`, as wide as sizes are.
    fn widen_beside_size(&mut self, values: &[typed::Expr]) {
        if values.iter().all(|value| value.ty != Type::Size) {
            return;
        }
        for value in values {
            if matches!(value.kind, ExprKind::Literal(Literal::Integer(_))) {
                // A literal that has a type already keeps it: the types of all operands are compared
                // afterwards.
                let _ = self.unknowns.unify(&value.ty, &Type::Scalar(ScalarType::I64), &mut self.facts);
            }
        }
    }

    fn is_float(&self, ty: &Type) -> bool {
        let known = matches!(self.unknowns.outermost(ty), Type::Scalar(scalar) if scalar.is_float());
        known || self.unknowns.class(ty) == Some(ScalarClass::Float)
    }

    /// The type of floats that this is, or may become.
    fn float(&self, ty: &Type) -> ScalarType {
        match self.unknowns.outermost(ty) {
            Type::Scalar(scalar) if scalar.is_float() => scalar,
            Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_) => {
                ScalarType::F32
            }
        }
    }
}

/// Whether a value is a size, perhaps below `let`s.
pub(super) fn is_size(value: &typed::Expr) -> bool {
    match &value.kind {
        ExprKind::Size(_) => value.ty == Type::Size,
        ExprKind::Let { body, .. } => value.ty == Type::Size && is_size(body),
        _ => false,
    }
}

/// A size as an integer of a type.
fn retyped(value: typed::Expr, ty: &Type) -> typed::Expr {
    let kind = match value.kind {
        ExprKind::Let { bindings, body } => {
            ExprKind::Let { bindings, body: Arc::new(retyped(Arc::unwrap_or_clone(body), ty)) }
        }
        other => other,
    };
    typed::Expr { ty: ty.clone(), kind, ..value }
}
