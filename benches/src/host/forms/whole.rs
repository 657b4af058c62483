//! Arrays that are computed from numbers about the whole array, and programs with several results from one
//! array.

use lift::lift;
use lift::ndarray::Array1;
use rayon::prelude::*;

use super::{Place, case, elements, matrix, multiplied};
use crate::computations::{Case, Kind, clamped, numbers, timed};

include!("../../../../corpus/host/whole.rs");

fn mean_and_variance(a: &[f32]) -> (f64, f64) {
    let count = a.len() as f64;
    let mean = a.iter().map(|&x| f64::from(x)).sum::<f64>() / count;
    (mean, a.iter().map(|x| multiplied(x, x)).sum::<f64>() / count - mean * mean)
}

pub(super) fn moments(n: usize, places: &[Place]) -> lift::Result<Case> {
    let a = numbers(1, n);
    let count = n as f32;
    let both = |(mean, variance): (f32, f32)| vec![mean, variance];
    let mut contestants = Vec::new();
    for Place { device, one, parts } in places {
        let (x, kernel) = (device.upload(&a)?, moments_in_one::on(device)?);
        contestants.push(timed(*one, move || kernel.run(&x), both));
        let (x, sum, squares) = (device.upload(&a)?, sum_of::on(device)?, squares_of::on(device)?);
        let call = move || {
            let mean = sum.run(&x)? / count;
            Ok((mean, squares.run(&x)? / count - mean * mean))
        };
        contestants.push(timed(*parts, call, both));
    }
    let (mean, variance) = mean_and_variance(&a);
    let by_hand = move || {
        let of_part =
            |part: &[f32]| part.iter().fold((0.0f32, 0.0f32), |(sum, squares), x| (sum + x, squares + x * x));
        let add = |a: (f32, f32), b: (f32, f32)| (a.0 + b.0, a.1 + b.1);
        let (sum, squares) = a.par_chunks(1024).map(of_part).reduce(|| (0.0, 0.0), add);
        let mean = sum / count;
        Ok((mean, squares / count - mean * mean))
    };
    contestants.push(timed(Kind::HandWritten, by_hand, both));
    Ok(case(vec![mean, variance], 1e-2, contestants))
}

pub(super) fn standardised(n: usize, places: &[Place]) -> lift::Result<Case> {
    let a = numbers(1, n);
    let count = n as f32;
    let mut contestants = Vec::new();
    for Place { device, one, parts } in places {
        let (x, kernel) = (device.upload(&a)?, standardised_in_one::on(device)?);
        contestants.push(timed(*one, move || kernel.run(&x), |result: Array1<f32>| result.to_vec()));
        let (x, moments, last) =
            (device.upload(&a)?, moments_in_one::on(device)?, shifted_and_divided::on(device)?);
        let call = move || {
            let (mean, variance) = moments.run(&x)?;
            last.run(&x, mean, variance.sqrt())
        };
        contestants.push(timed(*parts, call, |result: Array1<f32>| result.to_vec()));
        let (x, sum, squares) = (device.upload(&a)?, sum_of::on(device)?, squares_of::on(device)?);
        let last = shifted_and_divided::on(device)?;
        let call = move || {
            let mean = sum.run(&x)? / count;
            let deviation = (squares.run(&x)? / count - mean * mean).sqrt();
            last.run(&x, mean, deviation)
        };
        contestants.push(timed(*parts, call, |result: Array1<f32>| result.to_vec()));
    }
    let (mean, variance) = mean_and_variance(&a);
    let expected = a.iter().map(|&x| (f64::from(x) - mean) / variance.sqrt()).collect();
    Ok(case(expected, 1e-2, contestants))
}

pub(super) fn extremes(n: usize, places: &[Place]) -> lift::Result<Case> {
    let a = numbers(1, n);
    let all = |((least, first), (most, last)): ((f32, i32), (f32, i32))| {
        vec![least, first as f32, most, last as f32]
    };
    let mut contestants = Vec::new();
    for Place { device, one, parts } in places {
        let (x, kernel) = (device.upload(&a)?, extremes_in_one::on(device)?);
        contestants.push(timed(*one, move || kernel.run(&x), all));
        let (x, smallest, largest) = (device.upload(&a)?, smallest_of::on(device)?, largest_of::on(device)?);
        contestants.push(timed(*parts, move || Ok((smallest.run(&x)?, largest.run(&x)?)), all));
    }
    let place = |is_better: fn(f32, f32) -> bool| {
        a.iter().enumerate().fold(
            (0, a[0]),
            |(at, best), (position, &x)| {
                if is_better(x, best) { (position, x) } else { (at, best) }
            },
        )
    };
    let ((first, least), (last, most)) = (place(|x, y| x < y), place(|x, y| x > y));
    let expected = [f64::from(least), first as f64, f64::from(most), last as f64].to_vec();
    Ok(case(expected, 1e-6, contestants))
}

pub(super) fn power_iteration(n: usize, places: &[Place]) -> lift::Result<Case> {
    // A matrix of positive elements has one largest eigenvalue, with a positive vector.
    let a = matrix(1, n, n).mapv(|x| x + 1.5);
    let x = Array1::from_elem(n, 1.0f32);
    let mut contestants = Vec::new();
    for Place { device, one, parts } in places {
        let (matrix, vector, kernel) = (device.upload(&a)?, device.upload(&x)?, iterated::on(device)?);
        contestants.push(timed(
            *one,
            move || kernel.run(&matrix, &vector),
            |result: Array1<f32>| result.to_vec(),
        ));
        let (matrix, vector) = (device.upload(&a)?, device.upload(&x)?);
        let (product, divided) = (multiplied_by::on(device)?, divided_by_norm::on(device)?);
        let call = move || {
            let mut y = divided.enqueue(&product.enqueue(&matrix, &vector)?)?;
            for _ in 0..14 {
                y = divided.enqueue(&product.enqueue(&matrix, &y)?)?;
            }
            divided.run(&product.enqueue(&matrix, &y)?)
        };
        contestants.push(timed(*parts, call, |result: Array1<f32>| result.to_vec()));
    }
    let mut expected = vec![1.0f64; n];
    for _ in 0..16 {
        let row = |row: lift::ndarray::ArrayView1<'_, f32>| {
            row.iter().zip(&expected).map(|(x, y)| f64::from(*x) * y).sum()
        };
        let product: Vec<f64> = a.rows().into_iter().map(row).collect();
        let norm = product.iter().map(|x| x * x).sum::<f64>().sqrt();
        expected = product.iter().map(|x| x / norm).collect();
    }
    let call = move || {
        let mut x = x.clone();
        for _ in 0..16 {
            let y = a.dot(&x);
            x = &y / y.dot(&y).sqrt();
        }
        Ok(x)
    };
    contestants.push(timed(Kind::Ndarray, call, |result: Array1<f32>| result.to_vec()));
    Ok(case(expected, 1e-4, contestants))
}

pub(super) fn blur(n: usize, places: &[Place]) -> lift::Result<Case> {
    let a = matrix(1, n, n);
    let mut contestants = Vec::new();
    for Place { device, one, parts } in places {
        let (x, kernel) = (device.upload(&*a)?, blurred_in_one::on(device)?);
        contestants.push(timed(*one, move || kernel.run(&x), elements));
        let (x, rows, columns) =
            (device.upload(&*a)?, rows_blurred::on(device)?, columns_blurred::on(device)?);
        contestants.push(timed(*parts, move || columns.run(&rows.enqueue(&x)?), elements));
    }
    let mut expected: Vec<f64> = a.iter().map(|&x| f64::from(x)).collect();
    for is_row in [true, false] {
        let at = |y: usize, x: usize| expected[y * n + x];
        let of = |position: usize| {
            let (y, x) = (position / n, position % n);
            let near = |offset: isize| match is_row {
                true => at(y, clamped(x, offset, n)),
                false => at(clamped(y, offset, n), x),
            };
            (-8..=8).map(near).sum::<f64>() / 17.0
        };
        expected = (0..n * n).map(of).collect();
    }
    Ok(case(expected, 1e-4, contestants))
}
