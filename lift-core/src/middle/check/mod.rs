//! The rules of the thread hierarchy: what is not accepted here cannot race.
//!
//! Input: a lowered program. One function per rule; each gives one message at the offending map.
//! - a dimension of a level nests at most once;
//! - `mapLcl` stands inside a `mapWrg`, `mapWrg` and `mapGlb` inside no other level;
//! - an element is a scalar, a vector or a tuple when it reaches memory;
//! - an element is not read through too many arrays that are not stored (`depth`).

mod depth;
pub(crate) mod lengths;

pub(crate) use lengths::check_lengths;

use crate::diagnostic::Diagnostic;
use crate::ir::typed::{Expr, ExprKind, MapKind, Program};

/// Checks the rules.
///
/// # Errors
/// All violations, in the order in which they are written.
pub fn check(program: &Program) -> Result<(), Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    check_nesting(&program.body, &mut Vec::new(), &mut diagnostics);
    diagnostics.extend(depth::too_deep(program));
    if diagnostics.is_empty() { Ok(()) } else { Err(diagnostics) }
}

/// Checks every map against the maps around it, outermost first.
fn check_nesting(expr: &Expr, around: &mut Vec<MapKind>, diagnostics: &mut Vec<Diagnostic>) {
    let ExprKind::Map(kind, function, input) = &expr.kind else {
        for child in expr.children() {
            check_nesting(child, around, diagnostics);
        }
        return;
    };
    check_nesting(input, around, diagnostics);
    let violation = nested_twice(*kind, around)
        .or_else(|| local_outside_group(*kind, around))
        .or_else(|| level_inside_another(*kind, around));
    if let Some((message, help)) = violation {
        diagnostics.push(Diagnostic::new(expr.source, message).with_help(help));
        return;
    }
    around.push(*kind);
    check_nesting(&function.body, around, diagnostics);
    around.pop();
}

/// A message and its help line.
type Violation = (String, String);

fn nested_twice(kind: MapKind, around: &[MapKind]) -> Option<Violation> {
    let name = name(kind)?;
    around.contains(&kind).then(|| {
        (
            format!(
                "`{name}` is nested inside another `{name}`: its work-items are already distributed there"
            ),
            "use another dimension for one of them, or `mapSeq` for the inner one".to_string(),
        )
    })
}

fn local_outside_group(kind: MapKind, around: &[MapKind]) -> Option<Violation> {
    let MapKind::Local(_) = kind else { return None };
    let inside_group = around.iter().any(|outer| matches!(outer, MapKind::WorkGroup(_)));
    let name = name(kind)?;
    (!inside_group).then(|| {
        (
            format!(
                "`{name}` stands outside any `mapWrg`: it distributes work among the work-items of a group"
            ),
            format!(
                "put it inside a `mapWrg0`, as in `split(64) >> mapWrg0({name}(f)) >> join`, or use `mapGlb0`"
            ),
        )
    })
}

fn level_inside_another(kind: MapKind, around: &[MapKind]) -> Option<Violation> {
    let inner = name(kind)?;
    let outer = around.iter().copied().find(|outer| {
        matches!(
            (outer, kind),
            (MapKind::Global(_), MapKind::WorkGroup(_) | MapKind::Local(_))
                | (MapKind::WorkGroup(_), MapKind::Global(_))
                | (MapKind::Local(_), MapKind::WorkGroup(_) | MapKind::Global(_))
        )
    })?;
    let outer = name(outer)?;
    Some((
        format!("`{inner}` stands inside `{outer}`, where every work-item already has its element"),
        "use `mapWrg` outside and `mapLcl` inside, or `mapGlb` alone, or `mapSeq` for the inner one"
            .to_string(),
    ))
}

/// The user's name of a parallel map.
fn name(kind: MapKind) -> Option<String> {
    match kind {
        MapKind::Global(dimension) => Some(format!("mapGlb{dimension}")),
        MapKind::WorkGroup(dimension) => Some(format!("mapWrg{dimension}")),
        MapKind::Local(dimension) => Some(format!("mapLcl{dimension}")),
        MapKind::Unspecified | MapKind::Sequential | MapKind::Unrolled | MapKind::Sliding => None,
    }
}
