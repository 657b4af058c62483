//! Matrix products, and whatever else reduces each pair of a row and a column: from the program that says
//! what is computed to those of the papers (Steuwer, Remmelg, Dubach: *Matrix multiplication beyond
//! auto-tuning*, CASES 2016, and *Performance portable GPU code generation for matrix multiplication*, GPGPU
//! 2016).
//!
//! All begin alike. The two maps are computed in tiles ([`tiles`]), and the reductions of a tile become one
//! reduction, whose accumulator is the tile ([`interchanged`]): so each element that it takes serves a whole
//! row or column of the tile. What follows differs in what a work-item computes.
//!
//! - `vector_blocks`: one vector of results (CASES 2016, listing 3);
//! - `accumulated_tiles`: one tile (CASES 2016, listing 4);
//! - `local_tiles`: a block of a tile that a group computes together (GPGPU 2016, figure 7);
//! - `shared_blocks`: a share of all reductions of a tile.
//!
//! `pieces` cuts long reductions, and leaves one product for each piece to the others.
//!
//! Nothing here knows what is reduced how. The first one and the last one ask for laws, since they reduce
//! parts of a reduction on their own; the others keep the order of every reduction.

mod accumulated_tiles;
mod filled_tiles;
mod local_tiles;
mod pieces;
mod shared_blocks;
mod vector_blocks;

pub use accumulated_tiles::*;
pub(crate) use filled_tiles::filled_tile_product;
pub use filled_tiles::*;
pub use local_tiles::*;
pub(crate) use pieces::product_in_pieces;
pub use pieces::*;
pub use shared_blocks::*;
pub use vector_blocks::*;

use super::super::pattern::Pattern;
use super::super::rule::{Argument, Kind, Rule};
use super::super::rules;
use super::super::strategy::Strategy;
use super::NamedStrategy;
use super::parts::{
    at_next_map, at_reduction, cancelled, in_dimension, place, sized, sizes, tidy, without_named_views,
};
use crate::ir::nat::Nat;
use crate::ir::typed::{AddressSpace, MapKind, ReduceKind};

/// Split-join in two dimensions.
pub const TILES: NamedStrategy = NamedStrategy {
    name: "tiles",
    summary: "Computes a map of a map in tiles of `rows` x `columns` elements: maps over tiles of maps over the \
              elements of each.",
    origin: "GPGPU 2016, section 5: split-join of both maps, and their interchange",
    parameters: &[("rows", Kind::Size), ("columns", Kind::Size)],
    make: |_, arguments| {
        let [rows, columns] = sizes(arguments)?;
        let maps = Pattern::Map(MapKind::Unspecified).with_body(Pattern::Map(MapKind::Unspecified));
        Ok(tiles(&rows, &columns).where_it_is(maps).outermost())
    },
};

/// Prepares pairs of rows and columns: names of views give way to the views, and layouts of what all columns
/// give for a row follow the map of the rows.
pub(crate) fn bare_pairs() -> Strategy {
    let reductions = Pattern::map_of_reductions(MapKind::Unspecified);
    let arranged = Pattern::Map(MapKind::Unspecified).with_body(Pattern::Layout.with_input(reductions));
    let layout_last = Strategy::with(&rules::MAP_FISSION, place(&[0])).where_it_is(arranged);
    Strategy::in_order([without_named_views(), layout_last.outermost().repeated(MOST_LAYOUTS)])
}

/// More layouts stay as they are.
const MOST_LAYOUTS: u32 = 8;

/// A map of a map of reductions, the innermost one: where all of these strategies begin.
fn at_pairs(strategy: Strategy) -> Strategy {
    let pairs =
        Pattern::Map(MapKind::Unspecified).with_body(Pattern::map_of_reductions(MapKind::Unspecified));
    strategy.where_it_is(pairs).innermost()
}

/// The same, and then a map around it in a third dimension: of several products at once.
fn at_pairs_of_each(strategy: Strategy, rule: &'static Rule) -> Strategy {
    Strategy::in_order([at_pairs(strategy), at_next_map(in_dimension(rule, 2)).tried()])
}

/// A map in chunks, which a rule makes. Each array of a `zip` is cut on its own.
fn in_chunks(rule: &'static Rule, length: &Nat) -> Strategy {
    let of_parts = Strategy::in_order([
        Strategy::rule(&rules::ROWS_INSIDE_ZIP).in_input(),
        Strategy::rule(&rules::MAP_FUSION),
    ]);
    Strategy::in_order([sized(rule, length), of_parts.tried().in_input()])
}

/// A map of a map in tiles of `rows` x `columns` elements: the outer two maps are over tiles, the inner two
/// over the elements of one.
fn tiles(rows: &Nat, columns: &Nat) -> Strategy {
    tiles_by(&rules::SPLIT_JOIN, rows, columns)
}

/// The same for tiles whose rows and columns a rule makes.
fn tiles_by(rule: &'static Rule, rows: &Nat, columns: &Nat) -> Strategy {
    Strategy::in_order([
        in_chunks(rule, columns).in_function(),
        // The `join` of the columns of each row.
        Strategy::with(&rules::MAP_FISSION, place(&[0])),
        Strategy::in_order([
            in_chunks(rule, rows),
            Strategy::rule(&rules::MAP_MAP_INTERCHANGE).in_function().in_input(),
        ])
        .in_input(),
        tidy(),
    ])
}

/// A map over what a function computes from the input of its innermost expression.
fn split_off() -> Strategy {
    Strategy::with(&rules::MAP_FISSION, place(&[0]))
}

/// A reduction becomes one of chunks that hand on their accumulator. Each array of a `zip` is cut on its own.
fn strip_mined(length: &Nat) -> Strategy {
    let of_parts = Strategy::in_order([
        Strategy::rule(&rules::ROWS_INSIDE_ZIP).in_input(),
        Strategy::rule(&rules::REDUCE_MAP_FUSION),
    ]);
    Strategy::in_order([sized(&rules::STRIP_MINE, length), of_parts.tried()])
}

/// The reductions in the maps over the elements of a tile become one, whose accumulator is a tile.
fn interchanged() -> Strategy {
    let once = Strategy::in_order([Strategy::rule(&rules::MAP_REDUCE_INTERCHANGE).outermost(), tidy()]);
    Strategy::in_order([once.clone(), once])
}

/// The reduction of two arrays at once takes over what is computed of each element before.
fn fused() -> Strategy {
    at_reduction(Strategy::rule(&rules::REDUCE_MAP_FUSION).tried())
}

/// A copy of a result to where it belongs, by one work-item.
fn stored() -> Strategy {
    let (space, by_one) = (AddressSpace::Global, MapKind::Sequential);
    Strategy::Apply(&rules::COPY_TO, vec![Argument::Space(space), Argument::Map(by_one)])
}

/// The arrays that a step of a reduction takes are copied to a memory by these workers, as vectors.
fn copied(space: AddressSpace, [outer, inner]: [MapKind; 2], width: u8) -> Strategy {
    let workers = [Argument::Map(outer), Argument::Map(inner)];
    let [outer, inner] = workers;
    Strategy::Apply(&rules::COPY_ELEMENTS, vec![Argument::Space(space), outer, inner, Argument::Width(width)])
}

/// At the outermost reduction that is computed in order.
fn at_reduce_seq(strategy: Strategy) -> Strategy {
    at_reduce(ReduceKind::Sequential, strategy)
}

/// At the outermost reduction that is computed in this way.
fn at_reduce(kind: ReduceKind, strategy: Strategy) -> Strategy {
    strategy.where_it_is(Pattern::Reduce(kind)).outermost()
}

/// At the map of maps of what the reduction of a tile gives, where there is one: what follows each reduction.
fn at_epilogue(strategy: Strategy) -> Strategy {
    let of_rows = Pattern::Map(MapKind::Unspecified).with_body(Pattern::AnyMap.inside());
    let of_result = Pattern::AnyMap.with_input(Pattern::AnyReduce.inside());
    strategy.where_it_is(of_rows).where_it_is(of_result).outermost()
}

/// A map of a map by one work-item, which stores the results where they belong.
fn stored_by_one() -> Strategy {
    Strategy::in_order([
        Strategy::rule(&rules::MAP_SEQ),
        Strategy::rule(&rules::MAP_SEQ).everywhere().in_function(),
        Strategy::rule(&rules::TO_GLOBAL),
    ])
}
