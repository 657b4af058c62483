//! The formulas that cannot be printed, and the messages for the user.

use crate::diagnostic::Diagnostic;
use crate::ir::nat::{Atom, Nat, Var};
use crate::ir::source::Source;
use crate::ir::typed::{Expr, ExprKind, Layout, Program, Rows};

/// Something that cannot be printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Problem {
    /// A sum for which no formula is known.
    OpenSum {
        /// Its index.
        index: Var,
        /// The summand.
        body: Nat,
    },
    /// Something that should not be there, in words.
    Inconsistency(String),
}

impl Problem {
    /// The messages for the user, without duplicates.
    pub(crate) fn diagnostics(problems: &[Problem], program: &Program) -> Vec<Diagnostic> {
        let mut diagnostics: Vec<Diagnostic> =
            problems.iter().map(|problem| problem.diagnostic(program)).collect();
        diagnostics.dedup();
        diagnostics
    }

    /// The message for the user.
    fn diagnostic(&self, program: &Program) -> Diagnostic {
        match self {
            Problem::Inconsistency(problem) => Diagnostic::internal(program.body.source, problem),
            Problem::OpenSum { index, body } => {
                let unknown =
                    format!("no formula is known for the sum of `{body}` over every `{}`", index.name());
                let (source, message) = match rows_of(&program.body, body) {
                    Some(source) => (source, format!("rows start at sums of their lengths, and {unknown}")),
                    None => (program.body.source, format!("an index is computed from a sum, and {unknown}")),
                };
                Diagnostic::new(source, message).with_help(
                "there are formulas for sums of polynomials up to the third power, of their quotients by a \
                 number, of powers of a number, of choices by the position, and for up to 8 rows of any \
                 lengths",
            )
            }
        }
    }
}

/// The source where rows are made or joined whose lengths have this term.
fn rows_of(expr: &Expr, length: &Nat) -> Option<Source> {
    let inside = expr.children().into_iter().find_map(|child| rows_of(child, length));
    inside.or_else(|| {
        let rows = match &expr.kind {
            ExprKind::Layout(Layout::Partition(rows), _) => rows.clone(),
            ExprKind::Layout(Layout::Join, input) => Rows::of(input.ty.as_array()?)?,
            _ => Rows::of(expr.ty.as_array()?)?,
        };
        let place = rows.index.as_ref().map_or(Nat::zero(), Nat::variable);
        // The index of a sum has its own name.
        let start = rows.start(&place);
        let mentions = |atom: &Atom| matches!(atom, Atom::Sum { body, .. } if body == length);
        let mut factors = start.terms().iter().flat_map(|term| &term.factors);
        factors.any(|(atom, _)| mentions(atom)).then_some(expr.source)
    })
}
