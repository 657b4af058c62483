//! Rows: reductions of what lies side by side in memory.
//!
//! In the plain form a work-item reduces a row alone. Neighbours read what lies a row apart, so that a GPU
//! fetches a whole line of its cache for every element. In these forms the work-items of a group share a row:
//! neighbours read neighbours (TVM's rules for matrix-vector products and XLA's emitter of row reductions
//! decide alike).

use super::defaults::{ITEMS_OF_LONG_ROWS, ITEMS_OF_SHORT_ROWS, LONG_ROW, SHORT_ROW};
use super::survey::{Load, Reduction};
use crate::compiled::Guard;
use crate::ir::kernel::accesses::Stride;
use crate::ir::nat::{Condition, Nat};
use crate::middle::lower::{Cooperation, Group};

/// A form in which groups reduce rows.
pub(super) struct RowForm {
    pub(super) name: &'static str,
    /// Which reductions groups share.
    pub(super) cooperation: Cooperation,
    /// From which length of rows on that is worth it; none where it is known to be.
    pub(super) thresholds: Vec<Guard>,
}

/// How groups share rows.
struct Sharing {
    name: &'static str,
    items: u32,
    /// The least length of rows that are worth it.
    least: u32,
}

const SHARINGS: [Sharing; 2] = [
    Sharing { name: "rows", items: ITEMS_OF_LONG_ROWS, least: LONG_ROW },
    Sharing { name: "shortRows", items: ITEMS_OF_SHORT_ROWS, least: SHORT_ROW },
];

/// The forms for the rows among the reductions of a program, that for the longest rows first.
pub(super) fn forms(reductions: &[Reduction]) -> Vec<RowForm> {
    let mut forms = Vec::new();
    for sharing in SHARINGS {
        let is_known_short = |row: &Reduction| {
            row.length.as_constant().is_some_and(|length| length < i128::from(sharing.least))
        };
        let rows: Vec<&Reduction> =
            reductions.iter().filter(|reduction| is_row(reduction) && !is_known_short(reduction)).collect();
        if rows.is_empty() {
            continue;
        }
        let open = rows.iter().filter(|row| row.length.as_constant().is_none());
        let mut thresholds: Vec<Guard> = open.map(|row| at_least(&row.length, sharing.least)).collect();
        thresholds.dedup();
        let is_always_worth_it = thresholds.is_empty();
        let group = Group { items: sharing.items };
        let cooperation = Cooperation { rows: rows.iter().map(|row| (row.source, group)).collect() };
        forms.push(RowForm { name: sharing.name, cooperation, thresholds });
        if is_always_worth_it {
            break;
        }
    }
    forms
}

fn at_least(length: &Nat, least: u32) -> Guard {
    let condition = Condition::LessOrEqual(Nat::constant(i128::from(least)), length.clone());
    Guard { text: format!("{length} >= {least}"), condition }
}

/// Whether a reduction goes along a row of its own: what it loads lies side by side, and that of neighbouring
/// work-items does not.
fn is_row(reduction: &Reduction) -> bool {
    let is_apart = |stride: &Stride| matches!(stride, Stride::Other | Stride::Constant(_));
    let goes_along = |load: &Load| {
        load.along == Stride::One
            && load.across.iter().all(|stride| *stride != Stride::Zero)
            && load.across.last().is_some_and(is_apart)
    };
    // What neighbours read side by side already would be torn apart.
    let goes_across = |load: &Load| {
        !matches!(load.along, Stride::Zero | Stride::One) && load.across.last() == Some(&Stride::One)
    };
    reduction.loads.iter().any(goes_along) && !reduction.loads.iter().any(goes_across)
}
