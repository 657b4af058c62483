//! Functions that are generic in their element types, called with several types.

use lift::{Device, Float, Integer, Number, Result, lift};

lift! {
    /// `k * x + y`
    fn axpy<T: Float, const N: usize>(k: T, x: [T; N], y: [T; N]) -> [T; N] {
        zip(x, y) >> map(|x, y| k * x + y)
    }

    fn sum<T, const N: usize>(a: [T; N]) -> T where T: Number {
        reduce(add, 0, a)
    }

    fn low_bits<T: lift::Integer, const N: usize>(a: [T; N]) -> [T; N] {
        map(|x: T| x & 15, a)
    }

    fn swapped<A: Element, B: Element, const N: usize>(pairs: [(A, B); N]) -> [(B, A); N] {
        map(|a, b| (b, a), pairs)
    }

    fn norm<T: Float, const N: usize>(a: [T; N]) -> T {
        sqrt(sum(map(square, a)))
    }

    fn ramp<T: Float>(n: size, step: T) -> [T; n] {
        generate(n, |i| i as T * step)
    }

    fn square<T: Number>(x: T) -> T {
        x * x
    }

    fn mixed<T: Float>(x: T, t: T) -> (T, T) {
        if t > 0.5 { (square(x) * t - 0.1, 2) } else { (-x, sqrt(t)) }
    }

    fn first_of_mixed<T: Float, const N: usize>(a: [T; N]) -> [T; N] {
        map(|x| mixed(x, x).0, a)
    }

    #[launch(any)]
    fn masked<T: Integer, const N: usize>(a: [T; N]) -> [T; N] {
        a >> mapGlb0(|x| x & 6)
    }

    /// Not generic, but calls those that are.
    fn doubled_norm<const N: usize>(a: [f64; N]) -> f64 {
        norm(axpy(1, a, a))
    }
}

/// Generic Rust code calls them.
fn sums<T: Number>(rows: &[Vec<T>]) -> Result<Vec<T>> {
    rows.iter().map(|row| sum(row)).collect()
}

fn lengths<T: Float>(rows: &[Vec<T>]) -> Result<Vec<T>> {
    rows.iter().map(|row| norm(row)).collect()
}

fn last_digits<T: Integer>(a: &[T]) -> Result<Vec<T>> {
    Ok(low_bits(a)?.to_vec())
}

#[test]
fn one_function_takes_elements_of_every_type_that_its_bound_allows() -> Result<()> {
    assert_eq!(axpy(2.0f32, &[1.0, 2.0], &[0.5, 0.25])?.to_vec(), [2.5, 4.25]);
    assert_eq!(axpy(2.0f64, &[1.0, 2.0], &[0.5, 0.25])?.to_vec(), [2.5, 4.25]);
    assert_eq!((sum(&[1u8, 2, 3])?, sum(&[-1i64, -2])?, sum(&[0.5f32, 0.25])?), (6, -3, 0.75));
    assert_eq!(low_bits(&[0x1234u16, 0xff])?.to_vec(), [4, 15]);
    assert_eq!(low_bits(&[-1i32, 33])?.to_vec(), [15, 1]);
    let pairs = [(1.5f32, true), (2.5, false)];
    assert_eq!(swapped(&pairs)?.to_vec(), [(true, 1.5), (false, 2.5)]);
    assert_eq!(ramp(3, 0.5f64)?.to_vec(), [0.0, 0.5, 1.0]);
    assert_eq!(doubled_norm(&[3.0, 4.0])?, 10.0);
    Ok(())
}

#[test]
fn generic_rust_code_calls_generic_functions() -> Result<()> {
    assert_eq!(sums(&[vec![1i32, 2], vec![3]])?, [3, 3]);
    assert_eq!(lengths(&[vec![3.0f64, 4.0]])?, [5.0]);
    assert_eq!(last_digits(&[18u8, 3])?, [2, 3]);
    Ok(())
}

#[test]
fn generic_functions_on_scalars_are_functions_of_rust() -> Result<()> {
    assert_eq!((square(3u8), square(-1.5f64)), (9, 2.25));
    assert_eq!((mixed(2.0f32, 1.0), mixed(2.0f64, 0.25)), ((3.9, 2.0), (-2.0, 0.5)));
    assert_eq!(first_of_mixed(&[2.0f32, 0.25])?.to_vec(), [2.0 * 2.0 * 2.0 - 0.1, -0.25]);
    Ok(())
}

#[test]
fn a_kernel_on_a_device_takes_every_type() -> Result<()> {
    let kernel = axpy::on(&Device::default_device()?)?;
    assert_eq!(kernel.run(2.0f32, &[1.0, 2.0], &[0.5, 0.25])?.to_vec(), [2.5, 4.25]);
    let mut out = [0.0f64; 2];
    kernel.run_into(2.0, &[1.0, 2.0], &[0.5, 0.25], &mut out)?;
    assert_eq!(out, [2.5, 4.25]);
    assert!(axpy::SOURCE.contains("T0"));
    // A launch is checked for a type of the bound.
    let kernel = masked::on(&Device::default_device()?)?.launch(&[4], &[2])?;
    assert_eq!(kernel.run(&[1u8, 2, 3, 7, 15])?.to_vec(), [0, 2, 2, 6, 6]);
    assert_eq!(kernel.run(&[-1i64, 12])?.to_vec(), [6, 4]);
    Ok(())
}
