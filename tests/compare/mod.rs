//! Runs a kernel on a device and compares its results with what the evaluator says that it means.

pub(crate) mod arguments;

use lift_core::eval::{Argument, Value, evaluate_with_sizes};
use lift_core::ir::typed::Program;

use crate::kernels::render;
use crate::random::{self, Dense, Target, parts, taken_apart};
use arguments::arguments;

/// Runs a kernel on samples at each of some sizes. Numbers of single precision may differ by `tolerance`,
/// relative to the largest one of a result. It is zero for kernels that give the same numbers whatever the
/// order of their additions.
pub(crate) fn compare(
    kernel: &Program,
    sizes: &[Vec<usize>],
    tolerance: f32,
    target: Target<'_>,
) -> Result<(), String> {
    compare_with(kernel, sizes, &arguments, &|_| tolerance, target)
}

/// Arguments of a kernel for sizes; none where a parameter is of a type that is not provided for.
pub(crate) type MakeArguments<'a> = &'a dyn Fn(&Program, &[usize]) -> Option<Vec<Argument>>;

/// What numbers of single precision may differ by, relative to the largest one of a result, for sizes.
pub(crate) type Tolerance<'a> = &'a dyn Fn(&[usize]) -> f32;

/// The same on other arguments.
pub(crate) fn compare_with(
    kernel: &Program,
    sizes: &[Vec<usize>],
    arguments: MakeArguments<'_>,
    tolerance: Tolerance<'_>,
    target: Target<'_>,
) -> Result<(), String> {
    let compiled =
        lift_core::compile_with(kernel, &target.options).map_err(|diagnostics| render(&diagnostics))?;
    let launched = random::program_from(&compiled)?;
    for sizes in sizes {
        let arguments = arguments(kernel, sizes).ok_or("a parameter of an unexpected type")?;
        let known = kernel.sizes.iter().zip(sizes).map(|(own, size)| (own.variable.clone(), *size as i128));
        let (expected, by_name) = evaluate_with_sizes(kernel, &arguments, &known.collect())
            .map_err(|error| format!("{sizes:?}: {error}"))?;
        let found = random::run(launched, &taken_apart(kernel, &arguments, &by_name), target)
            .map_err(|error| format!("{sizes:?}: {error}"))?;
        let expected = parts(&expected, &kernel.body.ty, &by_name);
        for (form, found) in found {
            compare_all(&expected, &found, tolerance(sizes)).map_err(|text| {
                format!("in the form `{form}`, {sizes:?}, {text}\n{}", target.code(&compiled))
            })?;
        }
    }
    Ok(())
}

/// Compares all components of a result with their values.
fn compare_all(expected: &[Dense], found: &[Dense], tolerance: f32) -> Result<(), String> {
    if found.len() != expected.len() {
        return Err(format!("{} results instead of {}", found.len(), expected.len()));
    }
    for (part, (expected, found)) in expected.iter().zip(found).enumerate() {
        if let Some(text) = difference(expected, found, tolerance) {
            return Err(format!("result {part}, {text}"));
        }
    }
    Ok(())
}

/// What is wrong with a result, if anything is.
fn difference(expected: &Dense, found: &Dense, tolerance: f32) -> Option<String> {
    let Dense { shape, scalars } = expected;
    if found.shape != *shape {
        return Some(format!("the shape {:?} instead of {shape:?}", found.shape));
    }
    let magnitude = |scalar: &Value| match scalar {
        Value::F32(number) if number.is_finite() => number.abs(),
        _ => 0.0,
    };
    let slack = tolerance * scalars.iter().map(magnitude).fold(0.0, f32::max);
    let agree = |(expected, found): (&Value, &Value)| match (expected, found) {
        (Value::F32(expected), Value::F32(found)) => {
            expected == found || (expected.is_nan() && found.is_nan()) || (expected - found).abs() <= slack
        }
        _ => expected == found,
    };
    let position = scalars.iter().zip(&found.scalars).position(|pair| !agree(pair))?;
    Some(format!("element {position}: {:?} instead of {:?}", found.scalars[position], scalars[position]))
}
