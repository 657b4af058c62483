//! Tiles that a group computes together, each work-item a block of it in registers (GPGPU 2016, figure 7).

use super::super::super::pattern::Pattern;
use super::super::super::rule::Kind;
use super::super::super::rules;
use super::super::super::strategy::Strategy;
use super::super::NamedStrategy;
use super::accumulated_tiles::accumulated;
use super::{
    at_epilogue, at_next_map, at_pairs_of_each, at_reduce_seq, at_reduction, cancelled, copied, in_dimension,
    interchanged, place, sizes, stored, stored_by_one, tiles,
};
use crate::ir::nat::Nat;
use crate::ir::typed::{AddressSpace, MapKind, ReduceKind};

/// GPGPU 2016, figure 7.
pub const TILE_PRODUCT: NamedStrategy = NamedStrategy {
    name: "tileProduct",
    summary: "A group accumulates a tile of the results of a map of a map of reductions: it copies tiles of \
              what they take to local memory, and each work-item keeps a block of results in registers.",
    origin: "GPGPU 2016, figure 7",
    parameters: &[
        ("rows", Kind::Size),
        ("columns", Kind::Size),
        ("elements", Kind::Size),
        ("rowsPerItem", Kind::Size),
        ("columnsPerItem", Kind::Size),
    ],
    make: |_, arguments| {
        let [rows, columns, elements, rows_per_item, columns_per_item] = sizes(arguments)?;
        let lowered = Strategy::in_order([
            accumulated(&rows, &columns, &elements),
            at_reduction(accumulated_in_blocks(&rows_per_item, &columns_per_item)),
            at_epilogue(in_blocks(&rows_per_item, &columns_per_item)).tried(),
            by_groups(),
        ]);
        Ok(at_pairs_of_each(lowered, &rules::MAP_WRG))
    },
};

/// A map of a map in blocks. Where an array was put together of such blocks, it takes these.
fn in_blocks(rows: &Nat, columns: &Nat) -> Strategy {
    Strategy::in_order([tiles(rows, columns), blocks_of_blocks()])
}

/// A map of blocks that are rows and columns of an array in blocks takes the blocks as they are.
fn blocks_of_blocks() -> Strategy {
    Strategy::in_order([cancelled(), Strategy::rule(&rules::MAP_FUSION_IN_ZIP).outermost(), cancelled()])
}

/// A reduction whose accumulator is a tile keeps it in blocks, and reduces what each block takes.
fn accumulated_in_blocks(rows: &Nat, columns: &Nat) -> Strategy {
    Strategy::in_order([
        Strategy::in_order([
            tiles(rows, columns),
            interchanged(),
            Strategy::with(&rules::MAP_FISSION, place(&[0])).in_input().in_input(),
        ])
        .in_function(),
        // Columns in a row, rows in a row, and blocks in a column.
        Strategy::rule(&rules::ACCUMULATOR_LAYOUT),
        at_reduction(Strategy::rule(&rules::ACCUMULATOR_LAYOUT)),
        at_reduction(Strategy::rule(&rules::ACCUMULATOR_LAYOUT)),
        at_reduction(Strategy::in_order([cancelled(), blocks_of_blocks().in_function()])),
    ])
}

/// Each tile is computed by a group, and each of its blocks by a work-item.
fn by_groups() -> Strategy {
    let together = [MapKind::Local(1), MapKind::Local(0)];
    let alone = [MapKind::Sequential, MapKind::Sequential];
    let in_registers = Strategy::in_order([
        Strategy::rule(&rules::MAP_SEQ).everywhere().in_function(),
        copied(AddressSpace::Private, alone, 1),
    ]);
    Strategy::in_order([
        at_next_map(in_dimension(&rules::MAP_WRG, 1)),
        at_next_map(in_dimension(&rules::MAP_WRG, 0)),
        at_reduction(Strategy::rule(&rules::REDUCE_SEQ)),
        at_reduce_seq(copied(AddressSpace::Local, together, 1)),
        at_next_map(in_dimension(&rules::MAP_LCL, 1)),
        at_next_map(in_dimension(&rules::MAP_LCL, 0)),
        Strategy::rule(&rules::REDUCE_SEQ).outermost(),
        in_registers.where_it_is(Pattern::Reduce(ReduceKind::Sequential)).innermost(),
        Strategy::Choice(vec![at_epilogue(by_items()), at_reduce_seq(copied_by_items())]),
    ])
}

/// A map of maps of blocks, each of which is computed by the work-item that it belongs to.
fn by_items() -> Strategy {
    let block = Strategy::in_order([in_dimension(&rules::MAP_LCL, 0), stored_by_one().in_function()]);
    Strategy::in_order([in_dimension(&rules::MAP_LCL, 1), block.outermost().in_function()])
}

/// The result, stored by the work-items whose blocks it is made of.
fn copied_by_items() -> Strategy {
    let rows = Strategy::in_order([
        Strategy::rule(&rules::ID_MAP),
        in_dimension(&rules::MAP_LCL, 0),
        stored().in_function(),
    ]);
    Strategy::in_order([Strategy::rule(&rules::ID_MAP), in_dimension(&rules::MAP_LCL, 1), rows.in_function()])
}
