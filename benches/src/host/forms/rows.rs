//! Rows, each computed from numbers about the whole row.

use lift::lift;
use rayon::prelude::*;

use super::{Place, case, elements, matrix};
use crate::computations::{Case, Kind, timed};

const WIDTH: usize = 768;

include!("../../../../corpus/host/rows.rs");

/// All rows, by a function that computes one, in double precision.
fn expected(rows: &[f32], of: impl Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
    let doubles = |row: &[f32]| -> Vec<f64> { row.iter().map(|&x| f64::from(x)).collect() };
    rows.chunks(WIDTH).flat_map(|row| of(&doubles(row))).collect()
}

/// All rows, by a function that writes one, in parallel.
fn by_hand(rows: &[f32], of: impl Fn(&[f32], &mut [f32]) + Sync) -> Vec<f32> {
    let mut result = vec![0.0; rows.len()];
    result.par_chunks_mut(WIDTH).zip(rows.par_chunks(WIDTH)).for_each(|(result, row)| of(row, result));
    result
}

const LANES: usize = 16;

fn sum(row: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let (lines, rest) = row.as_chunks::<LANES>();
    let mut sums = [0.0f32; LANES];
    for line in lines {
        sums.iter_mut().zip(line).for_each(|(sum, x)| *sum += of(*x));
    }
    sums.iter().sum::<f32>() + rest.iter().map(|x| of(*x)).sum::<f32>()
}

fn softmax_by_hand(row: &[f32], result: &mut [f32]) {
    let largest = row.iter().fold(f32::MIN, |largest, &x| if x > largest { x } else { largest });
    result.iter_mut().zip(row).for_each(|(result, x)| *result = (x - largest).exp());
    let factor = 1.0 / sum(result, |x| x);
    result.iter_mut().for_each(|x| *x *= factor);
}

pub(super) fn softmax(n: usize, places: &[Place]) -> lift::Result<Case> {
    let rows = matrix(1, n, WIDTH);
    let mut contestants = Vec::new();
    for Place { device, one, parts } in places {
        let (x, kernel) = (device.upload(&*rows)?, softmax_of_rows::on(device)?);
        contestants.push(timed(*one, move || kernel.run(&x), elements));
        let (x, largest) = (device.upload(&*rows)?, largest_of_rows::on(device)?);
        let (powers, sums) = (powers_of_rows::on(device)?, sums_of_rows::on(device)?);
        let divided = rows_divided::on(device)?;
        let call = move || {
            let powers = powers.enqueue(&x, &largest.enqueue(&x)?)?;
            divided.run(&powers, &sums.enqueue(&powers)?)
        };
        contestants.push(timed(*parts, call, elements));
    }
    let plain = elements((*rows).clone());
    let expected = expected(&plain, |row| {
        let largest = row.iter().copied().fold(f64::MIN, f64::max);
        let sum: f64 = row.iter().map(|x| (x - largest).exp()).sum();
        row.iter().map(|x| (x - largest).exp() / sum).collect()
    });
    contestants.push(timed(Kind::HandWritten, move || Ok(by_hand(&plain, softmax_by_hand)), |rows| rows));
    Ok(case(expected, 1e-5, contestants))
}

pub(super) fn layer_norm(n: usize, places: &[Place]) -> lift::Result<Case> {
    let rows = matrix(1, n, WIDTH);
    let (scale, shift) = (matrix(2, 1, WIDTH).row(0).to_owned(), matrix(3, 1, WIDTH).row(0).to_owned());
    let mut contestants = Vec::new();
    for Place { device, one, parts } in places {
        let inputs = (device.upload(&*rows)?, device.upload(&scale)?, device.upload(&shift)?);
        let kernel = layer_norm_of_rows::on(device)?;
        contestants.push(timed(*one, move || kernel.run(&inputs.0, &inputs.1, &inputs.2), elements));
        let inputs = (device.upload(&*rows)?, device.upload(&scale)?, device.upload(&shift)?);
        let (sums, centred) = (sums_of_rows::on(device)?, centred_rows::on(device)?);
        let (squares, scaled) = (squares_of_rows::on(device)?, rows_scaled::on(device)?);
        let call = move || {
            let centred = centred.enqueue(&inputs.0, &sums.enqueue(&inputs.0)?)?;
            scaled.run(&centred, &squares.enqueue(&centred)?, &inputs.1, &inputs.2)
        };
        contestants.push(timed(*parts, call, elements));
    }
    let plain = elements((*rows).clone());
    let (scale, shift) = (scale.to_vec(), shift.to_vec());
    let expected = expected(&plain, |row| {
        let mean = row.iter().sum::<f64>() / WIDTH as f64;
        let variance = row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / WIDTH as f64;
        let of = |((x, scale), shift): ((&f64, &f32), &f32)| {
            (x - mean) / (variance + 0.00001).sqrt() * f64::from(*scale) + f64::from(*shift)
        };
        row.iter().zip(&scale).zip(&shift).map(of).collect()
    });
    let of_row = move |row: &[f32], result: &mut [f32]| {
        let mean = sum(row, |x| x) / WIDTH as f32;
        let variance = sum(row, |x| (x - mean) * (x - mean)) / WIDTH as f32;
        let factor = 1.0 / (variance + 0.00001).sqrt();
        for (((result, x), scale), shift) in result.iter_mut().zip(row).zip(&scale).zip(&shift) {
            *result = (x - mean) * factor * scale + shift;
        }
    };
    contestants.push(timed(Kind::HandWritten, move || Ok(by_hand(&plain, &of_row)), |rows| rows));
    Ok(case(expected, 1e-4, contestants))
}

pub(super) fn by_norm(n: usize, places: &[Place]) -> lift::Result<Case> {
    let rows = matrix(1, n, WIDTH);
    let mut contestants = Vec::new();
    for Place { device, one, parts } in places {
        let (x, kernel) = (device.upload(&*rows)?, rows_by_norm::on(device)?);
        contestants.push(timed(*one, move || kernel.run(&x), elements));
        let (x, squares) = (device.upload(&*rows)?, squares_of_rows::on(device)?);
        let divided = rows_divided_by_root::on(device)?;
        contestants.push(timed(*parts, move || divided.run(&x, &squares.enqueue(&x)?), elements));
    }
    let plain = elements((*rows).clone());
    let expected = expected(&plain, |row| {
        let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        row.iter().map(|x| x / norm).collect()
    });
    let of_row = |row: &[f32], result: &mut [f32]| {
        let factor = 1.0 / sum(row, |x| x * x).sqrt();
        result.iter_mut().zip(row).for_each(|(result, x)| *result = x * factor);
    };
    contestants.push(timed(Kind::HandWritten, move || Ok(by_hand(&plain, of_row)), |rows| rows));
    Ok(case(expected, 1e-5, contestants))
}

pub(super) fn box_filter(n: usize, places: &[Place]) -> lift::Result<Case> {
    let rows = matrix(1, n, WIDTH);
    let mut contestants = Vec::new();
    for Place { device, one, parts } in places {
        let (x, kernel) = (device.upload(&*rows)?, box_filter_of_rows::on(device)?);
        contestants.push(timed(*one, move || kernel.run(&x), elements));
        let (x, sums) = (device.upload(&*rows)?, prefixes_of_rows::on(device)?);
        let differences = differences_of_rows::on(device)?;
        contestants.push(timed(*parts, move || differences.run(&sums.enqueue(&x)?), elements));
    }
    let plain = elements((*rows).clone());
    let expected = expected(&plain, |row| {
        row.windows(17).map(|window| window.iter().skip(1).sum::<f64>() / 16.0).collect()
    });
    Ok(case(expected, 1e-3, contestants))
}
