//! Programs whose rows or columns are reduced.

mod columns;
mod rows;

use lift::lift;

use crate::case::Benchmark;
use crate::options::Scale;

include!("../../../../corpus/benchmarks/rows_and_columns.rs");

/// Those of rows, and those of columns, at their sizes.
pub(crate) fn benchmarks(scale: Scale) -> Vec<Benchmark> {
    [rows::benchmarks(scale), columns::benchmarks(scale)].into_iter().flatten().collect()
}
