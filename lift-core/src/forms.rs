//! The forms of a program that stand before the plain one.
//!
//! In: a typed program. Out: what selects each form, and the typed program that it is compiled from, in the
//! order in which a launcher tries them. They compute what the program computes, for every size that the
//! program accepts and their guards allow. The plain form is right wherever the program is and is none of
//! them. They are for devices only: the host has its own ways to divide loops, which need the plain form.
//!
//! A program that says who computes what is taken at its word: it has its plain form only.

use crate::compiled::{DeviceClass, Selection};
use crate::ir::typed::{Backend, Program, Strategy};
use crate::middle::lower::{holds_divisible_scan, uses_hierarchy};

/// A form that may stand before the plain one.
pub(crate) struct Candidate {
    pub(crate) selection: Selection,
    pub(crate) program: Program,
}

/// On processors with fewer compute units than this, one work-item scans faster than all of them together: it
/// reads every element once and writes it once, where three kernels read it twice and pass it through local
/// memory. Measured on two cores, and as one thread's time, from which follows where more cores win: section
/// "Prefix sums" of `docs/performance.md`. Reductions of floats are slower in order on two cores as well.
const ENOUGH_UNITS_TO_DIVIDE_A_SCAN: u32 = 4;

/// The forms before the plain one, in the order in which they are tried; at most three.
pub(crate) fn candidates(program: &Program) -> Vec<Candidate> {
    let is_for_device = program.backend != Some(Backend::Host);
    let is_open = program.launches.is_empty() && !uses_hierarchy(&program.body);
    if !is_for_device || !is_open {
        return Vec::new();
    }
    scans_in_order(program).into_iter().collect()
}

/// The form in which one work-item computes each scan, where the plain form divides one.
fn scans_in_order(program: &Program) -> Option<Candidate> {
    holds_divisible_scan(&program.body, &program.functions).then(|| Candidate {
        selection: Selection {
            name: "scansInOrder".to_owned(),
            devices: DeviceClass::ProcessorBelow(ENOUGH_UNITS_TO_DIVIDE_A_SCAN),
            guards: Vec::new(),
        },
        program: Program { strategy: Strategy::ScansInOrder, ..program.clone() },
    })
}
