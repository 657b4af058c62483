//! Matrix products with tiles in local memory and blocks of the result in registers (Steuwer, Remmelg,
//! Dubach, GPGPU 2016, figure 7) and other private arrays that the work-items of a group share out, against
//! plain loops.

use lift::lift;

include!("../../corpus/programs/blocking.rs");

fn sample(position: usize) -> f32 {
    ((position * 37 + 11) % 17) as f32 - 8.0
}

fn matrix(rows: usize, columns: usize) -> lift::ndarray::Array2<f32> {
    lift::ndarray::Array2::from_shape_fn((rows, columns), |(row, column)| sample(row * columns + column))
}

#[test]
fn a_blocked_matrix_product_agrees_with_loops() -> lift::Result<()> {
    for (n, m, k) in [(32, 32, 8), (64, 32, 40), (96, 64, 24)] {
        let (a, b) = (matrix(n, k), matrix(k, m));
        assert_eq!(blocked(&a, &b)?, a.dot(&b), "{n} x {m} x {k}");
    }
    Ok(())
}

#[test]
fn a_blocked_matrix_product_of_no_elements_is_empty() -> lift::Result<()> {
    assert_eq!(blocked(&matrix(0, 8), &matrix(8, 32))?, matrix(0, 32));
    assert_eq!(blocked(&matrix(32, 0), &matrix(0, 32))?, lift::ndarray::Array2::zeros((32, 32)));
    Ok(())
}

#[test]
fn accumulators_divided_among_work_items_agree_with_loops() -> lift::Result<()> {
    for n in [4, 8, 28] {
        let a = lift::ndarray::Array2::from_shape_fn((n, 20), |(row, column)| sample(row * 20 + column));
        let rows: Vec<[f32; 20]> = a.outer_iter().map(|row| std::array::from_fn(|i| row[i])).collect();
        assert_eq!(column_sums(&rows)?, a.sum_axis(lift::ndarray::Axis(0)), "{n} rows");
    }
    Ok(())
}

#[test]
fn accumulators_that_depend_on_all_of_themselves_agree_with_loops() -> lift::Result<()> {
    for n in [0, 1, 2, 5] {
        let rows: Vec<[f32; 4]> = (0..n).map(|row| std::array::from_fn(|i| sample(4 * row + i))).collect();
        let mut expected = [0.0f32; 4];
        for row in &rows {
            expected = std::array::from_fn(|i| expected[(i + 1) % 4] * 0.5 + row[i]);
        }
        assert_eq!(rotated_sums(&rows)?.to_vec(), expected, "{n} rows");
    }
    Ok(())
}
