//! Blocks whose reductions the work-items of a group share: for products with few rows or few columns, which
//! have more elements to reduce than results.
//!
//! A work-item takes every `items`-th element of the rows and columns of a block, so that neighbours read
//! neighbours, and keeps a partial result for each pair in registers: each element that it reads serves a
//! whole row or column of the block. What the work-items leave is reduced as in a row that a group shares
//! (`reductions`). Blocks at the edges repeat their last row and column, whose results are not stored, so
//! that the numbers of registers are constants for any size.

use super::super::super::mismatch::Mismatch;
use super::super::super::pattern::Pattern;
use super::super::super::rule::{Argument, Kind};
use super::super::super::rules;
use super::super::super::strategy::Strategy;
use super::super::NamedStrategy;
use super::{
    at_next_map, at_pairs, at_pairs_of_each, bare_pairs, in_dimension, interchanged, sized, sizes, split_off,
    tiles_by,
};
use crate::ir::nat::Nat;
use crate::ir::typed::MapKind;

/// Blocks of results, each by a group.
pub const BLOCKS_IN_GROUPS: NamedStrategy = NamedStrategy {
    name: "blocksInGroups",
    summary: "A group of `items` work-items computes blocks of `rows` x `columns` results of a map of a map of \
              reductions: they take the elements of each reduction in turn, for all results at once.",
    origin: "GPGPU 2016 (register blocking) and CGO 2017, figure 7 (a reduction that a group shares); for any \
             number of rows and columns: new",
    parameters: &[("rows", Kind::Size), ("columns", Kind::Size), ("items", Kind::Size)],
    make: |_, arguments| {
        let [rows, columns, items] = sizes(arguments)?;
        blocks_in_groups(&rows, &columns, &items).ok_or(Mismatch::Arguments)
    },
};

/// The strategy for blocks; `None` where there are more results than work-items to combine them.
fn blocks_in_groups(rows: &Nat, columns: &Nat, items: &Nat) -> Option<Strategy> {
    let combining = items.as_constant()?.checked_div((rows * columns).as_constant()?)?;
    if combining == 0 {
        return None;
    }
    let lowered = Strategy::in_order([
        tiles_by(&rules::SPLIT_JOIN_UNEVEN, rows, columns),
        at_next_map(in_dimension(&rules::MAP_WRG, 1)),
        at_next_map(in_dimension(&rules::MAP_WRG, 0)),
        at_pairs(Strategy::in_order([
            filled(rows, columns),
            Strategy::in_order([
                in_parts(items),
                registers().in_input(),
                combined(&Nat::constant(combining)),
            ])
            .in_input()
            .in_input(),
            stored(),
        ])),
    ]);
    Some(Strategy::in_order([bare_pairs(), at_pairs_of_each(lowered, &rules::MAP_WRG)]))
}

/// A map of a map of so many rows and columns, and slices of what it gives.
fn filled(rows: &Nat, columns: &Nat) -> Strategy {
    let columns = Strategy::in_order([sized(&rules::FILL_UP, columns).in_function(), split_off()]);
    Strategy::in_order([sized(&rules::FILL_UP, rows), columns.in_input()])
}

/// The reductions of a map of a map become reductions of what the work-items have reduced before: a map of a
/// map of those, and one of these.
fn in_parts(items: &Nat) -> Strategy {
    let fused = Strategy::in_order([
        Strategy::rule(&rules::MAP_F_BEFORE_DEINTERLEAVE).in_input(),
        Strategy::rule(&rules::MAP_FUSION),
        Strategy::rule(&rules::REDUCE_MAP_FUSION).in_function(),
    ]);
    let reduction = Strategy::in_order([
        Strategy::rule(&rules::REDUCE_MAP_FISSION).tried(),
        sized(&rules::CYCLIC_REDUCE, items),
        fused.tried().in_input(),
    ]);
    Strategy::in_order([reduction.in_function().in_function(), apart()])
}

/// A map of a map over what the function computes from its input, and one that computes that.
fn apart() -> Strategy {
    Strategy::in_order([split_off().in_function(), split_off()])
}

/// A work-item reduces its elements for all rows and columns at once, and leaves the results in local memory,
/// each beside those that other work-items have for the same pair.
fn registers() -> Strategy {
    let by_item = Strategy::in_order([
        Strategy::in_order([interchanged(), Strategy::rule(&rules::REDUCE_SEQ).outermost()]).in_function(),
        Strategy::rule(&rules::JOIN_SPLIT_ID).in_function(),
        split_off(),
        Strategy::in_order([
            in_dimension(&rules::MAP_LCL, 0),
            Strategy::rule(&rules::TO_LOCAL),
            Strategy::rule(&rules::TRANSPOSED_COPY),
            one_apart().in_input(),
        ])
        .in_input(),
    ]);
    Strategy::in_order([
        Strategy::rule(&rules::MAP_MAP_INTERCHANGE).in_function(),
        split_off(),
        Strategy::in_order([Strategy::rule(&rules::MAP_MAP_INTERCHANGE), by_item.in_input()]).in_input(),
    ])
}

/// Rows of local memory are longer by one element than they need to be: work-items that read one row each
/// read different banks.
fn one_apart() -> Strategy {
    let gap = [0, 1].map(|elements| Argument::Size(Nat::constant(elements)));
    Strategy::Apply(&rules::INCREASE_COPY, gap.into())
}

/// What work-items leave for a pair is reduced by `combining` of them, each of which has a part of it.
fn combined(combining: &Nat) -> Strategy {
    let reduction =
        Strategy::in_order([sized(&rules::CYCLIC_REDUCE, combining), Strategy::rule(&rules::REDUCE_SEQ)]);
    let in_one_row = Strategy::in_order([
        Strategy::rule(&rules::JOIN_SPLIT),
        Strategy::rule(&rules::JOIN_SPLIT).in_input(),
    ]);
    let by_item = Strategy::in_order([
        in_dimension(&rules::MAP_LCL, 0),
        Strategy::rule(&rules::REDUCE_SEQ).in_function(),
        Strategy::rule(&rules::TO_LOCAL),
    ]);
    Strategy::in_order([
        reduction.in_function().in_function(),
        apart(),
        Strategy::in_order([apart(), in_one_row, by_item.in_input().in_input()]).in_input(),
    ])
}

/// Each work-item reduces what is left for one pair. Results of repeated rows and columns are not stored.
fn stored() -> Strategy {
    let by_item = Strategy::in_order([in_dimension(&rules::MAP_LCL, 0), Strategy::rule(&rules::TO_GLOBAL)]);
    let results = Strategy::in_order([Strategy::rule(&rules::JOIN_SPLIT), by_item.in_input()])
        .where_it_is(Pattern::map_of_reductions(MapKind::Unspecified));
    Strategy::in_order([results.in_input(), Strategy::rule(&rules::REORDER_IN_ROWS)]).in_input()
}
