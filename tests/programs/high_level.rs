//! Programs that users write without a word about who computes what: they must be correct from their
//! high-level form alone, against plain loops. More of them are in `algorithms.rs`.

use lift::ndarray::{Array2, Array3, Array4, Axis};
use lift::{Result, lift};

use crate::common::sizes_to_simulate;
use crate::plain_form;

include!("../../corpus/programs/high_level.rs");

/// Whole numbers from -11 to 11 that repeat irregularly.
fn number(position: usize) -> i32 {
    (position as u32).wrapping_mul(2_654_435_761).wrapping_shr(8) as i32 % 23 - 11
}

fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|position| number(position) as f32).collect()
}

fn matrix(rows: usize, columns: usize) -> Array2<f32> {
    Array2::from_shape_fn((rows, columns), |(row, column)| number(row * columns + column) as f32)
}

fn assert_close(found: f32, expected: f64, what: &str) {
    assert!(
        (f64::from(found) - expected).abs() <= 1e-4 * expected.abs().max(1.0),
        "{what}: {found}, {expected}"
    );
}

#[test]
fn rows_are_summed() -> Result<()> {
    for (n, m) in [(1, 1), (3, 100), (257, 5), (4, 0)] {
        let a = matrix(n, m);
        assert_eq!(row_sums(&a)?, a.sum_axis(Axis(1)), "{n} x {m}");
    }
    Ok(())
}

#[test]
fn layers_are_normalised() -> Result<()> {
    for (n, m) in [(1, 2), (5, 64), (33, 7)] {
        let a = matrix(n, m);
        let (gain, shift) = (numbers(m), numbers(m + 1).split_off(1));
        let found = layer_norm(&gain, &shift, &a)?;
        for (row, found) in a.rows().into_iter().zip(found.rows()) {
            let mean = row.iter().map(|x| f64::from(*x)).sum::<f64>() / m as f64;
            let variance = row.iter().map(|x| (f64::from(*x) - mean).powi(2)).sum::<f64>() / m as f64;
            for (j, found) in found.iter().enumerate() {
                let normal = (f64::from(row[j]) - mean) / (variance + 0.001).sqrt();
                assert_close(
                    *found,
                    normal * f64::from(gain[j]) + f64::from(shift[j]),
                    &format!("{n} x {m}"),
                );
            }
        }
    }
    Ok(())
}

#[test]
fn extremes_and_the_first_position_of_the_smallest_are_found() -> Result<()> {
    for n in [1, 2, 100, 257, 20_001] {
        let a = numbers(n);
        let least = a.iter().copied().fold(f32::MAX, f32::min);
        assert_eq!(extremes(&a)?, (least, a.iter().copied().fold(f32::MIN, f32::max)), "{n} elements");
        let first = a.iter().position(|x| *x == least).unwrap_or_default();
        assert_eq!(argmin(&a)?, first as i32, "{n} elements");
    }
    Ok(())
}

#[test]
fn values_are_counted() -> Result<()> {
    for n in sizes_to_simulate(&[0, 1, 64, 1000, 4096], 1000)? {
        let pixels: Vec<u8> =
            (0..n).map(|position| (number(position) * number(position + 7)) as u8).collect();
        let mut expected = vec![0; 256];
        for pixel in &pixels {
            expected[usize::from(*pixel)] += 1;
        }
        assert_eq!(histogram(&pixels)?.to_vec(), expected, "{n} pixels");
        if n % 64 == 0 {
            assert_eq!(histogram_in_parts(&pixels)?.to_vec(), expected, "{n} pixels");
        }
    }
    Ok(())
}

#[test]
fn prefixes_are_summed() -> Result<()> {
    for n in [0, 1, 32, 33, 1000, 4096] {
        let a: Vec<i32> = (0..n).map(number).collect();
        let sums = a.iter().scan(0, |sum, x| {
            *sum += x;
            Some(*sum)
        });
        let expected: Vec<i32> = sums.collect();
        assert_eq!(prefix_sums(&a)?.to_vec(), expected, "{n} elements");
        if n % 32 == 0 {
            assert_eq!(prefix_sums_in_chunks(&a)?.to_vec(), expected, "{n} elements");
        }
    }
    Ok(())
}

#[test]
fn a_matrix_is_raised_to_a_power() -> Result<()> {
    for n in [1, 2, 9, 33] {
        let a = Array2::from_shape_fn((n, n), |(i, j)| f32::from(u8::from((i + 2 * j) % (n + 1) == 1)));
        let second = a.dot(&a);
        let fourth = second.dot(&second);
        assert_eq!(square(&a)?, second, "{n}");
        assert_eq!(eighth_power(&a)?, fourth.dot(&fourth), "{n}");
    }
    Ok(())
}

#[test]
fn points_escape() -> Result<()> {
    let (n, m) = (20, 33);
    let ys: Vec<f32> = (0..n).map(|i| i as f32 * 2.0 / n as f32 - 1.0).collect();
    let xs: Vec<f32> = (0..m).map(|j| j as f32 * 3.0 / m as f32 - 2.0).collect();
    let expected = |(i, j): (usize, usize)| {
        let (mut u, mut v, mut count) = (0.0f64, 0.0f64, 0);
        while count < 50 && u * u + v * v <= 4.0 {
            (u, v) = (u * u - v * v + f64::from(xs[j]), 2.0 * u * v + f64::from(ys[i]));
            count += 1;
        }
        count
    };
    // Close to the border of the set a rounding decides; there are few such points.
    let near = |found: &Array2<i32>| {
        found.indexed_iter().filter(|(at, count)| **count == expected(*at)).count() * 50 >= n * m * 49
    };
    assert!(near(&mandelbrot(&ys, &xs)?));
    assert!(near(&mandelbrot_of_positions(n, m)?));
    Ok(())
}

#[test]
fn options_have_prices() -> Result<()> {
    // Hull, Options, Futures, and Other Derivatives: 42 against 40 in half a year, at 10 % and a volatility
    // of 20 %.
    let (call, put) = black_scholes(0.1, 0.2, &[(42.0, 40.0, 0.5), (100.0, 100.0, 1.0)])?;
    for (found, expected) in call.iter().chain(&put).zip([4.76, 13.27, 0.81, 3.75]) {
        assert!((found - expected).abs() < 0.01, "{found}, {expected}");
    }
    let options: Vec<(f32, f32, f32)> =
        (1..300).map(|i| (50.0 + i as f32, 200.0, i as f32 / 100.0)).collect();
    let (call, put) = black_scholes(0.03, 0.3, &options)?;
    for ((call, put), (price, strike, years)) in call.iter().zip(&put).zip(options) {
        let parity = price - strike * (-0.03 * years).exp();
        assert!((call - put - parity).abs() < 1e-3 && *call > -1e-3 && *put > -1e-3, "{call}, {put}");
    }
    Ok(())
}

#[test]
fn overlapping_windows_have_largest_elements() -> Result<()> {
    for (n, m) in [(1, 1), (3, 20), (17, 2)] {
        let a = matrix(2 * n + 1, 2 * m + 1);
        let expected = Array2::from_shape_fn((n, m), |(y, x)| {
            (0..9).map(|k| a[(2 * y + k / 3, 2 * x + k % 3)]).fold(f32::MIN, f32::max)
        });
        assert_eq!(max_pool(&a)?, expected, "{n} x {m}");
    }
    assert!(max_pool(&matrix(4, 5)).is_err());
    Ok(())
}

#[test]
fn filters_see_all_channels() -> Result<()> {
    for (c, f, h, w) in [(1, 1, 1, 1), (3, 4, 5, 7), (2, 3, 16, 9)] {
        let image = Array3::from_shape_fn((c, h, w), |(c, y, x)| number(100 * c + 10 * y + x) as f32);
        let filters =
            Array4::from_shape_fn((f, c, 3, 3), |(f, c, y, x)| number(31 * f + 9 * c + 3 * y + x) as f32);
        let expected = Array3::from_shape_fn((f, h, w), |(f, y, x)| {
            let mut sum = 0.0;
            for (channel, dy, dx) in (0..9 * c).map(|k| (k / 9, k / 3 % 3, k % 3)) {
                let at = ((y + dy).wrapping_sub(1), (x + dx).wrapping_sub(1));
                sum += image.get((channel, at.0, at.1)).unwrap_or(&0.0) * filters[(f, channel, dy, dx)];
            }
            sum
        });
        assert_eq!(convolve_channels(&filters, &image)?, expected, "{c} channels, {f} filters, {h} x {w}");
    }
    Ok(())
}

#[test]
fn products_of_products_are_not_computed_again_and_again() -> Result<()> {
    for n in [1, 7, 40] {
        let (a, b) = (matrix(n, n), matrix(n, n).reversed_axes().mapv(|x| (x * 0.25).round()));
        let expected = a.dot(&b).dot(&b.dot(&a)) + 1.0;
        assert_eq!(product_of_products(&a, &b.as_standard_layout())?, expected, "{n}");
    }
    assert_eq!(product_of_products::SOURCE.matches("kernel __attribute__").count(), 3);
    Ok(())
}

#[test]
fn a_product_is_stored_before_its_rows_are_read_again() -> Result<()> {
    for (n, m, k) in [(1, 1, 1), (5, 33, 9)] {
        let (a, b) = (matrix(n, k) / 16.0, matrix(k, m) / 16.0);
        let products = a.dot(&b);
        let found = attention(&a, &b)?;
        for (row, found) in products.rows().into_iter().zip(found.rows()) {
            let sum: f64 = row.iter().map(|x| f64::from(*x).exp()).sum();
            for (x, found) in row.iter().zip(found) {
                assert_close(*found, f64::from(*x).exp() / sum, &format!("{n} x {m} x {k}"));
            }
        }
    }
    assert_eq!(plain_form(attention::SOURCE).matches("kernel __attribute__").count(), 3);
    Ok(())
}

#[test]
fn signals_are_transformed_in_stages() -> Result<()> {
    let signal: [(f32, f32); 64] = std::array::from_fn(|i| (number(i) as f32, number(i + 64) as f32));
    let found = fourier(&signal)?;
    for (frequency, (re, im)) in found.iter().enumerate() {
        let terms = signal.iter().enumerate().map(|(time, (x, y))| {
            let (s, c) = (-std::f64::consts::TAU * (frequency * time % 64) as f64 / 64.0).sin_cos();
            (f64::from(*x) * c - f64::from(*y) * s, f64::from(*x) * s + f64::from(*y) * c)
        });
        let expected = terms.fold((0.0, 0.0), |sum, term| (sum.0 + term.0, sum.1 + term.1));
        for (found, expected) in [(*re, expected.0), (*im, expected.1)] {
            assert!((f64::from(found) - expected).abs() < 1e-3, "{frequency}: {found}, {expected}");
        }
    }
    // A kernel that makes the input of the first stage, one that is launched for each of the six stages, and
    // one that brings the frequencies in order.
    assert_eq!(fourier::SOURCE.matches("kernel __attribute__").count(), 3);
    Ok(())
}
