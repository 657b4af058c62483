//! The matrix-vector benchmarks of Steuwer, Remmelg, Dubach, CGO 2017, section 7: each from its high-level form, and with the structure of
//! the hand-written kernels of CLBlast that it was compared with, against plain loops.

use crate::common::sample;
use lift::ndarray::{Array1, Array2};
use lift::{Result, lift};

lift! {
    /// A product with a vector, of which every result is used once.
    fn product<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; N] {
        a >> map(|row| zip(row, x) >> map(mult) >> reduce(add, 0))
    }

    fn atax<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; M] {
        product(transpose(a), product(a, x))
    }

    /// A work-group per row, whose partial sums are added up in local memory, then a work-item per column.
    fn atax_low<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; M] where M % 16 == 0 {
        let y = a >> mapWrg0(|row|
            zip(row, x) >> split(16) >> transpose
                >> mapLcl0(|own| own >> reduceSeq(|acc, (a, x)| acc + a * x, 0) >> toLocal(id))
                >> iterate(4, |t| t >> split(len(t) / 2) >> transpose >> mapLcl0(|p| p >> reduceSeq(add, 0) >> toLocal(id)))
                >> mapLcl0(toGlobal(id))
        ) >> join;
        a >> transpose >> mapGlb0(|column| zip(column, y) >> reduceSeq(|acc, (a, y)| acc + a * y, 0))
    }

    fn gemv<const N: usize, const M: usize>(alpha: f32, beta: f32, a: [[f32; M]; N], x: [f32; M], y: [f32; N]) -> [f32; N] {
        zip(product(a, x), y) >> map(|ax, y| alpha * ax + beta * y)
    }

    /// A work-group for every 16 rows, which shares the pieces of `x` through local memory.
    fn gemv_low<const N: usize, const M: usize>(alpha: f32, beta: f32, a: [[f32; M]; N], x: [f32; M], y: [f32; N]) -> [f32; N]
    where N % 16 == 0, M % 16 == 0
    {
        zip(a >> split(16), y >> split(16)) >> mapWrg0(|(rows, ys)| {
            let products = zip(rows >> map(split(16)) >> transpose, x >> split(16)) >> reduceSeq(|sums, (parts, xs)| {
                let shared = xs >> toLocal(mapLcl0(id));
                zip(sums, parts) >> mapLcl0(|(sum, part)| zip(part, shared) >> reduceSeq(|acc, (a, x)| acc + a * x, sum))
            }, repeat(16, 0));
            zip(products, ys) >> mapLcl0(|(ax, y)| alpha * ax + beta * y >> toGlobal(id))
        }) >> join
    }

    /// Rows as vectors of four.
    fn gemv_vectorised<const N: usize, const M: usize>(alpha: f32, beta: f32, a: [[f32; M]; N], x: [f32; M], y: [f32; N]) -> [f32; N]
    where M % 4 == 0
    {
        zip(a, y) >> mapGlb0(|(row, y)| {
            let sums = zip(asVector(4, row), asVector(4, x)) >> reduceSeq(|acc, (a, x)| acc + a * x, 0);
            alpha * dot(sums, 1) + beta * y
        })
    }

    fn gesummv<const N: usize, const M: usize>(alpha: f32, beta: f32, a: [[f32; M]; N], b: [[f32; M]; N], x: [f32; M]) -> [f32; N] {
        zip(product(a, x), product(b, x)) >> map(|ax, bx| alpha * ax + beta * bx)
    }

    /// Both products in one loop of a work-item (PolyBench).
    fn gesummv_flat<const N: usize, const M: usize>(alpha: f32, beta: f32, a: [[f32; M]; N], b: [[f32; M]; N], x: [f32; M]) -> [f32; N] {
        zip(a, b) >> mapGlb0(|(rowOfA, rowOfB)| {
            let sums = zip(rowOfA, rowOfB, x) >> reduceSeq(|(s, t), (a, b, x)| (s + a * x, t + b * x), (0, 0));
            alpha * sums.0 + beta * sums.1
        })
    }

    /// Both products in one work-group, with two sums per work-item and pieces of `x` in local memory.
    fn gesummv_low<const N: usize, const M: usize>(alpha: f32, beta: f32, a: [[f32; M]; N], b: [[f32; M]; N], x: [f32; M]) -> [f32; N]
    where N % 16 == 0, M % 16 == 0
    {
        zip(a, b) >> split(16) >> mapWrg0(|rows| {
            let pieces = rows >> map(|(r, s)| zip(r, s) >> split(16)) >> transpose;
            zip(pieces, x >> split(16)) >> reduceSeq(|sums, (parts, xs)| {
                let shared = xs >> toLocal(mapLcl0(id));
                zip(sums, parts) >> mapLcl0(|(sum, part)|
                    zip(part, shared) >> reduceSeq(|(s, t), ((a, b), x)| (s + a * x, t + b * x), sum))
            }, repeat(16, (0, 0))) >> mapLcl0(|(s, t)| alpha * s + beta * t >> toGlobal(id))
        }) >> join
    }
}

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
    assert_eq!([kernels(atax::SOURCE), kernels(atax_low::SOURCE)], [2, 2]);
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
    assert_eq!([kernels(gemv::SOURCE), kernels(gemv_low::SOURCE)], [1, 1]);
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
