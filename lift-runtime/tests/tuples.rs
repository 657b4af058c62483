//! Arrays of tuples are one array per component on a device, whatever holds them on the host.

mod common;

use common::{ADD, add_kernels, device, generated, signs_call};
use lift_runtime::__private::{Call, Input};
use lift_runtime::ndarray::{Array1, Array2, ArrayD, Ix1, Ix2, array, s};
use lift_runtime::{Array, DeviceArray, Error, Result};

/// `ADD` of the components of one array of pairs.
fn add_pairs<A: Input<(f32, f32), 1> + ?Sized>(pairs: &A) -> Result<Vec<f32>> {
    let sum: Array1<f32> = Call::new(generated(&ADD, add_kernels::<f32>())).array(pairs).run(&device())?;
    Ok(sum.to_vec())
}

#[test]
fn every_kind_of_array_of_tuples_is_split_into_its_components() {
    let vector = vec![(1.0f32, 10.0f32), (2.0, 20.0), (3.0, 30.0)];
    let owned = Array1::from(vector.clone());
    let expected = [11.0f32, 22.0, 33.0];
    assert_eq!(add_pairs(&[(1.0, 10.0), (2.0, 20.0), (3.0, 30.0)]).unwrap(), expected);
    assert_eq!(add_pairs(&vector).unwrap(), expected);
    assert_eq!(add_pairs(vector.as_slice()).unwrap(), expected);
    assert_eq!(add_pairs(&vector.clone().into_boxed_slice()).unwrap(), expected);
    assert_eq!(add_pairs(&owned.view().into_dyn()).unwrap(), expected);
    assert_eq!(add_pairs(&owned.slice(s![..;-1])).unwrap(), [33.0, 22.0, 11.0]);
    let (left, right): (Vec<f32>, Vec<f32>) = vector.into_iter().unzip();
    assert_eq!(add_pairs(&(&left, right.as_slice())).unwrap(), expected);
    assert_eq!(add_pairs(&(device().upload(&left).unwrap(), Array1::from(right))).unwrap(), expected);
    assert_eq!(add_pairs(&Vec::<(f32, f32)>::new()).unwrap(), []);
}

#[test]
fn every_component_is_checked() {
    let message = |result: Result<Vec<f32>>| result.expect_err("the call has to fail").to_string();
    assert_eq!(
        message(add_pairs(&([1.0f32, 2.0], [1.0f32, 2.0, 3.0]))),
        "`b` has 3 elements, but `N` is 2 because of `a`"
    );
    let mixed = [(1.0f32, 2i32)];
    let error = Call::new(generated(&ADD, &[])).array(&mixed).run::<Array1<f32>>(&device()).unwrap_err();
    assert!(matches!(&error, Error::ElementType { argument, .. } if argument == "b"), "{error}");
    let matrix = ArrayD::from_elem(vec![2, 2], (1.0f32, 2.0f32));
    let error = add_pairs(&matrix).unwrap_err();
    assert!(matches!(&error, Error::Rank { argument, .. } if argument == "a"), "{error}");
}

#[test]
fn results_are_put_together() {
    let device = device();
    let call = || signs_call(&[-1.0, 2.0, -3.0, 4.0]);
    let expected = [(true, 1.0), (false, 2.0), (true, 3.0), (false, 4.0)];
    let pairs: Array1<(bool, f64)> = call().run(&device).unwrap();
    assert_eq!(pairs.to_vec(), expected);
    let ((negative, magnitude), _): ((Array1<bool>, Array1<f64>), _) = call().profile(&device).unwrap();
    assert_eq!((negative, magnitude), (pairs.mapv(|pair| pair.0), pairs.mapv(|pair| pair.1)));

    let mut fixed = [(false, 0.0); 4];
    call().run_into(&device, &mut fixed).unwrap();
    assert_eq!(fixed, expected);
    let mut gaps = Array2::from_elem((4, 2), (false, 7.0));
    call().run_into(&device, &mut gaps.column_mut(1)).unwrap();
    assert_eq!(gaps.column(1).to_vec(), expected);
    assert_eq!(gaps.column(0).to_vec(), [(false, 7.0); 4]);

    let (_, magnitude): (DeviceArray<bool, Ix1>, DeviceArray<f64, Ix1>) = call().enqueue(&device).unwrap();
    assert_eq!(magnitude.download().unwrap(), array![1.0, 2.0, 3.0, 4.0]);
    let pairs: DeviceArray<(bool, f64), Ix1> = call().enqueue(&device).unwrap();
    assert_eq!(pairs.download().unwrap().to_vec(), expected);
    assert_eq!(pairs.unzip().1.download().unwrap(), array![1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn an_array_of_tuples_comes_back_from_a_device_as_it_was() {
    let device = device();
    let pairs = vec![(1.0f32, 10.0f32), (2.0, 20.0), (3.0, 30.0)];
    let on_device: DeviceArray<(f32, f32), Ix1> = device.upload(&pairs).unwrap();
    assert_eq!((on_device.shape(), on_device.device()), (&[3][..], &device));
    assert_eq!(on_device.download().unwrap().to_vec(), pairs);
    assert_eq!(add_pairs(&on_device).unwrap(), [11.0, 22.0, 33.0]);
    assert_eq!(add_pairs(&&on_device.clone()).unwrap(), [11.0, 22.0, 33.0]);
    assert_eq!(
        format!("{on_device:?}").split(", device").next(),
        Some("DeviceArray { element: [F32, F32], shape: [3]")
    );

    let dynamic = device.upload(&Array1::from(pairs.clone()).into_dyn()).unwrap();
    assert_eq!(add_pairs(&dynamic).unwrap(), [11.0, 22.0, 33.0]);
    let none = device.upload(&Vec::<(f32, f32)>::new()).unwrap();
    assert_eq!((add_pairs(&none).unwrap(), none.download().unwrap().len()), (vec![], 0));

    // Rows, vectors and tuples of their own inside of tuples.
    let nested = [[(1u8, ([0.5f32, 1.5], true)); 2], [(2, ([2.5, 3.5], false)); 2]];
    let on_device: DeviceArray<(u8, ([f32; 2], bool)), Ix2> = device.upload(&nested).unwrap();
    assert_eq!(on_device.shape(), [2, 2]);
    assert_eq!(on_device.download().unwrap(), lift_runtime::ndarray::arr2(&nested));
    let (_, others) = on_device.unzip();
    let (vectors, truths) = others.unzip();
    assert_eq!(vectors.download().unwrap()[(1, 0)], [2.5, 3.5]);
    assert_eq!(truths.download().unwrap(), array![[true, true], [false, false]]);
}

#[test]
fn arrays_side_by_side_are_uploaded_as_one_and_share_what_is_there() {
    let device = device();
    let left = device.upload(&[1.0f32, 2.0]).unwrap();
    let pairs = device.upload(&(&left, vec![10.0f32, 20.0])).unwrap();
    assert_eq!(add_pairs(&pairs).unwrap(), [11.0, 22.0]);
    assert_eq!(pairs.download().unwrap(), array![(1.0, 10.0), (2.0, 20.0)]);
    let error = device.upload(&(left, vec![10.0f32, 20.0, 30.0])).unwrap_err();
    assert!(matches!(&error, Error::ComponentShape { component: 1, .. }), "{error}");
    assert_eq!(
        error.to_string(),
        "component 1 of an array of tuples has the shape [3], but the array has the shape [2]"
    );
}

#[test]
fn a_destination_of_tuples_is_compared_with_every_component() {
    let call = || signs_call(&[1.0; 4]);
    let mut short = vec![(true, 7.0); 3];
    let error = call().run_into(&device(), &mut short).unwrap_err();
    assert!(matches!(error, Error::DestinationShape { .. }), "{error}");
    let mut single = [(true, 7.0f32); 4];
    let error = call().run_into(&device(), &mut single).unwrap_err();
    assert!(matches!(error, Error::ElementType { .. }), "{error}");
    assert_eq!((short, single), (vec![(true, 7.0); 3], [(true, 7.0); 4]));
    let mut triples = [(true, 7.0, 7.0); 4];
    let error = call().run_into(&device(), &mut triples).unwrap_err();
    assert!(matches!(error, Error::Internal { .. }), "{error}");
}

#[test]
fn tuples_of_arrays_know_their_lengths() {
    assert_eq!((vec![1i8, 2, 3], [true; 3]).lengths(), [3]);
    assert_eq!([[(1u8, (2i64, false)); 2]; 5].lengths(), [5, 2]);
}
