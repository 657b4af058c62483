//! The dot product, and its first stage as in figure 7 of Steuwer et al., CGO 2017.

use lift::lift;
use lift_corpus::benchmarks::DOT;

use super::{dot_product, elements};
use crate::case::{Benchmark, Case, Input, Meaning, Pair, Work};
use crate::generated::generated;
use crate::options::Scale;
use crate::plan::Argument::{Input as In, Output, Scratch};
use crate::plan::{Plan, int};

const SOURCE: &str = include_str!("../../kernels/dot.cl");

/// Work-groups that fill a large GPU: four on each of 132 multiprocessors.
const GROUPS: usize = 528;

include!("../../../corpus/benchmarks/dot.rs");

/// The dot product at its sizes.
pub(crate) fn benchmarks(scale: Scale) -> Vec<Benchmark> {
    let dots = scale.pick(&[24, 26][..], &[24], &[19]).iter().map(|&exponent| {
        Benchmark::new("dot product", format!("2^{exponent}"), move || whole(1 << exponent))
    });
    let exponent = scale.pick(24, 22, 14);
    let first_stage =
        Benchmark::new("partial dot", format!("2^{exponent}"), move || first_stage(1 << exponent));
    dots.chain([first_stage]).collect()
}

fn inputs(n: usize) -> Vec<Input> {
    vec![Input::whole_numbers(1, &[n]), Input::whole_numbers(2, &[n])]
}

fn whole(n: usize) -> Case {
    let two_kernels = Plan::new(SOURCE)
        .scratch(GROUPS)
        .launch("strided_groups", [GROUPS], [256], &[In(0), In(1), Scratch(0), int(n / 4)])
        .launch("sum_all", [1], [256], &[Scratch(0), Output(0), int(GROUPS)]);
    let one_kernel = Plan::new(SOURCE).scratch(GROUPS).scratch(1).launch(
        "last_group_adds",
        [GROUPS],
        [256],
        &[In(0), In(1), Scratch(0), Scratch(1), Output(0), int(n / 4)],
    );
    let chunks = Plan::new(SOURCE)
        .scratch(512)
        .launch("chunks", [512], [256], &[In(0), In(1), Scratch(0), int(n / 512)])
        .launch("sum512", [1], [256], &[Scratch(0), Output(0)]);
    Case {
        inputs: inputs(n),
        outputs: vec![1],
        meaning: Meaning::exact(n, |inputs, _| dot_product(elements(inputs, 0), elements(inputs, 1))),
        work: Work::Bytes(8.0 * n as f64),
        pairs: vec![
            Pair::new("chunks, two kernels", chunks, generated!(dot_chunks, DOT, (x @ 0: Ix1, y @ 1: Ix1))),
            Pair::new(
                "float4, strided over the grid, two kernels",
                two_kernels,
                generated!(dot_strided, DOT, (x @ 0: Ix1, y @ 1: Ix1)),
            ),
            Pair::new(
                "float4, strided over the grid; by hand one kernel whose last group adds, generated two",
                one_kernel,
                generated!(dot_strided, DOT, (x @ 0: Ix1, y @ 1: Ix1)),
            ),
        ],
        high_level: Some(generated!(dot_high_level, DOT, (x @ 0: Ix1, y @ 1: Ix1))),
    }
}

fn first_stage(n: usize) -> Case {
    let reference = Plan::new(SOURCE).launch("partial_dot", [n / 128], [64], &[In(0), In(1), Output(0)]);
    let element = |inputs: &[Input], position: usize| {
        let chunk = |input| elements(inputs, input).chunks(128).nth(position).unwrap_or_default();
        dot_product(chunk(0), chunk(1))
    };
    Case {
        inputs: inputs(n),
        outputs: vec![n / 128],
        meaning: Meaning::exact(128, element),
        work: Work::Bytes(8.0 * n as f64),
        pairs: vec![Pair::new(
            "figure 7 of CGO 2017",
            reference,
            generated!(partial_dot, DOT, (x @ 0: Ix1, y @ 1: Ix1)),
        )],
        high_level: Some(generated!(partial_dot_high_level, DOT, (x @ 0: Ix1, y @ 1: Ix1))),
    }
}
