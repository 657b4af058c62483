//! Arguments with the values at the edges of every type, and results compared bit by bit.

use lift_core::eval::{Argument, Value, evaluate};
use lift_core::ir::nat::{Nat, Var};
use lift_core::ir::scalar::ScalarType;
use lift_core::ir::typed::{ParameterType, Program};
use lift_core::ir::types::Type;
use lift_runtime::__private::Call;
use lift_runtime::__private::host::Kernel;
use lift_runtime::ndarray::{ArrayD, IxDyn};
use lift_runtime::{Device, Element, Entry};

use crate::compare::arguments::value_of;
use crate::generator::Choices;
use crate::operators::{Numbers, OperatorProgram, Zeros};
use crate::random::{generated, program_from};
use crate::text::render;

/// Where arrays end: in strips, between them, and far behind them.
const LENGTHS: [usize; 16] = [1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 24, 31, 33, 40, 113, 300];

/// With how many arguments a program runs.
const RUNS: u64 = 6;

/// A number type of the language, and its values.
pub(crate) trait Number: Element + Entry {
    /// The values at its edges.
    fn edges() -> Vec<Self>;
    fn small(number: i8) -> Self;
    fn to_value(self) -> Value;
    fn from_value(value: &Value) -> Option<Self>;
}

macro_rules! integers {
    ($($ty:ident: $scalar:ident),*) => {$(
        impl Number for $ty {
            fn edges() -> Vec<$ty> {
                vec![$ty::MIN, $ty::MAX, $ty::MIN + 1, $ty::MAX - 1, $ty::MAX / 2, 0, 1, 5]
            }

            fn small(number: i8) -> $ty {
                $ty::try_from(number).unwrap_or_else(|_| number.unsigned_abs() as $ty)
            }

            fn to_value(self) -> Value {
                Value::Integer(ScalarType::$scalar, self.into())
            }

            fn from_value(value: &Value) -> Option<$ty> {
                match value {
                    Value::Integer(_, integer) => $ty::try_from(*integer).ok(),
                    _ => None,
                }
            }
        }
    )*};
}

integers!(i8: I8, u8: U8, i16: I16, u16: U16, i32: I32, u32: U32, i64: I64, u64: U64);

macro_rules! floats {
    ($($ty:ident: $scalar:ident),*) => {$(
        impl Number for $ty {
            fn edges() -> Vec<$ty> {
                let numbers = [
                    0.0,
                    1.0,
                    5.0,
                    $ty::INFINITY,
                    $ty::MAX,
                    $ty::MIN_POSITIVE,
                    $ty::MIN_POSITIVE / 2.0,
                    $ty::from_bits(1),
                ];
                numbers.into_iter().flat_map(|number| [number, -number]).chain([$ty::NAN]).collect()
            }

            fn small(number: i8) -> $ty {
                number.into()
            }

            fn to_value(self) -> Value {
                Value::$scalar(self)
            }

            fn from_value(value: &Value) -> Option<$ty> {
                match value {
                    Value::$scalar(float) => Some(*float),
                    _ => None,
                }
            }
        }
    )*};
}

floats!(f32: F32, f64: F64);

/// Compares a program's results on the host with its meaning.
pub(crate) fn check(
    program: &OperatorProgram,
    typed: &Program,
    functions: &[Kernel],
    device: &Device,
) -> Result<(), String> {
    let scalar = typed.parameters.first().and_then(|parameter| match &parameter.ty {
        ParameterType::Value(ty) => scalar_of(ty),
        ParameterType::Size(_) => None,
    });
    match scalar.ok_or("a parameter without numbers")? {
        ScalarType::I8 => check_for::<i8>(program, typed, functions, device),
        ScalarType::U8 => check_for::<u8>(program, typed, functions, device),
        ScalarType::I16 => check_for::<i16>(program, typed, functions, device),
        ScalarType::U16 => check_for::<u16>(program, typed, functions, device),
        ScalarType::I32 => check_for::<i32>(program, typed, functions, device),
        ScalarType::U32 => check_for::<u32>(program, typed, functions, device),
        ScalarType::I64 => check_for::<i64>(program, typed, functions, device),
        ScalarType::U64 => check_for::<u64>(program, typed, functions, device),
        ScalarType::F32 => check_for::<f32>(program, typed, functions, device),
        ScalarType::F64 => check_for::<f64>(program, typed, functions, device),
        other @ (ScalarType::Bool | ScalarType::F16 | ScalarType::Parameter(_)) => {
            Err(format!("parameters of {other}"))
        }
    }
}

pub(crate) fn scalar_of(ty: &Type) -> Option<ScalarType> {
    match ty.innermost() {
        Type::Scalar(scalar) => Some(*scalar),
        _ => None,
    }
}

fn check_for<T: Number>(
    program: &OperatorProgram,
    typed: &Program,
    functions: &[Kernel],
    device: &Device,
) -> Result<(), String> {
    let compiled = lift_core::compile(typed).map_err(|diagnostics| render(&diagnostics))?;
    let launched = program_from(&compiled)?;
    for run in 0..RUNS {
        let mut choices = Choices::from_seed(1000 + run);
        let sizes: Vec<usize> = typed.sizes.iter().map(|_| choices.pick(&LENGTHS)).collect();
        let arguments =
            arguments::<T>(typed, &sizes, program.numbers, run).ok_or("a type without numbers")?;
        let given: Vec<_> = arguments.iter().cloned().map(Argument::Value).collect();
        let expected = evaluate(typed, &given).map_err(|error| error.to_string())?;
        let arrays = arguments.iter().map(array::<T>).collect::<Option<Vec<_>>>().ok_or("other numbers")?;
        let call =
            arrays.iter().fold(Call::new(generated(launched, functions)), |call, array| call.array(array));
        let found: (Vec<usize>, Vec<Value>) =
            if expected.flatten().iter().all(|value| matches!(value, Value::Bool(_))) {
                let found: ArrayD<bool> = call.run(device).map_err(|error| error.to_string())?;
                (found.shape().to_vec(), found.iter().copied().map(Value::Bool).collect())
            } else {
                let found: ArrayD<T> = call.run(device).map_err(|error| error.to_string())?;
                (found.shape().to_vec(), found.iter().copied().map(T::to_value).collect())
            };
        if found.0 != shape(&expected) {
            return Err(format!("{sizes:?}: the shape {:?} instead of {:?}", found.0, shape(&expected)));
        }
        let expected = expected.flatten();
        let agrees = |(expected, found): (&Value, &Value)| agrees(expected, found, program.zeros);
        if let Some(position) = expected.iter().zip(&found.1).position(|pair| !agrees(pair)) {
            return Err(format!(
                "{sizes:?}, run {run}, element {position}: {:?} instead of {:?}",
                found.1[position], expected[position]
            ));
        }
    }
    Ok(())
}

/// Whether two numbers are the same bits, but for what NaN consists of, and the sign of zero where it may be
/// either.
pub(crate) fn agrees(expected: &Value, found: &Value, zeros: Zeros) -> bool {
    match (expected, found) {
        (Value::F32(expected), Value::F32(found)) => {
            (expected.is_nan() && found.is_nan())
                || expected.to_bits() == found.to_bits()
                || (zeros == Zeros::Either && *expected == 0.0 && *found == 0.0)
        }
        (Value::F64(expected), Value::F64(found)) => {
            (expected.is_nan() && found.is_nan())
                || expected.to_bits() == found.to_bits()
                || (zeros == Zeros::Either && *expected == 0.0 && *found == 0.0)
        }
        _ => expected == found,
    }
}

/// An argument for each parameter: small numbers, those at the edges, or one that is larger or smaller than
/// all others.
fn arguments<T: Number>(typed: &Program, sizes: &[usize], numbers: Numbers, run: u64) -> Option<Vec<Value>> {
    let edges = T::edges();
    let mut state = run.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1;
    let mut draw = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut number = || {
        let small = T::small(draw(13) as i8 - 6);
        match run % 3 {
            _ if numbers == Numbers::Small => small,
            0 => small,
            1 if draw(3) > 0 => edges[draw(edges.len())],
            1 => small,
            _ if draw(29) == 0 => T::small([-100, 100][draw(2)]),
            _ => T::small(1),
        }
    };
    let size = |variable: &Var| value_of(typed, sizes, variable);
    let values = typed.parameters.iter().map(|parameter| match &parameter.ty {
        ParameterType::Value(ty) => value(ty, &size, &mut || number().to_value()),
        ParameterType::Size(_) => None,
    });
    values.collect()
}

fn value(
    ty: &Type,
    size: &impl Fn(&Var) -> Option<i128>,
    number: &mut impl FnMut() -> Value,
) -> Option<Value> {
    let Type::Array(array) = ty else { return Some(number()) };
    let length = usize::try_from(array.length.evaluate(size)?).ok()?;
    let row = |index: usize| array.element_at(&Nat::constant(index as i128));
    (0..length).map(|index| value(&row(index), size, number)).collect::<Option<_>>().map(Value::Array)
}

pub(crate) fn array<T: Number>(value: &Value) -> Option<ArrayD<T>> {
    let numbers = value.flatten().iter().map(T::from_value).collect::<Option<Vec<_>>>()?;
    ArrayD::from_shape_vec(IxDyn(&shape(value)), numbers).ok()
}

/// The lengths of an array's dimensions. None of them is 0 in these tests, so the first row shows how long
/// all rows are.
fn shape(value: &Value) -> Vec<usize> {
    match value {
        Value::Array(elements) => {
            let inner = elements.first().map(shape).unwrap_or_default();
            [elements.len()].into_iter().chain(inner).collect()
        }
        Value::Vector(components) => vec![components.len()],
        _ => Vec::new(),
    }
}
