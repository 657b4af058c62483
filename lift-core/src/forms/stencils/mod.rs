//! The forms of stencils that have a window at every element. In the plain form each work-item reads a window
//! of its own.
//!
//! - `rollingRows`, for small windows of matrices and boxes: a work-item computes vectors of neighbouring
//!   results, down a strip of rows that roll through its registers, so that it reads each row of the strip
//!   once;
//! - `windowVectors`, for small windows of lines and of rows: the same without rows that roll;
//! - `windowTiles`, for reductions of larger windows of matrices: a group copies what a tile of results needs
//!   to local memory, and a work-item adds each row that it reads to the results of a block, in registers.
//!
//! Only stencils are taken whose results are stored: the results of the program, and those that other
//! windows are made of. What is computed of single results, or of elements beside windows, becomes part of
//! the function first (`fused`). If more is done with results, as in a reduction of them, the plain form
//! does that in the same kernel, but behind a strip or a tile it would need a kernel of its own. Such
//! stencils are left alone.
//!
//! `fused` makes one stage of several, `found` finds stencils, `stencil` measures them, `taken` counts what
//! their functions take of windows, and `rows` knows where windows lie.

mod found;
mod fused;
mod rows;
mod stencil;
mod taken;

use std::sync::Arc;

use super::left_out::Reason;
use super::{Candidate, different};
use crate::compiled::{DeviceClass, Guard, Selection};
use crate::ir::typed::Program;
use crate::middle::rewrite::{Rewriter, Strategy};
use crate::options::{Optimisation, Optimisations};
use fused::fused;
use stencil::Stencil;

/// The form in which rows roll through registers. Other windows of the program have vectors or tiles.
///
/// # Errors
/// Says why there is none.
pub(super) fn rolling_rows(program: &Program) -> Result<Candidate, Reason> {
    fused_or_not(program, |rewriter, found| {
        if found.iter().all(Stencil::is_line) {
            return Err(Reason::FlatWindows);
        }
        let has_rolling_rows = |stencil: &Stencil| !stencil.is_line() && stencil.is_small();
        if !found.iter().any(has_rolling_rows) {
            return Err(Reason::LargeWindows);
        }
        let of_all: Vec<&Stencil> =
            found.iter().filter(|stencil| stencil.is_small() || stencil.is_large()).collect();
        let strategy = |stencil: &Stencil| match stencil.is_small() {
            true => stencil.in_vectors(),
            false => stencil.tiled(),
        };
        let worth = |stencil: &Stencil| match stencil.is_small() {
            true => stencil.worth_vectors(),
            false => stencil.worth_tiling(),
        };
        let (form, made) = form("rollingRows", program, rewriter, &of_all, strategy, worth)?;
        let without = match made.iter().all(|stencil| stencil.has_cheap_borders()) {
            true => Optimisations::of(&[Optimisation::IndexSetSplitting]),
            false => Optimisations::NONE,
        };
        let are_rolling = made.into_iter().any(has_rolling_rows);
        if are_rolling { Ok(Candidate { without, ..form }) } else { Err(Reason::OtherWindows) }
    })
}

/// The form in which neighbouring results of lines and rows are vectors.
///
/// # Errors
/// Says why there is none.
pub(super) fn window_vectors(program: &Program) -> Result<Candidate, Reason> {
    fused_or_not(program, |rewriter, found| {
        if !found.iter().all(Stencil::is_line) {
            return Err(Reason::DeepWindows);
        }
        let small: Vec<&Stencil> = found.iter().filter(|stencil| stencil.is_small()).collect();
        if small.is_empty() {
            return Err(Reason::LargeWindows);
        }
        let (name, vectors) = ("windowVectors", Stencil::in_vectors);
        form(name, program, rewriter, &small, vectors, Stencil::worth_vectors).map(|(form, _)| form)
    })
}

/// The form in which groups copy tiles of windows.
///
/// # Errors
/// Says why there is none.
pub(super) fn window_tiles(program: &Program) -> Result<Candidate, Reason> {
    fused_or_not(program, |rewriter, found| {
        let large: Vec<&Stencil> = found.iter().filter(|stencil| stencil.is_large()).collect();
        if large.is_empty() {
            return Err(Reason::SmallWindows);
        }
        let (name, tiled) = ("windowTiles", Stencil::tiled);
        form(name, program, rewriter, &large, tiled, Stencil::worth_tiling).map(|(form, _)| form)
    })
}

/// The form of the program with fewer stages, or of the program as it is: a function may become one that the
/// form cannot compute. The stencils are outer ones first.
///
/// # Errors
/// Says why there is none of the program with fewer stages.
fn fused_or_not(
    program: &Program,
    form: impl Fn(Rewriter<'_>, Vec<Stencil>) -> Result<Candidate, Reason>,
) -> Result<Candidate, Reason> {
    let form_of = |rewriter: Rewriter<'_>| {
        let mut found = found::Found::in_body(rewriter.body()).stencils;
        found.retain(|stencil| stencil.is_known_before_launch(program) && stencil.may_be_large());
        if found.is_empty() { Err(Reason::NoWindows) } else { form(rewriter, found) }
    };
    let fused = fused(program);
    let is_other = !Arc::ptr_eq(fused.body(), &program.body);
    form_of(fused).or_else(|reason| match is_other {
        true => form_of(Rewriter::new(program)).map_err(|_| reason),
        false => Err(reason),
    })
}

/// Whether a form is for vectors, so that there are sizes that it is not for.
pub(super) fn is_for_vectors_of_windows(form: &Candidate) -> bool {
    ["rollingRows", "windowVectors"].contains(&form.selection.name.as_str())
}

/// The form that a strategy makes of the stencils, with the thresholds of the stencils that the strategy
/// fits; and these stencils.
fn form<'s>(
    name: &str,
    program: &Program,
    mut rewriter: Rewriter<'_>,
    stencils: &[&'s Stencil],
    strategy: fn(&Stencil) -> Option<Strategy>,
    thresholds: fn(&Stencil) -> Vec<Guard>,
) -> Result<(Candidate, Vec<&'s Stencil>), Reason> {
    // Inner ones first: those around them stay where they are.
    let stencils = stencils.iter().rev().copied();
    let mut is_made =
        |stencil: &&Stencil| strategy(stencil).is_some_and(|strategy| rewriter.run(&strategy).is_ok());
    let made: Vec<_> = stencils.filter(&mut is_made).collect();
    if made.is_empty() {
        return Err(Reason::OtherWindows);
    }
    let thresholds = different(made.iter().flat_map(|stencil| thresholds(stencil)));
    let selection = Selection { thresholds, ..Selection::new(name, DeviceClass::Accelerator) };
    let form = Candidate::rewritten(selection, rewriter.rewritten()).map_err(|_| Reason::OtherWindows)?;
    if form.is_ever_chosen(program) { Ok((form, made)) } else { Err(Reason::NoSizes) }
}
