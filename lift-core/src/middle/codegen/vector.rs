//! Vectors from scalars, and scalars from vectors.
//!
//! A vector in memory is a number of neighbouring scalars. So `asVector` and `asScalar` of an array in memory
//! change only how it is read and written. If the components of a vector do not lie side by side, or are
//! computed, the vector is built from them.

use std::sync::Arc;

use super::error::Error;
use super::generator::{Generated, Generator};
use super::values::is_nowhere;
use crate::ir::kernel::{Expression, ValueType, Vectors};
use crate::ir::nat::{Condition, Nat};
use crate::ir::primitive::builtin::Builtin;
use crate::ir::source::Source;
use crate::ir::typed::{Expr, ExprKind, Lambda};
use crate::ir::types::Type;
use crate::middle::view::{Environment, Value, View};

impl Generator<'_> {
    /// The vector at `index` of an array of scalars seen as vectors.
    pub(super) fn vector_at(
        &mut self,
        input: &View,
        width: u8,
        index: &Nat,
        source: Source,
    ) -> Generated<Value> {
        let first = Nat::constant(i128::from(width)) * index;
        let mut components = Vec::new();
        let lanes_around = self.row_comparisons.lanes;
        self.row_comparisons.lanes = lanes_around.max(usize::from(width));
        for lane in 0..width {
            let position = self.ranges.simplify(&(&first + Nat::constant(i128::from(lane))));
            components.push(self.scalar_at(input, &position, source)?);
        }
        self.row_comparisons.lanes = lanes_around;
        Ok(Value::Scalar(self.vector_of(components)))
    }

    /// The scalar at `index` of an array of vectors seen as scalars.
    pub(super) fn component_at(
        &mut self,
        input: &View,
        width: u8,
        index: &Nat,
        source: Source,
    ) -> Generated<Value> {
        let width = Nat::constant(i128::from(width));
        let outer = self.ranges.simplify(&index.divide(&width));
        let lane = self.ranges.simplify(&index.modulo(&width));
        let vector = self.scalar_at(input, &outer, source)?;
        self.component_of(vector, &lane).map(Value::Scalar)
    }

    /// The element at `index` of an array of scalars or vectors.
    fn scalar_at(&mut self, input: &View, index: &Nat, source: Source) -> Generated<Expression> {
        match self.access(input, index, source)? {
            Value::Scalar(expression) => Ok(expression),
            Value::Tuple(_) | Value::Array(_) => {
                Err(Error::internal(source, "a scalar or a vector was expected"))
            }
        }
    }

    /// A component of a vector, at a position that may be known only when the kernel runs.
    fn component_of(&mut self, vector: Expression, lane: &Nat) -> Generated<Expression> {
        if let Some(lane) = lane.as_constant().and_then(|lane| u8::try_from(lane).ok()) {
            return Ok(vector.component(lane));
        }
        let lanes = vector.ty().lanes;
        let vector = match vector {
            Expression::Load(buffer, index, ty) => {
                let index = self.ranges.simplify(&(index + lane));
                return Ok(Expression::Load(buffer, index, ValueType::from(ty.scalar)));
            }
            Expression::Select(condition, then, otherwise) if condition.ty().lanes == 1 => {
                let then = Box::new(self.component_of(*then, lane)?);
                let otherwise = Box::new(self.component_of(*otherwise, lane)?);
                return Ok(Expression::Select(condition, then, otherwise));
            }
            // These may be places to write to, so they must not become a variable.
            components @ Expression::Components(_) => components,
            other => self.kept_scalar(other, "vector"),
        };
        // OpenCL C cannot index the components of a vector, so comparisons choose one.
        let last = vector.component(lanes.saturating_sub(1));
        Ok((0..lanes.saturating_sub(1)).rev().fold(last, |others, position| {
            let is_here = Condition::Equal(lane.clone(), Nat::constant(i128::from(position)));
            Expression::Select(
                Box::new(Expression::Condition(is_here)),
                Box::new(vector.component(position)),
                Box::new(others),
            )
        }))
    }

    /// The vector of these components, or the place of a vector at these places.
    fn vector_of(&self, components: Vec<Expression>) -> Expression {
        let vectors = Vectors { buffers: &self.buffers, ranges: &self.ranges };
        self.neighbours_or_nowhere(&components).unwrap_or_else(|| vectors.of(components))
    }

    /// One place for neighbouring scalars that are all written under the same condition.
    fn neighbours_or_nowhere(&self, components: &[Expression]) -> Option<Expression> {
        let Expression::Select(all, _, nowhere) = components.first()? else { return None };
        let place = |component: &Expression| match component {
            Expression::Select(condition, place, otherwise) if condition == all && is_nowhere(otherwise) => {
                Some(place.as_ref().clone())
            }
            _ => None,
        };
        let places = components.iter().map(place).collect::<Option<Vec<_>>>()?;
        let vector = Expression::neighbours(&places, &self.ranges)?;
        Some(Expression::Select(all.clone(), Box::new(vector), nowhere.clone()))
    }

    /// Applies a function on scalars to every component of vectors: as vector arithmetic if the body consists
    /// of nothing else, otherwise component by component.
    pub(super) fn lanewise(
        &mut self,
        expr: &Expr,
        function: &Lambda,
        arguments: &[Arc<Expr>],
        environment: &Environment,
    ) -> Generated<Value> {
        let source = expr.source;
        let Type::Vector(_, width) = expr.ty else {
            return Err(Error::internal(source, "a function on components gives no vector"));
        };
        let vectors = arguments
            .iter()
            .map(|argument| self.scalar(argument, environment))
            .collect::<Generated<Vec<Expression>>>()?;
        if is_componentwise(&function.body) {
            let vectors = vectors.into_iter().map(Value::Scalar).collect();
            let environment = self.bind(function, vectors, environment, source)?;
            let result = self.scalar(&function.body, &environment)?;
            return Ok(Value::Scalar(of_width(result, width)));
        }
        let vectors: Vec<Expression> =
            vectors.into_iter().map(|vector| self.kept_scalar(vector, "vector")).collect();
        let mut components = Vec::new();
        for lane in 0..width {
            let scalars = vectors.iter().map(|vector| Value::Scalar(vector.component(lane))).collect();
            let environment = self.bind(function, scalars, environment, source)?;
            components.push(self.scalar(&function.body, &environment)?);
        }
        Ok(Value::Scalar(Expression::Components(components)))
    }
}

/// The value as a vector of this width; a scalar is broadcast.
pub(super) fn of_width(value: Expression, lanes: u8) -> Expression {
    if lanes > 1 && value.ty().lanes == 1 { Expression::Broadcast(Box::new(value), lanes) } else { value }
}

/// Two operands of one width: a scalar beside a vector is broadcast.
pub(super) fn same_width(left: Expression, right: Expression) -> (Expression, Expression) {
    let lanes = left.ty().lanes.max(right.ty().lanes);
    (of_width(left, lanes), of_width(right, lanes))
}

/// The arguments of a built-in function, all of one width: scalars beside vectors are broadcast. The
/// condition of `select` may stay a single truth value.
pub(super) fn all_of_one_width(builtin: Builtin, arguments: Vec<Expression>) -> Vec<Expression> {
    let lanes = arguments.iter().map(|argument| argument.ty().lanes).max().unwrap_or(1);
    let stays = |position: usize| builtin == Builtin::Select && position == 0;
    let wide = |(position, argument)| if stays(position) { argument } else { of_width(argument, lanes) };
    arguments.into_iter().enumerate().map(wide).collect()
}

/// Whether the body of a function on scalars may be evaluated on whole vectors: it consists of operators,
/// built-in functions, conversions and choices on scalars. Evaluating both branches of a choice is harmless.
fn is_componentwise(body: &Expr) -> bool {
    if !matches!(body.ty, Type::Scalar(_) | Type::Size) {
        return false;
    }
    match &body.kind {
        ExprKind::Literal(_) | ExprKind::Variable(_) | ExprKind::Size(_) => true,
        ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Cast(..)
        | ExprKind::If(..)
        | ExprKind::Builtin(..)
        | ExprKind::Let { .. } => body.children().all(|child| is_componentwise(child)),
        ExprKind::Tuple(_)
        | ExprKind::Component(..)
        | ExprKind::ArrayLiteral(_)
        | ExprKind::Function(..)
        | ExprKind::Broadcast(_)
        | ExprKind::Lanewise(..)
        | ExprKind::Map(..)
        | ExprKind::Reduce(..)
        | ExprKind::Zip(_)
        | ExprKind::Layout(..)
        | ExprKind::PadConstant { .. }
        | ExprKind::Store(..)
        | ExprKind::Concat(_)
        | ExprKind::At(..)
        | ExprKind::Generate(..)
        | ExprKind::Repeat(..)
        | ExprKind::Unzip(_)
        | ExprKind::Scan(..)
        | ExprKind::Iterate(..)
        | ExprKind::EndUnless(..) => false,
    }
}
