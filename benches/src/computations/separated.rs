//! The 17+17 separated convolution (Hagedorn's thesis, sections 3.2.3 to 3.2.5): rows, columns in all their
//! forms, and both.

use lift::lift;
use lift_corpus::benchmarks::SEPARATED;

use super::convolution::SOURCE;
use super::{clamped, input};
use crate::case::{Benchmark, Case, Input, Meaning, Pair, Work};
use crate::generated::{Generated, generated};
use crate::options::Scale;
use crate::plan::Argument::{Input as In, Output, Scratch};
use crate::plan::{Plan, int};

/// The row pitch of the transposed tile: padding against bank conflicts.
const PITCH: usize = 82;

include!("../../../corpus/benchmarks/separated.rs");

/// The halves of the separated convolution, and both, at their size.
pub(crate) fn benchmarks(scale: Scale) -> Vec<Benchmark> {
    let n = scale.pick(8192, 2048, 128);
    let benchmark = |name, make: fn(usize) -> Case| Benchmark::new(name, format!("{n}x{n}"), move || make(n));
    vec![
        benchmark("17 convolution, rows", rows),
        benchmark("17 convolution, columns", columns),
        benchmark("17+17 convolution", both),
    ]
}

fn rows_plan(n: usize) -> Plan {
    Plan::new(SOURCE).launch("rows17", [n / 128, n], [128, 1], &[In(0), In(1), Output(0), int(n), int(n)])
}

fn columns_plan(n: usize, entry: &str) -> Plan {
    Plan::new(SOURCE).launch(entry, [n / 16, n / 64], [16, 8], &[In(0), In(1), Output(0), int(n), int(n)])
}

fn half(
    n: usize,
    element: impl Fn(&[Input], usize) -> f64 + 'static,
    pairs: Vec<Pair>,
    high_level: Generated,
) -> Case {
    Case {
        inputs: vec![Input::whole_numbers(14, &[n, n]), Input::whole_numbers(15, &[17])],
        outputs: vec![n * n],
        meaning: Meaning::exact(17 * 4, element),
        work: Work::Bytes(8.0 * (n * n) as f64),
        pairs,
        high_level: Some(high_level),
    }
}

fn rows(n: usize) -> Case {
    let element = move |inputs: &[Input], position: usize| row_sum(inputs, 0, n, position / n, position % n);
    let program = generated!(conv_rows, SEPARATED, (a @ 0: Ix2, w @ 1: Ix1));
    let high_level = generated!(rows_high_level, SEPARATED, (a @ 0: Ix2, w @ 1: Ix1));
    half(
        n,
        element,
        vec![Pair::new("144 elements in local memory, 128 results", rows_plan(n), program)],
        high_level,
    )
}

fn columns(n: usize) -> Case {
    let element = move |inputs: &[Input], position: usize| {
        let (a, w) = (input(inputs, 0), input(inputs, 1));
        (0..17).map(|i| a.at(clamped(position / n, i as isize - 8, n) * n + position % n) * w.at(i)).sum()
    };
    half(
        n,
        element,
        vec![
            Pair::new(
                "80x16 tiles",
                columns_plan(n, "columns17"),
                generated!(conv_columns, SEPARATED, (a @ 0: Ix2, w @ 1: Ix1)),
            ),
            Pair::new(
                "80x16 tiles, transposed",
                columns_plan(n, "columns17_transposed"),
                generated!(conv_transposed, SEPARATED, (a @ 0: Ix2, w @ 1: Ix1)),
            ),
            Pair::new(
                "80x16 tiles, transposed, padded",
                columns_plan(n, "columns17_transposed").define("PITCH", PITCH),
                generated!(conv_padded, SEPARATED, (a @ 0: Ix2, w @ 1: Ix1)),
            ),
            Pair::new(
                "80x16 tiles, transposed, padded, unrolled",
                columns_plan(n, "columns17_unrolled").define("PITCH", PITCH),
                generated!(conv_unrolled, SEPARATED, (a @ 0: Ix2, w @ 1: Ix1)),
            ),
        ],
        generated!(columns_high_level, SEPARATED, (a @ 0: Ix2, w @ 1: Ix1)),
    )
}

fn both(n: usize) -> Case {
    let two_kernels = Plan::new(SOURCE)
        .define("PITCH", PITCH)
        .scratch(n * n)
        .launch("rows17", [n / 128, n], [128, 1], &[In(0), In(1), Scratch(0), int(n), int(n)])
        .launch(
            "columns17_of_both",
            [n / 16, n / 64],
            [16, 8],
            &[Scratch(0), In(1), Output(0), int(n), int(n)],
        );
    let one_kernel = Plan::new(SOURCE).launch(
        "separable",
        [n / 128, n / 64],
        [128, 4],
        &[In(0), In(1), Output(0), int(n), int(n)],
    );
    let element = move |inputs: &[Input], position: usize| {
        let row = |i: usize| clamped(position / n, i as isize - 8, n);
        (0..17).map(|i| row_sum(inputs, 0, n, row(i), position % n) * input(inputs, 1).at(17 + i)).sum()
    };
    Case {
        inputs: vec![Input::whole_numbers(14, &[n, n]), Input::whole_numbers(15, &[2, 17])],
        outputs: vec![n * n],
        meaning: Meaning::exact(17 * 17 * 4, element),
        work: Work::Bytes(8.0 * (n * n) as f64),
        pairs: vec![
            Pair::new(
                "two kernels: rows; columns transposed, padded",
                two_kernels,
                generated!(separable, SEPARATED, (a @ 0: Ix2, w @ 1: Ix2)),
            ),
            Pair::new(
                "one kernel, strip in local memory, columns in registers",
                one_kernel,
                generated!(separable_one, SEPARATED, (a @ 0: Ix2, w @ 1: Ix2)),
            ),
        ],
        high_level: Some(generated!(both_high_level, SEPARATED, (a @ 0: Ix2, w @ 1: Ix2))),
    }
}

/// The convolution of a row with the weights that begin at a position.
fn row_sum(inputs: &[Input], weights: usize, n: usize, y: usize, x: usize) -> f64 {
    let (a, w) = (input(inputs, 0), input(inputs, 1));
    (0..17).map(|j| a.at(y * n + clamped(x, j as isize - 8, n)) * w.at(weights + j)).sum()
}
