//! Scans of whole arrays, which the work-items of the device share, against plain loops.

use crate::common::{is_simulated, sizes_to_simulate};
use lift::ndarray::{Array, Array2, ArrayView, Dimension};
use lift::{Device, lift};

include!("../../corpus/language/scans.rs");

/// Around the number of elements of a work-item, of a tile, and of the tiles whose totals one work-item
/// takes.
const SIZES: [usize; 12] = [0, 1, 2, 7, 8, 257, 1009, 1791, 1792, 1793, 3585, 9001];
/// Two tiles, and one element more.
const MOST_SIMULATED: usize = 3585;

fn integers(n: usize) -> Vec<i32> {
    (0..n).map(|position| ((position * 7919 + 13) % 10_007) as i32 - 5000).collect()
}

/// What every prefix becomes, with the elements that it ends with.
fn prefixes<T: Clone, A>(elements: &[A], mut accumulator: T, mut combine: impl FnMut(&T, &A) -> T) -> Vec<T> {
    let step = |x: &A| {
        accumulator = combine(&accumulator, x);
        accumulator.clone()
    };
    elements.iter().map(step).collect()
}

/// The same, without the element at the place itself.
fn before<T: Clone, A>(elements: &[A], initial: T, combine: impl FnMut(&T, &A) -> T) -> Vec<T> {
    let mut all = vec![initial.clone()];
    all.extend(prefixes(elements, initial, combine));
    all.truncate(elements.len());
    all
}

fn added(x: &i32, y: &i32) -> i32 {
    x.wrapping_add(*y)
}

#[test]
fn sums_of_whole_arrays_agree_with_loops() -> lift::Result<()> {
    for n in sizes_to_simulate(&SIZES, MOST_SIMULATED)? {
        let a = integers(n);
        assert_eq!(sums_before(&a)?.to_vec(), before(&a, 10, added), "{n} elements");
        assert_eq!(sums(&a)?.to_vec(), prefixes(&a, 0, added), "{n} elements");
    }
    Ok(())
}

#[test]
fn elements_are_computed_with_before_they_are_combined() -> lift::Result<()> {
    for n in sizes_to_simulate(&SIZES, MOST_SIMULATED)? {
        let a = integers(n);
        let square = |s: &i32, x: &i32| s.wrapping_add(x.wrapping_mul(*x));
        let (exclusive, inclusive) = sums_of_squares(&a)?;
        assert_eq!(exclusive.to_vec(), before(&a, 3, square), "{n} elements");
        let mut expected = prefixes(a.get(1..).unwrap_or_default(), a.first().copied().unwrap_or(0), square);
        expected.splice(0..0, a.first().copied());
        assert_eq!(inclusive.to_vec(), expected, "{n} elements");

        let numbered: Vec<(i64, i64)> = (0..).zip(a.iter().map(|x| i64::from(*x) + 1)).collect();
        let expected = before(&numbered, (0, 7), |(n, s), (i, x)| (n + 1, s + x * i));
        assert_eq!(counts_and_sums(&a)?.to_vec(), expected, "{n} elements");
    }
    Ok(())
}

#[test]
fn floats_are_added_up_in_another_order() -> lift::Result<()> {
    for n in sizes_to_simulate(&SIZES, MOST_SIMULATED)? {
        let whole: Vec<f32> = (0..n).map(|position| ((position * 37 + 11) % 17) as f32 - 8.0).collect();
        assert_eq!(float_sums(&whole)?.to_vec(), prefixes(&whole, 0.0, |x, y| x + y), "{n} whole numbers");
        let largest = before(&whole, -3.0f32, |x, y| x.max(*y));
        assert_eq!(largest_before(&whole)?.to_vec(), largest, "{n} elements");
        let tenths: Vec<f32> = whole.iter().map(|x| x / 10.0 + 0.9).collect();
        let expected = prefixes(&tenths, 0.0f64, |x, y| x + f64::from(*y));
        for (result, expected) in float_sums(&tenths)?.iter().zip(expected) {
            assert!(
                (f64::from(*result) - expected).abs() <= 1e-5 * expected.abs(),
                "{result} instead of {expected}"
            );
        }
    }
    Ok(())
}

#[test]
fn products_and_truth_values_are_scanned() -> lift::Result<()> {
    for n in sizes_to_simulate(&SIZES, MOST_SIMULATED)? {
        let odd: Vec<u64> = (0..n as u64).map(|position| 2 * position + 3).collect();
        let expected = prefixes(&odd, 1u64, |x, y| x.wrapping_mul(*y));
        assert_eq!(products(&odd)?.to_vec(), expected, "{n} elements");
        let a = integers(n);
        assert_eq!(any_before(&a)?.to_vec(), before(&a, false, |x, y| *x || *y > 4990), "{n} elements");
    }
    Ok(())
}

#[test]
fn operands_keep_their_order_where_it_matters() -> lift::Result<()> {
    let composed =
        |f: &(i32, i32), g: &(i32, i32)| (f.0.wrapping_mul(g.0), f.1.wrapping_mul(g.0).wrapping_add(g.1));
    for n in sizes_to_simulate(&SIZES, MOST_SIMULATED)? {
        let (factors, terms) = (integers(n), integers(n + 5)[5..].to_vec());
        let functions: Vec<(i32, i32)> = factors.iter().copied().zip(terms.iter().copied()).collect();
        let expected = prefixes(&functions, (1, 0), composed);
        assert_eq!(compositions(&factors, &terms)?.to_vec(), expected, "{n} functions");
        let expected = before(&functions, (3, 7), composed);
        assert_eq!(compositions_before(&factors, &terms)?.to_vec(), expected, "{n} functions");

        let sparse: Vec<i32> = integers(n).into_iter().map(|x| if x % 50 == 0 { x } else { 0 }).collect();
        let last = |before: &i32, x: &i32| if *x == 0 { *before } else { *x };
        let first = |before: &i32, x: &i32| if *before == 0 { *x } else { *before };
        assert_eq!(filled(&sparse)?.to_vec(), prefixes(&sparse, 0, last), "{n} elements");
        assert_eq!(first_nonzero(&sparse)?.to_vec(), before(&sparse, 0, first), "{n} elements");
    }
    Ok(())
}

#[test]
fn what_is_not_associative_is_scanned_in_order() -> lift::Result<()> {
    for n in [0, 1, 2, 5, 2000] {
        let a = integers(n);
        assert_eq!(alternating(&a)?.to_vec(), before(&a, 1, |x, y| y.wrapping_sub(*x)), "{n} elements");
    }
    Ok(())
}

#[test]
fn scans_are_made_of_and_read_by_other_computations() -> lift::Result<()> {
    for n in [1, 2, 257, 1792, 5003] {
        let a = integers(n);
        let squares: Vec<i32> = a.iter().map(|x| x.wrapping_mul(*x)).collect();
        let expected: Vec<i32> = before(&squares, 0, added).iter().map(|x| x.wrapping_sub(1)).collect();
        assert_eq!(of_squares(&a)?.to_vec(), expected, "{n} elements");

        let at = |position: isize| a[position.clamp(0, n as isize - 1) as usize];
        let neighbours: Vec<i32> =
            (0..n as isize).map(|position| at(position - 1) + at(position) + at(position + 1)).collect();
        assert_eq!(of_neighbours(&a)?.to_vec(), prefixes(&neighbours, 0, added), "{n} elements");

        assert_eq!(of_sums(&a)?.to_vec(), before(&prefixes(&a, 0, added), 0, added), "{n} elements");
        let mut reversed: Vec<i32> = a.iter().rev().copied().collect();
        reversed = prefixes(&reversed, 0, added);
        reversed.reverse();
        assert_eq!(backwards(&a)?.to_vec(), reversed, "{n} elements");

        let sums = prefixes(&a, 0, added);
        let pairs = sums.iter().zip(sums.iter().rev());
        let expected: Vec<i32> = pairs.map(|(x, y)| x + 2 * y + sums[n - 1]).collect();
        assert_eq!(shares(&a)?.to_vec(), expected, "{n} elements");

        let expected: Vec<i32> =
            prefixes(&a, 0i32, |x, y| x.wrapping_add(2 * y)).iter().map(|x| x + 1).collect();
        assert_eq!(called(&a)?.to_vec(), expected, "{n} elements");
        assert_eq!(from_a_sum(&a)?.to_vec(), before(&a, a.iter().sum(), added), "{n} elements");
    }
    Ok(())
}

#[test]
fn rows_are_scanned_by_those_who_have_them_and_arrays_of_rows_by_all() -> lift::Result<()> {
    let shapes = [(1, 1), (3, 1000), (2000, 3), (5000, 70)];
    let tried = if is_simulated(&Device::default_device()?) { &shapes[..3] } else { &shapes };
    for &(n, m) in tried {
        let a = lift::ndarray::Array2::from_shape_vec((n, m), integers(n * m)).expect("it has the shape");
        let totals: Vec<i32> = a.rows().into_iter().map(|row| row.sum()).collect();
        let expected = prefixes(&totals, i32::MIN, |x, y| *x.max(y));
        assert_eq!(of_rows(&a)?.to_vec(), expected, "{n} rows of {m}");
        for (result, row) in of_each_row(&a)?.rows().into_iter().zip(a.rows()) {
            assert_eq!(result.to_vec(), prefixes(&row.to_vec(), 0, added), "{n} rows of {m}");
        }
    }
    Ok(())
}

#[test]
fn several_scans_are_parts_of_one_result() -> lift::Result<()> {
    for n in [0, 1, 5, 1792, 4001] {
        let a = integers(n);
        let (sums, largest) = (before(&a, 0, added), prefixes(&a, i32::MIN, |x, y| *x.max(y)));
        let (first, second, third) = both(&a)?;
        assert_eq!(
            (first.to_vec(), second, third.to_vec()),
            (sums.clone(), a.iter().sum(), largest),
            "{n} elements"
        );
        let mut expected: Vec<i32> = a.iter().map(|x| x + 1).collect();
        expected.extend(sums);
        expected.extend(prefixes(&a, i32::MAX, |x, y| *x.min(y)));
        assert_eq!(one_after_the_other(&a)?.to_vec(), expected, "{n} elements");
    }
    Ok(())
}

#[test]
fn a_scan_that_everybody_needs_is_computed_once() -> lift::Result<()> {
    for (n, m) in [(1, 1), (3, 2000), (2000, 3)] {
        let (a, b) = (integers(n), integers(m));
        let total: i32 = b.iter().sum();
        let expected: Vec<i32> = a.iter().map(|x| x + total).collect();
        assert_eq!(shifted(&a, &b)?.to_vec(), expected, "{n} and {m} elements");
    }
    Ok(())
}

#[test]
fn arrays_of_known_length_and_made_up_ones_are_scanned() -> lift::Result<()> {
    let a: [i32; 5000] = integers(5000).try_into().expect("it has the length");
    assert_eq!(of_known_length(&a)?.to_vec(), before(&a, 0, added));
    for n in sizes_to_simulate(&SIZES, MOST_SIMULATED)? {
        let a = integers(n);
        let positions: Vec<i32> = (0..n as i32).collect();
        let sums = prefixes(&positions, 0, added);
        let expected: Vec<i32> = a.iter().zip(sums).map(|(x, y)| x.wrapping_add(y)).collect();
        assert_eq!(of_positions(&a)?.to_vec(), expected, "{n} elements");
    }
    Ok(())
}

#[test]
fn scans_are_repeated() -> lift::Result<()> {
    for n in [0, 1, 257, 2003] {
        let a = integers(n);
        let times = |count: usize| (0..count).fold(a.clone(), |a, _| prefixes(&a, 0, added));
        assert_eq!(thrice(&a)?.to_vec(), times(3), "{n} elements");
        assert_eq!(seven_times(&a)?.to_vec(), times(7), "{n} elements");
    }
    Ok(())
}

#[test]
fn vectors_are_scanned_by_component() -> lift::Result<()> {
    for n in [0, 1, 255, 257, 1009] {
        let a: Vec<[i32; 4]> = integers(n).into_iter().map(|x| [x, -x, 1, x + 7]).collect();
        let expected = prefixes(&a, [0i32; 4], |x, y| [0, 1, 2, 3].map(|lane| x[lane].wrapping_add(y[lane])));
        assert_eq!(vectors(&a)?.to_vec(), expected, "{n} elements");
    }
    for n in [1, 32, 33, 1024, 1025, 1057, 3001] {
        let element = |x: i32| std::array::from_fn::<i64, 16, _>(|lane| i64::from(x) + lane as i64);
        let a: Vec<[i64; 16]> = integers(n).into_iter().map(element).collect();
        let expected = before(&a, [0i64; 16], |x, y| std::array::from_fn(|lane| x[lane] + y[lane]));
        assert_eq!(large_vectors(&a)?.to_vec(), expected, "{n} elements");
        let pairs: Vec<([i64; 16], [i64; 16])> = a.iter().copied().zip(a.iter().rev().copied()).collect();
        let sum = |x: &[i64; 16], y: &[i64; 16]| std::array::from_fn(|lane| x[lane] + y[lane]);
        let expected = prefixes(&pairs, ([0; 16], [0; 16]), |x, y| (sum(&x.0, &y.0), sum(&x.1, &y.1)));
        assert_eq!(of_pairs(&pairs)?.to_vec(), expected, "{n} elements");
    }
    Ok(())
}

#[test]
fn groups_of_other_sizes_scan_as_well() -> lift::Result<()> {
    for n in sizes_to_simulate(&SIZES, MOST_SIMULATED)? {
        let a = integers(n);
        let expected = prefixes(&a, 0, added);
        assert_eq!(by_small_groups(&a)?.to_vec(), expected, "{n} elements");
        assert_eq!(for_any_launch(&a)?.to_vec(), expected, "{n} elements");
        let whole = &a[..n - n % 64];
        let more: Vec<i32> = whole.iter().map(|x| x + 1).collect();
        assert_eq!(after_groups(whole)?.to_vec(), before(&more, 0, added), "{n} elements");
    }
    Ok(())
}

#[test]
fn inline_expressions_and_closures_scan() -> lift::Result<()> {
    let a = integers(4001);
    let factor = 3;
    let scaled = lift!(a >> map(|x| x * factor) >> scanInclusive(add))?;
    let expected = prefixes(&a, 0i32, |x, y| x.wrapping_add(3 * y));
    assert_eq!(scaled.to_vec(), expected);
    let closure = lift!(|a: [i32; N]| a >> scanInclusive(add) >> slide(2, 1) >> map(|w| at(1, w) - at(0, w)));
    assert_eq!(closure.run(&a)?.to_vec(), a[1..].to_vec());
    Ok(())
}

#[test]
fn rows_that_are_scanned_may_be_reduced() -> lift::Result<()> {
    for (rows, columns) in [(0, 3), (1, 1), (7, 13), (5000, 3)] {
        let a = Array2::from_shape_fn((rows, columns), |(i, j)| (i * 7 + j * 3) as i32 % 11 - 5);
        assert_eq!(total_of_last_prefixes(&a)?, a.sum(), "{rows} rows of {columns}");
    }
    Ok(())
}

/// Lengths of scans of arrays, which one work-item does.
const FEW: [usize; 6] = [0, 1, 2, 3, 17, 300];

fn arrays_of<const N: usize>(rows: &[[i32; N]]) -> Vec<i32> {
    rows.iter().flatten().copied().collect()
}

fn elements<T, D: Dimension>(array: Array<T, D>) -> Vec<T> {
    array.into_iter().collect()
}

#[test]
fn accumulators_may_be_arrays() -> lift::Result<()> {
    for n in FEW {
        let a = integers(n);
        let next = |[before, last]: &[i32; 2], x: &i32| [*last, before.wrapping_add(*last).wrapping_add(*x)];
        let states = before(&a, [1, 1], next);
        let firsts: Vec<i32> = states.iter().map(|state| state[0]).collect();
        assert_eq!(recurrences(&a, &[1, 1])?.to_vec(), firsts, "{n} elements");

        let mut position = 0;
        let states = before(&a, [1, 2, 3], |&[p, q, r], x| {
            position += 1;
            if position % 2 == 1 { [r, q, p] } else { [p + x, q + x, r + x] }
        });
        let found = turned(&a)?;
        assert_eq!(elements(found), arrays_of(&states), "{n} elements");

        let windows = before(&a, [0, 0, 0], |&[_, p, q], x| [p, q, *x]);
        let (counts, last) = counted(&a)?;
        assert_eq!(counts.to_vec(), (0..n as u32).collect::<Vec<_>>(), "{n} elements");
        assert_eq!(elements(last), arrays_of(&windows), "{n} elements");

        let step = |s: &[i32; 4], x: &i32| [0, 1, 2, 3].map(|i| s[i as usize].wrapping_mul(2) + x + i);
        let states = before(&a[..n.min(9)], [0; 4], step);
        let columns: Vec<i32> = (0..4).flat_map(|i| states.iter().map(move |state| state[i] + 1)).collect();
        assert_eq!(elements(columns_of_states(&a[..n.min(9)])?), columns, "{n} elements");
    }
    Ok(())
}

#[test]
fn accumulators_may_be_arrays_of_any_length() -> lift::Result<()> {
    for n in FEW {
        for m in [1, 2, 5, 33] {
            let a: Vec<f32> = integers(n).iter().map(|x| (x % 8) as f32).collect();
            let start: Vec<f32> = (0..m).map(|i| i as f32).collect();
            let states = before(&a, start.clone(), |s, x| {
                (0..m).map(|i| s[i] + (s[i.max(1) - 1] - s[i]) * 0.5 + x).collect::<Vec<_>>()
            });
            assert_eq!(elements(diffusion(&a, &start)?), states.concat(), "{n} x {m}");

            let rows = Array2::from_shape_fn((n, m), |(i, j)| (i * 31 + j * 7) as i32 % 100);
            let mut sums = rows.clone();
            for i in 1..n {
                for j in 0..m {
                    sums[[i, j]] += sums[[i - 1, j]];
                }
            }
            assert_eq!(sums_of_rows(&rows)?, sums, "{n} x {m}");
        }
    }
    Ok(())
}

#[test]
fn each_of_several_sequences_has_its_own_arrays() -> lift::Result<()> {
    for (b, n) in [(1, 1), (3, 0), (2, 5), (70, 9)] {
        let a: Vec<i32> = integers(4 * b * n).iter().map(|x| x % 3).collect();
        let mut products = a.clone();
        for sequence in 0..b {
            for i in 1..n {
                let (start, last) = (4 * (sequence * n + i), 4 * (sequence * n + i - 1));
                for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    products[start + 2 * row + column] = (0..2).fold(0i32, |sum, k| {
                        sum.wrapping_add(products[last + 2 * row + k].wrapping_mul(a[start + 2 * k + column]))
                    });
                }
            }
        }
        let shaped = ArrayView::from_shape((b, n, 2, 2), a.as_slice()).expect("a shape that fits");
        assert_eq!(elements(products_of_matrices(&shaped)?), products, "{b} x {n}");

        let rows = Array2::from_shape_fn((b, n), |(i, j)| (i * 5 + j * 3) as i32 % 11);
        let found = elements(states_of_groups(&rows)?);
        let mut expected = Vec::new();
        for row in rows.rows() {
            let start: Vec<i32> = (0..32).collect();
            let states = before(&row.to_vec(), start, |s, x| s.iter().rev().map(|y| y + x).collect());
            expected.extend(states.concat());
        }
        assert_eq!(found, expected, "{b} x {n}");
    }
    Ok(())
}

#[test]
fn sequences_may_lie_anywhere_in_the_result() -> lift::Result<()> {
    for (b, n) in [(1, 1), (3, 0), (2, 5), (70, 9)] {
        let rows = Array2::from_shape_fn((b, n), |(i, j)| (i * 5 + j * 3) as i32 % 11);
        let sequence = |i: usize| before(&rows.row(i).to_vec(), [1, 2], |[p, q], x| [q + x, p + x]);
        let states: Vec<Vec<[i32; 2]>> = (0..b).map(sequence).collect();
        let reversed: Vec<i32> = states.iter().rev().flat_map(|states| arrays_of(states)).collect();
        assert_eq!(elements(sequences_in_reverse(&rows)?), reversed, "{b} x {n}");
        let columns: Vec<i32> =
            (0..n).flat_map(|j| states.iter().flat_map(move |states| states[j])).collect();
        assert_eq!(elements(sequences_as_columns(&rows)?), columns, "{b} x {n}");
    }
    Ok(())
}
