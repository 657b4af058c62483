//! User functions are ordinary Rust functions with the meaning that they have in a kernel.

use lift::{Result, lift};

include!("../../corpus/language/user_functions.rs");

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
