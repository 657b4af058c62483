//! Values that need no code: the value in a storage, and the parts of a value.

use std::sync::Arc;

use super::error::Error;
use super::generator::Generated;
use crate::ir::kernel::{Expression, ValueType, Variable};
use crate::ir::scalar::ScalarType;
use crate::ir::source::Source;
use crate::ir::typed::Expr;
use crate::ir::types::{ArrayType, Type};
use crate::middle::view::{Storage, Value, View};

/// The value in a storage, as elements to read or places to write.
pub(super) fn value_in(storage: &Storage, ty: &Type) -> Value {
    match (ty, storage) {
        (Type::Array(array), _) => Value::Array(View::Memory(storage.clone(), array.clone())),
        (Type::Tuple(components), Storage::Tuple(parts)) => Value::Tuple(
            components.iter().zip(parts).map(|(component, part)| value_in(part, component)).collect(),
        ),
        (_, Storage::Buffer(buffer, offset)) => {
            // Inference lets no other elements reach memory. A size in memory has the type of indices.
            let ty = value_type(ty).unwrap_or(ValueType::from(ScalarType::I64));
            Value::Scalar(Expression::Load(*buffer, offset.clone(), ty))
        }
        (_, Storage::Tuple(parts)) => Value::Tuple(parts.iter().map(|part| value_in(part, ty)).collect()),
    }
}

/// The type of a scalar or a vector in a kernel.
pub(super) fn value_type(ty: &Type) -> Option<ValueType> {
    match ty {
        Type::Scalar(scalar) => Some(ValueType::from(*scalar)),
        Type::Vector(scalar, width) => Some(ValueType { scalar: *scalar, lanes: *width }),
        Type::Size => Some(ValueType::from(ScalarType::I64)),
        Type::Tuple(_) | Type::Array(_) => None,
    }
}

/// The array type, if the type is one.
pub(super) fn array_of(ty: &Type) -> Option<Arc<ArrayType>> {
    match ty {
        Type::Array(array) => Some(array.clone()),
        Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) => None,
    }
}

pub(super) fn scalar_type(expr: &Expr) -> Generated<ScalarType> {
    value_type(&expr.ty)
        .map(|ty| ty.scalar)
        .ok_or_else(|| Error::internal(expr.source, "a scalar type was expected"))
}

pub(super) fn scalar(expression: Expression) -> Value {
    Value::Scalar(expression)
}

/// The component of a tuple at a position.
pub(super) fn component(parts: Vec<Value>, position: usize, source: Source) -> Generated<Value> {
    parts.into_iter().nth(position).ok_or_else(|| Error::internal(source, "a tuple has no such component"))
}

pub(super) fn destination_view(destination: &Value, source: Source) -> Generated<&View> {
    match destination {
        Value::Array(view) => Ok(view),
        Value::Scalar(_) | Value::Tuple(_) => {
            Err(Error::internal(source, "an array destination was expected"))
        }
    }
}

/// The name of the place of what is not written. No variable has it.
const NOWHERE: &str = "";

/// The place of an element of an array that is not written.
pub(super) fn nowhere(array: &Expr) -> Generated<Value> {
    match &array.ty {
        Type::Array(array) => Some(place_nowhere(&array.element)),
        Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) => None,
    }
    .ok_or_else(|| Error::internal(array.source, "an array was expected"))
}

fn place_nowhere(ty: &Type) -> Value {
    match ty {
        Type::Array(array) => Value::Array(View::Constant(Arc::new(place_nowhere(&array.element)))),
        Type::Tuple(parts) => Value::Tuple(parts.iter().map(place_nowhere).collect()),
        Type::Scalar(_) | Type::Vector(..) | Type::Size => {
            let ty = value_type(ty).unwrap_or(ValueType::from(ScalarType::I64));
            Value::Scalar(Expression::Variable(Variable { name: NOWHERE.into(), ty }))
        }
    }
}

/// Whether nothing is written at a place.
pub(super) fn is_nowhere(place: &Expression) -> bool {
    matches!(place, Expression::Variable(variable) if variable.name.as_ref() == NOWHERE)
}

/// A destination that is a tuple of arrays, as one array of tuples.
pub(super) fn side_by_side(destination: &Value) -> Option<View> {
    let Value::Tuple(parts) = destination else { return None };
    let views = parts.iter().map(|part| match part {
        Value::Array(view) => Some(view.clone()),
        Value::Scalar(_) | Value::Tuple(_) => None,
    });
    Some(View::Zipped(views.collect::<Option<_>>()?))
}
