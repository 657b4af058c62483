//! Tables that work-items update together, against plain loops: those that a program writes, and the form
//! `tables` of reductions by key.

use crate::common::sizes_to_simulate;
use lift::ndarray::Array2;
use lift::{Device, DeviceKind, Result, lift};

include!("../../corpus/language/tables.rs");

/// The lengths of the inputs: none, few, one group and several, with a shorter last one.
const LENGTHS: [usize; 8] = [0, 1, 2, 83, 1024, 1025, 5000, 40_000];

/// The table of all keys inside.
fn table<A: Copy, B: Clone>(
    start: &[B],
    keys: impl IntoIterator<Item = i64>,
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

fn wide<T: Copy + Into<i64>>(keys: &[T]) -> Vec<i64> {
    keys.iter().map(|key| (*key).into()).collect()
}

/// Evaluates an expression with each form that the default device has code for.
macro_rules! in_all_forms {
    (|$form:ident| $check:expr) => {
        let is_host = Device::default_device()?.kind() == DeviceKind::Host;
        for $form in ["plain", "tables"].into_iter().filter(|form| !is_host || *form == "plain") {
            $check
        }
    };
}

#[test]
fn the_device_updates_a_table() -> Result<()> {
    for n in sizes_to_simulate(&LENGTHS, 5000)? {
        let xs: Vec<u32> = scattered(n, 1 << 31).into_iter().map(|x| x as u32).collect();
        for divisor in [1u32, 2, 37, 3000] {
            let keys = xs.iter().map(|x| i64::from(x % divisor));
            let expected = table(&vec![0; divisor as usize], keys, 0..n, |count, _| count + 1);
            assert_eq!(remainders(divisor as usize, &xs)?.to_vec(), expected, "{n}, {divisor}");
        }
        let keys: Vec<i32> = scattered(n, 23).into_iter().map(|x| x as i32 - 2).collect();
        let counts = table(
            &[0; 23],
            keys.iter().map(|key| i64::from(*key)).filter(|key| *key > 4),
            0..n,
            |count, _| count + 1,
        );
        assert_eq!(above(4, &keys)?.to_vec(), counts, "{n}");
        let xs: Vec<i32> = scattered(n, 1999).into_iter().map(|x| x as i32 - 1000).collect();
        let expected = table(&[(-1000, 1000, 0, 7); 19], wide(&keys), xs.clone(), |old, x| {
            (old.0.max(x), old.1.min(x), old.2 + 1, old.3)
        });
        assert_eq!(extremes(&keys, &xs)?.to_vec(), expected, "{n}");
        assert_eq!(all_in_one(&xs)?.to_vec(), [1, 1, 1 + xs.iter().sum::<i32>()]);
        let most = xs.iter().copied().fold(-5, i32::max);
        assert_eq!(greatest_behind(&xs)?.to_vec(), [vec![-5; n], vec![most]].concat());
        let keys: Vec<i64> = scattered(n, 97).into_iter().map(|x| (x - 3) << (x % 2 * 30)).collect();
        let before: Vec<u32> = (0..90).map(|x| x * 0x0123_4567).collect();
        let weights: Vec<u32> = (0..90).map(|x| x * x).collect();
        let start: Vec<u32> = before.iter().map(|x| x + 1).collect();
        let added = keys.iter().map(|key| weights[(*key).clamp(0, 89) as usize]);
        let expected = table(&start, keys.clone(), added, |sum, x| sum.wrapping_add(x.wrapping_mul(4)));
        assert_eq!(continued_together(&before, &weights, &keys)?.to_vec(), expected, "{n}");
    }
    Ok(())
}

#[test]
fn tables_are_complete_before_they_are_read() -> Result<()> {
    for n in sizes_to_simulate(&LENGTHS, 5000)?.filter(|n| *n > 0) {
        let keys: Vec<u8> = scattered(n, 256).into_iter().map(|x| x as u8).collect();
        let counts = table(&[0u32; 256], wide(&keys), 0..n, |count, _| count + 1);
        let starts: Vec<u32> = (0..256).map(|key| counts[..key].iter().sum()).collect();
        let expected: Vec<u32> = keys.iter().map(|key| starts[usize::from(*key)]).collect();
        assert_eq!(ranks(&keys)?.to_vec(), expected, "{n}");
        let keys: Vec<i16> = scattered(n, 7).into_iter().map(|x| x as i16 - 1).collect();
        let xs: Vec<u32> = scattered(n, 1 << 30).into_iter().map(|x| (x as u32) << (x % 3)).collect();
        let (either, both, one) = bits_of_keys(&keys, &xs)?;
        assert_eq!(either.to_vec(), table(&[0; 5], wide(&keys), xs.clone(), |a, b| a | b));
        assert_eq!(both.to_vec(), table(&[0xffff; 5], wide(&keys), xs.clone(), |a, b| a & b));
        assert_eq!(one.to_vec(), table(&[5; 3], wide(&keys), xs, |a, b| a ^ b as i32));
    }
    Ok(())
}

#[test]
fn groups_update_tables_of_their_own() -> Result<()> {
    for chunks in [1, 2, 31] {
        let bytes: Vec<u8> = scattered(chunks * 96, 200).into_iter().map(|x| x as u8).collect();
        let expected: Vec<u32> = bytes
            .chunks(96)
            .flat_map(|chunk| table(&[0; 256], wide(chunk), 0..96, |count, _| count + 1))
            .collect();
        assert_eq!(counts_of_chunks(&bytes)?.into_iter().collect::<Vec<_>>(), expected);
        let bytes: Vec<u8> = scattered(chunks * 64, 256).into_iter().map(|x| x as u8).collect();
        let expected: Vec<u32> = bytes
            .chunks(64)
            .flat_map(|chunk| {
                let before = |byte: &u8| chunk.iter().filter(|other| **other / 16 < byte / 16).count() as u32;
                chunk.iter().map(before).collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(places_in_chunks(&bytes)?.into_iter().collect::<Vec<_>>(), expected);
        let xs: Vec<i32> = scattered(chunks * 80, 9).into_iter().map(|x| x as i32 - 1).collect();
        let expected: Vec<i32> = xs
            .chunks(80)
            .flat_map(|chunk| {
                let counts = table(&[0i64; 8], wide(chunk), 0..80, |count, _| count + 1);
                let keys = chunk.iter().map(|x| counts[(*x).clamp(0, 7) as usize] / 2);
                table(&[100; 8], keys, chunk.iter().copied(), |sum, x| sum + x)
            })
            .collect();
        assert_eq!(rare_in_chunks(&xs)?.into_iter().collect::<Vec<_>>(), expected);
    }
    Ok(())
}

#[test]
fn a_step_may_be_several() -> Result<()> {
    for (n, m) in [(0, 3), (1, 0), (5, 1), (37, 4), (300, 7)] {
        let rows = Array2::from_shape_fn((n, m), |(i, j)| ((i * 5 + j * 7 + i * j) % 9) as u8);
        let keys: Vec<i64> = rows.iter().map(|key| i64::from(*key)).collect();
        let rest: Vec<i16> = scattered(m, 9).into_iter().map(|x| x as i16 - 1).collect();
        let before = [5, 0, 1, 2, 3, 4, 1000u32];
        let expected = table(&before, keys, 0..n * m, |count, _| count + 1);
        let expected = table(&expected, wide(&rest), 0..m, |count, _| count + 10);
        assert_eq!(keys_of_rows(&before, &rows, &rest)?.to_vec(), expected, "{n} x {m}");
    }
    for chunks in [1, 2, 31] {
        let bytes: Vec<u8> = scattered(chunks * 98, 43).into_iter().map(|x| x as u8).collect();
        let of_chunk = |chunk| table(&[0; 40], wide(chunk), 0..98, |count, _| count + 1);
        let expected: Vec<u32> = bytes.chunks(98).flat_map(of_chunk).collect();
        assert_eq!(counts_by_fours(&bytes)?.into_iter().collect::<Vec<_>>(), expected, "{chunks}");
    }
    Ok(())
}

#[test]
fn an_element_may_have_two_positions() -> Result<()> {
    let device = Device::default_device()?;
    let counted = |first: u32, xs: &[u8]| {
        let mut expected = vec![first; 35];
        let pairs = xs.iter().map(|x| (usize::from(x / 16), usize::from(x % 16)));
        pairs.filter(|(i, j)| *i < 5 && *j < 7).for_each(|(i, j)| expected[7 * i + j] += 1);
        expected
    };
    for n in sizes_to_simulate(&LENGTHS, 5000)? {
        let xs: Vec<u8> = scattered(n, 120).into_iter().map(|x| x as u8).collect();
        assert_eq!(pairs(&xs)?.into_iter().collect::<Vec<_>>(), counted(2, &xs), "{n}");
        let whole = &xs[..n / 70 * 70];
        let expected: Vec<u32> = whole.chunks(70).flat_map(|chunk| counted(0, chunk)).collect();
        assert_eq!(pairs_in_chunks(whole)?.into_iter().collect::<Vec<_>>(), expected, "{n}");
        let keys: Vec<i16> = scattered(n, 6).into_iter().map(|x| x as i16 - 1).collect();
        let numbers: Vec<i32> = scattered(n, 1999).into_iter().map(|x| x as i32 - 1000).collect();
        let mut expected = vec![(1, -2000); 12];
        for (step, (key, x)) in
            keys.iter().zip(&numbers).enumerate().filter(|(_, (key, _))| (0..4).contains(*key))
        {
            let (sum, most) = &mut expected[3 * *key as usize + step % 3];
            (*sum, *most) = (*sum + x, x.max(most).to_owned());
        }
        assert_eq!(in_turn(&keys, &numbers)?.into_iter().collect::<Vec<_>>(), expected, "{n}");
        let of_keys: Vec<(i32, u8)> = xs.iter().map(|x| (i32::from(x / 16) - 1, x % 16)).collect();
        for (rows, columns) in [(1, 1), (3, 16), (6, 5), (70, 40)] {
            let mut expected = vec![0; rows * columns];
            let inside = of_keys.iter().map(|(i, j)| (usize::try_from(*i).unwrap_or(rows), usize::from(*j)));
            inside
                .filter(|(i, j)| *i < rows && *j < columns)
                .for_each(|(i, j)| expected[i * columns + j] += 1);
            in_all_forms!(|form| {
                let found = pairs_counted::on(&device)?.form(form)?.run(rows, columns, &of_keys)?;
                assert_eq!(
                    found.into_iter().collect::<Vec<_>>(),
                    expected,
                    "{form}, {n}, {rows} x {columns}"
                );
            });
        }
    }
    Ok(())
}

#[test]
fn reductions_by_key_have_a_form_with_shared_tables() -> Result<()> {
    let device = Device::default_device()?;
    for n in sizes_to_simulate(&LENGTHS, 5000)? {
        let bytes: Vec<u8> = scattered(n, 251).into_iter().map(|x| x as u8).collect();
        let counts = table(&[0; 256], wide(&bytes), 0..n, |count, _| count + 1);
        in_all_forms!(|form| assert_eq!(
            counted::on(&device)?.form(form)?.run(&bytes)?.to_vec(),
            counts,
            "{form}"
        ));
        let keys: Vec<u32> = scattered(n, 5003).into_iter().map(|x| (x as u32).wrapping_sub(2)).collect();
        let xs: Vec<i32> = scattered(n, 97).into_iter().map(|x| x as i32 - 9).collect();
        for bins in [1, 30, 5000] {
            let expected = table(&vec![-3; bins], wide(&keys), xs.clone(), |most, x| x.max(*most));
            in_all_forms!(|form| {
                let found = most_of_key::on(&device)?.form(form)?.run(bins, &keys, &xs)?;
                assert_eq!(found.to_vec(), expected, "{form}, {n}, {bins}");
            });
        }
        let keys: Vec<i32> = scattered(n, 45).into_iter().map(|x| x as i32 - 2).collect();
        let expected =
            table(&[(50, 0); 40], wide(&keys), xs.clone(), |(least, count), x| (x.min(*least), count + 1));
        in_all_forms!(|form| {
            let found = least_and_count::on(&device)?.form(form)?.run(&keys, &xs)?;
            assert_eq!(found.to_vec(), expected, "{form}, {n}");
        });
    }
    Ok(())
}

#[test]
fn such_tables_are_stages_like_others() -> Result<()> {
    let device = Device::default_device()?;
    for n in sizes_to_simulate(&LENGTHS, 5000)? {
        let xs: Vec<i32> = scattered(n, 15).into_iter().map(|x| x as i32 - 1).collect();
        let counts = table(&[0u32; 6], xs.iter().map(|x| i64::from(x / 2)), 0..n, |count, _| count + 1);
        let all = counts.iter().sum::<u32>().max(1) as f32;
        in_all_forms!(|form| {
            let found = normalised::on(&device)?.form(form)?.run(&xs)?;
            for (found, count) in found.iter().zip(&counts) {
                // Devices may round a quotient in another way.
                assert!((found - *count as f32 / all).abs() < 1e-6, "{form}: {found} of {count}");
            }
        });
        let keys: Vec<i32> = scattered(n, 14).into_iter().map(|x| x as i32 - 1).collect();
        for rounds in [0, 1, 2, 7] {
            let mut expected = vec![1; 12];
            for _ in 0..rounds {
                let places = keys.iter().map(|key| i64::from(expected[(*key).clamp(0, 11) as usize] % 12));
                expected = table(&expected, places.collect::<Vec<_>>(), 0..n, |count, _| count + 1);
            }
            in_all_forms!(|form| {
                let found = again_and_again::on(&device)?.form(form)?.run(rounds, &keys)?;
                assert_eq!(found.to_vec(), expected, "{form}, {n}, {rounds}");
            });
        }
    }
    Ok(())
}
