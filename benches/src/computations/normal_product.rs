//! `A^T (A x)`, the product with the matrix of normal equations (`atax` of the BLAS benchmarks).

use lift::lift;
use lift_corpus::benchmarks::NORMAL_PRODUCT;

use std::cell::OnceCell;

use super::{dot_product, elements, input};
use crate::case::{Benchmark, Case, Input, Meaning, Pair, Work};
use crate::generated::generated;
use crate::options::Scale;
use crate::plan::Argument::{Input as In, Output, Scratch};
use crate::plan::{Plan, int};

const SOURCE: &str = include_str!("../../kernels/normal_product.cl");

/// The number of chunks of rows that different work-items add up before their sums are added.
const CHUNKS: usize = 64;

/// The length of a row. It is a constant in the program of one pass, so that what a work-item keeps of a row
/// is in registers.
const COLUMNS: usize = 8192;

/// The number of elements of a row that the work-items of a group take at once: 512 vectors of four.
const STEP: usize = 2048;

/// The number of work-groups of the kernel that does both products: nearly one on each of 132
/// multiprocessors, and a power of two, so that all have equally many rows.
const GROUPS: usize = 128;

include!("../../../corpus/benchmarks/normal_product.rs");

/// `A^T (A x)` at its size.
pub(crate) fn benchmarks(scale: Scale) -> Vec<Benchmark> {
    let (rows, columns) = scale.pick((8192, COLUMNS), (4096, COLUMNS), (256, COLUMNS));
    vec![Benchmark::new("A^T (A x)", format!("{rows}x{columns}"), move || case(rows, columns))]
}

fn case(rows: usize, columns: usize) -> Case {
    let (n, m) = (int(rows), int(columns));
    let naive = Plan::new(SOURCE)
        .scratch(rows)
        .launch("naive_product", [rows / 128], [128], &[In(0), In(1), Scratch(0), m])
        .launch("naive_transposed_product", [columns / 128], [128], &[In(0), Scratch(0), Output(0), n, m]);
    let chunk = int(rows / CHUNKS);
    let chunks = Plan::new(SOURCE)
        .scratch(rows)
        .scratch(CHUNKS * columns)
        .launch("product", [rows], [128], &[In(0), In(1), Scratch(0), m])
        .launch(
            "transposed_product",
            [columns / 256, CHUNKS],
            [64, 1],
            &[In(0), Scratch(0), Scratch(1), m, chunk],
        )
        .launch("add_chunks", [columns / 64], [64], &[Scratch(1), Output(0), m, int(CHUNKS)]);
    let one_pass = Plan::new(SOURCE)
        .define("PER_ITEM", columns / STEP)
        .scratch(GROUPS * columns)
        .launch("one_pass", [GROUPS], [512], &[In(0), In(1), Scratch(0), n])
        .launch("add_chunks", [columns / 64], [64], &[Scratch(0), Output(0), m, int(GROUPS)]);
    Case {
        inputs: vec![Input::whole_numbers(8, &[rows, columns]), Input::whole_numbers(9, &[columns])],
        outputs: vec![columns],
        meaning: meaning(rows, columns),
        work: Work::Operations(4.0 * (rows * columns) as f64),
        pairs: vec![
            Pair::new(
                "naive, two kernels",
                naive,
                generated!(atax_naive, NORMAL_PRODUCT, (a @ 0: Ix2, x @ 1: Ix1)),
            ),
            Pair::new(
                "row per work-group, then columns in chunks, float4",
                chunks,
                generated!(atax_groups, NORMAL_PRODUCT, (a @ 0: Ix2, x @ 1: Ix1)),
            ),
            Pair::new(
                "one pass, two rows at a time in registers, the next two loaded early, float4",
                one_pass,
                generated!(atax_one_pass, NORMAL_PRODUCT, (a @ 0: Ix2, x @ 1: Ix1)),
            ),
        ],
        high_level: Some(generated!(atax, NORMAL_PRODUCT, (a @ 0: Ix2, x @ 1: Ix1))),
    }
}

fn meaning(rows: usize, columns: usize) -> Meaning {
    let first = OnceCell::new();
    Meaning::exact(rows, move |inputs, position| {
        let products = first.get_or_init(|| {
            elements(inputs, 0)
                .chunks(columns)
                .map(|row| dot_product(row, elements(inputs, 1)))
                .collect::<Vec<_>>()
        });
        let a = input(inputs, 0);
        products.iter().enumerate().map(|(row, y)| a.at(row * columns + position) * y).sum()
    })
}
