//! `#[strict]`: the same bits on the host, on each OpenCL device that can compute so, and in plain Rust.
//!
//! Where a sum is rounded, a plain loop has the order of the program. NaN is NaN, whatever its bits are.

use lift::ndarray::Array2;
use lift::{Device, DeviceKind, Error, Result, lift};

include!("../../corpus/language/strict.rs");

/// Whether two values have the same bits, where NaN is one value.
trait SameBits {
    fn same(&self, other: &Self) -> bool;
}

macro_rules! same_floats {
    ($($float:ty),*) => {$(
        impl SameBits for $float {
            fn same(&self, other: &Self) -> bool {
                self.to_bits() == other.to_bits() || (self.is_nan() && other.is_nan())
            }
        }
    )*};
}

macro_rules! same_tuples {
    ($(($($part:ident $position:tt),*))*) => {$(
        impl<$($part: SameBits),*> SameBits for ($($part,)*) {
            fn same(&self, other: &Self) -> bool {
                $(self.$position.same(&other.$position))&&*
            }
        }
    )*};
}

same_floats!(f32, f64);
same_tuples! { (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3) (A 0, B 1, C 2, D 3, E 4, F 5) }

macro_rules! same_integers {
    ($($integer:ty),*) => {$(
        impl SameBits for $integer {
            fn same(&self, other: &Self) -> bool {
                self == other
            }
        }
    )*};
}

same_integers!(i32, u32, i64);

impl<T: SameBits> SameBits for [T; 4] {
    fn same(&self, other: &Self) -> bool {
        self.iter().zip(other).all(|(x, y)| x.same(y))
    }
}

fn assert_same<T: SameBits + std::fmt::Debug>(device: &Device, found: &[T], expected: &[T]) {
    assert_eq!(found.len(), expected.len(), "{device}");
    for (position, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!(found.same(expected), "{device}, {position}: {found:?} instead of {expected:?}");
    }
}

/// Runs a kernel on every device that can compute it exactly, and compares the elements of the result.
macro_rules! everywhere {
    ($kernel:ident($($argument:expr),*), $expected:expr) => {{
        let (mut computed, expected) = (0, $expected);
        for device in Device::list()? {
            match $kernel::on(&device).and_then(|kernel| kernel.run($($argument),*)) {
                Ok(found) => {
                    computed += 1;
                    let found: Vec<_> = found.iter().cloned().collect();
                    assert_same(&device, &found, &expected);
                }
                Err(Error::Inexact { .. } | Error::MissingExtension { .. })
                    if device.kind() != DeviceKind::Host => {}
                Err(error) => return Err(error),
            }
        }
        assert!(computed > 0, "the host computes everything");
    }};
}

/// Lengths with and without remainders, for one work-item and for many.
const LENGTHS: [usize; 6] = [1, 2, 7, 64, 1001, 20_000];

/// Bits in no obvious order.
fn scattered(length: usize, seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
    (0..length).map(move |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state ^ (state >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    })
}

/// Numbers between -2 and 2 with all their digits: products and sums of them are rounded.
fn numbers(length: usize, seed: u64) -> Vec<f32> {
    scattered(length, seed).map(|bits| ((bits >> 40) as f32 / (1 << 22) as f32) - 2.0).collect()
}

fn doubles(length: usize, seed: u64) -> Vec<f64> {
    scattered(length, seed).map(|bits| ((bits >> 11) as f64 / (1u64 << 51) as f64) - 2.0).collect()
}

/// Numbers of every kind: every pair of special ones, then any bits, then subnormal ones.
fn of_all_kinds() -> (Vec<f32>, Vec<f32>) {
    let special = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MAX,
        f32::MIN_POSITIVE,
        1e-45,
        -1e-45,
        1.1754942e-38,
        0.5,
        -0.5,
        1.5,
        2.5,
        -2.5,
        16_777_217.0,
        0.1,
        3.4e38,
    ];
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for left in special {
        for right in special {
            x.push(left);
            y.push(right);
        }
    }
    let any = |seed| scattered(3000, seed).map(|bits| f32::from_bits((bits >> 32) as u32));
    x.extend(any(1));
    y.extend(any(2));
    // Products, quotients and differences of these are subnormal.
    let small = |seed| numbers(2000, seed).into_iter().map(|x| x * 2f32.powi(-74));
    x.extend(small(3));
    y.extend(small(4));
    let tiny = |seed| scattered(1000, seed).map(|bits| f32::from_bits((bits >> 32) as u32 & 0x807f_ffff));
    x.extend(tiny(5));
    y.extend(tiny(6));
    (x, y)
}

fn doubles_of_all_kinds() -> (Vec<f64>, Vec<f64>) {
    let special = [0.0, -0.0, 1.0, f64::NAN, f64::INFINITY, -f64::MAX, f64::MIN_POSITIVE, 5e-324, -0.1, 1e16];
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for left in special {
        for right in special {
            x.push(left);
            y.push(right);
        }
    }
    x.extend(scattered(2000, 7).map(f64::from_bits));
    y.extend(scattered(2000, 8).map(f64::from_bits));
    x.extend(doubles(1000, 9).into_iter().map(|x| x * 2f64.powi(-537)));
    y.extend(doubles(1000, 10).into_iter().map(|x| x * 2f64.powi(-537)));
    (x, y)
}

fn zipped<A: Copy, B: Copy, C>(x: &[A], y: &[B], function: impl Fn(A, B) -> C) -> Vec<C> {
    x.iter().zip(y).map(|(x, y)| function(*x, *y)).collect()
}

/// The smaller one; -0.0 is smaller than 0.0, and NaN is no number.
fn least_of(x: f32, y: f32) -> f32 {
    match (x.is_nan(), y.is_nan()) {
        (true, _) => y,
        (_, true) => x,
        _ if x.total_cmp(&y).is_le() => x,
        _ => y,
    }
}

fn greatest_of(x: f32, y: f32) -> f32 {
    -least_of(-x, -y)
}

fn least_double(x: f64, y: f64) -> f64 {
    match (x.is_nan(), y.is_nan()) {
        (true, _) => y,
        (_, true) => x,
        _ if x.total_cmp(&y).is_le() => x,
        _ => y,
    }
}

#[test]
fn a_product_and_a_sum_are_rounded_one_after_the_other() -> Result<()> {
    for n in LENGTHS {
        let (x, y) = (numbers(n, 1), numbers(n, 2));
        everywhere!(axpy(1.7, &x, &y), zipped(&x, &y, |x, y| 1.7 * x + y));
        everywhere!(scheduled(&x, &y), zipped(&x, &y, |x, y| x * y + 0.1));
        let (x, y) = (doubles(n, 3), doubles(n, 4));
        everywhere!(axpy_of_doubles(0.3, &x, &y), zipped(&x, &y, |x, y| 0.3 * x + y));
    }
    Ok(())
}

#[test]
fn what_the_user_asks_to_round_once_is_rounded_once() -> Result<()> {
    let (x, y) = of_all_kinds();
    let z = numbers(x.len(), 11);
    let expected: Vec<_> = zipped(&x, &y, |x, y| (x, y))
        .iter()
        .zip(&z)
        .map(|((x, y), z)| (x.mul_add(*y, *z), x * y + z))
        .collect();
    everywhere!(fused(&x, &y, &z), expected);
    Ok(())
}

#[test]
fn sums_are_added_up_from_the_first_element_to_the_last() -> Result<()> {
    for n in LENGTHS {
        let (x, y) = (numbers(n, 5), numbers(n, 6));
        let sum = x.iter().zip(&y).fold(0.0, |sum, (x, y)| sum + x * y);
        for device in Device::list()? {
            let found = inner_product::on(&device)?.run(&x, &y)?;
            assert_same(&device, &[found], &[sum]);
        }
        let x = doubles(n, 7);
        let (sum, squares) = x.iter().fold((0.0, 0.0), |(sum, squares), x| (sum + x, squares + x * x));
        let largest = x.iter().fold(0.0, |largest: f64, x| -least_double(-largest, -x));
        for device in Device::list()? {
            match moments::on(&device).and_then(|kernel| kernel.run(&x)) {
                Err(Error::MissingExtension { .. } | Error::Inexact { .. }) => {}
                found => assert_same(&device, &[found?], &[(sum, squares, largest)]),
            }
        }
        let mut before = None;
        let sums = numbers(n, 8).into_iter().map(|x| {
            let sum = before.map_or(x, |before| before + x);
            before = Some(sum);
            sum
        });
        everywhere!(running(&numbers(n, 8)), sums.collect::<Vec<_>>());
        let factors = doubles(n, 9);
        let products = factors.iter().scan(1.0, |product, x| {
            let before = *product;
            *product *= x;
            Some(before * 0.5 + 1.0)
        });
        everywhere!(running_products(&factors), products.collect::<Vec<_>>());
    }
    Ok(())
}

#[test]
fn sums_of_rows_and_columns_are_added_up_in_order() -> Result<()> {
    for (n, m) in [(1, 1), (3, 40), (70, 33), (5, 1000), (300, 17)] {
        let rows = Array2::from_shape_vec((n, m), numbers(n * m, 12)).expect("it has the shape");
        let sums: Vec<f32> =
            rows.rows().into_iter().map(|row| row.iter().fold(0.0, |sum, x| sum + x)).collect();
        everywhere!(sums_of_rows(&rows), sums);
        let extremes = rows.rows().into_iter().map(|row| {
            let first = row[0];
            let least = row.iter().fold(first, |least, x| least_of(least, *x));
            (least, row.iter().fold(first, |greatest, x| greatest_of(greatest, *x)))
        });
        everywhere!(extremes_of_rows(&rows), extremes.collect::<Vec<_>>());
        let other = Array2::from_shape_vec((m, n), numbers(n * m, 13)).expect("it has the shape");
        let product: Vec<f32> = rows
            .rows()
            .into_iter()
            .flat_map(|row| {
                other
                    .columns()
                    .into_iter()
                    .map(move |column| row.iter().zip(column).fold(0.0, |sum, (x, y)| sum + x * y))
            })
            .collect();
        everywhere!(product(&rows, &other), product);
    }
    Ok(())
}

#[test]
fn stencils_have_the_bits_of_plain_loops() -> Result<()> {
    for n in LENGTHS {
        let x = numbers(n, 14);
        let at = |i: isize| x[i.clamp(0, n as isize - 1) as usize];
        let expected: Vec<f32> =
            (0..n as isize).map(|i| 0.3 * at(i - 1) + 0.4 * at(i) + 0.3 * at(i + 1)).collect();
        everywhere!(smoothed(&x), expected);
    }
    for (n, m) in [(1, 1), (2, 3), (33, 70), (200, 64)] {
        let x = Array2::from_shape_vec((n, m), numbers(n * m, 15)).expect("it has the shape");
        let at = |y: usize, z: usize| x[[y % n, z % m]];
        let mut expected = Vec::new();
        for y in 0..n {
            for z in 0..m {
                let sum = at(y + n - 1, z) + at(y, z + m - 1) + at(y, z + 1) + at(y + 1, z);
                expected.push(0.2 * sum + 0.2 * at(y, z));
            }
        }
        everywhere!(smoothed_twice(&x), expected);
    }
    Ok(())
}

#[test]
fn sums_by_key_are_added_up_in_the_order_of_the_elements() -> Result<()> {
    for n in LENGTHS {
        let keys: Vec<i32> = scattered(n, 16).map(|bits| (bits >> 32) as i32 % 7).map(i32::abs).collect();
        let xs = numbers(n, 17);
        let (mut sums, mut least) = ([0.0f32; 7], [0.5f32; 7]);
        let mut counts = [0u32; 7];
        for (key, x) in keys.iter().zip(&xs) {
            let key = *key as usize;
            sums[key] += x;
            least[key] = least_of(least[key], *x);
            counts[key] += 1;
        }
        everywhere!(sums_by_key(&keys, &xs), sums);
        everywhere!(least_by_key(&keys, &xs), least);
        everywhere!(counts_by_key(&keys), counts);
    }
    Ok(())
}

#[test]
fn complex_products_and_polynomials_have_the_bits_of_plain_rust() -> Result<()> {
    let pairs = |seed| numbers(1001, seed).into_iter().zip(numbers(1001, seed + 1)).collect::<Vec<_>>();
    let (a, b) = (pairs(18), pairs(20));
    everywhere!(complex_products(&a, &b), zipped(&a, &b, times));
    let (coefficients, x) = (doubles(11, 22), doubles(1001, 23));
    let values = x.iter().map(|x| coefficients.iter().fold(0.0, |value, c| value * x + c));
    everywhere!(horner(&coefficients, &x), values.collect::<Vec<_>>());
    Ok(())
}

#[test]
fn numbers_of_every_kind_have_the_arithmetic_of_rust() -> Result<()> {
    let (x, y) = of_all_kinds();
    everywhere!(sums_and_products(&x, &y), zipped(&x, &y, |x, y| (x + y, x - y, x * y, -x)));
    everywhere!(quotients(&x, &y), zipped(&x, &y, |x, y| (x / y, x.abs().sqrt(), 1.0 / y)));
    let functions =
        |x: f32, y: f32| (x.floor(), x.ceil(), x.trunc(), x.round_ties_even(), x.round(), x.copysign(y));
    everywhere!(rounded(&x, &y), zipped(&x, &y, functions));
    let (x, y) = doubles_of_all_kinds();
    everywhere!(quotients_of_doubles(&x, &y), zipped(&x, &y, |x, y| (x / y, x.abs().sqrt(), 1.0 / y)));
    let k: Vec<i64> = scattered(x.len(), 24).map(|bits| (bits >> (bits % 60)) as i64).collect();
    everywhere!(converted(&x, &k), zipped(&x, &k, |x, k| (x as f32, k as f32, k as f64, x as i32)));
    Ok(())
}

#[test]
fn of_two_zeros_the_negative_one_is_smaller_everywhere() -> Result<()> {
    let (x, y) = of_all_kinds();
    let extremes = |x, y| (least_of(x, y), greatest_of(x, y), least_of(greatest_of(x, y), 1.0));
    everywhere!(extremes(&x, &y), zipped(&x, &y, extremes));
    let (a, b) = doubles_of_all_kinds();
    let greatest = |x: f64, y: f64| -least_double(-x, -y);
    let extremes = |x, y| (least_double(x, y), greatest(x, y), least_double(greatest(x, y), 1.0));
    everywhere!(extremes_of_doubles(&a, &b), zipped(&a, &b, extremes));
    let vectors = |x: &[f32]| x.chunks_exact(4).map(|four| [four[0], four[1], four[2], four[3]]).collect();
    let (u, v): (Vec<[f32; 4]>, Vec<[f32; 4]>) = (vectors(&x), vectors(&y));
    let by_lanes = |u: [f32; 4], v: [f32; 4]| {
        let lanes = |function: fn(f32, f32) -> f32| std::array::from_fn(|lane| function(u[lane], v[lane]));
        (lanes(least_of), lanes(|x, y| greatest_of(-x, y)))
    };
    everywhere!(extremes_of_vectors(&u, &v), zipped(&u, &v, by_lanes));
    let rows = Array2::from_shape_vec((x.len() / 13, 13), x[..x.len() / 13 * 13].to_vec());
    let rows = rows.expect("it has the shape");
    let extremes = rows.rows().into_iter().map(|row| {
        let greatest = row.iter().fold(-5.0, |greatest, x| greatest_of(greatest, *x));
        (row.iter().fold(5.0, |least, x| least_of(least, *x)), greatest)
    });
    everywhere!(extremes_of_short_rows(&rows), extremes.collect::<Vec<_>>());
    // Whoever is first among many zeros.
    for zeros in [[0.0, -0.0], [-0.0, 0.0]] {
        let many: Vec<f32> = zeros.into_iter().cycle().take(20_000).collect();
        for device in Device::list()? {
            assert_same(&device, &[least::on(&device)?.run(&many)?], &[-0.0]);
        }
        let rows = Array2::from_shape_fn((9, 100), |(_, i)| zeros[i % 2]);
        everywhere!(extremes_of_rows(&rows), [(-0.0, 0.0); 9]);
    }
    Ok(())
}

#[test]
fn products_of_components_are_added_in_order() -> Result<()> {
    let vectors = |seed| {
        let numbers = numbers(4004, seed);
        numbers.chunks_exact(4).map(|four| [four[0], four[1], four[2], four[3]]).collect::<Vec<_>>()
    };
    let (x, y) = (vectors(25), vectors(26));
    let sum = |x: [f32; 4], y: [f32; 4]| x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3];
    everywhere!(dots(&x, &y), zipped(&x, &y, sum));
    Ok(())
}

#[test]
fn elements_of_any_type_have_the_bits_of_their_type() -> Result<()> {
    let (x, y) = of_all_kinds();
    everywhere!(of_any_float(0.7f32, &x, &y), zipped(&x, &y, |x, y| (0.7 * x + y, least_of(x, -y), x / y)));
    let (x, y) = doubles_of_all_kinds();
    let expected = zipped(&x, &y, |x, y| (0.7 * x + y, least_double(x, -y), x / y));
    everywhere!(of_any_float(0.7f64, &x, &y), expected);
    let (x, y) = (numbers(20_000, 27), numbers(20_000, 28));
    for device in Device::list()? {
        let (extremes, sum) = of_any_number::on(&device)?.run(&x, &y)?;
        let extremes: Vec<_> = extremes.iter().copied().collect();
        assert_same(&device, &extremes, &zipped(&x, &y, |x, y| (greatest_of(x, y), least_of(x, y))));
        assert_same(&device, &[sum], &[x.iter().fold(0.0, |sum, x| sum + x)]);
    }
    Ok(())
}

#[test]
fn integers_are_still_divided_among_work_items() -> Result<()> {
    let xs: Vec<i64> = scattered(20_000, 29).map(|bits| bits as i64).collect();
    let sum = xs.iter().fold(0i64, |sum, x| sum.wrapping_add(*x));
    for device in Device::list()? {
        assert_eq!(total::on(&device)?.run(&xs)?, sum, "{device}");
    }
    let kernels = |source: &str| source.matches("\nkernel ").count();
    assert!(kernels(total::SOURCE) > 1 && kernels(counts_by_key::SOURCE) > 1 && kernels(least::SOURCE) > 1);
    assert!(kernels(inner_product::SOURCE) == 1 && kernels(sums_by_key::SOURCE) == 1);
    assert!(kernels(running::SOURCE) == 1);
    Ok(())
}

#[test]
fn kernels_switch_contraction_off() {
    for source in [axpy::SOURCE, inner_product::SOURCE, of_any_float::SOURCE, scheduled::SOURCE] {
        assert!(source.contains("#pragma OPENCL FP_CONTRACT OFF"), "{source}");
    }
}
