//! Gravitational accelerations between all pairs of bodies.

use super::input;
use crate::case::{Benchmark, Case, Input, Meaning, Pair, Work};
use crate::generated::{generated, program};
use crate::options::Scale;
use crate::plan::Argument::{Input as In, Output};
use crate::plan::{Plan, int};

const SOURCE: &str = include_str!("../../kernels/nbody.cl");

program! { NBODY:
    fn attract(acc: f32x4, d: f32x4, squared: f32, mass: f32) -> f32x4 {
        let inverse = native_rsqrt(squared + 0.01);
        acc + d * (mass * inverse * inverse * inverse)
    }
    fn pull(p: (f32, f32, f32), q: (f32, f32, f32, f32)) -> (f32, f32, f32) {
        let x = q.0 - p.0; let y = q.1 - p.1; let z = q.2 - p.2;
        let inverse = native_rsqrt(x * x + y * y + z * z + 0.01);
        let factor = q.3 * inverse * inverse * inverse;
        (x * factor, y * factor, z * factor)
    }
    fn sum(a: (f32, f32, f32), b: (f32, f32, f32)) -> (f32, f32, f32) { (a.0 + b.0, a.1 + b.1, a.2 + b.2) }
    fn nbody_high_level<const N: usize>(bodies: [[f32; 4]; N]) -> [[f32; 4]; N] {
        bodies >> map(|p| {
            let s = bodies >> map(|q| pull((at(0, p), at(1, p), at(2, p)), (at(0, q), at(1, q), at(2, q), at(3, q)))) >> reduce(sum, (0, 0, 0));
            [s.0, s.1, s.2, 0]
        })
    }
    #[launch(local = 256, global = N)]
    fn nbody_flat<const N: usize>(bodies: [[f32; 4]; N]) -> [[f32; 4]; N] where N % 256 == 0 {
        bodies >> map(asVector(4)) >> mapGlb0(|own| {
            let p = own >> toPrivate(mapSeq(id)) >> head;
            let sum = bodies >> map(asVector(4)) >> reduceSeq(|acc, other| {
                let q = other >> toPrivate(mapSeq(id));
                let d = head(q) - p;
                let c = [d] >> asScalar;
                attract(acc, d, at(0, c) * at(0, c) + at(1, c) * at(1, c) + at(2, c) * at(2, c), q >> asScalar >> last)
            }, 0) ;
            let s = [sum] >> asScalar;
            [at(0, s), at(1, s), at(2, s), 0] >> asVector(4) >> toGlobal(mapSeq(id))
        }) >> map(asScalar)
    }
    #[launch(local = 256, global = N)]
    fn nbody_tiled<const N: usize>(bodies: [[f32; 4]; N]) -> [[f32; 4]; N] where N % 256 == 0 {
        bodies >> map(asVector(4)) >> split(256) >> mapWrg0(|group| {
            let own = group >> toPrivate(mapLcl0(mapSeq(id)));
            bodies >> map(asVector(4)) >> split(256) >> reduceSeq(|sums, tile| {
                let others = tile >> toLocal(mapLcl0(mapSeq(id)));
                zip(own, sums) >> mapLcl0(|(p, sum)|
                    others >> reduceSeq(|acc, other| {
                        let q = other >> toPrivate(mapSeq(id));
                        let d = head(q) - head(p);
                        let c = [d] >> asScalar;
                        attract(acc, d, at(0, c) * at(0, c) + at(1, c) * at(1, c) + at(2, c) * at(2, c), q >> asScalar >> last)
                    }, sum))
            }, repeat(256, repeat(4, 0) >> asVector(4) >> head))
                >> mapLcl0(|sum| { let s = [sum] >> asScalar; [at(0, s), at(1, s), at(2, s), 0] >> asVector(4) >> toGlobal(mapSeq(id)) })
        }) >> join >> map(asScalar)
    }

    #[launch(local = (32, 8), global = (N / 4, 8))]
    fn nbody_sliced<const N: usize>(bodies: [[f32; 4]; N]) -> [[f32; 4]; N] where N % 256 == 0 {
        bodies >> map(asVector(4)) >> split(128) >> mapWrg0(|group| {
            let own = group >> split(32) >> transpose >> toPrivate(mapLcl0(mapSeq(mapSeq(id))));
            let parts = bodies >> map(asVector(4)) >> split(256) >> reduceSeq(|sums, tile| {
                    let others = tile >> split(32) >> toLocal(mapLcl1(mapLcl0(mapSeq(id))));
                    zip(sums, others) >> mapLcl1(|(slice, others)|
                        zip(slice, own) >> mapLcl0(|(acc, four)|
                            others >> split(8) >> reduceSeq(|sums, eight| eight >> reduceSeqUnroll(|acc, other| {
                                let q = other >> toPrivate(mapSeq(id));
                                zip(acc, four) >> mapSeqUnroll(|(sum, p)| {
                                    let d = head(q) - head(p);
                                    let c = [d] >> asScalar;
                                    attract(sum, d, at(0, c) * at(0, c) + at(1, c) * at(1, c) + at(2, c) * at(2, c), q >> asScalar >> last)
                                })
                            }, sums), acc)))
                }, repeat(8, repeat(32, repeat(16, 0) >> asVector(4))))
                >> toLocal(mapLcl1(mapLcl0(mapSeqUnroll(id))));
            parts >> map(transpose >> join) >> transpose >> split(32) >> mapLcl1(mapLcl0(|slices| {
                let s = [slices >> reduceSeqUnroll(add, 0)] >> asScalar;
                [at(0, s), at(1, s), at(2, s), 0] >> asVector(4) >> toGlobal(mapSeq(id))
            })) >> join
        }) >> join >> map(asScalar)
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
