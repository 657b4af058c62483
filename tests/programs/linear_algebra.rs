//! The matrix-vector benchmarks of Steuwer, Remmelg, Dubach, CGO 2017, section 7: each from its high-level
//! form, and with the structure of the hand-written kernels of CLBlast that it was compared with, against
//! plain loops.

use crate::common::sample;
use crate::plain_form;
use lift::ndarray::{Array1, Array2};
use lift::{Result, lift};

include!("../../corpus/programs/linear_algebra.rs");

/// The kernels of a program.
fn kernels(source: &str) -> usize {
    source.matches("kernel __attribute__").count()
}

/// Whole numbers, whose products and sums are exact.
fn number(position: usize) -> f32 {
    (sample(position) / 8.0).round()
}

fn matrix(rows: usize, columns: usize, seed: usize) -> Array2<f32> {
    Array2::from_shape_fn((rows, columns), |(row, column)| number(row * columns + column + seed))
}

fn vector(length: usize) -> Array1<f32> {
    Array1::from_shape_fn(length, |position| number(3 * position))
}

/// Whether tiles of 16 divide both.
fn is_tiled(n: usize, m: usize) -> bool {
    n.is_multiple_of(16) && m.is_multiple_of(16)
}

const SIZES: [(usize, usize); 6] = [(1, 1), (3, 8), (17, 33), (16, 16), (48, 80), (100, 4)];

#[test]
fn a_matrix_and_its_transpose_are_applied() -> Result<()> {
    for (n, m) in SIZES {
        let (a, x) = (matrix(n, m, 0), vector(m));
        let expected = a.t().dot(&a.dot(&x));
        assert_eq!(atax(&a, &x)?, expected, "{n} x {m}");
        if m % 16 == 0 {
            assert_eq!(atax_low(&a, &x)?, expected, "{n} x {m}");
        }
    }
    // The inner product is computed once, not for every column of the outer one.
    assert_eq!([kernels(plain_form(atax::SOURCE)), kernels(atax_low::SOURCE)], [2, 2]);
    Ok(())
}

#[test]
fn a_product_is_added_to_a_vector() -> Result<()> {
    for (n, m) in SIZES {
        let (a, x, y) = (matrix(n, m, 1), vector(m), vector(n));
        let expected = a.dot(&x) * 0.5 + &y * 2.0;
        assert_eq!(gemv(0.5, 2.0, &a, &x, &y)?, expected, "{n} x {m}");
        if is_tiled(n, m) {
            assert_eq!(gemv_low(0.5, 2.0, &a, &x, &y)?, expected, "low, {n} x {m}");
        }
        if m % 4 == 0 {
            assert_eq!(gemv_vectorised(0.5, 2.0, &a, &x, &y)?, expected, "vectorised, {n} x {m}");
        }
    }
    // A product that is read once is not stored.
    assert_eq!([kernels(plain_form(gemv::SOURCE)), kernels(gemv_low::SOURCE)], [1, 1]);
    Ok(())
}

#[test]
fn two_products_are_added() -> Result<()> {
    for (n, m) in SIZES {
        let (a, b, x) = (matrix(n, m, 2), matrix(n, m, 500), vector(m));
        let expected = a.dot(&x) * 0.5 + b.dot(&x) * 2.0;
        assert_eq!(gesummv(0.5, 2.0, &a, &b, &x)?, expected, "{n} x {m}");
        assert_eq!(gesummv_flat(0.5, 2.0, &a, &b, &x)?, expected, "flat, {n} x {m}");
        if is_tiled(n, m) {
            assert_eq!(gesummv_low(0.5, 2.0, &a, &b, &x)?, expected, "low, {n} x {m}");
        }
    }
    Ok(())
}
