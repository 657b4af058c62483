//! Gravitational accelerations between all pairs of bodies.

use super::input;
use crate::case::{Benchmark, Case, Input, Meaning, Pair, Work};
use crate::generated::{generated, program};
use crate::options::Scale;
use crate::plan::Argument::{Input as In, Output};
use crate::plan::{Plan, int};

const SOURCE: &str = include_str!("../../kernels/nbody.cl");

program! { NBODY:
    fn attract(acc: (f32, f32, f32), x: f32, y: f32, z: f32, ox: f32, oy: f32, oz: f32, mass: f32) -> (f32, f32, f32) {
        let dx = ox - x; let dy = oy - y; let dz = oz - z;
        let inverse = native_rsqrt(dx * dx + dy * dy + dz * dz + 0.01);
        let pull = mass * inverse * inverse * inverse;
        (acc.0 + dx * pull, acc.1 + dy * pull, acc.2 + dz * pull)
    }
    #[launch(local = 256, global = N)]
    fn nbody_flat<const N: usize>(bodies: [[f32; 4]; N]) -> [[f32; 4]; N] where N % 256 == 0 {
        bodies >> mapGlb0(|p| {
            let own = p >> asVector(4) >> toPrivate(mapSeq(id)) >> asScalar;
            let sum = bodies >> split(4) >> reduceSeq(|sum, four| four >> reduceSeqUnroll(|acc, body| {
                let q = body >> asVector(4) >> toPrivate(mapSeq(id)) >> asScalar;
                attract(acc, at(0, own), at(1, own), at(2, own), at(0, q), at(1, q), at(2, q), at(3, q))
            }, sum), (0, 0, 0));
            [sum.0, sum.1, sum.2, 0] >> asVector(4) >> toGlobal(mapSeq(id)) >> asScalar
        })
    }

    #[launch(local = 256, global = N)]
    fn nbody_tiled<const N: usize>(bodies: [[f32; 4]; N]) -> [[f32; 4]; N] where N % 256 == 0 {
        bodies >> split(256) >> mapWrg0(|group| {
            let own = group >> map(asVector(4)) >> toPrivate(mapLcl0(mapSeq(id))) >> map(asScalar);
            bodies >> split(256) >> reduceSeq(|sums, tile| {
                let others = tile >> map(asVector(4)) >> toLocal(mapLcl0(mapSeq(id))) >> map(asScalar);
                zip(own, sums) >> mapLcl0(|(p, sum)|
                    others >> reduceSeq(|acc, body| {
                        let q = body >> asVector(4) >> toPrivate(mapSeq(id)) >> asScalar;
                        attract(acc, at(0, p), at(1, p), at(2, p), at(0, q), at(1, q), at(2, q), at(3, q))
                    }, sum))
            }, repeat(256, (0, 0, 0)))
                >> mapLcl0(|sum| [sum.0, sum.1, sum.2, 0] >> asVector(4) >> toGlobal(mapSeq(id)) >> asScalar)
        }) >> join
    }

    #[launch(local = (32, 8), global = (N / 4, 8))]
    fn nbody_sliced<const N: usize>(bodies: [[f32; 4]; N]) -> [[f32; 4]; N] where N % 256 == 0 {
        bodies >> split(128) >> mapWrg0(|group| {
            let own = group >> split(32) >> transpose
                >> toPrivate(mapLcl0(|four| four >> map(asVector(4)) >> mapSeq(mapSeq(id)))) >> map(map(asScalar));
            let parts = bodies >> split(256) >> reduceSeq(|sums, tile| {
                    let others = tile >> split(32) >> map(map(asVector(4))) >> toLocal(mapLcl1(mapLcl0(mapSeq(id)))) >> map(map(asScalar));
                    zip(sums, others) >> mapLcl1(|(slice, others)|
                        zip(slice, own) >> mapLcl0(|(acc, four)|
                            others >> split(8) >> reduceSeq(|sums, eight| eight >> reduceSeqUnroll(|acc, body| {
                                let q = body >> asVector(4) >> toPrivate(mapSeq(id)) >> asScalar;
                                zip(acc, four) >> mapSeqUnroll(|(sum, p)|
                                    attract(sum, at(0, p), at(1, p), at(2, p), at(0, q), at(1, q), at(2, q), at(3, q)))
                            }, sums), acc)))
                }, repeat(8, repeat(32, repeat(4, (0, 0, 0)))))
                >> toLocal(mapLcl1(mapLcl0(mapSeqUnroll(id))));
            parts >> map(transpose >> join) >> transpose >> split(32) >> mapLcl1(mapLcl0(|slices| {
                let sum = slices >> reduceSeq(|(x, y, z), (u, v, w)| (x + u, y + v, z + w), (0, 0, 0));
                [sum.0, sum.1, sum.2, 0] >> toGlobal(mapSeq(id))
            })) >> join
        }) >> join
    }
}

/// All pairs of bodies, at their size.
pub(crate) fn benchmarks(scale: Scale) -> Vec<Benchmark> {
    let n = scale.pick(16384, 4096, 1024);
    vec![Benchmark::new("n-body", n, move || case(n))]
}

fn case(n: usize) -> Case {
    let plan = |entry, bodies, local: [usize; 2]| {
        Plan::new(SOURCE).launch(entry, [n / bodies, 1], local, &[In(0), Output, int(n)])
    };
    let mut bodies = Input::fractions(16, &[n, 4]);
    bodies.elements.chunks_mut(4).for_each(|body| body[3] = body[3].abs());
    Case {
        inputs: vec![bodies],
        output: 4 * n,
        // Sums of `n` terms of either sign, each below 2000; about as large as `n` times a tenth.
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
