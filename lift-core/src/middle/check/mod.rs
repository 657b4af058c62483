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
use crate::ir::kernel::Workers;
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

/// Checks every map and every reduction that workers share against the levels around it, outermost first.
fn check_nesting(expr: &Expr, around: &mut Vec<Level>, errors: &mut Vec<Error>) {
    let (level, function) = match &expr.kind {
        ExprKind::Map(kind, function, _) => (Level::of_map(*kind), function),
        ExprKind::Reduce(kind, function, ..) => (Level::of_reduction(*kind), function),
        _ => {
            for child in expr.children() {
                check_nesting(child, around, errors);
            }
            return;
        }
    };
    for part in expr.children_outside_functions() {
        check_nesting(part, around, errors);
    }
    let Some(level) = level else { return check_nesting(&function.body, around, errors) };
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
    let outer = around.iter().copied().find(|outer| outer.workers == level.workers)?;
    Some(Violation::NestedTwice { inner: level, outer })
}

fn local_outside_group(level: Level, around: &[Level]) -> Option<Violation> {
    let Workers::Local(_) = level.workers else { return None };
    let inside_group = around.iter().any(|outer| matches!(outer.workers, Workers::WorkGroup(_)));
    (!inside_group).then_some(Violation::LocalOutsideGroup(level))
}

fn level_inside_another(inner: Level, around: &[Level]) -> Option<Violation> {
    let outer = around.iter().copied().find(|outer| {
        matches!(
            (outer.workers, inner.workers),
            (Workers::Global(_), Workers::WorkGroup(_) | Workers::Local(_))
                | (Workers::WorkGroup(_), Workers::Global(_))
                | (Workers::Local(_), Workers::WorkGroup(_) | Workers::Global(_))
        )
    })?;
    Some(Violation::LevelInsideAnother { inner, outer })
}
