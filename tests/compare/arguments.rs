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
    arguments_of(sample, kernel, sizes)
}

/// The same with floats that a function gives for their positions among all numbers.
pub(crate) fn arguments_of(
    float: impl Fn(usize) -> f32,
    kernel: &Program,
    sizes: &[usize],
) -> Option<Vec<Argument>> {
    let size = |variable: &Var| value_of(kernel, sizes, variable);
    let length = |ty: &Type| usize::try_from(ty.as_array()?.length.evaluate(&size)?).ok();
    let mut numbers = Numbers { float, position: 0 };
    let mut argument = |ty: &ParameterType| match ty {
        ParameterType::Value(ty) => numbers.value(ty, &length).map(Argument::Value),
        ParameterType::Size(variable) => u64::try_from(size(variable)?).ok().map(Argument::Size),
    };
    kernel.parameters.iter().map(|parameter| &parameter.ty).map(&mut argument).collect()
}

/// The numbers of a call, one after the other.
struct Numbers<F> {
    float: F,
    /// How many there have been.
    position: usize,
}

impl<F: Fn(usize) -> f32> Numbers<F> {
    /// Numbers for a type.
    fn value(&mut self, ty: &Type, length: &impl Fn(&Type) -> Option<usize>) -> Option<Value> {
        match ty {
            Type::Scalar(scalar) => self.number(*scalar),
            Type::Vector(scalar, width) => {
                let components = (0..*width).map(|_| self.number(*scalar));
                components.collect::<Option<_>>().map(Value::Vector)
            }
            Type::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.value(part, length));
                parts.collect::<Option<_>>().map(Value::Tuple)
            }
            Type::Array(array) => {
                let row = |index: usize| array.element_at(&Nat::constant(index as i128));
                let elements = (0..length(ty)?).map(|index| self.value(&row(index), length));
                elements.collect::<Option<_>>().map(Value::Array)
            }
            Type::Size => None,
        }
    }

    fn number(&mut self, scalar: ScalarType) -> Option<Value> {
        self.position += 1;
        let position = self.position;
        let number = (self.float)(position);
        match scalar {
            ScalarType::F32 => Some(Value::from(number)),
            ScalarType::F64 => Some(Value::from(f64::from(number))),
            // An open type is fixed by what is passed.
            ScalarType::Parameter(_) if scalar.is_integer() => {
                Some(Value::Integer(ScalarType::I32, position as i128))
            }
            ScalarType::Parameter(_) => Some(Value::from(number)),
            ScalarType::I32 => Some(Value::from(i32::from(sample(position) > 20.0))),
            ScalarType::U32 | ScalarType::U64 => Some(Value::Integer(scalar, position as i128)),
            ScalarType::I8 | ScalarType::U8 | ScalarType::I16 | ScalarType::U16 | ScalarType::I64 => {
                Some(Value::Integer(scalar, position as i128 % 100))
            }
            ScalarType::Bool => Some(Value::Bool(position.is_multiple_of(7))),
            ScalarType::F16 => None,
        }
    }
}

/// The value of a size variable of a kernel.
pub(crate) fn value_of(kernel: &Program, sizes: &[usize], variable: &Var) -> Option<i128> {
    let slot = kernel.sizes.iter().position(|size| size.variable == *variable)?;
    i128::try_from(*sizes.get(slot)?).ok()
}
