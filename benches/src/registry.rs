//! The list of all benchmarks.

use crate::case::Benchmark;
use crate::computations::{
    convolution, dot, jacobi, matrix_product, matrix_vector, nbody, normal_product, scan, separated,
    transpose, triangular,
};
use crate::options::Scale;

/// All benchmarks at their sizes.
pub(crate) fn benchmarks(scale: Scale) -> Vec<Benchmark> {
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
