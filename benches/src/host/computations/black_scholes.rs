//! Prices of European options (Black and Scholes, 1973), with the normal distribution of Abramowitz and
//! Stegun, 26.2.17.

use std::sync::Arc;

use lift::ndarray::Array1;
use lift::{Device, lift};
use rayon::prelude::*;

use super::{Case, Kind, numbers, profiled, timed};
use crate::black_scholes::prices;

include!("../../../../corpus/host/black_scholes.rs");

/// Interest and volatility.
const R: f32 = 0.02;
const V: f32 = 0.3;

fn normal_by_hand(d: f32) -> f32 {
    let k = 1.0 / (1.0 + 0.231_641_9 * d.abs());
    let series =
        k * (0.319_381_53 + k * (-0.356_563_78 + k * (1.781_477_9 + k * (-1.821_256 + k * 1.330_274_5))));
    let upper = 0.398_942_3 * (-0.5 * d * d).exp() * series;
    if d > 0.0 { 1.0 - upper } else { upper }
}

fn price_by_hand(s: f32, x: f32, t: f32) -> (f32, f32) {
    let deviation = V * t.sqrt();
    let d1 = ((s / x).ln() + (R + 0.5 * V * V) * t) / deviation;
    let d2 = d1 - deviation;
    let discounted = x * (-R * t).exp();
    let (n1, n2) = (normal_by_hand(d1), normal_by_hand(d2));
    (s * n1 - discounted * n2, discounted * (1.0 - n2) - s * (1.0 - n1))
}

/// The number of options of a task.
const TASK: usize = 1 << 12;

/// The prices of calls, and those of puts.
fn hand_written([s, x, t]: &[Vec<f32>; 3]) -> (Vec<f32>, Vec<f32>) {
    let (mut calls, mut puts) = (vec![0.0; s.len()], vec![0.0; s.len()]);
    let inputs = s.par_chunks(TASK).zip(x.par_chunks(TASK)).zip(t.par_chunks(TASK));
    let results = calls.par_chunks_mut(TASK).zip(puts.par_chunks_mut(TASK));
    results.zip(inputs).for_each(|((calls, puts), ((s, x), t))| {
        for ((((call, put), &s), &x), &t) in calls.iter_mut().zip(puts).zip(s).zip(x).zip(t) {
            (*call, *put) = price_by_hand(s, x, t);
        }
    });
    (calls, puts)
}

pub(super) fn case(n: usize, host: &Device, opencl: Option<&Device>) -> lift::Result<Case> {
    let between = |salt, low: f32, high: f32| {
        let scale = |number: f32| low + (number + 1.0) / 2.0 * (high - low);
        numbers(salt, n).into_iter().map(scale).collect::<Vec<_>>()
    };
    let options = Arc::new([between(1, 5.0, 30.0), between(2, 1.0, 100.0), between(3, 0.25, 10.0)]);
    let both = |(calls, puts): (Array1<f32>, Array1<f32>)| [calls.to_vec(), puts.to_vec()].concat();
    let mut contestants = Vec::new();
    let (given, kernel) = (options.clone(), black_scholes::on(host)?);
    contestants.push(timed(Kind::Lift, move || kernel.run(&given[0], &given[1], &given[2], R, V), both));
    let given = options.clone();
    contestants.push(timed(
        Kind::HandWritten,
        move || Ok(hand_written(&given)),
        |(calls, puts)| [calls, puts].concat(),
    ));
    if let Some(device) = opencl {
        let given = (device.upload(&options[0])?, device.upload(&options[1])?, device.upload(&options[2])?);
        let kernel = black_scholes::on(device)?;
        contestants.push(profiled(move || kernel.profile(&given.0, &given.1, &given.2, R, V), both));
    }
    let meaning = move |position: usize| {
        let option = [0, 1, 2].map(|input| f64::from(options[input][position % n]));
        let [call, put] = prices(option, f64::from(R), f64::from(V));
        if position < n { call } else { put }
    };
    Ok(Case { length: 2 * n, meaning: Box::new(meaning), tolerance: 1e-3, contestants })
}
