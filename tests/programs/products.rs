//! Matrix products as Steuwer, Remmelg, Dubach derive them (CASES 2016 and GPGPU 2016): from the high-level
//! form to blocks in registers, and dot products of vectors, against plain loops.

use crate::common::sample;
use lift::ndarray::Array2;
use lift::{Result, lift};

include!("../../corpus/programs/products.rs");

/// Whole numbers, whose products and sums are exact.
fn matrix(rows: usize, columns: usize) -> Array2<f32> {
    Array2::from_shape_fn((rows, columns), |(row, column)| (sample(row * columns + column) / 4.0).round())
}

fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|position| (sample(position) / 4.0).round()).collect()
}

#[test]
fn the_high_level_product_has_any_size() -> Result<()> {
    for (n, m, k) in [(1, 1, 1), (3, 5, 7), (33, 9, 65), (4, 3, 0), (0, 2, 2)] {
        let (a, b) = (matrix(n, k), matrix(k, m));
        assert_eq!(high_level(&a, &b)?, a.dot(&b), "{n} x {m} x {k}");
    }
    Ok(())
}

#[test]
fn products_with_a_transposed_matrix_agree_with_loops() -> Result<()> {
    for (n, m, k) in [(2, 2, 4), (6, 10, 20), (66, 34, 12), (2, 4, 0)] {
        let (a, b) = (matrix(n, k), matrix(m, k));
        let expected = a.dot(&b.t());
        assert_eq!(listing3(&a, &b)?, expected, "listing 3, {n} x {m} x {k}");
        assert_eq!(listing4(&a, &b)?, expected, "listing 4, {n} x {m} x {k}");
    }
    Ok(())
}

#[test]
fn sizes_that_blocks_do_not_divide_are_errors() {
    let message = listing3(&matrix(3, 4), &matrix(2, 4)).unwrap_err().to_string();
    assert!(message.contains("N % 2 == 0"), "{message}");
}

#[test]
fn blocks_in_registers_agree_with_loops() -> Result<()> {
    for (n, m, k) in [(32, 32, 8), (64, 32, 24), (32, 96, 16)] {
        let (a, b) = (matrix(n, k), matrix(k, m));
        assert_eq!(blocks_of_8x4(&a, &b)?, a.dot(&b), "{n} x {m} x {k}");
    }
    for (n, m, k) in [(16, 16, 4), (48, 32, 12)] {
        let (a, b) = (matrix(n, k), matrix(k, m));
        assert_eq!(blocks_of_8x8(&a, &b)?, a.dot(&b), "{n} x {m} x {k}");
    }
    Ok(())
}

#[test]
fn blocks_cost_two_barriers_a_step_and_no_array_of_a_work_item() {
    for source in [blocks_of_8x4::SOURCE, blocks_of_8x8::SOURCE] {
        let lines: Vec<&str> = source.lines().map(str::trim).collect();
        assert_eq!(lines.iter().filter(|line| line.starts_with("barrier(")).count(), 2, "{source}");
        let arrays = lines.iter().filter(|line| line.starts_with("float") && line.contains('['));
        assert_eq!(arrays.filter(|line| !line.contains('=')).count(), 0, "{source}");
    }
}

#[test]
fn rows_of_vectors_agree_with_loops() -> Result<()> {
    for (n, m, k) in [(4, 4, 4), (12, 36, 20), (132, 8, 4)] {
        let (a, b) = (matrix(n, k), matrix(k, m));
        assert_eq!(vectorised(&a, &b)?, a.dot(&b), "{n} x {m} x {k}");
    }
    Ok(())
}

#[test]
fn dot_products_of_vectors_agree_with_loops() -> Result<()> {
    for n in [0, 4, 8, 100, 4096, 4100] {
        let (x, y) = (numbers(n), vec![3.0; n]);
        let expected: f32 = x.iter().map(|x| x * 3.0).sum();
        assert_eq!(dot_of_vectors(&x, &y)?, expected, "{n} elements");
        assert_eq!(dot_by_components(&x, &y)?, expected, "{n} elements");
    }
    Ok(())
}
