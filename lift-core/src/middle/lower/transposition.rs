//! Transposes rows that neighbouring work-items read side by side.
//!
//! If each work-item of a dimension reduces a row of its own (`keys >> map(|key| dotProduct(query, key))`),
//! neighbours read elements that lie a row apart. On a GPU such loads are not coalesced, and on a processor
//! they do not form vectors. If many iterations of the loops around read the array, a transposed copy pays:
//! making it costs about as much as reading the array once. (Data layout transformation; Sung, Stratton, Hwu,
//! *Data layout transformation exploiting memory-level parallelism in structured grid many-core
//! applications*, PACT 2010; Futhark does the same, Henriksen et al., *Purely functional GPU-programming with
//! nested parallelism*, PLDI 2017, section 5.2.)
//!
//! Input: a program whose maps have workers, and that did not use the hierarchy before it was lowered.
//! Output: where `turnRows` makes the next copy. A copy is a `store`, which gets its workers afterwards.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::reads::collect_reads;
use crate::ir::typed::{Expr, ExprKind, Lambda, MapKind, Path, Variable};
use crate::ir::types::Type;
use crate::middle::rewrite::rules::TURN_ROWS;
use crate::middle::rewrite::{Argument, Strategy};

/// An array that is read at most this often is not worth a copy.
const FEW_READERS: i128 = 8;

/// A copy of the first rows that neighbouring work-items read side by side; `None` if there are none.
pub(super) fn turned_rows(body: &Arc<Expr>) -> Option<Strategy> {
    let (outside, place) = outside_functions(body, &Path::root())?;
    let turn = Strategy::Apply(&TURN_ROWS, vec![Argument::Place(place)]);
    Some(Strategy::At(outside, Box::new(turn)).named("turnedRows", Vec::new()))
}

/// What is known about the functions around an expression.
#[derive(Clone, Default)]
struct Around {
    bound: BTreeSet<u32>,
    /// Whether the maps around read an array often enough to be worth a copy.
    is_read_often: bool,
}

/// The place of an expression outside of all functions before which a copy is made, and the place in it of
/// the rows.
fn outside_functions(expr: &Arc<Expr>, here: &Path) -> Option<(Path, Path)> {
    match &expr.kind {
        ExprKind::Let { .. } => expr.children().enumerate().find_map(|(position, part)| match &part.kind {
            ExprKind::Iterate(..) | ExprKind::Let { .. } => outside_functions(part, &here.child(position)),
            _ => {
                let place = inside(part, &Around::default(), &mut vec![position])?;
                Some((here.clone(), place))
            }
        }),
        ExprKind::Iterate(_, function, _) => {
            outside_functions(&function.body, &here.child(expr.children().len() - 1))
        }
        _ => Some((here.clone(), inside(expr, &Around::default(), &mut Vec::new())?)),
    }
}

/// The place of such rows in an expression that stands `here`.
fn inside(expr: &Arc<Expr>, around: &Around, here: &mut Vec<usize>) -> Option<Path> {
    if let ExprKind::Map(MapKind::Global(0), function, input) = &expr.kind
        && let ExprKind::Variable(array) = &input.kind
        && around.is_read_often
        && !around.bound.contains(&array.id)
        && are_reduced(function, &input.ty)
    {
        return Some(Path::from(here.clone()).child(0));
    }
    let mut within = around.clone();
    match &expr.kind {
        ExprKind::Map(kind, function, input) => {
            within.bound.extend(function.parameters.iter().map(|(variable, _)| variable.id));
            let count = input.ty.as_array().and_then(|array| array.length.as_constant());
            within.is_read_often |=
                matches!(kind, MapKind::Global(_)) && count.is_none_or(|count| count > FEW_READERS);
        }
        ExprKind::Let { bindings, .. } => {
            within.bound.extend(bindings.iter().map(|binding| binding.variable.id))
        }
        // In other functions, each work-item reads for itself.
        ExprKind::Reduce(..) | ExprKind::Scan(..) | ExprKind::Iterate(..) | ExprKind::Generate(..) => {
            return None;
        }
        _ => {}
    }
    expr.children().enumerate().find_map(|(position, child)| {
        here.push(position);
        let found = inside(child, &within, here);
        here.pop();
        found
    })
}

/// Whether a function reduces the row that it takes.
fn are_reduced(function: &Lambda, rows: &Type) -> bool {
    let is_matrix = rows.as_array().is_some_and(|array| {
        let row = array.element.as_array();
        array.index.is_none()
            && row.is_some_and(|row| row.index.is_none() && matches!(row.element, Type::Scalar(_)))
    });
    let [(row, _)] = function.parameters.as_slice() else { return false };
    is_matrix && function.index.is_none() && function.body.ty.is_element() && is_reduced(&function.body, row)
}

fn is_reduced(expr: &Expr, row: &Variable) -> bool {
    match &expr.kind {
        ExprKind::Reduce(_, _, _, input) => {
            let mut read = BTreeSet::new();
            collect_reads(input, &mut read);
            read.contains(&row.id)
        }
        _ => expr.children().any(|child| is_reduced(child, row)),
    }
}
