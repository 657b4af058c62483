//! The dot product of two vectors.

use std::sync::Arc;

use lift::ndarray::Array1;
use lift::{Device, lift};
use rayon::prelude::*;

use super::{Case, Kind, numbers, profiled, timed};

include!("../../../../corpus/host/dot.rs");

/// The number of accumulators that are summed up side by side.
const LANES: usize = 32;

/// The number of elements of a task.
const TASK: usize = 1 << 16;

fn hand_written(x: &[f32], y: &[f32]) -> f32 {
    x.par_chunks(TASK).zip(y.par_chunks(TASK)).map(|(x, y)| of_part(x, y)).sum()
}

fn of_part(x: &[f32], y: &[f32]) -> f32 {
    let (x_lines, x_rest) = x.as_chunks::<LANES>();
    let (y_lines, y_rest) = y.as_chunks::<LANES>();
    let mut sums = [0.0f32; LANES];
    for (x, y) in x_lines.iter().zip(y_lines) {
        for ((sum, x), y) in sums.iter_mut().zip(x).zip(y) {
            *sum += x * y;
        }
    }
    sums.iter().sum::<f32>() + x_rest.iter().zip(y_rest).map(|(x, y)| x * y).sum::<f32>()
}

pub(super) fn case(n: usize, host: &Device, opencl: Option<&Device>) -> lift::Result<Case> {
    let (x, y) = (Arc::new(Array1::from_vec(numbers(1, n))), Arc::new(Array1::from_vec(numbers(2, n))));
    let one = |sum: f32| vec![sum];
    let mut contestants = Vec::new();
    let (a, b, kernel) = (x.clone(), y.clone(), dot::on(host)?);
    contestants.push(timed(Kind::Lift, move || kernel.run(&*a, &*b), one));
    let (a, b) = (x.to_vec(), y.to_vec());
    contestants.push(timed(Kind::HandWritten, move || Ok(hand_written(&a, &b)), one));
    if let Some(device) = opencl {
        let (a, b, kernel) = (device.upload(&*x)?, device.upload(&*y)?, dot::on(device)?);
        contestants.push(profiled(move || kernel.profile(&a, &b), one));
    }
    let (a, b) = (x.clone(), y.clone());
    contestants.push(timed(Kind::Ndarray, move || Ok(a.dot(&*b)), one));
    let meaning = move |_| x.iter().zip(&*y).map(|(&x, &y)| f64::from(x) * f64::from(y)).sum();
    Ok(Case { length: 1, meaning: Box::new(meaning), tolerance: 1e-3 * (n as f64).sqrt(), contestants })
}
