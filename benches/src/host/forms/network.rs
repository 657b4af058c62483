//! Layers of neural networks; the function of a `map` computes them for one input.

use lift::lift;
use lift::ndarray::Array2;
use rayon::prelude::*;

use super::{Place, case, dot, elements, matrix, multiplied};
use crate::computations::{Case, Kind, timed};

const INPUTS: usize = 64;
const HIDDEN: usize = 128;
const OUTPUTS: usize = 10;

include!("../../../../corpus/host/network.rs");

fn softmax(numbers: &mut [f64]) {
    let largest = numbers.iter().copied().fold(f64::MIN, f64::max);
    numbers.iter_mut().for_each(|x| *x = (*x - largest).exp());
    let sum: f64 = numbers.iter().sum();
    numbers.iter_mut().for_each(|x| *x /= sum);
}

/// The outputs for all inputs, in double precision.
fn outputs(x: &Array2<f32>, first: &Array2<f32>, second: &Array2<f32>) -> Vec<Vec<f64>> {
    let of = |x: lift::ndarray::ArrayView1<'_, f32>| {
        let hidden = first
            .rows()
            .into_iter()
            .map(|weights| weights.iter().zip(x).map(|(a, b)| multiplied(a, b)).sum());
        let hidden: Vec<f64> = hidden.map(|sum: f64| sum.max(0.0)).collect();
        let sum = |weights: lift::ndarray::ArrayView1<'_, f32>| {
            weights.iter().zip(&hidden).map(|(a, b)| f64::from(*a) * b).sum()
        };
        second.rows().into_iter().map(sum).collect()
    };
    x.rows().into_iter().map(of).collect()
}

/// The same as a person writes it by hand.
fn by_hand(x: &[f32], first: &[f32], second: &[f32], finish: impl Fn(&mut [f32]) + Sync) -> Vec<f32> {
    let mut result = vec![0.0; x.len() / INPUTS * OUTPUTS];
    result.par_chunks_mut(OUTPUTS).zip(x.par_chunks(INPUTS)).for_each(|(result, x)| {
        let mut hidden = [0.0f32; HIDDEN];
        for (hidden, weights) in hidden.iter_mut().zip(first.chunks_exact(INPUTS)) {
            *hidden = dot(weights, x).max(0.0);
        }
        for (result, weights) in result.iter_mut().zip(second.chunks_exact(HIDDEN)) {
            *result = dot(weights, &hidden);
        }
        finish(result);
    });
    result
}

fn softmax_by_hand(numbers: &mut [f32]) {
    let largest = numbers.iter().fold(f32::MIN, |largest, &x| if x > largest { x } else { largest });
    numbers.iter_mut().for_each(|x| *x = (*x - largest).exp());
    let factor = 1.0 / numbers.iter().sum::<f32>();
    numbers.iter_mut().for_each(|x| *x *= factor);
}

pub(super) fn two_layers(n: usize, places: &[Place]) -> lift::Result<Case> {
    let (x, first, second) = (matrix(1, n, INPUTS), matrix(2, HIDDEN, INPUTS), matrix(3, OUTPUTS, HIDDEN));
    let mut contestants = Vec::new();
    for Place { device, one, parts } in places {
        let inputs = (device.upload(&*x)?, device.upload(&*first)?, device.upload(&*second)?);
        let kernel = two_layers_in_one::on(device)?;
        contestants.push(timed(*one, move || kernel.run(&inputs.0, &inputs.1, &inputs.2), elements));
        let inputs = (device.upload(&*x)?, device.upload(&*first)?, device.upload(&*second)?);
        let (hidden, last) = (hidden_layer::on(device)?, last_layer::on(device)?);
        let call = move || last.run(&hidden.enqueue(&inputs.0, &inputs.1)?, &inputs.2);
        contestants.push(timed(*parts, call, elements));
    }
    let expected = outputs(&x, &first, &second).concat();
    let plain = [x, first, second].map(|matrix| elements((*matrix).clone()));
    let call = move || Ok(by_hand(&plain[0], &plain[1], &plain[2], |_| ()));
    contestants.push(timed(Kind::HandWritten, call, |result| result));
    Ok(case(expected, 1e-4, contestants))
}

pub(super) fn classified(n: usize, places: &[Place]) -> lift::Result<Case> {
    let (x, first, second) = (matrix(1, n, INPUTS), matrix(2, HIDDEN, INPUTS), matrix(3, OUTPUTS, HIDDEN));
    let mut contestants = Vec::new();
    for Place { device, one, parts } in places {
        let inputs = (device.upload(&*x)?, device.upload(&*first)?, device.upload(&*second)?);
        let kernel = classified_in_one::on(device)?;
        contestants.push(timed(*one, move || kernel.run(&inputs.0, &inputs.1, &inputs.2), elements));
        let inputs = (device.upload(&*x)?, device.upload(&*first)?, device.upload(&*second)?);
        let (hidden, last) = (hidden_layer::on(device)?, last_layer::on(device)?);
        let (largest, powers) = (largest_of_outputs::on(device)?, powers_of_outputs::on(device)?);
        let (sums, divided) = (sums_of::on(device)?, divided_by_sums::on(device)?);
        let call = move || {
            let outputs = last.enqueue(&hidden.enqueue(&inputs.0, &inputs.1)?, &inputs.2)?;
            let powers = powers.enqueue(&outputs, &largest.enqueue(&outputs)?)?;
            divided.run(&powers, &sums.enqueue(&powers)?)
        };
        contestants.push(timed(*parts, call, elements));
    }
    let mut expected = outputs(&x, &first, &second);
    expected.iter_mut().for_each(|outputs| softmax(outputs));
    let plain = [x, first, second].map(|matrix| elements((*matrix).clone()));
    let call = move || Ok(by_hand(&plain[0], &plain[1], &plain[2], softmax_by_hand));
    contestants.push(timed(Kind::HandWritten, call, |result| result));
    Ok(case(expected.concat(), 1e-4, contestants))
}

fn attention_by_hand(queries: &[f32], keys: &[f32], values: &[f32], width: usize) -> Vec<f32> {
    let mut result = vec![0.0; queries.len()];
    let count = queries.len() / width;
    let of_row = |scores: &mut Vec<f32>, (result, query): (&mut [f32], &[f32])| {
        scores.clear();
        scores.extend(keys.chunks_exact(width).map(|key| dot(query, key) / 8.0));
        softmax_by_hand(scores);
        for (score, values) in scores.iter().zip(values.chunks_exact(width)) {
            result.iter_mut().zip(values).for_each(|(sum, value)| *sum += score * value);
        }
    };
    let rows = result.par_chunks_mut(width).zip(queries.par_chunks(width));
    rows.for_each_init(|| Vec::with_capacity(count), of_row);
    result
}

pub(super) fn attention(n: usize, places: &[Place]) -> lift::Result<Case> {
    let (queries, keys, values) = (matrix(1, n, INPUTS), matrix(2, n, INPUTS), matrix(3, n, INPUTS));
    let mut contestants = Vec::new();
    for Place { device, one, parts } in places {
        let inputs = (device.upload(&*queries)?, device.upload(&*keys)?, device.upload(&*values)?);
        let kernel = attention_in_one::on(device)?;
        contestants.push(timed(*one, move || kernel.run(&inputs.0, &inputs.1, &inputs.2), elements));
        let inputs = (device.upload(&*queries)?, device.upload(&*keys)?, device.upload(&*values)?);
        let (scores, largest) = (scores_of::on(device)?, largest_of::on(device)?);
        let (powers, sums, weighted) = (powers_of::on(device)?, sums_of::on(device)?, weighted::on(device)?);
        let call = move || {
            let scores = scores.enqueue(&inputs.0, &inputs.1)?;
            let powers = powers.enqueue(&scores, &largest.enqueue(&scores)?)?;
            weighted.run(&powers, &sums.enqueue(&powers)?, &inputs.2)
        };
        contestants.push(timed(*parts, call, elements));
    }
    let of_query = |query: lift::ndarray::ArrayView1<'_, f32>| {
        let score = |key: lift::ndarray::ArrayView1<'_, f32>| {
            query.iter().zip(key).map(|(x, y)| multiplied(x, y)).sum::<f64>() / 8.0
        };
        let mut scores: Vec<f64> = keys.rows().into_iter().map(score).collect();
        softmax(&mut scores);
        let sum = |column: lift::ndarray::ArrayView1<'_, f32>| {
            scores.iter().zip(column).map(|(score, value)| score * f64::from(*value)).sum::<f64>()
        };
        values.columns().into_iter().map(sum).collect::<Vec<f64>>()
    };
    let expected = queries.rows().into_iter().flat_map(of_query).collect();
    let plain = [queries.clone(), keys.clone(), values.clone()].map(|matrix| elements((*matrix).clone()));
    let call = move || Ok(attention_by_hand(&plain[0], &plain[1], &plain[2], INPUTS));
    contestants.push(timed(Kind::HandWritten, call, |result| result));
    Ok(case(expected, 1e-4, contestants))
}
