//! The forms in which groups share the scans of the rows of a matrix. If a work-item scans each row alone,
//! neighbours read and write far apart.

use super::defaults::{ROW_SCANS, SCANNED_ROW};
use super::left_out::Reason;
use super::reductions::beside_others;
use super::row_defaults::{LONG_ROWS, SHORT_ROWS};
use super::survey::Reduction;
use super::{Candidate, at_least, different, is_ever_chosen, is_size};
use crate::compiled::{DeviceClass, Selection};
use crate::ir::nat::Nat;
use crate::ir::typed::Program;
use crate::middle::lower::{Cooperation, SharingRowScans, lengths_of_scanned_rows, lower_with};
use crate::middle::rewrite::rules::{SCAN_ROWS_BY_TILES, SCAN_ROWS_IN_GROUPS};
use crate::middle::tuples::take_apart;

/// The forms.
///
/// # Errors
/// Says why there are none.
pub(super) fn forms(program: &Program, reductions: &[Reduction]) -> Result<Vec<Candidate>, Reason> {
    let mut lengths = lengths_of_scanned_rows(program);
    lengths.retain(|length| length.variables().iter().all(|variable| is_size(variable, &program.sizes)));
    if lengths.is_empty() {
        return Err(Reason::NoRowScan);
    }
    let reductions: Vec<&Reduction> = reductions.iter().collect();
    let (shared, long_rows) = beside_others(&reductions);
    let shared = Cooperation { reduced_rows_apart: !reductions.is_empty(), ..shared };
    let long = lengths.iter().filter_map(|length| at_least(length, SCANNED_ROW));
    let thresholds = different(long.chain(long_rows));
    let mut forms: Vec<Candidate> = Vec::new();
    for &(name, row_scans) in &ROW_SCANS {
        let thresholds = thresholds.clone();
        let selection = Selection { thresholds, ..Selection::new(name, DeviceClass::Accelerator) };
        if !is_ever_chosen(&selection, program) {
            return Err(Reason::ShortScannedRows);
        }
        let mut cooperation = Cooperation { row_scans, ..shared.clone() };
        if row_scans == SharingRowScans::InTiles {
            share_as_long_rows(&mut cooperation, &reductions, &lengths);
        }
        forms.extend(form(program, selection, cooperation));
        // Of constant lengths, the first form with room is for all calls.
        if forms.last().is_some_and(is_for_all_sizes) {
            break;
        }
    }
    if forms.is_empty() { Err(Reason::UnsharedRowScans) } else { Ok(forms) }
}

/// Rows for which a tile has no room are long for their reductions, too.
fn share_as_long_rows(cooperation: &mut Cooperation, reductions: &[&Reduction], lengths: &[Nat]) {
    for reduction in reductions.iter().filter(|reduction| lengths.contains(&reduction.length)) {
        if let Some(group) = cooperation.rows.get_mut(&reduction.source)
            && *group == SHORT_ROWS
        {
            *group = LONG_ROWS;
        }
    }
}

/// The form in which work-items cooperate like this. `None` if groups share no scan.
fn form(program: &Program, selection: Selection, cooperation: Cooperation) -> Option<Candidate> {
    let lowered = lower_with(&take_apart(program), &cooperation).ok()?;
    let is_shared = lowered.rewritten.derivation.steps.iter().any(|step| {
        [&SCAN_ROWS_BY_TILES, &SCAN_ROWS_IN_GROUPS].iter().any(|rule| step.rule.name == rule.name)
    });
    let is_possible = is_shared && (cooperation.is_none() || lowered.obstacle.is_none());
    let form =
        Candidate { cooperation, lowered: Some(lowered), ..Candidate::new(selection, program.clone()) };
    is_possible.then_some(form)
}

/// Whether a form needs nothing of sizes, and is worth it for all.
fn is_for_all_sizes(form: &Candidate) -> bool {
    let needs = form.lowered.iter().flat_map(|lowered| &lowered.rewritten.needs);
    form.selection.is_unconditional() && needs.count() == 0
}

/// Whether a form is one of these.
pub(super) fn is_for_row_scans(form: &Candidate) -> bool {
    form.cooperation.row_scans != SharingRowScans::Alone
}
