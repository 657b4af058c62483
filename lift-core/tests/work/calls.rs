//! Calls of programs: the sizes that arguments have, and arguments for sizes.

use lift_core::eval::{Argument, Value};
use lift_core::ir::nat::{Nat, Var};
use lift_core::ir::scalar::ScalarType;
use lift_core::ir::typed::{ParameterType, Program};
use lift_core::ir::types::Type;

use crate::sizes::Sizes;

/// The sizes of a call, where each is the length of some array or an argument itself.
pub(crate) fn sizes_of_call(program: &Program, arguments: &[Argument]) -> Option<Sizes> {
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
    program.sizes.iter().all(|size| sizes.contains_key(&size.variable)).then_some(sizes)
}

fn collect(ty: &Type, value: &Value, sizes: &mut Sizes) {
    match (ty, value) {
        (Type::Tuple(types), Value::Tuple(values)) => {
            types.iter().zip(values).for_each(|(ty, value)| collect(ty, value, sizes));
        }
        (Type::Array(array), Value::Array(elements)) => {
            if let Some(size) = array.length.as_variable() {
                sizes.insert(size.clone(), elements.len() as i128);
            }
            elements.iter().take(1).for_each(|element| collect(&array.element, element, sizes));
        }
        _ => {}
    }
}

/// Arguments of these sizes: small numbers, other ones at every position.
pub(crate) fn arguments(program: &Program, sizes: &Sizes) -> Option<Vec<Argument>> {
    let mut made = 0;
    let argument = |ty: &ParameterType| match ty {
        ParameterType::Value(ty) => value(ty, sizes, &mut made).map(Argument::Value),
        ParameterType::Size(size) => u64::try_from(*sizes.get(size)?).ok().map(Argument::Size),
    };
    program.parameters.iter().map(|parameter| &parameter.ty).map(argument).collect()
}

fn value(ty: &Type, sizes: &Sizes, made: &mut i32) -> Option<Value> {
    match ty {
        Type::Array(array) => {
            let length = array.length.evaluate(&|variable: &Var| sizes.get(variable).copied())?;
            let element = |position| value(&array.element_at(&Nat::constant(position)), sizes, made);
            (0..length).map(element).collect::<Option<_>>().map(Value::Array)
        }
        Type::Vector(scalar, width) => {
            let scalar = Type::Scalar(*scalar);
            (0..*width).map(|_| value(&scalar, sizes, made)).collect::<Option<_>>().map(Value::Vector)
        }
        Type::Tuple(types) => {
            types.iter().map(|ty| value(ty, sizes, made)).collect::<Option<_>>().map(Value::Tuple)
        }
        Type::Scalar(scalar) => {
            *made += 1;
            let number = [3, 1, 4, 1, 5, 9, 2, 6][*made as usize % 8];
            match scalar {
                ScalarType::Bool => Some(Value::Bool(number > 3)),
                ScalarType::F16 => Some(Value::F16(number as f32)),
                ScalarType::F32 | ScalarType::Parameter(_) => Some(Value::F32(number as f32)),
                ScalarType::F64 => Some(Value::F64(f64::from(number))),
                integer => Some(Value::Integer(*integer, i128::from(number))),
            }
        }
        Type::Size => None,
    }
}
