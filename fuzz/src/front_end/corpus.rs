//! The programs that are mutated: all programs of this repository that have types.

use super::check::typed;
use super::tree::{Tree, parse, print};

include!(concat!(env!("OUT_DIR"), "/candidates.rs"));

/// Programs without mistakes, in a fixed order.
pub(crate) fn corpus() -> Vec<Vec<Tree>> {
    let candidates = CANDIDATES.iter().filter_map(|text| parse(text));
    candidates.filter(|trees| typed(&print(trees)).is_ok_and(|kernels| !kernels.is_empty())).collect()
}
