//! Memory on a device that one call after the other uses.
//!
//! The tests share a device, and count what it allocates: one at a time.

mod common;
#[path = "common/events.rs"]
mod events;

use std::env;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use common::{add_call, opencl, scaled_sum_call, transpose_call};
use events::{listen, told};
use lift_runtime::DeviceArray;
use lift_runtime::ndarray::{Array1, Array2, Ix0, Ix1, Ix2};

fn one_at_a_time() -> MutexGuard<'static, ()> {
    static RUNNING: Mutex<()> = Mutex::new(());
    listen();
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How much was allocated, and how much was used again, while something ran.
fn blocks<R>(run: impl FnOnce() -> R) -> (R, [usize; 2]) {
    let (result, lines) = told(run);
    let count = |text: &str| lines.iter().filter(|line| line.contains(text)).count();
    (result, [count("memory is allocated"), count("memory is used again")])
}

#[test]
fn a_second_call_uses_the_memory_of_the_first() {
    let _alone = one_at_a_time();
    let device = opencl();
    device.release_memory().unwrap();
    let call = || scaled_sum_call(2.0, &[1.0; 1000]).run::<f32>(&device).unwrap();
    // The argument, a temporary and the result.
    assert_eq!(blocks(call), (2000.0, [3, 0]));
    for _ in 0..5 {
        assert_eq!(blocks(call), (2000.0, [0, 3]));
    }
    // A few elements more or less are no reason to allocate.
    for length in 950..1020 {
        let a = vec![0.5; length];
        let (sum, blocks) = blocks(|| scaled_sum_call(2.0, &a).run::<f32>(&device).unwrap());
        assert_eq!((sum, blocks), (length as f32, [0, 3]));
    }
}

#[test]
fn memory_is_given_back_on_request() {
    let _alone = one_at_a_time();
    let device = opencl();
    device.release_memory().unwrap();
    let call = || scaled_sum_call(2.0, &[1.0; 1000]).run::<f32>(&device).unwrap();
    call();
    assert_eq!(device.release_memory().unwrap(), 2 * 4096 + 64);
    assert_eq!(device.release_memory().unwrap(), 0);
    assert_eq!(blocks(call), (2000.0, [3, 0]));
}

#[test]
fn a_device_array_keeps_its_memory_until_it_is_dropped() {
    let _alone = one_at_a_time();
    let device = opencl();
    device.release_memory().unwrap();
    let ones = device.upload(&vec![1.0f32; 1000]).unwrap();
    let twos: DeviceArray<f32, Ix1> = add_call(&ones, &ones).enqueue(&device).unwrap();
    let other: DeviceArray<f32, Ix1> = add_call(&twos, &twos).enqueue(&device).unwrap();
    assert_eq!(device.release_memory().unwrap(), 0, "everything is in use");
    drop(other);
    for _ in 0..3 {
        // The only memory that is free is that of `other`.
        let (sum, blocks) =
            blocks(|| add_call(&ones, &twos).enqueue::<DeviceArray<f32, Ix1>>(&device).unwrap());
        assert_eq!(blocks, [0, 1]);
        assert_eq!(sum.download().unwrap(), Array1::from_elem(1000, 3.0));
    }
    assert_eq!(ones.download().unwrap(), Array1::from_elem(1000, 1.0));
    assert_eq!(twos.download().unwrap(), Array1::from_elem(1000, 2.0));
}

#[test]
fn calls_that_do_not_wait_for_each_other_use_memory_again() {
    let _alone = one_at_a_time();
    let device = opencl();
    device.release_memory().unwrap();
    let chain = |length: usize, first: f32| {
        let start: Vec<f32> = (0..length).map(|i| (i % 97) as f32 + first).collect();
        let mut sum = device.upload(&start).unwrap();
        let mut kept = Vec::new();
        for _ in 0..10 {
            sum = add_call(&sum, &sum).enqueue::<DeviceArray<f32, Ix1>>(&device).unwrap();
            // Temporaries in between; nobody waits for their results.
            kept.push(scaled_sum_call(2.0, &sum).enqueue::<DeviceArray<f32, Ix0>>(&device));
        }
        assert_eq!(sum.download().unwrap(), start.iter().map(|x| x * 1024.0).collect::<Array1<f32>>());
        let mut expected: Vec<f32> = start.clone();
        for total in kept {
            expected.iter_mut().for_each(|x| *x *= 2.0);
            let sum = expected.iter().fold(0.0, |sum, x| sum + 2.0 * x);
            assert_eq!(total.unwrap().download().unwrap().into_scalar(), sum);
        }
    };
    let lengths = [10_000, 10_000, 3, 9_900, 500, 10_000, 1];
    let ((), [allocated, again]) = blocks(|| {
        for (first, length) in (0u8..).zip(lengths) {
            chain(length, f32::from(first));
        }
    });
    assert!(allocated < 50 && again > 150, "{allocated} and {again}");
}

#[test]
fn eight_threads_use_memory_of_each_other() {
    let _alone = one_at_a_time();
    let device = opencl();
    thread::scope(|scope| {
        for seed in 0u8..8 {
            let device = &device;
            scope.spawn(move || {
                for round in 0u8..50 {
                    let length = 1000 + 300 * usize::from(round % 3);
                    let value = f32::from(seed) * 64.0 + f32::from(round);
                    let mine = vec![value; length];
                    let sums: Vec<DeviceArray<f32, Ix1>> =
                        (0..4).map(|_| add_call(&mine, &mine).enqueue(device).unwrap()).collect();
                    let total = scaled_sum_call(2.0, &mine[..100]).run::<f32>(device).unwrap();
                    assert_eq!(total, 200.0 * value);
                    let matrix = Array2::from_shape_fn((30, 7), |(i, j)| (i * 7 + j) as f32 + value);
                    let turned: DeviceArray<f32, Ix2> = transpose_call(&matrix).enqueue(device).unwrap();
                    for sum in sums {
                        assert_eq!(sum.download().unwrap(), Array1::from_elem(length, 2.0 * value));
                    }
                    assert_eq!(turned.download().unwrap(), matrix.t());
                    if round % 16 == 0 {
                        device.release_memory().unwrap();
                    }
                }
            });
        }
    });
}

/// The environment of a process is shared by its threads, so that this test runs the next one in a process of
/// its own.
#[test]
fn nothing_is_kept_where_the_environment_says_so() {
    let mut command = Command::new(env::current_exe().unwrap());
    command
        .args(["--exact", "every_call_allocates", "--ignored", "--nocapture"])
        .env("LIFT_KEEP_MEMORY", "0");
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("1 passed"), "{text}");
}

#[test]
#[ignore = "another test runs it with an environment of its own"]
fn every_call_allocates() {
    let device = opencl();
    listen();
    for _ in 0..3 {
        let call = || scaled_sum_call(2.0, &[1.0; 1000]).run::<f32>(&device).unwrap();
        assert_eq!(blocks(call), (2000.0, [3, 0]));
        assert_eq!(device.release_memory().unwrap(), 0);
    }
}
