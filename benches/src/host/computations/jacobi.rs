//! One iteration of a 5-point Jacobi stencil, borders repeated.

use std::sync::Arc;

use lift::ndarray::Array2;
use lift::{Device, lift};
use rayon::prelude::*;

use super::{Case, Kind, clamped, numbers, profiled, timed};

include!("../../../../corpus/host/jacobi.rs");

/// Rows in parallel; the borders of a row are computed separately from its interior.
fn hand_written(a: &[f32], n: usize) -> Vec<f32> {
    let mut result = vec![0.0; n * n];
    let row = |y: usize| &a[y * n..][..n];
    result.par_chunks_mut(n).enumerate().for_each(|(y, result)| {
        let (above, here, below) = (row(clamped(y, -1, n)), row(y), row(clamped(y, 1, n)));
        for x in [0, n - 1] {
            let (left, right) = (here[clamped(x, -1, n)], here[clamped(x, 1, n)]);
            result[x] = (above[x] + left + here[x] + right + below[x]) * 0.2;
        }
        let inner = &mut result[1..n - 1];
        let vertical = above[1..n - 1].iter().zip(&below[1..n - 1]);
        for ((result, (above, below)), window) in
            inner.iter_mut().zip(vertical).zip(here.array_windows::<3>())
        {
            let [left, here, right] = window;
            *result = (above + left + here + right + below) * 0.2;
        }
    });
    result
}

pub(super) fn case(n: usize, host: &Device, opencl: Option<&Device>) -> lift::Result<Case> {
    let input = numbers(1, n * n);
    let matrix = Arc::new(Array2::from_shape_fn((n, n), |(y, x)| input[y * n + x]));
    let elements = |matrix: Array2<f32>| matrix.into_raw_vec_and_offset().0;
    let mut contestants = Vec::new();
    let (a, kernel) = (matrix.clone(), five::on(host)?);
    contestants.push(timed(Kind::Lift, move || kernel.run(&*a), elements));
    contestants.push(timed(Kind::HandWritten, move || Ok(hand_written(&input, n)), |result| result));
    if let Some(device) = opencl {
        let (a, kernel) = (device.upload(&*matrix)?, five::on(device)?);
        contestants.push(profiled(move || kernel.profile(&a), elements));
    }
    let meaning = move |position: usize| {
        let (y, x) = (position / n, position % n);
        let at = |down, right| f64::from(matrix[(clamped(y, down, n), clamped(x, right, n))]);
        (at(-1, 0) + at(0, -1) + at(0, 0) + at(0, 1) + at(1, 0)) * 0.2
    };
    Ok(Case { length: n * n, meaning: Box::new(meaning), tolerance: 1e-5, contestants })
}
