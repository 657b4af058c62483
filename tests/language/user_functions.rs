//! User functions are ordinary Rust functions with the meaning that they have in a kernel.

use lift::{Result, lift};

lift! {
    /// Both scaled.
    pub fn scaled(x: (f32, f32), by: f32) -> (f32, f32) {
        let (a, b) = x;
        (a * by, b * by)
    }

    fn sum_of_scaled(x: (f32, f32)) -> f32 {
        let y = scaled(x, 2);
        y.0 + y.1
    }

    fn add_wrapping(a: i8, b: i8) -> i8 { a + b }
    fn negate_wrapping(a: i32) -> i32 { -a }
    fn multiply_wrapping(a: u32, b: u32) -> u32 { a * b }
    fn quotient(a: i32, b: i32) -> i32 { a / b }
    fn remainder(a: i32, b: i32) -> i32 { a % b }
    fn smaller(a: f32, b: f32) -> f32 { min(a, b) }
    fn larger_integer(a: i64, b: i64) -> i64 { a.max(b) }
    fn magnitude(a: i32) -> i32 { abs(a) }
    fn to_byte(a: f32) -> u8 { a as u8 }
    fn truth(a: bool) -> f32 { if a && !false { 1 } else { 0 } }
    fn tenth(a: f64) -> f64 { a * 0.1 }
    fn tenth_in_single(a: f32) -> f32 { a * 0.1 }
    fn root(a: f32) -> f32 { a.sqrt() }
    fn clamped(a: f32) -> f32 { clampv(a, 0, 1) }
    fn direction(a: f32) -> f32 { sign(a) }
    fn direction_of_integer(a: i32) -> i32 { sign(a) }
    fn chosen(c: bool, a: f32, b: f32) -> f32 { select(c, a, b) }
    fn shadowed(x: f32) -> f32 {
        let x = x + 1;
        let x = x * x;
        x
    }

    fn golden_ratio() -> f64 { (1 + sqrt(5)) / 2 }
    fn golden() -> [f64; 2] { generate(2, |i| golden_ratio() + i as f64) }
    fn with_golden(a: [f64; 2]) -> [f64; 2] {
        let half = || golden_ratio() / 2;
        a >> map(|x| x * half())
    }

    fn mean_of_squares<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| shadowed(x) / 2, a)
    }
}

#[test]
fn tuples_and_calls_work_as_in_rust() {
    assert_eq!(scaled((1.0, 2.0), 3.0), (3.0, 6.0));
    assert_eq!(sum_of_scaled((1.5, 2.5)), 8.0);
    assert_eq!(shadowed(2.0), 9.0);
    assert_eq!(truth(true), 1.0);
    assert_eq!(chosen(false, 1.0, 2.0), 2.0);
}

#[test]
fn functions_and_kernels_may_have_no_parameters() -> Result<()> {
    let ratio = 0.5 + 1.25f64.sqrt();
    assert_eq!(golden_ratio(), ratio);
    assert_eq!(golden()?.to_vec(), [ratio, ratio + 1.0]);
    assert_eq!(with_golden(&[2.0, 4.0])?.to_vec(), [ratio, 2.0 * ratio]);
    Ok(())
}

#[test]
fn integers_wrap_and_no_division_panics() {
    assert_eq!(add_wrapping(127, 1), -128);
    assert_eq!(negate_wrapping(i32::MIN), i32::MIN);
    assert_eq!(multiply_wrapping(u32::MAX, u32::MAX), 1);
    assert_eq!((quotient(7, 2), quotient(-7, 2), quotient(7, 0)), (3, -3, 0));
    assert_eq!(quotient(i32::MIN, -1), i32::MIN);
    assert_eq!((remainder(-7, 2), remainder(7, 0), remainder(i32::MIN, -1)), (-1, 7, 0));
    assert_eq!(magnitude(i32::MIN), i32::MIN);
    assert_eq!(larger_integer(-3, 2), 2);
    assert_eq!((direction_of_integer(-9), direction_of_integer(0)), (-1, 0));
}

#[test]
fn floats_are_exact_and_follow_opencl_on_nan() {
    assert_eq!(smaller(f32::NAN, 2.0), 2.0);
    assert_eq!(to_byte(300.0), 255);
    assert_eq!((to_byte(-1.0), to_byte(f32::NAN)), (0, 0));
    assert_eq!(tenth(3.0), 3.0 * 0.1);
    assert_eq!(tenth_in_single(3.0), 3.0 * 0.1f32);
    assert_eq!(root(2.0), 2.0f32.sqrt());
    assert_eq!((clamped(-1.0), clamped(0.25), clamped(9.0)), (0.0, 0.25, 1.0));
    assert_eq!((direction(-3.0), direction(f32::NAN)), (-1.0, 0.0));
    assert!(direction(-0.0).is_sign_negative());
}

#[test]
fn a_kernel_agrees_with_the_function_it_calls() -> Result<()> {
    let a = [0.5f32, -2.0, 3.25];
    assert_eq!(mean_of_squares(&a)?.to_vec(), a.map(|x| shadowed(x) / 2.0));
    Ok(())
}
