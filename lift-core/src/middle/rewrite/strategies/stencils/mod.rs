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
//! - `levels`: who computes the elements of nested maps.

mod borders;
mod copies;
mod levels;
mod naive;
mod registers;
mod sections;
mod tiles;

pub use naive::*;
pub(crate) use registers::rolling_rows;
pub use registers::*;
pub use sections::*;
pub use tiles::*;
