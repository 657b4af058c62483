//! Eight threads, four kernels, ten thousand calls each, on the host and on an OpenCL device: no error and no
//! wrong result.

use std::thread;

use lift::ndarray::{Array1, Array2};
use lift::{Device, DeviceKind, lift};

include!("../../corpus/interface/threads.rs");

const THREADS: u16 = 8;
const CALLS: u16 = 10_000;

/// The kernels of one device, shared by all threads.
struct Kernels {
    saxpy: saxpy::Kernel,
    transposed: transposed::Kernel,
    smooth: smooth::Kernel,
    inner: inner::Kernel,
}

impl Kernels {
    /// Calls one of the kernels and checks its result, which depends on the thread and on the call.
    fn call(&self, thread: u16, call: u16) -> lift::Result<()> {
        let (n, value) = (usize::from(16 + 5 * thread + call % 7), f32::from(call) + f32::from(thread) / 8.0);
        match call % 4 {
            0 => {
                let x: Vec<f32> = (0..n).map(|i| i as f32).collect();
                let result = self.saxpy.run(2.0, &x, &vec![value; n])?;
                assert_eq!(result, Array1::from_shape_fn(n, |i| 2.0 * i as f32 + value));
            }
            1 => {
                let a = Array2::from_shape_fn((3, n), |(i, j)| i32::from(call) * 1000 + (100 * i + j) as i32);
                assert_eq!(self.transposed.run(&a)?, a.t());
            }
            2 => assert_eq!(self.smooth.run(&vec![value; n])?, Array1::from_elem(n, 3.0 * value)),
            _ => {
                let (a, b): (Vec<i64>, Vec<i64>) =
                    (0..n as i64).map(|i| (i, i64::from(call) + i64::from(thread))).unzip();
                let expected: i64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
                assert_eq!(self.inner.run(&a, &b)?, expected);
            }
        }
        Ok(())
    }
}

fn calls_from_several_threads(device: &Device) -> lift::Result<()> {
    let kernels = Kernels {
        saxpy: saxpy::on(device)?,
        transposed: transposed::on(device)?,
        smooth: smooth::on(device)?,
        inner: inner::on(device)?,
    };
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let kernels = &kernels;
            scope.spawn(move || {
                for call in 0..CALLS {
                    if let Err(error) = kernels.call(thread, call) {
                        panic!("call {call} of thread {thread}: {error}");
                    }
                }
            });
        }
    });
    Ok(())
}

#[test]
fn threads_share_the_kernels_of_the_host() -> lift::Result<()> {
    let devices = Device::list()?;
    devices.iter().filter(|device| device.kind() == DeviceKind::Host).try_for_each(calls_from_several_threads)
}

#[test]
fn threads_share_the_kernels_of_an_opencl_device() -> lift::Result<()> {
    let devices = Device::list()?;
    let opencl = devices.iter().find(|device| device.kind() != DeviceKind::Host);
    calls_from_several_threads(opencl.expect("the tests need an OpenCL device"))
}
