//! Reductions of whole arrays, which the work-items of the device share, against plain loops.

use crate::common::{is_simulated, sizes_to_simulate};
use lift::{Device, lift};

include!("../../corpus/programs/reductions.rs");

/// Around the number of work-items of a group, and of all groups.
const SIZES: [usize; 10] = [0, 1, 2, 3, 255, 256, 257, 1009, 16385, 131_073];
/// Larger ones take a simulator minutes.
const MOST_SIMULATED: usize = 16_385;

fn integers(n: usize) -> Vec<i32> {
    (0..n).map(|position| ((position * 7919 + 13) % 10_007) as i32 - 5000).collect()
}

fn floats(n: usize) -> Vec<f32> {
    (0..n).map(|position| ((position * 37 + 11) % 17) as f32 - 8.0).collect()
}

#[test]
fn sums_of_products_agree_with_loops() -> lift::Result<()> {
    for n in sizes_to_simulate(&SIZES, MOST_SIMULATED)? {
        let (x, y) = (floats(n), vec![2.0f32; n]);
        let expected: f32 = x.iter().map(|v| v * 2.0).sum();
        assert_eq!(dot(&x, &y)?, expected, "{n} elements");
    }
    Ok(())
}

#[test]
fn the_initial_value_enters_once() -> lift::Result<()> {
    for n in sizes_to_simulate(&SIZES, MOST_SIMULATED)? {
        let x = integers(n);
        assert_eq!(ten_more(&x)?, 10 + x.iter().sum::<i32>(), "{n} elements");
        let odd: Vec<u32> = (0..n).map(|position| 2 * position as u32 + 1).collect();
        let expected = odd.iter().fold(3u32, |product, v| product.wrapping_mul(*v));
        assert_eq!(product(&odd)?, expected, "{n} elements");
    }
    Ok(())
}

#[test]
fn operators_without_an_identity_start_from_an_element() -> lift::Result<()> {
    for n in sizes_to_simulate(&SIZES, MOST_SIMULATED)? {
        let (x, f) = (integers(n), floats(n));
        assert_eq!(largest(&f)?, f.iter().copied().fold(-1000.0, f32::max), "{n} elements");
        let expected =
            (x.iter().copied().min().unwrap_or(1_000_000), x.iter().copied().max().unwrap_or(-1_000_000));
        assert_eq!(extremes(&x)?, expected, "{n} elements");
    }
    Ok(())
}

#[test]
fn truth_values_and_tuples_are_reduced_in_any_order() -> lift::Result<()> {
    for n in sizes_to_simulate(&SIZES, MOST_SIMULATED)? {
        let x = integers(n);
        assert_eq!(all_positive(&x)?, x.iter().all(|v| *v > 0), "{n} elements");
        let positions: Vec<i32> = (0..n as i32).collect();
        let expected = x.iter().copied().zip(positions.iter().copied()).min().unwrap_or((i32::MAX, i32::MAX));
        assert_eq!(argmin(&x, &positions)?, expected, "{n} elements");
    }
    Ok(())
}

#[test]
fn what_is_not_associative_is_reduced_in_order() -> lift::Result<()> {
    for n in [0, 1, 2, 5, 1000] {
        let x = integers(n);
        let expected = x.iter().fold(0i32, |acc, v| v.wrapping_sub(acc));
        assert_eq!(alternating(&x)?, expected, "{n} elements");
    }
    Ok(())
}

#[test]
fn a_sum_that_everybody_needs_is_computed_once() -> lift::Result<()> {
    for n in sizes_to_simulate(&[1, 2, 257, 4099, 100_003], MOST_SIMULATED)? {
        let a = floats(n);
        let sum = 4096.0 + a.iter().sum::<f32>();
        // OpenCL rounds a quotient to within 2.5 units in the last place.
        for (result, value) in shares(&a)?.iter().zip(&a) {
            let expected = value / sum;
            assert!((result - expected).abs() <= 2.5 * f32::EPSILON * expected.abs(), "{n} elements");
        }

        let largest = a.iter().copied().fold(0.0, f32::max);
        let exponentials: Vec<f64> = a.iter().map(|v| f64::from(v - largest).exp()).collect();
        let sum: f64 = exponentials.iter().sum();
        for (result, exponential) in softmax(&a)?.iter().zip(&exponentials) {
            let expected = exponential / sum;
            assert!(
                (f64::from(*result) - expected).abs() <= 1e-4 * expected,
                "{result} instead of {expected}"
            );
        }
    }
    Ok(())
}

#[test]
fn a_total_may_be_computed_with() -> lift::Result<()> {
    for n in sizes_to_simulate(&SIZES, MOST_SIMULATED)? {
        let (a, b) = (floats(n), vec![1.0f32; n]);
        let sum: f32 = a.iter().map(|x| (x - 1.0) * (x - 1.0)).sum();
        assert!((distance(&a, &b)? - sum.sqrt() / 2.0).abs() <= 1e-6 * sum.sqrt(), "{n} elements");
    }
    Ok(())
}

#[test]
fn accumulators_may_be_small_arrays() -> lift::Result<()> {
    for n in sizes_to_simulate(&SIZES, 1009)? {
        let a = integers(n);
        let expected = a.iter().fold([0i32, 5, 0], |[n, s, q], x| {
            [n + 1, s.wrapping_add(*x), q.wrapping_add(x.wrapping_mul(*x))]
        });
        assert_eq!(moments(&a)?.to_vec(), expected, "{n} elements");

        // Whole numbers are added up exactly in any order.
        let points: Vec<[f64; 3]> = a.iter().map(|x| [*x, *x / 3, 7 - *x].map(f64::from)).collect();
        let sums = points.iter().fold([0.0, 0.0, 1.0], |s, p| [0, 1, 2].map(|j| s[j] + p[j]));
        if n > 0 {
            assert_eq!(centre(&points)?.to_vec(), sums.map(|s| s / n as f64), "{n} elements");
        }

        let points: Vec<[i16; 2]> = a.iter().map(|x| [(*x % 1000) as i16, (*x / 7 % 500) as i16]).collect();
        let within = points.iter().fold([[999; 2], [-999; 2]], |[least, most], p| {
            [[0, 1].map(|j| p[j].min(least[j])), [0, 1].map(|j| p[j].max(most[j]))]
        });
        assert_eq!(box_around(&points)?.into_iter().collect::<Vec<_>>(), within.concat(), "{n} elements");

        let points: Vec<[i32; 2]> = a.iter().map(|x| [x % 100, x / 100]).collect();
        let expected = points.iter().fold([0i32; 4], |s, [x, y]| {
            let products = [x * x, x * y, y * x, y * y];
            [0, 1, 2, 3].map(|j| s[j].wrapping_add(products[j]))
        });
        assert_eq!(second_moments(&points)?.into_iter().collect::<Vec<_>>(), expected, "{n} elements");
    }
    Ok(())
}

#[test]
fn partial_sums_of_groups_are_added_up_by_another_kernel() -> lift::Result<()> {
    for n in [0, 64, 128, 64 * 1001] {
        let a = integers(n);
        assert_eq!(two_stages(&a)?, a.iter().sum::<i32>(), "{n} elements");
    }
    Ok(())
}

/// PoCL 3.1 miscompiles loops of such kernels whose ends are computed in their conditions.
#[test]
fn lengths_may_be_constants() -> lift::Result<()> {
    let sum = |a: &[i32]| 10 + a.iter().sum::<i32>();
    let device = Device::default_device()?;
    let (a, b) = (integers(5000), integers(131_071));
    assert_eq!(total_of_5000(&a)?, sum(&a));
    if !is_simulated(&device) {
        assert_eq!(total_of_131071(&b)?, sum(&b));
    }
    let specialised = ten_more::on(&device)?.specialised();
    for n in sizes_to_simulate(&[1, 3, 255, 256, 257, 5000, 131_071, 131_072, 131_073], MOST_SIMULATED)? {
        let a = integers(n);
        assert_eq!(specialised.run(&a)?, sum(&a), "{n} elements");
    }
    Ok(())
}

#[test]
fn inline_totals_take_their_type_from_the_argument() -> lift::Result<()> {
    let a: Vec<i64> = (0..10_000).collect();
    assert_eq!(lift!(reduce(add, 0, a))?, 49_995_000);
    Ok(())
}
