//! Several results of a stencil by one work-item: as a vector, down a column whose rows roll through
//! registers, or in registers that each element of a tile is added to.

use super::super::super::mismatch::Mismatch;
use super::super::super::rule::{Argument, Kind};
use super::super::super::rules::{
    COPY_ELEMENTS, COPY_TO, INPUT_STATIONARY, JOIN_BEFORE_MAP_F, JOIN_BEFORE_REDUCE, JOIN_OUTSIDE_ZIP,
    MAP_OUTSIDE_IF, MAP_REDUCE_INTERCHANGE, MAP_SEQ, MAP_SEQ_SLIDE, MAP_SEQ_UNROLL, MAP_SLIDE_TILING,
    MAP_SLIDE_TILING_2, REDUCE_MAP_FUSION, REDUCE_SEQ, REMOVE_INVERSES, SLIDE_2_BY_COLUMNS, SLIDE_2_BY_ROWS,
    SLIDE_BEFORE_MAP_MAP_F, SLIDE_OUTSIDE_ZIP, TRANSPOSE_BEFORE_SLIDE, VECTORISE_NEIGHBOURHOOD,
};
use super::super::super::strategy::Strategy;
use super::super::NamedStrategy;
use super::super::parts::without_named_views;
use super::copies::Copies;
use super::levels::{global, in_inputs, local, nested, sequential, unrolled};
use super::tiles::{COLUMNS, ROWS, tile_in_groups, tiles_in_groups};
use crate::ir::nat::Nat;
use crate::ir::typed::{AddressSpace, MapKind};

const WIDTH: (&str, Kind) = ("width", Kind::Width);
const STRIP: (&str, Kind) = ("strip", Kind::Size);

/// Neighbouring results are a vector.
pub const VECTORS: NamedStrategy = NamedStrategy {
    name: "vectors",
    summary: "Gives neighbouring results of a stencil, as a vector, to a work-item.",
    origin: "new: vectorisation of functions of neighbourhoods",
    parameters: &[WIDTH],
    make: |_, width| Ok(vectors(width).outermost()),
};

/// Neighbouring results of a row are a vector.
pub const VECTORS_2: NamedStrategy = NamedStrategy {
    name: "vectors2",
    summary: "Does as `vectors`, with neighbouring results of a row, in two dimensions.",
    origin: "new: vectorisation of functions of neighbourhoods",
    parameters: &[WIDTH],
    make: |_, width| {
        let rows = nested(&[global(1)], vectors(width));
        Ok(Strategy::in_order([Strategy::rule(&SLIDE_2_BY_ROWS), rows]).outermost())
    },
};

/// The same for the stencil at the focus, in one dimension.
pub(crate) fn vectors(width: &[Argument]) -> Strategy {
    // The vectors lie below `asScalar`.
    let on_items = nested(&[global(0)], unrolled()).in_input();
    Strategy::in_order([Strategy::Apply(&VECTORISE_NEIGHBOURHOOD, width.to_vec()), on_items])
}

/// Rows roll through registers.
pub const ROLLING_ROWS: NamedStrategy = NamedStrategy {
    name: "rollingRows",
    summary: "Lets a work-item go down a strip of rows, which it reads as vectors, and keeps those in registers \
              that the next window has, too.",
    origin: "Lift, stencil rules (mapSeqSlide), for vectors of neighbouring columns",
    parameters: &[WIDTH, STRIP],
    make: |_, arguments| {
        let [width @ Argument::Width(_), Argument::Size(strip)] = arguments else {
            return Err(Mismatch::Arguments);
        };
        Ok(rolling_rows(width.clone(), strip, 1).outermost())
    },
};

/// The same for the stencil at the focus, where work-items of this dimension have strips.
pub(super) fn rolling_rows(width: Argument, strip: &Nat, strips: u8) -> Strategy {
    let side_by_side = Strategy::rule(&SLIDE_OUTSIDE_ZIP).tried();
    let rolling = Strategy::in_order([side_by_side, nested(&[Strategy::rule(&MAP_SEQ_SLIDE)], unrolled())]);
    let of_column = Strategy::in_order([
        Strategy::with(&MAP_SLIDE_TILING, Argument::Size(strip.clone())),
        nested(&[global(strips)], rolling).in_input(),
    ]);
    Strategy::in_order([
        Strategy::rule(&SLIDE_2_BY_COLUMNS),
        Strategy::with(&VECTORISE_NEIGHBOURHOOD, width).in_input(),
        // The results are columns of vectors, transposed to become scalars, and again to become rows.
        Strategy::rule(&REMOVE_INVERSES),
        in_inputs(2, nested(&[global(0)], of_column)),
    ])
}

/// Results in registers, to which each element is added that a tile holds.
pub const REGISTER_TILES_2: NamedStrategy = NamedStrategy {
    name: "registerTiles2",
    summary: "Does as `localTiles2`, where a work-item reduces the windows of a strip of rows side by side, and \
              reads each row once.",
    origin: "new: input-stationary stencils; register blocking of Hagedorn's thesis, section 6.3",
    parameters: &[ROWS, COLUMNS, STRIP],
    make: |_, arguments| {
        let [rows, columns, strip] = arguments else { return Err(Mismatch::Arguments) };
        let of_column = Strategy::in_order([
            Strategy::with(&MAP_SLIDE_TILING, strip.clone()),
            nested(&[local(1)], side_by_side()).in_input(),
        ]);
        let of_tile = Strategy::in_order([
            Strategy::rule(&SLIDE_2_BY_COLUMNS),
            nested(&[local(0)], of_column).in_input(),
        ]);
        Ok(tiles_in_groups(&[rows.clone(), columns.clone()], Some(Copies::AsItIs), of_tile))
    },
};

/// Results in registers, in several rows and columns.
pub const REGISTER_BLOCKS_2: NamedStrategy = NamedStrategy {
    name: "registerBlocks2",
    summary: "Does as `registerTiles2`, where a work-item reduces the windows of a block side by side, so that \
              what it reads of a row serves several columns, too.",
    origin: "new: input-stationary stencils in two dimensions",
    parameters: &[ROWS, COLUMNS, ("down", Kind::Size), ("across", Kind::Size)],
    make: |_, arguments| {
        let [rows, columns, down, across] = arguments else { return Err(Mismatch::Arguments) };
        let (tile, block) = ([rows.clone(), columns.clone()], [down.clone(), across.clone()]);
        Ok(register_blocks(tile, block).outermost())
    },
};

/// The same for the stencil at the focus.
pub(super) fn register_blocks(tile: [Argument; 2], block: [Argument; 2]) -> Strategy {
    let of_block = Strategy::Choice([4, 2, 1].map(in_blocks).into());
    let of_tile = Strategy::in_order([
        Strategy::Apply(&MAP_SLIDE_TILING_2, block.into()),
        in_inputs(2, nested(&[local(1), local(0)], of_block)),
    ]);
    tile_in_groups(&tile, Some(Copies::AsItIs), of_tile)
}

/// Reductions of the windows of a block, row by row, and what follows them. A work-item reads rows of a block
/// as vectors of this width.
fn in_blocks(width: u8) -> Strategy {
    let of_row = Strategy::in_order([
        by_rows().in_function(),
        Strategy::rule(&REDUCE_MAP_FUSION).everywhere().tried(),
        Strategy::rule(&MAP_REDUCE_INTERCHANGE),
        Strategy::rule(&TRANSPOSE_BEFORE_SLIDE).outermost(),
        Strategy::rule(&REMOVE_INVERSES).outermost(),
    ]);
    let by_one = Argument::Map(MapKind::Sequential);
    let kept =
        [Argument::Space(AddressSpace::Private), by_one.clone(), by_one.clone(), Argument::Width(width)];
    // Whether an element belongs to a window is asked for each accumulator, which then stays in its register.
    let of_row_of_windows =
        Strategy::in_order([Strategy::rule(&MAP_OUTSIDE_IF), Strategy::rule(&MAP_SEQ), sequential()]);
    let accumulators = nested(&[Strategy::rule(&MAP_SEQ)], of_row_of_windows).outermost();
    let reduced = Strategy::in_order([
        Strategy::rule(&REDUCE_MAP_FUSION),
        Strategy::Apply(&COPY_ELEMENTS, kept.into()),
        nested(&[Strategy::rule(&REDUCE_SEQ)], accumulators),
    ]);
    // A slice may follow, which keeps only some results. A map writes just these; a reduction would first
    // store all of its accumulators.
    let written = Strategy::Apply(&COPY_TO, vec![Argument::Space(AddressSpace::Global), by_one]);
    let followed = Strategy::in_order([
        nested(&[Strategy::rule(&MAP_SEQ), Strategy::rule(&MAP_SEQ)], sequential()),
        reduced.clone().in_input(),
    ]);
    Strategy::in_order([
        Strategy::rule(&SLIDE_2_BY_ROWS),
        of_row.in_function(),
        Strategy::rule(&SLIDE_BEFORE_MAP_MAP_F),
        Strategy::rule(&INPUT_STATIONARY),
        Strategy::Choice(vec![Strategy::in_order([reduced, written]), followed]),
    ])
}

/// Reductions of windows side by side, row by row, and what follows them.
fn side_by_side() -> Strategy {
    let by_one = Argument::Map(MapKind::Unrolled);
    let kept = [Argument::Space(AddressSpace::Private), by_one.clone(), by_one, Argument::Width(1)];
    let accumulators = nested(&[Strategy::rule(&MAP_SEQ_UNROLL)], unrolled()).outermost();
    let reduced = Strategy::in_order([
        Strategy::Apply(&COPY_ELEMENTS, kept.into()),
        nested(&[Strategy::rule(&REDUCE_SEQ)], accumulators),
    ]);
    let followed = Strategy::in_order([Strategy::rule(&MAP_SEQ_UNROLL), reduced.clone().in_input()]);
    Strategy::in_order([
        by_rows().in_function(),
        Strategy::rule(&INPUT_STATIONARY),
        Strategy::Choice(vec![reduced, followed]),
    ])
}

/// The reduction of a window as one of its rows, after what has a name and is only another view of the
/// window.
fn by_rows() -> Strategy {
    let of_rows = Strategy::in_order([
        Strategy::rule(&JOIN_BEFORE_REDUCE),
        Strategy::rule(&REDUCE_MAP_FUSION).repeated(3),
    ]);
    Strategy::in_order([
        without_named_views(),
        Strategy::rule(&JOIN_OUTSIDE_ZIP).innermost().tried(),
        Strategy::rule(&JOIN_BEFORE_MAP_F).innermost().tried(),
        of_rows.outermost(),
    ])
}
