//! Compares a random program's result with its meaning.

use lift_core::eval::evaluate;

use crate::compiled::{compiled, compiled_for_any_launch};
use crate::generator::RandomProgram;
use crate::random::{self, Found, LaunchSizes, Target};

/// Compares a program's result on a device with its value; an error says what went wrong.
pub(crate) fn check(program: &RandomProgram, target: Target<'_>) -> Result<(), String> {
    let (typed, compiled) = match target.launches {
        LaunchSizes::Usual => compiled(&program.text)?,
        LaunchSizes::Drawn(_) => compiled_for_any_launch(&program.text)?,
    };
    let expected = evaluate(&typed, &program.arguments).map_err(|error| error.to_string())?;
    target.announce(&format!("{}\n\n{}", program.text, compiled.source))?;
    let launched = random::program_from(&compiled)?;
    let [Found { shape, scalars: found }] = random::run(launched, &program.arguments, target)?
        .try_into()
        .map_err(|results| format!("other results than one: {results:?}"))?;
    if shape != random::shape(&expected) {
        return Err(format!("expected the shape {:?}, found {shape:?}", random::shape(&expected)));
    }
    let expected = expected.flatten();
    // The generator keeps single precision numbers exact, so that they are equal and not only close.
    match expected.iter().zip(&found).position(|(expected, found)| expected != found) {
        None => Ok(()),
        Some(position) => Err(format!(
            "element {position}: expected {:?}, found {:?}\n{}",
            expected[position],
            found[position],
            target.code(&compiled)
        )),
    }
}
