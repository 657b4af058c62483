//! Half precision, on devices that have it: the host, for one.
#![cfg(feature = "f16")]

use lift::{Device, Result, f16, lift};

lift! {
    fn mixed(x: f16, y: f16) -> (f16, i32) { (max(x * 2 - 0.5, y) + sqrt(abs(x)), x as i32) }
    fn widened(x: f16) -> f64 { x as f64 / 3 }
    fn narrowed(x: f64, truth: bool) -> f16 { x as f16 + (truth as u8) as f16 }
    fn selected(x: f16) -> f16 { if x < -1.5 { clampv(-x, 0, 2) } else { fma(x, x, 1e-3) } }

    fn scaled(x: f16, k: i32) -> (f16, f16, bool) {
        (ldexp(rint(x), k), copysign(powi(x, 2), x) + fmod(x, 2), isFinite(x) && !isNan(x))
    }

    fn scale<const N: usize>(a: [f16; N], k: [i32; N]) -> [(f16, f16, bool); N] { zip(a, k) >> map(scaled) }
    fn all<const N: usize>(a: [f16; N], b: [f16; N]) -> [(f16, i32); N] { zip(a, b) >> map(mixed) }
    fn wide<const N: usize>(a: [f16; N]) -> [f64; N] { a >> map(widened) }
    fn narrow<const N: usize>(a: [f64; N]) -> [f16; N] { a >> map(|x| narrowed(x, x > 1)) }
    fn choose<const N: usize>(a: [f16; N]) -> [f16; N] { a >> map(selected) }
    #[strict]
    fn exact<const N: usize>(a: [f16; N], b: [f16; N]) -> [(f16, f16, f16, f16); N] {
        zip(a, b) >> map(|(x, y)| (x * y + 0.1, x / y, sqrt(abs(x)), min(x, -y)))
    }
    #[strict]
    fn sum_of_products<const N: usize>(a: [f16; N], b: [f16; N]) -> f16 {
        zip(a, b) >> map(mult) >> reduce(add, 0)
    }

    fn total<const N: usize>(a: [f16; N]) -> f16 { reduce(add, 0.5, a) }
}

fn halves(values: &[f32]) -> Vec<f16> {
    values.iter().map(|value| f16::from_f32(*value)).collect()
}

/// A device that computes with half precision.
fn device() -> Result<Device> {
    let mut devices = Device::list()?;
    let a = halves(&[1.0]);
    devices.retain(|device| total::on(device).and_then(|kernel| kernel.run(&a)).is_ok());
    Ok(devices.into_iter().next().expect("the host has half precision"))
}

const VALUES: [f32; 8] = [0.0, -0.25, 1.0, 3.3, -2.5, 1000.0, 65504.0, 6e-8];

#[test]
fn user_functions_mean_the_same_in_rust_and_in_kernels() -> Result<()> {
    let device = device()?;
    let a = halves(&VALUES);
    let b: Vec<f16> = a.iter().rev().copied().collect();
    let expected: Vec<(f16, i32)> = a.iter().zip(&b).map(|(x, y)| mixed(*x, *y)).collect();
    assert_eq!(all::on(&device)?.run(&a, &b)?.to_vec(), expected);
    let expected: Vec<f64> = a.iter().map(|x| widened(*x)).collect();
    assert_eq!(wide::on(&device)?.run(&a)?.to_vec(), expected);
    let expected: Vec<f16> = a.iter().map(|x| selected(*x)).collect();
    assert_eq!(choose::on(&device)?.run(&a)?.to_vec(), expected);
    let k = [0, -3, 15, 2, 14, 6, -40, 0];
    let expected: Vec<_> = a.iter().zip(k).map(|(x, k)| scaled(*x, k)).collect();
    assert_eq!(scale::on(&device)?.run(&a, &k)?.to_vec(), expected);
    let numbers: Vec<f64> = VALUES.iter().map(|value| f64::from(*value) * 1.001).collect();
    let expected: Vec<f16> = numbers.iter().map(|x| narrowed(*x, *x > 1.0)).collect();
    assert_eq!(narrow::on(&device)?.run(&numbers)?.to_vec(), expected);
    Ok(())
}

/// Of every element and every other one: all kinds of halves, subnormal ones among them.
#[test]
fn strict_kernels_round_every_operation_to_half_precision() -> Result<()> {
    let device = device()?;
    let of_bits = |step: u32| (0..2000).map(move |i: u32| f16::from_bits((i * step % 65536) as u16));
    let (a, b): (Vec<f16>, Vec<f16>) = (of_bits(37).collect(), of_bits(7919).collect());
    let least = |x: f16, y: f16| match (x.is_nan(), y.is_nan()) {
        (true, _) => y,
        (_, true) => x,
        _ if x.total_cmp(&y).is_le() => x,
        _ => y,
    };
    let exactly = |x: f16, y: f16| {
        let root = f16::from_f32(f32::from(x).abs().sqrt());
        (x * y + f16::from_f32(0.1), x / y, root, least(x, -y))
    };
    let same = |x: f16, y: f16| x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan());
    for (found, (x, y)) in exact::on(&device)?.run(&a, &b)?.iter().zip(a.iter().zip(&b)) {
        let expected = exactly(*x, *y);
        let all =
            [(found.0, expected.0), (found.1, expected.1), (found.2, expected.2), (found.3, expected.3)];
        assert!(all.iter().all(|(found, expected)| same(*found, *expected)), "{x}, {y}: {all:?}");
    }
    let small =
        |step| -> Vec<f16> { (0..500).map(|i| f16::from_f32((i * step % 101) as f32 / 997.0)).collect() };
    let (a, b) = (small(37), small(59));
    let sum = a.iter().zip(&b).fold(f16::from_f32(0.0), |sum, (x, y)| sum + *x * *y);
    assert_eq!(sum_of_products::on(&device)?.run(&a, &b)?.to_bits(), sum.to_bits());
    Ok(())
}

#[test]
fn literals_casts_and_functions_of_half_precision_have_rusts_values() {
    let half = f16::from_f32;
    assert_eq!(mixed(half(4.0), half(0.0)), (half(9.5), 4));
    assert_eq!(widened(half(1.5)), 0.5);
    assert_eq!(narrowed(2049.0, true), half(2049.0));
    assert_eq!(scaled(half(-2.5), 15), (half(-65536.0), half(-6.75), true));
    assert_eq!(scaled(half(1.5), -25), (half(2f32.powi(-24)), half(3.75), true));
    assert_eq!(selected(half(-3.0)), half(2.0));
    assert_eq!(selected(half(0.5)), half(0.251));
}

#[test]
fn an_expression_scales_half_precision() -> Result<()> {
    let factor = f16::from_f32(0.5);
    let kernel = lift!(|a: [f16; N]| map(|x| x * factor, a));
    let result = kernel.on(&device()?)?.run(&halves(&[1.0, -3.0]))?;
    assert_eq!(result.to_vec(), halves(&[0.5, -1.5]));
    Ok(())
}
