//! Products of sparse matrices with a vector, in each form: the five points of a grid, rows of one length,
//! and rows whose lengths follow a power law. The elements of each matrix times the sums of their rows are
//! measured, too, in the form that is chosen.

use std::time::Duration;

use lift::{Device, DeviceKind, Result, lift};

use crate::{Options, profiled, race};

lift! {
    fn copied<const N: usize>(xs: [u32; N]) -> [u32; N] { xs >> map(|x| x + 1) }

    fn times_sums<const N: usize, const K: usize>(offsets: [u32; N + 1], values: [f32; K]) -> [f32; K] {
        segments(offsets, values)
            >> map(|row| {
                let sum = row >> reduce(add, 0);
                row >> map(|x| x * sum)
            })
            >> join
    }
}

include!("../../../corpus/host/sparse_product.rs");

/// A matrix in compressed rows. Its elements are small integers, so that sums are exact.
struct Matrix {
    offsets: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f32>,
}

impl Matrix {
    /// The rows have these columns.
    fn of(rows: usize, mut columns_of: impl FnMut(usize, &mut Vec<u32>)) -> Matrix {
        let (mut offsets, mut columns) = (vec![0], Vec::new());
        for row in 0..rows {
            columns_of(row, &mut columns);
            offsets.push(columns.len() as u32);
        }
        let values = (0..columns.len()).map(|k| (k % 7) as f32 - 3.0).collect();
        Matrix { offsets, columns, values }
    }

    /// The neighbours of each point of a square, and itself.
    fn five_points(side: usize) -> Matrix {
        Matrix::of(side * side, |point, columns| {
            let (row, column) = (point / side, point % side);
            let places = [
                (row > 0).then(|| point - side),
                (column > 0).then(|| point - 1),
                Some(point),
                (column + 1 < side).then(|| point + 1),
                (row + 1 < side).then(|| point + side),
            ];
            columns.extend(places.into_iter().flatten().map(|place| place as u32));
        })
    }

    /// All rows have the same number of elements.
    fn even(rows: usize, length: usize) -> Matrix {
        Matrix::of(rows, |row, columns| columns.extend((0..length).map(|k| ((row + k * k) % rows) as u32)))
    }

    /// All rows have the same number of elements, and their columns lie anywhere.
    fn scattered(rows: usize, length: usize) -> Matrix {
        let mut state = 1u32;
        Matrix::of(rows, |_, columns| {
            state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            columns.extend((0..length as u32).map(|k| (state ^ k).wrapping_mul(0x9e37_79b9) % rows as u32));
        })
    }

    /// Few rows are long: the number of rows with at least `n` elements is about `2 / n` of all.
    fn power_law(rows: usize) -> Matrix {
        let mut state = 1u32;
        Matrix::of(rows, |_, columns| {
            state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            let length = (1u64 << 33) / (u64::from(state >> 8) * 256 + (1 << 17));
            columns.extend((0..length as u32).map(|k| (state ^ k).wrapping_mul(0x9e37_79b9) % rows as u32));
        })
    }

    /// The rows of [`power_law`](Self::power_law) in columns that follow each other from the diagonal on.
    fn power_law_beside(rows: usize) -> Matrix {
        let mut matrix = Matrix::power_law(rows);
        for (row, ends) in matrix.offsets.windows(2).enumerate() {
            let elements = ends[0] as usize..ends[1] as usize;
            (0..)
                .zip(&mut matrix.columns[elements])
                .for_each(|(k, column)| *column = (row + k) as u32 % rows as u32);
        }
        matrix
    }

    fn product(&self, x: &[f32]) -> Vec<f32> {
        let row = |ends: &[u32]| {
            let elements = ends[0] as usize..ends[1] as usize;
            elements.map(|k| self.values[k] * x[self.columns[k] as usize]).sum()
        };
        self.offsets.windows(2).map(row).collect()
    }

    fn times_sums(&self) -> Vec<f32> {
        let row = |ends: &[u32]| {
            let row = &self.values[ends[0] as usize..ends[1] as usize];
            let sum: f32 = row.iter().sum();
            row.iter().map(|x| x * sum).collect::<Vec<_>>()
        };
        self.offsets.windows(2).flat_map(row).collect()
    }
}

pub(crate) fn rows(device: &Device, n: usize, options: &Options) -> Result<()> {
    let words: Vec<u32> = (0..n as u32).collect();
    let expected: Vec<u32> = words.iter().map(|x| x + 1).collect();
    let on_device = device.upload(&words)?;
    let copied = race("words copied", n, None, options, || {
        let (found, profile) = copied::on(device)?.profile(&on_device)?;
        profiled((found.to_vec(), profile), &expected)
    })?;
    let side = (n as f64 / 4.0).sqrt() as usize;
    let matrices = [
        ("five points of a grid", Matrix::five_points(side)),
        ("rows of 8", Matrix::even(n / 8, 8)),
        ("rows of 16", Matrix::even(n / 16, 16)),
        ("rows of 32", Matrix::even(n / 32, 32)),
        ("rows of 64", Matrix::even(n / 64, 64)),
        ("rows of 512", Matrix::even(n / 512, 512)),
        ("rows of 21, columns anywhere", Matrix::scattered(n / 16, 21)),
        ("power law, columns anywhere", Matrix::power_law(n / 16)),
        ("power law, columns beside each other", Matrix::power_law_beside(n / 16)),
    ];
    for (name, matrix) in matrices {
        let rows = matrix.offsets.len() - 1;
        let x: Vec<f32> = (0..rows).map(|j| (j % 5) as f32).collect();
        let expected = matrix.product(&x);
        let (offsets, columns) = (device.upload(&matrix.offsets)?, device.upload(&matrix.columns)?);
        let (values, vector) = (device.upload(&matrix.values)?, device.upload(&x)?);
        // The offsets, the vector and the result are words, and an element of the matrix is two.
        let words = 3 * rows + 2 * matrix.columns.len();
        let once: Option<Duration> = copied.map(|time| time.mul_f64(words as f64 / (2 * n) as f64));
        let timed = |form: Option<&str>| {
            let label = form.map_or_else(|| name.to_owned(), |form| format!("{name}, `{form}`"));
            race(&label, matrix.columns.len(), once, options, || {
                let product = sparse_product::on(device)?;
                let product = match form {
                    Some(form) => product.form(form)?,
                    None => product,
                };
                let (found, profile) = product.profile(&offsets, &columns, &values, &vector)?;
                profiled((found.to_vec(), profile), &expected)
            })
        };
        timed(None)?;
        if device.kind() != DeviceKind::Host {
            for form in sparse_product::on(device)?.forms() {
                timed(Some(&form.name))?;
            }
        }
        let expected = matrix.times_sums();
        // The offsets are words, and elements are read and written.
        let words = rows + 2 * matrix.values.len();
        let once = copied.map(|time| time.mul_f64(words as f64 / (2 * n) as f64));
        race(&format!("{name}, times sums"), matrix.columns.len(), once, options, || {
            let (found, profile) = times_sums::on(device)?.profile(&offsets, &values)?;
            profiled((found.to_vec(), profile), &expected)
        })?;
    }
    Ok(())
}
