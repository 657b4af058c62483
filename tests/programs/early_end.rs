//! Loops that end when data says so, against plain loops.

use crate::common::sizes_to_simulate;
use lift::{Device, Result, lift};

include!("../../corpus/programs/early_end.rs");

#[test]
fn points_escape_after_as_many_steps_as_in_a_plain_loop() -> Result<()> {
    let re: Vec<f32> = (0..67).map(|i| -2.25 + 3.0 * i as f32 / 64.0).collect();
    let im: Vec<f32> = (0..29).map(|i| -1.25 + 2.5 * i as f32 / 32.0).collect();
    let steps = mandelbrot(&re, &im)?;
    let escape = |x: f32, y: f32| {
        let (mut a, mut b, mut n) = (0f32, 0f32, 0);
        while n < 200 && a * a + b * b <= 4.0 {
            (a, b, n) = (a * a - b * b + x, 2.0 * a * b + y, n + 1);
        }
        n
    };
    // Compilers may contract `a * a + b`, and a point at the border may then escape a step earlier or later.
    let expected: Vec<i32> = im.iter().flat_map(|y| re.iter().map(|x| escape(*x, *y))).collect();
    let differ = steps.iter().zip(&expected).filter(|(a, b)| a != b).count();
    assert!(differ * 50 <= expected.len(), "{differ} of {} points differ", expected.len());
    assert!(expected.contains(&200) && expected.iter().any(|steps| *steps < 3));
    Ok(())
}

#[test]
fn roots_are_those_of_the_standard_library() -> Result<()> {
    let numbers = [1.0, 2.0, 0.25, 1e6, 3.0, 1e-3, 7.0];
    for (number, root) in numbers.iter().zip(newton_roots(&numbers)?.to_vec()) {
        assert!((root - number.sqrt()).abs() <= 1e-9 * root, "{number}: {root}");
        assert_eq!(newton_root(*number), root);
    }
    Ok(())
}

#[test]
fn rays_stop_at_the_sphere_or_far_behind_it() -> Result<()> {
    let reached = march(&[(0.0, 0.0, -3.0), (0.5, 0.0, -3.0), (2.0, 0.0, -3.0)])?.to_vec();
    assert!((reached[0] - 2.0).abs() < 0.01, "{reached:?}");
    assert!((reached[1] - (3.0 - 0.75f32.sqrt())).abs() < 0.01, "{reached:?}");
    assert!(reached[2] >= 10.0, "{reached:?}");
    Ok(())
}

#[test]
fn sequences_of_integers_end_exactly() -> Result<()> {
    assert_eq!(collatz(&[1, 2, 27, 97, 871])?.to_vec(), [0, 1, 111, 118, 178]);
    let pairs = [(12, 18), (0, 5), (5, 0), (1 << 40, 3 << 20), (17, 1_000_000_007)];
    assert_eq!(gcds(&pairs)?.to_vec(), [6, 5, 5, 1 << 20, 1]);
    assert_eq!(gcd(12, 18), 6);
    Ok(())
}

#[test]
fn a_search_ends_at_what_it_finds() -> Result<()> {
    let rows = [[1.0, 5.0, 7.0], [9.0, 1.0, 1.0], [0.0, 1.0, 2.0], [0.0, 1.0, 4.5]];
    assert_eq!(first_above(4.0, &rows)?.to_vec(), [1, 0, 3, 2]);
    Ok(())
}

#[test]
fn a_reduction_of_a_whole_array_keeps_the_last_accumulator() -> Result<()> {
    for n in [0usize, 1, 2, 100, 1000] {
        let prices: Vec<i32> = (0..n as i32).map(|i| 1 + i % 7).collect();
        for budget in [0, 1, 3, 100, i32::MAX] {
            let mut spent = 0;
            let expected = prices.iter().take_while(|price| {
                spent += **price;
                spent <= budget
            });
            assert_eq!(affordable(budget, &prices)?, expected.count() as i32, "{n} prices, {budget}");
        }
    }
    Ok(())
}

#[test]
fn the_number_of_steps_may_be_a_size() -> Result<()> {
    for n in [1usize, 2, 7, 40] {
        let xs: Vec<i32> = (0..n as i32).map(|i| i * 3 - 5).collect();
        let expected = xs.iter().map(|x| {
            let (mut sum, mut k) = (0, 0);
            while k < n as i32 && sum < 100 {
                sum += x * (k + 1);
                k += 1;
            }
            sum
        });
        assert_eq!(weighted(&xs)?.to_vec(), expected.collect::<Vec<_>>(), "{n}");
    }
    Ok(())
}

#[test]
fn windows_and_vectors_end_early_too() -> Result<()> {
    let xs = [2, 3, 0, 4, 5, 6, 0, 0, 7];
    let expected: Vec<i32> =
        xs.windows(3).map(|window| window.iter().take_while(|x| **x != 0).product()).collect();
    assert_eq!(products(&xs)?.to_vec(), expected);
    assert_eq!(halved(&[8.0, 0.0, 0.5, 0.5, 3.0, 4.0])?.to_vec(), [1.0, 0.0, 0.5, 0.5, 0.375, 0.5]);
    Ok(())
}

#[test]
fn an_array_is_replaced_until_its_sum_is_small() -> Result<()> {
    // The number of steps is none, odd or even, and the limit ends the last one.
    for first in [0.5, 1.0, 1.5, 3.0, 1e38] {
        for n in [1usize, 2, 3, 1000] {
            let mut numbers = vec![0f32; n];
            numbers[n / 2] = first;
            let mut expected = numbers.clone();
            for _ in 0..100 {
                if expected[n / 2] > 1.0 {
                    expected[n / 2] *= 0.5;
                }
            }
            assert_eq!(halved_until(&numbers)?.to_vec(), expected, "{n} numbers, {first}");
        }
    }
    assert_eq!(halved_until(&[0f32; 0])?.to_vec(), [0f32; 0]);
    Ok(())
}

#[test]
fn edges_grow_until_nothing_changes() -> Result<()> {
    for (rows, columns) in [(1usize, 1usize), (1, 9), (7, 5), (20, 33)] {
        let image = |seed: usize, parts: usize| -> Vec<Vec<i32>> {
            let pixel = |i: usize, j: usize| i32::from((i * 37 + j * 61 + i * j * seed) % parts < 3);
            (0..rows).map(|i| (0..columns).map(|j| pixel(i, j)).collect()).collect()
        };
        let (weak, strong) = (image(11, 5), image(7, 41));
        let mut edges = strong.clone();
        loop {
            let touches = |i: usize, j: usize| {
                let near = |at: usize, end: usize| at.saturating_sub(1)..(at + 2).min(end);
                near(i, rows).any(|i| near(j, columns).any(|j| edges[i][j] == 1))
            };
            let grown =
                |i: usize, j: usize| if weak[i][j] == 1 { i32::from(touches(i, j)) } else { edges[i][j] };
            let next: Vec<Vec<i32>> =
                (0..rows).map(|i| (0..columns).map(|j| grown(i, j)).collect()).collect();
            if next == edges {
                break;
            }
            edges = next;
        }
        let array = |rows: &[Vec<i32>]| {
            lift::ndarray::Array2::from_shape_vec((rows.len(), columns), rows.concat())
                .expect("rows of one length")
        };
        assert_eq!(hysteresis(&array(&weak), &array(&strong))?, array(&edges), "{rows} x {columns}");
    }
    Ok(())
}

#[test]
fn conjugate_gradients_end_at_the_solution() -> Result<()> {
    for n in sizes_to_simulate(&[1, 2, 17, 200], 17)? {
        let b: Vec<f64> = (0..n).map(|i| ((i * 7 + 3) % 11) as f64 - 5.0).collect();
        let x = conjugate_gradients(1000, 1e-9, &b)?.to_vec();
        let at = |i: usize| x.get(i).copied().unwrap_or(0.0);
        for (i, b) in b.iter().enumerate() {
            let product = 2.0 * at(i) - at(i.wrapping_sub(1)) - at(i + 1);
            assert!((product - b).abs() < 1e-8, "{n}, row {i}: {product} instead of {b}");
        }
        // Without steps, the solution is the first guess.
        assert_eq!(conjugate_gradients(0, 1e-9, &b)?.to_vec(), vec![0.0; n]);
    }
    Ok(())
}

#[test]
fn levels_of_a_graph_are_those_of_a_search() -> Result<()> {
    for n in [1usize, 2, 50, 301] {
        let neighbours: Vec<[u32; 3]> =
            (0..n).map(|i| [(i + n - 1) % n, (i + 1) % n, (i * 5) % n].map(|j| j as u32)).collect();
        let mut levels = vec![1_000_000u32; n];
        levels[0] = 0;
        for _ in 0..n {
            let next = |i: usize| {
                let near = neighbours[i].iter().map(|j| levels[*j as usize]).min().unwrap_or(1_000_000);
                levels[i].min(near.min(1_000_000) + 1)
            };
            levels = (0..n).map(next).collect();
        }
        assert_eq!(super::early_end::levels(&neighbours)?.to_vec(), levels, "{n} vertices");
    }
    Ok(())
}

#[test]
fn elements_in_turn_end_early_as_well() -> Result<()> {
    for columns in [1usize, 255, 256, 1024, 1025, 5000] {
        let rows = lift::ndarray::Array2::from_shape_fn((3, columns), |(i, j)| {
            i32::from(j / 256 % 5 != i + 1) + (j % 3) as i32 * i32::from(i == 2)
        });
        let sums = sums_to_zero(&rows)?;
        for (row, sums) in rows.rows().into_iter().zip(sums.rows()) {
            for (item, sum) in sums.iter().enumerate() {
                let own = row.iter().skip(item).step_by(256);
                assert_eq!(*sum, own.take_while(|x| **x != 0).sum::<i32>(), "{columns}, {item}");
            }
        }
    }
    Ok(())
}

lift! {
    /// Each step adds what formulas over its number say.
    fn counted(n: i64) -> i64 {
        iterateWhile(
            50,
            |sum| sum < n,
            |k => sum| if k > 3 { sum + (k * k) as i64 } else { sum + 1 + (k / 2 + (k + 1) % 3 + min(k, 2)) as i64 },
            0,
        )
    }

    /// A loop in a loop, which mentions the numbers of both.
    fn nested(n: i64) -> i64 {
        iterateWhile(5, |s| s < n, |k => s| s + iterateWhile(4, |t| t < 3, |j => t| t + (j + 2 * k) as i64, 0), 0)
    }

    fn of_each<const N: usize>(ns: [i64; N]) -> [(i64, i64); N] {
        ns >> map(|n| (counted(n), nested(n)))
    }
}

#[test]
fn steps_have_numbers_in_functions_on_scalars() -> Result<()> {
    let counted_in_rust = |n: i64| {
        let mut sum = 0;
        for k in 0..50 {
            if sum >= n {
                break;
            }
            sum += if k > 3 { k * k } else { 1 + k / 2 + (k + 1) % 3 + k.min(2) };
        }
        sum
    };
    let nested_in_rust = |n: i64| {
        let mut s = 0;
        for k in 0..5 {
            if s >= n {
                break;
            }
            let mut t = 0;
            for j in 0..4 {
                if t >= 3 {
                    break;
                }
                t += j + 2 * k;
            }
            s += t;
        }
        s
    };
    let ns = [0i64, 1, 7, 100, 1_000_000];
    for device in Device::list()? {
        for (found, n) in of_each::on(&device)?.run(&ns)?.into_iter().zip(ns) {
            assert_eq!(found, (counted_in_rust(n), nested_in_rust(n)), "{device}, {n}");
            assert_eq!(found, (counted(n), nested(n)));
        }
    }
    Ok(())
}

#[test]
fn a_series_ends_when_its_terms_are_small() -> Result<()> {
    let xs = [0.0f32, 0.5, 1.0, -2.0, 3.0];
    for (found, x) in exponentials(&xs)?.into_iter().zip(xs) {
        assert!((found - x.exp()).abs() <= 1e-5 * x.exp().max(1.0), "{x}: {found}");
        assert!((series(x) - found).abs() <= 1e-6 * found.abs().max(1.0), "{x}");
    }
    Ok(())
}
