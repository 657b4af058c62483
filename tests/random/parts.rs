//! Values as they cross the boundary of a kernel: tuples are taken apart.

use lift_core::eval::{Argument, Value};
use lift_core::ir::typed::{ParameterType, Program};
use lift_core::ir::types::Type;
use lift_core::middle::tuples::components;

/// The arguments of the program that is launched.
pub(crate) fn taken_apart(kernel: &Program, arguments: &[Argument]) -> Vec<Argument> {
    let pairs = kernel.parameters.iter().zip(arguments);
    let parts = pairs.flat_map(|(parameter, argument)| match (&parameter.ty, argument) {
        (ParameterType::Value(ty), Argument::Value(value)) => {
            parts(value, ty).into_iter().map(Argument::Value).collect()
        }
        _ => vec![argument.clone()],
    });
    parts.collect()
}

/// The components of a value of a type, in order: an array of tuples is an array for each component.
pub(crate) fn parts(value: &Value, ty: &Type) -> Vec<Value> {
    match (value, ty) {
        (Value::Tuple(values), Type::Tuple(types)) => {
            values.iter().zip(types).flat_map(|(value, ty)| parts(value, ty)).collect()
        }
        (Value::Array(elements), Type::Array(array)) if matches!(ty.innermost(), Type::Tuple(_)) => {
            let rows: Vec<_> = elements.iter().map(|element| parts(element, &array.element)).collect();
            (0..components(ty).len())
                .map(|part| Value::Array(rows.iter().map(|row| row[part].clone()).collect()))
                .collect()
        }
        _ => vec![value.clone()],
    }
}
