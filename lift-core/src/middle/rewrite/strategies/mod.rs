//! The strategies that have names, for `#[schedule(…)]`, for derivations and for tests: one file for each
//! kind of programs that they are for.
//!
//! A named strategy is a function from its arguments, and from the program that it is for, to a [`Strategy`],
//! which is data. It may look at the program to find its places. What the program computes is kept by the
//! rules, whatever a strategy does.
//!
//! - `columns`: reductions of arrays whose neighbours lie side by side;
//! - `forms`: normal forms;
//! - `one_pass`: rows that give something for their columns, too;
//! - `products`: a reduction for each pair of a row and a column;
//! - `reductions`: reductions that work-items share;
//! - `stencils`: windows that overlap, in tiles and in sections;
//! - `transposition`: rows become columns;
//! - `parts`: what several of them are made of.

mod columns;
mod forms;
mod one_pass;
mod parts;
mod products;
mod reductions;
mod stencils;
mod transposition;

pub use columns::Pieces;
pub use columns::*;
pub(crate) use columns::{ceiling, columns_in_pieces};
pub use forms::*;
pub use one_pass::*;
pub use products::*;
pub(crate) use products::{bare_pairs, filled_tile_product, product_in_pieces};
pub use reductions::*;
pub(crate) use reductions::{Kept, RowGroups, reductions_bound, rows_in_grid_of_groups};
pub use stencils::*;
pub(crate) use stencils::{
    rolling_planes_of_any_number, rolling_rows_of_any_number, vectors, window_tiles_of_any_size,
};
pub(crate) use transposition::tiled_transpose;
pub use transposition::*;

use super::mismatch::Mismatch;
use super::rule::{Argument, Kind};
use super::strategy::Strategy;
use crate::ir::typed::Program;

/// All named strategies, for schedules, for the documentation and for tests.
pub const ALL: &[&NamedStrategy] = &[
    // Normal forms.
    &CANONICAL,
    &FUSE,
    // Products.
    &BLOCKS_IN_GROUPS,
    &BLOCK_PRODUCT,
    &FILLED_TILE_PRODUCT,
    &FILL_TILES,
    &PRODUCT_IN_PIECES,
    &REDUCE_TILES,
    &TILES,
    &TILE_PRODUCT,
    &TILE_PRODUCT_IN_VECTORS,
    // Reductions.
    &COLUMNS_IN_PIECES,
    &ONE_PASS_IN_GROUPS,
    &REDUCE_IN_GROUPS,
    &ROWS_IN_GROUPS,
    &ROWS_AT_ONCE,
    &ROWS_IN_REGISTERS,
    &ROWS_IN_VECTOR_REGISTERS,
    &SHORT_ROWS_IN_GROUPS,
    &KEPT_ROWS_IN_GROUPS,
    &KEPT_SHORT_ROWS_IN_GROUPS,
    // Stencils.
    &LOCAL_TILES,
    &LOCAL_TILES_2,
    &LOCAL_TILES_3,
    &NAIVE,
    &PADDED_TILES_2,
    &REGISTER_BLOCKS_2,
    &REGISTER_TILES_2,
    &ROLLING_ROWS,
    &SPLIT_BORDERS,
    &STENCIL_TILES,
    &STENCIL_TILES_2,
    &STENCIL_TILES_3,
    &TRANSPOSED_TILES_2,
    &UNROLLED_TILES_2,
    &VECTORS,
    &VECTORS_2,
    // Transpositions.
    &TILED_TRANSPOSE,
];

/// A strategy that a schedule can name.
pub struct NamedStrategy {
    /// Its name.
    pub name: &'static str,
    /// What it makes of a program, in one sentence.
    pub summary: &'static str,
    /// Who published it, or why it is new.
    pub origin: &'static str,
    /// Its parameters, each with its name.
    pub parameters: &'static [(&'static str, Kind)],
    /// The strategy for a program and for arguments of the kinds of the parameters. It fails where the
    /// program is of a form that it has no strategy for.
    pub make: fn(&Program, &[Argument]) -> Result<Strategy, Mismatch>,
}

impl NamedStrategy {
    /// The strategy for a program and arguments, under its name.
    ///
    /// # Errors
    /// Says which arguments it takes, or what the program lacks.
    pub fn of(&self, program: &Program, arguments: Vec<Argument>) -> Result<Strategy, Mismatch> {
        let kinds = self.parameters.iter().map(|(_, kind)| *kind);
        if !arguments.iter().map(Argument::kind).eq(kinds) {
            return Err(Mismatch::Arguments);
        }
        let strategy = (self.make)(program, &arguments)?;
        Ok(strategy.named(self.name, arguments))
    }
}

/// The named strategy of this name.
pub fn find(name: &str) -> Option<&'static NamedStrategy> {
    ALL.iter().copied().find(|strategy| strategy.name == name)
}
