//! The values of expressions.

use std::sync::Arc;

use crate::ir::scalar::ScalarType;

/// A value of the language. Arrays and tuples are trees of values: slow, but obviously correct. Copies of an
/// array share its elements.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer in the range of its type, which is one of the eight integer types.
    Integer(ScalarType, i128),
    /// A half precision number, as an `f32` that half precision can represent.
    F16(f32),
    /// A single precision number.
    F32(f32),
    /// A double precision number.
    F64(f64),
    /// A size or an index, as a number of the algebra of sizes.
    Size(i128),
    /// A vector: numbers or truth values of one type.
    Vector(Vec<Value>),
    /// A tuple of two or more.
    Tuple(Vec<Value>),
    /// An array; its elements are of one type, whose sizes may depend on the position.
    Array(Arc<[Value]>),
}

impl Value {
    /// An array of `i32`.
    pub fn i32_array(elements: impl IntoIterator<Item = i32>) -> Value {
        Value::Array(elements.into_iter().map(Value::from).collect())
    }

    /// An array of `f32`.
    pub fn f32_array(elements: impl IntoIterator<Item = f32>) -> Value {
        Value::Array(elements.into_iter().map(Value::from).collect())
    }

    /// The elements of an array.
    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Value::Array(elements) => Some(elements),
            Value::Bool(_)
            | Value::Integer(..)
            | Value::F16(_)
            | Value::F32(_)
            | Value::F64(_)
            | Value::Size(_)
            | Value::Vector(_)
            | Value::Tuple(_) => None,
        }
    }

    /// The part of nested tuples to which a path of components leads.
    pub(super) fn at(&self, path: &[usize]) -> Option<&Value> {
        path.iter().try_fold(self, |part, position| match part {
            Value::Tuple(components) => components.get(*position),
            _ => None,
        })
    }

    /// The type of a number or truth value; `None` for sizes, vectors, tuples and arrays.
    pub fn scalar_type(&self) -> Option<ScalarType> {
        match self {
            Value::Bool(_) => Some(ScalarType::Bool),
            Value::Integer(scalar, _) => Some(*scalar),
            Value::F16(_) => Some(ScalarType::F16),
            Value::F32(_) => Some(ScalarType::F32),
            Value::F64(_) => Some(ScalarType::F64),
            Value::Size(_) | Value::Vector(_) | Value::Tuple(_) | Value::Array(_) => None,
        }
    }

    /// The innermost scalars, in row-major order: the contents of a dense buffer.
    pub fn flatten(&self) -> Vec<Value> {
        match self {
            Value::Vector(parts) | Value::Tuple(parts) => parts.iter().flat_map(Value::flatten).collect(),
            Value::Array(elements) => elements.iter().flat_map(Value::flatten).collect(),
            Value::Bool(_)
            | Value::Integer(..)
            | Value::F16(_)
            | Value::F32(_)
            | Value::F64(_)
            | Value::Size(_) => vec![self.clone()],
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl From<i32> for Value {
    fn from(value: i32) -> Value {
        Value::Integer(ScalarType::I32, value.into())
    }
}

impl From<f32> for Value {
    fn from(value: f32) -> Value {
        Value::F32(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value::F64(value)
    }
}
