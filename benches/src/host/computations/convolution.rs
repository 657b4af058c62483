//! A convolution with 17x17 weights, borders repeated.

use std::sync::Arc;

use lift::ndarray::{Array1, Array2};
use lift::{Device, lift};
use rayon::prelude::*;

use super::{Case, Kind, clamped, numbers, profiled, timed};

include!("../../../../corpus/host/convolution.rs");

const SIDE: usize = 17;
const REACH: usize = SIDE / 2;

/// The number of neighbouring elements that are computed together.
const LANES: usize = 32;

/// Rows in parallel. The input is copied with padding, so that there are no borders; elements are computed in
/// blocks that fit into registers.
fn hand_written(a: &[f32], weights: &[f32], n: usize) -> Vec<f32> {
    let padded = padded(a, n);
    let width = n + 2 * REACH;
    let mut result = vec![0.0; n * n];
    result.par_chunks_mut(n).zip(padded.par_windows(SIDE * width).step_by(width)).for_each(
        |(result, rows)| {
            let (blocks, rest) = result.as_chunks_mut::<LANES>();
            let done = blocks.len() * LANES;
            for (block, result) in blocks.iter_mut().enumerate() {
                let mut sums = [0.0; LANES];
                for (row, weights) in rows.chunks_exact(width).zip(weights.chunks_exact(SIDE)) {
                    let row = &row[block * LANES..][..LANES + SIDE - 1];
                    for (elements, weight) in row.array_windows::<LANES>().zip(weights) {
                        for (sum, element) in sums.iter_mut().zip(elements) {
                            *sum += element * weight;
                        }
                    }
                }
                *result = sums;
            }
            for (x, result) in rest.iter_mut().enumerate() {
                for (row, weights) in rows.chunks_exact(width).zip(weights.chunks_exact(SIDE)) {
                    let row = &row[done + x..][..SIDE];
                    *result += row.iter().zip(weights).map(|(element, weight)| element * weight).sum::<f32>();
                }
            }
        },
    );
    result
}

fn padded(a: &[f32], n: usize) -> Vec<f32> {
    let width = n + 2 * REACH;
    let mut padded = vec![0.0; width * width];
    padded.par_chunks_mut(width).enumerate().for_each(|(y, line)| {
        let row = &a[clamped(y, -(REACH as isize), n) * n..][..n];
        line[..REACH].fill(row[0]);
        line[REACH..REACH + n].copy_from_slice(row);
        line[REACH + n..].fill(row[n - 1]);
    });
    padded
}

pub(super) fn case(n: usize, host: &Device, opencl: Option<&Device>) -> lift::Result<Case> {
    let input = numbers(1, n * n);
    let weights = Arc::new(Array1::from_vec(numbers(2, SIDE * SIDE)));
    let matrix = Arc::new(Array2::from_shape_fn((n, n), |(y, x)| input[y * n + x]));
    let elements = |matrix: Array2<f32>| matrix.into_raw_vec_and_offset().0;
    let mut contestants = Vec::new();
    let (a, w, kernel) = (matrix.clone(), weights.clone(), convolve::on(host)?);
    contestants.push(timed(Kind::Lift, move || kernel.run(&*a, &*w), elements));
    let w = weights.to_vec();
    contestants.push(timed(Kind::HandWritten, move || Ok(hand_written(&input, &w, n)), |result| result));
    if let Some(device) = opencl {
        let (a, w, kernel) = (device.upload(&*matrix)?, device.upload(&*weights)?, convolve::on(device)?);
        contestants.push(profiled(move || kernel.profile(&a, &w), elements));
    }
    let meaning = move |position: usize| {
        let (y, x) = (position / n, position % n);
        let term = |(tap, &weight): (usize, &f32)| {
            let offset = |tap: usize| tap as isize - REACH as isize;
            let element = matrix[(clamped(y, offset(tap / SIDE), n), clamped(x, offset(tap % SIDE), n))];
            f64::from(element) * f64::from(weight)
        };
        weights.iter().enumerate().map(term).sum()
    };
    Ok(Case { length: n * n, meaning: Box::new(meaning), tolerance: 1e-4, contestants })
}
