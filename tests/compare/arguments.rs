//! Arguments of a kernel, given its sizes.

use lift_core::eval::{Argument, Value};
use lift_core::ir::nat::{Nat, Var};
use lift_core::ir::scalar::ScalarType;
use lift_core::ir::typed::{ParameterType, Program};
use lift_core::ir::types::Type;

use crate::common::sample;

/// Numbers for every parameter, which differ from parameter to parameter; none where a type is not provided
/// for.
pub(crate) fn arguments(kernel: &Program, sizes: &[usize]) -> Option<Vec<Argument>> {
    let size = |variable: &Var| value_of(kernel, sizes, variable);
    let length = |ty: &Type| usize::try_from(ty.as_array()?.length.evaluate(&size)?).ok();
    let mut position = 0;
    let argument = |ty: &ParameterType| match ty {
        ParameterType::Value(ty) => value(ty, &length, &mut position).map(Argument::Value),
        ParameterType::Size(variable) => u64::try_from(size(variable)?).ok().map(Argument::Size),
    };
    kernel.parameters.iter().map(|parameter| &parameter.ty).map(argument).collect()
}

/// Numbers for a type: samples, or zeros and ones.
fn value(ty: &Type, length: &impl Fn(&Type) -> Option<usize>, position: &mut usize) -> Option<Value> {
    match ty {
        Type::Scalar(scalar) => number(*scalar, position),
        Type::Vector(scalar, width) => {
            let components = (0..*width).map(|_| number(*scalar, position));
            components.collect::<Option<_>>().map(Value::Vector)
        }
        Type::Tuple(parts) => {
            let parts = parts.iter().map(|part| value(part, length, position));
            parts.collect::<Option<_>>().map(Value::Tuple)
        }
        Type::Array(array) => {
            let row = |index: usize| array.element_at(&Nat::constant(index as i128));
            let elements = (0..length(ty)?).map(|index| value(&row(index), length, position));
            elements.collect::<Option<_>>().map(Value::Array)
        }
        Type::Size => None,
    }
}

fn number(scalar: ScalarType, position: &mut usize) -> Option<Value> {
    *position += 1;
    let number = sample(*position);
    match scalar {
        ScalarType::F32 => Some(Value::from(number)),
        ScalarType::F64 => Some(Value::from(f64::from(number))),
        // An open type is fixed by what is passed.
        ScalarType::Parameter(_) if scalar.is_integer() => {
            Some(Value::Integer(ScalarType::I32, *position as i128))
        }
        ScalarType::Parameter(_) => Some(Value::from(number)),
        ScalarType::I32 => Some(Value::from(i32::from(number > 20.0))),
        ScalarType::U32 | ScalarType::U64 => Some(Value::Integer(scalar, *position as i128)),
        ScalarType::I8 | ScalarType::U8 | ScalarType::I16 | ScalarType::U16 | ScalarType::I64 => {
            Some(Value::Integer(scalar, *position as i128 % 100))
        }
        ScalarType::Bool => Some(Value::Bool((*position).is_multiple_of(7))),
        ScalarType::F16 => None,
    }
}

/// The value of a size variable of a kernel.
pub(crate) fn value_of(kernel: &Program, sizes: &[usize], variable: &Var) -> Option<i128> {
    let slot = kernel.sizes.iter().position(|size| size.variable == *variable)?;
    i128::try_from(*sizes.get(slot)?).ok()
}
