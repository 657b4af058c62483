//! Programs with vectors on a device, against plain loops.

mod common;

use lift::lift;
use lift::ndarray::{Array1, Array2};

lift! {
    /// Scales a vector.
    fn scaled(v: f32x4, s: f32) -> f32x4 { v * s + 1 }

    fn relu(v: i32x2) -> i32x2 { if v > 0 { v } else { 0 } }

    fn cubes(v: f32x4) -> f32x4 { mapVec(|x| x * x * x, v) }

    fn product(v: i32x8, w: i32x8) -> i32 { dot(v, w) }

    pub fn scale<const N: usize>(a: [f32x4; N], s: f32) -> [f32x4; N] { map(|v| scaled(v, s), a) }

    pub fn positive<const N: usize>(a: [i32; N]) -> [i32; N] { asVector(2, a) >> map(relu) >> asScalar }

    pub fn sum<const N: usize>(a: [f32; N]) -> f32x4 { asVector(4, a) >> reduceSeq(add, 0) }

    pub fn shift<const N: usize>(a: [f32x2; N], by: f32x2) -> [f32x2; N] { map(|v| v + by, a) }
}

#[test]
fn user_functions_on_vectors_are_rust_functions_on_arrays() {
    assert_eq!(scaled([1.0, 2.0, 3.0, 4.0], 2.0), [3.0, 5.0, 7.0, 9.0]);
    assert_eq!(relu([-1, 2]), [0, 2]);
    assert_eq!(cubes([1.0, 2.0, 3.0, 4.0]), [1.0, 8.0, 27.0, 64.0]);
    assert_eq!(product([1, 2, 3, 4, 5, 6, 7, 8], [1; 8]), 36);
}

#[test]
fn arrays_of_vectors_cross_the_boundary_as_arrays_of_arrays() -> lift::Result<()> {
    let a = vec![[1.0f32, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]];
    let b: Array1<[f32; 4]> = scale(&a, 2.0)?;
    assert_eq!(b.to_vec(), [[3.0, 5.0, 7.0, 9.0], [11.0, 13.0, 15.0, 17.0]]);
    let c = scale(&b, 0.0)?;
    assert_eq!(c[1], [1.0; 4]);
    let mut out = [[0.0f32; 4]; 2];
    scale::on(&lift::Device::default_device()?)?.run_into(&a, 2.0, &mut out)?;
    assert_eq!(out[0], [3.0, 5.0, 7.0, 9.0]);
    let mut out = Array1::from_elem(2, [0.0f32; 4]);
    scale::on(&lift::Device::default_device()?)?.run_into(&out.clone(), 2.0, &mut out)?;
    assert_eq!(out[1], [1.0; 4]);
    Ok(())
}

#[test]
fn device_arrays_of_vectors_have_their_components_as_the_last_dimension() -> lift::Result<()> {
    let device = lift::Device::default_device()?;
    let a = device.upload(&vec![[1.0f32, 2.0, 3.0, 4.0]; 3])?;
    let b = scale::on(&device)?.enqueue(&a, 2.0)?;
    let b: Array2<f32> = b.download()?;
    assert_eq!(b.shape(), [3, 4]);
    assert_eq!(scale(&a, 2.0)?[2], [3.0, 5.0, 7.0, 9.0]);
    Ok(())
}

#[test]
fn vectors_are_passed_by_value_and_returned() -> lift::Result<()> {
    assert_eq!(shift(&[[1.0, 2.0], [3.0, 4.0]], [10.0, 20.0])?.to_vec(), [[11.0, 22.0], [13.0, 24.0]]);
    let a: Vec<f32> = (0..12u8).map(f32::from).collect();
    assert_eq!(sum(&a)?, [12.0, 15.0, 18.0, 21.0]);
    Ok(())
}

#[test]
fn scalars_are_seen_as_vectors_of_any_element_type() -> lift::Result<()> {
    assert_eq!(positive(&[1, -2, 3, -4])?.to_vec(), [1, 0, 3, 0]);
    let a = vec![1i16, 2, 3, 4];
    assert_eq!(lift!(asVector(4, a) >> map(|v| v * v) >> asScalar)?.to_vec(), [1, 4, 9, 16]);
    let b = vec![1.5f64, 2.0];
    assert_eq!(lift!(asVector(2, b) >> map(|v| dot(v, v)))?.to_vec(), [6.25]);
    let flags = vec![true, false, true, true];
    assert_eq!(lift!(asVector(4, flags))?.to_vec(), [[true, false, true, true]]);
    Ok(())
}

#[test]
fn lengths_that_no_vectors_fill_are_errors_at_the_call() {
    let message = positive(&vec![1, 2, 3]).unwrap_err().to_string();
    assert!(message.contains("`asVector(2)` needs 2 to divide `N`"), "{message}");
}
