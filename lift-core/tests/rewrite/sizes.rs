//! The sizes that the arguments of a program have.

use lift_core::eval::{Argument, Value};
use lift_core::ir::typed::{ParameterType, Program};
use lift_core::ir::types::Type;

use crate::values::Sizes;

/// The sizes of a program for its arguments, as far as they are lengths of arguments or arguments themselves.
pub(crate) fn sizes_of(program: &Program, arguments: &[Argument]) -> Sizes {
    let mut sizes = Sizes::new();
    for (parameter, argument) in program.parameters.iter().zip(arguments) {
        match (&parameter.ty, argument) {
            (ParameterType::Size(size), Argument::Size(value)) => {
                sizes.insert(size.clone(), i128::from(*value));
            }
            (ParameterType::Value(ty), Argument::Value(value)) => collect(ty, value, &mut sizes),
            (ParameterType::Size(_), Argument::Value(_)) | (ParameterType::Value(_), Argument::Size(_)) => {}
        }
    }
    sizes
}

fn collect(ty: &Type, value: &Value, sizes: &mut Sizes) {
    match (ty, value) {
        (Type::Array(array), Value::Array(elements)) => {
            if let Some(variable) = array.length.as_variable() {
                sizes.insert(variable.clone(), elements.len() as i128);
            }
            if let Some(first) = elements.first() {
                collect(&array.element, first, sizes);
            }
        }
        (Type::Tuple(types), Value::Tuple(values)) => {
            types.iter().zip(values).for_each(|(ty, value)| collect(ty, value, sizes));
        }
        _ => {}
    }
}
