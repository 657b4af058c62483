//! The rules of the thread hierarchy: what is not accepted here cannot race.
//!
//! Input: a lowered program. One function per rule; each gives one message at the offending map.
//! - a dimension of a level nests at most once;
//! - `mapLcl` stands inside a `mapWrg`, `mapWrg` and `mapGlb` inside no other level;
//! - an element is a scalar, a vector or a tuple when it reaches memory;
//! - an element is not read through too many arrays that are not stored (`depth`).

mod depth;
mod error;
mod lengths;

pub(crate) use error::LARGEST_NUMBER;
pub(crate) use lengths::check_lengths;

use crate::diagnostic::Diagnostic;
use crate::ir::typed::{Expr, ExprKind, Program};
use error::{Error, Level, Violation};

/// Checks the rules.
///
/// # Errors
/// All violations, in the order in which they are written.
pub fn check(program: &Program) -> Result<(), Vec<Diagnostic>> {
    let mut errors = Vec::new();
    check_nesting(&program.body, &mut Vec::new(), &mut errors);
    errors.extend(depth::too_deep(program));
    if errors.is_empty() { Ok(()) } else { Err(errors.iter().map(Error::diagnostic).collect()) }
}

/// Checks every map against the levels around it, outermost first.
fn check_nesting(expr: &Expr, around: &mut Vec<Level>, errors: &mut Vec<Error>) {
    let ExprKind::Map(kind, function, input) = &expr.kind else {
        for child in expr.children() {
            check_nesting(child, around, errors);
        }
        return;
    };
    check_nesting(input, around, errors);
    let Some(level) = Level::of(*kind) else { return check_nesting(&function.body, around, errors) };
    let violation = nested_twice(level, around)
        .or_else(|| local_outside_group(level, around))
        .or_else(|| level_inside_another(level, around));
    if let Some(violation) = violation {
        errors.push(Error { source: expr.source, violation });
        return;
    }
    around.push(level);
    check_nesting(&function.body, around, errors);
    around.pop();
}

fn nested_twice(level: Level, around: &[Level]) -> Option<Violation> {
    around.contains(&level).then_some(Violation::NestedTwice(level))
}

fn local_outside_group(level: Level, around: &[Level]) -> Option<Violation> {
    let Level::Local(_) = level else { return None };
    let inside_group = around.iter().any(|outer| matches!(outer, Level::WorkGroup(_)));
    (!inside_group).then_some(Violation::LocalOutsideGroup(level))
}

fn level_inside_another(inner: Level, around: &[Level]) -> Option<Violation> {
    let outer = around.iter().copied().find(|outer| {
        matches!(
            (outer, inner),
            (Level::Global(_), Level::WorkGroup(_) | Level::Local(_))
                | (Level::WorkGroup(_), Level::Global(_))
                | (Level::Local(_), Level::WorkGroup(_) | Level::Global(_))
        )
    })?;
    Some(Violation::LevelInsideAnother { inner, outer })
}
