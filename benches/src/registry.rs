//! The list of all benchmarks.

use crate::case::Benchmark;
use crate::computations::{dot, matrix_vector, transpose};
use crate::options::Scale;

/// All benchmarks at their sizes.
pub(crate) fn benchmarks(scale: Scale) -> Vec<Benchmark> {
    [dot::benchmarks(scale), transpose::benchmarks(scale), matrix_vector::benchmarks(scale)]
        .into_iter()
        .flatten()
        .collect()
}
