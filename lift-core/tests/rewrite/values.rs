//! Arguments for a program, given its sizes.

use std::collections::BTreeMap;

use lift_core::eval::{Argument, Value};
use lift_core::ir::nat::{Nat, Var};
use lift_core::ir::scalar::ScalarType;
use lift_core::ir::typed::{ParameterType, Program};
use lift_core::ir::types::Type;

/// Numbers from -6 to 6: sums and products of a few of them are exact in all types, in any order.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> i128 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        i128::from(self.0 >> 33) % 13 - 6
    }
}

/// The sizes of a program.
pub(crate) type Sizes = BTreeMap<Var, i128>;

/// The arguments of a program of these sizes; `None` where a length has no value.
pub(crate) fn arguments(program: &Program, sizes: &Sizes, seed: u64) -> Option<Vec<Argument>> {
    let mut numbers = Numbers(seed);
    let argument = |parameter: &lift_core::ir::typed::Parameter| match &parameter.ty {
        ParameterType::Size(size) => Some(Argument::Size(u64::try_from(*sizes.get(size)?).ok()?)),
        ParameterType::Value(ty) => Some(Argument::Value(value(ty, &mut sizes.clone(), &mut numbers)?)),
    };
    program.parameters.iter().map(argument).collect()
}

fn value(ty: &Type, sizes: &mut Sizes, numbers: &mut Numbers) -> Option<Value> {
    match ty {
        Type::Array(array) => {
            let length = length(&array.length, sizes)?;
            let element = |position: i128| {
                let mut inside = sizes.clone();
                if let Some(index) = &array.index {
                    inside.insert(index.clone(), position);
                }
                value(&array.element, &mut inside, numbers)
            };
            Some(Value::Array((0..length).map(element).collect::<Option<_>>()?))
        }
        Type::Tuple(types) => {
            Some(Value::Tuple(types.iter().map(|ty| value(ty, sizes, numbers)).collect::<Option<_>>()?))
        }
        Type::Vector(scalar, width) => {
            let lanes = (0..*width).map(|_| value(&Type::Scalar(*scalar), sizes, numbers));
            Some(Value::Vector(lanes.collect::<Option<_>>()?))
        }
        Type::Scalar(ScalarType::F32) => Some(Value::F32(numbers.next() as f32)),
        Type::Scalar(ScalarType::F64) => Some(Value::F64(numbers.next() as f64)),
        Type::Scalar(ScalarType::Bool) => Some(Value::Bool(numbers.next() > 0)),
        Type::Scalar(scalar) => {
            let (least, _) = scalar.integer_limits()?;
            let number = numbers.next();
            Some(Value::Integer(*scalar, if least == 0 { number.abs() } else { number }))
        }
        Type::Size => None,
    }
}

fn length(length: &Nat, sizes: &Sizes) -> Option<i128> {
    length.evaluate(&|variable| sizes.get(variable).copied()).filter(|length| *length >= 0)
}
