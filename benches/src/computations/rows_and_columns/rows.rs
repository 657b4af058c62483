//! Sums, softmax and layer norm of the rows of a matrix. By hand, a row is read once, and its elements stay
//! in registers until the result is written.

use std::cell::OnceCell;

use lift_corpus::benchmarks::ROWS_AND_COLUMNS;

use super::{layer_norm, row_sums, softmax};
use crate::case::{Benchmark, ByHand, Case, Input, Meaning, Pair, Work};
use crate::computations::{elements, input};
use crate::generated::{Generated, generated};
use crate::options::Scale;
use crate::plan::Argument::{Input as In, Output};
use crate::plan::{Argument, Plan};

const SOURCE: &str = include_str!("../../../kernels/rows.cl");

/// The lengths of rows: short, no power of two, and long.
const COLUMNS: [usize; 4] = [128, 1000, 1024, 8192];

/// How work-items may share rows: by name, the work-items of a row, and the rows of a group.
const SHARED: [(&str, usize, usize); 4] = [
    ("32 work-items per row, 4 rows per work-group, float4", 32, 4),
    ("128 work-items per row, float4", 128, 1),
    ("256 work-items per row, float4", 256, 1),
    ("512 work-items per row, float4", 512, 1),
];

/// The vectors of four that a work-item keeps in registers at most.
const MOST_VECTORS: usize = 16;

/// Makes a case for a matrix, from its number of rows and its number of columns.
type MakeCase = fn(usize, usize) -> Case;

/// All three, for rows of each length.
pub(crate) fn benchmarks(scale: Scale) -> Vec<Benchmark> {
    let rows = scale.pick(4096, 1024, 32);
    let computations: [(&str, MakeCase); 3] =
        [("row sums", row_sums_case), ("softmax", softmax_case), ("layer norm", layer_norm_case)];
    let benchmarks = computations.into_iter().flat_map(|(name, make)| {
        COLUMNS.map(|columns| Benchmark::new(name, format!("{rows}x{columns}"), move || make(rows, columns)))
    });
    benchmarks.collect()
}

/// A kernel in all ways to share rows of this length, beside a program.
fn pair(entry: &str, rows: usize, columns: usize, arguments: &[Argument], program: Generated) -> Pair {
    let vectors = columns / 4;
    let fits = |items: usize| items <= vectors.next_power_of_two() && vectors.div_ceil(items) <= MOST_VECTORS;
    let by_hand =
        SHARED.into_iter().filter(|&(_, items, _)| fits(items)).map(|(structure, items, at_once)| {
            let plan =
                Plan::new(SOURCE).define("COLUMNS", columns).define("ITEMS", items).define("ROWS", at_once);
            ByHand { structure, plan: plan.launch(entry, [1, rows / at_once], [items, at_once], arguments) }
        });
    Pair { by_hand: by_hand.collect(), program }
}

fn row_sums_case(rows: usize, columns: usize) -> Case {
    let element = move |inputs: &[Input], position: usize| {
        row(inputs, columns, position).iter().map(|&x| f64::from(x)).sum()
    };
    let program = generated!(row_sums, ROWS_AND_COLUMNS, (a @ 0: Ix2));
    Case {
        inputs: vec![Input::whole_numbers(17, &[rows, columns])],
        outputs: vec![rows],
        meaning: Meaning::exact(columns, element),
        work: Work::Bytes(4.0 * (rows * columns) as f64),
        pairs: vec![pair("row_sums", rows, columns, &[In(0), Output(0)], program)],
        high_level: None,
    }
}

fn softmax_case(rows: usize, columns: usize) -> Case {
    let element = move |inputs: &[Input], position: usize| {
        let row = row(inputs, columns, position / columns);
        let total: f64 = row.iter().map(|&x| f64::from(x).exp()).sum();
        input(inputs, 0).at(position).exp() / total
    };
    let program = generated!(softmax, ROWS_AND_COLUMNS, (a @ 0: Ix2));
    Case {
        inputs: vec![Input::fractions(18, &[rows, columns])],
        outputs: vec![rows * columns],
        meaning: Meaning {
            element: Box::new(element),
            operations: 16 * columns,
            tolerance: 1e-4,
            magnitude: 0.0,
        },
        work: Work::Bytes(8.0 * (rows * columns) as f64),
        pairs: vec![pair("softmax", rows, columns, &[In(0), Output(0)], program)],
        high_level: None,
    }
}

fn layer_norm_case(rows: usize, columns: usize) -> Case {
    let moments = OnceCell::new();
    let element = move |inputs: &[Input], position: usize| {
        let moments = moments
            .get_or_init(|| elements(inputs, 0).chunks(columns).map(mean_and_variance).collect::<Vec<_>>());
        let (mean, variance) = moments.get(position / columns).copied().unwrap_or((f64::NAN, f64::NAN));
        let column = position % columns;
        let (gain, bias) = (input(inputs, 1).at(column), input(inputs, 2).at(column));
        (input(inputs, 0).at(position) - mean) / (variance + 0.00001).sqrt() * gain + bias
    };
    let program = generated!(layer_norm, ROWS_AND_COLUMNS, (a @ 0: Ix2, gain @ 1: Ix1, bias @ 2: Ix1));
    Case {
        inputs: vec![
            Input::fractions(19, &[rows, columns]),
            Input::fractions(20, &[columns]),
            Input::fractions(21, &[columns]),
        ],
        outputs: vec![rows * columns],
        // Results are about as large as one, and cancel.
        meaning: Meaning { element: Box::new(element), operations: 16, tolerance: 1e-4, magnitude: 1.0 },
        work: Work::Bytes(8.0 * (rows * columns) as f64),
        pairs: vec![pair("layer_norm", rows, columns, &[In(0), In(1), In(2), Output(0)], program)],
        high_level: None,
    }
}

/// The row of the matrix at a position.
fn row(inputs: &[Input], columns: usize, position: usize) -> &[f32] {
    elements(inputs, 0).chunks(columns).nth(position).unwrap_or_default()
}

fn mean_and_variance(row: &[f32]) -> (f64, f64) {
    let length = row.len() as f64;
    let mean = row.iter().map(|&x| f64::from(x)).sum::<f64>() / length;
    (mean, row.iter().map(|&x| (f64::from(x) - mean).powi(2)).sum::<f64>() / length)
}
