//! How the forms that the compiler chooses are made, and why there are no others.

use lift_core::ir::typed::Program;
use lift_core::{LeftOut, choice};

use crate::derivation::{Decided, decided, reduction_at};
use crate::kernels::Kernels;

/// The forms beside the plain one that the compiler chooses.
#[derive(Default)]
pub(crate) struct Forms {
    /// Those that a call may launch, in the order in which a launcher tries them.
    pub(crate) made: Vec<MadeForm>,
    /// The classes of forms that the program has none of, with the reason for each.
    pub(crate) left_out: Vec<Absent>,
}

/// A form, and the steps that make it.
pub(crate) struct MadeForm {
    pub(crate) name: String,
    /// The devices and sizes that it is for.
    pub(crate) used_on: String,
    pub(crate) steps: Vec<Decided>,
}

/// A class of forms that a program has none of.
pub(crate) struct Absent {
    pub(crate) class: String,
    /// The reduction that has no form of the class, in a line; `None` where the reason is about the whole
    /// program.
    pub(crate) of: Option<String>,
    pub(crate) reason: String,
}

impl Forms {
    /// The forms of a compiled program; none if it has a schedule, because nothing is chosen then. The steps
    /// of a schedule, and what keeps a program from being compiled, are told elsewhere.
    pub(crate) fn of(program: &Program, kernels: &Kernels) -> Forms {
        let choice = if program.schedule.is_empty() { choice(program).ok() } else { None };
        let Some(choice) = choice else { return Forms::default() };
        let made = kernels.chosen.iter().filter_map(|chosen| {
            let made = choice.made.iter().find(|made| made.name == chosen.name)?;
            let steps = decided(&made.start, &made.derivation);
            Some(MadeForm { name: chosen.name.clone(), used_on: chosen.used_on.clone(), steps })
        });
        let left_out = choice.left_out.iter().map(|left_out| absent(program, left_out));
        Forms { made: made.collect(), left_out: left_out.collect() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.made.is_empty() && self.left_out.is_empty()
    }
}

fn absent(program: &Program, left_out: &LeftOut) -> Absent {
    Absent {
        class: left_out.class.to_string(),
        of: left_out.of.and_then(|source| reduction_at(program, source)),
        reason: left_out.reason.to_string(),
    }
}
