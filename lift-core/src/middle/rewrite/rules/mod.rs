//! The rules.

mod fusion;

pub use fusion::*;

use super::rule::Rule;

/// All rules, for the documentation, for tests and for schedules.
pub const ALL: &[&Rule] = &[&MAP_FUSION];
