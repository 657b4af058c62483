//! Parameters and results as a launcher sees them: position-dependent arrays are flat.

use crate::ir::nat::{Nat, Ranges};
use crate::ir::typed::{Parameter, ParameterType, Program};
use crate::ir::types::Type;

/// A parameter as data: a position-dependent array is one array of all its elements.
pub(super) fn packed_parameter(parameter: &Parameter, program: &Program) -> Parameter {
    let ty = match &parameter.ty {
        ParameterType::Value(ty) => ParameterType::Value(packed(ty, program)),
        ParameterType::Size(size) => ParameterType::Size(size.clone()),
    };
    Parameter { ty, ..parameter.clone() }
}

/// A type as data. A launch finds the sizes from it, before it checks what is known about them.
pub(super) fn packed(ty: &Type, program: &Program) -> Type {
    if !ty.is_position_dependent() {
        return ty.clone();
    }
    let mut sizes = Ranges::default();
    program.sizes.iter().for_each(|size| sizes.declare(&size.variable, Nat::zero(), None));
    packed_with(ty, &sizes)
}

fn packed_with(ty: &Type, sizes: &Ranges) -> Type {
    match ty {
        Type::Tuple(components) => {
            Type::Tuple(components.iter().map(|component| packed_with(component, sizes)).collect())
        }
        Type::Array(_) if ty.is_position_dependent() => {
            let width = match ty.innermost() {
                Type::Vector(_, width) => Nat::constant(i128::from(*width)),
                Type::Scalar(_) | Type::Size | Type::Tuple(_) | Type::Array(_) => Nat::one(),
            };
            Type::array(ty.innermost().clone(), sizes.simplify(&ty.element_count().divide(&width)))
        }
        Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Array(_) => ty.clone(),
    }
}
