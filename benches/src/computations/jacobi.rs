//! Jacobi stencils in one and two dimensions, borders repeated.

use lift::lift;
use lift_corpus::benchmarks::JACOBI;

use super::{clamped, input};
use crate::case::{Benchmark, Case, Input, Meaning, Pair, Work};
use crate::generated::{Generated, generated};
use crate::options::Scale;
use crate::plan::Argument::{Input as In, Output};
use crate::plan::{Plan, int};

const SOURCE: &str = include_str!("../../kernels/jacobi.cl");

/// The rows of a work-item in the kernels that keep rows in rolling registers.
const ROWS: usize = 4;

include!("../../../corpus/benchmarks/jacobi.rs");

/// Jacobi stencils at their sizes.
pub(crate) fn benchmarks(scale: Scale) -> Vec<Benchmark> {
    let exponent = scale.pick(26, 24, 16);
    let n = scale.pick(8192, 2048, 256);
    let plane = |name, make: fn(usize) -> Case| Benchmark::new(name, format!("{n}x{n}"), move || make(n));
    vec![
        Benchmark::new("Jacobi 3-point 1D", format!("2^{exponent}"), move || line_case(1 << exponent)),
        plane("Jacobi 5-point 2D", five_case),
        plane("Jacobi 9-point 2D", nine_case),
    ]
}

fn line_case(n: usize) -> Case {
    let plan = |entry, items: usize| {
        Plan::new(SOURCE).launch(entry, [items / 256], [256], &[In(0), Output(0), int(n)])
    };
    let element = move |inputs: &[Input], position: usize| {
        let a = |offset| input(inputs, 0).at(clamped(position, offset, n));
        0.25 * a(-1) + 0.5 * a(0) + 0.25 * a(1)
    };
    Case {
        inputs: vec![Input::whole_numbers(10, &[n])],
        outputs: vec![n],
        meaning: Meaning::exact(3, element),
        work: Work::Bytes(8.0 * n as f64),
        pairs: vec![
            Pair::new("naive", plan("line", n), generated!(line, JACOBI, (a @ 0: Ix1))),
            Pair::new(
                "tile in local memory",
                plan("line_tiled", n),
                generated!(line_tiled, JACOBI, (a @ 0: Ix1)),
            ),
            Pair::new("float4", plan("line_float4", n / 4), generated!(line_float4, JACOBI, (a @ 0: Ix1))),
        ],
        high_level: Some(generated!(line_high_level, JACOBI, (a @ 0: Ix1))),
    }
}

fn five_case(n: usize) -> Case {
    let neighbours = [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)];
    plane(
        n,
        &neighbours,
        0.2,
        ("five", generated!(five, JACOBI, (a @ 0: Ix2))),
        ("five_rolling", generated!(five_rolling, JACOBI, (a @ 0: Ix2))),
        generated!(five_high_level, JACOBI, (a @ 0: Ix2)),
    )
}

fn nine_case(n: usize) -> Case {
    let neighbours: Vec<_> = (-1..=1).flat_map(|y| (-1..=1).map(move |x| (y, x))).collect();
    plane(
        n,
        &neighbours,
        1.0 / 9.0,
        ("nine", generated!(nine, JACOBI, (a @ 0: Ix2))),
        ("nine_rolling", generated!(nine_rolling, JACOBI, (a @ 0: Ix2))),
        generated!(nine_high_level, JACOBI, (a @ 0: Ix2)),
    )
}

/// The sum of a point's neighbours times a factor, with the kernels' names and the programs of the same
/// structure.
fn plane(
    n: usize,
    neighbours: &[(isize, isize)],
    factor: f32,
    naive: (&str, Generated),
    rolling: (&str, Generated),
    high_level: Generated,
) -> Case {
    let arguments = [In(0), Output(0), int(n), int(n)];
    let neighbours = neighbours.to_vec();
    let element = move |inputs: &[Input], position: usize| {
        let (y, x) = (position / n, position % n);
        let read = |&(down, right): &(isize, isize)| {
            input(inputs, 0).at(clamped(y, down, n) * n + clamped(x, right, n))
        };
        // The product is rounded once, and the sum is exact in any order.
        f64::from(neighbours.iter().map(read).sum::<f64>() as f32 * factor)
    };
    Case {
        inputs: vec![Input::whole_numbers(11, &[n, n])],
        outputs: vec![n * n],
        meaning: Meaning::exact(9, element),
        work: Work::Bytes(8.0 * (n * n) as f64),
        pairs: vec![
            Pair::new(
                "naive",
                Plan::new(SOURCE).launch(naive.0, [n / 32, n / 8], [32, 8], &arguments),
                naive.1,
            ),
            Pair::new(
                "4 rows roll through registers, float4",
                Plan::new(SOURCE).define("PER_ITEM", ROWS).launch(
                    rolling.0,
                    [n / 256, n / (4 * ROWS)],
                    [64, 4],
                    &arguments,
                ),
                rolling.1,
            ),
        ],
        high_level: Some(high_level),
    }
}
