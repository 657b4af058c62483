//! Transpositions through local memory: groups read rows and write rows.

use super::super::mismatch::Mismatch;
use super::super::pattern::Pattern;
use super::super::rule::{Argument, Kind, Rule};
use super::super::rules;
use super::super::strategy::Strategy;
use super::NamedStrategy;
use crate::ir::nat::Nat;

/// A group for each tile.
pub const TILED_TRANSPOSE: NamedStrategy = NamedStrategy {
    name: "tiledTranspose",
    summary: "A group reads a tile of `side` x `side` elements to local memory, and writes it transposed.",
    origin: "Ruetsch, Micikevicius, Optimizing matrix transpose in CUDA, 2009; for any size: new",
    parameters: &[("side", Kind::Size)],
    make: |_, arguments| match arguments {
        [Argument::Size(side)] => Ok(tiled_transpose(side).outermost()),
        _ => Err(Mismatch::Arguments),
    },
};

/// A transposed array, written tile by tile.
pub(crate) fn tiled_transpose(side: &Nat) -> Strategy {
    let by = |rule: &'static Rule, dimension| Strategy::with(rule, Argument::Dimension(dimension));
    let by_items = || Strategy::in_order([by(&rules::MAP_LCL, 1), by(&rules::MAP_LCL, 0).in_function()]);
    // A gap after every row: the elements of a column lie in different banks.
    let gap = vec![Argument::Size(Nat::zero()), Argument::Size(Nat::one())];
    let to_local = Strategy::in_order([
        by_items(),
        Strategy::rule(&rules::TO_LOCAL),
        Strategy::Apply(&rules::INCREASE_COPY, gap),
    ]);
    let tile = Strategy::in_order([by_items(), to_local.in_input().in_input()]);
    let tiles = Strategy::in_order([by(&rules::MAP_WRG, 0), tile.in_function()]);
    let rows = Strategy::in_order([by(&rules::MAP_WRG, 1), tiles.in_input().in_input().in_function()]);
    Strategy::in_order([
        Strategy::with(&rules::TRANSPOSE_IN_TILES, Argument::Size(side.clone())),
        rows.in_input().in_input(),
    ])
    .where_it_is(Pattern::View)
}
