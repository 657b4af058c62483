//! Gravitational accelerations between all pairs of bodies.

use std::sync::Arc;

use lift::ndarray::Array1;
use lift::{Device, lift};
use rayon::prelude::*;

use super::{Case, Kind, numbers, profiled, timed};

include!("../../../../corpus/host/nbody.rs");

/// The number of bodies whose accelerations are summed up side by side.
const LANES: usize = 16;

/// The coordinates and the mass of all bodies.
type Bodies = [Vec<f32>; 4];

/// Blocks of bodies in parallel; each reads all bodies once.
fn hand_written([x, y, z, mass]: &Bodies) -> [Vec<f32>; 3] {
    let n = x.len();
    let [mut ax, mut ay, mut az] = [vec![0.0; n], vec![0.0; n], vec![0.0; n]];
    let results = ax.par_chunks_mut(LANES).zip(ay.par_chunks_mut(LANES)).zip(az.par_chunks_mut(LANES));
    let own = x.par_chunks(LANES).zip(y.par_chunks(LANES)).zip(z.par_chunks(LANES));
    results.zip(own).for_each(|(((ax, ay), az), ((px, py), pz))| {
        let count = px.len();
        let mut own = [[0.0f32; LANES]; 3];
        for (own, given) in own.iter_mut().zip([px, py, pz]) {
            own[..count].copy_from_slice(given);
        }
        let [px, py, pz] = own;
        let mut sums = [[0.0f32; LANES]; 3];
        for (((&qx, &qy), &qz), &mass) in x.iter().zip(y).zip(z).zip(mass) {
            for lane in 0..LANES {
                let (dx, dy, dz) = (qx - px[lane], qy - py[lane], qz - pz[lane]);
                let squared = dx * dx + dy * dy + dz * dz + 0.01;
                let pull = mass / (squared * squared.sqrt());
                sums[0][lane] += dx * pull;
                sums[1][lane] += dy * pull;
                sums[2][lane] += dz * pull;
            }
        }
        for (result, sums) in [ax, ay, az].into_iter().zip(sums) {
            result.copy_from_slice(&sums[..count]);
        }
    });
    [ax, ay, az]
}

pub(super) fn case(n: usize, host: &Device, opencl: Option<&Device>) -> lift::Result<Case> {
    let masses: Vec<f32> = numbers(4, n).into_iter().map(f32::abs).collect();
    let bodies = Arc::new([numbers(1, n), numbers(2, n), numbers(3, n), masses]);
    let tuples = |result: Array1<(f32, f32, f32)>| {
        let axis = |axis: fn(&(f32, f32, f32)) -> f32| result.iter().map(axis).collect::<Vec<_>>();
        [axis(|sum| sum.0), axis(|sum| sum.1), axis(|sum| sum.2)].concat()
    };
    let mut contestants = Vec::new();
    let (given, kernel) = (bodies.clone(), nbody::on(host)?);
    contestants.push(timed(
        Kind::Lift,
        move || {
            let [x, y, z, mass] = &*given;
            kernel.run(x, y, z, mass)
        },
        tuples,
    ));
    let given = bodies.clone();
    contestants.push(timed(Kind::HandWritten, move || Ok(hand_written(&given)), |axes| axes.concat()));
    if let Some(device) = opencl {
        let [x, y, z, mass] = &*bodies;
        let given = (device.upload(x)?, device.upload(y)?, device.upload(z)?, device.upload(mass)?);
        let kernel = nbody::on(device)?;
        contestants.push(profiled(move || kernel.profile(&given.0, &given.1, &given.2, &given.3), tuples));
    }
    let meaning = move |position: usize| {
        let (axis, body) = (position / n, position % n);
        let pull = |other: usize| {
            let distance = |axis: usize| f64::from(bodies[axis][other]) - f64::from(bodies[axis][body]);
            let squared: f64 = (0..3).map(|axis| distance(axis) * distance(axis)).sum::<f64>() + 0.01;
            distance(axis) * f64::from(bodies[3][other]) / squared.powf(1.5)
        };
        (0..n).map(pull).sum()
    };
    // Sums of `n` terms of either sign, each below 400.
    Ok(Case { length: 3 * n, meaning: Box::new(meaning), tolerance: 1e-6 * n as f64, contestants })
}
