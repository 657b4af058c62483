//! A vector of results for each work-item (CASES 2016, listing 3).

use super::super::super::mismatch::Mismatch;
use super::super::super::pattern::Pattern;
use super::super::super::rule::{Argument, Kind, Rule};
use super::super::super::rules;
use super::super::super::strategy::Strategy;
use super::super::NamedStrategy;
use super::{
    at_epilogue, at_next_map, at_pairs_of_each, at_reduction, cancelled, copied, in_dimension, interchanged,
    place, sized, sizes, stored, stored_by_one, tidy, tiles,
};
use crate::ir::nat::Nat;
use crate::ir::typed::{AddressSpace, MapKind, Path};

/// CASES 2016, listing 3.
pub const BLOCK_PRODUCT: NamedStrategy = NamedStrategy {
    name: "blockProduct",
    summary: "A work-item accumulates a block of the results of a map of a map of reductions as vectors of \
              this width, reduces as many elements of each on their own, and stores a row of the block at once.",
    origin: "CASES 2016, listing 3",
    parameters: &[("rows", Kind::Size), ("columns", Kind::Size), ("width", Kind::Width)],
    make: |_, arguments| {
        let Some((Argument::Width(width), block)) = arguments.split_last() else {
            return Err(Mismatch::Arguments);
        };
        let [rows, columns] = sizes(block)?;
        let lowered = Strategy::in_order([
            tiles(&rows, &columns),
            at_reduction(in_parts(&Nat::constant(i128::from(*width)))),
            interchanged(),
            at_reduction(parts_first()),
            at_reduction(accumulated_as_vectors(*width)),
            by_global_work_items(&columns, *width),
        ]);
        Ok(at_pairs_of_each(lowered, &rules::MAP_GLB))
    },
};

fn of_width(rule: &'static Rule, width: u8) -> Strategy {
    Strategy::with(rule, Argument::Width(width))
}

/// A reduction of parts that are reduced on their own. Each array of a `zip` is cut on its own.
fn in_parts(length: &Nat) -> Strategy {
    let before = |rule| {
        Strategy::in_order([Strategy::rule(rule).in_input(), Strategy::rule(&rules::MAP_FUSION)]).tried()
    };
    Strategy::in_order([
        Strategy::rule(&rules::REDUCE_MAP_FISSION).tried(),
        sized(&rules::PARTIAL_REDUCE, length),
        before(&rules::MAP_F_BEFORE_SPLIT).in_input(),
        before(&rules::ROWS_INSIDE_ZIP).in_input(),
        Strategy::rule(&rules::REDUCE_MAP_FUSION),
    ])
}

/// A step of a reduction that combines each element of its accumulator with a part of its own computes all
/// parts before.
fn parts_first() -> Strategy {
    let computed_before = |positions: &[usize]| {
        // The accumulator is no part.
        let is_part = Strategy::in_order([]).where_it_is(Pattern::AnyReduce.inside());
        let here = Strategy::At(Path::from(positions.to_vec()), Box::new(is_part));
        Strategy::in_order([
            here.in_function(),
            Strategy::with(&rules::MAP_FISSION, place(positions)),
            sized(&rules::LET_INLINE, &Nat::zero()).tried(),
            tidy(),
        ])
    };
    // Either operand of the operator.
    let part = Strategy::Choice(vec![computed_before(&[1]), computed_before(&[0])]);
    // The parts of a row are zipped with the accumulators of the row.
    let row = computed_before(&[0, 1]);
    Strategy::in_order([part.in_function(), row]).in_function()
}

/// A reduction whose accumulator is a block keeps it as vectors, one row after the other.
fn accumulated_as_vectors(width: u8) -> Strategy {
    let in_a_row = Strategy::in_order([
        Strategy::rule(&rules::JOIN_SPLIT_ID).in_function(),
        Strategy::rule(&rules::ACCUMULATOR_LAYOUT),
    ]);
    let as_vectors = Strategy::in_order([
        Strategy::in_order([
            Strategy::rule(&rules::MAP_MAP_F_BEFORE_JOIN),
            Strategy::rule(&rules::JOIN_INSIDE_ZIP).in_input(),
            cancelled(),
            of_width(&rules::VECTORISE_MAP, width),
        ])
        .in_function(),
        Strategy::rule(&rules::ACCUMULATOR_LAYOUT),
    ]);
    let parts = Strategy::in_order([
        // First in the function: only what it combines the accumulator with says that this has vectors.
        cancelled().in_function(),
        cancelled(),
        of_width(&rules::VECTORISE_MAP, width).innermost().in_function(),
    ]);
    Strategy::in_order([in_a_row, at_reduction(as_vectors), at_reduction(parts)])
}

/// A work-item computes each block, and stores its columns as vectors.
fn by_global_work_items(columns: &Nat, width: u8) -> Strategy {
    let alone = [MapKind::Sequential, MapKind::Sequential];
    let row = columns.as_constant().and_then(|columns| u8::try_from(columns).ok());
    // A row that is wider than a vector is stored element by element.
    let rows = Strategy::in_order([of_width(&rules::AS_VECTORS, row.unwrap_or(1)), stored().in_input()]);
    Strategy::in_order([
        at_next_map(in_dimension(&rules::MAP_GLB, 0)),
        at_next_map(in_dimension(&rules::MAP_GLB, 1)),
        at_reduction(Strategy::in_order([
            Strategy::rule(&rules::MAP_SEQ).everywhere().in_function(),
            Strategy::rule(&rules::REDUCE_SEQ).everywhere(),
            copied(AddressSpace::Private, alone, width),
        ])),
        Strategy::Choice(vec![at_epilogue(stored_by_one()), at_result(rows), at_result(stored())]),
    ])
}

/// At the results of a work-item in a row.
fn at_result(strategy: Strategy) -> Strategy {
    let by_item = Pattern::map_of_reductions(MapKind::Global(1));
    strategy.in_input().in_function().where_it_is(by_item).outermost()
}
