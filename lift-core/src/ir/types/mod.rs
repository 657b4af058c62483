//! Types with symbolic sizes.
//!
//! A position-dependent array (Pizzuti, Steuwer, Dubach, FHPNC 2019) is the general array: its element type
//! may mention the element's position. A regular array is the special case without such a mention, so that
//! later stages need only one kind of arrays.

use std::sync::Arc;

use crate::flat::FlatSet;
use crate::ir::nat::{Nat, Substitution, Var};
use crate::ir::scalar::ScalarType;

pub(crate) mod display;

/// The numbers of components that vectors have (OpenCL C, section 6.1.2).
pub const VECTOR_WIDTHS: [u8; 4] = [2, 4, 8, 16];

/// The type of a value. Functions are not values: they occur only where a primitive takes one.
#[derive(Debug, Clone, PartialEq)]
pub enum Type {
    /// A number or a truth value.
    Scalar(ScalarType),
    /// A vector of scalars, of one of the [`VECTOR_WIDTHS`].
    Vector(ScalarType, u8),
    /// A size or an index used as a value: an integer that the algebra of sizes knows.
    Size,
    /// A tuple of two or more.
    Tuple(Vec<Type>),
    /// An array.
    Array(Arc<ArrayType>),
}

/// `[index => element; length]`; a regular array when `element` does not mention `index`.
#[derive(Debug, Clone)]
pub struct ArrayType {
    /// The position, where the element type mentions it.
    pub index: Option<Var>,
    /// The type of the element at `index`.
    pub element: Type,
    /// The number of elements.
    pub length: Nat,
}

/// The name of a position makes no difference.
impl PartialEq for ArrayType {
    fn eq(&self, other: &ArrayType) -> bool {
        let same_elements = match (&self.index, &other.index) {
            (Some(index), Some(named)) if index != named => {
                !other.element.mentions(index) && self.element == other.element_at(&Nat::variable(index))
            }
            (Some(_), Some(_)) | (None, None) => self.element == other.element,
            (Some(_), None) | (None, Some(_)) => false,
        };
        self.length == other.length && same_elements
    }
}

impl Type {
    /// `[element; length]`
    pub fn array(element: Type, length: Nat) -> Type {
        Type::Array(Arc::new(ArrayType { index: None, element, length }))
    }

    /// `[index => element; length]`, or `[element; length]` where the element does not mention the position.
    pub fn array_at(index: &Var, element: Type, length: Nat) -> Type {
        let index = element.mentions(index).then(|| index.clone());
        Type::Array(Arc::new(ArrayType { index, element, length }))
    }

    /// The array type behind this type.
    pub fn as_array(&self) -> Option<&ArrayType> {
        match self {
            Type::Array(array) => Some(array),
            Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) => None,
        }
    }

    /// Whether a value of this type holds floats, or elements of a type that is left open and may be a float.
    pub fn may_hold_floats(&self) -> bool {
        match self {
            Type::Scalar(scalar) | Type::Vector(scalar, _) => scalar.may_be_float(),
            Type::Tuple(components) => components.iter().any(Type::may_hold_floats),
            Type::Array(array) => array.element.may_hold_floats(),
            Type::Size => false,
        }
    }

    /// Whether a value of this type holds no array.
    pub fn is_element(&self) -> bool {
        match self {
            Type::Scalar(_) | Type::Vector(..) | Type::Size => true,
            Type::Tuple(components) => components.iter().all(Type::is_element),
            Type::Array(_) => false,
        }
    }

    /// The bytes that a value takes; `None` where they depend on sizes.
    pub fn constant_bytes(&self) -> Option<i128> {
        match self {
            Type::Scalar(scalar) => Some(scalar.bytes()),
            Type::Vector(scalar, width) => Some(scalar.bytes() * i128::from(*width)),
            Type::Size => Some(8),
            Type::Tuple(components) => components.iter().map(Type::constant_bytes).sum(),
            Type::Array(array) if array.index.is_none() => {
                array.element.constant_bytes()?.checked_mul(array.length.as_constant()?)
            }
            Type::Array(_) => None,
        }
    }

    /// The number of array dimensions around the innermost element that is not an array.
    pub fn rank(&self) -> usize {
        match self {
            Type::Array(array) => 1 + array.element.rank(),
            Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) => 0,
        }
    }

    /// The lengths of the arrays around that element, the outermost first.
    pub fn lengths(&self) -> Vec<Nat> {
        let mut lengths = Vec::new();
        let mut inside = self;
        while let Type::Array(array) = inside {
            lengths.push(array.length.clone());
            inside = &array.element;
        }
        lengths
    }

    /// Whether a length in this type depends on the variable.
    pub fn mentions(&self, variable: &Var) -> bool {
        match self {
            Type::Scalar(_) | Type::Vector(..) | Type::Size => false,
            Type::Tuple(components) => components.iter().any(|component| component.mentions(variable)),
            Type::Array(array) => {
                let bound = array.index.as_ref() == Some(variable);
                array.length.mentions(variable) || (!bound && array.element.mentions(variable))
            }
        }
    }

    /// The variables that the lengths in this type depend on, without the positions that the type itself
    /// binds.
    pub fn variables(&self) -> FlatSet<Var> {
        match self {
            Type::Scalar(_) | Type::Vector(..) | Type::Size => FlatSet::new(),
            Type::Tuple(components) => components.iter().flat_map(Type::variables).collect(),
            Type::Array(array) => {
                let mut variables = array.element.variables();
                if let Some(index) = &array.index {
                    variables.remove(index);
                }
                variables.extend(array.length.variables());
                variables
            }
        }
    }

    /// Whether the rows of some array in this type differ in length.
    pub fn is_position_dependent(&self) -> bool {
        match self {
            Type::Scalar(_) | Type::Vector(..) | Type::Size => false,
            Type::Tuple(components) => components.iter().any(Type::is_position_dependent),
            Type::Array(array) => array.index.is_some() || array.element.is_position_dependent(),
        }
    }

    /// The lengths of all dimensions, outermost first. Inner lengths may mention the positions around them.
    pub fn shape(&self) -> Vec<Nat> {
        let mut shape = Vec::new();
        let mut ty = self;
        while let Type::Array(array) = ty {
            shape.push(array.length.clone());
            ty = &array.element;
        }
        shape
    }

    /// The type below all array dimensions.
    pub fn innermost(&self) -> &Type {
        match self {
            Type::Array(array) => array.element.innermost(),
            Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) => self,
        }
    }

    /// The type of one component after tuples are taken apart, also inside arrays: the component 0 of `[(A,
    /// B); n]` is `[A; n]`. A type without tuples is its own component.
    pub fn component(&self, position: usize) -> Type {
        match self {
            Type::Tuple(components) => components.get(position).cloned().unwrap_or_else(|| self.clone()),
            Type::Array(array) => Type::Array(Arc::new(ArrayType {
                index: array.index.clone(),
                element: array.element.component(position),
                length: array.length.clone(),
            })),
            Type::Scalar(_) | Type::Vector(..) | Type::Size => self.clone(),
        }
    }

    /// The number of innermost scalars; a vector has several. It is the product of the lengths, or a
    /// sum where inner lengths depend on the position. This is the offset arithmetic of dense storage without
    /// holes (FHPNC 2019, section 5).
    pub fn element_count(&self) -> Nat {
        match self {
            Type::Scalar(_) | Type::Size | Type::Tuple(_) => Nat::one(),
            Type::Vector(_, width) => Nat::constant(i128::from(*width)),
            Type::Array(array) => match &array.index {
                None => array.element.element_count() * &array.length,
                Some(index) => Nat::sum(index, &Nat::zero(), &array.length, &array.element.element_count()),
            },
        }
    }

    /// The number of innermost entries, each of the type [`Type::innermost`]: a vector is one entry.
    pub fn entry_count(&self) -> Nat {
        match self {
            Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) => Nat::one(),
            Type::Array(array) => match &array.index {
                None => array.element.entry_count() * &array.length,
                Some(index) => Nat::sum(index, &Nat::zero(), &array.length, &array.element.entry_count()),
            },
        }
    }

    /// The same type with sizes replaced.
    pub fn substitute(&self, substitution: &Substitution) -> Type {
        match self {
            Type::Scalar(_) | Type::Vector(..) | Type::Size => self.clone(),
            Type::Tuple(components) => {
                Type::Tuple(components.iter().map(|component| component.substitute(substitution)).collect())
            }
            Type::Array(array) => Type::Array(Arc::new(ArrayType {
                index: array.index.clone(),
                element: array.element.substitute(substitution),
                length: array.length.substitute(substitution),
            })),
        }
    }
}

impl ArrayType {
    /// The type of the element at a position.
    pub fn element_at(&self, position: &Nat) -> Type {
        match &self.index {
            None => self.element.clone(),
            Some(index) => self.element.substitute(&Substitution::from([(index.clone(), position.clone())])),
        }
    }
}
