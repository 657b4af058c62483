//! High-level programs in which an array is computed with loops and read repeatedly: a kernel of its own
//! stores it, wherever it stands. Against plain loops.

use crate::common::{Border, grid, sample, samples};
use crate::plain_form;
use lift::ndarray::{Array, Array1, Array2, Axis, concatenate, s};
use lift::{Result, lift};

include!("../../corpus/programs/stored_arrays.rs");

/// Whole numbers, whose products and sums are exact.
fn whole(length: usize) -> Array1<f32> {
    Array1::from_shape_fn(length, |position| (sample(position) / 8.0).round())
}

fn matrix(rows: usize, columns: usize) -> Array2<f32> {
    Array2::from_shape_fn((rows, columns), |(row, column)| (sample(row * columns + column) / 16.0).round())
}

/// Sums of floats may have another order.
fn assert_near<D: lift::ndarray::Dimension>(found: &Array<f32, D>, expected: &Array<f32, D>) {
    assert_eq!(found.shape(), expected.shape());
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            (found - expected).abs() <= 1e-4 * expected.abs().max(1.0),
            "{found} where {expected} is right"
        );
    }
}

const SIZES: [usize; 4] = [1, 2, 31, 64];

#[test]
fn parts_of_a_result_share_what_is_stored() -> Result<()> {
    for n in SIZES {
        for m in SIZES {
            let (a, x) = (matrix(n, m), whole(m));
            let y = a.dot(&x);
            assert_eq!(both(&a, &x)?, (y.clone(), a.t().dot(&y)), "{n} x {m}");
        }
        let (a, x) = (matrix(n, n), whole(n));
        let (first, second) = (a.dot(&a.dot(&x)), a.dot(&a.t().dot(&x)));
        assert_eq!(parts(&a, &x)?, (first.clone(), second.clone()), "{n}");
        let together = concatenate![lift::ndarray::Axis(0), first, x, second];
        assert_eq!(put_together(&a, &x)?, together, "{n}");
    }
    Ok(())
}

#[test]
fn stored_arrays_are_read_by_reductions_and_functions() -> Result<()> {
    for n in SIZES {
        let (a, x, z) = (matrix(n, 9), whole(9), whole(n + 3).slice(s![3..]).to_owned());
        let y = a.dot(&x);
        assert_eq!(relative(&a, &x)?, &y - y.sum(), "{n}");
        let expected = z.mapv(|c| y.iter().map(|y| y.max(c)).sum::<f32>());
        assert_eq!(inside(&a, &x, &z)?, expected, "{n}");
    }
    Ok(())
}

#[test]
fn a_pair_with_an_array_is_stored_as_a_whole() -> Result<()> {
    for n in SIZES {
        let rows = matrix(n, 5);
        assert_eq!(counted_sums(&rows)?, &rows * n as f32 + rows.sum_axis(Axis(0)), "{n}");
    }
    Ok(())
}

#[test]
fn an_element_at_a_position_from_data_is_for_all_kernels() -> Result<()> {
    let a = whole(100);
    for (position, chosen) in [(-1, 0), (7, 7), (200, 99)] {
        assert_eq!(beside_one(&a, position)?, &a * a[chosen] + a.sum(), "at {position}");
    }
    Ok(())
}

#[test]
fn what_an_iteration_makes_of_a_row_is_read_by_all() -> Result<()> {
    for n in SIZES {
        let (a, w) = (matrix(9, n), matrix(n, n));
        assert_eq!(iterated(&a, &w)?, (1.0 - &a).dot(&w.t()), "{n}");
    }
    Ok(())
}

#[test]
fn sums_of_rows_are_padded() -> Result<()> {
    for n in [1, 2, 5, 64] {
        let a = matrix(n, 9);
        let expected = Array1::from_shape_fn(n + 6, |i| a.row((i + 3 * n - 3) % n).sum() + 1.0);
        assert_eq!(padded(&a)?, expected, "{n} rows");
    }
    assert_eq!(plain_form(padded::SOURCE).matches("kernel __attribute__").count(), 2);
    Ok(())
}

#[test]
fn windows_of_windows_have_their_own_borders() -> Result<()> {
    for shape in [(1, 1), (2, 9), (33, 10)] {
        let a = grid(shape);
        let once = Border::Clamp.convolve(&a, &[1.0; 9], 3, 3);
        assert_eq!(twice(&a)?, Border::Mirror.convolve(&once, &[1.0; 9], 3, 3), "{shape:?}");
    }
    assert_eq!(plain_form(twice::SOURCE).matches("kernel __attribute__").count(), 2);
    Ok(())
}

#[test]
fn members_of_clusters_are_counted() -> Result<()> {
    for n in [0, 1, 100, 1000] {
        let (points, clusters) = (samples(n), [-20.0f32, 3.5, 4.0, 25.0]);
        let mut expected = [0; 4];
        for p in &points {
            let distance = |c: &usize| ((p - clusters[*c]).abs() * 4.0) as i32;
            expected[(0..4).min_by_key(distance).unwrap_or_default()] += 1;
        }
        assert_eq!(population(&points, &clusters.to_vec())?.to_vec(), expected, "{n} points");
    }
    Ok(())
}

#[test]
fn sums_of_the_rows_of_a_triangle_are_read_by_all() -> Result<()> {
    for n in SIZES {
        let (m, v) = (whole(n * (n + 1) / 2), whole(n));
        assert_eq!(triangle(&m, &v)?, v.mapv(|x| x * m.sum()), "{n} rows");
    }
    Ok(())
}

#[test]
fn chains_of_cheap_arrays_are_stored_in_between() -> Result<()> {
    for length in [1, 2, 7, 100] {
        let a = whole(length);
        let smooth = |a: &Array1<f32>| {
            let at = |i: usize| a[i % length];
            Array1::from_shape_fn(length, |i| 0.25 * at(i + length - 1) + 0.5 * at(i) + 0.25 * at(i + 1))
        };
        let expected = (0..6).fold(a.clone(), |a, _| smooth(&a));
        assert_near(&smoothed_again(&a)?, &expected);
    }
    assert!(
        smoothed_again::SOURCE.matches("kernel __attribute__").count() >= 2,
        "{}",
        smoothed_again::SOURCE
    );
    Ok(())
}

#[test]
fn parts_of_a_tuple_are_stored_as_if_they_were_bound_alone() -> Result<()> {
    for (rows, columns) in [(1, 1), (3, 5), (4, 33)] {
        let a = matrix(rows, columns);
        for i in 0..rows {
            let (first, second) = (a.row(i), a.row((i + 1).min(rows - 1)));
            let expected = Array2::from_shape_fn((rows, columns), |(row, column)| {
                a[(row, column)] * second[column] + a.row(row).dot(&first)
            });
            assert_near(&beside_two_rows(&a, i as u32)?, &expected);
        }
        let expected = Array2::from_shape_fn((rows, columns), |(row, column)| {
            let row = a.row(row);
            row[column] * row.slice(s![..=column]).sum() - row.sum()
        });
        assert_near(&sum_and_squares(&a)?, &expected);
    }
    Ok(())
}

#[test]
fn rows_that_are_made_from_their_numbers_have_stages() -> Result<()> {
    for (rows, columns) in [(1, 1), (3, 5), (4, 33)] {
        let a = whole(columns);
        let expected = Array2::from_shape_fn((rows, columns), |(row, column)| {
            (a[column] + row as f32) * a.iter().map(|x| x + row as f32).sum::<f32>()
        });
        assert_near(&made_rows(&a, rows)?, &expected);
    }
    Ok(())
}

#[test]
fn what_all_applications_need_is_computed_once() -> Result<()> {
    for (rows, columns) in [(1, 1), (3, 5), (2, 33)] {
        let (a, w) = (whole(columns), matrix(rows, columns));
        let weights = w.sum_axis(lift::ndarray::Axis(0)) / 16.0;
        for times in [0, 1, 3] {
            let apply = |x: Array1<f32>| x * &weights + weights.sum();
            let expected = (0..times).fold(a.clone(), |x, _| apply(x));
            assert_near(&weighted_again(&a, &(&w / 16.0), times)?, &expected);
        }
    }
    Ok(())
}

#[test]
fn the_last_steps_of_a_total_are_taken_by_one_work_item() -> Result<()> {
    for length in [1, 130, 20_000] {
        let a = whole(length);
        let (largest, next) = largest_and_next(&a)?;
        assert_eq!(largest, a.iter().copied().fold(0.0, f32::max));
        assert_eq!(next, a + 1.0);
    }
    let last = largest_and_next::SOURCE.rsplit("kernel ").next().unwrap_or_default();
    let (before, _) = last.split_once("for (").expect("the last steps");
    assert!(before.contains("get_group_id(0) == 0"), "{last}");
    Ok(())
}

#[test]
fn uneven_rows_make_even_ones() -> Result<()> {
    for (rows, columns) in [(1, 1), (3, 5), (20, 33)] {
        let (m, b) = (whole(rows * (rows + 1) / 2), whole(columns));
        let sum = |row: usize| m.slice(s![row * (row + 1) / 2..(row + 1) * (row + 2) / 2]).sum();
        let expected = Array2::from_shape_fn((rows, columns), |(row, column)| b[column] * sum(row));
        assert_near(&scaled_by_rows(&m, &b)?, &expected);
    }
    Ok(())
}
