//! `reduceWhile` with accumulators that are arrays, against plain loops.

use lift::ndarray::{Array2, Axis};
use lift::{Result, lift};

use crate::common::sizes_to_simulate;

include!("../../corpus/language/accumulators_that_end.rs");

/// Numbers that do not repeat soon.
fn scattered(n: usize, below: i64) -> Vec<i64> {
    (0..n as i64).map(|i| (i * 7919 + i * i % 1013) % below).collect()
}

/// The accumulators of a loop that ends where a step gives none.
fn until<A, X>(first: A, xs: impl IntoIterator<Item = X>, step: impl Fn(&A, X) -> Option<A>) -> A {
    let mut all = first;
    for x in xs {
        match step(&all, x) {
            Some(next) => all = next,
            None => break,
        }
    }
    all
}

#[test]
fn rows_are_added_until_a_sum_is_large() -> Result<()> {
    for n in sizes_to_simulate(&[0, 1, 5, 37], 5)? {
        let numbers: Vec<i32> = scattered(4 * n, 50).into_iter().map(|x| x as i32).collect();
        let rows: Vec<[i32; 4]> = numbers.chunks(4).map(|row| [row[0], row[1], row[2], row[3]]).collect();
        for most in [0, 1, 60, 1_000_000] {
            let step = |acc: &[i32; 4], row: &[i32; 4]| {
                (acc[0] < most).then(|| std::array::from_fn(|k| acc[k] + row[k]))
            };
            assert_eq!(added(most, &rows)?.to_vec(), until([0; 4], &rows, step), "{n}, {most}");
        }
        let rows: Vec<[f32; 3]> =
            rows.iter().map(|row| [row[0] as f32, row[1] as f32, row[2] as f32]).collect();
        let step = |(sums, n): &([f32; 3], i32), row: &[f32; 3]| {
            (*n < 4).then(|| (std::array::from_fn(|k| sums[k] + row[k]), n + 1))
        };
        let (sums, count) = sums_and_count(&rows)?;
        assert_eq!((sums.to_vec(), count), {
            let (sums, count) = until(([0.0; 3], 0), &rows, step);
            (sums.to_vec(), count)
        });
    }
    Ok(())
}

#[test]
fn rows_end_at_numbers_of_their_own() -> Result<()> {
    for (rows, columns) in [(1, 1), (3, 7), (65, 33), (2, 0)] {
        let xs =
            Array2::from_shape_vec((rows, columns), scattered(rows * columns, 40)).expect("the shape fits");
        let signed = xs.mapv(|x| x as i16 - 2);
        let step = |last: &[i16; 5], x: &i16| {
            (*x >= 0).then(|| {
                let mut next = *last;
                next.rotate_left(1);
                next[4] = *x;
                next
            })
        };
        let expected: Vec<i16> =
            signed.axis_iter(Axis(0)).flat_map(|row| until([0; 5], row.iter(), step)).collect();
        assert_eq!(last_ones(&signed)?.into_iter().collect::<Vec<_>>(), expected, "{rows} x {columns}");

        let chosen = xs.mapv(|x| x as i32 - 1);
        let step = |acc: &[i32; 3], x: &i32| {
            let twice = 2 * x;
            (twice >= 0 && twice != 14).then(|| std::array::from_fn(|k| acc[k] + twice * (k as i32 + 1)))
        };
        let expected: Vec<i32> =
            chosen.axis_iter(Axis(0)).flat_map(|row| until([1; 3], row.iter(), step)).collect();
        assert_eq!(with_choices(&chosen)?.into_iter().collect::<Vec<_>>(), expected, "{rows} x {columns}");
    }
    Ok(())
}

#[test]
fn tables_are_updated_until_an_entry_is_full() -> Result<()> {
    for (rows, columns) in [(1, 1), (5, 90), (33, 300)] {
        let keys =
            Array2::from_shape_vec((rows, columns), scattered(rows * columns, 120)).expect("the shape fits");
        for full in [0u32, 1, 3, 1000] {
            // A key outside of the table reads the nearest entry, and changes none.
            let step = |table: &Vec<u32>, key: &i64| {
                let nearest = usize::try_from(*key).map_or(0, |key| key.min(table.len() - 1));
                (table[nearest] < full).then(|| {
                    let mut next = table.clone();
                    if let Some(entry) = usize::try_from(*key).ok().and_then(|key| next.get_mut(key)) {
                        *entry += 1;
                    }
                    next
                })
            };
            let expected: Vec<i32> = keys
                .axis_iter(Axis(0))
                .flat_map(|row| until(vec![0; 100], row.iter(), step))
                .map(|count| count as i32)
                .collect();
            let found = counts_until_full(full as i32, &keys.mapv(|key| key as u8))?;
            assert_eq!(found.into_iter().collect::<Vec<_>>(), expected, "{rows} x {columns}, {full}");
            let any: Vec<i64> = keys.iter().map(|key| key - 10).collect();
            for bins in [1, 100] {
                let expected = until(vec![0; bins], &any, step);
                assert_eq!(counts_of_any(bins, full, &any)?.to_vec(), expected, "{bins} bins, {full}");
            }
        }
    }
    Ok(())
}

#[test]
fn arrays_of_any_length_end() -> Result<()> {
    for n in [1usize, 2, 7, 40] {
        let m = Array2::from_shape_vec((n, n), scattered(n * n, 5)).expect("the shape fits");
        let v: Vec<i64> = scattered(n, 3).into_iter().map(|x| x + 1).collect();
        for limit in [0, 2, 500, i64::MAX] {
            let step = |v: &Vec<i64>, _| {
                let product = |row: lift::ndarray::ArrayView1<'_, i64>| {
                    row.iter().zip(v).fold(0i64, |sum, (x, y)| sum.wrapping_add(x.wrapping_mul(*y)))
                };
                (v[0] < limit).then(|| m.axis_iter(Axis(0)).map(product).collect())
            };
            assert_eq!(powers(limit, &m, &v)?.to_vec(), until(v.clone(), 0..5, step), "{n}, {limit}");
        }
    }
    let counts = [-1, 0, 1, 2, 8, 9, 10, i64::MAX];
    let expected: Vec<u32> = counts
        .iter()
        .flat_map(|count| {
            until([1u32; 6], 0..9, |acc, k| {
                (k < *count).then(|| std::array::from_fn(|i| 2 * acc[5 - i] + i as u32))
            })
        })
        .collect();
    assert_eq!(doubled(&counts)?.into_iter().collect::<Vec<_>>(), expected);
    Ok(())
}

#[test]
fn groups_take_as_many_tiles_as_data_says() -> Result<()> {
    let counts = [0, 1, 3, 8, 9, -5, i64::MAX];
    let xs =
        Array2::from_shape_vec((counts.len(), 128), scattered(counts.len() * 128, 1000)).expect("it fits");
    let xs = xs.mapv(|x| x as i32);
    let expected: Vec<i32> = counts
        .iter()
        .zip(xs.axis_iter(Axis(0)))
        .flat_map(|(count, row)| {
            until([0; 16], 0..8usize, |acc, t| {
                ((t as i64) < *count).then(|| std::array::from_fn(|k| acc[k] + row[16 * t + 15 - k]))
            })
        })
        .collect();
    assert_eq!(tiles_of_groups(&counts, &xs)?.into_iter().collect::<Vec<_>>(), expected);
    for n in sizes_to_simulate(&[1, 19, 20, 21, 107], 21)? {
        let xs = Array2::from_shape_vec((6, n), scattered(6 * n, 11)).expect("the shape fits");
        let xs = xs.mapv(|x| x as i32 - 1);
        let piece = |first: usize| {
            let length = (n - first).min(20);
            until(vec![0; length], xs.axis_iter(Axis(0)), |acc, row| {
                (row[first] >= 0).then(|| (0..length).map(|k| acc[k] + row[first + length - 1 - k]).collect())
            })
        };
        let expected: Vec<i32> = (0..n).step_by(20).flat_map(piece).collect();
        assert_eq!(tiles_until(&xs)?.to_vec(), expected, "{n}");
    }
    Ok(())
}
