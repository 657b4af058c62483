//! Loops that end when data says so, against plain loops.

use lift::{Result, lift};

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
