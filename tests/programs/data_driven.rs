//! Programs whose positions, numbers and orders come from data, against plain loops.

use std::path::Path;

use crate::common::{is_simulated, mixed};
use lift::ndarray::{Array2, ArrayView1};
use lift::{Device, DeviceKind, Result, lift};

include!("../../corpus/programs/data_driven.rs");

/// A float from 0 to 1.
fn fraction(i: usize) -> f32 {
    (mixed(i) >> 8) as f32 / 16_777_216.0
}

/// Those sizes that take neither a simulator long, nor the host where rustc does not optimise.
fn sizes(all: &'static [usize]) -> Result<impl Iterator<Item = usize>> {
    let device = Device::default_device()?;
    let most = match () {
        () if is_simulated(&device) => 300,
        () if cfg!(debug_assertions) && device.kind() == DeviceKind::Host => 200_000,
        () => usize::MAX,
    };
    Ok(all.iter().copied().filter(move |n| *n <= most))
}

fn equalised_in_a_loop(image: &Array2<u8>) -> Array2<u8> {
    let mut up_to = [0u32; 256];
    for pixel in image {
        up_to[usize::from(*pixel)] += 1;
    }
    for level in 1..256 {
        up_to[level] += up_to[level - 1];
    }
    let total = image.len() as u32;
    let first = up_to.iter().copied().find(|count| *count > 0).unwrap_or(total);
    image.mapv(|pixel| ((up_to[usize::from(pixel)] - first) * 255 / (total - first).max(1)) as u8)
}

#[test]
fn levels_of_grey_are_spread_evenly() -> std::result::Result<(), Box<dyn std::error::Error>> {
    for (rows, columns) in [(1, 1), (1, 7), (33, 20), (64, 64)] {
        let image = Array2::from_shape_fn((rows, columns), |(i, j)| {
            90 + (mixed(i * columns + j) % 23 + j as u32 % 9) as u8
        });
        assert_eq!(equalised(&image)?, equalised_in_a_loop(&image), "{rows} x {columns}");
    }
    assert_eq!(equalised(&Array2::from_elem((5, 6), 200))?, Array2::from_elem((5, 6), 0));
    if sizes(&[512 * 384])?.next().is_none() {
        return Ok(());
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/photograph.jpg");
    let photograph = image::open(path)?.into_luma8();
    let (width, height) = photograph.dimensions();
    let image = Array2::from_shape_vec((height as usize, width as usize), photograph.into_raw())?;
    let found = equalised(&image)?;
    assert_eq!(found, equalised_in_a_loop(&image));
    assert!(found.iter().any(|pixel| *pixel == 0) && found.iter().any(|pixel| *pixel == 255));
    Ok(())
}

type Point = (f32, f32);

fn nearest_in_a_loop((x, y): Point, centres: &[Point]) -> usize {
    let distance = |(p, q): Point| (x - p) * (x - p) + (y - q) * (y - q);
    (0..centres.len())
        .fold(0, |best, i| if distance(centres[i]) < distance(centres[best]) { i } else { best })
}

fn k_means_in_a_loop(rounds: usize, points: &[Point], mut centres: Vec<Point>) -> Vec<Point> {
    for _ in 0..rounds {
        let mut totals = vec![(0.0, 0.0, 0); centres.len()];
        for point in points {
            let (x, y, n) = &mut totals[nearest_in_a_loop(*point, &centres)];
            (*x, *y, *n) = (*x + point.0, *y + point.1, *n + 1);
        }
        for (centre, (x, y, n)) in centres.iter_mut().zip(totals).filter(|(_, (_, _, n))| *n > 0) {
            *centre = (x / n as f32, y / n as f32);
        }
    }
    centres
}

#[test]
fn centres_move_to_the_means_of_their_points() -> Result<()> {
    for n in sizes(&[1, 5, 300, 3000])? {
        // Points around five places, and a first centre so far away that it gets none.
        let point = |i: usize| {
            let place = i % 5;
            (3.0 * place as f32 + fraction(2 * i), (place * place % 4) as f32 + fraction(2 * i + 1))
        };
        let points: Vec<Point> = (0..n).map(point).collect();
        let mut start: Vec<Point> = (0..5).map(|i| (0.25 + 2.5 * i as f32, 1.5)).collect();
        start[0] = (-100.0, 7.0);
        for rounds in [0, 1, 10] {
            let expected = k_means_in_a_loop(rounds, &points, start.clone());
            let found = k_means(rounds, &points, &start)?.to_vec();
            for (a, b) in found.iter().zip(&expected) {
                let off = (a.0 - b.0).abs().max((a.1 - b.1).abs());
                assert!(off < 1e-3, "{n} points, {rounds} rounds: {found:?}, {expected:?}");
            }
            let labels: Vec<u32> = points.iter().map(|p| nearest_in_a_loop(*p, &found) as u32).collect();
            assert_eq!(nearest(&points, &found)?.to_vec(), labels, "{n} points, {rounds} rounds");
        }
    }
    Ok(())
}

fn nearest_row_in_a_loop(point: ArrayView1<f32>, centres: &Array2<f32>) -> usize {
    let distance =
        |i: usize| -> f32 { centres.row(i).iter().zip(point).map(|(c, x)| (x - c) * (x - c)).sum() };
    (1..centres.nrows()).fold(0, |best, i| if distance(i) < distance(best) { i } else { best })
}

#[test]
fn clusters_in_space_are_those_of_a_plain_loop() -> Result<()> {
    let k = 7;
    for n in sizes(&[0, 1, 200, 1000])? {
        let f = if n == 1000 { 16 } else { 3 };
        // Points around corners, far from each other.
        let corner = |i: usize, j: usize| 8.0 * ((i >> (j % 3)) % 2 * (j + 1)) as f32;
        let points = Array2::from_shape_fn((n, f), |(i, j)| corner(i % k, j) + fraction(i * f + j));
        let start = Array2::from_shape_fn((k, f), |(i, j)| corner(i, j) + 1.0);
        for rounds in [0, 1, 10] {
            let mut expected = start.clone();
            for _ in 0..rounds {
                let (mut sums, mut counts) = (Array2::<f32>::zeros((k, f)), vec![0; k]);
                for point in points.rows() {
                    let key = nearest_row_in_a_loop(point, &expected);
                    sums.row_mut(key).zip_mut_with(&point, |sum, x| *sum += x);
                    counts[key] += 1;
                }
                for (key, count) in counts.into_iter().enumerate().filter(|(_, count)| *count > 0) {
                    expected.row_mut(key).assign(&(&sums.row(key) / count as f32));
                }
            }
            let found = clusters(rounds, &points, &start)?;
            let off = (&found - &expected).iter().fold(0f32, |most, x| most.max(x.abs()));
            assert!(off < 1e-3, "{n} points, {f} coordinates, {rounds} rounds: {off}");
        }
    }
    Ok(())
}

/// Rows of 0 to 6 elements: where each starts, and the columns.
fn sparse(rows: usize, columns: usize) -> (Vec<u32>, Vec<u32>) {
    let (mut offsets, mut places) = (vec![0], Vec::new());
    for row in 0..rows {
        let length = mixed(row) as usize % 7 % (columns + 1);
        places.extend((0..length).map(|k| mixed(row * 7 + k) % columns as u32));
        offsets.push(places.len() as u32);
    }
    (offsets, places)
}

#[test]
fn sparse_rows_are_multiplied_by_a_vector() -> Result<()> {
    for (rows, columns) in [(1, 1), (1, 9), (7, 3), (1000, 500), (1001, 2000)] {
        let (offsets, places) = sparse(rows, columns);
        // Multiples of 1/4, whose sums are exact.
        let values: Vec<f64> = (0..places.len()).map(|k| f64::from(mixed(k) % 64) / 4.0 - 8.0).collect();
        let x: Vec<f64> = (0..columns).map(|j| f64::from(mixed(j + 77) % 32) / 4.0).collect();
        let row = |i: usize| {
            let elements = offsets[i] as usize..offsets[i + 1] as usize;
            elements.map(|k| values[k] * x[places[k] as usize]).sum::<f64>()
        };
        let expected: Vec<f64> = (0..rows).map(row).collect();
        assert_eq!(csr_product(&offsets, &places, &values, &x)?.to_vec(), expected, "{rows} x {columns}");
    }
    Ok(())
}

#[test]
fn pages_have_the_ranks_of_a_plain_loop() -> Result<()> {
    for n in sizes(&[1, 2, 40, 777])? {
        let (offsets, sources) = sparse(n, n);
        let mut links = vec![0u32; n];
        for source in &sources {
            links[*source as usize] += 1;
        }
        for rounds in [0, 1, 20] {
            let mut ranks = vec![1.0 / n as f64; n];
            for _ in 0..rounds {
                let lost: f64 = (0..n).filter(|i| links[*i] == 0).map(|i| ranks[i]).sum();
                let from = |j: usize| ranks[j] / f64::from(links[j]);
                let passed = |i: usize| {
                    let all = &sources[offsets[i] as usize..offsets[i + 1] as usize];
                    all.iter().map(|j| from(*j as usize)).sum::<f64>()
                };
                ranks = (0..n).map(|i| (0.15 + 0.85 * lost) / n as f64 + 0.85 * passed(i)).collect();
            }
            let found = page_ranks(rounds, 0.85, &offsets, &sources, &links)?.to_vec();
            for (a, b) in found.iter().zip(&ranks) {
                assert!((a - b).abs() < 1e-12, "{n} pages, {rounds} rounds: {a}, {b}");
            }
            assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }
    Ok(())
}

#[test]
fn only_what_is_kept_of_a_stream_is_computed_on() -> Result<()> {
    for n in [1usize, 2, 100, 3001] {
        let photon = |i: usize| {
            ((i % 50) as f32, if i.is_multiple_of(3) { -1.0 } else { 1.0 }, (mixed(i) % 8) as f32 / 8.0)
        };
        let photons: Vec<(f32, f32, f32)> = (0..n).map(photon).collect();
        let alive = photons.iter().filter(|(_, _, energy)| *energy > 0.25);
        let mut expected: Vec<_> =
            alive.map(|(x, along, energy)| (x + along, *along, 0.5 * energy)).collect();
        let count = expected.len();
        expected.resize(n, (0.0, 0.0, 0.0));
        let (found, kept) = moved(&photons)?;
        assert_eq!((found.to_vec(), kept as usize), (expected, count), "{n} photons");
    }
    Ok(())
}

#[test]
fn different_elements_stay_once() -> Result<()> {
    for n in sizes(&[1, 2, 17, 300, 3000])? {
        for kinds in [1, 10, 2000] {
            let xs: Vec<i32> = (0..n).map(|i| (mixed(i) % kinds) as i32 - 5).collect();
            let mut expected = xs.clone();
            expected.sort_unstable();
            expected.dedup();
            let count = expected.len();
            expected.resize(n, 0);
            let (found, kept) = unique(&xs)?;
            assert_eq!((found.to_vec(), kept as usize), (expected, count), "{n} elements of {kinds}");
        }
    }
    Ok(())
}

#[test]
fn runs_have_their_values_and_lengths() -> Result<()> {
    for n in [1usize, 2, 64, 2000] {
        let xs: Vec<u8> = (0..n).map(|i| 7 + (mixed(i / 5 + i / 7) % 3) as u8).collect();
        let mut expected: Vec<(u8, u32)> =
            xs.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32)).collect();
        expected.resize(n, (0, 0));
        assert_eq!(runs(&xs)?.to_vec(), expected, "{n} elements");
    }
    Ok(())
}

#[test]
fn a_million_keys_are_sorted() -> Result<()> {
    for n in sizes(&[300, (1 << 17) - 1, 1 << 20])? {
        let mut keys: Vec<u32> = (0..n).map(mixed).collect();
        let found = sorted(&keys)?;
        keys.sort_unstable();
        assert!(found.iter().eq(&keys), "{n} keys");
    }
    Ok(())
}

#[test]
fn labels_become_rows_with_a_one() -> Result<()> {
    for (n, classes) in [(1usize, 1usize), (5, 3), (300, 10)] {
        // The last class is none.
        let labels: Vec<u32> = (0..n).map(|i| mixed(i) % (classes as u32 + 1)).collect();
        let expected = Array2::from_shape_fn((n, classes), |(i, j)| f32::from(labels[i] == j as u32));
        assert_eq!(one_hot(classes, &labels)?, expected, "{n} labels of {classes}");
    }
    Ok(())
}

#[test]
fn labels_are_compared_with_the_best_scores() -> Result<()> {
    for (n, classes) in [(1usize, 1usize), (7, 5), (30, 10)] {
        // All scores of a row differ.
        let scores = Array2::from_shape_fn((n, classes), |(i, j)| {
            ((j * 7 + i * 3) % classes * 7 % 11) as f32 + fraction(i * classes + j) / 2.0
        });
        let labels: Vec<u32> = (0..n).map(|i| mixed(i + 9) % classes as u32).collect();
        let greater = |i: usize| {
            let row = scores.row(i);
            row.iter().filter(|score| **score > row[labels[i] as usize]).count()
        };
        for k in [1, 3, 5].into_iter().filter(|k| *k <= classes) {
            let expected = (0..n).filter(|i| greater(*i) < k).count();
            assert_eq!(among_best(k, &scores, &labels)? as usize, expected, "{n} rows, the best {k}");
        }
        let mut expected = Array2::from_elem((classes, classes), 0);
        for (row, label) in scores.rows().into_iter().zip(&labels) {
            let best = (0..classes).fold(0, |best, j| if row[j] > row[best] { j } else { best });
            expected[(*label as usize, best)] += 1;
        }
        assert_eq!(confusion(&scores, &labels)?, expected, "{n} rows");
    }
    Ok(())
}
