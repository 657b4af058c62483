//! Programs that users write first, and those of the papers that use the whole set of array primitives,
//! against plain loops.

use lift::ndarray::{Array2, Array3};
use lift::{Result, lift};

include!("../../corpus/programs/algorithms.rs");

fn ramp(count: usize) -> Vec<f32> {
    (0..count).map(|i| ((i * 37 + 11) % 23) as f32 - 11.0).collect()
}

fn matrix(rows: usize, columns: usize) -> Array2<f32> {
    Array2::from_shape_vec((rows, columns), ramp(rows * columns)).expect("as many elements as places")
}

#[test]
fn partial_dot_products_are_halved_in_local_memory() -> Result<()> {
    let (x, y) = (ramp(512), ramp(512).into_iter().rev().collect::<Vec<_>>());
    let expected: Vec<f32> =
        x.chunks(128).zip(y.chunks(128)).map(|(x, y)| x.iter().zip(y).map(|(x, y)| x * y).sum()).collect();
    assert_eq!(partial_dot(&x, &y)?.to_vec(), expected);
    assert!(partial_dot(&x[..100], &y[..100]).is_err());
    Ok(())
}

#[test]
fn softmax_of_every_row_sums_to_one() -> Result<()> {
    for (rows, columns) in [(1, 1), (3, 7), (64, 33)] {
        let a = matrix(rows, columns);
        let found = softmax(&a)?;
        for (row, found) in a.rows().into_iter().zip(found.rows()) {
            let most = row.iter().copied().fold(f32::MIN, f32::max);
            let sum: f32 = row.iter().map(|x| (x - most).exp()).sum();
            for (x, found) in row.iter().zip(found) {
                assert!(((x - most).exp() / sum - found).abs() < 1e-6);
            }
        }
    }
    Ok(())
}

#[test]
fn the_smallest_element_of_every_row_is_found_at_its_first_position() -> Result<()> {
    let a = matrix(13, 29);
    let expected: Vec<i32> = a
        .rows()
        .into_iter()
        .map(|row| {
            let mut best = 0;
            for (i, x) in row.iter().enumerate() {
                if *x < row[best] {
                    best = i;
                }
            }
            best as i32
        })
        .collect();
    assert_eq!(argmin(&a)?.to_vec(), expected);
    Ok(())
}

/// So few columns that each is cut into pieces of more elements than the least.
#[test]
fn long_columns_are_summed() -> Result<()> {
    for (rows, columns) in [(100_003, 3), (131_072, 1), (70_001, 17)] {
        let a = Array2::from_shape_fn((rows, columns), |(row, column)| ((row * 7 + column) % 100) as i32);
        let expected: Vec<i32> = a.columns().into_iter().map(|column| column.sum()).collect();
        assert_eq!(lift!(transpose(a) >> map(reduce(add, 0)))?.to_vec(), expected, "{rows} x {columns}");
    }
    Ok(())
}

#[test]
fn columns_are_summed() -> Result<()> {
    let a = matrix(17, 5);
    let expected: Vec<f32> = a.columns().into_iter().map(|column| column.sum()).collect();
    assert_eq!(column_sums(&a)?.to_vec(), expected);
    Ok(())
}

#[test]
fn prefixes_of_every_row_are_summed() -> Result<()> {
    let a = Array2::from_shape_fn((4, 9), |(i, j)| (i * 9 + j) as i32);
    let found = prefix_sums(&a)?;
    for (row, found) in a.rows().into_iter().zip(found.rows()) {
        let mut sum = 0;
        for (x, found) in row.iter().zip(found) {
            assert_eq!(*found, sum);
            sum += x;
        }
    }
    Ok(())
}

#[test]
fn neighbour_lists_drive_reads_and_stay_inside_the_array() -> Result<()> {
    let values = ramp(11);
    let neighbours = Array2::from_shape_fn((11, 4), |(i, k)| (i as i32 * 5 + k as i32 * 3) % 16 - 2);
    let expected: Vec<f32> = neighbours
        .rows()
        .into_iter()
        .map(|list| list.iter().map(|i| values[(*i).clamp(0, 10) as usize]).sum())
        .collect();
    assert_eq!(neighbour_sums(&neighbours, &values)?.to_vec(), expected);
    Ok(())
}

#[test]
fn windows_with_a_step_pool() -> Result<()> {
    let a = matrix(6, 8);
    let found = mean_pool(&a)?;
    let expected = Array2::from_shape_fn((3, 4), |(i, j)| {
        (a[[2 * i, 2 * j]] + a[[2 * i, 2 * j + 1]] + a[[2 * i + 1, 2 * j]] + a[[2 * i + 1, 2 * j + 1]]) * 0.25
    });
    assert_eq!(found, expected);
    assert!(mean_pool(&matrix(5, 8)).is_err());
    Ok(())
}

#[test]
fn small_matrices_are_multiplied_in_a_batch() -> Result<()> {
    let cube = |shape: (usize, usize, usize)| {
        Array3::from_shape_vec(shape, ramp(shape.0 * shape.1 * shape.2)).expect("as many elements as places")
    };
    let (a, b) = (cube((3, 4, 5)), cube((3, 5, 2)));
    let expected = Array3::from_shape_fn((3, 4, 2), |(n, i, j)| {
        (0..5).map(|k| a[[n, i, k]] * b[[n, k, j]]).sum::<f32>()
    });
    assert_eq!(batched_product(&a, &b)?, expected);
    Ok(())
}

#[test]
fn arrays_are_put_together() -> Result<()> {
    assert_eq!(framed(&[1, 2, 3])?.to_vec(), [7, 7, 3, 2, 1, 0, 10]);
    assert_eq!(framed(&Vec::<i32>::new())?.to_vec(), [7, 7, 0, 10]);
    Ok(())
}

#[test]
fn a_tuple_of_arrays_comes_back_as_a_tuple() -> Result<()> {
    let (sums, differences) = butterflies(&[5.0, 3.0, 1.0, 4.0])?;
    assert_eq!((sums.to_vec(), differences.to_vec()), (vec![8.0, 5.0], vec![2.0, -3.0]));
    Ok(())
}
