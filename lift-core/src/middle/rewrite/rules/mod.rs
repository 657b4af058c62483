//! The rules, a file for each family.
//!
//! - `parts`: what rules of several families ask of an expression.

mod fusion;
mod parts;

pub use fusion::*;

use super::rule::Rule;

/// All rules, for the documentation, for tests and for schedules.
pub const ALL: &[&Rule] = &[
    // Fusion.
    &MAP_FUSION,
    &MAP_FUSION_IN_ZIP,
    &REDUCE_FUSION_IN_ZIP,
    &REDUCE_MAP_FUSION,
    &SCAN_MAP_FUSION,
    &TUPLE_MAP,
];
