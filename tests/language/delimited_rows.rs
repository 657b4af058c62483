//! `segments`, against plain loops: offsets that ascend, for all programs, and any others, for those that
//! reduce.

use lift::{Device, Result, lift};

use crate::common::is_simulated;
use crate::segments::forms;

include!("../../corpus/language/delimited_rows.rs");

/// Lengths of rows: one row, empty ones, and one that is much longer than the others.
fn lengths() -> Vec<Vec<usize>> {
    let varied = (0..61).map(|i| if i % 13 == 5 { 90 } else { i * i % 7 }).collect();
    let long = vec![0, 3, 2500, 0, 1, 0];
    vec![vec![0], vec![1], vec![5], vec![0, 0, 4, 0], varied, long]
}

/// The forms of programs that join rows, and so do little for each of many elements.
fn forms_of_joined() -> Result<Vec<&'static str>> {
    let forms = forms()?;
    let elements = (forms.len() > 1).then_some("elements");
    Ok(forms.iter().copied().chain(elements).collect())
}

/// The forms of programs in which what an element contributes depends on its row.
fn forms_of_lanes() -> Result<Vec<&'static str>> {
    Ok(forms()?.iter().copied().filter(|form| *form != "tiledSegments").collect())
}

/// The offsets of rows that stand one after the other.
fn offsets(lengths: &[usize]) -> Vec<usize> {
    let ends = lengths.iter().scan(0, |end, length| {
        *end += length;
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}

/// Numbers that do not repeat soon.
fn scattered(n: usize, below: i64) -> Vec<i64> {
    (0..n as i64).map(|i| (i * 7919 + i * i % 1013) % below).collect()
}

/// Elements and their rows.
struct Case {
    offsets: Vec<usize>,
    xs: Vec<i64>,
}

impl Case {
    fn all() -> Vec<Case> {
        let case = |lengths: Vec<usize>| {
            let offsets = offsets(&lengths);
            Case { xs: scattered(offsets[lengths.len()], 199), offsets }
        };
        lengths().into_iter().map(case).collect()
    }

    fn offsets<T: TryFrom<usize>>(&self) -> Vec<T> {
        self.offsets.iter().map(|x| T::try_from(*x).ok().expect("few elements")).collect()
    }

    fn xs<T>(&self, convert: impl Fn(i64) -> T) -> Vec<T> {
        self.xs.iter().map(|x| convert(*x)).collect()
    }

    /// What a function gives for each row.
    fn rows<T>(&self, compute: impl Fn(usize, &[i64]) -> T) -> Vec<T> {
        let rows = self.offsets.windows(2).enumerate();
        rows.map(|(i, ends)| compute(i, &self.xs[ends[0]..ends[1]])).collect()
    }

    /// What a function gives for the elements of each row, one after the other.
    fn joined<T>(&self, compute: impl Fn(usize, &[i64]) -> Vec<T>) -> Vec<T> {
        self.rows(compute).into_iter().flatten().collect()
    }

    fn count(&self) -> usize {
        self.offsets.len() - 1
    }
}

fn are_close(found: &[f64], expected: &[f64]) -> bool {
    let is_close =
        |(found, expected): (&f64, &f64)| (found - expected).abs() <= 1e-9 * expected.abs().max(1.0);
    found.len() == expected.len() && found.iter().zip(expected).all(is_close)
}

#[test]
fn rows_are_reduced() -> Result<()> {
    let device = Device::default_device()?;
    for case in Case::all() {
        let (offsets, values) = (case.offsets::<u32>(), case.xs(|x| x as f64 / 8.0));
        let columns = case.xs(|x| x as u32 % 10);
        let x: Vec<f64> = (0..10).map(f64::from).collect();
        let expected = case.rows(|_, row| row.iter().map(|v| *v as f64 / 8.0 * x[*v as usize % 10]).sum());
        for form in forms()? {
            let found = product::on(&device)?.form(form)?.run(&offsets, &columns, &values, &x)?;
            assert!(are_close(&found.to_vec(), &expected), "{form}");
        }
        let expected = case.rows(|_, row| {
            let mean = row.iter().sum::<i64>() as f64 / row.len() as f64;
            let squares: f64 = row.iter().map(|x| (*x as f64 - mean).powi(2)).sum();
            if row.is_empty() { 0.0 } else { squares / row.len() as f64 }
        });
        for form in forms_of_lanes()? {
            let found =
                variance::on(&device)?.form(form)?.run(&case.offsets::<u16>(), &case.xs(|x| x as f64))?;
            assert!(are_close(&found.to_vec(), &expected), "{form}");
        }
        let expected = case.rows(|_, row| {
            let sum = row.iter().sum::<i64>();
            let differences = row.iter().map(|x| ((x - sum).abs() as f64).sqrt());
            differences.clone().fold(0.0, f64::max) - differences.fold(1000.0, f64::min)
        });
        for form in forms()? {
            let found = spread::on(&device)?.form(form)?.run(&offsets, &case.xs(|x| x as f64))?;
            assert!(are_close(&found.to_vec(), &expected), "{form}");
        }
        let expected = case.rows(|_, row| {
            let before = row.iter().take_while(|x| **x != 7);
            let mixed = row.iter().fold(1i32, |all, x| all.wrapping_mul(3).wrapping_add(*x as i32));
            (before.sum::<i64>() as i32, mixed)
        });
        assert_eq!(until(&offsets, &case.xs(|x| x as i32))?.to_vec(), expected);
        let expected = case.rows(|_, row| row.iter().map(|x| 3 * *x as i32 + 1).max().unwrap_or(0));
        let pairs = case.xs(|x| [x as i32, 2 * x as i32 + 1]);
        assert_eq!(by_work_items(&offsets, &pairs)?.to_vec(), expected);
    }
    Ok(())
}

#[test]
fn rows_are_mapped_and_joined() -> Result<()> {
    // Each element is compared with all others of its row, which takes a simulator long where that is long.
    let longest = if is_simulated(&Device::default_device()?) { 1000 } else { usize::MAX };
    for case in Case::all().into_iter().filter(|case| case.xs.len() <= longest) {
        let wide = case.xs(|x| x as i32);
        let found = each(&case.offsets::<u32>(), &case.xs(|x| x as u8))?;
        assert_eq!(found.to_vec(), case.xs(|x| x as u8 ^ 85));
        let ys = scattered(case.count(), 1_000_003);
        let expected = case.joined(|i, row| row.iter().map(|x| x * ys[i]).collect());
        assert_eq!(scaled(&case.offsets::<i32>(), &case.xs, &ys)?.to_vec(), expected);
        let expected = case.joined(|i, row| {
            let length = row.len() as u32;
            let element = |(k, x): (usize, &i64)| (*x as i32 + 2 * i as i32 + 1, k as i64, length);
            row.iter().enumerate().map(element).collect()
        });
        assert_eq!(positions(&case.offsets::<i64>(), &wide)?.to_vec(), expected);
        let expected = case.joined(|_, row| {
            let at =
                |k: i64, or: i64| usize::try_from(k).ok().and_then(|k| row.get(k).copied()).unwrap_or(or);
            let element = |(k, x): (usize, &i64)| (at(k as i64 + 1, 1000) - x + at(k as i64 - 1, 0)) as i32;
            row.iter().enumerate().map(element).collect()
        });
        assert_eq!(differences(&case.offsets::<u32>(), &wide)?.to_vec(), expected);
        let rank = |row: &[i64], x: i64| row.iter().filter(|y| **y < x).count() as u32;
        let expected = case.joined(|_, row| row.iter().map(|x| rank(row, *x)).collect());
        assert_eq!(ranks(&case.offsets::<u32>(), &case.xs(|x| x as f32))?.to_vec(), expected);
        let first: Vec<bool> = (0..case.count()).map(|i| i % 3 != 1).collect();
        let expected = case.joined(|i, row| {
            row.iter().map(|x| if first[i] { 2 * *x as i32 } else { 100 - *x as i32 }).collect()
        });
        let pairs = case.xs(|x| (x as i32, 100 - x as i32));
        assert_eq!(chosen(&case.offsets::<u32>(), &pairs, &first)?.to_vec(), expected);
    }
    Ok(())
}

#[test]
fn rows_are_reduced_before_they_are_mapped() -> Result<()> {
    let device = Device::default_device()?;
    for case in Case::all() {
        let offsets = case.offsets::<u32>();
        let expected = case.joined(|_, row| {
            let most = row.iter().copied().max().unwrap_or(0) as f64;
            let power = |x: &i64| (*x as f64 / 16.0 - most / 16.0).exp();
            let sum: f64 = row.iter().map(power).sum();
            row.iter().map(|x| power(x) / sum).collect()
        });
        for form in forms_of_joined()? {
            let found = softmax::on(&device)?.form(form)?.run(&offsets, &case.xs(|x| x as f64 / 16.0))?;
            assert!(are_close(&found.to_vec(), &expected), "{form}");
        }
        let weight = |x: i64| (x % 5 - 2) as i32;
        let sum = |row: &[i64]| row.iter().map(|x| *x as i32 * weight(*x)).sum::<i32>();
        let sums = case.rows(|_, row| sum(row));
        let expected = case.joined(|_, row| row.iter().map(|x| *x as i32 * weight(*x) - sum(row)).collect());
        for form in forms_of_joined()? {
            let kernel = normalised::on(&device)?.form(form)?;
            let (all, found) = kernel.run(&offsets, &case.xs(|x| x as i32), &case.xs(weight))?;
            assert_eq!((all.to_vec(), found.to_vec()), (expected.clone(), sums.clone()), "{form}");
        }
        let components = |x: i64| [0, 1, 2, 3].map(|k| ((x + k) % 5) as f32);
        let xs: Vec<f32> = case.xs(components).into_iter().flatten().collect();
        let expected: Vec<f32> = case.joined(|_, row| {
            let square = |x: &i64| components(*x).map(|x| x * x).iter().sum::<f32>();
            let sum: f32 = row.iter().map(square).sum();
            row.iter().map(|x| square(x) * sum * sum).collect()
        });
        let found = of_vectors(&offsets, &xs)?.to_vec();
        let is_close = |(found, expected): (&f32, &f32)| (found - expected).abs() <= 1e-5 * expected;
        assert_eq!(found.len(), expected.len());
        assert!(found.iter().zip(&expected).all(is_close));
    }
    Ok(())
}

/// Offsets that fall or lie outside delimit what they do for `reduceSegments`, and nothing outside is read.
#[test]
fn rows_between_any_offsets_are_reduced() -> Result<()> {
    let xs: Vec<i32> = scattered(100, 50).into_iter().map(|x| x as i32).collect();
    let offsets = [90u32, 20, 40, 30, 4_000_000_000, 50, 60, 60, 200];
    let expected: Vec<(i32, i32)> = offsets
        .windows(2)
        .map(|ends| {
            let [first, last] = [ends[0], ends[1]].map(|end| (end as usize).min(xs.len()));
            let row = xs.get(first..last).unwrap_or(&[]);
            let before = row.iter().take_while(|x| **x != 7).sum();
            (before, row.iter().fold(1i32, |all, x| all.wrapping_mul(3).wrapping_add(*x)))
        })
        .collect();
    assert_eq!(until(&offsets, &xs)?.to_vec(), expected);
    // Which row an element belongs to is open, but its neighbours are elements or the defaults.
    let found = differences(&offsets, &xs)?.to_vec();
    let is_possible = |(x, found): (&i32, &i32)| {
        let with = |next: i32| xs.iter().chain(&[0]).any(|previous| next - x + previous == *found);
        xs.iter().chain(&[1000]).any(|next| with(*next))
    };
    assert_eq!(found.len(), xs.len());
    assert!(xs.iter().zip(&found).all(is_possible));
    Ok(())
}

#[test]
fn rows_are_computed_in_steps() -> Result<()> {
    for case in Case::all() {
        let (offsets, wide) = (case.offsets::<u32>(), case.xs(|x| x as i32));
        let ys: Vec<i32> = (0..case.count()).map(|i| i as i32 % 9 - 4).collect();
        let sum = |row: &[i64]| row.iter().sum::<i64>() as i32;
        let expected = case.joined(|_, row| {
            let shifted = row.iter().map(|x| *x as i32 - sum(row));
            let most = shifted.clone().max().unwrap_or(0);
            shifted.map(|x| x * 2 + most).collect()
        });
        let chosen = case.rows(|i, row| {
            let squares = row.iter().map(|x| (x * x) as i32 + ys[i] * ys[i]);
            squares.clone().sum::<i32>() - squares.max().unwrap_or(0)
        });
        let (joined, found) = in_steps(&offsets, &wide, &ys)?;
        assert_eq!((joined.to_vec(), found.to_vec()), (expected, chosen));
        let middle = case.xs.len() / 2;
        let others = [0, middle as u32, case.xs.len() as u32];
        let expected: Vec<i32> = case.joined(|_, row| {
            let (length, first, last) = (row.len() as i32, &case.xs[..middle], &case.xs[middle..]);
            let of = |other: &[i64]| (sum(row) + sum(other)) * length - other.len() as i32;
            vec![of(first), of(last)]
        });
        let found = in_turn(&offsets, &others, &wide)?;
        assert_eq!(found.into_raw_vec_and_offset().0, expected);
    }
    Ok(())
}

/// Elements without a row are nobody's, where something of the row is needed.
#[test]
fn elements_have_rows() -> Result<()> {
    let nothing: [u8; 0] = [];
    assert_eq!(each(&[0u32], &[3u8, 4])?.to_vec(), [3 ^ 85, 4 ^ 85]);
    assert_eq!(each(&[0u32], &nothing)?.to_vec(), nothing);
    let error =
        |found: Result<lift::ndarray::Array1<f64>>| found.map(drop).map_err(|error| error.to_string());
    let needed = "`join` of `segments` needs `1 <= N`, so that elements have rows";
    for found in [error(softmax(&[0u32], &[1.0, 2.0])), error(spread(&[0u32], &[1.0, 2.0]))] {
        assert!(found.as_ref().is_err_and(|message| message.contains(needed)), "{found:?}");
    }
    assert_eq!(product(&[0u32], &[0u32], &[1.0], &[1.0])?.to_vec(), [0.0; 0]);
    Ok(())
}

#[test]
fn rows_are_reduced_to_arrays() -> Result<()> {
    for case in Case::all() {
        let offsets = case.offsets::<u32>();
        let powers = |row: &[i64]| {
            let of = |power| row.iter().map(|x| (*x as i32).pow(power)).fold(0, i32::wrapping_add);
            [of(0), of(1), of(2)]
        };
        let expected: Vec<i32> = case.rows(|_, row| powers(row)).into_iter().flatten().collect();
        let found = powers_of_rows(&offsets, &case.xs(|x| x as i32))?;
        assert_eq!(found.into_iter().collect::<Vec<_>>(), expected);
        let digits = |row: &[i64]| {
            let mut sums = [0u32; 16];
            row.iter().for_each(|x| sums[*x as usize % 16] += *x as u32);
            sums
        };
        let expected: Vec<u32> = case.rows(|_, row| digits(row)).into_iter().flatten().collect();
        let found = digits_of_rows(&offsets, &case.xs(|x| x as u32))?;
        assert_eq!(found.into_iter().collect::<Vec<_>>(), expected);
    }
    Ok(())
}
