//! Every kind of argument, every element type, and what is said about wrong ones.

mod common;

use common::{
    INDEX_BYTES, TRIANGLE_ROWS, add, device, generated, opencl, scaled_sum_call, signs_call, split_sums,
    sum_of, transpose, triangle_rows_on_host,
};
use lift_runtime::__private::{Call, Input, Number};
use lift_runtime::ndarray::{Array, Array1, Array2, ArrayD, CowArray, Ix2, ShapeBuilder, array, s};
use lift_runtime::{Error, Result};

fn message<T: std::fmt::Debug>(result: Result<T>) -> String {
    result.expect_err("the call has to fail").to_string()
}

#[test]
fn every_kind_of_one_dimensional_array_can_be_passed() {
    let vector = vec![1.0f32, 2.0, 3.0];
    let owned = Array1::from(vector.clone());
    let expected = array![2.0f32, 4.0, 6.0];
    assert_eq!(add(&[1.0, 2.0, 3.0], &vector).unwrap(), expected);
    assert_eq!(add(&vector[..], vector.as_slice()).unwrap(), expected);
    assert_eq!(add(&vector.clone().into_boxed_slice(), &Box::new([1.0f32, 2.0, 3.0])).unwrap(), expected);
    assert_eq!(add(&&vector, &&&vector).unwrap(), expected);
    assert_eq!(add(&owned, &owned.view()).unwrap(), expected);
    assert_eq!(add(&owned.to_shared(), &CowArray::from(&owned)).unwrap(), expected);
    assert_eq!(add(&owned.clone().into_dyn(), &owned.view().into_dyn()).unwrap(), expected);
    assert_eq!(add(&device().upload(&vector).unwrap(), &owned).unwrap(), expected);
    let backwards = array![3.0f32, 2.0, 1.0];
    assert_eq!(add(&backwards.slice(s![..;-1]), &vector).unwrap(), expected);
    let spread = array![1.0f32, 0.0, 2.0, 0.0, 3.0];
    assert_eq!(add(&spread.slice(s![..;2]), &vector).unwrap(), expected);
}

#[test]
fn every_kind_of_two_dimensional_array_can_be_passed() {
    let nested = [[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let rows = array![[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let columns = rows.t().as_standard_layout().into_owned();
    assert_eq!(transpose(&nested).unwrap(), columns);
    assert_eq!(transpose(&nested[..]).unwrap(), columns);
    assert_eq!(transpose(&nested.to_vec()).unwrap(), columns);
    assert_eq!(transpose(&Box::new(nested)).unwrap(), columns);
    assert_eq!(transpose(&rows).unwrap(), columns);
    assert_eq!(transpose(&columns.t()).unwrap(), columns);
    assert_eq!(transpose(&rows.view().into_dyn()).unwrap(), columns);
    assert_eq!(transpose(&device().upload(&nested).unwrap()).unwrap(), columns);
    assert_eq!(transpose(&device().upload(&columns.t()).unwrap()).unwrap(), columns);
    let by_columns = Array2::from_shape_vec((2, 3).f(), vec![1.0f32, 4.0, 2.0, 5.0, 3.0, 6.0]).unwrap();
    assert_eq!(transpose(&by_columns).unwrap(), columns);
}

#[test]
fn deeply_nested_arrays_keep_their_shape_and_order() {
    let nested: Vec<[[[u8; 5]; 4]; 3]> = vec![
        [0u8, 1, 2].map(|i| [0u8, 1, 2, 3].map(|j| [0u8, 1, 2, 3, 4].map(|k| 20 * i + 5 * j + k))),
        [[[7; 5]; 4]; 3],
    ];
    let downloaded = device().upload(&nested).unwrap().download().unwrap();
    assert_eq!(downloaded.shape(), [2, 3, 4, 5]);
    assert_eq!(downloaded.iter().take(60).copied().collect::<Vec<_>>(), (0..60).collect::<Vec<u8>>());
    assert!(downloaded.iter().skip(60).all(|&element| element == 7));
}

#[test]
fn every_number_type_is_computed_with() {
    fn check<T: Number + PartialEq + std::ops::Add<Output = T>>(a: [T; 3], b: [T; 3]) {
        assert_eq!(add(&a, &b).unwrap().to_vec(), sum_of(&a, &b));
    }
    check([1i8, -2, 3], [4, 5, -128]);
    check([1u8, 2, 3], [4, 5, 250]);
    check([1i16, -2, 3], [4, 5, i16::MIN]);
    check([1u16, 2, 3], [4, 5, u16::MAX - 3]);
    check([1i32, -2, 3], [4, 5, i32::MIN]);
    check([1u32, 2, 3], [4, 5, u32::MAX - 3]);
    check([1i64, -2, 3], [4, 5, i64::MIN]);
    check([1u64, 2, 3], [4, 5, u64::MAX - 3]);
    check([1.5f32, -2.0, 3.0], [4.0, 5.0, f32::MAX]);
    check([1.5f64, -2.0, 3.0], [4.0, 5.0, f64::MAX]);
}

#[cfg(feature = "f16")]
#[test]
fn half_precision_is_computed_with_or_its_absence_is_named() {
    use half::f16;
    let numbers = [1.5, -2.0].map(f16::from_f32);
    assert_eq!(device().upload(&numbers).unwrap().download().unwrap().to_vec(), numbers);
    match add(&numbers, &numbers) {
        Ok(sum) => assert_eq!(sum.to_vec(), [3.0, -4.0].map(f16::from_f32)),
        Err(error) => {
            let text = format!(
                "`add` computes with f16, which the device `{}` does not have (`cl_khr_fp16`)",
                device()
            );
            assert_eq!(error.to_string(), text);
        }
    }
}

#[test]
fn booleans_come_back_as_booleans() {
    let (negative, magnitude): (Array1<bool>, Array1<f64>) =
        signs_call(&[-1.0, 2.0, -0.5, 0.0]).run(&device()).unwrap();
    assert_eq!(negative, array![true, false, true, false]);
    assert_eq!(magnitude, array![1.0, 2.0, 0.5, 0.0]);
    let uploaded = device().upload(&[true, false]).unwrap();
    assert_eq!(uploaded.download().unwrap(), array![true, false]);
}

#[test]
fn generic_functions_can_call_kernels() {
    fn transposed<A: Input<f32, 2> + ?Sized>(a: &A) -> Result<Array2<f32>> {
        transpose(a)
    }
    fn of_slice<T: Number>(a: &[T]) -> Result<Array1<T>> {
        add(a, a)
    }
    assert_eq!(transposed(&[[1.0, 2.0]]).unwrap(), array![[1.0], [2.0]]);
    assert_eq!(of_slice(&[1.0, 2.0]).unwrap(), array![2.0, 4.0]);
    assert_eq!(of_slice(&[1u8, 2]).unwrap(), array![2, 4]);
}

#[test]
fn sizes_that_do_not_agree_are_named_with_their_arguments() {
    assert_eq!(
        message(add(&vec![1.0f32; 4], &vec![1.0f32; 5])),
        "`b` has 5 elements, but `N` is 4 because of `a`"
    );
    let four = vec![0.0; 5];
    assert_eq!(
        message(signs_call(&four).run::<(Array1<bool>, Array1<f64>)>(&device())),
        "`a` has 5 elements, but 4 are needed"
    );
}

#[test]
fn a_dynamic_rank_is_compared_at_the_call() {
    let cube = ArrayD::<f32>::zeros(vec![2, 3, 4]);
    assert_eq!(message(transpose(&cube)), "`a` has 3 dimensions, but 2 are needed");
}

#[test]
fn a_size_inside_an_expression_is_solved_for() {
    let call = || Call::new(generated(&TRIANGLE_ROWS, &[triangle_rows_on_host]));
    let rows = |packed: &[u32]| call().array(packed).run::<Array1<u32>>(&device());
    assert_eq!(rows(&[1, 2, 3, 4, 5, 6]).unwrap(), array![1, 5, 15]);
    assert_eq!(rows(&[]).unwrap().len(), 0);
    assert_eq!(
        message(rows(&[1, 2, 3, 4])),
        "`packed` has 4 elements, but no `N` makes `N * (N + 1) / 2` equal to that"
    );
}

#[test]
fn an_obligation_is_checked_with_the_actual_sizes() {
    assert_eq!(split_sums(3, &[1, 2, 3, 4, 5, 6]).unwrap(), array![6, 15]);
    let text = "`split(n)` needs `n` to divide `len(a)`, but `n` is 3 and `len(a)` is 8";
    assert_eq!(message(split_sums(3, &[0; 8])), text);
    let text = "`split(n)` needs `n` to divide `len(a)`, but `n` is 0 and `len(a)` is 8";
    assert_eq!(message(split_sums(0, &[0; 8])), text);
    // 0 divides 0; there is no chunk of no elements all the same.
    assert_eq!(message(split_sums(0, &[0; 0])), "`n` is 0, but `split_sums` needs at least 1");
}

#[test]
fn empty_arrays_give_empty_results_and_empty_reductions() {
    let nothing: [f32; 0] = [];
    assert_eq!(add(&nothing, &Vec::<f32>::new()).unwrap().len(), 0);
    assert_eq!(transpose(&Array2::<f32>::zeros((0, 3))).unwrap().shape(), [3, 0]);
    assert_eq!(scaled_sum_call(2.0, &nothing).run::<f32>(&device()).unwrap(), 0.0);
    let uploaded = device().upload(&Array::<u8, Ix2>::zeros((4, 0))).unwrap();
    assert_eq!(uploaded.shape(), [4, 0]);
    assert_eq!(uploaded.download().unwrap().shape(), [4, 0]);
}

#[test]
fn a_size_that_is_too_large_is_an_error() {
    let filled = |n: usize| Call::new(generated(&INDEX_BYTES, &[])).size(n).run::<Array1<u32>>(&opencl());
    assert_eq!(filled(3).unwrap().len(), 3);
    assert!(matches!(filled(1 << 50), Err(Error::DeviceLimit { needed, .. }) if needed == 1 << 52));
    assert!(matches!(filled(usize::MAX / 2), Err(Error::Size { .. })));
    assert_eq!(
        filled(usize::MAX).unwrap_err().to_string(),
        "the size `n` in `index_bytes` is 18446744073709551615, but sizes are at most 9223372036854775807"
    );
}
