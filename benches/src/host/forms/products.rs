//! Products of matrices, with operands in every order.

use std::sync::Arc;

use lift::lift;
use lift::ndarray::{Array1, Array2};

use super::{Place, case, elements, matrix, multiplied};
use crate::computations::{Case, Contestant, Kind, numbers, timed};

include!("../../../../corpus/host/products.rs");

/// A product in double precision.
fn expected(a: &Array2<f32>, b: &Array2<f32>) -> Vec<f64> {
    let of_row = |row: lift::ndarray::ArrayView1<'_, f32>| {
        let mut sums = vec![0.0; b.ncols()];
        for (x, line) in row.iter().zip(b.rows()) {
            sums.iter_mut().zip(line).for_each(|(sum, y)| *sum += multiplied(x, y));
        }
        sums
    };
    a.rows().into_iter().flat_map(of_row).collect()
}

fn with_ndarray(
    inputs: &[&Arc<Array2<f32>>],
    of: impl Fn(&[Arc<Array2<f32>>]) -> Array2<f32> + 'static,
) -> Contestant {
    let inputs: Vec<_> = inputs.iter().map(|input| Arc::clone(input)).collect();
    // A transposed array lies in column-major order.
    timed(Kind::Ndarray, move || Ok(of(&inputs)), |result| result.iter().copied().collect())
}

pub(super) fn scores(n: usize, places: &[Place]) -> lift::Result<Case> {
    let (q, k) = (matrix(1, n, 64), matrix(2, n, 64));
    let mut contestants = Vec::new();
    for Place { device, one, parts } in places {
        let (x, y, kernel) = (device.upload(&*q)?, device.upload(&*k)?, scores_in_one::on(device)?);
        contestants.push(timed(*one, move || kernel.run(&x, &y), elements));
        let (x, y) = (device.upload(&*q)?, device.upload(&*k)?);
        let (turned, product) = (turned::on(device)?, product::on(device)?);
        contestants.push(timed(*parts, move || product.run(&x, &turned.enqueue(&y)?), elements));
    }
    contestants.push(with_ndarray(&[&q, &k], |inputs| inputs[0].dot(&inputs[1].t())));
    Ok(case(expected(&q, &k.t().to_owned()), 1e-4, contestants))
}

pub(super) fn transposed(n: usize, places: &[Place]) -> lift::Result<Case> {
    let (a, b) = (matrix(1, n, n), matrix(2, n, n));
    let mut contestants = Vec::new();
    for Place { device, one, parts } in places {
        let (x, y, kernel) = (device.upload(&*a)?, device.upload(&*b)?, transposed_in_one::on(device)?);
        contestants.push(timed(*one, move || kernel.run(&x, &y), elements));
        let (x, y) = (device.upload(&*a)?, device.upload(&*b)?);
        let (turned, product) = (turned::on(device)?, product::on(device)?);
        contestants.push(timed(*parts, move || turned.run(&product.enqueue(&x, &y)?), elements));
    }
    contestants.push(with_ndarray(&[&a, &b], |inputs| inputs[1].t().dot(&inputs[0].t())));
    Ok(case(expected(&b.t().to_owned(), &a.t().to_owned()), 1e-3, contestants))
}

pub(super) fn of_transposed(n: usize, places: &[Place]) -> lift::Result<Case> {
    let (a, b) = (matrix(1, n, n), matrix(2, n, n));
    let mut contestants = Vec::new();
    for Place { device, one, parts } in places {
        let (x, y, kernel) = (device.upload(&*a)?, device.upload(&*b)?, of_transposed_in_one::on(device)?);
        contestants.push(timed(*one, move || kernel.run(&x, &y), elements));
        let (x, y) = (device.upload(&*a)?, device.upload(&*b)?);
        let (turned, product) = (turned::on(device)?, product::on(device)?);
        contestants.push(timed(*parts, move || product.run(&turned.enqueue(&x)?, &y), elements));
    }
    contestants.push(with_ndarray(&[&a, &b], |inputs| inputs[0].t().dot(&*inputs[1])));
    Ok(case(expected(&a.t().to_owned(), &b), 1e-3, contestants))
}

pub(super) fn chain(n: usize, places: &[Place]) -> lift::Result<Case> {
    let (a, b, c) = (matrix(1, n, n), matrix(2, n, n), matrix(3, n, n));
    let mut contestants = Vec::new();
    for Place { device, one, parts } in places {
        let inputs = (device.upload(&*a)?, device.upload(&*b)?, device.upload(&*c)?);
        let kernel = chain_in_one::on(device)?;
        contestants.push(timed(*one, move || kernel.run(&inputs.0, &inputs.1, &inputs.2), elements));
        let inputs = (device.upload(&*a)?, device.upload(&*b)?, device.upload(&*c)?);
        let product = product::on(device)?;
        let call = move || product.run(&product.enqueue(&inputs.0, &inputs.1)?, &inputs.2);
        contestants.push(timed(*parts, call, elements));
    }
    contestants.push(with_ndarray(&[&a, &b, &c], |inputs| inputs[0].dot(&*inputs[1]).dot(&*inputs[2])));
    let ab = Array2::from_shape_vec((n, n), expected(&a, &b).into_iter().map(|x| x as f32).collect());
    let ab = ab.unwrap_or_else(|_| Array2::zeros((0, 0)));
    Ok(case(expected(&ab, &c), 1e-3, contestants))
}

pub(super) fn normal(n: usize, places: &[Place]) -> lift::Result<Case> {
    let (a, x) = (matrix(1, n, n), Array1::from_vec(numbers(2, n)));
    let mut contestants = Vec::new();
    for Place { device, one, parts } in places {
        let (a_there, x_there, kernel) =
            (device.upload(&*a)?, device.upload(&x)?, normal_in_one::on(device)?);
        contestants.push(timed(
            *one,
            move || kernel.run(&a_there, &x_there),
            |sums: Array1<f32>| sums.to_vec(),
        ));
        let (a_there, x_there) = (device.upload(&*a)?, device.upload(&x)?);
        let (first, second) = (by_vector::on(device)?, transposed_by_vector::on(device)?);
        let call = move || second.run(&a_there, &first.enqueue(&a_there, &x_there)?);
        contestants.push(timed(*parts, call, |sums: Array1<f32>| sums.to_vec()));
    }
    let (matrix, vector) = (a.clone(), x.clone());
    let call = move || Ok(matrix.t().dot(&matrix.dot(&vector)));
    contestants.push(timed(Kind::Ndarray, call, |sums: Array1<f32>| sums.to_vec()));
    let ax: Vec<f64> =
        a.rows().into_iter().map(|row| row.iter().zip(&x).map(|(x, y)| multiplied(x, y)).sum()).collect();
    let of_column = |column: lift::ndarray::ArrayView1<'_, f32>| {
        column.iter().zip(&ax).map(|(x, y)| f64::from(*x) * y).sum()
    };
    Ok(case(a.columns().into_iter().map(of_column).collect(), 1e-3, contestants))
}
