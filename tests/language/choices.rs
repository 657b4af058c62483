//! `if` between arrays, against plain loops.

use lift::ndarray::{Array1, Array2, Array3, arr1, arr2, s};
use lift::{Result, lift};

include!("../../corpus/language/choices.rs");

/// Lengths: none, few, many.
const LENGTHS: [usize; 5] = [0, 1, 5, 64, 1000];
const SHAPES: [(usize, usize); 5] = [(1, 1), (3, 5), (65, 33), (2, 700), (300, 1)];

fn floats(length: usize) -> Array1<f32> {
    Array1::from_shape_fn(length, |i| (i * 37 % 19) as f32 - 4.0)
}

fn integers(length: usize) -> Array1<i32> {
    Array1::from_shape_fn(length, |i| (i * 37 % 19) as i32 - 4)
}

fn numbers(rows: usize, columns: usize) -> Array2<i32> {
    Array2::from_shape_fn((rows, columns), |(i, j)| ((i * 31 + j * j * 7) % 23) as i32 - 8)
}

fn reversed<T: Clone>(xs: &Array1<T>) -> Array1<T> {
    xs.iter().rev().cloned().collect()
}

fn prefix_sums_of(xs: &Array1<i32>) -> Array1<i32> {
    xs.iter()
        .scan(0, |sum, x| {
            *sum += x;
            Some(*sum)
        })
        .collect()
}

/// The rows of a matrix, each by a function of its position.
fn by_rows(xs: &Array2<i32>, row: impl Fn(usize, Array1<i32>) -> Array1<i32>) -> Array2<i32> {
    let mut result = xs.clone();
    for (i, mut to) in result.rows_mut().into_iter().enumerate() {
        to.assign(&row(i, xs.row(i).to_owned()));
    }
    result
}

#[test]
fn one_array_or_another_by_what_is_passed() -> Result<()> {
    for length in LENGTHS {
        let (xs, ys) = (floats(length), reversed(&floats(length)));
        let is = integers(length);
        for p in [false, true] {
            assert_eq!(one_of(p, &xs, &ys)?, if p { &xs } else { &ys });
            let (first, second, number) = exchanged(p, &xs, &ys)?;
            let expected = if p { (&ys, &xs, 1.0) } else { (&xs, &ys, 2.0) };
            assert_eq!((&first, &second, number), expected);
            let squares: i32 = is.iter().map(|x| x * x).sum();
            assert_eq!(summed(p, &is, &is)?, if p { is.sum() } else { squares });
            assert_eq!(
                prefix_sums(p, &is)?,
                match p {
                    true => prefix_sums_of(&is),
                    false => is.mapv(|x| x * is.iter().copied().max().unwrap_or(0).max(0)),
                }
            );
            let chosen = if p { prefix_sums_of(&is) } else { is.clone() };
            let at = |i: usize| if i == 0 || i > length { 0 } else { chosen[i - 1] };
            let expected = Array1::from_shape_fn(length, |i| at(i) + at(i + 1) + at(i + 2));
            // A window needs three elements.
            if length > 0 {
                assert_eq!(read_again(p, &is)?, expected);
            }
            let both = [is.to_vec(), reversed(&is).to_vec()];
            let expected = if p { both.concat() } else { [both[1].clone(), both[0].clone()].concat() };
            assert_eq!(concatenated(p, &is)?.to_vec(), expected);
            for q in [false, true] {
                let expected = match (p, q) {
                    (_, false) => reversed(&is),
                    (true, true) => is.mapv(|x| x + 1),
                    (false, true) => reversed(&is).mapv(|x| x + 1),
                };
                assert_eq!(picked(p, q, &is, &reversed(&is))?, expected);
            }
        }
        for k in [-1, 0, 1] {
            let expected = if k > 0 { xs.mapv(|x| x * 2.0) } else { reversed(&xs.mapv(|x| x + 1.0)) };
            assert_eq!(computed(k, &xs)?, expected);
            assert_eq!(of_three(k, &is)?, is.mapv(|x| x * k));
        }
        let largest = xs.iter().copied().fold(0.0, f32::max);
        let expected = if largest > 1.0 { xs.mapv(|x| x / largest) } else { xs.clone() };
        // Devices may round a quotient in another way.
        assert!(
            normalised(&xs)?.iter().zip(&expected).all(|(found, expected)| (found - expected).abs() < 1e-6)
        );
        let small = xs.mapv(|x| x / 100.0);
        assert_eq!(normalised(&small)?, small);
    }
    Ok(())
}

#[test]
fn arrays_of_any_rank_and_elements_of_any_kind() -> Result<()> {
    for (rows, columns) in SHAPES {
        let xs = numbers(rows, columns);
        let ys = xs.mapv(|x| 3 * x);
        let cube = Array3::from_shape_fn((rows, columns, 2), |(i, j, k)| (i * 7 + j * 3 + k) as i32);
        for p in [false, true] {
            assert_eq!(matrix(p, &xs, &ys)?, if p { xs.mapv(|x| x + 1) } else { ys.clone() });
            let expected = Array3::from_shape_fn((rows, columns, 2), |(i, j, k)| match p {
                true => cube[[rows - 1 - i, j, k]],
                false => cube[[i, columns - 1 - j, k]],
            });
            assert_eq!(volume(p, &cube)?, expected);
            let expected = xs.rows().into_iter().map(|row| match p {
                true => row.sum(),
                false => row.iter().copied().max().unwrap_or(-100),
            });
            assert_eq!(sums_of_rows(p, &xs)?, expected.collect::<Array1<_>>());
            assert_eq!(
                product(p, &xs, &xs.t().to_owned(), &numbers(rows, rows))?,
                match p {
                    true => xs.dot(&xs.t()),
                    false => numbers(rows, rows),
                }
            );
            let sums = xs.columns().into_iter().map(|column| if p { column.sum() } else { 7 });
            assert_eq!(array_of_sums(p, &xs)?, sums.collect::<Array1<_>>());
        }
    }
    let packed = arr1(&[1, 2, 3, 4, 5, 6]);
    assert_eq!(triangle(true, &packed)?.to_vec(), packed.to_vec());
    assert_eq!(triangle(false, &packed)?.to_vec(), packed.mapv(|x| 2 * x).to_vec());
    let both = [(1, 2.0f32), (3, 4.0), (5, 6.0)];
    assert_eq!(pairs(true, &both)?.to_vec(), [(2, 4.0), (4, 8.0), (6, 12.0)]);
    assert_eq!(pairs(false, &both)?.to_vec(), [(5, 6.0), (3, 4.0), (1, 2.0)]);
    let xs = floats(64);
    assert_eq!(vectors(true, &xs)?, xs);
    assert_eq!(vectors(false, &xs)?, xs.mapv(|x| x * 2.0));
    Ok(())
}

#[test]
fn a_branch_may_exist_for_some_sizes_only() -> Result<()> {
    for length in [0, 1, 2, 3, 4, 10] {
        let (xs, ys) = (integers(length), arr1(&[7, 8, 9]));
        let first: Array1<i32> = xs.iter().take(3).copied().collect();
        assert_eq!(long_enough(&xs, &ys)?, if length >= 3 { &first } else { &ys });
        let four = length.min(4);
        assert_eq!(at_most_four(&xs)?, xs.slice(s![..four]));
        assert_eq!(sum_of_at_most_four(&xs)?, xs.slice(s![..four]).sum());
        let padded: Array1<i32> = xs.iter().copied().chain([-1; 4]).take(4).collect();
        assert_eq!(at_least_four(&xs)?, if length >= 4 { &xs + 1 } else { padded });
        let pairs = Array2::from_shape_fn((length, 2), |(i, j)| (3 * i + j) as f32);
        let (ones, twos) = pairs_at_most_four(&xs, &pairs)?;
        let (begin, end) = if length < 5 { (0..length, 0..length) } else { (1..5, length - 4..length) };
        assert_eq!(ones, xs.slice(s![begin]));
        assert_eq!(twos, pairs.slice(s![end, ..]));
        let whole = length / 4 * 4;
        let chunks: Array1<i32> =
            xs.iter().enumerate().map(|(i, x)| if i < whole { *x } else { -x }).collect();
        assert_eq!(chunks_of_at_most_four(&xs)?, chunks);
        let scanned = if length >= 3 { prefix_sums_of(&first) } else { ys.clone() };
        assert_eq!(scanned_if_long_enough(&xs, &ys)?, scanned);
    }
    Ok(())
}

#[test]
fn rows_are_chosen_by_what_they_hold() -> Result<()> {
    for (count, columns) in SHAPES {
        let xs = numbers(count, columns);
        let ps = Array1::from_shape_fn(count, |i| i % 3 == 0);
        let expected = by_rows(&xs, |_, row| if row[0] > 0 { row.mapv(|x| x * 2) } else { reversed(&row) });
        assert_eq!(rows(&xs)?, expected);
        let expected = by_rows(&xs, |i, row| if ps[i] { prefix_sums_of(&row) } else { row });
        assert_eq!(scanned_rows(&ps, &xs)?, expected);
        let expected = by_rows(&xs, |i, row| if i % 2 == 0 { reversed(&row) } else { row });
        assert_eq!(even_rows_reversed(&xs)?, expected);
        let expected = by_rows(&xs, |i, row| if ps[i] { row } else { row.mapv(|x| x * x) });
        let sums: Array1<i32> = expected.rows().into_iter().map(|row| row.sum()).collect();
        assert_eq!(sums_of_chosen_rows(&ps, &xs)?, sums);
        for p in [false, true] {
            let expected = by_rows(&xs, |_, row| if p { prefix_sums_of(&row) } else { row });
            assert_eq!(self::columns(p, &xs)?, expected.t());
        }
        let floats = xs.mapv(|x| x as f32);
        let normalised = normalised_rows(&floats)?;
        for (row, found) in floats.rows().into_iter().zip(normalised.rows()) {
            let sum = row.sum();
            let expected = if sum > 0.0 { row.mapv(|x| x / sum) } else { row.mapv(|x| x * 0.0) };
            assert!(expected.iter().zip(found).all(|(wanted, found)| (wanted - found).abs() <= 1e-5));
        }
    }
    Ok(())
}

#[test]
fn bodies_of_loops_choose() -> Result<()> {
    for length in LENGTHS {
        let xs = floats(length);
        assert_eq!(iterated(true, &xs)?, xs.mapv(|x| x * 32.0));
        assert_eq!(iterated(false, &xs)?, reversed(&xs));
        let mut expected = integers(length);
        for _ in 0..6 {
            expected = if expected.sum() > 100 { expected.mapv(|y| y / 2) } else { expected.mapv(|y| y * 3) };
        }
        assert_eq!(iterated_by_data(&integers(length))?, expected);
        let keys = integers(length);
        let mut expected = [0; 12];
        for key in &keys {
            match usize::try_from(*key) {
                Ok(position) if position > 0 => {
                    expected.iter_mut().skip(position).take(1).for_each(|x| *x = *key);
                }
                _ => expected.iter_mut().for_each(|x| *x -= 1),
            }
        }
        assert_eq!(accumulated(&keys)?.to_vec(), expected);
        let ps: Vec<bool> = (0..length).map(|i| i % 3 != 1).collect();
        for bins in [1, 8, 40] {
            let mut expected = vec![0; bins];
            for (p, key) in ps.iter().zip(&keys) {
                let counted = usize::try_from(*key).ok().and_then(|key| expected.get_mut(key));
                if let (true, Some(count)) = (*p, counted) {
                    *count += 1;
                }
            }
            assert_eq!(counted(&ps, &keys, &vec![0; bins])?.to_vec(), expected);
        }
    }
    Ok(())
}

#[test]
fn work_items_compute_what_they_are_told() -> Result<()> {
    for length in LENGTHS {
        let xs = floats(length);
        assert_eq!(by_one_kernel(true, &xs)?, xs.mapv(|x| x * 2.0));
        assert_eq!(by_one_kernel(false, &xs)?, xs.mapv(|x| x + 1.0));
        assert_eq!(by_several_kernels(true, &xs)?, reversed(&xs.mapv(|x| x * 2.0)).mapv(|x| x + 1.0));
        assert_eq!(by_several_kernels(false, &xs)?, xs);
    }
    for rows in [1, 3, 70] {
        let xs = Array2::from_shape_fn((rows, 64), |(i, j)| (i * 64 + j) as f32);
        let mirrored = Array2::from_shape_fn((rows, 64), |(i, j)| xs[[i, 63 - j]]);
        let ps = Array1::from_shape_fn(rows, |i| i % 2 == 1);
        let expected = Array2::from_shape_fn((rows, 64), |at| match ps[at.0] {
            true => xs[at] * 2.0,
            false => mirrored[at] + 1.0,
        });
        assert_eq!(by_groups(&ps, &xs)?, expected);
        for p in [false, true] {
            assert_eq!(in_local_memory(p, &xs)?, mirrored.mapv(|x| if p { x * 2.0 + 3.0 } else { x + 4.0 }));
            assert_eq!(read_by_groups(p, &xs)?, mirrored.mapv(|x| if p { x * 2.0 + 3.0 } else { x + 3.0 }));
        }
    }
    let sums = in_registers(&[[1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 2.0, 3.0]])?;
    assert_eq!(sums, arr2(&[[2.0, 5.0, 9.0, 14.0], [3.0, 5.0, 6.0, 6.0]]));
    Ok(())
}

#[test]
fn arrays_of_any_rank_inline_are_chosen() -> Result<()> {
    let xs = numbers(5, 7);
    for p in [false, true] {
        let expected = Array2::from_shape_fn((5, 7), |(i, j)| if p { xs[[4 - i, j]] } else { xs[[i, j]] });
        assert_eq!(lift!(if p { reverse(xs) } else { xs })?, expected);
    }
    Ok(())
}
