//! The 17x17 convolution (Hagedorn's thesis, section 3.2), borders repeated.

use super::{clamped, input};
use crate::case::{Benchmark, Case, Input, Meaning, Pair, Work};
use crate::generated::{generated, program};
use crate::options::Scale;
use crate::plan::Argument::{Input as In, Output};
use crate::plan::{Plan, int};

/// The kernels, including those of the separated convolution.
pub(super) const SOURCE: &str = include_str!("../../kernels/convolution.cl");

program! { CONV:
    fn conv<const N: usize, const M: usize>(a: [[f32; M]; N], w: [[f32; 17]; 17]) -> [[f32; M]; N] {
        a >> pad2(8, 8, clamp) >> slide2(17, 1) >> map2(|nbh| dotProduct(join(nbh), join(w)))
    }
}

program! { CONV_NAIVE:
    #[launch(local = (16, 16), global = (M, N))]
    fn conv_naive<const N: usize, const M: usize>(a: [[f32; M]; N], w: [[f32; 17]; 17]) -> [[f32; M]; N] {
        a >> pad2(8, 8, clamp) >> slide2(17, 1) >> mapGlb1(mapGlb0(|nbh|
            zip(join(nbh), join(w)) >> reduceSeq(|acc, (x, y)| acc + x * y, 0)))
    }
}

program! { CONV_TILED:
    #[launch(local = (16, 16), global = (M, N))]
    fn conv_tiled<const N: usize, const M: usize>(a: [[f32; M]; N], w: [[f32; 17]; 17]) -> [[f32; M]; N]
        where N % 16 == 0, M % 16 == 0
    {
        a >> pad2(8, 8, clamp) >> slide2(32, 16) >> mapWrg1(mapWrg0(|tile|
            tile >> toLocal(mapLcl1(mapLcl0(id))) >> slide2(17, 1) >> mapLcl1(mapLcl0(|nbh|
                zip(join(nbh), join(w)) >> reduceSeq(|acc, (x, y)| acc + x * y, 0) >> toGlobal(id)))
        )) >> untile
    }
}

program! { CONV_REGISTERS:
    #[launch(local = (8, 16), global = (M / 8, N / 4))]
    fn conv_registers<const N: usize, const M: usize>(a: [[f32; M]; N], w: [[f32; 17]; 17]) -> [[f32; M]; N]
        where N % 64 == 0, M % 64 == 0
    {
        a >> pad2(8, 8, clamp) >> slide2(80, 64) >> mapWrg1(mapWrg0(|tile| {
            let weights = w >> map(padConstant(0, 3, 0)) >> toLocal(mapLcl1(mapLcl0(id)));
            tile >> map(asVector(4)) >> join >> split(8) >> toLocal(mapLcl1(mapLcl0(id))) >> join >> asScalar >> split(80)
                >> slide2d(20, 4, 24, 8) >> mapLcl1(mapLcl0(|block|
                // Row `i` of the block is row `i - r` of the neighbourhood of its result row `r`.
                zip(block >> map(asVector(4)), generate(20, |i| i)) >> reduceSeq(|acc, (vectors, i)| {
                    let row = vectors >> toPrivate(mapSeqUnroll(id)) >> asScalar;
                    zip(acc, generate(4, |r| r)) >> mapSeqUnroll(|(sums, r)| {
                        let line = at(i - r, weights) >> asVector(4) >> toPrivate(mapSeqUnroll(id)) >> asScalar >> slice(0, 17);
                        zip(sums, row >> slide(17, 1)) >> mapSeqUnroll(|(sum, window)|
                            if r <= i && i - r < 17 { zip(window, line) >> reduceSeqUnroll(|s, (x, y)| s + x * y, sum) } else { sum })
                        })
                    },
                    generate(4, |i| generate(8, |j| 0.0)))
                >> map(asVector(4)) >> toGlobal(mapSeqUnroll(mapSeqUnroll(id))) >> map(asScalar)
            )) >> untile
        })) >> untile
    }
}

/// The 17x17 convolution at its size.
pub(crate) fn benchmarks(scale: Scale) -> Vec<Benchmark> {
    let n = scale.pick(8192, 1024, 128);
    vec![Benchmark::new("17x17 convolution", format!("{n}x{n}"), move || case(n))]
}

fn case(n: usize) -> Case {
    let plan = |entry, result: [usize; 2], local: [usize; 2]| {
        let groups = [n / result[0], n / result[1]];
        Plan::new(SOURCE).launch(entry, groups, local, &[In(0), In(1), Output, int(n), int(n)])
    };
    let element = move |inputs: &[Input], position: usize| {
        let (a, w) = (input(inputs, 0), input(inputs, 1));
        let row = |i: usize| clamped(position / n, i as isize - 8, n) * n;
        let column = |j: usize| clamped(position % n, j as isize - 8, n);
        (0..17 * 17).map(|k| a.at(row(k / 17) + column(k % 17)) * w.at(k)).sum()
    };
    Case {
        inputs: vec![Input::whole_numbers(12, &[n, n]), Input::whole_numbers(13, &[17, 17])],
        output: n * n,
        meaning: Meaning::exact(17 * 17 * 4, element),
        work: Work::Operations(2.0 * 289.0 * (n * n) as f64),
        pairs: vec![
            Pair::new(
                "naive",
                plan("naive", [16, 16], [16, 16]),
                generated!(conv_naive, CONV_NAIVE, (a @ 0: Ix2, w @ 1: Ix2)),
            ),
            Pair::new(
                "32x32 tiles in local memory, 16x16 results",
                plan("tiled", [16, 16], [16, 16]),
                generated!(conv_tiled, CONV_TILED, (a @ 0: Ix2, w @ 1: Ix2)),
            ),
            Pair::new(
                "80x80 tiles, 8x4 registers, float4",
                plan("registers", [64, 64], [8, 16]),
                generated!(conv_registers, CONV_REGISTERS, (a @ 0: Ix2, w @ 1: Ix2)),
            ),
        ],
        high_level: Some(generated!(conv, CONV, (a @ 0: Ix2, w @ 1: Ix2))),
    }
}
