//! Accumulators that are arrays: in which order their elements stand.
//!
//! A reduction whose accumulator is a tile of the result may keep it in blocks, in a row or as vectors,
//! whatever the result looks like: the layout is undone before the first step and done after the last one.
//! Together with rules that cancel layouts inside the function, an accumulator gets the form in which each of
//! its elements stays with the work-item that computes it.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Argument, Redex, Rule};
use super::parts::{Reduction, bound_outside, name, names, reduction};
use crate::ir::typed::build::{Build, Built};
use crate::ir::typed::{Expr, ExprKind, Lambda, Layout, MapKind};

/// The accumulator keeps the elements as they are before the layout that each step ends with.
pub const ACCUMULATOR_LAYOUT: Rule = Rule {
    name: "accumulatorLayout",
    statement: "reduce(|acc, x| f(acc, x) >> l, z) = reduce(|acc, x| f(acc >> l, x), z >> inverse) >> l, \
                for a layout l that can be undone, or a map of such; `let`s may stand before it",
    origin: "new: by induction over the elements, the new accumulator is the old one with l undone",
    parameters: &[],
    regroups: false,
    apply: accumulator_layout,
};

fn accumulator_layout(
    redex: &Redex<'_>,
    _: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    const WANTED: &str = "a reduction that rearranges its accumulator in each step";
    let Reduction { kind, function, initial, array } = reduction(redex)?;
    let (bindings, result) = bound_outside(&function.body);
    let Some((layer, core)) = Layer::of(result) else {
        return Err(Mismatch::form(WANTED, result, 1));
    };
    let undone = layer.undone(initial.clone(), build)?;
    // The first accumulator stands outside of the function, so that only the layout can mention its index.
    let again = layer.done(undone.clone(), build)?;
    if function.index.as_ref().is_some_and(|index| again.mentions_index(index)) {
        return Err(Mismatch::condition("the layout is the same in each step", &function.body));
    }
    let mut body = core.clone();
    for bindings in bindings.into_iter().rev() {
        body = build.bind_all(bindings.to_vec(), body)?;
    }
    let step = Lambda { body, ..function.clone() };
    let ty = undone.ty.clone();
    let combined = build.accumulation_at(names(function), &ty, array, |build, place, kept, element| {
        let accumulator = layer.done(kept.clone(), build)?;
        let next = build.apply(&step, Some(place), vec![accumulator, element])?;
        Ok::<_, Mismatch>(build.in_place_of(&kept, &next)?)
    })?;
    let reduced = build.reduce(kind, combined, undone, array.clone())?;
    Ok(layer.done(reduced, build)?)
}

/// A layout that can be undone.
enum Layer<'e> {
    /// Of an array.
    Whole { layout: &'e Layout, inverse: Layout },
    /// Of each element of an array.
    Each { function: &'e Lambda, inverse: Lambda },
}

impl<'e> Layer<'e> {
    /// The layout that an expression ends with, and what it rearranges.
    fn of(expr: &'e Arc<Expr>) -> Option<(Layer<'e>, &'e Arc<Expr>)> {
        match &expr.kind {
            // An increase is about memory, not about where elements are.
            ExprKind::Layout(Layout::Increase { .. }, _) => None,
            ExprKind::Layout(layout, input) => {
                let inverse = layout.inverse(&input.ty)?;
                Some((Layer::Whole { layout, inverse }, input))
            }
            ExprKind::Map(MapKind::Unspecified, function, input) => {
                let inverse = function.inverse_layout()?;
                Some((Layer::Each { function, inverse }, input))
            }
            _ => None,
        }
    }

    fn done(&self, value: Arc<Expr>, build: &mut Build<'_>) -> Built {
        match self {
            Layer::Whole { layout, .. } => build.layout((*layout).clone(), value),
            Layer::Each { function, .. } => each(function, value, build),
        }
    }

    fn undone(&self, value: Arc<Expr>, build: &mut Build<'_>) -> Built {
        match self {
            Layer::Whole { inverse, .. } => build.layout(inverse.clone(), value),
            Layer::Each { inverse, .. } => each(inverse, value, build),
        }
    }
}

/// A function of every element, with names of its own.
fn each(function: &Lambda, array: Arc<Expr>, build: &mut Build<'_>) -> Built {
    build.map_at(MapKind::Unspecified, array, name(function, 0), |build, position, element| {
        build.apply_copy(function, Some(position), vec![element])
    })
}
