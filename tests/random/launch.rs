//! Runs a program on values of the reference evaluator.

use lift_core::eval::{Argument, Value};
use lift_core::scalar;
use lift_runtime::__private::{
    Call, Compiled, Distribution, Generated, Launches, ParameterType, Program, ScalarType, host,
};
use lift_runtime::ndarray::{ArrayD, IxDyn};
use lift_runtime::{Device, Element, Entry, Error};

use super::{LaunchSizes, Target};

/// A result as the runtime gives it: its shape, and its scalars in row-major order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    pub(crate) shape: Vec<usize>,
    pub(crate) scalars: Vec<Value>,
}

/// An argument as the runtime takes it.
enum HostData {
    Size(usize),
    I32(ArrayD<i32>),
    U32(ArrayD<u32>),
    U64(ArrayD<u64>),
    F32(ArrayD<f32>),
}

/// A compiled program with its functions for the host, as the macro would hand them over.
pub(crate) fn generated<'a>(program: &'static Program, functions: &'a [host::Kernel]) -> Generated<'a> {
    // SAFETY: both are what the compiler printed for one program.
    unsafe { Generated::new(program, functions) }
}

/// Runs a program on the arguments of its parameters, each of which is taken apart into its components.
pub(crate) fn run(
    program: &'static Program,
    arguments: &[Argument],
    target: Target<'_>,
) -> Result<Vec<Found>, String> {
    let device = target.device;
    let given = program.parameters.iter().zip(arguments);
    let data = given
        .map(|(parameter, argument)| host_data(argument, &parameter.ty))
        .collect::<Result<Vec<_>, _>>()?;
    let new_call = match target.launches {
        LaunchSizes::Usual => Call::new(generated(program, target.functions)),
        LaunchSizes::Drawn(number) => with_launches(program, number, target)?.call(),
    };
    let call = data.iter().zip(program.parameters).fold(new_call, |call, (data, parameter)| {
        let by_value = matches!(parameter.ty, ParameterType::Scalar(_));
        match data {
            HostData::Size(size) => call.size(*size),
            HostData::I32(scalar) if by_value => call.scalar(scalar.first().copied().unwrap_or_default()),
            HostData::U32(scalar) if by_value => call.scalar(scalar.first().copied().unwrap_or_default()),
            HostData::U64(scalar) if by_value => call.scalar(scalar.first().copied().unwrap_or_default()),
            HostData::F32(scalar) if by_value => call.scalar(scalar.first().copied().unwrap_or_default()),
            HostData::I32(array) => call.array(array),
            HostData::U32(array) => call.array(array),
            HostData::U64(array) => call.array(array),
            HostData::F32(array) => call.array(array),
        }
    });
    let elements: Vec<ScalarType> =
        program.results.iter().map(|result| fixed(result.element, program, &data)).collect();
    match elements.as_slice() {
        [ScalarType::Bool] => one(call, device, Value::Bool),
        [ScalarType::I32] => one(call, device, from_i32),
        [ScalarType::U32] => one(call, device, from_u32),
        [ScalarType::F32] => one(call, device, Value::F32),
        [ScalarType::I32, ScalarType::I32] => two(call, device, from_i32),
        [ScalarType::U32, ScalarType::U32] => two(call, device, from_u32),
        [ScalarType::F32, ScalarType::F32] => two(call, device, Value::F32),
        [ScalarType::F32, ScalarType::F32, ScalarType::F32] => three(call, device, Value::F32),
        others => return Err(format!("results of {others:?}")),
    }
    .map_err(|error: Error| error.to_string())
}

/// A program of which every kernel has a launch that a number leads to.
fn with_launches(program: &'static Program, number: u32, target: Target<'_>) -> Result<Compiled, String> {
    let code = generated(program, &[]);
    let mut compiled = Compiled::new(code, target.device, &[]).map_err(|error| error.to_string())?;
    for (position, kernel) in (0..).zip(program.kernels) {
        let Launches::Any(work) = kernel.launches else { continue };
        let (global, local) = drawn(work, number + position);
        compiled = compiled.launch_of(kernel.entry, &global, &local).map_err(|error| error.to_string())?;
    }
    Ok(compiled)
}

/// The work-items of a dimension of a group, and the groups of a dimension: one, primes, powers of two.
const ITEMS: [usize; 8] = [1, 3, 16, 2, 5, 64, 7, 4];
const GROUPS: [usize; 7] = [1, 2, 5, 3, 16, 1, 11];

/// The work-items of a group, and the groups, at most: simulated work-items take their time.
const MOST_ITEMS: usize = 128;
const MOST_GROUPS: usize = 64;

/// The launch of a kernel that a number leads to, of which every work-item may have something to do.
pub(crate) fn drawn(work: [Distribution; 3], number: u32) -> (Vec<usize>, Vec<usize>) {
    let mut number = number as usize;
    let mut draw = |from: &[usize], most: usize| {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        from[(number >> 33) % from.len()].min(most)
    };
    let (mut items_left, mut groups_left) = (MOST_ITEMS, MOST_GROUPS);
    let (mut global, mut local) = (Vec::new(), Vec::new());
    for work in work {
        let (has_items, has_groups) = match work {
            Distribution::Nothing => (false, false),
            Distribution::Groups => (false, true),
            Distribution::ItemsOfGroup => (true, false),
            Distribution::Items | Distribution::GroupsAndItems => (true, true),
        };
        let items = if has_items { draw(&ITEMS, items_left) } else { 1 };
        let groups = if has_groups { draw(&GROUPS, groups_left) } else { 1 };
        items_left /= items;
        groups_left /= groups;
        global.push(items * groups);
        local.push(items);
    }
    (global, local)
}

/// An element type, which the arguments fix where it is open.
fn fixed(element: ScalarType, program: &Program, data: &[HostData]) -> ScalarType {
    let has_element = |ty: &ParameterType| match ty {
        ParameterType::Array { element: own, .. } | ParameterType::Scalar(own) => *own == element,
        ParameterType::Vector(..) | ParameterType::Size(_) => false,
    };
    let open = matches!(element, ScalarType::Parameter(_));
    let given =
        program.parameters.iter().zip(data).filter(|(parameter, _)| open && has_element(&parameter.ty));
    let mut types = given.map(|(_, data)| match data {
        HostData::I32(_) => ScalarType::I32,
        HostData::U32(_) => ScalarType::U32,
        HostData::U64(_) => ScalarType::U64,
        HostData::F32(_) => ScalarType::F32,
        HostData::Size(_) => element,
    });
    types.next_back().unwrap_or(element)
}

fn from_i32(integer: i32) -> Value {
    Value::Integer(scalar::ScalarType::I32, integer.into())
}

fn from_u32(integer: u32) -> Value {
    Value::Integer(scalar::ScalarType::U32, integer.into())
}

fn one<T: Element + Entry>(call: Call, device: &Device, value: fn(T) -> Value) -> Result<Vec<Found>, Error> {
    Ok(vec![found(&call.run::<ArrayD<T>>(device)?, value)])
}

fn two<T: Element + Entry>(call: Call, device: &Device, value: fn(T) -> Value) -> Result<Vec<Found>, Error> {
    let (first, second) = call.run::<(ArrayD<T>, ArrayD<T>)>(device)?;
    Ok(vec![found(&first, value), found(&second, value)])
}

fn three<T: Element + Entry>(
    call: Call,
    device: &Device,
    value: fn(T) -> Value,
) -> Result<Vec<Found>, Error> {
    let (first, second, third) = call.run::<(ArrayD<T>, ArrayD<T>, ArrayD<T>)>(device)?;
    Ok(vec![found(&first, value), found(&second, value), found(&third, value)])
}

fn found<T: Element>(array: &ArrayD<T>, value: fn(T) -> Value) -> Found {
    Found { shape: array.shape().to_vec(), scalars: array.iter().copied().map(value).collect() }
}

/// An argument, packed where the program takes all elements of rows of different lengths one after the other.
fn host_data(argument: &Argument, ty: &ParameterType) -> Result<HostData, String> {
    let value = match argument {
        Argument::Value(value) => value,
        Argument::Size(size) => {
            return usize::try_from(*size).map(HostData::Size).map_err(|error| error.to_string());
        }
    };
    let scalars = value.flatten();
    let (element, shape) = match ty {
        ParameterType::Array { element, shape: [_] } => (*element, IxDyn(&[scalars.len()])),
        ParameterType::Array { element, .. } => (*element, IxDyn(&shape(value))),
        ParameterType::Scalar(element) => (*element, IxDyn(&[])),
        ParameterType::Vector(..) | ParameterType::Size(_) => {
            return Err("neither an array nor a number is not passed".to_owned());
        }
    };
    // An element type that is open is that of the argument.
    let element = match (element, scalars.first()) {
        (ScalarType::Parameter(_), Some(Value::Integer(..))) => ScalarType::I32,
        (ScalarType::Parameter(_), _) => ScalarType::F32,
        (element, _) => element,
    };
    match element {
        ScalarType::I32 => dense(shape, &scalars, integer).map(HostData::I32),
        ScalarType::U32 => dense(shape, &scalars, integer).map(HostData::U32),
        ScalarType::U64 => dense(shape, &scalars, integer).map(HostData::U64),
        ScalarType::F32 => dense(shape, &scalars, float).map(HostData::F32),
        other => Err(format!("numbers of {other:?} are not passed")),
    }
}

fn integer<T: TryFrom<i128>>(scalar: &Value) -> Option<T> {
    match scalar {
        Value::Integer(_, integer) => T::try_from(*integer).ok(),
        _ => None,
    }
}

fn float(scalar: &Value) -> Option<f32> {
    match scalar {
        Value::F32(float) => Some(*float),
        _ => None,
    }
}

fn dense<T>(
    shape: IxDyn,
    scalars: &[Value],
    convert: impl Fn(&Value) -> Option<T>,
) -> Result<ArrayD<T>, String> {
    let elements = scalars.iter().map(convert).collect::<Option<Vec<_>>>();
    let elements = elements.ok_or("a number of another type than the parameter's")?;
    ArrayD::from_shape_vec(shape, elements).map_err(|error| error.to_string())
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
