//! Programs whose rows or columns are reduced.

mod columns;
mod rows;

use lift::lift;

use crate::case::Benchmark;
use crate::options::Scale;

include!("../../../../corpus/benchmarks/rows_and_columns.rs");

/// The benchmarks of rows, and then the benchmarks of columns.
pub(crate) fn benchmarks(scale: Scale) -> Vec<Benchmark> {
    [rows::benchmarks(scale), columns::benchmarks(scale)].into_iter().flatten().collect()
}
