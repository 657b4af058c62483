//! A sparse matrix times a vector: rows of 0 to 31 elements in places that look random.

use std::sync::Arc;

use lift::ndarray::Array1;
use lift::{Device, lift};
use rayon::prelude::*;

use super::{Case, Kind, numbers, profiled, timed};

include!("../../../../corpus/host/sparse_product.rs");

/// A matrix in compressed rows, and a vector.
struct Inputs {
    offsets: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f32>,
    x: Vec<f32>,
}

impl Inputs {
    fn of(rows: usize) -> Inputs {
        let mixed = |position: u32| position.wrapping_mul(2_654_435_761) ^ (position >> 3);
        let (mut offsets, mut columns) = (vec![0], Vec::new());
        for row in 0..rows as u32 {
            let length = mixed(row) >> 27;
            columns.extend((0..length).map(|k| (mixed(row * 31 + k) >> 4) % rows as u32));
            offsets.push(columns.len() as u32);
        }
        let values = numbers(1, columns.len());
        Inputs { offsets, columns, values, x: numbers(2, rows) }
    }

    fn row(&self, row: usize) -> impl Iterator<Item = (f32, f32)> + '_ {
        let elements = self.offsets[row] as usize..self.offsets[row + 1] as usize;
        let columns = &self.columns[elements.clone()];
        columns.iter().zip(&self.values[elements]).map(|(column, value)| (*value, self.x[*column as usize]))
    }
}

fn hand_written(inputs: &Inputs) -> Vec<f32> {
    let rows = inputs.offsets.len() - 1;
    (0..rows).into_par_iter().map(|row| inputs.row(row).map(|(value, x)| value * x).sum()).collect()
}

pub(super) fn case(n: usize, host: &Device, opencl: Option<&Device>) -> lift::Result<Case> {
    let inputs = Arc::new(Inputs::of(n));
    let elements = |y: Array1<f32>| y.to_vec();
    let mut contestants = Vec::new();
    let (own, kernel) = (inputs.clone(), sparse_product::on(host)?);
    let call = move || kernel.run(&own.offsets, &own.columns, &own.values, &own.x);
    contestants.push(timed(Kind::Lift, call, elements));
    let own = inputs.clone();
    contestants.push(timed(Kind::HandWritten, move || Ok(hand_written(&own)), |y| y));
    if let Some(device) = opencl {
        let (offsets, columns) = (device.upload(&inputs.offsets)?, device.upload(&inputs.columns)?);
        let (values, x) = (device.upload(&inputs.values)?, device.upload(&inputs.x)?);
        let kernel = sparse_product::on(device)?;
        contestants.push(profiled(move || kernel.profile(&offsets, &columns, &values, &x), elements));
    }
    let meaning = move |row: usize| inputs.row(row).map(|(value, x)| f64::from(value) * f64::from(x)).sum();
    Ok(Case { length: n, meaning: Box::new(meaning), tolerance: 1e-5, contestants })
}
