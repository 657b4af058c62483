//! Sizes and arguments for the programs of [`lift_corpus::steps`].

use lift_core::eval::{Argument, Value};
use lift_core::ir::nat::Var;
use lift_core::ir::scalar::ScalarType;
use lift_core::ir::typed::{ParameterType, Program};
use lift_core::ir::types::Type;

/// Sizes: the smallest ones, and others so that halves, rounds and rows are of all kinds.
pub(crate) fn sizes(program: &Program) -> Vec<Vec<usize>> {
    let sizes: &[[usize; 2]] = &[[1, 1], [2, 3], [5, 2], [12, 1]];
    let count = program.sizes.len();
    let chosen = sizes.iter().map(|sizes| sizes[..count].to_vec());
    if count == 0 { vec![Vec::new()] } else { chosen.collect() }
}

/// Small numbers of both signs, other ones at every position.
pub(crate) fn arguments(program: &Program, sizes: &[usize]) -> Option<Vec<Argument>> {
    let mut position = 0;
    let argument = |ty: &ParameterType| match ty {
        ParameterType::Value(ty) => value(ty, program, sizes, &mut position).map(Argument::Value),
        ParameterType::Size(_) => None,
    };
    program.parameters.iter().map(|parameter| &parameter.ty).map(argument).collect()
}

fn value(ty: &Type, program: &Program, sizes: &[usize], position: &mut usize) -> Option<Value> {
    let size_of = |variable: &Var| {
        let slot = program.sizes.iter().position(|size| size.variable == *variable)?;
        i128::try_from(*sizes.get(slot)?).ok()
    };
    let mut several = |ty: &Type, count: usize| {
        (0..count).map(|_| value(ty, program, sizes, position)).collect::<Option<Vec<_>>>()
    };
    match ty {
        Type::Array(array) => {
            let length = usize::try_from(array.length.evaluate(&size_of)?).ok()?;
            several(&array.element, length).map(|elements| Value::Array(elements.into()))
        }
        Type::Vector(scalar, width) => {
            several(&Type::Scalar(*scalar), usize::from(*width)).map(Value::Vector)
        }
        Type::Scalar(scalar) => {
            *position += 1;
            let number = [3, 1, 4, 1, 5, -9, 2, 6, -5, 3, 5, 8, -7][*position % 13];
            match scalar {
                ScalarType::I32 => Some(Value::from(number)),
                ScalarType::U32 => Some(Value::Integer(ScalarType::U32, i128::from(number.unsigned_abs()))),
                ScalarType::F32 => Some(Value::from(number as f32)),
                _ => None,
            }
        }
        Type::Tuple(_) | Type::Size => None,
    }
}
