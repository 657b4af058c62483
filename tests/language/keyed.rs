//! `reduceByKey` and `histogram`, against plain loops.

use crate::common::sizes_to_simulate;
use lift::ndarray::Array2;
use lift::{Result, lift};

include!("../../corpus/language/keyed.rs");

/// The lengths of the inputs: none, few, one part and several, with a shorter last one.
const LENGTHS: [usize; 8] = [0, 1, 2, 83, 84, 500, 5000, 40_000];

/// The table of all keys inside.
fn table<A: Copy, B: Clone>(
    start: &[B],
    keys: impl IntoIterator<Item = i128>,
    xs: impl IntoIterator<Item = A>,
    combine: impl Fn(&B, A) -> B,
) -> Vec<B> {
    let mut table = start.to_vec();
    for (key, x) in keys.into_iter().zip(xs) {
        if let Some(entry) = usize::try_from(key).ok().and_then(|key| table.get_mut(key)) {
            *entry = combine(entry, x);
        }
    }
    table
}

/// Numbers that do not repeat soon.
fn scattered(n: usize, below: i64) -> Vec<i64> {
    (0..n as i64).map(|i| (i * 7919 + i * i % 1013) % below).collect()
}

fn wide<T: Copy + Into<i128>>(keys: &[T]) -> Vec<i128> {
    keys.iter().map(|key| (*key).into()).collect()
}

#[test]
fn keys_are_counted() -> Result<()> {
    for n in sizes_to_simulate(&LENGTHS, 5000)? {
        let bytes: Vec<u8> = scattered(n, 256).into_iter().map(|x| x as u8).collect();
        assert_eq!(
            counts_of_bytes(&bytes)?.to_vec(),
            table(&[0; 256], wide(&bytes), 0..n, |count, _| count + 1)
        );
        let mut keys: Vec<i64> = scattered(n, 350).into_iter().map(|x| x - 20).collect();
        keys.extend([i64::MIN, i64::MAX, -1, 1 << 32]);
        for bins in [1, 2, 37, 300] {
            let expected = table(&vec![0; bins], wide(&keys), 0..keys.len(), |count, _| count + 1);
            assert_eq!(counts_of_any(bins, &keys)?.to_vec(), expected, "{n}, {bins}");
        }
        let xs: Vec<f32> = scattered(n, 128).into_iter().map(|x| x as f32 / 120.0).collect();
        let keys = xs.iter().map(|x| i128::from((x * 10.0) as i32));
        let expected = table(&[0u32; 10], keys, 0..n, |count, _| count + 1);
        let expected: Vec<f32> = expected.into_iter().map(|count| count as f32 / n as f32).collect();
        if n > 0 {
            // Devices may round a quotient in another way.
            for (found, expected) in shares(&xs)?.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-6, "{found} instead of {expected}");
            }
        }
    }
    let rows = Array2::from_shape_fn((67, 45), |(i, j)| ((i * j) % 13) as u16);
    let expected: Vec<i64> = rows
        .rows()
        .into_iter()
        .flat_map(|row| table(&[0; 12], row.iter().map(|key| i128::from(*key)), 0..45, |count, _| count + 1))
        .collect();
    assert_eq!(counts_of_rows(&rows)?.into_iter().collect::<Vec<_>>(), expected);
    Ok(())
}

#[test]
fn elements_of_a_key_are_combined() -> Result<()> {
    for n in sizes_to_simulate(&LENGTHS, 5000)? {
        let numbers = scattered(n, 97);
        let keys: Vec<i32> = scattered(n, 27).into_iter().map(|x| x as i32 - 1).collect();
        let all = wide(&keys);
        let xs: Vec<f64> = numbers.iter().map(|x| *x as f64).collect();
        let expected = table(&[0.5; 16], all.clone(), xs.clone(), |sum, x| sum + x);
        assert_eq!(sums(&keys, &xs)?.to_vec(), expected);
        let short: Vec<i16> = keys.iter().map(|key| *key as i16).collect();
        let xs: Vec<i16> = numbers.iter().map(|x| *x as i16 - 50).collect();
        for bins in [1, 13, 400] {
            let expected = table(&vec![-7; bins], all.clone(), xs.clone(), |most, x| x.max(*most));
            assert_eq!(greatest(bins, &short, &xs)?.to_vec(), expected);
        }
        let unsigned: Vec<u32> = keys.iter().map(|key| *key as u32).collect();
        let xs: Vec<f32> = numbers.iter().map(|x| *x as f32 / 4.0 - 3.0).collect();
        assert_eq!(least(&unsigned, &xs)?.to_vec(), table(&[2.5; 9], wide(&unsigned), xs, |a, b| b.min(*a)));
        let unsigned: Vec<u64> = keys.iter().map(|key| i64::from(*key) as u64).collect();
        let xs: Vec<u32> = numbers.iter().map(|x| (*x as u32).wrapping_mul(0x9e37_79b9)).collect();
        assert_eq!(parities(&unsigned, &xs)?.to_vec(), table(&[5; 33], wide(&unsigned), xs, |a, b| a ^ b));
        let narrow: Vec<i8> = keys.iter().map(|key| *key as i8).collect();
        let xs: Vec<u64> = numbers.iter().map(|x| 2 * *x as u64 + 1).collect();
        let expected = table(&[1; 3], all.clone(), xs.clone(), |a: &u64, b| a.wrapping_mul(b));
        assert_eq!(products(&narrow, &xs)?.to_vec(), expected);
    }
    Ok(())
}

#[test]
fn entries_may_be_anything() -> Result<()> {
    for n in sizes_to_simulate(&LENGTHS, 5000)? {
        let xs: Vec<i32> = scattered(n, 91).into_iter().map(|x| x as i32).collect();
        let keys: Vec<i32> = scattered(n, 31).into_iter().map(|x| x as i32 - 3).collect();
        let all = wide(&keys);
        let each = || xs.iter().copied();
        assert_eq!(
            all_hold(&keys, &xs)?.to_vec(),
            table(&[true; 20], all.clone(), each(), |a, x| *a && x < 90)
        );
        let floats: Vec<f32> = each().map(|x| (x % 8) as f32).collect();
        let expected =
            table(&[(0.0, 0.0, 0); 25], all.clone(), floats.clone(), |(sum, squares, count), x| {
                (sum + x, squares + x * x, count + 1)
            });
        assert_eq!(moments(&keys, &floats)?.to_vec(), expected);
        let expected = table(&[1i32; 8], all.clone(), each(), |number, digit| {
            number.wrapping_mul(10).wrapping_add(digit)
        });
        assert_eq!(digits(&keys, &xs)?.to_vec(), expected);
        let (of_keys, of_rests) = two_tables(&keys, &xs)?;
        assert_eq!(of_keys.to_vec(), table(&[0; 5], all.clone(), each(), |a, b| a + b));
        let rests = each().map(|x| i128::from(x % 7));
        assert_eq!(of_rests.to_vec(), table(&[0; 7], rests, 0..n, |count, _| count + 1));
        for bins in [1, 5, 60] {
            let start: Vec<i32> = (0..bins).collect();
            let doubled: Vec<i32> = start.iter().map(|x| 2 * x).collect();
            let expected = table(&doubled, all.clone(), 0..n, |count, _| count + 1);
            assert_eq!(continued(&start, &keys)?.to_vec(), expected);
        }
        let signed: Vec<i32> = each().map(|x| x - 20).collect();
        let expected = table(&[-1; 6], all, signed.clone(), |a, b| if b >= 0 { b } else { *a });
        assert_eq!(last_of_key(&keys, &signed)?.to_vec(), expected);
    }
    Ok(())
}

#[test]
fn means_move_to_their_points() -> Result<()> {
    let points: Vec<f32> = (0..6000).map(|i| [1.0, 10.0, 100.0][i % 3] + (i % 7) as f32 * 0.5).collect();
    let mut expected = [0.0f32, 50.0, 60.0];
    for _ in 0..10 {
        let mut totals = [(0.0f64, 0u32); 3];
        for x in &points {
            let distance = |k: &usize| (x - expected[*k]).abs();
            let nearest = (0..3).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0);
            totals[nearest] = (totals[nearest].0 + f64::from(*x), totals[nearest].1 + 1);
        }
        for (centre, (sum, count)) in expected.iter_mut().zip(totals) {
            if count > 0 {
                *centre = (sum / f64::from(count)) as f32;
            }
        }
    }
    let found = centres(10, &points, &[0.0, 50.0, 60.0])?.to_vec();
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-3, "{found} instead of {expected}");
    }
    Ok(())
}

#[test]
fn entries_may_be_arrays() -> Result<()> {
    for n in sizes_to_simulate(&LENGTHS, 5000)? {
        for (f, k) in [(1, 1), (2, 5), (17, 3)] {
            let keys: Vec<u32> = scattered(n, k + 2).iter().map(|key| *key as u32).collect();
            let points = Array2::from_shape_fn((n, f), |(i, j)| (i * 3 + j * 7) as i32 % 100 - 50);
            let start = Array2::from_shape_fn((k as usize, f), |(i, j)| (i + j) as i32);
            let mut expected = start.clone();
            let mut counts = vec![0; 5];
            let mut sums = Array2::<f64>::zeros((5, f));
            for (key, point) in keys.iter().map(|key| *key as usize).zip(points.rows()) {
                if key < k as usize {
                    expected.row_mut(key).zip_mut_with(&point, |sum, x| *sum += x);
                }
                if key < 5 {
                    counts[key] += 1;
                    sums.row_mut(key).zip_mut_with(&point, |sum, x| *sum += f64::from(*x));
                }
            }
            assert_eq!(sums_of_points(&keys, &points, &start)?, expected, "{n} x {f} to {k}");
            for (mut row, count) in sums.rows_mut().into_iter().zip(&counts) {
                row.mapv_inplace(|sum| sum / f64::from((*count).max(1)));
            }
            let keys: Vec<i32> = keys.iter().map(|key| *key as i32).collect();
            assert_eq!(means_of_points(&keys, &points.mapv(f64::from))?, sums, "{n} x {f}");
        }
        let keys: Vec<u8> = scattered(n, 6).iter().map(|key| *key as u8).collect();
        let xs: Vec<i32> = (0..n as i32).collect();
        let last = table(&[[0; 3]; 4], wide(&keys), xs, |&[_, y, z], x| [y, z, x]);
        assert_eq!(
            last_three(&keys, &(0..n as i32).collect::<Vec<_>>())?.into_iter().collect::<Vec<_>>(),
            last.concat(),
            "{n}"
        );

        let keys: Vec<u32> = keys.iter().map(|key| u32::from(*key)).collect();
        let rows: Vec<[i16; 4]> =
            scattered(n, 60_000).iter().map(|x| [0, 1, 2, 3].map(|j| (x / 2 - j * 99) as i16)).collect();
        let largest = table(&[[i16::MIN; 4]; 7], wide(&keys), rows.iter().copied(), |m, row| {
            [0, 1, 2, 3].map(|j| m[j].max(row[j]))
        });
        assert_eq!(
            largest_of_columns(&keys, &rows)?.into_iter().collect::<Vec<_>>(),
            largest.concat(),
            "{n}"
        );
    }
    for (b, n) in [(1, 1), (3, 0), (70, 33)] {
        let keys = Array2::from_shape_fn((b, n), |(i, j)| ((i + j * j) % 5) as u32);
        let xs = Array2::from_shape_fn((b, n), |(i, j)| (i * 10 + j) as i32);
        let tables = keys.rows().into_iter().zip(xs.rows()).flat_map(|(keys, xs)| {
            table(&[[0, 0]; 3], wide(&keys.to_vec()), xs.to_vec(), |[n, s], x| [n + 1, s + x]).concat()
        });
        let found: Vec<i32> = tables_of_arrays(&keys, &xs)?.into_iter().collect();
        assert_eq!(found, tables.collect::<Vec<_>>(), "{b} x {n}");
    }
    Ok(())
}

#[test]
fn parts_of_entries_are_combined_each_in_its_own_way() -> Result<()> {
    for n in sizes_to_simulate(&LENGTHS, 5000)? {
        let keys: Vec<u32> = scattered(n, 7).iter().map(|key| *key as u32).collect();
        let xs: Vec<i32> = scattered(n, 199).iter().map(|x| *x as i32 - 99).collect();
        let signed: Vec<i32> = keys.iter().map(|key| *key as i32).collect();
        let pairs: Vec<(i64, f32)> = xs.iter().map(|x| (i64::from(*x), *x as f32 / 4.0)).collect();
        let expected =
            table(&[(3, -1.5f32); 6], wide(&signed), pairs.iter().copied(), |(sum, most), (x, y)| {
                (sum + x, most.max(y))
            });
        assert_eq!(sums_and_largest(&signed, &pairs)?.to_vec(), expected, "{n}");

        let (sums, most) = ([5, -3, 0, 7], [2, 9, -4, 3]);
        let start: Vec<(i32, i32)> = sums.into_iter().zip(most).collect();
        let expected = table(&start, wide(&keys), signed.iter().copied(), |(sum, most), key| {
            (sum + 1, (*most).max(key))
        });
        assert_eq!(sums_and_largest_from(&sums, &most, &keys)?.to_vec(), expected, "{n}");

        let short: Vec<u16> = keys.iter().map(|key| *key as u16).collect();
        let expected = table(&[[0, 0, 1000, -1000]; 5], wide(&short), xs.iter().copied(), |of, x| {
            [of[0] + 1, of[1] + x, of[2].min(x), of[3].max(x)]
        });
        let found: Vec<i32> = summaries(&short, &xs)?.into_iter().collect();
        assert_eq!(found, expected.concat(), "{n}");

        let rows: Vec<[i32; 3]> = xs.iter().map(|x| [x % 7, x / 9, 3 - x]).collect();
        let expected = table(&[[1, 2, 3]; 4], wide(&keys), rows.iter().copied(), |of, row| {
            [0, 1, 2].map(|j| of[j] + row[j] * row[j])
        });
        let found: Vec<i32> = squares_of_columns(&keys, &rows)?.into_iter().collect();
        assert_eq!(found, expected.concat(), "{n}");

        let weights: Vec<[i32; 3]> = rows.iter().map(|row| row.map(|x| x % 5)).collect();
        let both = weights.iter().copied().zip(rows.iter().copied());
        let expected = table(&[[0; 3]; 4], wide(&keys), both, |of, (weights, row)| {
            [0, 1, 2].map(|j| of[j] + weights[j] * row[j] + j as i32)
        });
        let found: Vec<i32> = weighted_columns(&keys, &weights, &rows)?.into_iter().collect();
        assert_eq!(found, expected.concat(), "{n}");
    }
    Ok(())
}

#[test]
fn a_size_of_a_narrow_type_is_another_key() -> Result<()> {
    for n in [1usize, 255, 256, 259] {
        let xs: Vec<i32> = (0..n as i32).map(|x| x * 3 + 1).collect();
        let start: Vec<i32> = (0..300).collect();
        let mut expected = start.clone();
        for x in &xs {
            expected[n % 256] = expected[n] + x;
        }
        assert_eq!(narrowed(&xs, &start)?.to_vec(), expected, "{n}");
    }
    Ok(())
}
