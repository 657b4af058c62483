//! Several threads, one device.

mod common;

use std::thread;

use common::{add, add_call, device, scaled_sum_call, split_sums, transpose};
use lift_runtime::ndarray::{Array1, Array2, Ix1};
use lift_runtime::{Device, DeviceArray};

#[test]
fn eight_threads_call_several_kernels_many_times() {
    let shared = device().upload(&vec![1.0f32; 500]).unwrap();
    thread::scope(|scope| {
        for seed in 0u8..8 {
            let shared = &shared;
            scope.spawn(move || {
                for round in 0u8..50 {
                    let value = f32::from(seed) + f32::from(round);
                    let mine = vec![value; 500];
                    assert_eq!(add(&mine, shared).unwrap(), Array1::from_elem(500, value + 1.0));
                    let matrix = Array2::from_shape_fn((3, 5), |(i, j)| (i * 5 + j) as f32 + value);
                    assert_eq!(transpose(&matrix).unwrap(), matrix.t());
                    let device = Device::default_device().unwrap();
                    let sum = add_call(&mine, shared).enqueue::<DeviceArray<f32, Ix1>>(&device).unwrap();
                    let sum = add_call(&sum, &sum).enqueue::<DeviceArray<f32, Ix1>>(&device).unwrap();
                    assert!(sum.download().unwrap().iter().all(|&element| element == 2.0 * (value + 1.0)));
                    assert_eq!(scaled_sum_call(2.0, &mine).run::<f32>(&device).unwrap(), 1000.0 * value);
                    assert!(split_sums(7, &[1; 10]).is_err());
                }
            });
        }
    });
}

#[test]
fn device_arrays_move_between_threads() {
    let device = device();
    let arrays: Vec<_> = thread::scope(|scope| {
        let handles: Vec<_> = (0..4)
            .map(|value| {
                let device = &device;
                scope.spawn(move || {
                    let part = vec![value; 1000];
                    add_call(&part, &part).enqueue::<DeviceArray<i32, Ix1>>(device).unwrap()
                })
            })
            .collect();
        handles.into_iter().map(|handle| handle.join().unwrap()).collect()
    });
    for (value, array) in arrays.iter().enumerate() {
        assert!(array.download().unwrap().iter().all(|&element| element as usize == 2 * value));
    }
}
