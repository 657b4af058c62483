//! Programs with vectors on a device, against plain loops.

use lift::lift;
use lift::ndarray::{Array1, Array2};

include!("../../corpus/language/vectors.rs");

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
fn a_sum_that_ends_begins_with_a_vector_of_zeros() -> lift::Result<()> {
    let a = [1.0, 2.0, 3.0, 4.0, 5.0, 0.0, 1.0, 1.0, 9.0, 9.0, 9.0, 9.0, 1.0, 0.0, 0.0, 0.0];
    assert_eq!(sum_of_short(&a, 100.0)?, [6.0, 2.0, 4.0, 5.0]);
    assert_eq!(sum_of_short(&a, 1.0)?, [0.0; 4]);
    assert_eq!(sum_of_short(&[0.0f32; 0], 1.0)?, [0.0; 4]);
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
fn components_may_be_written_backwards() -> lift::Result<()> {
    let a = Array2::from_shape_fn((2, 6), |(row, column)| (10 * row + column) as f32);
    let turned = lift!(|a: [[f32; M]; N]| a
        >> map(|row| row >> asVector(2) >> map(|v| v + 1) >> asScalar)
        >> map(reverse));
    let expected = Array2::from_shape_fn((2, 6), |(row, column)| (10 * row + 6 - column) as f32);
    assert_eq!(turned.run(&a)?, expected);
    Ok(())
}

#[test]
fn lengths_that_no_vectors_fill_are_errors_at_the_call() {
    let message = positive(&vec![1, 2, 3]).unwrap_err().to_string();
    assert!(message.contains("`asVector(2)` needs 2 to divide `N`"), "{message}");
}

fn expected(a: &Array2<f32>, bt: &Array2<f32>) -> Array2<f32> {
    a.dot(&bt.t())
}

#[test]
fn the_products_of_the_papers_are_right_at_several_sizes() -> lift::Result<()> {
    for (rows, columns, depth) in [(2, 2, 4), (4, 6, 8), (10, 4, 12)] {
        let matrix = |height, salt: usize| {
            Array2::from_shape_fn((height, depth), |(i, j)| ((i * 7 + j * 3 + salt) % 11) as f32 - 5.0)
        };
        let (a, bt) = (matrix(rows, 1), matrix(columns, 4));
        assert_eq!(blocked(&a, &bt)?, expected(&a, &bt));
        assert_eq!(dots(&a, &bt)?, expected(&a, &bt));
    }
    Ok(())
}

#[test]
fn vectors_lie_at_any_address() -> lift::Result<()> {
    let a: Vec<i32> = (0..18).collect();
    let chunk = |from: i32| (from..from + 8).rev().map(|x| x * x);
    assert_eq!(shifted(&a)?.to_vec(), chunk(1).chain(chunk(9)).collect::<Vec<_>>());
    Ok(())
}

#[test]
fn scans_and_dot_products_of_vectors_wrap_and_add_by_component() -> lift::Result<()> {
    assert_eq!(
        prefix(&[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])?.to_vec(),
        [[1.0, 2.0], [4.0, 6.0], [9.0, 12.0]]
    );
    let (a, b) = ([[20u8; 16]], [[3u8; 16]]);
    assert_eq!(widest(&a, &b)?.to_vec(), [(20u32 * 3 * 16 % 256) as u8]);
    Ok(())
}

#[test]
fn reductions_of_many_vectors_are_divided_among_work_items() -> lift::Result<()> {
    for count in [0, 1, 1000, 100_003] {
        let a: Vec<[i32; 4]> = (0..count).map(|i| [i % 7, i % 5, -i % 3, 1]).collect();
        let sum = |lane: usize| 1 + a.iter().map(|v| 2 * v[lane]).sum::<i32>();
        assert_eq!(total(&a)?, [sum(0), sum(1), sum(2), sum(3)]);
        assert_eq!(squares(&a)?, a.iter().flatten().map(|x| x * x).sum::<i32>());
    }
    Ok(())
}

#[test]
fn vectors_are_written_to_places_that_lie_backwards() -> lift::Result<()> {
    let a: Vec<f32> = (0..64).map(|position| position as f32).collect();
    let expected: Vec<f32> = a.iter().rev().map(|x| x * 2.0).collect();
    assert_eq!(doubled_backwards(&a)?.to_vec(), expected);
    Ok(())
}
