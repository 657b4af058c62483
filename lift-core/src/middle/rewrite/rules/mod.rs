//! The rules, a file for each family.
//!
//! - `fusion`, `fission`: passes over an array become one, or two;
//! - `parts`: what rules of several families ask of an expression.

mod fission;
mod fusion;
mod parts;

pub use fission::*;
pub use fusion::*;

use super::rule::Rule;

/// All rules, for the documentation, for tests and for schedules.
pub const ALL: &[&Rule] = &[
    // Fission.
    &MAP_FISSION,
    &REDUCE_MAP_FISSION,
    // Fusion.
    &MAP_FUSION,
    &MAP_FUSION_IN_ZIP,
    &REDUCE_FUSION_IN_ZIP,
    &REDUCE_MAP_FUSION,
    &SCAN_MAP_FUSION,
    &TUPLE_MAP,
];
