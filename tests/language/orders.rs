//! `sort`, `argsort`, `sortBy`, `topK`, `filter`, `scatterTo`, `argmin`, `argmax` and `enumerate`, against the
//! standard library.

use crate::common::sizes_to_simulate;
use lift::ndarray::Array2;
use lift::{Device, DeviceKind, Result, lift};

include!("../../corpus/language/orders.rs");

lift! {
    fn sorted_floats<const N: usize>(xs: [f32; N]) -> [f32; N] { sort(xs) }
    fn sorted_doubles<const N: usize>(xs: [f64; N]) -> [f64; N] { sort(xs) }
    fn sorted_integers<const N: usize>(xs: [i32; N]) -> [i32; N] { sort(xs) }
    fn sorted_words<const N: usize>(xs: [u64; N]) -> [u64; N] { sort(xs) }
    fn sorted_short<const N: usize>(xs: [i16; N]) -> [i16; N] { sort(xs) }
    fn sorted_bytes<const N: usize>(xs: [u8; N]) -> [u8; N] { xs >> sort }
    fn sorted_truths<const N: usize>(xs: [bool; N]) -> [bool; N] { sort(xs) }
    fn order_of<const N: usize>(xs: [i64; N]) -> [u32; N] { argsort(xs) }
    fn order_of_floats<const N: usize>(xs: [f32; N]) -> [u32; N] { argsort(xs) }
    fn by_second<const N: usize>(xs: [(f32, i8); N]) -> [(f32, i8); N] { xs >> sortBy(|(_, key)| key) }
    fn rows_by_sum<const N: usize, const M: usize>(rows: [[i32; M]; N]) -> [[i32; M]; N] {
        rows >> sortBy(|row| row >> reduce(add, 0))
    }
    fn greatest_five<const N: usize>(xs: [f32; N]) -> [f32; 5] where N >= 5 { topK(5, xs) }
    fn greatest_of_greatest<const N: usize>(xs: [i32; N]) -> [i32; 3] where N >= 5 {
        xs >> topK(5) >> topK(4) >> slice(0, 3) >> sort
    }
    fn none_sorted(xs: [f32; 0]) -> [f32; 0] { sort(xs) }
    fn none_kept(xs: [i32; 0]) -> ([i32; 0], u32) { filter(|x| x > 0, xs) }
    fn none_moved(positions: [i32; 0], xs: [i32; 0]) -> [i32; 3] { scatterTo(3, 7, positions, xs) }
    fn one_sorted(xs: [u8; 1]) -> [u8; 1] { sort(xs) }
}

/// The lengths of the inputs: none, few, one chunk and several, with a shorter last one.
const LENGTHS: [usize; 6] = [0, 1, 2, 32, 33, 500];

/// Numbers that do not repeat soon, of all signs.
fn scattered(n: usize, below: i64) -> Vec<i64> {
    (0..n as i64).map(|i| (i * 7919 + i * i % 1013 + i * i * i % 89) % below - below / 2).collect()
}

/// Numbers all over 64 bits.
fn hashed(n: usize) -> Vec<u64> {
    (0..n as u64).map(|i| (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (i << 40)).collect()
}

/// Floats of all kinds, ordered as `total_cmp` does.
fn floats(n: usize) -> Vec<f32> {
    let special =
        [f32::INFINITY, -0.0, f32::MIN_POSITIVE, 0.0, -f32::INFINITY, f32::MAX, 1e-40, f32::MIN, -1e-40];
    let all = scattered(n, 4001).into_iter().enumerate();
    all.map(|(i, x)| if i % 7 == 3 { special[i % special.len()] } else { x as f32 / 16.0 }).collect()
}

fn bits(xs: impl IntoIterator<Item = f32>) -> Vec<u32> {
    xs.into_iter().map(f32::to_bits).collect()
}

#[test]
fn numbers_are_sorted() -> Result<()> {
    for n in sizes_to_simulate(&LENGTHS, 33)? {
        let mut xs = floats(n);
        let found = sorted_floats(&xs)?;
        xs.sort_by(f32::total_cmp);
        assert_eq!(bits(found), bits(xs), "{n}");
        let mut xs: Vec<f64> = hashed(n).into_iter().map(|x| x as i64 as f64 / 3.0).collect();
        let found = sorted_doubles(&xs)?.to_vec();
        xs.sort_by(f64::total_cmp);
        assert_eq!(found, xs, "{n}");
        let mut xs: Vec<i32> = hashed(n).into_iter().map(|x| (x >> 13) as i32).collect();
        let found = sorted_integers(&xs)?.to_vec();
        xs.sort_unstable();
        assert_eq!(found, xs, "{n}");
        let mut xs = hashed(n);
        let found = sorted_words(&xs)?.to_vec();
        xs.sort_unstable();
        assert_eq!(found, xs, "{n}");
        let mut xs: Vec<i16> = hashed(n).into_iter().map(|x| (x >> 20) as i16).collect();
        let found = sorted_short(&xs)?.to_vec();
        xs.sort_unstable();
        assert_eq!(found, xs, "{n}");
        let mut xs: Vec<u8> = hashed(n).into_iter().map(|x| (x >> 31) as u8).collect();
        let found = sorted_bytes(&xs)?.to_vec();
        xs.sort_unstable();
        assert_eq!(found, xs, "{n}");
        let mut xs: Vec<bool> = scattered(n, 5).into_iter().map(|x| x > 0).collect();
        let found = sorted_truths(&xs)?.to_vec();
        xs.sort_unstable();
        assert_eq!(found, xs, "{n}");
    }
    Ok(())
}

#[test]
fn nan_is_greater_than_all_numbers_and_less_if_it_is_negative() -> Result<()> {
    let xs = [1.0, f32::NAN, -f32::NAN, f32::INFINITY, -2.0, f32::NEG_INFINITY];
    let found = sorted_floats(&xs)?.to_vec();
    assert!(found[0].is_nan() && found[5].is_nan());
    assert_eq!(found[1..5], [f32::NEG_INFINITY, -2.0, 1.0, f32::INFINITY]);
    Ok(())
}

#[test]
fn equal_keys_stay_in_their_order() -> Result<()> {
    for n in sizes_to_simulate(&LENGTHS, 33)? {
        let keys = scattered(n, 37);
        let mut expected: Vec<u32> = (0..n as u32).collect();
        expected.sort_by_key(|i| keys[*i as usize]);
        assert_eq!(order_of(&keys)?.to_vec(), expected, "{n}");
        let xs = floats(n);
        let mut expected: Vec<u32> = (0..n as u32).collect();
        expected.sort_by(|i, j| xs[*i as usize].total_cmp(&xs[*j as usize]));
        assert_eq!(order_of_floats(&xs)?.to_vec(), expected, "{n}");
        let mut pairs: Vec<(f32, i8)> =
            keys.iter().enumerate().map(|(i, key)| (i as f32, *key as i8)).collect();
        let found = by_second(&pairs)?.to_vec();
        pairs.sort_by_key(|pair| pair.1);
        assert_eq!(found, pairs, "{n}");
    }
    let rows = Array2::from_shape_fn((45, 3), |(i, j)| (i as i32 * 17 + j as i32 * 5) % 11);
    let mut expected: Vec<Vec<i32>> = rows.rows().into_iter().map(|row| row.to_vec()).collect();
    expected.sort_by_key(|row| row.iter().sum::<i32>());
    assert_eq!(rows_by_sum(&rows)?.into_iter().collect::<Vec<_>>(), expected.concat());
    Ok(())
}

#[test]
fn a_program_may_say_that_there_are_no_elements() -> Result<()> {
    assert!(none_sorted(&[0.0; 0])?.is_empty());
    let (kept, count) = none_kept(&[0; 0])?;
    assert_eq!((kept.len(), count), (0, 0));
    assert_eq!(none_moved(&[0; 0], &[0; 0])?.to_vec(), [7; 3]);
    assert_eq!(one_sorted(&[5])?.to_vec(), [5]);
    Ok(())
}

#[test]
fn the_greatest_elements_come_first() -> Result<()> {
    for n in sizes_to_simulate(&LENGTHS, 33)?.filter(|n| *n >= 5) {
        let mut xs = floats(n);
        let found = greatest_five(&xs)?;
        xs.sort_by(|a, b| b.total_cmp(a));
        assert_eq!(bits(found), bits(xs[..5].to_vec()), "{n}");
        let mut xs: Vec<i32> = scattered(n, 211).into_iter().map(|x| x as i32).collect();
        let found = greatest_of_greatest(&xs)?;
        xs.sort_unstable();
        assert_eq!(found.to_vec(), xs[n - 3..], "{n}");
    }
    Ok(())
}

#[test]
fn elements_are_kept_in_their_order() -> Result<()> {
    for n in sizes_to_simulate(&LENGTHS, 33)? {
        let xs: Vec<i32> = scattered(n, 211).into_iter().map(|x| x as i32).collect();
        let (kept, left): (Vec<i32>, Vec<i32>) = xs.iter().partition(|x| **x > 0);
        let (found, count) = positive(&xs)?;
        assert_eq!(count as usize, kept.len(), "{n}");
        assert_eq!(found.to_vec(), [kept, left].concat(), "{n}");
        let pairs: Vec<(f32, i32)> = xs.iter().map(|x| (*x as f32 * 0.5, x * 3)).collect();
        let expected: i32 = pairs.iter().filter(|pair| pair.0 < 7.0).map(|pair| pair.1).sum();
        assert_eq!(kept_sum(7.0, &pairs)?, expected, "{n}");
    }
    Ok(())
}

#[test]
fn elements_go_to_positions_and_the_last_one_counts() -> Result<()> {
    for m in LENGTHS {
        let to: Vec<i32> = scattered(m, 301).into_iter().map(|x| x as i32 + 140).collect();
        let xs: Vec<f64> = (0..m).map(|i| i as f64).collect();
        for n in [1, 2, 100, 300] {
            let mut expected = vec![-1.5; n];
            for (to, x) in to.iter().zip(&xs) {
                if let Some(place) = usize::try_from(*to).ok().and_then(|to| expected.get_mut(to)) {
                    *place = *x;
                }
            }
            assert_eq!(moved(n, &to, &xs)?.to_vec(), expected, "{m}, {n}");
        }
        let to: Vec<u8> = to.iter().map(|to| (to.rem_euclid(11)) as u8).collect();
        let rows = Array2::from_shape_fn((m, 3), |(i, j)| (i * 3 + j) as i16);
        let mut expected = [[7i16; 3]; 9];
        for (to, row) in to.iter().zip(rows.rows()) {
            if let Some(place) = expected.get_mut(usize::from(*to)) {
                *place = [row[0], row[1], row[2]];
            }
        }
        if m > 0 {
            assert_eq!(rows_moved(&to, &rows)?.into_iter().collect::<Vec<_>>(), expected.concat(), "{m}");
        }
        let order: Vec<u32> = (0..m as u32).map(|i| (i * 7 + 3) % m as u32).collect();
        if m % 7 != 0 {
            let mut expected = vec![0; m];
            for (i, to) in order.iter().enumerate() {
                expected[*to as usize] = i as u32;
            }
            assert_eq!(inverse(&order)?.to_vec(), expected, "{m}");
        }
    }
    Ok(())
}

#[test]
fn positions_are_those_of_the_first() -> Result<()> {
    for n in LENGTHS.into_iter().filter(|n| *n > 0) {
        let xs: Vec<f32> = scattered(n, 97).into_iter().map(|x| x as f32).collect();
        let first = |extreme: f32| xs.iter().position(|x| *x == extreme).map(|i| i as u32);
        let least = xs.iter().copied().fold(f32::INFINITY, f32::min);
        let greatest = xs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let (low, high) = least_and_greatest(&xs)?;
        assert_eq!((Some(low), Some(high)), (first(least), first(greatest)), "{n}");
        let numbers: Vec<i16> = xs.iter().map(|x| *x as i16).collect();
        let expected: Vec<(u32, i16)> = numbers.iter().enumerate().map(|(i, x)| (i as u32, *x)).collect();
        assert_eq!(numbered(&numbers)?.to_vec(), expected, "{n}");
        let numbers: Vec<i32> = xs.iter().map(|x| *x as i32).collect();
        let expected: i32 = numbers.iter().enumerate().map(|(i, x)| i as i32 * x).sum();
        assert_eq!(weighted(&numbers)?, expected, "{n}");
    }
    assert_eq!(least_and_greatest(&[f32::NAN, 3.0, f32::NAN, 1.0])?, (3, 1));
    assert_eq!(least_and_greatest(&[f32::NAN; 3])?, (0, 0));
    let rows = Array2::from_shape_fn((70, 13), |(i, j)| ((i * 31 + j * 17) % 12) as i32);
    let expected: Vec<u32> = rows
        .rows()
        .into_iter()
        .map(|row| row.iter().enumerate().min_by_key(|(_, x)| **x).map_or(0, |(i, _)| i as u32))
        .collect();
    assert_eq!(least_of_rows(&rows)?.to_vec(), expected);
    Ok(())
}

#[test]
fn the_form_with_shared_tables_finds_the_same() -> Result<()> {
    let device = Device::default_device()?;
    if device.kind() == DeviceKind::Host {
        return Ok(());
    }
    for n in sizes_to_simulate(&LENGTHS, 33)? {
        let mut xs = floats(n);
        let found = sorted_floats::on(&device)?.form("tables")?.run(&xs)?;
        xs.sort_by(f32::total_cmp);
        assert_eq!(bits(found), bits(xs), "{n}");
        let keys = scattered(n, 37);
        let mut expected: Vec<u32> = (0..n as u32).collect();
        expected.sort_by_key(|i| keys[*i as usize]);
        assert_eq!(order_of::on(&device)?.form("tables")?.run(&keys)?.to_vec(), expected, "{n}");
        let xs: Vec<i32> = scattered(n, 211).into_iter().map(|x| x as i32).collect();
        let (kept, left): (Vec<i32>, Vec<i32>) = xs.iter().partition(|x| **x > 0);
        let (found, count) = positive::on(&device)?.form("tables")?.run(&xs)?;
        assert_eq!((found.to_vec(), count as usize), ([kept.clone(), left].concat(), kept.len()), "{n}");
        let to: Vec<i32> = scattered(n, 301).into_iter().map(|x| x as i32 + 140).collect();
        let numbers: Vec<f64> = (0..n).map(|i| i as f64).collect();
        let plain = moved::on(&device)?.form("plain")?.run(200, &to, &numbers)?;
        assert_eq!(moved::on(&device)?.form("tables")?.run(200, &to, &numbers)?, plain, "{n}");
    }
    Ok(())
}
