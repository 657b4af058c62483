//! The form in which work-items update tables of integers together.
//!
//! GPUs have fast atomic operations. A processor has few threads, and each fills a table of its own faster.
//! In the plain form one work-item fills a table, so the others first store what it enters. Here each
//! work-item computes and enters its own elements.

use std::sync::Arc;

use super::inlining::{inlined, mentions};
use super::left_out::Reason;
use super::{Candidate, DeviceClass, Selection};
use crate::ir::typed::{Expr, ExprKind, Program, Strategy, Variable};
use crate::middle::lower::{Cooperation, Tables, holds_shared_table};
use crate::middle::rewrite::Rewriter;
use crate::middle::rewrite::rules::is_updated_together;

/// The form.
///
/// # Errors
/// Says why there is none.
pub(super) fn form(program: &Program) -> Result<Candidate, Reason> {
    if program.strategy == Strategy::InOrder {
        return Err(Reason::InOrder);
    }
    if !holds_shared_table(program) {
        return Err(Reason::NoTable);
    }
    let mut rewriter = Rewriter::new(program);
    while let Some(inlined) = inlined(rewriter.body(), &|_, reads| reads == 1, &reads_of_tables) {
        rewriter.run(&inlined).map_err(|_| Reason::NoTable)?;
    }
    let selection = Selection::new("tables", DeviceClass::Accelerator);
    let form = Candidate::rewritten(selection, rewriter.rewritten()).map_err(|_| Reason::NoTable)?;
    let cooperation = Cooperation { tables: Tables::Shared, ..Cooperation::default() };
    Ok(Candidate { cooperation, ..form })
}

/// How often the elements that are entered in tables are those of a variable.
fn reads_of_tables(expr: &Arc<Expr>, variable: &Variable) -> usize {
    if let ExprKind::Reduce(_, _, _, input) = &expr.kind
        && is_updated_together(expr)
    {
        return mentions(input, variable, false);
    }
    let parts = expr.children().enumerate().filter(|(position, _)| !expr.is_function_body(*position));
    parts.map(|(_, part)| reads_of_tables(part, variable)).sum()
}
