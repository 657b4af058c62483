//! The prefix sums of a whole array, which the compiler itself divides among work-items.

use lift::lift;
use lift_corpus::benchmarks::SCAN;

use super::elements;
use crate::case::{Benchmark, Case, Input, Meaning, Pair, Work};
use crate::generated::generated;
use crate::options::Scale;
use crate::plan::Argument::{Input as In, Output, Scratch};
use crate::plan::{Plan, int};

const SOURCE: &str = include_str!("../../kernels/scan.cl");

/// The number of elements of a tile in the hand-written kernels.
const TILE: usize = 256 * 7;

include!("../../../corpus/benchmarks/scan.rs");

/// Prefix sums at their sizes.
pub(crate) fn benchmarks(scale: Scale) -> Vec<Benchmark> {
    let exponents = scale.pick(&[24, 26][..], &[22], &[14]);
    let benchmark = |&exponent: &u32| {
        Benchmark::new("prefix sums", format!("2^{exponent}"), move || whole(1 << exponent))
    };
    exponents.iter().map(benchmark).collect()
}

fn whole(n: usize) -> Case {
    let tiles = n.div_ceil(TILE);
    let reference = Plan::new(SOURCE)
        .scratch(tiles)
        .scratch(tiles)
        .launch("tile_sums", [(tiles - 1).max(1)], [256], &[In(0), Scratch(0)])
        .launch("scan_sums", [1], [256], &[Scratch(0), Scratch(1), int(tiles)])
        .launch("scan_tiles", [tiles], [256], &[In(0), Scratch(1), Output(0), int(n)]);
    let sum = |inputs: &[Input], position: usize| {
        elements(inputs, 0).iter().take(position + 1).map(|&x| f64::from(x)).sum()
    };
    Case {
        inputs: vec![Input::whole_numbers(1, &[n])],
        outputs: vec![n],
        meaning: Meaning::exact(n, sum),
        work: Work::Bytes(12.0 * n as f64),
        pairs: vec![Pair::new(
            "reduce, then scan; tiles of 1792",
            reference,
            generated!(prefix_sums, SCAN, (a @ 0: Ix1)),
        )],
        // The pair's program says nothing of work-items.
        high_level: Some(generated!(prefix_sums, SCAN, (a @ 0: Ix1))),
    }
}
