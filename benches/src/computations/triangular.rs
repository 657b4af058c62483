//! The product of a packed lower triangular matrix and a vector (Pizzuti, Steuwer, Dubach, FHPNC 2019).

use super::{dot_product, elements};
use crate::case::{Benchmark, Case, Input, Meaning, Pair, Work};
use crate::generated::{generated, program};
use crate::options::Scale;
use crate::plan::Argument::{Input as In, Output};
use crate::plan::Plan;

const SOURCE: &str = include_str!("../../kernels/triangular.cl");

program! { TRMV:
    fn trmv<const N: usize>(m: [i => [f32; i + 1]; N], v: [f32; N]) -> [f32; N] {
        m >> map(|row| dotProduct(row, slice(0, len(row), v)))
    }
}

program! { TRMV_ITEMS:
    #[launch(local = 128, global = N)]
    fn trmv_items<const N: usize>(m: [i => [f32; i + 1]; N], v: [f32; N]) -> [f32; N] {
        m >> mapGlb0(|row| zip(row, slice(0, len(row), v)) >> reduceSeq(|acc, (a, x)| acc + a * x, 0))
    }
}

program! { TRMV_GROUPS:
    #[launch(local = 64)]
    fn trmv_groups<const N: usize>(m: [i => [f32; i + 1]; N], v: [f32; N]) -> [f32; N] {
        m >> mapWrg0(|row|
            generate(64, |l| generate((len(row) + 63 - l) / 64, |i| at(l + 64 * i, row) * at(l + 64 * i, v)))
                >> mapLcl0(|own| own >> reduceSeq(add, 0) >> toLocal(id))
                >> iterate(6, |t| t >> split(len(t) / 2) >> transpose >> mapLcl0(|p| p >> reduceSeq(add, 0) >> toLocal(id)))
                >> mapLcl0(toGlobal(id))
        ) >> join
    }
}

program! { TRMV_LONG_ROWS_FIRST:
    #[launch(local = 64)]
    fn trmv_long_rows_first<const N: usize>(m: [i => [f32; i + 1]; N], v: [f32; N]) -> [f32; N] {
        m >> reverse >> mapWrg0(|row| {
            let vectors = zip(row >> slice(0, len(row) / 4 * 4) >> asVector(4), v >> slice(0, len(row) / 4 * 4) >> asVector(4));
            let shares = generate(64, |l| generate((len(row) / 4 + 63 - l) / 64, |i| at(l + 64 * i, vectors)));
            let rests = generate(64, |l| if l < len(row) % 4 { at(len(row) / 4 * 4 + l, row) * at(len(row) / 4 * 4 + l, v) } else { 0 });
            zip(shares, rests)
                >> mapLcl0(|(own, rest)| {
                    let sum = own >> reduceSeq(|acc, (a, x)| acc + a * x, 0);
                    (dot(sum, 1) + rest) >> toLocal(id)
                })
                >> iterate(6, |t| t >> split(len(t) / 2) >> transpose >> mapLcl0(|p| p >> reduceSeq(add, 0) >> toLocal(id)))
                >> mapLcl0(toGlobal(id))
        }) >> join >> reverse
    }
}

/// The product of a triangular matrix and a vector, at its size.
pub(crate) fn benchmarks(scale: Scale) -> Vec<Benchmark> {
    let n = scale.pick(8192, 4096, 512);
    vec![Benchmark::new("triangular matrix-vector", n, move || case(n))]
}

fn case(n: usize) -> Case {
    let plan =
        |entry, groups, items| Plan::new(SOURCE).launch(entry, [groups], [items], &[In(0), In(1), Output]);
    let element = |inputs: &[Input], row: usize| {
        let begin = row * (row + 1) / 2;
        dot_product(elements(inputs, 0).get(begin..=begin + row).unwrap_or_default(), elements(inputs, 1))
    };
    Case {
        inputs: vec![Input::whole_numbers(17, &[n * (n + 1) / 2]), Input::whole_numbers(18, &[n])],
        output: n,
        meaning: Meaning::exact(n, element),
        work: Work::Bytes(2.0 * (n * (n + 1)) as f64),
        pairs: vec![
            Pair::new(
                "row per work-item",
                plan("row_per_item", n / 128, 128),
                generated!(trmv_items, TRMV_ITEMS, (m @ 0: Ix1, v @ 1: Ix1)),
            ),
            Pair::new(
                "row per work-group",
                plan("row_per_group", n, 64),
                generated!(trmv_groups, TRMV_GROUPS, (m @ 0: Ix1, v @ 1: Ix1)),
            ),
            Pair::new(
                "row per work-group, float4, long rows first",
                plan("long_rows_first", n, 64),
                generated!(trmv_long_rows_first, TRMV_LONG_ROWS_FIRST, (m @ 0: Ix1, v @ 1: Ix1)),
            ),
        ],
        high_level: Some(generated!(trmv, TRMV, (m @ 0: Ix1, v @ 1: Ix1))),
    }
}
