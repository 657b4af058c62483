//! Buffers with one row for each iteration of a loop over work-items.
//!
//! What such an iteration does to its row, the next iteration of the same work-items does to another row.
//! They need no barrier in between.

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
            let length = self.row(loop_index, access);
            let row = rows.get_or_insert_with(access.buffer, || length);
            *row = row.filter(|row| Some(*row) == length);
        }
        rows.into_iter().filter_map(|(buffer, row)| row.map(|_| buffer)).collect()
    }

    /// The length of the rows: the index is `loop_index * length + rest`, and the access ends within
    /// `length`.
    fn row(&self, loop_index: &Var, access: &Access) -> Option<i128> {
        let mut ranges = self.ranges.clone();
        for (variable, extent) in access.items.values().chain(&access.loops) {
            ranges = ranges.in_steps(variable, Some(extent));
        }
        let at = |position: Nat| {
            let position = Substitution::from([(loop_index.clone(), position)]);
            ranges.simplify(&access.index.substitute(&position))
        };
        let rest = at(Nat::zero());
        let length = ranges.simplify(&(at(Nat::one()) - &rest)).as_constant()?;
        let whole = &rest + Nat::constant(length) * Nat::variable(loop_index);
        let end = &rest + Nat::constant(i128::from(access.lanes));
        let is_row = ranges.is_equal(&whole, &access.index) == Some(true)
            && ranges.is_non_negative(&rest) == Some(true)
            && ranges.is_at_most(&end, &Nat::constant(length)) == Some(true);
        is_row.then_some(length)
    }
}
