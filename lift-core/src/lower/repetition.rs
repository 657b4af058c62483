//! How often an array that nothing stores is computed, and how long that takes.
//!
//! A high-level map that is only consumed is delayed: whoever reads an element computes it. That saves the array, and costs nothing where
//! every element is read once. Where elements are read again and again, and each takes a loop, the array should be stored.

use crate::typed::{Expr, ExprKind, Lambda, Layout, Variable};
use crate::types::Type;

/// A number of repetitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Times {
    /// A number that does not depend on sizes.
    Known(i128),
    /// As many as there are elements of something, or work-items.
    Many,
}

impl Times {
    pub(super) const NEVER: Times = Times::Known(0);
    pub(super) const ONCE: Times = Times::Known(1);

    pub(super) fn and(self, other: Times) -> Times {
        match (self, other) {
            (Times::Known(one), Times::Known(other)) => Times::Known(one.saturating_add(other)),
            (Times::Many, _) | (_, Times::Many) => Times::Many,
        }
    }

    pub(super) fn each(self, other: Times) -> Times {
        match (self, other) {
            (Times::NEVER, _) | (_, Times::NEVER) => Times::NEVER,
            (Times::Known(one), Times::Known(other)) => Times::Known(one.saturating_mul(other)),
            (Times::Many, _) | (_, Times::Many) => Times::Many,
        }
    }

    fn of_length(ty: &Type) -> Times {
        let length = ty.as_array().and_then(|array| array.length.as_constant());
        length.map_or(Times::Many, Times::Known)
    }
}

/// The steps of reductions that an element of a value takes.
pub(super) fn work(expr: &Expr) -> Times {
    match &expr.kind {
        ExprKind::Reduce(_, function, initial, input) => {
            let step = work(&function.body).and(work(input)).max(Times::ONCE);
            Times::of_length(&input.ty).each(step).and(work(initial))
        }
        ExprKind::Scan(..) | ExprKind::Iterate(..) => Times::Many,
        _ => expr.children().into_iter().map(work).fold(Times::NEVER, Times::and),
    }
}

/// How often the elements of an array that a function takes are read, each time that the function is applied.
pub(super) fn reads_of_parameters(function: &Lambda) -> Times {
    let arrays = function.parameters.iter().filter(|(_, ty)| !ty.is_element());
    arrays
        .map(|(variable, _)| reads_of(variable, &function.body))
        .max()
        .unwrap_or(Times::ONCE)
        .max(Times::ONCE)
}

/// How often the elements of an array are read.
pub(super) fn reads_of(variable: &Variable, expr: &Expr) -> Times {
    match &expr.kind {
        ExprKind::Variable(read) if read.id == variable.id => Times::ONCE,
        ExprKind::Layout(layout, input) => reads_of(variable, input).each(overlap(layout)),
        ExprKind::Let { variable: bound, value, body } => {
            let through = match reads_of(variable, value) {
                Times::NEVER => Times::NEVER,
                through if value.ty.is_element() => through,
                through => through.each(reads_of(bound, body)),
            };
            through.and(reads_of(variable, body))
        }
        ExprKind::Map(_, function, input)
        | ExprKind::Reduce(_, function, _, input)
        | ExprKind::Scan(_, function, _, input)
        | ExprKind::Iterate(_, function, input) => {
            let initial = match &expr.kind {
                ExprKind::Reduce(_, _, initial, _) | ExprKind::Scan(_, _, initial, _) => {
                    reads_of(variable, initial)
                }
                _ => Times::NEVER,
            };
            // Bodies are looked at only where it matters: once more for each function around them, not twice as often.
            let through = match reads_of(variable, input) {
                Times::NEVER => Times::NEVER,
                through => through.each(reads_of_parameters(function)),
            };
            through.and(initial).and(reads_of(variable, &function.body).each(Times::Many))
        }
        ExprKind::Generate(_, function) => reads_of(variable, &function.body).each(Times::Many),
        _ => {
            expr.children().into_iter().map(|child| reads_of(variable, child)).fold(Times::NEVER, Times::and)
        }
    }
}

/// In how many places a layout shows an element.
pub(super) fn overlap(layout: &Layout) -> Times {
    match layout {
        Layout::Slide { size, step } => match (size.as_constant(), step.as_constant()) {
            (Some(size), Some(step)) if step > 0 => Times::Known(size.saturating_add(step - 1) / step),
            _ => Times::Many,
        },
        _ => Times::ONCE,
    }
}
