//! The 17x17 convolution (Hagedorn's thesis, section 3.2), borders repeated.

use lift::lift;
use lift_corpus::benchmarks::CONVOLUTION;

use super::{clamped, input};
use crate::case::{Benchmark, Case, Input, Meaning, Pair, Work};
use crate::generated::generated;
use crate::options::Scale;
use crate::plan::Argument::{Input as In, Output};
use crate::plan::{Plan, int};

/// The kernels, including those of the separated convolution.
pub(super) const SOURCE: &str = include_str!("../../kernels/convolution.cl");

include!("../../../corpus/benchmarks/convolution.rs");

/// The 17x17 convolution at its size.
pub(crate) fn benchmarks(scale: Scale) -> Vec<Benchmark> {
    let n = scale.pick(8192, 1024, 128);
    vec![Benchmark::new("17x17 convolution", format!("{n}x{n}"), move || case(n))]
}

fn case(n: usize) -> Case {
    let plan = |entry, result: [usize; 2], local: [usize; 2]| {
        let groups = [n / result[0], n / result[1]];
        Plan::new(SOURCE).launch(entry, groups, local, &[In(0), In(1), Output(0), int(n), int(n)])
    };
    let element = move |inputs: &[Input], position: usize| {
        let (a, w) = (input(inputs, 0), input(inputs, 1));
        let row = |i: usize| clamped(position / n, i as isize - 8, n) * n;
        let column = |j: usize| clamped(position % n, j as isize - 8, n);
        (0..17 * 17).map(|k| a.at(row(k / 17) + column(k % 17)) * w.at(k)).sum()
    };
    Case {
        inputs: vec![Input::whole_numbers(12, &[n, n]), Input::whole_numbers(13, &[17, 17])],
        outputs: vec![n * n],
        meaning: Meaning::exact(17 * 17 * 4, element),
        work: Work::Operations(2.0 * 289.0 * (n * n) as f64),
        pairs: vec![
            Pair::new(
                "naive",
                plan("naive", [16, 16], [16, 16]),
                generated!(conv_naive, CONVOLUTION, (a @ 0: Ix2, w @ 1: Ix2)),
            ),
            Pair::new(
                "32x32 tiles in local memory, 16x16 results",
                plan("tiled", [16, 16], [16, 16]),
                generated!(conv_tiled, CONVOLUTION, (a @ 0: Ix2, w @ 1: Ix2)),
            ),
            Pair::new(
                "80x80 tiles, 8x4 registers, float4",
                plan("registers", [64, 64], [8, 16]),
                generated!(conv_registers, CONVOLUTION, (a @ 0: Ix2, w @ 1: Ix2)),
            ),
        ],
        high_level: Some(generated!(conv, CONVOLUTION, (a @ 0: Ix2, w @ 1: Ix2))),
    }
}
