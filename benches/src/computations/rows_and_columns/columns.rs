//! The sums of the columns of a matrix, and the product of the transposed matrix with a vector.

use std::cell::OnceCell;

use lift_corpus::benchmarks::ROWS_AND_COLUMNS;

use super::{column_sums, matrix_vector_transposed};
use crate::case::{Benchmark, ByHand, Case, Input, Meaning, Pair, Work};
use crate::computations::{elements, input};
use crate::generated::{Generated, generated};
use crate::options::Scale;
use crate::plan::Argument::{Input as In, Output, Scratch};
use crate::plan::{Argument, Plan, int};

const SOURCE: &str = include_str!("../../../kernels/columns.cl");

/// The numbers of pieces of columns by name.
const PIECES: [(&str, usize); 3] = [
    ("32 pieces of columns, float4, two kernels", 32),
    ("64 pieces of columns, float4, two kernels", 64),
    ("128 pieces of columns, float4, two kernels", 128),
];

/// Makes a case for square matrices of a size.
type MakeCase = fn(usize) -> Case;

/// Both, for square matrices.
pub(crate) fn benchmarks(scale: Scale) -> Vec<Benchmark> {
    let sizes = scale.pick(&[4096, 8192][..], &[2048, 4096], &[256]);
    let computations: [(&str, MakeCase); 2] = [("column sums", sums), ("transposed matrix-vector", product)];
    let benchmarks = computations.into_iter().flat_map(|(name, make)| {
        sizes.iter().map(move |&n| Benchmark::new(name, format!("{n}x{n}"), move || make(n)))
    });
    benchmarks.collect()
}

/// A kernel for all numbers of pieces, beside a program.
fn pair(entry: &str, n: usize, inputs: &[Argument], program: Generated) -> Pair {
    let by_hand = PIECES.map(|(structure, pieces)| {
        let arguments = [inputs, &[Scratch(0), int(n), int(n / pieces)]].concat();
        let plan = Plan::new(SOURCE)
            .scratch(pieces * n)
            .launch(entry, [n / 256, pieces], [64, 1], &arguments)
            .launch("add_pieces", [n / 32, 1], [32, 8], &[Scratch(0), Output(0), int(n), int(pieces)]);
        ByHand { structure, plan }
    });
    Pair { by_hand: by_hand.to_vec(), program }
}

fn sums(n: usize) -> Case {
    Case {
        inputs: vec![Input::whole_numbers(22, &[n, n])],
        outputs: vec![n],
        meaning: meaning(n, |_, _| 1.0),
        work: Work::Bytes(4.0 * (n * n) as f64),
        pairs: vec![pair(
            "column_sums",
            n,
            &[In(0)],
            generated!(column_sums, ROWS_AND_COLUMNS, (a @ 0: Ix2)),
        )],
        high_level: None,
    }
}

fn product(n: usize) -> Case {
    let program = generated!(matrix_vector_transposed, ROWS_AND_COLUMNS, (a @ 0: Ix2, x @ 1: Ix1));
    Case {
        inputs: vec![Input::whole_numbers(23, &[n, n]), Input::whole_numbers(24, &[n])],
        outputs: vec![n],
        meaning: meaning(n, |inputs, row| input(inputs, 1).at(row)),
        work: Work::Bytes(4.0 * (n * n) as f64),
        pairs: vec![pair("transposed_product", n, &[In(0), In(1)], program)],
        high_level: None,
    }
}

/// The sums of columns, with a weight for each row. All are computed at once, because a column by itself
/// would be read from as many places as there are rows.
fn meaning(n: usize, weight: impl Fn(&[Input], usize) -> f64 + 'static) -> Meaning {
    let all = OnceCell::new();
    Meaning::exact(n, move |inputs, position| {
        let all = all.get_or_init(|| {
            let mut sums = vec![0.0; n];
            for (row, row_elements) in elements(inputs, 0).chunks(n).enumerate() {
                let weight = weight(inputs, row);
                sums.iter_mut().zip(row_elements).for_each(|(sum, &x)| *sum += weight * f64::from(x));
            }
            sums
        });
        all.get(position).copied().unwrap_or(f64::NAN)
    })
}
