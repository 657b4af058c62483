//! Tables and matrices that steps replace, against plain loops.

use crate::common::{mixed, sizes_to_simulate};
use lift::ndarray::Array2;
use lift::{Result, lift};

include!("../../corpus/programs/recurrences.rs");

/// The sizes of a list that do not take long on the default device.
fn sizes(all: &'static [usize]) -> Result<impl Iterator<Item = usize>> {
    sizes_to_simulate(all, 20)
}

#[test]
fn paths_are_as_short_as_in_a_plain_loop() -> Result<()> {
    for n in sizes(&[1, 2, 20, 101])? {
        // About five edges leave a vertex; their lengths are whole numbers.
        let edges = Array2::from_shape_fn((n, n), |(i, j)| match mixed(i * n + j) as usize % n {
            _ if i == j => 0.0,
            0..5 => 1.0 + (mixed(i * n + j + 9) % 50) as f32,
            _ => f32::INFINITY,
        });
        let mut expected = edges.clone();
        for k in 0..n {
            for i in 0..n {
                for j in 0..n {
                    expected[(i, j)] = expected[(i, j)].min(expected[(i, k)] + expected[(k, j)]);
                }
            }
        }
        assert_eq!(distances(&edges)?, expected, "{n} vertices");
    }
    Ok(())
}

#[test]
fn systems_are_solved_also_where_rows_must_be_exchanged() -> Result<()> {
    for n in sizes(&[1, 2, 3, 20, 70])? {
        // The elements on the diagonal are small, and the first one is zero where others can be exchanged.
        let system =
            Array2::from_shape_fn((n, n + 1), |(i, j)| match f64::from(mixed(i * n + i + j) % 1000) {
                _ if i == 0 && j == 0 && n > 1 => 0.0,
                x if i == j => 0.5 + x / 1e4,
                x => x / 100.0 - 5.0,
            });
        let x = solution(&system)?;
        for (i, row) in system.rows().into_iter().enumerate() {
            let sum: f64 = (0..n).map(|j| row[j] * x[j]).sum();
            assert!((sum - row[n]).abs() < 1e-8, "{n} equations, row {i}: {sum}, not {}", row[n]);
        }
    }
    Ok(())
}

#[test]
fn the_greatest_eigenvalue_is_found() -> Result<()> {
    // The matrix with 2 beside -1, whose eigenvalues are known, with signs that make all elements positive.
    for n in [1usize, 2, 5] {
        let a = Array2::from_shape_fn((n, n), |(i, j)| match i.abs_diff(j) {
            0 => 2.0,
            1 => 1.0,
            _ => 0.0,
        });
        let expected = 2.0 + 2.0 * (std::f64::consts::PI / (n as f64 + 1.0)).cos();
        let found = greatest_eigenvalue(40, &a)?;
        assert!((found - expected).abs() < 1e-6, "{n} rows: {found}, not {expected}");
        // Without a round, the vector is that of ones.
        assert!((greatest_eigenvalue(0, &a)? - a.sum() / n as f64).abs() < 1e-12);
    }
    Ok(())
}

#[test]
fn common_subsequences_are_as_long_as_in_a_plain_loop() -> Result<()> {
    for (n, m) in [(1usize, 1usize), (7, 1), (1, 9), (13, 20), (100, 130)] {
        let text =
            |from: usize, length: usize| (0..length).map(|i| b'a' + (mixed(i + from) % 4) as u8).collect();
        let (a, b): (Vec<u8>, Vec<u8>) = (text(0, n), text(1000, m));
        let mut table = vec![vec![0; m + 1]; n + 1];
        for i in 0..n {
            for j in 0..m {
                table[i + 1][j + 1] =
                    if a[i] == b[j] { table[i][j] + 1 } else { table[i][j + 1].max(table[i + 1][j]) };
            }
        }
        assert_eq!(longest_common(&a, &b)?, table[n][m], "{n} and {m} letters");
    }
    assert_eq!(longest_common(b"", b"abc")?, 0);
    assert_eq!(longest_common(b"human", b"chimpanzee")?, 4);
    Ok(())
}

#[test]
fn the_best_items_are_packed() -> Result<()> {
    for (n, limit) in [(1usize, 0usize), (1, 30), (5, 40), (30, 200)] {
        let items: Vec<(u32, u32)> = (0..n).map(|i| (1 + mixed(i) % 30, mixed(i + 50) % 100)).collect();
        let mut best = vec![0; limit + 1];
        for (weight, value) in &items {
            for room in (*weight as usize..=limit).rev() {
                best[room] = best[room].max(best[room - *weight as usize] + value);
            }
        }
        assert_eq!(knapsack(limit, &items)?, best[limit], "{n} items, {limit}");
    }
    Ok(())
}

#[test]
fn transforms_are_the_sums_of_their_definition() -> Result<()> {
    for steps in [1usize, 2, 5, 8] {
        let half = 1 << (steps - 1);
        let n = 2 * half;
        let part = |i: usize| (mixed(i) % 64) as f32 / 32.0 - 1.0;
        let xs: Vec<(f32, f32)> = (0..n).map(|i| (part(2 * i), part(2 * i + 1))).collect();
        let found = transformed(half, steps, &xs)?.to_vec();
        for (k, (re, im)) in found.into_iter().enumerate() {
            let (mut x, mut y) = (0.0, 0.0);
            for (i, (a, b)) in xs.iter().enumerate() {
                let angle = -2.0 * std::f64::consts::PI * (i * k % n) as f64 / n as f64;
                x += f64::from(*a) * angle.cos() - f64::from(*b) * angle.sin();
                y += f64::from(*a) * angle.sin() + f64::from(*b) * angle.cos();
            }
            let off = (f64::from(re) - x).abs().max((f64::from(im) - y).abs());
            assert!(off < 1e-3, "{n} numbers, {k}: ({re}, {im}), not ({x}, {y})");
        }
    }
    Ok(())
}
