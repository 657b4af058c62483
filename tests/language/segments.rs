//! `reduceSegments`, against plain loops: offsets of all kinds, and each form.

use crate::common::{is_simulated, sizes_to_simulate};
use lift::ndarray::Array2;
use lift::{Device, DeviceKind, Result, lift};

include!("../../corpus/language/segments.rs");

/// Numbers of segments: none, few, one group and several, with a shorter last one.
const SEGMENTS: [usize; 7] = [0, 1, 2, 8, 31, 33, 500];

/// The forms of reductions of segments that the default device has code for.
pub(crate) fn forms() -> Result<&'static [&'static str]> {
    let is_host = Device::default_device()?.kind() == DeviceKind::Host;
    let forms = &["plain", "segments", "tiledSegments", "shortSegments"];
    Ok(if is_host { &forms[..1] } else { forms })
}

/// Evaluates an expression with each form that the default device has code for.
macro_rules! in_all_forms {
    (|$form:ident| $check:expr) => {
        for $form in forms()?.iter().copied() {
            $check
        }
    };
}

/// Numbers that do not repeat soon.
fn scattered(n: usize, below: i64) -> Vec<i64> {
    (0..n as i64).map(|i| (i * 7919 + i * i % 1013) % below).collect()
}

/// Offsets of segments of different lengths, among them empty and long ones.
fn ascending(n: usize) -> Vec<i64> {
    let lengths = (0..n).map(|i| if i % 17 == 5 { 150 } else { (i * i % 7) as i64 });
    std::iter::once(2)
        .chain(lengths)
        .scan(0, |end, length| {
            *end += length;
            Some(*end)
        })
        .collect()
}

/// Offsets that lie anywhere, also outside, and in any order.
fn anywhere(n: usize, elements: usize) -> Vec<i64> {
    scattered(n + 1, 2 * elements as i64 + 1).into_iter().map(|x| x - elements as i64 / 2).collect()
}

/// What `reduceSegments` means.
fn reduced<A: Copy, B: Clone>(offsets: &[i64], xs: &[A], start: &B, combine: impl Fn(&B, A) -> B) -> Vec<B> {
    let segment = |ends: &[i64]| {
        let [first, last] = [ends[0], ends[1]].map(|end| end.clamp(0, xs.len() as i64) as usize);
        xs.get(first..last).into_iter().flatten().fold(start.clone(), |all, x| combine(&all, *x))
    };
    offsets.windows(2).map(segment).collect()
}

/// Sums and minima of segments, in each form.
fn check_sums_and_minima(wide: &[i64], xs: &[i32]) -> Result<()> {
    let expected = reduced(wide, xs, &0, |sum, x| sum + x);
    let offsets: Vec<u32> = wide.iter().map(|x| *x as u32).collect();
    in_all_forms!(|form| {
        let device = Device::default_device()?;
        let found = sums::on(&device)?.form(form)?.run(&offsets, xs)?;
        assert_eq!(found.to_vec(), expected, "{}, {form}", wide.len());
    });
    let xs: Vec<f32> = xs.iter().map(|x| *x as f32 / 8.0).collect();
    let expected = reduced(wide, &xs, &100.0, |least, x| x.min(*least));
    let offsets: Vec<u64> = wide.iter().map(|x| *x as u64).collect();
    in_all_forms!(|form| {
        let device = Device::default_device()?;
        let found = least::on(&device)?.form(form)?.run(&offsets, &xs)?;
        assert_eq!(found.to_vec(), expected, "{}, {form}", wide.len());
    });
    Ok(())
}

#[test]
fn segments_are_reduced() -> Result<()> {
    for n in sizes_to_simulate(&SEGMENTS, 33)? {
        let count = ascending(n)[n] as usize + 3;
        let xs: Vec<i32> = scattered(count, 1999).into_iter().map(|x| x as i32 - 1000).collect();
        check_sums_and_minima(&ascending(n), &xs)?;
        let natural: Vec<i64> = anywhere(n, count).into_iter().map(|x| x.max(0)).collect();
        check_sums_and_minima(&natural, &xs)?;
    }
    Ok(())
}

/// Offsets of short segments, one with more elements than the form `shortSegments` reduces with the others, and
/// one with more than the form `segments` does.
fn with_long_ones(n: usize) -> Vec<i64> {
    let length = |i: usize| match i {
        3 => 9001,
        5 => 2049,
        _ => (i * i % 70) as i64,
    };
    let ends = (0..n).scan(0, |end, i| {
        *end += length(i);
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}

#[test]
fn long_segments_are_reduced_apart() -> Result<()> {
    for n in [1, 6] {
        let ascending = with_long_ones(n);
        let count = ascending[n].max(9300) as usize;
        let xs: Vec<i32> = scattered(count, 1999).into_iter().map(|x| x as i32 - 1000).collect();
        // Long segments that overlap, begin at one position, reach beyond the end, and end before they begin.
        let overlapping: Vec<i64> =
            (0..=n as i64).map(|i| if i % 2 == 0 { 10 * i } else { 3000 + 400 * i }).collect();
        let same: Vec<i64> = (0..=n as i64).map(|i| if i % 2 == 0 { 1000 } else { 1 << 20 }).collect();
        for wide in [ascending, overlapping, same] {
            check_sums_and_minima(&wide, &xs)?;
        }
    }
    Ok(())
}

/// Offsets of short segments. Every `every`th group of 128 segments has one that is longer than 8 tiles.
fn with_long_groups(n: usize, every: usize) -> Vec<i64> {
    let length = |i: usize| if i % (128 * every) == 77 { 9001 } else { (i * i % 5) as i64 };
    let ends = (0..n).scan(7, |end, i| {
        *end += length(i);
        Some(*end)
    });
    std::iter::once(7).chain(ends).collect()
}

#[test]
fn groups_with_long_segments_begin_first() -> Result<()> {
    // More than one block of 128 groups, and a last one that has few; one block; all groups long.
    for (n, every) in [(128 * 259 + 5, 23), (128 * 4 + 1, 3), (128 * 2, 1)] {
        let device = Device::default_device()?;
        if n > 1000 && is_simulated(&device) {
            continue;
        }
        let wide = with_long_groups(n, every);
        let xs: Vec<i32> = scattered(wide[n] as usize, 1999).into_iter().map(|x| x as i32 - 1000).collect();
        let expected = reduced(&wide, &xs, &0, |sum, x| sum + x);
        let offsets: Vec<u32> = wide.iter().map(|x| *x as u32).collect();
        in_all_forms!(|form| {
            let found = sums::on(&device)?.form(form)?.run(&offsets, &xs)?;
            assert_eq!(found.to_vec(), expected, "{n}, {form}");
        });
    }
    Ok(())
}

/// The offsets that the sums of segments make.
fn summed(offsets: &[u32], xs: &[u32]) -> Vec<u32> {
    let wide: Vec<i64> = offsets.iter().map(|x| i64::from(*x)).collect();
    let sums = reduced(&wide, xs, &0u32, |sum, x| sum.wrapping_add(x));
    std::iter::once(0).chain(sums.into_iter().map(|x| x % 20000)).collect()
}

#[test]
fn segments_are_delimited_again_and_again() -> Result<()> {
    for n in sizes_to_simulate(&[1, 2, 130, 700], 2)? {
        let offsets: Vec<u32> = with_long_groups(n, 2).into_iter().map(|x| x as u32).collect();
        let xs: Vec<u32> = scattered(20011, 1999).into_iter().map(|x| x as u32).collect();
        let thrice = (0..3).fold(offsets.clone(), |ends, _| summed(&ends, &xs));
        let sums = |ends: &[u32]| {
            let wide: Vec<i64> = ends.iter().map(|x| i64::from(*x)).collect();
            reduced(&wide, &xs, &0u32, |sum, x| sum.wrapping_add(x))
        };
        let mut small = offsets.clone();
        for _ in 0..4 {
            if sums(&small).into_iter().max() < Some(1000000) {
                small = summed(&small, &xs);
            }
        }
        let wide: Vec<i64> = offsets.iter().map(|x| i64::from(*x)).collect();
        let again = |xs: Vec<u32>| {
            let sums = reduced(&wide, &xs, &1u32, |sum, x| sum.wrapping_add(x));
            let most = reduced(&wide, &xs, &0u32, |most, x| x.max(*most));
            sums.into_iter().zip(most).map(|(sum, most)| sum.wrapping_add(most) % 1000).collect()
        };
        let of_arrays = (0..3).fold(xs[..n].to_vec(), |xs, _| again(xs));
        let device = Device::default_device()?;
        in_all_forms!(|form| {
            let found = delimited_by_sums::on(&device)?.form(form)?.run(&offsets, &xs)?;
            assert_eq!(found.to_vec(), thrice, "{n}, {form}");
            let found = delimited_while_small::on(&device)?.form(form)?.run(&offsets, &xs)?;
            assert_eq!(found.to_vec(), small, "{n}, {form}");
            let found = summed_again::on(&device)?.form(form)?.run(&offsets, &xs[..n])?;
            assert_eq!(found.to_vec(), of_arrays, "{n}, {form}");
        });
    }
    Ok(())
}

#[test]
fn no_elements_have_empty_segments() -> Result<()> {
    in_all_forms!(|form| {
        let device = Device::default_device()?;
        let found = sums::on(&device)?.form(form)?.run(&[0, 7, 2, 0], &[0i32; 0])?;
        assert_eq!(found.to_vec(), [0, 0, 0], "{form}");
    });
    assert_eq!(numbers(&[0, 1], &[0u8; 0])?.to_vec(), [0]);
    Ok(())
}

#[test]
fn vectors_are_reduced() -> Result<()> {
    for n in sizes_to_simulate(&SEGMENTS, 33)? {
        let wide = ascending(n);
        let offsets: Vec<u32> = wide.iter().map(|x| *x as u32).collect();
        let xs: Vec<f32> = scattered(4 * wide[n] as usize, 5).into_iter().map(|x| x as f32).collect();
        let start = [1.0, 2.0, 3.0, 4.0];
        let sums = reduced(&wide, xs.as_chunks::<4>().0, &start, |sum, x| {
            std::array::from_fn(|lane| sum[lane] + x[lane])
        });
        let expected: Vec<f32> = sums.iter().map(|sum| sum.iter().map(|x| x * x).sum()).collect();
        in_all_forms!(|form| {
            let device = Device::default_device()?;
            let found = of_vectors::on(&device)?.form(form)?.run(&start, &offsets, &xs)?;
            assert_eq!(found.to_vec(), expected, "{n}, {form}");
        });
    }
    Ok(())
}

#[test]
fn offsets_may_lie_outside_and_in_any_order() -> Result<()> {
    for n in sizes_to_simulate(&SEGMENTS, 33)? {
        let xs: Vec<f64> = scattered(700, 400).into_iter().map(|x| x as f64 / 4.0).collect();
        let mut wide = anywhere(n, xs.len());
        wide.extend([i64::from(i16::MAX), i64::from(i16::MIN), i64::from(i16::MAX)]);
        let expected = reduced(&wide, &xs, &(0.0, -1000.0, 0), |(sum, most, count), x| {
            (sum + x, x.max(*most), count + 1)
        });
        let offsets: Vec<i16> = wide.iter().map(|x| *x as i16).collect();
        assert_eq!(statistics(&offsets, &xs)?.to_vec(), expected, "{n}");
        let digits: Vec<u8> = scattered(40, 10).into_iter().map(|x| x as u8).collect();
        let mut wide: Vec<i64> = (0..=n as i64).map(|i| i * 5 % 43).collect();
        wide.extend([i64::MIN, i64::MAX, i64::MAX - 1, 21, i64::MAX]);
        let expected = reduced(&wide, &digits, &0u64, |number, digit| {
            number.wrapping_mul(10).wrapping_add(u64::from(digit))
        });
        assert_eq!(numbers(&wide, &digits)?.to_vec(), expected);
    }
    Ok(())
}

#[test]
fn elements_are_computed_and_results_are_used() -> Result<()> {
    for n in sizes_to_simulate(&SEGMENTS, 33)? {
        let wide = ascending(n);
        let offsets: Vec<u32> = wide.iter().map(|x| *x as u32).collect();
        let count = wide[n] as usize + 1;
        let columns: Vec<u32> = scattered(count, 60).into_iter().map(|x| x as u32).collect();
        let values: Vec<f64> = scattered(count, 77).into_iter().map(|x| x as f64 / 4.0).collect();
        let x: Vec<f64> = (0..50).map(f64::from).collect();
        let terms: Vec<f64> = columns
            .iter()
            .zip(&values)
            .map(|(column, value)| value * x[(*column).min(49) as usize])
            .collect();
        let sums = reduced(&wide, &terms, &0.0, |sum, term| sum + term);
        let expected: Vec<f64> = sums.iter().enumerate().map(|(i, sum)| 2.0 * sum - i as f64).collect();
        in_all_forms!(|form| {
            let device = Device::default_device()?;
            let found = products::on(&device)?.form(form)?.run(&offsets, &columns, &values, &x)?;
            assert_eq!(found.to_vec(), expected, "{n}, {form}");
        });
        let xs: Vec<u32> = scattered(count, 1 << 31).into_iter().map(|x| x as u32).collect();
        let bits = reduced(&wide, &xs, &9u32, |all, x| all ^ x);
        let again: Vec<i64> = bits.iter().map(|x| i64::from(x % 100)).collect();
        let expected = reduced(&again, &xs, &9, |most, x| x.max(*most));
        if n > 0 {
            in_all_forms!(|form| {
                let device = Device::default_device()?;
                let found = twice::on(&device)?.form(form)?.run(9, &offsets, &xs)?;
                assert_eq!(found.to_vec(), expected, "{n}, {form}");
            });
        }
    }
    Ok(())
}

#[test]
fn segments_are_stored_for_those_who_read_them() -> Result<()> {
    for n in sizes_to_simulate(&SEGMENTS, 33)? {
        let wide = ascending(n);
        let offsets: Vec<u32> = wide.iter().map(|x| *x as u32).collect();
        let xs: Vec<i32> = scattered(wide[n] as usize + 2, 199).into_iter().map(|x| x as i32 - 90).collect();
        let chosen: Vec<bool> = (0..n).map(|i| i % 3 > 0).collect();
        let sums = reduced(&wide, &xs, &0, |sum, x| sum + x);
        let most = reduced(&wide, &xs, &0, |most, x| x.max(*most));
        let least = reduced(&wide, &xs, &0, |least, x| x.min(*least));
        let ranges: Vec<i32> = (0..n).map(|i| if chosen[i] { most[i] - least[i] } else { 0 }).collect();
        let total = n as i32 + sums.iter().map(|x| (x + 1) * 2).sum::<i32>();
        in_all_forms!(|form| {
            let device = Device::default_device()?;
            let (found, found_total) = read_twice::on(&device)?.form(form)?.run(&chosen, &offsets, &xs)?;
            assert_eq!((found.to_vec(), found_total), (ranges.clone(), total), "{n}, {form}");
        });
        let counts: Vec<i32> = (0..n as i32).map(|i| i * 5 - 3).collect();
        let weights: Vec<i32> = scattered(xs.len(), 11).into_iter().map(|x| x as i32).collect();
        let sum = |count: &i32| {
            let products = weights.iter().zip(&xs).map(|(weight, x)| weight * x);
            products.take((*count).max(0) as usize).sum::<i32>()
        };
        let expected: Vec<i32> = counts.iter().map(sum).collect();
        assert_eq!(with_elements(&counts, &weights, &xs)?.to_vec(), expected, "{n}");
    }
    Ok(())
}

#[test]
fn rows_have_segments_of_their_own() -> Result<()> {
    for (rows, ends, elements) in [(1, 1, 1), (3, 2, 5), (40, 7, 90)] {
        let offsets = Array2::from_shape_fn((rows, ends), |(i, j)| (i * 3 + j * j * 5 % 40) as u8);
        let xs = Array2::from_shape_fn((rows, elements), |(i, j)| (i * 7 + j) as i32);
        let found = of_rows(&offsets, &xs)?;
        for (i, row) in found.outer_iter().enumerate() {
            let wide: Vec<i64> = offsets.row(i).iter().map(|x| i64::from(*x)).collect();
            let expected = reduced(&wide, &xs.row(i).to_vec(), &1, |sum, x| sum + x);
            assert_eq!(row.to_vec(), expected);
        }
    }
    Ok(())
}

#[test]
fn levels_of_a_graph_are_found() -> Result<()> {
    // A path with some short cuts.
    let n = if is_simulated(&Device::default_device()?) { 20 } else { 60 };
    let mut edges: Vec<(usize, usize)> = (1..n).map(|i| (i - 1, i)).collect();
    edges.extend([(n / 20, n / 3), (n / 3, n * 5 / 6), (n / 8, n / 2)]);
    let (mut offsets, mut targets) = (vec![0u32], Vec::new());
    for point in 0..n {
        targets.extend(edges.iter().filter(|edge| edge.0 == point).map(|edge| edge.1 as u32));
        targets.extend(edges.iter().filter(|edge| edge.1 == point).map(|edge| edge.0 as u32));
        offsets.push(targets.len() as u32);
    }
    let mut expected = vec![u32::MAX; n];
    let mut queue = std::collections::VecDeque::from([0]);
    expected[0] = 0;
    while let Some(point) = queue.pop_front() {
        for target in &targets[offsets[point] as usize..offsets[point + 1] as usize] {
            let target = *target as usize;
            if expected[target] == u32::MAX {
                expected[target] = expected[point] + 1;
                queue.push_back(target);
            }
        }
    }
    in_all_forms!(|form| {
        let device = Device::default_device()?;
        assert_eq!(levels::on(&device)?.form(form)?.run(&offsets, &targets)?.to_vec(), expected, "{form}");
    });
    Ok(())
}
