//! Chunks, rows that take elements in turn, and functions that know a position, against plain loops.

use crate::common::{grid, samples};
use lift::ndarray::{Array1, Array2};
use lift::{Error, Result, lift};

include!("../../corpus/language/distributions.rs");

/// Fewer elements than rows or a chunk has, as many, and some more; primes and multiples.
const SIZES: [usize; 11] = [1, 2, 3, 5, 7, 8, 31, 32, 33, 100, 129];

#[test]
fn the_last_chunk_may_be_shorter() -> Result<()> {
    for n in SIZES {
        let a = samples(n);
        let sums = |m: usize| a.chunks(m).map(|chunk| chunk.iter().sum()).collect::<Array1<f32>>();
        assert_eq!(sums_of_chunks(&a)?, sums(7), "{n}");
        for m in [1, 2, 5, 32, 200] {
            assert_eq!(sums_of_parts(m, &a)?, sums(m), "{n} {m}");
        }
        let backwards: Vec<f32> = a.chunks(5).flat_map(|chunk| chunk.iter().rev().copied()).collect();
        assert_eq!(chunks_backwards(&a)?.to_vec(), backwards, "{n}");
        let weighted = backwards.iter().rev().enumerate().map(|(i, x)| x * (i % 3) as f32);
        assert_eq!(total_of_chunks(&a)?, weighted.sum::<f32>(), "{n}");
    }
    assert!(matches!(sums_of_parts(0, &[1.0, 2.0]), Err(Error::Obligation { .. })));
    Ok(())
}

#[test]
fn tiles_of_a_matrix_of_any_size_are_put_together() -> Result<()> {
    for (n, m) in [(1, 1), (8, 4), (7, 5), (9, 3), (16, 17), (33, 100)] {
        let a = grid((n, m));
        assert_eq!(tiles(&a)?, &a * 2.0, "{n} {m}");
        assert_eq!(tiles_of_groups(&a)?, &a * 2.0, "{n} {m}");
    }
    Ok(())
}

#[test]
fn rows_take_elements_in_turn_and_give_them_back() -> Result<()> {
    for n in SIZES {
        let a = samples(n);
        let doubled: Vec<f32> = a.iter().map(|x| x * 2.0).collect();
        assert_eq!(doubled_in_turn(&a)?.to_vec(), doubled, "{n}");
        for p in [1, 2, 3, 32, 200] {
            assert_eq!(doubled_by(p, &a)?.to_vec(), doubled, "{n} {p}");
        }
        let packed: Vec<f32> = (0..3).flat_map(|row| a.iter().skip(row).step_by(3).copied()).collect();
        let apart: Vec<f32> = packed.iter().map(|x| x + 1.0).collect();
        assert_eq!(taken_apart(&a)?.to_vec(), apart, "{n}");
        assert_eq!(put_together(&packed)?.to_vec(), a, "{n}");
    }
    let a = grid((3, 5));
    assert_eq!(shuffled(&a)?.to_vec(), a.t().iter().copied().collect::<Vec<f32>>());
    assert!(matches!(doubled_by(0, &[1.0, 2.0]), Err(Error::Obligation { .. })));
    Ok(())
}

#[test]
fn a_group_adds_up_what_its_work_items_take_in_turn() -> Result<()> {
    for (n, m) in [(1, 1), (3, 31), (5, 32), (2, 33), (7, 129)] {
        let (a, x) = (grid((n, m)), Array1::from(samples(m)));
        assert_eq!(products_in_turn(&a, &x)?, a.dot(&x), "{n} {m}");
    }
    Ok(())
}

#[test]
fn a_map_knows_positions() -> Result<()> {
    for n in SIZES {
        let (a, b) = (samples(n), samples(n));
        let expected: Vec<f32> = a.iter().zip(b.iter().rev()).map(|(x, y)| x * y).collect();
        assert_eq!(crossed(&a, &b)?.to_vec(), expected, "{n}");
        let starting: Vec<f32> =
            (0..n).flat_map(|i| a[..=i].iter().map(|y| y - a[i]).collect::<Vec<f32>>()).collect();
        assert_eq!(starts(&a)?.to_vec(), starting, "{n}");
        let triangle = samples(n * (n + 1) / 2);
        let numbers: Vec<f32> = triangle.iter().enumerate().map(|(k, x)| x * 2.0 + k as f32).collect();
        assert_eq!(numbered_triangle(&triangle)?.to_vec(), numbers, "{n}");
        if n > 2 {
            let windows = a.windows(3).enumerate();
            let sums: Vec<f32> = windows.map(|(i, w)| w.iter().sum::<f32>() * (i % 3) as f32).collect();
            assert_eq!(weighted_windows(&a)?.to_vec(), sums, "{n}");
        }
    }
    for (n, m) in [(1, 1), (3, 31), (33, 7)] {
        let a = grid((n, m));
        let place = Array2::from_shape_fn((n, m), |(i, j)| (i * m + j) as f32);
        assert_eq!(numbered(&a)?, &a + &place, "{n} {m}");
        let sum = |i: usize| a.row(i).iter().enumerate().map(|(j, x)| x * (i + j) as f32).sum::<f32>() + 1.0;
        let scaled = Array2::from_shape_fn((n, m), |(i, j)| a[[i, j]] * sum(i) + j as f32);
        assert_eq!(scaled_rows(&a)?, scaled, "{n} {m}");
    }
    Ok(())
}

#[test]
fn reductions_and_scans_know_positions() -> Result<()> {
    for n in SIZES.into_iter().chain([5000]) {
        let a = samples(n);
        let weighted = || a.iter().enumerate().map(|(i, x)| x * (i % 16) as f32);
        let peak = a.iter().enumerate().map(|(i, x)| x - i as f32).fold(-1000.0, f32::max);
        assert_eq!(moment(&a)?, weighted().sum::<f32>(), "{n}");
        assert_eq!(moment_and_peak(&a)?, (weighted().sum(), peak), "{n}");
        let record = |(most, at), (i, x): (usize, &f32)| if *x > most { (*x, i as i32) } else { (most, at) };
        assert_eq!(last_record(&a)?, a.iter().enumerate().fold((-1000.0, -1), record).1, "{n}");
    }
    for n in SIZES {
        let a = samples(n);
        let (mut acc, mut before) = (1.0f32, Vec::new());
        for (i, x) in a.iter().enumerate() {
            before.push(acc);
            acc = acc * 0.5 + x + i as f32;
        }
        assert_eq!(polynomials(&a)?.to_vec(), before, "{n}");
        let (mut acc, mut with) = (0.0f32, Vec::new());
        for (i, x) in a.iter().enumerate() {
            acc = if i % 4 == 0 { *x } else { acc + x };
            with.push(acc);
        }
        assert_eq!(restarted(&a)?.to_vec(), with, "{n}");
    }
    Ok(())
}
