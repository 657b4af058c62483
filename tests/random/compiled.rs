//! Compiles random programs.

#![allow(dead_code, reason = "each test program uses its own part of this module")]

use lift_core::compile_with;
use lift_core::compiled::Compiled;
use lift_core::diagnostic::Diagnostic;
use lift_core::ir::typed::{Launch, Pinning, Program};
use lift_core::options::{BetweenKernels, Optimisation, Optimisations, Options};

use crate::generator::typed;

fn render(diagnostics: &[Diagnostic]) -> String {
    let messages: Vec<_> = diagnostics.iter().map(Diagnostic::render).collect();
    messages.join("\n")
}

pub(crate) fn compiled(text: &str) -> Result<(Program, Compiled), String> {
    let typed = typed(text)?;
    let compiled = compile_with(&typed, &options(text)).map_err(|diagnostics| render(&diagnostics))?;
    Ok((typed, compiled))
}

/// Memory is scarce for some programs: for no row, or for a few. For every other one an optimisation is left
/// out, or all: each pass must give a correct kernel to the passes behind it, and none may be needed.
fn options(text: &str) -> Options {
    let between_kernels = match text.len() % 4 {
        0 => BetweenKernels::Scarce(0),
        1 => BetweenKernels::Scarce(100),
        _ => BetweenKernels::Bounded,
    };
    let number = text.bytes().fold(0, |sum: usize, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    let choices = 2 * Optimisation::ALL.len();
    let without = match Optimisation::ALL.get(number % choices) {
        // Half of those that would leave out the first leave out all.
        Some(_) if number.is_multiple_of(2 * choices) => Optimisations::of(&Optimisation::ALL),
        Some(optimisation) => Optimisations::of(&[*optimisation]),
        None => Optimisations::NONE,
    };
    Options { between_kernels, without, ..Options::default() }
}

/// The same program, right for any launch.
pub(crate) fn compiled_for_any_launch(text: &str) -> Result<(Program, Compiled), String> {
    let typed = typed(text)?;
    let launch = Launch { local: None, global: None, pinning: Pinning::Any, source: typed.body.source };
    let typed = Program { launches: vec![launch], ..typed };
    let compiled = compile_with(&typed, &options(text)).map_err(|diagnostics| render(&diagnostics))?;
    Ok((typed, compiled))
}

/// Legal programs that the compiler may reject, by what it says: it does not prove that their work-items can
/// share what they write, or does not choose between arrays that are yet to be computed. Few programs of a
/// test may be.
const MAY_BE_REJECTED: [&str; 4] = [
    "one kernel distributes work over work-groups with `mapWrg`, and elsewhere",
    "an array that one work-item makes for itself is made outside the map that distributes a dimension",
    "the barrier that this needs would stand where not all work-items of the group arrive",
    "are arrays that need code of their own to be computed",
];

pub(crate) fn may_be_rejected(error: &str) -> bool {
    MAY_BE_REJECTED.iter().any(|message| error.contains(message))
}
