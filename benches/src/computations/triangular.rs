//! The product of a packed lower triangular matrix and a vector (Pizzuti, Steuwer, Dubach, FHPNC 2019).

use lift::lift;
use lift_corpus::benchmarks::TRIANGULAR;

use super::{dot_product, elements};
use crate::case::{Benchmark, Case, Input, Meaning, Pair, Work};
use crate::generated::generated;
use crate::options::Scale;
use crate::plan::Argument::{Input as In, Output};
use crate::plan::Plan;

const SOURCE: &str = include_str!("../../kernels/triangular.cl");

include!("../../../corpus/benchmarks/triangular.rs");

/// The product of a triangular matrix and a vector, at its size.
pub(crate) fn benchmarks(scale: Scale) -> Vec<Benchmark> {
    let n = scale.pick(8192, 4096, 512);
    vec![Benchmark::new("triangular matrix-vector", n, move || case(n))]
}

fn case(n: usize) -> Case {
    let plan =
        |entry, groups, items| Plan::new(SOURCE).launch(entry, [groups], [items], &[In(0), In(1), Output(0)]);
    let element = |inputs: &[Input], row: usize| {
        let begin = row * (row + 1) / 2;
        dot_product(elements(inputs, 0).get(begin..=begin + row).unwrap_or_default(), elements(inputs, 1))
    };
    Case {
        inputs: vec![Input::whole_numbers(17, &[n * (n + 1) / 2]), Input::whole_numbers(18, &[n])],
        outputs: vec![n],
        meaning: Meaning::exact(n, element),
        work: Work::Bytes(2.0 * (n * (n + 1)) as f64),
        pairs: vec![
            Pair::new(
                "row per work-item",
                plan("row_per_item", n / 128, 128),
                generated!(trmv_items, TRIANGULAR, (m @ 0: Ix1, v @ 1: Ix1)),
            ),
            Pair::new(
                "row per work-group",
                plan("row_per_group", n, 64),
                generated!(trmv_groups, TRIANGULAR, (m @ 0: Ix1, v @ 1: Ix1)),
            ),
            Pair::new(
                "row per work-group, float4, long rows first",
                plan("long_rows_first", n, 64),
                generated!(trmv_long_rows_first, TRIANGULAR, (m @ 0: Ix1, v @ 1: Ix1)),
            ),
        ],
        high_level: Some(generated!(trmv, TRIANGULAR, (m @ 0: Ix1, v @ 1: Ix1))),
    }
}
