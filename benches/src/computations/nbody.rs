//! Gravitational accelerations between all pairs of bodies.

use lift::lift;
use lift_corpus::benchmarks::NBODY;

use super::input;
use crate::case::{Benchmark, Case, Input, Meaning, Pair, Work};
use crate::generated::generated;
use crate::options::Scale;
use crate::plan::Argument::{Input as In, Output};
use crate::plan::{Plan, int};

const SOURCE: &str = include_str!("../../kernels/nbody.cl");

include!("../../../corpus/benchmarks/nbody.rs");

/// All pairs of bodies, at their size.
pub(crate) fn benchmarks(scale: Scale) -> Vec<Benchmark> {
    let n = scale.pick(16384, 4096, 1024);
    vec![Benchmark::new("n-body", n, move || case(n))]
}

fn case(n: usize) -> Case {
    let plan = |entry, bodies, local: [usize; 2]| {
        Plan::new(SOURCE).launch(entry, [n / bodies, 1], local, &[In(0), Output(0), int(n)])
    };
    let mut bodies = Input::fractions(16, &[n, 4]);
    bodies.elements.chunks_mut(4).for_each(|body| body[3] = body[3].abs());
    Case {
        inputs: vec![bodies],
        outputs: vec![4 * n],
        // Sums of `n` terms of either sign, each below 2000; a sum is about as large as `n` times a tenth.
        meaning: Meaning {
            element: Box::new(acceleration),
            operations: 20 * n,
            tolerance: 1e-4,
            magnitude: n as f64 * 0.1,
        },
        work: Work::Operations(20.0 * (n as f64).powi(2)),
        pairs: vec![
            Pair::new("flat", plan("flat", 256, [256, 1]), generated!(nbody_flat, NBODY, (bodies @ 0: Ix2))),
            Pair::new(
                "256 bodies in local memory",
                plan("tiled", 256, [256, 1]),
                generated!(nbody_tiled, NBODY, (bodies @ 0: Ix2)),
            ),
            Pair::new(
                "256 bodies in local memory, 4 per work-item, 8 slices",
                plan("sliced", 128, [32, 8]),
                generated!(nbody_sliced, NBODY, (bodies @ 0: Ix2)),
            ),
        ],
        high_level: Some(generated!(nbody_high_level, NBODY, (bodies @ 0: Ix2))),
    }
}

fn acceleration(inputs: &[Input], position: usize) -> f64 {
    let bodies = input(inputs, 0);
    let (body, axis) = (position / 4, position % 4);
    if axis == 3 {
        return 0.0;
    }
    let pull = |other: usize| {
        let distance = |axis| bodies.at(4 * other + axis) - bodies.at(4 * body + axis);
        let squared: f64 = (0..3).map(|axis| distance(axis) * distance(axis)).sum();
        distance(axis) * bodies.at(4 * other + 3) / (squared + 0.01).powf(1.5)
    };
    (0..bodies.elements.len() / 4).map(pull).sum()
}
