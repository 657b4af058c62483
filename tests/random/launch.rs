//! Runs a program on values of the reference evaluator.

use lift_core::eval::Value;
use lift_core::ir::scalar;
use lift_runtime::__private::{
    Call, Compiled, Distribution, ErasedVec, Generated, Launches, ParameterType, Program, ScalarType,
    Untyped, host,
};
use lift_runtime::ndarray::{ArrayD, IxDyn};
use lift_runtime::{Element, Error};

use super::parts::{Dense, Passed};
use super::{LaunchSizes, Target};

/// An argument as the runtime takes it.
enum HostData {
    Size(usize),
    Elements(Box<dyn Elements>),
}

/// An array of any element type.
trait Elements {
    fn pass_array<'a>(&'a self, call: Call<'a>) -> Call<'a>;

    /// Passes the only element.
    fn pass_scalar<'a>(&'a self, call: Call<'a>) -> Call<'a>;
}

impl<T: Element> Elements for ArrayD<T> {
    fn pass_array<'a>(&'a self, call: Call<'a>) -> Call<'a> {
        call.array(self)
    }

    fn pass_scalar<'a>(&'a self, call: Call<'a>) -> Call<'a> {
        call.scalar(self.first().copied().unwrap_or_default())
    }
}

/// A compiled program with its functions for the host, as the macro would hand them over.
pub(crate) fn generated<'a>(program: &'static Program, functions: &'a [host::Kernel]) -> Generated<'a> {
    // SAFETY: both are what the compiler printed for one program.
    unsafe { Generated::new(program, functions) }
}

/// Runs a program on its arguments, tuples taken apart into their components, in each of its forms that the
/// target runs and that can compute them. Returns the name of each form with what it computed. On the host,
/// and with launches that are drawn, there is only the plain form.
pub(crate) fn run(
    program: &'static Program,
    arguments: &[Passed],
    target: Target<'_>,
) -> Result<Vec<(&'static str, Vec<Dense>)>, String> {
    if let LaunchSizes::Drawn(number) = target.launches {
        let call = with_launches(program, number, target)?.call();
        let found = finish(call, program, arguments, target)?.map_err(|error| error.to_string())?;
        return Ok(vec![(program.plain.name, found)]);
    }
    let others = if target.functions.is_empty() { program.others } else { &[] };
    let others = others.iter().filter(|form| (target.runs)(form.name));
    let mut computed = Vec::new();
    for form in [&program.plain].into_iter().chain(others) {
        let call = Call::new(generated(program, target.functions)).form(form.name);
        match finish(call.map_err(|error| error.to_string())?, program, arguments, target)? {
            Ok(found) => computed.push((form.name, found)),
            // Its guards are for other sizes.
            Err(Error::Form { .. }) => {}
            Err(error) => return Err(format!("in the form `{}`: {error}", form.name)),
        }
    }
    Ok(computed)
}

/// Runs a call with these arguments. The outer error is for arguments that cannot be passed.
fn finish(
    call: Call<'_>,
    program: &'static Program,
    arguments: &[Passed],
    target: Target<'_>,
) -> Result<lift_runtime::Result<Vec<Dense>>, String> {
    let given = program.parameters.iter().zip(arguments);
    let data = given
        .map(|(parameter, argument)| host_data(argument, &parameter.ty))
        .collect::<Result<Vec<_>, _>>()?;
    let call = data.iter().zip(program.parameters).fold(call, |call, (data, parameter)| {
        let by_value = matches!(parameter.ty, ParameterType::Scalar(_));
        match data {
            HostData::Size(size) => call.size(*size),
            HostData::Elements(elements) if by_value => elements.pass_scalar(call),
            HostData::Elements(elements) => elements.pass_array(call),
        }
    });
    let found = |Untyped(results): Untyped| {
        results.into_iter().map(|(shape, elements)| Dense { shape, scalars: values(elements) }).collect()
    };
    Ok(call.run(target.device).map(found))
}

/// A program whose kernels have the launches that a number leads to.
fn with_launches(program: &'static Program, number: u32, target: Target<'_>) -> Result<Compiled, String> {
    let code = generated(program, &[]);
    let mut compiled = Compiled::new(code, target.device, &[]).map_err(|error| error.to_string())?;
    for (position, kernel) in (0..).zip(program.plain.kernels) {
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

/// The launch of a kernel that a number leads to. Any of its work-items may have something to do.
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

/// Elements as values of the evaluator.
fn values(elements: ErasedVec) -> Vec<Value> {
    fn integers<T: Into<i128>>(scalar: scalar::ScalarType, elements: Vec<T>) -> Vec<Value> {
        elements.into_iter().map(|element| Value::Integer(scalar, element.into())).collect()
    }
    match elements {
        ErasedVec::Bool(elements) => elements.into_iter().map(Value::Bool).collect(),
        ErasedVec::I8(elements) => integers(scalar::ScalarType::I8, elements),
        ErasedVec::U8(elements) => integers(scalar::ScalarType::U8, elements),
        ErasedVec::I16(elements) => integers(scalar::ScalarType::I16, elements),
        ErasedVec::U16(elements) => integers(scalar::ScalarType::U16, elements),
        ErasedVec::I32(elements) => integers(scalar::ScalarType::I32, elements),
        ErasedVec::U32(elements) => integers(scalar::ScalarType::U32, elements),
        ErasedVec::I64(elements) => integers(scalar::ScalarType::I64, elements),
        ErasedVec::U64(elements) => integers(scalar::ScalarType::U64, elements),
        #[cfg(feature = "f16")]
        ErasedVec::F16(elements) => {
            elements.into_iter().map(|element| Value::F16(element.to_f32())).collect()
        }
        ErasedVec::F32(elements) => elements.into_iter().map(Value::F32).collect(),
        ErasedVec::F64(elements) => elements.into_iter().map(Value::F64).collect(),
    }
}

fn host_data(argument: &Passed, ty: &ParameterType) -> Result<HostData, String> {
    let Dense { shape, scalars } = match argument {
        Passed::Dense(dense) => dense,
        Passed::Size(size) => {
            return usize::try_from(*size).map(HostData::Size).map_err(|error| error.to_string());
        }
    };
    let (element, shape) = match ty {
        ParameterType::Array { element, .. } => (*element, IxDyn(shape)),
        ParameterType::Scalar(element) => (*element, IxDyn(&[])),
        ParameterType::Vector(..) | ParameterType::Size(_) => {
            return Err("neither an array nor a number is not passed".to_owned());
        }
    };
    // The argument decides an element type that is open.
    let element = match (element, scalars.first()) {
        (ScalarType::Parameter(_), Some(Value::Integer(..))) => ScalarType::I32,
        (ScalarType::Parameter(_), _) => ScalarType::F32,
        (element, _) => element,
    };
    match element {
        ScalarType::Bool => dense(shape, scalars, truth),
        ScalarType::I8 => dense(shape, scalars, integer::<i8>),
        ScalarType::U8 => dense(shape, scalars, integer::<u8>),
        ScalarType::I16 => dense(shape, scalars, integer::<i16>),
        ScalarType::U16 => dense(shape, scalars, integer::<u16>),
        ScalarType::I32 => dense(shape, scalars, integer::<i32>),
        ScalarType::U32 => dense(shape, scalars, integer::<u32>),
        ScalarType::I64 => dense(shape, scalars, integer::<i64>),
        ScalarType::U64 => dense(shape, scalars, integer::<u64>),
        #[cfg(feature = "f16")]
        ScalarType::F16 => dense(shape, scalars, half),
        ScalarType::F32 => dense(shape, scalars, single),
        ScalarType::F64 => dense(shape, scalars, double),
        other => Err(format!("numbers of {other:?} are not passed")),
    }
}

fn truth(scalar: &Value) -> Option<bool> {
    match scalar {
        Value::Bool(truth) => Some(*truth),
        _ => None,
    }
}

fn integer<T: TryFrom<i128>>(scalar: &Value) -> Option<T> {
    match scalar {
        Value::Integer(_, integer) => T::try_from(*integer).ok(),
        _ => None,
    }
}

#[cfg(feature = "f16")]
fn half(scalar: &Value) -> Option<lift_runtime::f16> {
    match scalar {
        Value::F16(float) => Some(lift_runtime::f16::from_f32(*float)),
        _ => None,
    }
}

fn single(scalar: &Value) -> Option<f32> {
    match scalar {
        Value::F32(float) => Some(*float),
        _ => None,
    }
}

fn double(scalar: &Value) -> Option<f64> {
    match scalar {
        Value::F64(float) => Some(*float),
        _ => None,
    }
}

fn dense<T: Element>(
    shape: IxDyn,
    scalars: &[Value],
    convert: impl Fn(&Value) -> Option<T>,
) -> Result<HostData, String> {
    let elements = scalars.iter().map(convert).collect::<Option<Vec<_>>>();
    let elements = elements.ok_or("a number of another type than the parameter's")?;
    let array = ArrayD::from_shape_vec(shape, elements).map_err(|error| error.to_string())?;
    Ok(HostData::Elements(Box::new(array)))
}
