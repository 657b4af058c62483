//! A work-group for each tile of a stencil (Hagedorn's thesis, sections 3.2 and 6.3).

use super::super::super::mismatch::Mismatch;
use super::super::super::rule::{Argument, Kind};
use super::super::super::rules::{MAP_SLIDE_TILING, MAP_SLIDE_TILING_2, MAP_SLIDE_TILING_3};
use super::super::super::strategy::Strategy;
use super::super::NamedStrategy;
use super::copies::Copies;
use super::levels::{group, in_inputs, local, nest, nested, sequential, unrolled};
use crate::ir::nat::Nat;
use crate::ir::typed::Program;

const PLANES: (&str, Kind) = ("planes", Kind::Size);
pub(super) const ROWS: (&str, Kind) = ("rows", Kind::Size);
pub(super) const COLUMNS: (&str, Kind) = ("columns", Kind::Size);

const fn of_tiles(
    name: &'static str,
    summary: &'static str,
    origin: &'static str,
    parameters: &'static [(&'static str, Kind)],
    make: fn(&Program, &[Argument]) -> Result<Strategy, Mismatch>,
) -> NamedStrategy {
    NamedStrategy { name, summary, origin, parameters, make }
}

/// A work-group for each tile of one dimension.
pub const STENCIL_TILES: NamedStrategy = of_tiles(
    "stencilTiles",
    "Gives each tile of a stencil to a work-group, and each of its results to a work-item.",
    "Hagedorn's thesis, section 3.2: the tiled form, in one dimension",
    &[COLUMNS],
    |_, tile| Ok(tiled(tile, None, sequential())),
);

/// A work-group for each tile of two dimensions.
pub const STENCIL_TILES_2: NamedStrategy = of_tiles(
    "stencilTiles2",
    "Does as `stencilTiles`, in two dimensions.",
    "Hagedorn's thesis, section 3.2: the tiled form",
    &[ROWS, COLUMNS],
    |_, tile| Ok(tiled(tile, None, sequential())),
);

/// A work-group for each tile of three dimensions.
pub const STENCIL_TILES_3: NamedStrategy = of_tiles(
    "stencilTiles3",
    "Does as `stencilTiles`, in three dimensions.",
    "Hagedorn's thesis, section 3.2: the tiled form, in three dimensions",
    &[PLANES, ROWS, COLUMNS],
    |_, tile| Ok(tiled(tile, None, sequential())),
);

/// A work-group for each tile of one dimension, which is copied to local memory.
pub const LOCAL_TILES: NamedStrategy = of_tiles(
    "localTiles",
    "Does as `stencilTiles`, and the work-group first copies what a tile reads to local memory.",
    "Hagedorn's thesis, sections 3.2 and 6.3: the local form, in one dimension",
    &[COLUMNS],
    |_, tile| Ok(tiled(tile, Some(Copies::AsItIs), sequential())),
);

/// A work-group for each tile of two dimensions, which is copied to local memory.
pub const LOCAL_TILES_2: NamedStrategy = of_tiles(
    "localTiles2",
    "Does as `localTiles`, in two dimensions; tiles of one row, or of one column, are those of separated stencils.",
    "Hagedorn's thesis, sections 3.2 and 6.3: the local form, that for rows and those for columns",
    &[ROWS, COLUMNS],
    |_, tile| Ok(tiled(tile, Some(Copies::AsItIs), sequential())),
);

/// A work-group for each tile of three dimensions, which is copied to local memory.
pub const LOCAL_TILES_3: NamedStrategy = of_tiles(
    "localTiles3",
    "Does as `localTiles`, in three dimensions.",
    "Hagedorn's thesis, sections 3.2 and 6.3: the local form, in three dimensions",
    &[PLANES, ROWS, COLUMNS],
    |_, tile| Ok(tiled(tile, Some(Copies::AsItIs), sequential())),
);

/// Columns of tiles are rows in local memory.
pub const TRANSPOSED_TILES_2: NamedStrategy = of_tiles(
    "transposedTiles2",
    "Does as `localTiles2`, with the columns of a tile as rows in local memory.",
    "Hagedorn's thesis, sections 3.2 and 6.3: the transposed form",
    &[ROWS, COLUMNS],
    |_, tile| Ok(tiled(tile, Some(Copies::Transposed), sequential())),
);

/// Columns of tiles are rows in local memory, with gaps between them.
pub const PADDED_TILES_2: NamedStrategy = of_tiles(
    "paddedTiles2",
    "Does as `transposedTiles2`, with gaps between the columns, so that their starts lie in different banks.",
    "Hagedorn's thesis, section 3.2 and definition 3.6: the padded form",
    &[ROWS, COLUMNS, ("gap", Kind::Size)],
    |_, arguments| {
        let (tile, gap) = with_size(arguments)?;
        Ok(tiled(tile, Some(Copies::Padded(gap)), sequential()))
    },
);

/// Columns of tiles are copied in straight-line steps.
pub const UNROLLED_TILES_2: NamedStrategy = of_tiles(
    "unrolledTiles2",
    "Does as `transposedTiles2`, with columns that are copied in unrolled steps, of which few see a border, \
     and with unrolled reductions.",
    "Hagedorn's thesis, section 3.2: the unrolled form",
    &[ROWS, COLUMNS, ("step", Kind::Size)],
    |_, arguments| {
        let (tile, step) = with_size(arguments)?;
        Ok(tiled(tile, Some(Copies::Unrolled(step)), unrolled()))
    },
);

/// A tile, and the size behind it.
fn with_size(arguments: &[Argument]) -> Result<(&[Argument], Nat), Mismatch> {
    match arguments {
        [tile @ .., Argument::Size(size)] => Ok((tile, size.clone())),
        _ => Err(Mismatch::Arguments),
    }
}

/// A stencil, tile by tile: each tile belongs to a group, and each of its results to a work-item.
fn tiled(tile: &[Argument], copies: Option<Copies>, of_window: Strategy) -> Strategy {
    let of_tile = nested(&nest(tile.len(), local), of_window);
    tiles_in_groups(tile, copies, of_tile)
}

/// The first stencil, tile by tile: each tile belongs to a group, which copies what it reads or not.
pub(super) fn tiles_in_groups(tile: &[Argument], copies: Option<Copies>, of_tile: Strategy) -> Strategy {
    tile_in_groups(tile, copies, of_tile).outermost()
}

/// The same for the stencil at the focus.
pub(super) fn tile_in_groups(tile: &[Argument], copies: Option<Copies>, of_tile: Strategy) -> Strategy {
    let dimensions = tile.len();
    let (tiling, layouts) = match dimensions {
        1 => (&MAP_SLIDE_TILING, 1),
        2 => (&MAP_SLIDE_TILING_2, 2),
        _ => (&MAP_SLIDE_TILING_3, 2),
    };
    let copied = copies.map(|copies| copies.strategy(dimensions).in_input());
    let of_tile = Strategy::Sequence(copied.into_iter().chain([of_tile]).collect());
    Strategy::in_order([
        Strategy::Apply(tiling, tile.to_vec()),
        // The tiles lie below the layouts that put their results together.
        in_inputs(layouts, nested(&nest(dimensions, group), of_tile)),
    ])
}
