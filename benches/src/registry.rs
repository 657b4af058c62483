//! The lists of all benchmarks.

use crate::case::Benchmark;
use crate::computations::{
    convolution, dot, element_wise, jacobi, matrix_product, matrix_vector, nbody, normal_product,
    right_hand_sides, rows_and_columns, scan, separated, stencils, transpose, triangular,
};
use crate::options::{Level, Scale};

/// All benchmarks of a level at their sizes.
pub(crate) fn benchmarks(scale: Scale, level: Level) -> Vec<Benchmark> {
    let high_level = match level {
        Level::OpenCl => Vec::new(),
        Level::High => high_level_benchmarks(scale),
    };
    low_level_benchmarks(scale).into_iter().chain(high_level).collect()
}

/// The benchmarks with two kinds of programs: programs with the structures of the hand-written kernels, and
/// programs that say nothing of work-items.
fn low_level_benchmarks(scale: Scale) -> Vec<Benchmark> {
    let computations = [
        dot::benchmarks,
        scan::benchmarks,
        transpose::benchmarks,
        matrix_vector::benchmarks,
        normal_product::benchmarks,
        matrix_product::benchmarks,
        triangular::benchmarks,
        jacobi::benchmarks,
        convolution::benchmarks,
        separated::benchmarks,
        nbody::benchmarks,
    ];
    computations.into_iter().flat_map(|benchmarks| benchmarks(scale)).collect()
}

/// The benchmarks that only have programs that say nothing of work-items.
fn high_level_benchmarks(scale: Scale) -> Vec<Benchmark> {
    let computations = [
        rows_and_columns::benchmarks,
        right_hand_sides::benchmarks,
        stencils::benchmarks,
        element_wise::benchmarks,
    ];
    computations.into_iter().flat_map(|benchmarks| benchmarks(scale)).collect()
}
