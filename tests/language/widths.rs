//! Rows of many widths, against plain loops: on the host, rows are divided into strips of two lengths, with
//! and without borders, and some rows fill none.

use crate::common::{Border, convolve_windows, grid, sample, samples, weights};
use lift::ndarray::{Array1, Array2, Array3};
use lift::{Result, lift};

lift! {
    fn clamped<const N: usize, const M: usize>(a: [[f32; M]; N], w: [f32; 25]) -> [[f32; M]; N] {
        a >> pad2(2, 2, clamp) >> slide2(5, 1) >> map2(|n| zip(join(n), w) >> map(mult) >> reduce(add, 0))
    }
    fn mirrored<const N: usize, const M: usize>(a: [[f32; M]; N], w: [f32; 25]) -> [[f32; M]; N] {
        a >> pad2(2, 2, mirror) >> slide2(5, 1) >> map2(|n| zip(join(n), w) >> map(mult) >> reduce(add, 0))
    }
    fn wrapped<const N: usize, const M: usize>(a: [[f32; M]; N], w: [f32; 25]) -> [[f32; M]; N] {
        a >> pad2(2, 2, wrap) >> slide2(5, 1) >> map2(|n| zip(join(n), w) >> map(mult) >> reduce(add, 0))
    }

    /// Wide numbers: fewer of them fill a vector.
    fn clamped_doubles<const N: usize>(a: [f64; N], w: [f64; 5]) -> [f64; N] {
        a >> pad(2, 2, clamp) >> slide(5, 1) >> map(|n| zip(n, w) >> map(mult) >> reduce(add, 0))
    }

    /// A product whose sums have a known number of terms, which is cut out for several rows.
    fn product_of_16<const N: usize, const M: usize>(a: [[f32; 16]; N], b: [[f32; M]; 16]) -> [[f32; M]; N] {
        map(|row| map(|column| zip(row, column) >> map(mult) >> reduce(add, 0), transpose(b)), a)
    }
    fn product<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N] {
        map(|row| map(|column| zip(row, column) >> map(mult) >> reduce(add, 0), transpose(b)), a)
    }
    fn sums_of_columns<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; M] {
        a >> transpose >> map(reduce(add, 0))
    }

    /// Every second element.
    fn halved<const N: usize>(a: [f32; 2 * N]) -> [f32; N] {
        a >> slide(2, 2) >> map(|pair| 2 * at(0, pair) + at(1, pair))
    }

    /// Elements of packed rows, which are one row.
    fn scaled<const N: usize, const M: usize>(a: [[[f32; 3]; M]; N], b: [[[f32; 3]; M]; N]) -> [[[f32; 3]; M]; N] {
        zip(a, b) >> map(|(a, b)| zip(a, b) >> map(|(a, b)| zip(a, b) >> map(|(a, b)| 2 * a - b)))
    }

    /// Rows that share another one.
    fn biased<const N: usize, const M: usize>(a: [[f32; M]; N], bias: [f32; M]) -> [[f32; M]; N] {
        a >> map(|row| zip(row, bias) >> map(|(x, bias)| max(0, x + bias)))
    }
}

/// Up to two narrow strips of 16 and a bit, and around one and two of 64.
fn widths() -> impl Iterator<Item = usize> {
    (1..=40).chain([48, 63, 64, 65, 79, 80, 81, 100, 127, 128, 131])
}

#[test]
fn neighbourhoods_of_all_widths() -> Result<()> {
    let w = weights::<25>();
    for width in widths() {
        let a = grid((3, width));
        assert_eq!(clamped(&a, &w)?, Border::Clamp.convolve(&a, &w, 5, 5), "{width}");
        assert_eq!(mirrored(&a, &w)?, Border::Mirror.convolve(&a, &w, 5, 5), "{width}");
        assert_eq!(wrapped(&a, &w)?, Border::Wrap.convolve(&a, &w, 5, 5), "{width}");
    }
    Ok(())
}

#[test]
fn neighbourhoods_of_doubles() -> Result<()> {
    let w = weights::<5>();
    for width in widths() {
        let a = samples(width);
        let expected = convolve_windows(&Border::Clamp.pad(2, 2, &a), &w).mapv(f64::from);
        let double = |values: &[f32]| values.iter().copied().map(f64::from).collect::<Vec<_>>();
        assert_eq!(clamped_doubles(&double(&a), &double(&w))?, expected, "{width}");
    }
    Ok(())
}

#[test]
fn products_of_all_widths() -> Result<()> {
    for width in widths() {
        for height in [1, 3, 4, 6] {
            let (a, b) = (grid((height, 16)), grid((16, width)));
            let expected = a.dot(&b);
            assert_eq!(product_of_16(&a, &b)?, expected, "{height} x {width}");
            assert_eq!(product(&a, &b)?, expected, "{height} x {width}");
        }
        let a = grid((9, width));
        let sums: Array1<f32> = a.columns().into_iter().map(|column| column.sum()).collect();
        assert_eq!(sums_of_columns(&a)?, sums, "{width}");
    }
    Ok(())
}

#[test]
fn elements_of_rows_of_all_widths() -> Result<()> {
    for width in widths() {
        let a = samples(2 * width);
        let expected: Array1<f32> = a.chunks(2).map(|pair| 2.0 * pair[0] + pair[1]).collect();
        assert_eq!(halved(&a)?, expected, "{width}");
        let (a, bias) = (grid((5, width)), Array1::from_vec(samples(width)));
        let expected = Array2::from_shape_fn((5, width), |(y, x)| (a[(y, x)] + bias[x]).max(0.0));
        assert_eq!(biased(&a, &bias)?, expected, "{width}");
        let packed = |salt: usize| {
            Array3::from_shape_fn((2, width, 3), |(z, y, x)| sample(salt + (z * width + y) * 3 + x))
        };
        let (a, b) = (packed(0), packed(1000));
        assert_eq!(scaled(&a, &b)?, 2.0 * &a - &b, "{width}");
    }
    Ok(())
}
