//! Tiles that a group computes together, each work-item a block of it in registers (GPGPU 2016, figure 7).

use super::super::super::mismatch::Mismatch;
use super::super::super::pattern::Pattern;
use super::super::super::rule::{Argument, Kind, Rule};
use super::super::super::rules;
use super::super::super::strategy::Strategy;
use super::super::NamedStrategy;
use super::accumulated_tiles::accumulated;
use super::{
    at_epilogue, at_next_map, at_pairs_of_each, at_reduce, at_reduction, cancelled, copied, in_dimension,
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
            by_groups(
                IN_TURN,
                copied(AddressSpace::Local, TOGETHER, 1),
                copied(AddressSpace::Private, ALONE, 1),
            ),
        ]);
        Ok(at_pairs_of_each(lowered, &rules::MAP_WRG))
    },
};

/// GPGPU 2016, figure 7, with vectors.
pub const TILE_PRODUCT_IN_VECTORS: NamedStrategy = NamedStrategy {
    name: "tileProductInVectors",
    summary: "As tileProduct, with vectors of this width of the results and of what their columns take; what \
              their rows take lies in local memory so that a work-item reads neighbours.",
    origin: "GPGPU 2016, section 5 (vectorisation) and figure 7",
    parameters: &[
        ("rows", Kind::Size),
        ("columns", Kind::Size),
        ("elements", Kind::Size),
        ("rowsPerItem", Kind::Size),
        ("columnsPerItem", Kind::Size),
        ("width", Kind::Width),
    ],
    make: |_, arguments| {
        let Some((Argument::Width(width), tile)) = arguments.split_last() else {
            return Err(Mismatch::Arguments);
        };
        let copies = Copies { width: *width, gap: 0, order: IN_TURN };
        Ok(tile_product_in_vectors(sizes(tile)?, *width, copies))
    },
};

/// How tiles are copied to local memory.
#[derive(Clone, Copy)]
pub(super) struct Copies {
    /// The width of the vectors that are copied.
    pub(super) width: u8,
    /// The elements that a row has more in local memory, so that columns of it lie in different banks.
    pub(super) gap: u8,
    /// When: before what is computed of them, or already while the tile before is computed.
    pub(super) order: Ordered,
}

/// A way to reduce in order, and the rule for it.
#[derive(Clone, Copy)]
pub(super) struct Ordered {
    rule: &'static Rule,
    kind: ReduceKind,
}

/// One step after the other.
pub(super) const IN_TURN: Ordered = Ordered { rule: &rules::REDUCE_SEQ, kind: ReduceKind::Sequential };

/// Each step is computed while the next one's tiles are loaded.
pub(super) const PIPELINED: Ordered =
    Ordered { rule: &rules::REDUCE_SEQ_PIPELINED, kind: ReduceKind::Pipelined };

/// Tiles whose results work-items keep as vectors of this width.
pub(super) fn tile_product_in_vectors(tile: [Nat; 5], width: u8, copies: Copies) -> Strategy {
    let [rows, columns, elements, rows_per_item, columns_per_item] = tile;
    let lowered = Strategy::in_order([
        accumulated(&rows, &columns, &elements),
        at_reduction(accumulated_in_blocks(&rows_per_item, &columns_per_item)),
        at_epilogue(in_blocks(&rows_per_item, &columns_per_item)).tried(),
        at_reduction(in_vectors(width)),
        by_groups(copies.order, tiles_in_vectors(copies), columns_in_vectors(width)),
    ]);
    at_pairs_of_each(lowered, &rules::MAP_WRG)
}

/// A map of a map in blocks. Where an array was put together of such blocks, it takes these.
fn in_blocks(rows: &Nat, columns: &Nat) -> Strategy {
    Strategy::in_order([tiles(rows, columns), blocks_of_blocks()])
}

/// A map of blocks that are rows and columns of an array in blocks takes the blocks as they are.
fn blocks_of_blocks() -> Strategy {
    let fused = Strategy::rule(&rules::MAP_FUSION_IN_ZIP).outermost();
    Strategy::in_order([cancelled(), fused.tried(), cancelled()])
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

/// A reduction whose accumulator is in blocks keeps vectors of each row of a block.
fn in_vectors(width: u8) -> Strategy {
    let unpacked_last = || Strategy::with(&rules::MAP_FISSION, place(&[0]));
    let packed_first =
        || Strategy::in_order([Strategy::rule(&rules::MAP_FUSION_IN_ZIP), cancelled()]).in_function();
    let of_block = Strategy::in_order([
        Strategy::in_order([
            Strategy::with(&rules::VECTORISE_MAP, Argument::Width(width)).in_function(),
            unpacked_last(),
        ])
        .in_function(),
        Strategy::rule(&rules::ACCUMULATOR_LAYOUT),
        at_reduction(packed_first()),
    ]);
    Strategy::in_order([
        Strategy::in_order([
            Strategy::in_order([at_reduction(of_block), unpacked_last()]).in_function(),
            unpacked_last(),
        ])
        .in_function(),
        Strategy::rule(&rules::ACCUMULATOR_LAYOUT),
        // The first accumulator last: only what each step makes of it says that it has vectors.
        at_reduction(Strategy::in_order([packed_first(), packed_first().in_function(), cancelled()])),
    ])
}

/// Tiles in local memory, the last array first. A row of a tile has what one step of the reductions takes,
/// so that a work-item reads neighbours. The tile of an array that was transposed before the reduction is
/// turned.
fn tiles_in_vectors(copies: Copies) -> Strategy {
    let tile = |number| {
        let is_turned = Pattern::AnyReduce
            .with_input(Pattern::ZipWith(usize::from(number), Box::new(Pattern::Transpose)));
        Strategy::Choice(vec![
            turned_tile(number, copies.gap).where_it_is(is_turned),
            copied_part(number, AddressSpace::Local, TOGETHER, copies.width),
        ])
    };
    Strategy::in_order([tile(3).tried(), tile(2).tried(), tile(1).tried(), tile(0)])
}

/// A tile in local memory with its columns as rows.
fn turned_tile(number: u8, gap: u8) -> Strategy {
    let by_items = Strategy::in_order([
        in_dimension(&rules::MAP_LCL, 0),
        in_dimension(&rules::MAP_LCL, 1).in_function(),
    ]);
    let turned = Strategy::in_order([
        Strategy::rule(&rules::TRANSPOSE_BOTH_SIDES).in_input(),
        Strategy::rule(&rules::TRANSPOSED_COPY),
        Strategy::rule(&rules::REMOVE_INVERSES).outermost(),
        by_items.outermost(),
        if gap > 0 { apart(gap).outermost() } else { Strategy::in_order([]) },
    ]);
    Strategy::in_order([
        copied_part(number, AddressSpace::Local, [MapKind::Unspecified, MapKind::Unspecified], 1),
        turned.outermost().in_function(),
    ])
}

/// Rows of a copy that are longer by some elements than they need to be.
fn apart(gap: u8) -> Strategy {
    let gap = [0, i128::from(gap)].map(|elements| Argument::Size(Nat::constant(elements)));
    Strategy::Apply(&rules::INCREASE_COPY, gap.into())
}

/// Columns in registers as vectors, and rows element by element.
fn columns_in_vectors(width: u8) -> Strategy {
    Strategy::in_order([
        other_parts(AddressSpace::Private, ALONE, width),
        copied_part(0, AddressSpace::Private, ALONE, 1).tried(),
    ])
}

/// The arrays that a step of a reduction takes beside the first one are copied to a memory as vectors.
fn other_parts(space: AddressSpace, workers: [MapKind; 2], width: u8) -> Strategy {
    let part = |number| copied_part(number, space, workers, width).tried();
    Strategy::in_order([part(3), part(2), part(1)])
}

/// One of the arrays that a step of a reduction takes is copied to a memory.
fn copied_part(number: u8, space: AddressSpace, [outer, inner]: [MapKind; 2], width: u8) -> Strategy {
    let number = Nat::constant(i128::from(number));
    Strategy::Apply(
        &rules::COPY_ELEMENT,
        vec![
            Argument::Size(number),
            Argument::Space(space),
            Argument::Map(outer),
            Argument::Map(inner),
            Argument::Width(width),
        ],
    )
}

/// The work-items of a group share the elements of an array.
const TOGETHER: [MapKind; 2] = [MapKind::Local(1), MapKind::Local(0)];

/// A work-item has an array of its own.
const ALONE: [MapKind; 2] = [MapKind::Sequential, MapKind::Sequential];

/// Each tile is computed by a group, and each of its blocks by a work-item. Before a step, tiles are copied
/// to local memory and rows and columns of these to registers.
fn by_groups(order: Ordered, to_local: Strategy, to_private: Strategy) -> Strategy {
    let in_registers =
        Strategy::in_order([Strategy::rule(&rules::MAP_SEQ).everywhere().in_function(), to_private]);
    Strategy::in_order([
        at_next_map(in_dimension(&rules::MAP_WRG, 1)),
        at_next_map(in_dimension(&rules::MAP_WRG, 0)),
        at_reduction(Strategy::rule(order.rule)),
        at_reduce(order.kind, to_local),
        at_next_map(in_dimension(&rules::MAP_LCL, 1)),
        at_next_map(in_dimension(&rules::MAP_LCL, 0)),
        Strategy::rule(&rules::REDUCE_SEQ).outermost(),
        in_registers.where_it_is(Pattern::Reduce(ReduceKind::Sequential)).innermost(),
        Strategy::Choice(vec![at_epilogue(by_items()), at_reduce(order.kind, copied_by_items())]),
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
