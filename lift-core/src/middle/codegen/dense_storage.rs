//! Finds arrays that lie in global memory already, so that launches can use them without a copy.

use super::generator::{Generated, Generator};
use super::values::value_in;
use crate::ir::kernel::{BufferRole, Expression};
use crate::ir::nat::Nat;
use crate::ir::source::Source;
use crate::ir::types::Type;
use crate::middle::view::{Storage, Value};

impl Generator<'_> {
    /// The buffers in which an array lies from their start on, row by row and without gaps. `None` if the
    /// array is computed, lies elsewhere, or is seen through a layout that moves elements.
    pub(super) fn dense_storage(
        &mut self,
        value: &Value,
        ty: &Type,
        source: Source,
    ) -> Generated<Option<Storage>> {
        let is_computed = |value: &Value| matches!(value, Value::Array(view) if view.is_computed());
        if is_computed(value) {
            return Ok(None);
        }
        let outside = self.ranges.clone();
        let newest = self.fresh.newest();
        let found = self.in_block(|generator| {
            let Some(storage) = generator.places(value, ty, None, source)? else { return Ok(None) };
            let dense = value_in(&storage, ty);
            generator.fresh.forget_since(newest);
            let same = generator.places(&dense, ty, Some(value), source)?;
            Ok(same.filter(|_| generator.block.is_empty()))
        });
        self.ranges = outside;
        Ok(found?.1)
    }

    /// The buffers in global memory that the scalars of a value lie in. If another value is given, `None`
    /// unless each scalar has the same address in both values.
    fn places(
        &mut self,
        value: &Value,
        ty: &Type,
        other: Option<&Value>,
        source: Source,
    ) -> Generated<Option<Storage>> {
        match (ty, value, other) {
            (Type::Array(array), Value::Array(view), other) => {
                let index = self.fresh.unprinted("position");
                self.ranges.declare(&index, Nat::zero(), Some(array.length.clone()));
                let position = Nat::variable(&index);
                let element = self.access(view, &position, source)?;
                let other = match other {
                    Some(Value::Array(other)) => Some(self.access(other, &position, source)?),
                    Some(Value::Scalar(_) | Value::Tuple(_)) => return Ok(None),
                    None => None,
                };
                self.places(&element, &array.element_at(&position), other.as_ref(), source)
            }
            (Type::Tuple(types), Value::Tuple(parts), other) => {
                let mut storages = Vec::new();
                for (position, (ty, part)) in types.iter().zip(parts).enumerate() {
                    let other = match other {
                        Some(Value::Tuple(others)) => others.get(position),
                        Some(Value::Scalar(_) | Value::Array(_)) => return Ok(None),
                        None => None,
                    };
                    let Some(storage) = self.places(part, ty, other, source)? else { return Ok(None) };
                    storages.push(storage);
                }
                Ok(Some(Storage::Tuple(storages)))
            }
            (_, Value::Scalar(Expression::Load(buffer, index, _)), other) => {
                let is_global = self.buffers.get(buffer.0).is_some_and(|buffer| match buffer.role {
                    BufferRole::Parameter(_) | BufferRole::Result(_) | BufferRole::Temporary(_) => true,
                    BufferRole::Scratch(_)
                    | BufferRole::Local
                    | BufferRole::Private
                    | BufferRole::Constant(_) => false,
                });
                let same = match other {
                    Some(Value::Scalar(Expression::Load(_, other, _))) => {
                        self.ranges.is_equal(index, other) == Some(true)
                    }
                    Some(Value::Scalar(_) | Value::Tuple(_) | Value::Array(_)) => false,
                    None => true,
                };
                Ok((is_global && same).then(|| Storage::Buffer(*buffer, Nat::zero())))
            }
            _ => Ok(None),
        }
    }
}
