//! Buffers with one row for each iteration of a loop over work-items.
//!
//! What such an iteration does to its row, the next iteration of the same work-items does to another row, and
//! other work-items do to others. They need no barrier in between, wherever in its row an access is: data may
//! say so. Rows may lie in reverse, and as the columns of a matrix.

use super::flow::{Access, Placement};
use crate::flat::{FlatMap, FlatSet};
use crate::ir::kernel::BufferId;
use crate::ir::nat::{Nat, Ranges, Substitution, Var};

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
            let row = self.row(loop_index, access);
            let length = row.and_then(|row| row.length.as_constant());
            let row = rows.get_or_insert_with(access.buffer, || length);
            *row = row.filter(|row| Some(*row) == length);
        }
        rows.into_iter().filter_map(|(buffer, row)| row.map(|_| buffer)).collect()
    }

    /// Whether both accesses stay in the row of their work-item, and rows are the same for both: in each
    /// dimension there is a row for each work-item, and in a row of one dimension are those of the next. Where
    /// the accesses are made in different iterations of a loop, its index is another number for each.
    pub(super) fn are_in_own_rows(&self, first: &Access, second: &Access, carried_by: Option<&Var>) -> bool {
        let moves_with = |access: &Access, dimension: &u8| {
            access.items.get(dimension).is_some_and(|(item, _)| access.index.mentions(item))
        };
        let move_with_all = |access: &Access| self.dimensions.iter().all(|of| moves_with(access, of));
        if !move_with_all(first) || !move_with_all(second) {
            return false;
        }
        let mut places = [first, second].map(|access| Place {
            access,
            index: access.index.clone(),
            ranges: self.ranges_at(access),
        });
        let is_carried = |size: &Nat| {
            let mut computed = self.computed.iter().map(|(variable, _)| variable);
            carried_by.is_some_and(|index| size.mentions(index) || computed.any(|of| size.mentions(of)))
        };
        let is_same = |size: &Nat| !is_carried(size) && !first.varies_with(size) && !second.varies_with(size);
        let mut dimensions: Vec<u8> = self.dimensions.iter().copied().collect();
        while !dimensions.is_empty() {
            let found = dimensions.iter().enumerate().find_map(|(position, dimension)| {
                Some((position, common_rows(&places, dimension, &is_same)?))
            });
            let Some((position, rests)) = found else { return false };
            dimensions.remove(position);
            for (place, rest) in places.iter_mut().zip(rests) {
                place.index = rest;
            }
        }
        true
    }

    /// The rows: an index of the access is `loop_index * length + rest`, and the access ends within `length`.
    fn row(&self, loop_index: &Var, access: &Access) -> Option<Row> {
        if !access.index.mentions(loop_index) {
            return None;
        }
        let ranges = self.ranges_at(access);
        Linear::of(&access.index, loop_index, &ranges)?.forwards(access.lanes, &ranges)
    }

    /// What is known where an access is.
    fn ranges_at(&self, access: &Access) -> Ranges {
        let mut ranges = self.ranges.clone();
        let items = access.items.values().map(|(item, extent)| (item, Some(extent)));
        let loops = access.loops.iter().map(|(index, extent)| (index, Some(extent)));
        let around = self.loops_around.iter().map(|(index, extent)| (index, Some(extent)));
        let computed = self.computed.iter().map(|(index, bound)| (index, bound.as_ref()));
        for (variable, extent) in items.chain(around).chain(loops).chain(computed) {
            ranges = ranges.in_steps(variable, extent);
        }
        ranges
    }
}

/// What is left of the index of an access, and what is known there.
struct Place<'a> {
    access: &'a Access,
    index: Nat,
    ranges: Ranges,
}

impl Place<'_> {
    /// The index as a multiple of the position of the work-item in a dimension, and the number of positions.
    fn linear(&self, dimension: &u8) -> Option<(Linear, &Nat)> {
        let (item, extent) = self.access.items.get(dimension)?;
        Some((Linear::of(&self.index, item, &self.ranges)?, extent))
    }
}

/// What is left of two indices in rows that lie in the same way for both, one for each work-item in a
/// dimension. Rows of different lengths do not, nor do those whose length or number is not the same for both
/// although the formula is.
fn common_rows(places: &[Place<'_>; 2], dimension: &u8, is_same: &impl Fn(&Nat) -> bool) -> Option<[Nat; 2]> {
    let [(first, extent), (second, other)] = [places[0].linear(dimension)?, places[1].linear(dimension)?];
    if extent != other || first.slope != second.slope || !is_same(extent) || !is_same(&first.slope) {
        return None;
    }
    Lie::ALL.into_iter().find_map(|lie| {
        let rest = |linear: &Linear, place: &Place<'_>| {
            Some(linear.row(lie, extent, place.access.lanes, &place.ranges)?.rest)
        };
        Some([rest(&first, &places[0])?, rest(&second, &places[1])?])
    })
}

/// An index that is `slope * loop_index + rest`.
struct Linear {
    slope: Nat,
    rest: Nat,
}

impl Linear {
    fn of(index: &Nat, loop_index: &Var, ranges: &Ranges) -> Option<Linear> {
        if let Some((slope, rest)) = index.linear_in(loop_index) {
            return Some(Linear { slope: ranges.simplify(&slope), rest: ranges.simplify(&rest) });
        }
        let at = |position: Nat| {
            let position = Substitution::from([(loop_index.clone(), position)]);
            ranges.simplify(&index.substitute(&position))
        };
        let rest = at(Nat::zero());
        let slope = ranges.simplify(&(at(Nat::one()) - &rest));
        let whole = &rest + &slope * Nat::variable(loop_index);
        (ranges.is_equal(&whole, index) == Some(true)).then_some(Linear { slope, rest })
    }

    /// The rows of the iterations, if they lie in this way and an access of `lanes` elements stays inside.
    fn row(&self, lie: Lie, extent: &Nat, lanes: u64, ranges: &Ranges) -> Option<Row> {
        match lie {
            Lie::Forwards => self.forwards(lanes, ranges),
            Lie::Backwards => {
                let rest = ranges.simplify(&(&self.rest + &self.slope * (extent - Nat::one())));
                let slope = ranges.simplify(&(Nat::zero() - &self.slope));
                Linear { slope, rest }.forwards(lanes, ranges)
            }
            Lie::SideBySide => {
                let place = ranges.simplify(&self.rest.modulo(&(&self.slope * extent)));
                let is_column = ranges.proves_non_negative(&self.rest)
                    && ranges.proves_at_most(&Nat::one(), &self.slope)
                    && is_inside(&place, lanes, &self.slope, ranges);
                is_column.then(|| Row { length: self.slope.clone(), rest: self.rest.clone() })
            }
        }
    }

    fn forwards(&self, lanes: u64, ranges: &Ranges) -> Option<Row> {
        let is_row = is_inside(&self.rest, lanes, &self.slope, ranges);
        is_row.then(|| Row { length: self.slope.clone(), rest: self.rest.clone() })
    }
}

/// Whether an access of `lanes` elements at this place of a row lies in it.
fn is_inside(place: &Nat, lanes: u64, length: &Nat, ranges: &Ranges) -> bool {
    let end = place + Nat::constant(i128::from(lanes));
    ranges.proves_non_negative(place) && ranges.proves_at_most(&end, length)
}

/// A row for each iteration of a loop over work-items.
struct Row {
    length: Nat,
    /// The index inside of the row, or what is left of it.
    rest: Nat,
}

/// How the rows of the iterations lie. Of columns, an index is `slope * loop_index` and something less than
/// the slope, but for a multiple of the length of all columns together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lie {
    /// One after the other.
    Forwards,
    /// One before the other.
    Backwards,
    /// As columns of a matrix.
    SideBySide,
}

impl Lie {
    /// Every way, the most common one first.
    const ALL: [Lie; 3] = [Lie::Forwards, Lie::Backwards, Lie::SideBySide];
}
