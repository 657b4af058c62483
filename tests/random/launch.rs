//! Runs a program on values of the reference evaluator.

use lift_core::eval::{Argument, Value};
use lift_runtime::__private::{Call, ParameterType, Program, ScalarType};
use lift_runtime::ndarray::{ArrayD, IxDyn};
use lift_runtime::{Device, Element, Error};

/// An argument as the runtime takes it.
enum HostData {
    I32(ArrayD<i32>),
    F32(ArrayD<f32>),
}

/// Runs a program of one result of `i32` or `f32`; the result's scalars in row-major order, with its shape.
pub(crate) fn run(
    program: &'static Program,
    arguments: &[Argument],
    device: &Device,
) -> Result<(Vec<usize>, Vec<Value>), String> {
    let pairs = arguments.iter().zip(program.parameters);
    let data = pairs
        .map(|(argument, parameter)| host_data(argument, &parameter.ty))
        .collect::<Result<Vec<_>, _>>()?;
    let call = data.iter().zip(arguments).fold(Call::new(program), |call, (data, argument)| {
        match (data, argument) {
            (HostData::I32(array), Argument::Value(Value::Array(_))) => call.array(array),
            (HostData::F32(array), Argument::Value(Value::Array(_))) => call.array(array),
            (HostData::I32(scalar), _) => call.scalar(scalar.first().copied().unwrap_or_default()),
            (HostData::F32(scalar), _) => call.scalar(scalar.first().copied().unwrap_or_default()),
        }
    });
    let result = match program.results {
        [result] => result,
        results => return Err(format!("a program of {} results", results.len())),
    };
    match (result.element, result.shape) {
        (ScalarType::I32, []) => call.run::<i32>(device).map(scalar),
        (ScalarType::F32, []) => call.run::<f32>(device).map(scalar),
        (ScalarType::I32, _) => call.run::<ArrayD<i32>>(device).map(array),
        (ScalarType::F32, _) => call.run::<ArrayD<f32>>(device).map(array),
        (element, _) => return Err(format!("a result of {element:?}")),
    }
    .map_err(|error: Error| error.to_string())
}

fn scalar<T: Element>(scalar: T) -> (Vec<usize>, Vec<Value>)
where
    Value: From<T>,
{
    (Vec::new(), vec![Value::from(scalar)])
}

fn array<T: Element>(array: ArrayD<T>) -> (Vec<usize>, Vec<Value>)
where
    Value: From<T>,
{
    (array.shape().to_vec(), array.iter().copied().map(Value::from).collect())
}

/// An argument, packed where the program takes all elements of rows of different lengths one after the other.
fn host_data(argument: &Argument, ty: &ParameterType) -> Result<HostData, String> {
    let Argument::Value(value) = argument else { return Err("sizes are not passed".to_owned()) };
    let scalars = value.flatten();
    let shape = match ty {
        ParameterType::Array { shape: [_], .. } => IxDyn(&[scalars.len()]),
        _ => IxDyn(&shape(value)),
    };
    let integers = scalars.iter().map(|scalar| match scalar {
        Value::Integer(_, integer) => i32::try_from(*integer).ok(),
        _ => None,
    });
    if let Some(integers) = integers.collect() {
        return ArrayD::from_shape_vec(shape, integers).map(HostData::I32).map_err(|error| error.to_string());
    }
    let floats = scalars.iter().map(|scalar| match scalar {
        Value::F32(float) => Some(*float),
        _ => None,
    });
    let floats = floats.collect::<Option<Vec<_>>>().ok_or("only `i32` and `f32` are passed")?;
    ArrayD::from_shape_vec(shape, floats).map(HostData::F32).map_err(|error| error.to_string())
}

/// The lengths of the dimensions of a dense array; the components of vectors are the last one.
pub(crate) fn shape(value: &Value) -> Vec<usize> {
    match value {
        Value::Array(elements) => {
            let inner = elements.first().map(shape).unwrap_or_default();
            [elements.len()].into_iter().chain(inner).collect()
        }
        Value::Vector(components) => vec![components.len()],
        _ => Vec::new(),
    }
}
