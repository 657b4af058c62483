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
