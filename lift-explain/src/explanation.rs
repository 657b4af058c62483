//! What is known of one program, as data. How it is said is the business of others.

use lift_core::ir::typed::Program;
use lift_core::{compile, low_level};

use crate::arguments::Extras;
use crate::cost::{Cost, Memory, cost, memory};
use crate::derivation::{Decided, Derived, Place, Shown, derive, lowering, places, shown};
use crate::forms::Forms;
use crate::kernels::Kernels;
use crate::mistake::Mistake;
use crate::program::Found;

/// What is known of a program.
pub(crate) struct Explanation {
    pub(crate) name: String,
    /// Where it stands in the file.
    pub(crate) line: usize,
    /// The program as it was typed.
    pub(crate) typed: Shown,
    /// What its schedule and the user's steps make of it.
    pub(crate) derived: Derived,
    /// The places of the program behind them, if they are wanted.
    pub(crate) places: Vec<Place>,
    /// All of what follows is about the program behind the steps.
    pub(crate) becomes: Result<Becomes, Vec<Mistake>>,
}

/// What a program becomes that the compiler accepts.
pub(crate) struct Becomes {
    /// The forms beside the plain one.
    pub(crate) forms: Forms,
    /// How the plain form is made, from the program with its tuples taken apart.
    pub(crate) lowering: Vec<Decided>,
    pub(crate) low_level: Shown,
    pub(crate) kernels: Kernels,
    pub(crate) cost: Cost,
    pub(crate) memory: Memory,
}

impl Explanation {
    /// Explains a program, with steps that are applied to it first.
    pub(crate) fn of(found: &Found, steps: &[String], extras: Extras) -> Explanation {
        let derived = derive(&found.program, steps);
        Explanation {
            name: found.program.name.clone(),
            line: found.line,
            typed: shown(&found.program),
            places: if extras.places { places(&derived.program) } else { Vec::new() },
            becomes: becomes(
                if steps.is_empty() { &found.program } else { &derived.program },
                &derived,
                found,
            ),
            derived,
        }
    }

    /// Whether all was explained: the compiler accepts the program, and every step applies.
    pub(crate) fn is_complete(&self) -> bool {
        self.becomes.is_ok() && self.derived.stopped.is_none()
    }
}

/// What becomes of a program, with all its forms. What is counted is the work of the program behind the
/// steps.
fn becomes(program: &Program, derived: &Derived, found: &Found) -> Result<Becomes, Vec<Mistake>> {
    let compiled = compile(program).map_err(|diagnostics| found.mistakes(&diagnostics))?;
    let lowered = low_level(&derived.program).map_err(|diagnostics| found.mistakes(&diagnostics))?;
    let kernels = Kernels::of(&compiled);
    let memory = memory(program, &kernels);
    let forms = Forms::of(program, &kernels);
    let (lowering, low_level) = (lowering(&lowered), shown(&lowered.program));
    Ok(Becomes { forms, lowering, low_level, cost: cost(&derived.program), memory, kernels })
}
