//! `update`, against plain loops.

use lift::ndarray::{Array2, arr2};
use lift::{Result, lift};

include!("../../corpus/language/updates.rs");

#[test]
fn an_element_is_replaced_if_it_is_there() -> Result<()> {
    let xs = [1.0, 2.0, 3.0];
    for i in [-1, 0, 2, 3, i64::MIN, i64::MAX, 1 << 32] {
        let mut expected = xs;
        if let Some(x) = usize::try_from(i).ok().and_then(|i| expected.get_mut(i)) {
            *x = 9.0;
        }
        assert_eq!(replaced(i, 9.0, &xs)?.to_vec(), expected, "{i}");
    }
    for i in [0, 1, u64::MAX, 1 << 63] {
        let expected = if i < 2 { [[0, 4], [2, 0]][i as usize] } else { [2, 4] };
        assert_eq!(cleared(i, &[1, 2])?.to_vec(), expected, "{i}");
    }
    assert_eq!(replaced(0, 9.0, &[0f32; 0])?.to_vec(), [0f32; 0]);
    let marked = marked(&[1, -1, 0, 127], &[[1, 2], [3, 4], [5, 6], [7, 8]])?;
    assert_eq!(marked, arr2(&[[1, -1], [3, 4], [-1, 6], [7, 8]]));
    Ok(())
}

fn counts(keys: impl IntoIterator<Item = i64>, bins: usize) -> Vec<i32> {
    let mut counts = vec![0; bins];
    for key in keys {
        if let Some(count) = usize::try_from(key).ok().and_then(|key| counts.get_mut(key)) {
            *count += 1;
        }
    }
    counts
}

#[test]
fn accumulators_are_updated_where_they_are() -> Result<()> {
    for (rows, columns) in [(1usize, 1usize), (3, 7), (65, 33), (2, 1000)] {
        let bytes = Array2::from_shape_fn((rows, columns), |(i, j)| ((i * 31 + j * j * 7) % 256) as u8);
        let few = bytes.mapv(|byte| byte % 6);
        let any = bytes.mapv(|byte| i32::from(byte) - 20);
        let of_rows = |bins: usize, row: &dyn Fn(usize) -> Vec<i64>| -> Vec<i32> {
            (0..rows).flat_map(|i| counts(row(i), bins)).collect()
        };
        let expected = of_rows(4, &|i| few.row(i).iter().map(|key| i64::from(*key)).collect());
        assert_eq!(counts_of_few(&few)?.into_iter().collect::<Vec<_>>(), expected);
        let expected = of_rows(256, &|i| bytes.row(i).iter().map(|key| i64::from(*key)).collect());
        assert_eq!(counts_of_bytes(&bytes)?.into_iter().collect::<Vec<_>>(), expected);
        for bins in [1usize, 2, 37, 300] {
            let expected = of_rows(bins, &|i| any.row(i).iter().map(|key| i64::from(*key)).collect());
            let found = counts_of_any(bins, &any)?;
            assert_eq!(found.into_iter().map(|count| count as i32).collect::<Vec<_>>(), expected);
            let keys: Vec<i64> = any.iter().map(|key| i64::from(*key)).collect();
            let found: Vec<i32> =
                counts_of_all(bins, &keys)?.to_vec().into_iter().map(|count| count as i32).collect();
            assert_eq!(found, counts(keys, bins), "{bins}");
        }
        let keys: Vec<u16> = any.iter().map(|key| *key as u16).collect();
        let expected = counts(keys.iter().map(|key| i64::from(*key)), 100);
        assert_eq!(counts_in_pieces(&keys)?.to_vec(), expected);
    }
    Ok(())
}

#[test]
fn tuples_are_updated_all_at_once() -> Result<()> {
    for n in [0usize, 1, 50, 777] {
        let keys: Vec<i32> = (0..n as i32).map(|i| i * 13 % 25 - 2).collect();
        let xs: Vec<f32> = (0..n).map(|i| (i % 9) as f32 - 4.0).collect();
        let (mut sums, mut pairs) = (vec![(0f32, 0i32); 20], vec![(1i32, 2i32); 12]);
        for (key, x) in keys.iter().zip(&xs) {
            if let Some((sum, count)) = usize::try_from(*key).ok().and_then(|key| sums.get_mut(key)) {
                (*sum, *count) = (*sum + x, *count + 1);
            }
            if let Some(pair) = usize::try_from(*key).ok().and_then(|key| pairs.get_mut(key)) {
                *pair = (pair.1, pair.0.wrapping_add(*key));
            }
        }
        assert_eq!(sums_by_key(&keys, &xs)?.to_vec(), sums, "{n}");
        assert_eq!(exchanged(&keys)?.to_vec(), pairs, "{n}");
    }
    Ok(())
}

/// Positions below `bound` and a few outside.
fn positions(n: usize, bound: u32) -> Vec<u32> {
    (0..n as u32).map(|i| (i * 7 + i * i % 5) % (bound + 1)).collect()
}

#[test]
fn rows_are_replaced() -> Result<()> {
    let t = arr2(&[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
    for i in [-1, 0, 2, 3, i32::MIN, i32::MAX] {
        let mut expected = t.clone();
        if let Some(mut row) = usize::try_from(i).ok().filter(|i| *i < 3).map(|i| expected.row_mut(i)) {
            row.assign(&lift::ndarray::arr1(&[8.0, 9.0]));
        }
        assert_eq!(row_replaced(i, &[8.0, 9.0], &t)?, expected, "{i}");
    }
    for (n, m, k) in [(0, 2, 1), (1, 1, 1), (9, 1, 3), (40, 5, 4), (100, 33, 7)] {
        let moves: Vec<(u32, u32)> =
            positions(n, k).into_iter().zip(positions(n + 3, k).into_iter().skip(3)).collect();
        let t = Array2::from_shape_fn((k as usize, m), |(i, j)| (10 * i + j) as i32);
        let mut expected = t.clone();
        for &(from, to) in moves.iter().filter(|(_, to)| *to < k) {
            let row: Vec<i32> = expected.row(from.min(k - 1) as usize).iter().rev().copied().collect();
            expected.row_mut(to as usize).assign(&lift::ndarray::arr1(&row));
        }
        assert_eq!(rows_moved(&moves, &t)?, expected, "{n} moves of {k} rows of {m}");
    }
    Ok(())
}

#[test]
fn what_a_row_is_computed_from_is_read_before_it_is_written() -> Result<()> {
    for (b, n) in [(1, 0), (3, 1), (70, 9)] {
        let moves = Array2::from_shape_fn((b, n), |(i, j)| ((i * 3 + j) as u32 % 3, (i + j * j) as u32 % 3));
        let mut expected = Vec::new();
        for row in moves.rows() {
            let mut t = [[1i32, 2, 3], [4, 5, 6]];
            for &(from, to) in row {
                let (source, before) = (t[from.min(1) as usize], t[to.min(1) as usize]);
                if let Some(row) = t.get_mut(to as usize) {
                    *row = [0, 1, 2].map(|i| source[i].wrapping_mul(2).wrapping_add(before[2 - i]));
                }
            }
            expected.extend(t.concat());
        }
        let found = rows_moved_in_each(&moves)?;
        assert_eq!(found.into_iter().collect::<Vec<_>>(), expected, "{b} x {n}");
    }
    for (n, m) in [(0, 1), (5, 1), (17, 4), (64, 33)] {
        let keys: Vec<i32> = positions(n, 4).into_iter().map(|key| key as i32 - 1).collect();
        let rows = Array2::from_shape_fn((n, m), |(i, j)| (i * 5 + j * 3) as i32);
        let (mut sums, mut counts) = (Array2::<i32>::zeros((3, m)), [0; 3]);
        let (mut pairs, mut others) = ([[1i32, 2]; 3], [0i32; 3]);
        for (key, row) in keys.iter().zip(rows.rows()).filter(|(key, _)| (0..3).contains(*key)) {
            let key = *key as usize;
            sums.row_mut(key).zip_mut_with(&row, |sum, x| *sum += x);
            counts[key] += 1;
            let (pair, other) = (pairs[key], others[key]);
            pairs[key] = pair.map(|x| x.wrapping_add(other));
            others[key] = other.wrapping_add(pair[0]).wrapping_add(1);
        }
        let (found, count) = rows_added(&keys, &rows)?;
        assert_eq!((found, count.to_vec()), (sums, counts.to_vec()), "{n} x {m}");
        let (found, count) = rows_counted_in_them(&keys)?;
        assert_eq!((found, count.to_vec()), (arr2(&pairs), others.to_vec()), "{n} x {m}");
    }
    Ok(())
}

#[test]
fn planes_are_replaced() -> Result<()> {
    let mut cube: [[[i32; 3]; 3]; 4] = Default::default();
    for (position, x) in cube.as_flattened_mut().as_flattened_mut().iter_mut().enumerate() {
        *x = position as i32;
    }
    for n in [0, 1, 2, 30] {
        let keys: Vec<u8> = positions(n, 4).into_iter().map(|key| key as u8).collect();
        let mut expected = cube;
        for &key in keys.iter().filter(|key| **key < 4) {
            let before = expected[usize::from(key)];
            expected[usize::from(key)] = [0, 1, 2].map(|i| [2, 1, 0].map(|j| before[j][i]));
        }
        let found: Vec<i32> = planes_turned(&keys, &cube)?.into_iter().collect();
        assert_eq!(found, expected.as_flattened().as_flattened(), "{n}");
    }
    Ok(())
}

#[test]
fn a_choice_between_updates_is_an_update() -> Result<()> {
    for (n, m) in [(1, 0), (1, 1), (3, 5), (65, 200)] {
        let rows = Array2::from_shape_fn((n, m), |(i, j)| ((i * 31 + j * 17) % 90) as i16 - 10);
        let mut counts = Array2::<u32>::zeros((n, 70));
        for ((i, _), key) in rows.indexed_iter().filter(|(_, key)| **key % 2 == 0 && (0..70).contains(*key)) {
            counts[(i, *key as usize)] += 1;
        }
        assert_eq!(even_keys_counted(&rows)?, counts, "{n} x {m}");

        let keys: Vec<u8> = rows.iter().map(|key| (key + 10) as u8).collect();
        let mut sums = [3i32; 70];
        keys.iter()
            .filter(|key| **key % 2 == 0)
            .for_each(|key| sums[usize::from(key / 2)] += i32::from(*key));
        assert_eq!(even_keys_of_all(&keys)?.to_vec(), sums, "{}", n * m);

        let keys: Vec<u64> = rows.iter().map(|key| (key + 10) as u64 * 2).collect();
        let start: Vec<i64> = (0..60).collect();
        let mut expected = start.clone();
        for &key in &keys {
            match key as usize {
                100.. => expected[0] += expected[1],
                key @ 51.. => expected[key - 50] = 7,
                key => expected[key] = expected[key].wrapping_mul(3).wrapping_add(1),
            }
        }
        assert_eq!(one_of_three(&keys, &start)?.to_vec(), expected, "{}", n * m);

        let keys: Vec<i32> = (0..n as i32).map(|i| i * 7 % 25).collect();
        let rows = Array2::from_shape_fn((n, m), |(i, j)| (i * 100 + j) as f32);
        let start = Array2::from_shape_fn((20, m), |(i, j)| -((i + j) as f32));
        let mut expected = start.clone();
        for (row, key) in rows.rows().into_iter().zip(&keys).filter(|(_, key)| (3..23).contains(*key)) {
            expected.row_mut(*key as usize - 3).assign(&row);
        }
        assert_eq!(rows_taken(&keys, &rows, &start)?, expected, "{n} x {m}");

        let keys: Vec<i32> = keys.iter().map(|key| key % 8 - 2).collect();
        let start = Array2::from_shape_fn((5, m), |(i, j)| (i * 10 + j) as i32);
        let mut expected = start.clone();
        for &key in &keys {
            let from = expected.row(if key > 0 { (key as usize - 1).min(4) } else { 1 }).to_vec();
            let new = match key > 0 {
                true => from.into_iter().rev().collect::<Vec<_>>(),
                false => from.into_iter().map(|x| x + key).collect(),
            };
            if key < 5 {
                expected.row_mut(key.max(0) as usize).iter_mut().zip(new).for_each(|(old, new)| *old = new);
            }
        }
        assert_eq!(rows_turned_or_raised(&keys, &start)?, expected, "{n} x {m}");

        let rows = Array2::from_shape_fn((n, m), |(i, j)| (i * 13 + j * 29) as i32 % 103 - 5);
        let mut expected = Array2::<i32>::zeros((n, 50));
        for (row, mut table) in rows.rows().into_iter().zip(expected.rows_mut()) {
            for &key in row {
                if !(if key > 0 { table[0] < 60 } else { key > -5 }) {
                    break;
                }
                if key > 0 {
                    table[key as usize % 50] = key + table[0];
                }
            }
        }
        assert_eq!(taken_until(60, &rows)?, expected, "{n} x {m}");
    }
    Ok(())
}

#[test]
fn tables_beside_numbers_are_updated() -> Result<()> {
    for (n, m) in [(1, 0), (1, 1), (3, 5), (65, 200)] {
        let rows = Array2::from_shape_fn((n, m), |(i, j)| ((i * 31 + j * 17) % 95) as u32);
        let mut expected = Array2::<u32>::zeros((n, 90));
        for (row, mut table) in rows.rows().into_iter().zip(expected.rows_mut()) {
            for (place, key) in (1..).zip(row.iter().filter(|key| **key % 3 > 0)) {
                if let Some(entry) = table.get_mut(*key as usize) {
                    *entry = place;
                }
            }
        }
        assert_eq!(places_of_keys(&rows)?, expected, "{n} x {m}");

        let keys: Vec<u16> = rows.iter().take(60).map(|key| *key as u16 % 45).collect();
        let (mut table, mut sum, mut half) = ((0..40).collect::<Vec<i64>>(), 0i64, 1.0);
        for &key in &keys {
            let old = table[usize::from(key.min(39))];
            if let Some(entry) = table.get_mut(usize::from(key)) {
                *entry = sum + 1;
            }
            (sum, half) = (sum + old, half * 0.5 + f64::from(key));
        }
        let (found, found_sum, found_half) = replaced_and_summed(&keys)?;
        assert_eq!((found.to_vec(), found_sum, found_half), (table, sum, half), "{}", n * m);

        let keys: Vec<i64> = rows.iter().map(|key| i64::from(*key) % 20 - 2).collect();
        let mut table = vec![0; 15];
        let mut seen = 0;
        for &key in &keys {
            let old = table[key.clamp(0, 14) as usize];
            if !(seen < 9 && old < 3) {
                break;
            }
            if let Some(entry) = usize::try_from(key).ok().and_then(|key| table.get_mut(key)) {
                *entry = old + 1;
            }
            seen += i32::from(old == 0);
        }
        let (found, found_seen) = until_nine(&[0; 15], &keys)?;
        assert_eq!((found.to_vec(), found_seen), (table, seen), "{}", n * m);

        let keys: Vec<u8> = rows.iter().map(|key| *key as u8).collect();
        let (mut a, mut b) = ([0i32; 50], [1u32; 30]);
        let (mut c, mut d) = ([0u32; 50], [0u32; 50]);
        for (place, key) in keys.iter().map(|key| usize::from(*key)).enumerate() {
            let new = b[key.min(29)].wrapping_mul(2).wrapping_add(1);
            a.get_mut(key).into_iter().for_each(|entry| *entry += place as i32);
            b.get_mut(key + 1).into_iter().for_each(|entry| *entry = new);
            let new = [d[key.min(49)].wrapping_add(1), c[key.min(49)].wrapping_mul(2).wrapping_add(1)];
            c.get_mut(key).into_iter().for_each(|entry| *entry = new[0]);
            d.get_mut(key + 1).into_iter().for_each(|entry| *entry = new[1]);
        }
        let (found_a, found_b, count) = two_tables(&keys)?;
        assert_eq!((found_a.to_vec(), found_b.to_vec()), (a.to_vec(), b.to_vec()), "{}", n * m);
        assert_eq!(usize::try_from(count), Ok(n * m));
        let (found_c, found_d) = two_from_each_other(&keys)?;
        assert_eq!((found_c.to_vec(), found_d.to_vec()), (c.to_vec(), d.to_vec()), "{}", n * m);
    }
    Ok(())
}

#[test]
fn an_accumulator_may_be_an_array_of_any_length_beside_a_number() -> Result<()> {
    for (b, n, m) in [(1, 0, 1), (1, 1, 3), (2, 3, 1), (65, 6, 7), (3, 50, 70)] {
        let rows =
            lift::ndarray::Array3::from_shape_fn((b, n, m), |(h, i, j)| (h * 7 + i * 3 + j) as i32 % 10);
        let (mut sums, mut turned) = (Array2::<i32>::zeros((b, m)), Array2::<i32>::zeros((b, m)));
        for (h, rows) in rows.outer_iter().enumerate() {
            for row in rows.rows() {
                sums.row_mut(h).zip_mut_with(&row, |sum, x| *sum += x);
                let before: Vec<i32> = turned.row(h).iter().rev().copied().collect();
                turned.row_mut(h).assign(&row);
                turned.row_mut(h).iter_mut().zip(before).for_each(|(x, sum)| *x += sum);
            }
        }
        let (sum, count) = sum_and_count(&rows.index_axis(lift::ndarray::Axis(0), 0))?;
        assert_eq!((sum.to_vec(), count), (sums.row(0).to_vec(), n as i32), "{n} x {m}");
        let (found, counts) = sums_and_counts(&rows)?;
        assert_eq!((found, counts.to_vec()), (turned, vec![n as i32; b]), "{b} x {n} x {m}");
    }
    Ok(())
}

#[test]
fn tables_may_lie_anywhere_in_the_result() -> Result<()> {
    for (n, m, k) in [(1, 1, 1), (3, 7, 2), (65, 33, 9), (2, 0, 300)] {
        let keys = Array2::from_shape_fn((n, m), |(i, j)| ((i * 31 + j * j * 7) % 256) as u8);
        let start: Vec<i32> = (0..k).collect();
        let table = |i: usize| -> Vec<i32> {
            let counted = counts(keys.row(i).iter().map(|key| i64::from(*key)), start.len());
            counted.iter().zip(&start).map(|(count, start)| count + start).collect()
        };
        let tables = Array2::from_shape_fn((n, start.len()), |(i, j)| table(i)[j]);
        let reversed = tables.slice(lift::ndarray::s![..;-1, ..]);
        assert_eq!(counts_in_reverse(&keys, &start)?, reversed, "{n} x {m} in {k}");
        assert_eq!(counts_as_columns(&keys, &start)?, tables.t(), "{n} x {m} in {k}");
    }
    Ok(())
}
