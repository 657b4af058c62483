//! Calls of programs written by hand, with every kind of input and result, on a real device.

mod common;

use common::{add, device, transpose};
use lift_runtime::ndarray::{Array1, array};

#[test]
fn arrays_of_numbers_are_added() {
    let a = vec![1.0f32, 2.0, 3.0];
    assert_eq!(add(&a, &[10.0, 20.0, 30.0]).unwrap(), array![11.0, 22.0, 33.0]);
    assert_eq!(
        transpose(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).unwrap(),
        array![[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]
    );
    let _: Array1<i32> = add(&[1, 2], &device().upload(&[3, 4]).unwrap()).unwrap();
}
