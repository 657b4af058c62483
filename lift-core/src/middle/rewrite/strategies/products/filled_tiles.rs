//! Products whose sizes fit no tiles: rows, columns and elements are filled up until they do.
//!
//! The last row and the last column are repeated, and the results of the repeated ones are not stored. The
//! reductions are lengthened by zeros, if the function makes of zeros an identity of the operator;
//! otherwise tiles have to divide their length, as for the other strategies. Only copies of tiles and
//! stores ask whether an element is there.

use super::super::super::mismatch::Mismatch;
use super::super::super::rule::{Argument, Kind};
use super::super::super::rules;
use super::super::super::strategy::Strategy;
use super::super::NamedStrategy;
use super::local_tiles::{Copies, PIPELINED, TILE_PRODUCT_IN_VECTORS, tile_product_in_vectors};
use super::{at_pairs, at_reduction, bare_pairs, place, sized, sizes};
use crate::ir::nat::Nat;

/// Products of any size, for tiles of one size.
pub const FILL_TILES: NamedStrategy = NamedStrategy {
    name: "fillTiles",
    summary: "Fills up a map of a map of reductions, so that its rows, columns and elements can be divided \
              into tiles of `rows` x `columns` results and of `elements`.",
    origin: "`RoundUp` and `GuardWithIf` of Halide (PLDI 2013), for all three loops: new",
    parameters: &[("rows", Kind::Size), ("columns", Kind::Size), ("elements", Kind::Size)],
    make: |_, arguments| {
        let [rows, columns, elements] = sizes(arguments)?;
        Ok(fill_tiles(&rows, &columns, &elements))
    },
};

/// Products of any size, as GPGPU 2016, figure 7, with vectors.
pub const FILLED_TILE_PRODUCT: NamedStrategy = NamedStrategy {
    name: "filledTileProduct",
    summary: "As fillTiles and then tileProductInVectors, but elements are copied one by one: rows of any \
              length need not begin where vectors may.",
    origin: "GPGPU 2016, section 5 (vectorisation) and figure 7; for any size: new",
    parameters: TILE_PRODUCT_IN_VECTORS.parameters,
    make: |_, arguments| {
        let Some((Argument::Width(width), tile)) = arguments.split_last() else {
            return Err(Mismatch::Arguments);
        };
        Ok(filled_tile_product(sizes(tile)?, *width))
    },
};

/// The strategy for tiles with these numbers of rows, columns and elements, and of rows and columns for each
/// work-item.
pub(crate) fn filled_tile_product(tile: [Nat; 5], width: u8) -> Strategy {
    let [rows, columns, elements, ..] = &tile;
    let filled = fill_tiles(rows, columns, elements);
    let copies = Copies { width: 1, gap: width, order: PIPELINED };
    Strategy::in_order([filled, tile_product_in_vectors(tile, width, copies)])
}

/// The strategy that fills up.
fn fill_tiles(rows: &Nat, columns: &Nat, elements: &Nat) -> Strategy {
    let steps = [elements_filled(elements).tried(), pairs_filled(rows, columns)];
    Strategy::in_order([bare_pairs(), at_pairs(Strategy::in_order(steps))])
}

/// The reductions take zeros behind their elements. Where these are of a column, the array has more rows.
pub(super) fn elements_filled(elements: &Nat) -> Strategy {
    let reduction = Strategy::in_order([
        Strategy::rule(&rules::REDUCE_MAP_FISSION).tried(),
        sized(&rules::ROUND_UP_REDUCE, elements),
    ]);
    let more_rows = || {
        Strategy::in_order([
            Strategy::rule(&rules::PAD_OF_ELEMENTS),
            Strategy::rule(&rules::TRANSPOSE_BEFORE_MAP_PAD).in_input(),
        ])
        .tried()
    };
    Strategy::in_order([at_reduction(reduction), more_rows().in_function(), more_rows()])
}

/// Maps of more rows and columns, and slices of what they give.
fn pairs_filled(rows: &Nat, columns: &Nat) -> Strategy {
    let filled = |number| {
        let longer_rows = Strategy::rule(&rules::TRANSPOSE_BEFORE_REORDER).tried();
        Strategy::in_order([sized(&rules::FILL_UP_TO_MULTIPLE, number), longer_rows.in_input().in_input()])
    };
    let of_columns = Strategy::in_order([
        filled(columns).in_function(),
        Strategy::with(&rules::MAP_FISSION, place(&[0])),
        Strategy::rule(&rules::REORDER_IN_ROWS),
    ]);
    Strategy::in_order([filled(rows), of_columns.in_input()])
}
