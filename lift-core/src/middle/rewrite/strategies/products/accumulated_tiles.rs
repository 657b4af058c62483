//! A tile of the result for each work-item (CASES 2016, listing 4).

use super::super::super::rule::{Argument, Kind};
use super::super::super::rules;
use super::super::super::strategy::Strategy;
use super::super::NamedStrategy;
use super::{
    at_epilogue, at_next_map, at_pairs_of_each, at_reduce_seq, at_reduction, cancelled, fused, in_dimension,
    interchanged, sizes, stored, stored_by_one, strip_mined, tiles,
};
use crate::ir::nat::Nat;

/// CASES 2016, listing 4.
pub const REDUCE_TILES: NamedStrategy = NamedStrategy {
    name: "reduceTiles",
    summary: "A work-item accumulates a tile of `rows` x `columns` results of a map of a map of reductions, \
              `elements` of each reduction at a time; sums of products by dot products.",
    origin: "CASES 2016, listing 4",
    parameters: &[("rows", Kind::Size), ("columns", Kind::Size), ("elements", Kind::Size)],
    make: |_, arguments| {
        let [rows, columns, elements] = sizes(arguments)?;
        let lowered =
            Strategy::in_order([accumulated(&rows, &columns, &elements), by_global_work_items(&elements)]);
        Ok(at_pairs_of_each(lowered, &rules::MAP_GLB))
    },
};

/// The tiles of the results of a map of a map of reductions. Each is accumulated as a whole, `elements` of
/// its reductions at a time. An array that was transposed is cut as it lies in memory, and each tile of it is
/// transposed instead.
pub(super) fn accumulated(rows: &Nat, columns: &Nat, elements: &Nat) -> Strategy {
    Strategy::in_order([
        fused(),
        at_reduction(Strategy::rule(&rules::ROWS_FIRST).tried()),
        tiles(rows, columns),
        at_reduction(strip_mined(elements)),
        interchanged(),
        at_next_map(chunks_as_stored()).repeated(2),
        at_reduction(tiles_as_stored()),
    ])
}

/// A map of the chunks of the columns of an array takes the rows of the array, cut at the same places.
fn chunks_as_stored() -> Strategy {
    Strategy::in_order([
        Strategy::rule(&rules::TRANSPOSE_BEFORE_SPLIT).outermost().in_input(),
        Strategy::Choice(vec![Strategy::rule(&rules::MAP_FUSION), Strategy::rule(&rules::MAP_FUSION_IN_ZIP)]),
    ])
}

/// A reduction of tiles whose columns were rows takes the rows, and transposes a tile in the step that needs
/// it.
fn tiles_as_stored() -> Strategy {
    Strategy::in_order([
        Strategy::rule(&rules::TRANSPOSE_BEFORE_MAP_SPLIT).outermost().repeated(2).in_input(),
        cancelled().in_input(),
        Strategy::rule(&rules::REDUCE_FUSION_IN_ZIP).repeated(2),
    ])
}

/// Each tile is computed by a work-item.
fn by_global_work_items(elements: &Nat) -> Strategy {
    let sum = Strategy::Choice(vec![
        Strategy::in_order([dot_products(elements), Strategy::rule(&rules::REDUCE_SEQ)]),
        Strategy::rule(&rules::REDUCE_SEQ),
    ]);
    Strategy::in_order([
        at_next_map(in_dimension(&rules::MAP_GLB, 0)),
        at_next_map(in_dimension(&rules::MAP_GLB, 1)),
        at_reduction(Strategy::rule(&rules::REDUCE_SEQ)),
        at_reduce_seq(Strategy::in_order([
            at_next_map(Strategy::rule(&rules::MAP_SEQ)).repeated(2).in_function(),
            sum.outermost().in_function(),
        ])),
        Strategy::Choice(vec![at_epilogue(stored_by_one()), at_reduce_seq(stored())]),
    ])
}

/// Sums of `elements` products as dot products, where vectors have this width.
fn dot_products(elements: &Nat) -> Strategy {
    let width = elements.as_constant().and_then(|width| u8::try_from(width).ok()).unwrap_or(1);
    Strategy::in_order([
        Strategy::rule(&rules::REDUCE_MAP_FISSION),
        Strategy::with(&rules::DOT_PRODUCTS, Argument::Width(width)),
        Strategy::rule(&rules::MAP_SEQ).in_input(),
    ])
}
