//! Checks that 64 bits can represent the numbers that a launcher computes with.

use super::{Action, Form};
use crate::diagnostic::Diagnostic;
use crate::ir::nat::{Nat, too_large};
use crate::ir::typed::Program;
use crate::middle::check::LARGEST_NUMBER;

/// A message for a form that a launcher could not launch.
pub(super) fn unlaunchable(form: &Form, program: &Program) -> Option<Diagnostic> {
    let mut formulas: Vec<&Nat> = form.extents.iter().collect();
    formulas.extend(form.temporaries.iter().map(|temporary| &temporary.length));
    for kernel in &form.kernels {
        formulas.extend(&kernel.global);
        formulas.push(&kernel.local_memory);
    }
    form.steps.iter().for_each(|step| collect_counts(step, &mut formulas));
    let number = formulas.into_iter().find_map(too_large)?;
    let message =
        format!("on the way to an index this program computes with {number}, which 64 bits do not hold");
    Some(Diagnostic::new(program.body.source, message).with_help(LARGEST_NUMBER))
}

fn collect_counts<'c>(step: &'c Action, counts: &mut Vec<&'c Nat>) {
    match step {
        Action::Launch(_) => {}
        Action::Repeat(repetition) => {
            counts.push(&repetition.count);
            counts.extend(repetition.portion.iter().flat_map(|portion| [&portion.rows, &portion.most]));
            repetition.actions().for_each(|step| collect_counts(step, counts));
        }
    }
}
