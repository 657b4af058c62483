//! The product of two square matrices.

use std::sync::Arc;

use lift::ndarray::Array2;
use lift::{Device, lift};
use rayon::prelude::*;

use super::{Case, Kind, numbers, profiled, timed};

include!("../../../../corpus/host/matrix_product.rs");

/// A row of the result is the sum of rows of `b`, each times an element of `a`.
fn hand_written(a: &[f32], b: &[f32], n: usize) -> Vec<f32> {
    let mut result = vec![0.0; n * n];
    result.par_chunks_mut(n).zip(a.par_chunks(n)).for_each(|(sums, row)| {
        for (&x, line) in row.iter().zip(b.chunks_exact(n)) {
            for (sum, &y) in sums.iter_mut().zip(line) {
                *sum += x * y;
            }
        }
    });
    result
}

pub(super) fn case(n: usize, host: &Device, opencl: Option<&Device>) -> lift::Result<Case> {
    let matrix = |salt| {
        Arc::new(Array2::from_shape_fn((n, n), {
            let numbers = numbers(salt, n * n);
            move |(y, x)| numbers[y * n + x]
        }))
    };
    let (a, b) = (matrix(1), matrix(2));
    let elements = |matrix: Array2<f32>| matrix.into_raw_vec_and_offset().0;
    let mut contestants = Vec::new();
    let (x, y, kernel) = (a.clone(), b.clone(), product::on(host)?);
    contestants.push(timed(Kind::Lift, move || kernel.run(&*x, &*y), elements));
    let (x, y) = (a.iter().copied().collect::<Vec<_>>(), b.iter().copied().collect::<Vec<_>>());
    contestants.push(timed(Kind::HandWritten, move || Ok(hand_written(&x, &y, n)), |result| result));
    if let Some(device) = opencl {
        let (x, y, kernel) = (device.upload(&*a)?, device.upload(&*b)?, product::on(device)?);
        contestants.push(profiled(move || kernel.profile(&x, &y), elements));
    }
    let (x, y) = (a.clone(), b.clone());
    contestants.push(timed(Kind::Ndarray, move || Ok(x.dot(&*y)), elements));
    let meaning = move |position: usize| {
        let (row, column) = (a.row(position / n), b.column(position % n));
        row.iter().zip(column).map(|(&x, &y)| f64::from(x) * f64::from(y)).sum()
    };
    Ok(Case { length: n * n, meaning: Box::new(meaning), tolerance: 1e-3, contestants })
}
