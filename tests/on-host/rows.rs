//! Rows with NaN, infinities and zeros at every place, and the extremes of them compared with what they mean.

use lift_core::eval::{Argument, Value, evaluate};
use lift_core::ir::nat::Var;
use lift_core::ir::scalar::ScalarType;
use lift_core::ir::typed::{ParameterType, Program};
use lift_core::ir::types::Type;
use lift_runtime::__private::host::Kernel;
use lift_runtime::__private::{ByValue, Call};
use lift_runtime::Device;
use lift_runtime::ndarray::ArrayD;

use crate::compare::arguments::value_of;
use crate::edges::{Number, agrees, array, scalar_of};
use crate::extremes::ExtremeProgram;
use crate::operators::Zeros;
use crate::random::{generated, program_from};
use crate::text::render;

/// Lengths of rows: all short ones, and those about which strips change.
fn lengths() -> impl Iterator<Item = usize> {
    (1..=40).chain([64, 127, 128, 129, 130, 150, 193, 1001])
}

/// What reductions start from, by turns, beside NaN.
const STARTS: [f64; 6] = [-50.0, 0.0, f64::INFINITY, -0.0, f64::NEG_INFINITY, 50.0];

/// Rows that hold what no other row does; behind them are rows with one number that is larger or smaller than
/// all others, at different places.
const SPECIAL: usize = 8;
const PLACES: usize = 6;

/// The number at a place of a row of this length.
fn number(row: usize, place: usize, length: usize) -> f64 {
    let last = length - 1;
    match row {
        0 => f64::NAN,
        1 if place == 0 => f64::NAN,
        2 if place == last => f64::NAN,
        3 => f64::NEG_INFINITY,
        4 if place == last / 2 => f64::INFINITY,
        5 => [0.0, -0.0, f64::NAN][place * 7 % 3],
        6 if place != last => f64::NAN,
        7 => [f64::INFINITY, 3.0, f64::NEG_INFINITY, -3.0, f64::NAN][place * 3 % 5],
        _ if row < SPECIAL => (place % 11) as f64 - 5.0,
        _ if place == (row - SPECIAL) * last / (PLACES - 1) => [-100.0, 100.0][row % 2],
        _ => 1.0 + (place % 3) as f64,
    }
}

/// Compares a program's results with its meaning, for rows of all lengths.
pub(crate) fn check(
    program: &ExtremeProgram,
    typed: &Program,
    functions: &[Kernel],
    device: &Device,
) -> Result<(), String> {
    let scalar = typed.parameters.iter().find_map(|parameter| match &parameter.ty {
        ParameterType::Value(ty) => scalar_of(ty),
        ParameterType::Size(_) => None,
    });
    match scalar.ok_or("a parameter without numbers")? {
        ScalarType::F32 => check_for::<f32>(program, typed, functions, device, &|x| Value::F32(x as f32)),
        ScalarType::F64 => check_for::<f64>(program, typed, functions, device, &Value::F64),
        other => Err(format!("parameters of {other}")),
    }
}

fn check_for<T: Number + ByValue>(
    program: &ExtremeProgram,
    typed: &Program,
    functions: &[Kernel],
    device: &Device,
    value: &dyn Fn(f64) -> Value,
) -> Result<(), String> {
    let compiled = lift_core::compile(typed).map_err(|diagnostics| render(&diagnostics))?;
    let launched = program_from(&compiled)?;
    let lengths: Vec<usize> = program.length.map_or_else(|| lengths().collect(), |length| vec![length]);
    for (turn, length) in lengths.into_iter().enumerate() {
        let sizes: Vec<usize> =
            typed.sizes.iter().map(|size| size_of(size.variable.name(), length)).collect();
        let rows = rows(typed, &sizes, value).ok_or("other parameters")?;
        let numbers = array::<T>(&rows).ok_or("other numbers")?;
        for start in [STARTS[turn % STARTS.len()], f64::NAN] {
            let start = value(start);
            let given = [Argument::Value(rows.clone()), Argument::Value(start.clone())];
            let expected = evaluate(typed, &given).map_err(|error| error.to_string())?;
            let scalar = T::from_value(&start).ok_or("another number")?;
            let call = Call::new(generated(launched, functions)).array(&numbers).scalar(scalar);
            let found: ArrayD<T> = call.run(device).map_err(|error| error.to_string())?;
            let found: Vec<Value> = found.iter().copied().map(T::to_value).collect();
            let expected = expected.flatten();
            let differs = |(expected, found): (&Value, &Value)| !agrees(expected, found, Zeros::Either);
            if let Some(row) = expected.iter().zip(&found).position(differs) {
                let (found, expected) = (&found[row], &expected[row]);
                return Err(format!(
                    "length {length}, from {start:?}, row {row}: {found:?} instead of {expected:?}"
                ));
            }
        }
    }
    Ok(())
}

/// `M` is the length of a row, `N` how many there are.
fn size_of(name: &str, length: usize) -> usize {
    if name == "M" { length } else { SPECIAL + PLACES }
}

/// The matrix that a program takes. Where its number of rows is called `M`, it is transposed.
fn rows(typed: &Program, sizes: &[usize], value: &dyn Fn(f64) -> Value) -> Option<Value> {
    let ParameterType::Value(Type::Array(outer)) = &typed.parameters.first()?.ty else { return None };
    let size = |variable: &Var| value_of(typed, sizes, variable);
    let Type::Array(inner) = outer.element_at(&lift_core::ir::nat::Nat::zero()) else { return None };
    let count = |length: &lift_core::ir::nat::Nat| usize::try_from(length.evaluate(&size)?).ok();
    let (height, width) = (count(&outer.length)?, count(&inner.length)?);
    let is_upright = outer.length.to_string() == "M";
    let at = |i: usize, j: usize| match is_upright {
        true => number(j, i, height),
        false => number(i, j, width),
    };
    let row = |i: usize| Value::Array((0..width).map(|j| value(at(i, j))).collect());
    Some(Value::Array((0..height).map(row).collect()))
}
