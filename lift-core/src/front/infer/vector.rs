//! Vectors in computations: beside a vector stands one of the same width, or a scalar, which fills one.

use std::sync::Arc;

use super::error::{Difference, Error, Place, ScalarMistake};
use super::inference::{Inference, shared};
use crate::ir::scalar::ScalarType;
use crate::ir::source::Source;
use crate::ir::typed::result::scalar::with_lane;
use crate::ir::typed::{self, ExprKind, Lambda, MapKind};
use crate::ir::types::{ArrayType, Type};

impl Inference<'_> {
    /// The number of components of a vector type.
    pub(super) fn width(&self, ty: &Type) -> Option<u8> {
        match self.unknowns.outermost(ty) {
            Type::Vector(_, width) => Some(width),
            Type::Scalar(_) | Type::Size | Type::Tuple(_) | Type::Array(_) => None,
        }
    }

    /// The type of a component of a vector; any other type is its own.
    pub(super) fn lane(&self, ty: &Type) -> Type {
        match self.unknowns.outermost(ty) {
            Type::Vector(lane, _) => Type::Scalar(lane),
            other @ (Type::Scalar(_) | Type::Size | Type::Tuple(_) | Type::Array(_)) => other,
        }
    }

    /// Whether both are vectors, and of different widths.
    pub(super) fn different_widths(&self, left: &Type, right: &Type) -> bool {
        matches!((self.width(left), self.width(right)), (Some(left), Some(right)) if left != right)
    }

    /// A value where a type is expected: a size becomes an integer, and a scalar fills the components of a
    /// vector.
    pub(super) fn fit(&mut self, value: typed::Expr, expected: &Type) -> typed::Expr {
        match self.unknowns.outermost(expected) {
            Type::Vector(lane, width) if self.is_scalar(&value) => {
                self.broadcast(value, &Type::Scalar(lane), width)
            }
            Type::Vector(..) | Type::Scalar(_) | Type::Size | Type::Tuple(_) | Type::Array(_) => {
                self.size_as_integer(value, expected)
            }
        }
    }

    /// Whether a value is a number, a truth value or a size, and not something that may still become a
    /// vector.
    fn is_scalar(&self, value: &typed::Expr) -> bool {
        if self.unknowns.is_mistake(&value.ty) || self.unknowns.is_open(&value.ty) {
            return false;
        }
        matches!(self.unknowns.outermost(&value.ty), Type::Scalar(_) | Type::Size)
    }

    /// A vector with a scalar in every component. A value of another type stays as it is.
    fn broadcast(&mut self, value: typed::Expr, lane: &Type, width: u8) -> typed::Expr {
        let value = self.size_as_integer(value, lane);
        let source = value.source;
        match (self.unify(&value.ty, lane, "this vector", source), self.unknowns.outermost(lane)) {
            (Ok(()), Type::Scalar(lane)) => {
                self.node(ExprKind::Broadcast(Arc::new(value)), Type::Vector(lane, width), source)
            }
            _ => value,
        }
    }

    /// An operand beside others with components of type `lane`. Where one of these is a vector, a scalar
    /// becomes one of that width.
    pub(super) fn broadcast_beside(
        &mut self,
        operand: typed::Expr,
        lane: &Type,
        width: Option<u8>,
    ) -> typed::Expr {
        match width {
            Some(width) if self.is_scalar(&operand) => self.broadcast(operand, lane, width),
            Some(_) | None => operand,
        }
    }

    /// The values, with scalars made vectors of a width.
    pub(super) fn broadcast_all(&mut self, values: Vec<typed::Expr>, width: u8) -> Vec<typed::Expr> {
        let lane = values.iter().find(|value| value.ty != Type::Size).map(|value| self.lane(&value.ty));
        let lane = lane.unwrap_or(Type::Scalar(ScalarType::I64));
        values.into_iter().map(|value| self.broadcast_beside(value, &lane, Some(width))).collect()
    }

    /// A value that must be a truth value, or a vector of such.
    pub(super) fn truth(&mut self, value: typed::Expr, place: Place) -> typed::Expr {
        let wanted = with_lane(&self.unknowns.outermost(&value.ty), ScalarType::Bool);
        self.expect(value, &wanted, place)
    }

    /// Two truth values. If one is a vector, the other is made as wide. `None` after a mistake.
    pub(super) fn same_width(
        &mut self,
        left: typed::Expr,
        right: typed::Expr,
        operation: &'static str,
        source: Source,
    ) -> Option<(typed::Expr, typed::Expr)> {
        let left = self.fit(left, &right.ty);
        let right = self.fit(right, &left.ty);
        if self.different_widths(&left.ty, &right.ty) {
            let types = vec![self.known(&left.ty), self.known(&right.ty)];
            let difference = Difference::Widths;
            self.report(Error::new(
                source,
                ScalarMistake::Operands { operation, types, difference, remedy: None },
            ));
            return None;
        }
        Some((left, right))
    }

    /// What is wrong with an argument of `dot` that is no vector.
    pub(super) fn no_vector_for_dot(&self, value: &typed::Expr) -> Option<Error> {
        if self.unknowns.is_mistake(&value.ty) || self.width(&value.ty).is_some() {
            return None;
        }
        Some(Error::new(value.source, ScalarMistake::NoVectorForDot { ty: self.known(&value.ty) }))
    }

    /// The initial value of an accumulator, with scalars made vectors where the accumulator has vectors.
    /// `None` where nothing changes.
    pub(super) fn widened(&mut self, initial: &typed::Expr, accumulated: &Type) -> Option<typed::Expr> {
        match (&initial.kind, self.unknowns.outermost(accumulated)) {
            (ExprKind::Tuple(parts), Type::Tuple(types)) if parts.len() == types.len() => {
                let widened: Vec<Option<typed::Expr>> =
                    parts.iter().zip(&types).map(|(part, ty)| self.widened(part, ty)).collect();
                if widened.iter().all(Option::is_none) {
                    return None;
                }
                let parts: Vec<Arc<typed::Expr>> = widened
                    .into_iter()
                    .zip(parts)
                    .map(|(new, old)| new.map_or_else(|| old.clone(), Arc::new))
                    .collect();
                let ty = Type::Tuple(parts.iter().map(|part| part.ty.clone()).collect());
                Some(self.node(ExprKind::Tuple(parts), ty, initial.source))
            }
            (ExprKind::ArrayLiteral(elements), Type::Array(array)) => {
                let widened: Option<Vec<typed::Expr>> =
                    elements.iter().map(|element| self.widened(element, &array.element)).collect();
                let widened = widened?;
                let element = widened.first().map(|element| element.ty.clone())?;
                let ty = Type::array(element, array.length.clone());
                Some(self.node(ExprKind::ArrayLiteral(shared(widened)), ty, initial.source))
            }
            (ExprKind::Repeat(length, value), Type::Array(array)) => {
                let value = self.widened(value, &array.element)?;
                let ty = Type::array(value.ty.clone(), length.clone());
                Some(self.node(ExprKind::Repeat(length.clone(), Arc::new(value)), ty, initial.source))
            }
            (_, Type::Array(array)) => {
                let Type::Array(scalars) = self.unknowns.outermost(&initial.ty) else { return None };
                self.widened_elements(initial, &scalars, &array.element)
            }
            (_, Type::Vector(_, width)) if self.is_scalar(initial) => {
                let lane = self.lane(&initial.ty);
                let widened = self.broadcast(initial.clone(), &lane, width);
                Some(widened)
            }
            (_, Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_)) => None,
        }
    }

    /// An array that is not written out, such as the accumulator of an enclosing reduction, with its elements
    /// made vectors.
    fn widened_elements(
        &mut self,
        initial: &typed::Expr,
        scalars: &ArrayType,
        accumulated: &Type,
    ) -> Option<typed::Expr> {
        if scalars.index.is_some() {
            return None;
        }
        let variable = self.fresh_variable("x");
        let element = self.variable(&variable, &scalars.element, initial.source);
        let body = Arc::new(self.widened(&element, accumulated)?);
        let ty = Type::array(body.ty.clone(), scalars.length.clone());
        let lambda = Lambda { parameters: vec![(variable, scalars.element.clone())], index: None, body };
        let map = ExprKind::Map(MapKind::Unspecified, lambda, Arc::new(initial.clone()));
        Some(self.node(map, ty, initial.source))
    }
}
