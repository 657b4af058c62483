//! Vectors from scalars, and scalars from vectors.
//!
//! A vector in memory is a number of neighbouring scalars. So `asVector` and `asScalar` of an array in memory
//! change only how it is read and written. If the components of a vector do not lie side by side, or are
//! computed, the vector is built from them.

use std::rc::Rc;

use super::error::Error;
use super::generator::{Generated, Generator};
use super::values::is_nowhere;
use crate::ir::kernel::{Expression, ValueType};
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

    /// The vector of these components: one load if they are neighbours in memory, one operation if all are
    /// computed in the same way.
    fn vector_of(&self, components: Vec<Expression>) -> Expression {
        Expression::neighbours(&components, &self.ranges)
            .or_else(|| whole(&components))
            .or_else(|| alike(&components))
            .or_else(|| self.lifted(&components))
            .or_else(|| self.neighbours_or_constants(&components))
            .or_else(|| self.neighbours_or_nowhere(&components))
            .unwrap_or_else(|| Expression::Components(self.in_aligned_vectors(components)))
    }

    /// The same components; those that lie in one aligned vector are taken from it. That vector is one load,
    /// which overlapping windows of a stencil are likely to share.
    fn in_aligned_vectors(&self, components: Vec<Expression>) -> Vec<Expression> {
        let Ok(lanes) = u8::try_from(components.len()) else { return components };
        let vectors: Vec<Option<(Expression, u8)>> =
            components.iter().map(|component| self.aligned_vector(component, lanes)).collect();
        let shared =
            |vector: &Expression| vectors.iter().flatten().filter(|(other, _)| other == vector).count() > 1;
        let chosen = components.into_iter().zip(&vectors).map(|(component, found)| match found {
            Some((vector, lane)) if shared(vector) => Expression::Component(Box::new(vector.clone()), *lane),
            _ => component,
        });
        chosen.collect()
    }

    /// The aligned vector around a scalar in memory, and the scalar's position in it. `None` if the vector
    /// might reach beyond the end of the buffer.
    fn aligned_vector(&self, component: &Expression, lanes: u8) -> Option<(Expression, u8)> {
        let Expression::Load(buffer, index, ty) = component else { return None };
        let width = Nat::constant(i128::from(lanes));
        let is_whole =
            ty.lanes == 1 && self.ranges.divides(&width, &self.buffers.get(buffer.0)?.length) == Some(true);
        let lane = self.ranges.simplify(&index.modulo(&width)).as_constant().filter(|_| is_whole)?;
        let start = self.ranges.simplify(&(index - Nat::constant(lane)));
        let vector = Expression::Load(*buffer, start, ValueType { scalar: ty.scalar, lanes });
        Some((vector, u8::try_from(lane).ok()?))
    }

    /// One load for neighbouring scalars that `padConstant` replaces by a constant outside of the array. It
    /// is used where all of them lie in the array, which holds for all vectors except those at its borders.
    fn neighbours_or_constants(&self, components: &[Expression]) -> Option<Expression> {
        let mut conditions = Vec::new();
        let mut loads = Vec::new();
        for component in components {
            let Expression::Select(condition, then, otherwise) = component else { return None };
            let (Expression::Condition(condition), Expression::Literal(..)) =
                (condition.as_ref(), otherwise.as_ref())
            else {
                return None;
            };
            conditions.push(condition.clone());
            loads.push(then.as_ref().clone());
        }
        let vector = Expression::neighbours(&loads, &self.ranges)?;
        let all = self.weakest(&conditions)?;
        let apart = Expression::Components(components.to_vec());
        Some(Expression::Select(Box::new(Expression::Condition(all)), Box::new(vector), Box::new(apart)))
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

    /// A condition from which all of these follow: the last one, the first one, or both.
    fn weakest(&self, conditions: &[Condition]) -> Option<Condition> {
        let (first, last) = (conditions.first()?.clone(), conditions.last()?.clone());
        let both = first.clone().and(last.clone());
        [last, first, both].into_iter().find(|candidate| {
            let mut ranges = self.ranges.clone();
            ranges.assume(candidate);
            conditions
                .iter()
                .all(|condition| condition == candidate || ranges.decide(condition) == Some(true))
        })
    }

    /// One operation on vectors, if every component is computed by the same operation.
    fn lifted(&self, components: &[Expression]) -> Option<Expression> {
        let operands = |position: usize| -> Option<Expression> {
            let parts = components
                .iter()
                .map(|component| component.children().get(position).map(|part| (*part).clone()));
            Some(self.vector_of(parts.collect::<Option<Vec<_>>>()?))
        };
        let all = |is_same: &dyn Fn(&Expression) -> bool| components.iter().all(is_same);
        match components.first()? {
            Expression::Binary(operator, _, _) => {
                let same = all(&|other| matches!(other, Expression::Binary(own, _, _) if own == operator));
                let (left, right) = (operands(0).filter(|_| same)?, operands(1)?);
                Some(Expression::Binary(*operator, Box::new(left), Box::new(right)))
            }
            Expression::Unary(operator, _) => {
                let same = all(&|other| matches!(other, Expression::Unary(own, _) if own == operator));
                let operand = operands(0).filter(|_| same)?;
                Some(Expression::Unary(*operator, Box::new(operand)))
            }
            Expression::Builtin(builtin, arguments) if *builtin != Builtin::Dot => {
                if !all(&|other| matches!(other, Expression::Builtin(own, _) if own == builtin)) {
                    return None;
                }
                let arguments = (0..arguments.len()).map(operands).collect::<Option<_>>()?;
                Some(Expression::Builtin(*builtin, arguments))
            }
            Expression::Cast(ty, operand) => {
                let from = operand.ty();
                let same = all(&|other| match other {
                    Expression::Cast(own, operand) => own == ty && operand.ty() == from,
                    _ => false,
                });
                let operand = operands(0).filter(|_| same)?;
                Some(Expression::Cast(*ty, Box::new(operand)))
            }
            Expression::Literal(..)
            | Expression::Variable(_)
            | Expression::Index(..)
            | Expression::Condition(_)
            | Expression::WorkerId(_)
            | Expression::Load(..)
            | Expression::Builtin(..)
            | Expression::Function(..)
            | Expression::Broadcast(..)
            | Expression::Components(_)
            | Expression::Component(..)
            | Expression::Select(..) => None,
        }
    }

    /// Applies a function on scalars to every component of vectors: as vector arithmetic if the body consists
    /// of nothing else, otherwise component by component.
    pub(super) fn lanewise(
        &mut self,
        expr: &Expr,
        function: &Lambda,
        arguments: &[Rc<Expr>],
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

/// The vector whose components these are, if they are all of them, in order.
fn whole(components: &[Expression]) -> Option<Expression> {
    let Expression::Component(vector, 0) = components.first()? else { return None };
    let in_order = |(lane, component): (u8, &Expression)| match component {
        Expression::Component(same, position) => same == vector && *position == lane,
        _ => false,
    };
    let complete = usize::from(vector.ty().lanes) == components.len();
    (complete && (0..).zip(components).all(in_order)).then(|| vector.as_ref().clone())
}

/// A broadcast, if all components are the same scalar.
fn alike(components: &[Expression]) -> Option<Expression> {
    let (first, lanes) = (components.first()?, u8::try_from(components.len()).ok()?);
    let same = components.iter().all(|component| component == first);
    same.then(|| Expression::Broadcast(Box::new(first.clone()), lanes))
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
