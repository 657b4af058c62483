//! Refuses arrays whose number of elements does not fit into 64 bits, so that no launcher could compute it.
//!
//! Too large literals are refused earlier; here products of sizes are too large. The values of other formulas
//! are known only to the launcher, which checks every operation.

use super::error::{Error, Violation};
use crate::diagnostic::Diagnostic;
use crate::ir::nat::too_large;
use crate::ir::typed::{Expr, Program};
use crate::ir::types::Type;

/// Refuses arrays that are too long for any launcher.
///
/// # Errors
/// The error for the first of them.
pub(crate) fn check_lengths(program: &Program) -> Result<(), Vec<Diagnostic>> {
    match too_long(&program.body) {
        Some(error) => Err(vec![error.diagnostic()]),
        None => Ok(()),
    }
}

/// The first array that is too long; parts of an expression come before the expression.
fn too_long(expr: &Expr) -> Option<Error> {
    let inside = expr.children().find_map(|part| too_long(part));
    inside.or_else(|| {
        let is_array = matches!(expr.ty, Type::Array(_));
        (is_array && too_large(&expr.ty.element_count()).is_some())
            .then(|| Error { source: expr.source, violation: Violation::TooLong(expr.ty.clone()) })
    })
}
