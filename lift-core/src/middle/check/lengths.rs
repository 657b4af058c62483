//! Arrays whose number of elements 64 bits do not hold: no launcher could compute it.
//!
//! A number that the user writes is refused where it is written; here sizes were multiplied. What else a formula
//! amounts to is known to a launcher only, which checks every operation.

use crate::diagnostic::Diagnostic;
use crate::ir::nat::too_large;
use crate::ir::typed::{Expr, Program};
use crate::ir::types::Type;

pub(crate) const HELP: &str = "sizes, lengths and all numbers that indices are computed from are below 2^63";

/// Refuses arrays that are too long for any launcher.
///
/// # Errors
/// A message for the first of them.
pub(crate) fn check_lengths(program: &Program) -> Result<(), Vec<Diagnostic>> {
    let mut found = Vec::new();
    collect_long_arrays(&program.body, &mut found);
    found.truncate(1);
    if found.is_empty() { Ok(()) } else { Err(found) }
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
