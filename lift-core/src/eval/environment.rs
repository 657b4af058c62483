//! The values of names during an evaluation: sizes, element types, variables.

use super::value::Value;
use crate::flat::FlatMap;
use crate::ir::nat::{Condition, Nat, Var};
use crate::ir::scalar::ScalarType;
use crate::ir::typed::Variable;
use crate::ir::types::Type;

/// Sizes and indices beyond this magnitude have no value here. It is larger than the arrays of any test;
/// larger sums and products could overflow.
const LARGEST_SIZE: u128 = 1 << 28;

/// The value of every name in scope. Few names are in scope at a time, and most of those that are looked up
/// are among the innermost, so that they are searched from there.
#[derive(Debug, Default)]
pub(super) struct Environment {
    /// The program's sizes and the indices in scope, outer ones first.
    sizes: Vec<(Var, i128)>,
    /// The element types that the arguments fix, by position.
    element_types: FlatMap<usize, ScalarType>,
    /// The variables in scope, by number, outer ones first.
    variables: Vec<(u32, Value)>,
}

/// An open scope of variables.
pub(super) struct Scope {
    /// The number of variables outside of it.
    outside: usize,
}

impl Environment {
    /// The value of a size variable or an index.
    pub(super) fn size_of(&self, variable: &Var) -> Option<i128> {
        self.sizes.iter().rev().find(|(known, _)| known == variable).map(|(_, value)| *value)
    }

    /// The value of a size.
    pub(super) fn evaluate(&self, size: &Nat) -> Option<i128> {
        let value = size.evaluate(&|variable: &Var| self.size_of(variable))?;
        (value.unsigned_abs() <= LARGEST_SIZE).then_some(value)
    }

    /// The value of a size if one more variable were known.
    pub(super) fn evaluate_with(&self, size: &Nat, variable: &Var, value: i128) -> Option<i128> {
        size.evaluate(&|other: &Var| if other == variable { Some(value) } else { self.size_of(other) })
    }

    /// Whether a condition holds.
    pub(super) fn decide(&self, condition: &Condition) -> Option<bool> {
        condition.evaluate(&|variable: &Var| self.size_of(variable))
    }

    /// Gives a size a value, until [`Environment::unbind_size`].
    pub(super) fn bind_size(&mut self, variable: &Var, value: i128) {
        self.sizes.push((variable.clone(), value));
    }

    /// Takes back what [`Environment::bind_size`] did last.
    pub(super) fn unbind_size(&mut self) {
        self.sizes.pop();
    }

    /// The value of a variable.
    pub(super) fn value_of(&self, variable: &Variable) -> Option<&Value> {
        self.variables.iter().rev().find(|(number, _)| *number == variable.id).map(|(_, value)| value)
    }

    /// Gives a variable a value, in the innermost scope.
    pub(super) fn bind(&mut self, variable: &Variable, value: Value) {
        self.variables.push((variable.id, value));
    }

    /// Opens a scope; returns what [`Environment::leave`] needs to close it.
    pub(super) fn enter(&self) -> Scope {
        Scope { outside: self.variables.len() }
    }

    /// Closes a scope.
    pub(super) fn leave(&mut self, scope: Scope) {
        self.variables.truncate(scope.outside);
    }

    /// Fixes an element type; an earlier one stays.
    pub(super) fn fix_element_type(&mut self, index: usize, scalar: ScalarType) {
        self.element_types.get_or_insert_with(index, || scalar);
    }

    /// The concrete type for a scalar type; `None` for a parameter that nothing fixes.
    pub(super) fn resolve(&self, scalar: ScalarType) -> Option<ScalarType> {
        match scalar {
            ScalarType::Parameter(parameter) => self.element_types.get(&parameter.index).copied(),
            ScalarType::Bool
            | ScalarType::I8
            | ScalarType::U8
            | ScalarType::I16
            | ScalarType::U16
            | ScalarType::I32
            | ScalarType::U32
            | ScalarType::I64
            | ScalarType::U64
            | ScalarType::F16
            | ScalarType::F32
            | ScalarType::F64 => Some(scalar),
        }
    }

    /// Whether a value is of a type, in every dimension and at every position.
    pub(super) fn conforms(&self, value: &Value, ty: &Type) -> bool {
        match (value, ty) {
            (value, Type::Scalar(scalar)) => {
                value.scalar_type().is_some_and(|found| self.resolve(*scalar) == Some(found))
            }
            (Value::Size(_), Type::Size) => true,
            (Value::Vector(components), Type::Vector(lane, width)) => {
                components.len() == usize::from(*width)
                    && components.iter().all(|component| self.conforms(component, &Type::Scalar(*lane)))
            }
            (Value::Tuple(components), Type::Tuple(types)) => {
                components.len() == types.len()
                    && components.iter().zip(types).all(|(component, ty)| self.conforms(component, ty))
            }
            (Value::Array(elements), Type::Array(array)) => {
                let length = i128::try_from(elements.len()).ok();
                if length.is_none() || self.evaluate(&array.length) != length {
                    return false;
                }
                match &array.index {
                    None => elements.iter().all(|element| self.conforms(element, &array.element)),
                    Some(_) => (0..).zip(elements.iter()).all(|(position, element)| {
                        self.conforms(element, &array.element_at(&Nat::constant(position)))
                    }),
                }
            }
            (_, Type::Size | Type::Vector(..) | Type::Tuple(_) | Type::Array(_)) => false,
        }
    }
}
