//! Strategies for stencils: the forms of the thesis' convolution (Hagedorn, section 3.2 and chapter 6), that
//! without comparisons at borders (FHPNC 2019, section 4), and several results by one work-item.
//!
//! They ask how windows lie and nothing else: neither what is computed of a window nor its type. Each
//! takes the outermost stencil that fits, so that the stages of a program are rewritten one after the other.
//! Tiles are counted in elements that they read: 32 of them hold 16 windows of 17.
//!
//! - `naive`: a work-item for each result; `tiles`: a work-group for each tile, which `copies` says how to
//!   copy;
//! - `sections`: the results at borders apart from the others; `borders` finds them;
//! - `registers`: several results by one work-item;
//! - `any_size`: strips and blocks for any number of results, which forms use;
//! - `levels`: who computes the elements of nested maps.

mod any_size;
mod borders;
mod copies;
mod levels;
mod naive;
mod registers;
mod sections;
mod tiles;

pub(crate) use any_size::{
    rolling_planes_of_any_number, rolling_rows_of_any_number, window_tiles_of_any_size,
};
pub use naive::*;
pub(crate) use registers::vectors;
pub use registers::*;
pub use sections::*;
pub use tiles::*;
