//! The transposed matrix, directly and through tiles in local memory.

use lift::lift;
use lift_corpus::benchmarks::TRANSPOSE;

use super::input;
use crate::case::{Benchmark, Case, Input, Meaning, Pair, Work};
use crate::generated::generated;
use crate::options::Scale;
use crate::plan::Argument::{Input as In, Output};
use crate::plan::{Plan, int};

const SOURCE: &str = include_str!("../../kernels/transpose.cl");

include!("../../../corpus/benchmarks/transpose.rs");

/// The transposed matrix at its size.
pub(crate) fn benchmarks(scale: Scale) -> Vec<Benchmark> {
    let n = scale.pick(8192, 2048, 256);
    vec![Benchmark::new("transpose", format!("{n}x{n}"), move || case(n, n))]
}

fn case(rows: usize, columns: usize) -> Case {
    let arguments = [In(0), Output(0), int(rows), int(columns)];
    let naive = Plan::new(SOURCE).launch("naive", [rows / 32, columns / 8], [32, 8], &arguments);
    let tiled = Plan::new(SOURCE).launch("tiled", [columns / 32, rows / 32], [32, 8], &arguments);
    let element = move |inputs: &[Input], position: usize| {
        let read = position % rows * columns + position / rows;
        input(inputs, 0).at(read)
    };
    Case {
        inputs: vec![Input::fractions(3, &[rows, columns])],
        outputs: vec![rows * columns],
        meaning: Meaning::exact(1, element),
        work: Work::Bytes(8.0 * (rows * columns) as f64),
        pairs: vec![
            Pair::new("naive", naive, generated!(transpose_naive, TRANSPOSE, (a @ 0: Ix2))),
            Pair::new(
                "32x32 tiles, padded, groups of 32x8",
                tiled,
                generated!(transpose_tiled, TRANSPOSE, (a @ 0: Ix2)),
            ),
        ],
        high_level: Some(generated!(transpose_high_level, TRANSPOSE, (a @ 0: Ix2))),
    }
}
