//! Rows end to end: how an element of joined rows is found (Pizzuti, Steuwer, Dubach, FHPNC 2019, section 5).
//!
//! For rows of one length, and for chunks (where only the last row may be shorter), the row and the position
//! in it are the quotient and the remainder of the position. For rows of other lengths there are three cases:
//! the rows lie end to end already, in memory or in the array that was partitioned; the position was computed
//! from a row index of a loop around and a position in that row, which is recognised and proved; or there is
//! a constant number of rows, and comparisons find the row. No loop ever searches for a row.

use super::error::{Error, Problem};
use super::generator::{Generated, Generator};
use super::row_comparisons::RowComparisons;
use crate::ir::nat::{Condition, Nat};
use crate::ir::source::Source;
use crate::ir::typed::Rows;
use crate::middle::view::{Value, View};

impl Generator<'_> {
    /// The element at `index` of the rows of `input`, end to end.
    pub(super) fn joined(
        &mut self,
        input: &View,
        rows: &Rows,
        index: &Nat,
        source: Source,
    ) -> Generated<Value> {
        if rows.index.is_none() {
            return self.element_of_chunks(input, &rows.length, index, source);
        }
        let index = self.ranges.simplify(index);
        if let Some((outer, inner)) = self.known_row(rows, &index) {
            return self.element_of_row(input, &outer, &inner, source);
        }
        if let Some(chunk) = rows.chunk() {
            return self.element_of_chunks(input, &chunk, &index, source);
        }
        match rows.count.as_constant().filter(|_| rows.are_few()) {
            // Code for each row knows which row it is for. But nested joins would multiply that code, so it
            // is limited.
            Some(count) if self.row_comparisons.have_room_for(count, lanes(input)) => {
                let outside = self.row_comparisons.clone();
                self.row_comparisons.is_open = true;
                self.row_comparisons.lanes = outside.lanes.max(lanes(input));
                let element = self.compared_rows(input, rows, 0, count, &index, source);
                let taken = if outside.is_open { self.row_comparisons.taken } else { 0 };
                self.row_comparisons = RowComparisons { taken, ..outside };
                element
            }
            Some(count) => {
                let (row, position) = self.found_row(input, rows, count, &index);
                self.element_of_row(input, &row, &position, source)
            }
            None => Err(Error::new(source, Problem::JoinedRows)),
        }
    }

    /// The element at `index` of rows that have this length, but for the last, which may be shorter.
    fn element_of_chunks(
        &mut self,
        input: &View,
        chunk: &Nat,
        index: &Nat,
        source: Source,
    ) -> Generated<Value> {
        let outer = self.ranges.simplify(&index.divide(chunk));
        let inner = self.ranges.simplify(&index.modulo(chunk));
        self.element_of_row(input, &outer, &inner, source)
    }

    pub(super) fn element_of_row(
        &mut self,
        input: &View,
        row: &Nat,
        position: &Nat,
        source: Source,
    ) -> Generated<Value> {
        let row = self.access_array(input, row, source)?;
        self.access(&row, position, source)
    }

    /// The row and the position in it that a position was computed from: the row is the index of a loop
    /// around, or a constant.
    fn known_row(&self, rows: &Rows, index: &Nat) -> Option<(Nat, Nat)> {
        let loops = self.around.iter().rev().map(|around| Nat::variable(&around.index));
        let count = rows.count.as_constant().filter(|_| rows.are_few()).unwrap_or(0);
        let constants = (0..count).map(Nat::constant);
        loops.filter(|row| index_mentions(index, row)).chain(constants).find_map(|row| {
            let inner = self.ranges.simplify(&(index - rows.start(&row)));
            let exists = self.ranges.is_less(&row, &rows.count) == Some(true);
            let inside = self.ranges.is_at_most(&Nat::zero(), &inner) == Some(true)
                && self.ranges.is_less(&inner, &rows.length_at(&row)) == Some(true);
            (exists && inside).then_some((row, inner))
        })
    }

    /// The row of a position and the position in it, as formulas that choose by comparisons.
    fn found_row(&mut self, input: &View, rows: &Rows, count: i128, index: &Nat) -> (Nat, Nat) {
        let last = Nat::constant(count - 1);
        let (mut row, mut start) = (last.clone(), rows.start(&last));
        for earlier in (0..count - 1).rev() {
            let (own, next) = (Nat::constant(earlier), Nat::constant(earlier + 1));
            let is_here = Condition::Less(index.clone(), rows.start(&next));
            row = Nat::select(&is_here, &own, &row);
            start = Nat::select(&is_here, &rows.start(&own), &start);
        }
        let row = self.ranges.simplify(&row);
        let row = self.named_position(input, row, &rows.count);
        let position = self.ranges.simplify(&(index - start));
        let position = self.named_operand(input, &position);
        (row, position)
    }

    /// The element at `index` of the rows from `first` on, by comparisons, each with code for its row.
    fn compared_rows(
        &mut self,
        input: &View,
        rows: &Rows,
        first: i128,
        count: i128,
        index: &Nat,
        source: Source,
    ) -> Generated<Value> {
        let row = Nat::constant(first);
        let start = self.ranges.simplify(&rows.start(&row));
        let inner = self.ranges.simplify(&(index - start));
        if first + 1 >= count {
            return self.element_of_row(input, &row, &inner, source);
        }
        let end = self.ranges.simplify(&rows.start(&Nat::constant(first + 1)));
        let is_here = Condition::Less(index.clone(), end);
        self.row_comparisons.taken += usize::from(self.ranges.decide(&is_here).is_none());
        self.choose_by(
            &is_here,
            |generator| generator.element_of_row(input, &row, &inner, source),
            |generator| generator.compared_rows(input, rows, first + 1, count, index, source),
            source,
        )
    }
}

/// The number of elements of the array below that one element of a view needs: the width of the widest vector
/// on the way.
fn lanes(view: &View) -> usize {
    match view {
        View::Vectors { input, width } => usize::from(*width).max(lanes(input)),
        View::Memory(..) | View::Shared { .. } => 1,
        _ => view.inputs().into_iter().map(lanes).max().unwrap_or(1),
    }
}

/// Whether a position may have been computed from this row.
fn index_mentions(index: &Nat, row: &Nat) -> bool {
    row.as_variable().is_some_and(|row| index.mentions(row))
}
