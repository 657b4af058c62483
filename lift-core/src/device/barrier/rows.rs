//! Buffers with one row for each iteration of a loop over work-items.
//!
//! What such an iteration does to its row, the next iteration of the same work-items does to another row, and
//! other work-items do to others. They need no barrier in between, wherever in its row an access is: data may
//! say so.

use super::flow::{Access, Placement};
use crate::flat::{FlatMap, FlatSet};
use crate::ir::kernel::BufferId;
use crate::ir::nat::{Nat, Substitution, Var};

impl Placement<'_> {
    /// The buffers in which every one of these accesses, each in an iteration of a loop, stays in the row of
    /// that iteration.
    pub(super) fn buffers_with_rows<'a>(
        &self,
        loop_index: &Var,
        accesses: impl Iterator<Item = &'a Access>,
    ) -> FlatSet<BufferId> {
        let mut rows: FlatMap<BufferId, Option<i128>> = FlatMap::new();
        for access in accesses {
            let row = self.row(loop_index, access, &access.index);
            let length = row.and_then(|row| row.length.as_constant());
            let row = rows.get_or_insert_with(access.buffer, || length);
            *row = row.filter(|row| Some(*row) == length);
        }
        rows.into_iter().filter_map(|(buffer, row)| row.map(|_| buffer)).collect()
    }

    /// Whether both accesses stay in the row of their work-item, and rows are the same for both.
    pub(super) fn are_in_own_rows(&self, first: &Access, second: &Access) -> bool {
        let rows = self.own_row(first);
        rows.is_some() && rows == self.own_row(second)
    }

    /// The rows in which an access stays, one for each work-item: by dimension the number of rows and their
    /// length, the longest rows first.
    fn own_row(&self, access: &Access) -> Option<Vec<(u8, Nat, Nat)>> {
        let mut dimensions: Vec<u8> = self.dimensions.iter().copied().collect();
        let mut index = access.index.clone();
        let mut rows = Vec::new();
        while !dimensions.is_empty() {
            let (position, extent, row) =
                dimensions.iter().enumerate().find_map(|(position, dimension)| {
                    let (item, extent) = access.items.get(dimension)?;
                    Some((position, extent, self.row(item, access, &index)?))
                })?;
            rows.push((dimensions.remove(position), extent.clone(), row.length));
            index = row.rest;
        }
        Some(rows)
    }

    /// The rows: an index of the access is `loop_index * length + rest`, and the access ends within `length`.
    fn row(&self, loop_index: &Var, access: &Access, index: &Nat) -> Option<Row> {
        let mut ranges = self.ranges.clone();
        let items = access.items.values().map(|(item, extent)| (item, Some(extent)));
        let loops = access.loops.iter().map(|(index, extent)| (index, Some(extent)));
        let around = self.loops_around.iter().map(|(index, extent)| (index, Some(extent)));
        let computed = self.computed.iter().map(|(index, bound)| (index, bound.as_ref()));
        for (variable, extent) in items.chain(around).chain(loops).chain(computed) {
            ranges = ranges.in_steps(variable, extent);
        }
        let at = |position: Nat| {
            let position = Substitution::from([(loop_index.clone(), position)]);
            ranges.simplify(&index.substitute(&position))
        };
        let rest = at(Nat::zero());
        let length = ranges.simplify(&(at(Nat::one()) - &rest));
        let whole = &rest + &length * Nat::variable(loop_index);
        let end = &rest + Nat::constant(i128::from(access.lanes));
        let is_row = ranges.is_equal(&whole, index) == Some(true)
            && ranges.is_non_negative(&rest) == Some(true)
            && ranges.is_at_most(&end, &length) == Some(true);
        is_row.then_some(Row { length, rest })
    }
}

/// A row for each iteration of a loop over work-items.
struct Row {
    length: Nat,
    /// The index inside of the row.
    rest: Nat,
}
