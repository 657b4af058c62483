//! Reductions whose steps load what the next step needs, against plain loops.

use lift::ndarray::{Array1, Array2};
use lift::{Result, lift};

include!("../../corpus/programs/pipelined.rs");

fn numbers(count: usize) -> Vec<i32> {
    (0..count).map(|position| ((position * 37 + 11) % 23) as i32 - 9).collect()
}

fn matrix(rows: usize, columns: usize) -> Array2<f32> {
    Array2::from_shape_fn((rows, columns), |(row, column)| ((row * 5 + column * 3) % 7) as f32 - 3.0)
}

fn rows(count: usize, length: usize) -> Array2<i32> {
    Array2::from_shape_vec((count, length), numbers(count * length)).expect("as many elements")
}

#[test]
fn reductions_of_any_length_agree_with_loops() -> Result<()> {
    for length in [0, 1, 2, 3, 17] {
        let a = numbers(length);
        assert_eq!(minus(&a)?, a.iter().fold(7, |acc, x| x - acc), "{length} elements");
        let pairs_of: Vec<(i32, i32)> = a.iter().map(|&x| (x, x + 3)).collect();
        let expected = pairs_of.iter().fold((1, 2), |(s, t), &(x, y)| (s + x * y, t.max(y)));
        assert_eq!(pairs(&pairs_of)?, expected, "{length} elements");
        let table = rows(length, 6);
        let mut expected = [1, 2, 3, 4, 5, 6];
        for row in table.rows() {
            expected = std::array::from_fn(|column| 2 * expected[column] + row[column]);
        }
        assert_eq!(columns(&table)?.to_vec(), expected, "{length} rows");
        let (a, x) = (matrix(5, length), matrix(1, length).row(0).to_owned());
        assert_eq!(dots(&a, &x)?, a.dot(&x), "{length} columns");
    }
    Ok(())
}

#[test]
fn rows_of_different_lengths_agree_with_loops() -> Result<()> {
    for n in [2usize, 3, 9] {
        let packed = numbers(n * (n - 1) / 2);
        let expected: Vec<i32> =
            (0..n).map(|row| packed[row * row.saturating_sub(1) / 2..][..row].iter().sum()).collect();
        assert_eq!(rows_of_a_triangle(&packed)?.to_vec(), expected, "{n} rows");
        let packed = numbers(n * (n + 1) / 2);
        assert_eq!(whole_triangle(&packed)?, packed.iter().sum(), "{n} rows");
    }
    Ok(())
}

#[test]
fn what_is_chosen_by_position_or_by_data_agrees_with_loops() -> Result<()> {
    for n in [3usize, 4, 30] {
        let (a, b) = (numbers(n), numbers(2 * n)[n..].to_vec());
        let value = |i: usize| if i < 3 { a[i] } else { b[n - 1 - i] };
        let expected = (0..n).fold(0i32, |acc, i| acc.wrapping_mul(5).wrapping_add(value(i)));
        assert_eq!(chosen(&a, &b)?, expected, "{n} elements");
        let padded: Vec<i32> = [&[100], a.as_slice(), &[100]].concat();
        let expected: Vec<i32> =
            padded.windows(3).map(|nbh| nbh.iter().fold(0, |acc, x| 2 * acc + x)).collect();
        assert_eq!(neighbours(&a)?.to_vec(), expected, "{n} elements");
        let list = rows(n, 5).mapv(|x| (x + 9) % n as i32);
        let expected: Vec<i32> = list
            .rows()
            .into_iter()
            .map(|row| row.iter().fold(0, |acc, &position| 3 * acc + a[position as usize]))
            .collect();
        assert_eq!(looked_up(&list, &a)?.to_vec(), expected, "{n} elements");
    }
    Ok(())
}

/// Every element of a row reversed is added to twice what was there.
fn doubled_and_added(rows: &Array2<i32>) -> Vec<i32> {
    let width = rows.ncols();
    let add = |sums: Vec<i32>, row: Array1<i32>| {
        (0..width).map(|column| sums[column].wrapping_mul(2).wrapping_add(row[width - 1 - column])).collect()
    };
    rows.rows().into_iter().fold(vec![0; width], |sums, row| add(sums, row.to_owned()))
}

#[test]
fn tiles_that_work_items_share_agree_with_loops() -> Result<()> {
    for steps in [0, 1, 2, 3, 10] {
        let a = rows(steps, 64);
        assert_eq!(tiles(&a)?.to_vec(), doubled_and_added(&a), "{steps} steps");
        for groups in [1, 2, 5] {
            let all =
                lift::ndarray::Array3::from_shape_vec((groups, steps, 64), numbers(groups * steps * 64))
                    .expect("as many elements");
            let expected: Vec<i32> =
                all.outer_iter().flat_map(|rows| doubled_and_added(&rows.to_owned())).collect();
            let found = tiles_in_rounds(&all)?;
            assert_eq!(found.into_iter().collect::<Vec<_>>(), expected, "{steps} steps, {groups} groups");
        }
        let (a, b) = (rows(steps, 24), rows(steps, 32));
        let expected: Vec<i32> = (0..24)
            .map(|column| {
                let products = (0..steps).map(|step| a[[step, 23 - column]] * b[[step, 28 - column]].pow(2));
                products.sum()
            })
            .collect();
        assert_eq!(two_tiles(&a, &b)?.to_vec(), expected, "{steps} steps");
    }
    let a = rows(4, 5120);
    let expected: Vec<i32> = (0..5120).map(|column| a.column(5119 - column).sum()).collect();
    assert_eq!(large_tiles(&a)?.to_vec(), expected);
    Ok(())
}

#[test]
fn products_of_matrices_agree_with_loops() -> Result<()> {
    for (n, m, k) in [(16, 16, 4), (32, 48, 8), (16, 32, 36)] {
        let (a, b) = (matrix(n, k), matrix(k, m));
        assert_eq!(product(&a, &b)?, a.dot(&b), "{n} x {m} x {k}");
    }
    for n in [4, 8, 20] {
        let (a, x) = (matrix(n, 64), matrix(1, 64).row(0).to_owned());
        assert_eq!(normal_product(&a, &x)?, a.t().dot(&a.dot(&x)), "{n} rows");
    }
    Ok(())
}

#[test]
fn tiles_by_turns_cost_one_barrier_a_step_and_a_single_tile_two() {
    let barriers = |source: &str| source.matches("barrier(").count();
    for source in [tiles::SOURCE, two_tiles::SOURCE, product::SOURCE] {
        assert_eq!(barriers(source), 1, "{source}");
    }
    assert_eq!(barriers(large_tiles::SOURCE), 2, "{}", large_tiles::SOURCE);
}

#[test]
fn loads_stand_before_the_computation_of_the_step_before() {
    for source in [dots::SOURCE, columns::SOURCE, tiles::SOURCE, normal_product::SOURCE] {
        assert!(source.contains("early_a"), "{source}");
    }
}
