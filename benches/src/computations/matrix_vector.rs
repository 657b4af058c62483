//! The matrix-vector product.

use super::{dot_product, elements};
use crate::case::{Benchmark, Case, Input, Meaning, Pair, Work};
use crate::generated::{generated, program};
use crate::options::Scale;
use crate::plan::Argument::{Input as In, Output};
use crate::plan::{Plan, int};

const SOURCE: &str = include_str!("../../kernels/matrix_vector.cl");

program! { MATRIX_VECTOR:
    fn matrix_vector<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; N] {
        a >> map(|row| dotProduct(row, x))
    }
}

program! { ROW_PER_ITEM:
    #[launch(local = 128, global = N)]
    fn row_per_item<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; N] {
        a >> mapGlb0(|row| zip(row, x) >> reduceSeq(|acc, (a, x)| acc + a * x, 0))
    }
}

program! { ROW_PER_GROUP:
    #[launch(local = 128)]
    fn row_per_group<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; N] where M % 128 == 0 {
        a >> mapWrg0(|row|
            zip(row, x) >> split(128) >> transpose
                >> mapLcl0(|own| own >> reduceSeq(|acc, (a, x)| acc + a * x, 0) >> toLocal(id))
                >> iterate(7, |t| t >> split(len(t) / 2) >> transpose >> mapLcl0(|p| p >> reduceSeq(add, 0) >> toLocal(id)))
                >> mapLcl0(toGlobal(id))
        ) >> join
    }
}

program! { ROW_PER_GROUP_FLOAT4:
    #[launch(local = 128)]
    fn row_per_group_float4<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; N] where M % 512 == 0 {
        a >> mapWrg0(|row|
            zip(row >> asVector(4), x >> asVector(4)) >> split(128) >> transpose
                >> mapLcl0(|own| {
                    let sum = own >> reduceSeq(|acc, (a, x)| acc + a * x, 0);
                    dot(sum, 1) >> toLocal(id)
                })
                >> iterate(7, |t| t >> split(len(t) / 2) >> transpose >> mapLcl0(|p| p >> reduceSeq(add, 0) >> toLocal(id)))
                >> mapLcl0(toGlobal(id))
        ) >> join
    }
}

/// The matrix-vector product at its size.
pub(crate) fn benchmarks(scale: Scale) -> Vec<Benchmark> {
    let n = scale.pick(8192, 4096, 512);
    vec![Benchmark::new("matrix-vector", n, move || case(n, n))]
}

fn case(rows: usize, columns: usize) -> Case {
    let arguments = [In(0), In(1), Output, int(columns)];
    let plan = |entry, groups| Plan::new(SOURCE).launch(entry, [groups], [128], &arguments);
    let element = move |inputs: &[Input], position: usize| {
        let row = elements(inputs, 0).chunks(columns).nth(position).unwrap_or_default();
        dot_product(row, elements(inputs, 1))
    };
    Case {
        inputs: vec![Input::whole_numbers(4, &[rows, columns]), Input::whole_numbers(5, &[columns])],
        output: rows,
        meaning: Meaning::exact(columns, element),
        work: Work::Bytes(4.0 * (rows * columns) as f64),
        pairs: vec![
            Pair::new(
                "row per work-item",
                plan("row_per_item", rows / 128),
                generated!(row_per_item, ROW_PER_ITEM, (a @ 0: Ix2, x @ 1: Ix1)),
            ),
            Pair::new(
                "row per work-group, tree in local memory",
                plan("row_per_group", rows),
                generated!(row_per_group, ROW_PER_GROUP, (a @ 0: Ix2, x @ 1: Ix1)),
            ),
            Pair::new(
                "row per work-group, float4, tree in local memory",
                plan("row_per_group_float4", rows),
                generated!(row_per_group_float4, ROW_PER_GROUP_FLOAT4, (a @ 0: Ix2, x @ 1: Ix1)),
            ),
        ],
        high_level: Some(generated!(matrix_vector, MATRIX_VECTOR, (a @ 0: Ix2, x @ 1: Ix1))),
    }
}
