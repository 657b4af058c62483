//! The matrix-vector product.

use lift::lift;
use lift_corpus::benchmarks::MATRIX_VECTOR;

use super::{dot_product, elements};
use crate::case::{Benchmark, Case, Input, Meaning, Pair, Work};
use crate::generated::generated;
use crate::options::Scale;
use crate::plan::Argument::{Input as In, Output};
use crate::plan::{Plan, int};

const SOURCE: &str = include_str!("../../kernels/matrix_vector.cl");

include!("../../../corpus/benchmarks/matrix_vector.rs");

/// The matrix-vector product at its size.
pub(crate) fn benchmarks(scale: Scale) -> Vec<Benchmark> {
    let n = scale.pick(8192, 4096, 512);
    vec![Benchmark::new("matrix-vector", n, move || case(n, n))]
}

fn case(rows: usize, columns: usize) -> Case {
    let arguments = [In(0), In(1), Output(0), int(columns)];
    let plan = |entry, groups| Plan::new(SOURCE).launch(entry, [groups], [128], &arguments);
    let element = move |inputs: &[Input], position: usize| {
        let row = elements(inputs, 0).chunks(columns).nth(position).unwrap_or_default();
        dot_product(row, elements(inputs, 1))
    };
    Case {
        inputs: vec![Input::whole_numbers(4, &[rows, columns]), Input::whole_numbers(5, &[columns])],
        outputs: vec![rows],
        meaning: Meaning::exact(columns, element),
        work: Work::Bytes(4.0 * (rows * columns) as f64),
        pairs: vec![
            Pair::new(
                "row per work-item",
                plan("row_per_item", rows / 128),
                generated!(row_per_item, MATRIX_VECTOR, (a @ 0: Ix2, x @ 1: Ix1)),
            ),
            Pair::new(
                "row per work-group, tree in local memory",
                plan("row_per_group", rows),
                generated!(row_per_group, MATRIX_VECTOR, (a @ 0: Ix2, x @ 1: Ix1)),
            ),
            Pair::new(
                "row per work-group, float4, tree in local memory",
                plan("row_per_group_float4", rows),
                generated!(row_per_group_float4, MATRIX_VECTOR, (a @ 0: Ix2, x @ 1: Ix1)),
            ),
        ],
        high_level: Some(generated!(matrix_vector, MATRIX_VECTOR, (a @ 0: Ix2, x @ 1: Ix1))),
    }
}
