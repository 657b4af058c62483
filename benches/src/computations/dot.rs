//! The dot product, and its first stage as in figure 7 of Steuwer et al., CGO 2017.

use super::{dot_product, elements};
use crate::case::{Benchmark, Case, Input, Meaning, Pair, Work};
use crate::generated::{generated, program};
use crate::options::Scale;
use crate::plan::Argument::{Input as In, Output, Scratch};
use crate::plan::{Plan, int};

const SOURCE: &str = include_str!("../../kernels/dot.cl");

/// Work-groups that fill a large GPU: four on each of 132 multiprocessors.
const GROUPS: usize = 528;

program! { PARTIAL_DOT:
    fn partial_dot<const N: usize>(x: [f32; N], y: [f32; N]) -> [f32; N / 128] where N % 128 == 0 {
        zip(x, y) >> split(128) >> mapWrg0(|chunk|
            chunk >> split(2) >> mapLcl0(|p| p >> reduceSeq(|acc, (a, b)| acc + a * b, 0) >> toLocal(id))
                >> iterate(6, |t| t >> split(2) >> mapLcl0(|p| p >> reduceSeq(add, 0) >> toLocal(id)))
                >> mapLcl0(toGlobal(id))
        ) >> join
    }
}

program! { DOT:
    fn dot_high_level<const N: usize>(x: [f32; N], y: [f32; N]) -> f32 { zip(x, y) >> map(mult) >> reduce(add, 0) }
}

program! { PARTIAL_DOT_HIGH_LEVEL:
    fn partial_dot_high_level<const N: usize>(x: [f32; N], y: [f32; N]) -> [f32; N / 128] where N % 128 == 0 {
        zip(x, y) >> split(128) >> map(|chunk| chunk >> map(mult) >> reduce(add, 0))
    }
}

program! { DOT_CHUNKS:
    #[launch(local = 256)]
    fn dot_chunks<const N: usize>(x: [f32; N], y: [f32; N]) -> [f32; 1] where N % 131072 == 0 {
        zip(x, y) >> split(N / 512) >> mapWrg0(|chunk|
            chunk >> split(256) >> transpose
                >> mapLcl0(|own| own >> reduceSeq(|acc, (a, b)| acc + a * b, 0) >> toLocal(id))
                >> iterate(8, |t| t >> split(len(t) / 2) >> transpose >> mapLcl0(|p| p >> reduceSeq(add, 0) >> toLocal(id)))
                >> mapLcl0(toGlobal(id))
        ) >> join >> split(512) >> mapWrg0(|sums|
            sums >> split(256) >> transpose
                >> mapLcl0(|own| own >> reduceSeq(add, 0) >> toLocal(id))
                >> iterate(8, |t| t >> split(len(t) / 2) >> transpose >> mapLcl0(|p| p >> reduceSeq(add, 0) >> toLocal(id)))
                >> mapLcl0(toGlobal(id))
        ) >> join
    }
}

program! { DOT_STRIDED:
    #[launch(local = 256)]
    fn dot_strided<const N: usize>(x: [f32; N], y: [f32; N]) -> [f32; 1] where N % 524288 == 0 {
        zip(x >> asVector(4), y >> asVector(4)) >> split(131072) >> transpose >> split(256) >> mapWrg0(|group|
            group >> mapLcl0(|own| {
                    let sum = own >> reduceSeq(|acc, (a, b)| acc + a * b, 0);
                    dot(sum, 1) >> toLocal(id)
                })
                >> iterate(8, |t| t >> split(len(t) / 2) >> transpose >> mapLcl0(|p| p >> reduceSeq(add, 0) >> toLocal(id)))
                >> mapLcl0(toGlobal(id))
        ) >> join >> split(512) >> mapWrg0(|sums|
            sums >> split(256) >> transpose
                >> mapLcl0(|own| own >> reduceSeq(add, 0) >> toLocal(id))
                >> iterate(8, |t| t >> split(len(t) / 2) >> transpose >> mapLcl0(|p| p >> reduceSeq(add, 0) >> toLocal(id)))
                >> mapLcl0(toGlobal(id))
        ) >> join
    }
}

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
        .launch("sum_all", [1], [256], &[Scratch(0), Output, int(GROUPS)]);
    let one_kernel = Plan::new(SOURCE).scratch(GROUPS).scratch(1).launch(
        "last_group_adds",
        [GROUPS],
        [256],
        &[In(0), In(1), Scratch(0), Scratch(1), Output, int(n / 4)],
    );
    let chunks = Plan::new(SOURCE)
        .scratch(512)
        .launch("chunks", [512], [256], &[In(0), In(1), Scratch(0), int(n / 512)])
        .launch("sum512", [1], [256], &[Scratch(0), Output]);
    Case {
        inputs: inputs(n),
        output: 1,
        meaning: Meaning::exact(n, |inputs, _| dot_product(elements(inputs, 0), elements(inputs, 1))),
        work: Work::Bytes(8.0 * n as f64),
        pairs: vec![
            Pair::new(
                "chunks, two kernels",
                chunks,
                generated!(dot_chunks, DOT_CHUNKS, (x @ 0: Ix1, y @ 1: Ix1)),
            ),
            Pair::new(
                "float4, strided over the grid, two kernels",
                two_kernels,
                generated!(dot_strided, DOT_STRIDED, (x @ 0: Ix1, y @ 1: Ix1)),
            ),
            Pair::new(
                "float4, strided over the grid; by hand one kernel whose last group adds, generated two",
                one_kernel,
                generated!(dot_strided, DOT_STRIDED, (x @ 0: Ix1, y @ 1: Ix1)),
            ),
        ],
        high_level: Some(generated!(dot_high_level, DOT, (x @ 0: Ix1, y @ 1: Ix1))),
    }
}

fn first_stage(n: usize) -> Case {
    let reference = Plan::new(SOURCE).launch("partial_dot", [n / 128], [64], &[In(0), In(1), Output]);
    let element = |inputs: &[Input], position: usize| {
        let chunk = |input| elements(inputs, input).chunks(128).nth(position).unwrap_or_default();
        dot_product(chunk(0), chunk(1))
    };
    Case {
        inputs: inputs(n),
        output: n / 128,
        meaning: Meaning::exact(128, element),
        work: Work::Bytes(8.0 * n as f64),
        pairs: vec![Pair::new(
            "figure 7 of CGO 2017",
            reference,
            generated!(partial_dot, PARTIAL_DOT, (x @ 0: Ix1, y @ 1: Ix1)),
        )],
        high_level: Some(
            generated!(partial_dot_high_level, PARTIAL_DOT_HIGH_LEVEL, (x @ 0: Ix1, y @ 1: Ix1)),
        ),
    }
}
