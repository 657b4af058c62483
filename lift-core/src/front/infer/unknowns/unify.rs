//! Types made equal.

use super::{Entry, Mismatch, Unknowns, unknown, unknown_index};
use crate::ir::nat::{Nat, Ranges, Var};
use crate::ir::scalar::{ScalarClass, ScalarType};
use crate::ir::types::{ArrayType, Type};

impl Unknowns {
    /// Makes two types equal.
    pub(in crate::front::infer) fn unify(
        &mut self,
        left: &Type,
        right: &Type,
        facts: &mut Ranges,
    ) -> Result<(), Mismatch> {
        let (left, right) = (self.outermost(left), self.outermost(right));
        match (unknown_index(&left), unknown_index(&right)) {
            (Some(left), Some(right)) if left == right => Ok(()),
            (Some(left), Some(right)) => self.link(left, right),
            (Some(index), None) => self.bind(index, &right, facts),
            (None, Some(index)) => self.bind(index, &left, facts),
            (None, None) => self.unify_known(&left, &right, facts),
        }
    }

    fn unify_known(&mut self, left: &Type, right: &Type, facts: &mut Ranges) -> Result<(), Mismatch> {
        match (left, right) {
            (Type::Tuple(lefts), Type::Tuple(rights)) if lefts.len() == rights.len() => {
                lefts.iter().zip(rights).try_for_each(|(left, right)| self.unify(left, right, facts))
            }
            (Type::Array(left), Type::Array(right)) => {
                self.unify_sizes(&left.length, &right.length, facts)?;
                match left.index.as_ref().or(right.index.as_ref()) {
                    None => self.unify(&left.element, &right.element, facts),
                    Some(index) => {
                        let index = index.clone();
                        self.unify_elements(left, right, &index, facts)
                    }
                }
            }
            (Type::Scalar(left), Type::Scalar(right)) if left == right => Ok(()),
            (Type::Vector(left, m), Type::Vector(right, n)) if m == n => {
                self.unify(&Type::Scalar(*left), &Type::Scalar(*right), facts)
            }
            (Type::Size, Type::Size) => Ok(()),
            (
                Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_),
                Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_),
            ) => Err(Mismatch::Shape),
        }
    }

    /// Makes the element types of two arrays equal at every position, whatever name either has for it. A
    /// solution found here cannot depend on the position.
    fn unify_elements(
        &mut self,
        left: &ArrayType,
        right: &ArrayType,
        named: &Var,
        facts: &mut Ranges,
    ) -> Result<(), Mismatch> {
        let index = self.vars.fresh(named.name());
        let (position, earlier) = (Nat::variable(&index), self.deferred.len());
        let length = self.resolve_size(&left.length);
        let mut inside = facts.clone();
        inside.declare(&index, Nat::zero(), Some(length.clone()));
        self.bound.push(index.clone());
        self.positions.insert(index.clone());
        let result = self.unify(&left.element_at(&position), &right.element_at(&position), &mut inside);
        self.bound.pop();
        for size in self.sizes_since(index.id()) {
            facts.declare(&size, Nat::zero(), None);
        }
        for requirement in self.deferred.split_off(earlier) {
            let everywhere = if requirement.mentions(&index) {
                requirement.for_every(&index, &Nat::zero(), &length, facts)
            } else {
                requirement
            };
            self.deferred.push(everywhere);
        }
        result
    }

    /// Whether a size is the same at all positions of the enclosing arrays.
    pub(super) fn is_unbound(&self, size: &Nat) -> bool {
        !self.bound.iter().any(|index| size.mentions(index))
    }

    /// Makes two unknown types one; the older one stays, since it is nearer to a parameter. A declared type
    /// stays in any case, and as it is.
    fn link(&mut self, left: usize, right: usize) -> Result<(), Mismatch> {
        let (mut older, mut newer) = (left.min(right), left.max(right));
        if self.declared.contains_key(&newer) && older != 0 {
            (older, newer) = (newer, older);
        }
        if self.declared.contains_key(&newer) && older != 0 {
            return Err(Mismatch::Shape);
        }
        let (Some(first), Some(second)) = (self.types.get(older), self.types.get(newer)) else {
            return Err(Mismatch::Shape);
        };
        let merged = match (first, second) {
            (Entry::Open { class, origin }, Entry::Open { class: other, origin: from }) => Entry::Open {
                class: meet(*class, *other).ok_or(Mismatch::Shape)?,
                origin: origin.clone().or_else(|| from.clone()),
            },
            (Entry::Mistake, Entry::Open { .. } | Entry::Mistake | Entry::Solved(_))
            | (Entry::Open { .. } | Entry::Solved(_), Entry::Mistake | Entry::Solved(_))
            | (Entry::Solved(_), Entry::Open { .. }) => first.clone(),
        };
        if let (Some(Entry::Open { class, .. }), Entry::Open { class: learnt, .. }) =
            (self.types.get(older), &merged)
            && class != learnt
            && self.declared.contains_key(&older)
        {
            return Err(Mismatch::Shape);
        }
        self.set(older, merged);
        self.set(newer, Entry::Solved(unknown(older)));
        Ok(())
    }

    fn bind(&mut self, index: usize, ty: &Type, facts: &mut Ranges) -> Result<(), Mismatch> {
        match self.types.get(index) {
            Some(Entry::Mistake) => {
                self.spoil(ty);
                Ok(())
            }
            Some(Entry::Open { class: Some(class), .. }) => match ty {
                Type::Scalar(scalar) if scalar.satisfies(*class) && !self.declared.contains_key(&index) => {
                    self.set(index, Entry::Solved(ty.clone()));
                    Ok(())
                }
                Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_) => {
                    Err(Mismatch::Shape)
                }
            },
            Some(Entry::Open { class: None, origin }) => {
                if self.occurs(index, ty) || self.bound.iter().any(|bound| self.resolve(ty).mentions(bound)) {
                    return Err(Mismatch::Shape);
                }
                let is_array = matches!(ty, Type::Array(_));
                match origin.clone().filter(|_| is_array) {
                    Some(origin) => {
                        let (element, length) = self.expand(Some(origin), facts);
                        let array = Type::array(element, length);
                        self.set(index, Entry::Solved(array.clone()));
                        self.unify_known(&array, ty, facts)
                    }
                    None => {
                        self.set(index, Entry::Solved(ty.clone()));
                        Ok(())
                    }
                }
            }
            Some(Entry::Solved(_)) | None => Err(Mismatch::Shape),
        }
    }

    /// Makes mistakes of all unknowns in the type of something that met a mistake, so that they cause no
    /// messages.
    fn spoil(&mut self, ty: &Type) {
        match self.outermost(ty) {
            Type::Scalar(ScalarType::Parameter(parameter)) => {
                if parameter.index != 0 {
                    self.set(parameter.index, Entry::Solved(unknown(0)));
                }
            }
            Type::Tuple(components) => components.iter().for_each(|component| self.spoil(component)),
            Type::Array(array) => self.spoil(&array.element),
            Type::Vector(lane, _) => self.spoil(&Type::Scalar(lane)),
            Type::Scalar(_) | Type::Size => {}
        }
    }

    fn occurs(&self, index: usize, ty: &Type) -> bool {
        match self.outermost(ty) {
            Type::Scalar(ScalarType::Parameter(parameter)) => parameter.index == index,
            Type::Tuple(components) => components.iter().any(|component| self.occurs(index, component)),
            Type::Array(array) => self.occurs(index, &array.element),
            Type::Vector(lane, _) => self.occurs(index, &Type::Scalar(lane)),
            Type::Scalar(_) | Type::Size => false,
        }
    }
}

/// The class of what has both classes; `None` if nothing has both.
pub(in crate::front::infer) fn meet(
    left: Option<ScalarClass>,
    right: Option<ScalarClass>,
) -> Option<Option<ScalarClass>> {
    let (Some(left), Some(right)) = (left, right) else { return Some(left.or(right)) };
    match (left, right) {
        (ScalarClass::Any, other) | (other, ScalarClass::Any) => Some(Some(other)),
        (ScalarClass::Bits, ScalarClass::Bits) => Some(Some(ScalarClass::Bits)),
        (ScalarClass::Bits, ScalarClass::Number | ScalarClass::Integer)
        | (ScalarClass::Number | ScalarClass::Integer, ScalarClass::Bits) => Some(Some(ScalarClass::Integer)),
        (ScalarClass::Number, other) | (other, ScalarClass::Number) => Some(Some(other)),
        (ScalarClass::Integer, ScalarClass::Integer) => Some(Some(ScalarClass::Integer)),
        (ScalarClass::Float, ScalarClass::Float) => Some(Some(ScalarClass::Float)),
        (ScalarClass::Integer | ScalarClass::Bits, ScalarClass::Float)
        | (ScalarClass::Float, ScalarClass::Integer | ScalarClass::Bits) => None,
    }
}
