//! What 64 bits hold: launchers compute sizes with them, and so do kernels.
//!
//! A number in a formula that 64 bits do not hold is refused: where it is written, if the user wrote it, and here, if sizes were
//! multiplied. What else a formula amounts to is known to a launcher only, which checks every operation.

use crate::compiled::{Compiled, Step};
use crate::diagnostic::Diagnostic;
use crate::nat::{Atom, Nat};
use crate::typed::{Expr, Program};
use crate::types::Type;

const HELP: &str = "sizes, lengths and all numbers that indices are computed from are below 2^63";

/// The first number in a formula that 64 bits do not hold.
pub(crate) fn too_large(formula: &Nat) -> Option<i128> {
    let is_too_large = |number: &i128| i64::try_from(*number).is_err();
    formula.terms().iter().find_map(|term| {
        let inside = term.factors.iter().find_map(|(atom, _)| match atom {
            // So the algebra keeps what leaves 128 bits.
            Atom::Power(base, _) => too_large(base),
            Atom::Divide(a, b) | Atom::Modulo(a, b) | Atom::Minimum(a, b) | Atom::Maximum(a, b) => {
                too_large(a).or_else(|| too_large(b))
            }
            Atom::Select(_, then, otherwise) => too_large(then).or_else(|| too_large(otherwise)),
            Atom::Var(_) | Atom::Log2(_) | Atom::Sum { .. } => None,
        });
        Some(term.coefficient).filter(is_too_large).or(inside)
    })
}

/// Messages for arrays that are too long for any launcher.
pub(crate) fn long_arrays(program: &Program) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    collect_long_arrays(&program.body, &mut found);
    found.truncate(1);
    found
}

fn collect_long_arrays(expr: &Expr, found: &mut Vec<Diagnostic>) {
    expr.children().into_iter().for_each(|child| collect_long_arrays(child, found));
    if let Type::Array(_) = expr.ty
        && too_large(&expr.ty.element_count()).is_some()
    {
        let message = format!(
            "64 bits do not hold the number of elements of this array, which has the type `{}`",
            expr.ty
        );
        found.push(Diagnostic::new(expr.source, message).with_help(HELP));
    }
}

/// A message for a compiled program that a launcher could not launch.
pub(crate) fn unlaunchable(compiled: &Compiled, program: &Program) -> Option<Diagnostic> {
    let mut formulas: Vec<&Nat> = compiled.extents.iter().collect();
    formulas.extend(compiled.temporaries.iter().map(|temporary| &temporary.length));
    for kernel in &compiled.kernels {
        formulas.extend(&kernel.global);
        formulas.push(&kernel.local_memory);
    }
    compiled.steps.iter().for_each(|step| collect_counts(step, &mut formulas));
    let number = formulas.into_iter().find_map(too_large)?;
    let message =
        format!("on the way to an index this program computes with {number}, which 64 bits do not hold");
    Some(Diagnostic::new(program.body.source, message).with_help(HELP))
}

fn collect_counts<'c>(step: &'c Step, counts: &mut Vec<&'c Nat>) {
    match step {
        Step::Launch(_) => {}
        Step::Repeat(repetition) => {
            counts.push(&repetition.count);
            counts.extend(repetition.portion.iter().flat_map(|portion| [&portion.rows, &portion.most]));
            repetition.body.iter().for_each(|step| collect_counts(step, counts));
        }
    }
}
