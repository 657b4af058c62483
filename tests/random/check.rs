//! Compares a random program's result with its meaning.

use lift_core::eval::{Value, evaluate_with_sizes};

use crate::compiled::{compiled, compiled_for_any_launch};
use crate::generator::RandomProgram;
use crate::random::{self, Dense, LaunchSizes, Sizes, Target, parts, taken_apart};

/// Compares a program's result on a device with its value; an error says what went wrong.
pub(crate) fn check(program: &RandomProgram, target: Target<'_>) -> Result<(), String> {
    let (typed, compiled) = match target.launches {
        LaunchSizes::Usual => compiled(&program.text)?,
        LaunchSizes::Drawn(_) => compiled_for_any_launch(&program.text)?,
    };
    let (expected, sizes) =
        evaluate_with_sizes(&typed, &program.arguments, &Sizes::new()).map_err(|error| error.to_string())?;
    target.announce(&format!("{}\n\n{}", program.text, compiled.plain.source))?;
    let launched = random::program_from(&compiled)?;
    let found = random::run(launched, &taken_apart(&typed, &program.arguments, &sizes), target)?;
    let expected = parts(&expected, &typed.body.ty, &sizes);
    for (form, found) in found {
        compare_all(&expected, &found)
            .map_err(|error| format!("in the form `{form}`: {error}\n{}", target.code(&compiled)))?;
    }
    Ok(())
}

/// Compares all components of a result with their values.
fn compare_all(expected: &[Dense], found: &[Dense]) -> Result<(), String> {
    if found.len() != expected.len() {
        return Err(format!("{} results instead of {}", found.len(), expected.len()));
    }
    for (part, (expected, found)) in expected.iter().zip(found).enumerate() {
        compare(expected, found).map_err(|error| format!("wrong result {part}: {error}"))?;
    }
    Ok(())
}

/// Compares a component of a result with its value.
fn compare(expected: &Dense, found: &Dense) -> Result<(), String> {
    if found.shape != expected.shape {
        return Err(format!("the shape {:?} instead of {:?}", found.shape, expected.shape));
    }
    let mut pairs = expected.scalars.iter().zip(&found.scalars).enumerate();
    match pairs.find(|(_, (expected, found))| !is_same(expected, found)) {
        None => Ok(()),
        Some((position, (expected, found))) => {
            Err(format!("element {position}: {found:?} instead of {expected:?}"))
        }
    }
}

/// Whether two scalars are equal, and not only close: the generator keeps floating-point numbers exact. Which
/// NaN it is, and which zero, is nobody's business.
fn is_same(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::F16(expected), Value::F16(found)) | (Value::F32(expected), Value::F32(found)) => {
            expected == found || (expected.is_nan() && found.is_nan())
        }
        (Value::F64(expected), Value::F64(found)) => {
            expected == found || (expected.is_nan() && found.is_nan())
        }
        _ => expected == found,
    }
}
