//! A matrix times several vectors.

use lift::lift;
use lift_corpus::benchmarks::RIGHT_HAND_SIDES;

use super::{elements, input};
use crate::case::{Benchmark, ByHand, Case, Input, Meaning, Pair, Work};
use crate::generated::generated;
use crate::options::Scale;
use crate::plan::Argument::{Input as In, Output};
use crate::plan::{Plan, int};

const SOURCE: &str = include_str!("../../kernels/right_hand_sides.cl");

/// Kernels by name, with the rows of a group.
const STRUCTURES: [(&str, &str, usize); 4] = [
    ("4 rows per work-group, float4", "vectors_of_four", 4),
    ("8 rows per work-group, float4", "vectors_of_four", 8),
    ("4 rows per work-group", "single_elements", 4),
    ("8 rows per work-group", "single_elements", 8),
];

include!("../../../corpus/benchmarks/right_hand_sides.rs");

/// A square matrix times two, four and eight vectors.
pub(crate) fn benchmarks(scale: Scale) -> Vec<Benchmark> {
    let n = scale.pick(8192, 2048, 512);
    let benchmark =
        |sides| Benchmark::new("matrix-vectors", format!("{n}, {sides} vectors"), move || case(n, sides));
    [2, 4, 8].map(benchmark).into()
}

fn case(n: usize, sides: usize) -> Case {
    let element = move |inputs: &[Input], position: usize| {
        let (b, side) = (input(inputs, 1), position % sides);
        let row = elements(inputs, 0).chunks(n).nth(position / sides).unwrap_or_default();
        row.iter().enumerate().map(|(column, &x)| f64::from(x) * b.at(column * sides + side)).sum()
    };
    let by_hand = STRUCTURES.map(|(structure, entry, rows)| {
        let plan = Plan::new(SOURCE).define("SIDES", sides).define("ROWS", rows);
        ByHand { structure, plan: plan.launch(entry, [n / rows], [128], &[In(0), In(1), Output(0), int(n)]) }
    });
    Case {
        inputs: vec![Input::whole_numbers(25, &[n, n]), Input::whole_numbers(26, &[n, sides])],
        outputs: vec![n * sides],
        meaning: Meaning::exact(n, element),
        work: Work::Bytes(4.0 * (n * n) as f64),
        pairs: vec![Pair {
            by_hand: by_hand.to_vec(),
            program: generated!(several_products, RIGHT_HAND_SIDES, (a @ 0: Ix2, b @ 1: Ix2)),
        }],
        high_level: None,
    }
}
