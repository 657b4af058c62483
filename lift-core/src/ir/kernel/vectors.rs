//! Vectors of scalars: what is computed at once, and what is loaded at once.

use super::{Buffer, Expression, ValueType};
use crate::ir::nat::{Condition, Nat, Ranges};
use crate::ir::primitive::builtin::Builtin;

/// What is known where vectors are built.
#[derive(Clone, Copy)]
pub(crate) struct Vectors<'k> {
    /// The buffers that scalars are loaded from.
    pub(crate) buffers: &'k [Buffer],
    /// What is known of indices.
    pub(crate) ranges: &'k Ranges,
}

impl Vectors<'_> {
    /// The vector of these components: one load if they are neighbours in memory, one operation if all are
    /// computed in the same way.
    pub(crate) fn of(self, components: Vec<Expression>) -> Expression {
        Expression::neighbours(&components, self.ranges)
            .or_else(|| whole(&components))
            .or_else(|| alike(&components))
            .or_else(|| self.lifted(&components))
            .or_else(|| self.chosen_together(&components))
            .or_else(|| self.neighbours_or_constants(&components))
            .unwrap_or_else(|| self.in_aligned_vectors(components))
    }

    /// One choice of a vector, if one condition chooses every component, and otherwise a constant.
    fn chosen_together(self, components: &[Expression]) -> Option<Expression> {
        let Expression::Select(all, ..) = components.first()? else { return None };
        let (mut chosen, mut constants) = (Vec::new(), Vec::new());
        for component in components {
            match component {
                Expression::Select(condition, then, otherwise)
                    if condition == all && matches!(**otherwise, Expression::Literal(..)) =>
                {
                    chosen.push(then.as_ref().clone());
                    constants.push(otherwise.as_ref().clone());
                }
                _ => return None,
            }
        }
        let (chosen, constants) = (Box::new(self.of(chosen)), Box::new(self.of(constants)));
        Some(Expression::Select(all.clone(), chosen, constants))
    }

    /// One load for neighbouring scalars that `padConstant` replaces by a constant outside of the array. It
    /// is used where all of them lie in the array, which holds for all vectors except those at its borders.
    fn neighbours_or_constants(self, components: &[Expression]) -> Option<Expression> {
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
        let vector = Expression::neighbours(&loads, self.ranges)?;
        let all = self.weakest(&conditions)?;
        let apart = Expression::Components(components.to_vec());
        Some(Expression::Select(Box::new(Expression::Condition(all)), Box::new(vector), Box::new(apart)))
    }

    /// A condition from which all of these follow: the last one, the first one, or both.
    fn weakest(self, conditions: &[Condition]) -> Option<Condition> {
        let (first, last) = (conditions.first()?.clone(), conditions.last()?.clone());
        let both = first.clone().and(last.clone());
        [last, first, both].into_iter().find(|candidate| {
            let mut ranges = self.ranges.clone();
            ranges.assume(candidate);
            conditions.iter().all(|condition| condition == candidate || ranges.proves(condition))
        })
    }

    /// One operation on vectors, if every component is computed by the same operation.
    fn lifted(self, components: &[Expression]) -> Option<Expression> {
        let operands = |position: usize| -> Option<Expression> {
            let parts = components
                .iter()
                .map(|component| component.children().get(position).map(|part| (*part).clone()));
            Some(self.of(parts.collect::<Option<Vec<_>>>()?))
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

    /// A vector of these components. Those that lie in one aligned vector are taken from it. That vector is
    /// one load, which overlapping windows of a stencil are likely to share.
    fn in_aligned_vectors(self, components: Vec<Expression>) -> Expression {
        let Ok(lanes) = u8::try_from(components.len()) else { return Expression::Components(components) };
        let vectors: Vec<Option<(Expression, u8)>> =
            components.iter().map(|component| self.aligned_vector(component, lanes)).collect();
        let shared =
            |vector: &Expression| vectors.iter().flatten().filter(|(other, _)| other == vector).count() > 1;
        let chosen = components.into_iter().zip(&vectors).map(|(component, found)| match found {
            Some((vector, lane)) if shared(vector) => Expression::Component(Box::new(vector.clone()), *lane),
            _ => component,
        });
        Expression::Components(chosen.collect())
    }

    /// The aligned vector around a scalar in memory, and the scalar's position in it. `None` if the vector
    /// might reach beyond the end of the buffer.
    fn aligned_vector(self, component: &Expression, lanes: u8) -> Option<(Expression, u8)> {
        let Expression::Load(buffer, index, ty) = component else { return None };
        let width = Nat::constant(i128::from(lanes));
        let is_whole =
            ty.lanes == 1 && self.ranges.divides(&width, &self.buffers.get(buffer.0)?.length) == Some(true);
        let lane = self.ranges.simplify(&index.modulo(&width)).as_constant().filter(|_| is_whole)?;
        let start = self.ranges.simplify(&(index - Nat::constant(lane)));
        let vector = Expression::Load(*buffer, start, ValueType { scalar: ty.scalar, lanes });
        Some((vector, u8::try_from(lane).ok()?))
    }
}

impl Expression {
    /// One vector load instead of loads of these scalars; `None` unless they are neighbours in one buffer.
    pub(crate) fn neighbours(components: &[Expression], ranges: &Ranges) -> Option<Expression> {
        let (Expression::Load(buffer, first, ty), lanes) =
            (components.first()?, u8::try_from(components.len()).ok()?)
        else {
            return None;
        };
        let follows = |(lane, component): (i128, &Expression)| match component {
            Expression::Load(same, index, same_ty) => {
                let is_there = || ranges.simplify(&(index - first)).as_constant() == Some(lane);
                same == buffer && same_ty == ty && is_there()
            }
            _ => false,
        };
        let all = ty.lanes == 1 && (0..).zip(components).all(follows);
        let ty = ValueType { scalar: ty.scalar, lanes };
        all.then(|| Expression::Load(*buffer, ranges.simplify(first), ty))
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
