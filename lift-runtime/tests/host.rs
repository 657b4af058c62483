//! What only the host does: it reads arrays where they are, gives results away without a copy, and survives
//! kernels that panic.

#![cfg(feature = "host")]

mod common;

use std::cell::RefCell;
use std::env;
use std::process::Command;
use std::sync::Mutex;

use common::{
    ADD, INDEX_BYTES, SCALED_SUM, TRANSPOSE, add_call, add_kernels, every_device, generated, scaled_sum_call,
    transpose_call,
};
use lift_runtime::__private::{
    Action, Argument, ArrayType, Call, Compiled, Form, Kernel, Program, ROUNDED_FREELY, ScalarType, Size,
    Temporary, host,
};
use lift_runtime::ndarray::{Array1, Array2, ArrayView2, Ix1, s};
use lift_runtime::{Device, DeviceArray, DeviceKind, Error};

fn the_host() -> Device {
    Device::list().unwrap().into_iter().find(|device| device.kind() == DeviceKind::Host).unwrap()
}

thread_local! {
    /// Where a kernel read and wrote.
    static SEEN: RefCell<Vec<(usize, usize)>> = const { RefCell::new(Vec::new()) };
}

fn seen() -> (usize, usize) {
    SEEN.take().pop().unwrap()
}

fn look(arguments: &host::Arguments<'_>) -> Result<(), host::Mismatch> {
    let (a, out) = (arguments.read::<f32>(0)?, arguments.shared::<f32>(1)?);
    let first = out.window(0, 1).as_ptr() as usize;
    SEEN.with_borrow_mut(|seen| seen.push((a.as_ptr() as usize, first)));
    out.set(0, host::at(a, 0));
    Ok(())
}

#[test]
fn arrays_are_read_where_they_are_and_results_are_not_copied() {
    let host = the_host();
    let run = |a: &ArrayView2<f32>| {
        let result: Array2<f32> = Call::new(generated(&TRANSPOSE, &[look])).array(a).run(&host).unwrap();
        let (read, written) = seen();
        assert_eq!(written, result.as_ptr() as usize);
        assert_eq!(result[[0, 0]], a[[0, 0]]);
        read
    };
    let matrix = Array2::from_shape_fn((30, 20), |(i, j)| (i * 20 + j) as f32 + 1.0);
    assert_eq!(run(&matrix.view()), matrix.as_ptr() as usize);
    let rows = matrix.slice(s![10.., ..]);
    assert_eq!(run(&rows), rows.as_ptr() as usize);
    // A view with another order is copied, once.
    assert_ne!(run(&matrix.t()), matrix.as_ptr() as usize);

    let uploaded = host.upload(&matrix).unwrap();
    Call::new(generated(&TRANSPOSE, &[look])).array(&uploaded).run::<Array2<f32>>(&host).unwrap();
    let first = seen().0;
    Call::new(generated(&TRANSPOSE, &[look])).array(&uploaded).run::<Array2<f32>>(&host).unwrap();
    assert_eq!(seen().0, first);
    assert_ne!(first, matrix.as_ptr() as usize, "an uploaded array does not change with the user's");
}

#[test]
fn results_are_written_where_the_user_wants_them() {
    let host = the_host();
    let matrix = Array2::from_shape_fn((30, 20), |(i, j)| (i * 20 + j) as f32 + 1.0);
    let call = || Call::new(generated(&TRANSPOSE, &[look])).array(&matrix);
    let written = || seen().1;
    let mut out = Array2::<f32>::zeros((20, 30));
    call().run_into(&host, &mut out).unwrap();
    assert_eq!((written(), out[[0, 0]]), (out.as_ptr() as usize, 1.0));
    let mut rows = vec![[0.0f32; 30]; 20];
    call().run_into(&host, &mut rows).unwrap();
    assert_eq!((written(), rows[0][0]), (rows.as_ptr() as usize, 1.0));
    // Memory in another order is written afterwards.
    let mut columns = Array2::<f32>::zeros((30, 20));
    call().run_into(&host, &mut columns.view_mut().reversed_axes()).unwrap();
    assert_ne!(written(), columns.as_ptr() as usize);
    assert_eq!(columns[[0, 0]], 1.0);
    // What does not fit is not touched.
    let mut integers = Array2::<i32>::from_elem((20, 30), 7);
    assert!(matches!(call().run_into(&host, &mut integers), Err(Error::ElementType { .. })));
    assert_eq!(integers, Array2::from_elem((20, 30), 7));
}

/// `fn four_lanes(a: [f32; N]) -> [f32x4; N / 4]`.
static FOUR_LANES: Program = Program {
    name: "four_lanes",
    results: &[ArrayType {
        element: ScalarType::F32,
        shape: &[Size::Divide(&common::N, &Size::Constant(4)), Size::Constant(4)],
    }],
    ..common::SCALED_SUM
};

fn numbered(arguments: &host::Arguments<'_>) -> Result<(), host::Mismatch> {
    let out = arguments.shared::<f32>(1)?;
    for place in 0..arguments.size(2)? {
        out.set(place, place as f32);
    }
    SEEN_VECTORS.lock().unwrap().push(out.window(0, 1).as_ptr() as usize);
    Ok(())
}

static SEEN_VECTORS: Mutex<Vec<usize>> = Mutex::new(Vec::new());

#[test]
fn results_of_vectors_are_not_copied_either() {
    let kernels: &[host::Kernel] = &[|_| Ok(()), numbered];
    let call = Call::new(generated(&FOUR_LANES, kernels)).scalar(1.0f32).array(&[0.0f32; 8]);
    let vectors: Array1<[f32; 4]> = call.run(&the_host()).unwrap();
    assert_eq!(vectors.to_vec(), [[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]]);
    assert_eq!(SEEN_VECTORS.lock().unwrap().pop().unwrap(), vectors.as_ptr() as usize);
}

#[test]
fn the_host_and_opencl_give_the_same() {
    let (a, b): (Vec<i32>, Vec<i32>) = (0..100_000).map(|i| (i, i32::MAX - 2 * i)).unzip();
    let matrix = Array2::from_shape_fn((70, 130), |(i, j)| (i * 1000 + j) as f32);
    for device in every_device() {
        let sum: Array1<i32> = add_call(&a, &b).run(&device).unwrap();
        assert!(sum.iter().zip(a.iter().zip(&b)).all(|(sum, (a, b))| *sum == a.wrapping_add(*b)));
        assert_eq!(transpose_call(&matrix).run::<Array2<f32>>(&device).unwrap(), matrix.t());
        assert_eq!(scaled_sum_call(0.5, &vec![1.0; 300]).run::<f32>(&device).unwrap(), 150.0);
    }
}

#[test]
fn device_arrays_stay_with_their_device() {
    let [host, opencl] = every_device().try_into().unwrap();
    let on_host = host.upload(&[1.0f32, 2.0]).unwrap();
    let sum: DeviceArray<f32, Ix1> = add_call(&on_host, &on_host).enqueue(&host).unwrap();
    let twice: DeviceArray<f32, Ix1> = add_call(&sum, &sum).enqueue(&host).unwrap();
    assert_eq!((sum.download().unwrap()[1], twice.download().unwrap()[1]), (4.0, 8.0));
    let error = add_call(&on_host, &sum).run::<Array1<f32>>(&opencl).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("`a` is on the device `host (native Rust)`, but the call computes on `{opencl}`")
    );
}

fn fails(arguments: &host::Arguments<'_>) -> Result<(), host::Mismatch> {
    let a = arguments.read::<f32>(0)?;
    common::parallel(a.len() as isize, |steps| {
        for step in steps {
            assert!(host::at(a, step + 1) > 0.0);
        }
    });
    Ok(())
}

#[test]
fn a_kernel_that_panics_is_an_error_that_asks_for_a_report() {
    let host = the_host();
    let a = Array2::<f32>::ones((40, 50));
    let error = Call::new(generated(&TRANSPOSE, &[fails])).array(&a).run::<Array2<f32>>(&host).unwrap_err();
    assert_eq!(
        error.to_string(),
        "internal error in `transpose`: the kernel `transposed` panicked on the host: the elements 2000..2001 are \
         outside of an array of 2000\nhelp: this is a bug of `lift`, please report it"
    );
    // What another kernel does is not affected.
    assert_eq!(transpose_call(&a).run::<Array2<f32>>(&host).unwrap(), a.t());
}

#[test]
fn an_argument_of_another_kind_is_an_error() {
    let wrong: [(host::Kernel, &str); 4] = [
        (|arguments| arguments.read::<f64>(0).map(drop), "argument 0 is an array of 6 elements that is read"),
        (|arguments| arguments.shared::<f32>(0).map(drop), "not an array of f32 that is written"),
        (
            |arguments| arguments.size(1).map(drop),
            "argument 1 is an array of 6 elements that is written, not a size of type i64",
        ),
        (|arguments| arguments.scalar::<f32>(9).map(drop), "there is no argument 9, only 4"),
    ];
    for (kernel, text) in wrong {
        let call =
            Call::new(generated(&TRANSPOSE, std::slice::from_ref(&kernel))).array(&[[1.0f32, 2.0, 3.0]; 2]);
        let error = call.run::<Array2<f32>>(&the_host()).unwrap_err();
        assert!(matches!(&error, Error::Internal { message, .. } if message.contains(text)), "{error}");
    }
}

#[test]
fn a_program_without_functions_for_the_host_is_an_error_there() {
    let host = the_host();
    let error = Call::new(generated(&INDEX_BYTES, &[])).size(3).run::<Array1<u32>>(&host).unwrap_err();
    assert!(matches!(error, Error::NoHostCode { .. }), "{error}");
    assert!(matches!(Compiled::new(generated(&INDEX_BYTES, &[]), &host, &[]), Err(Error::NoHostCode { .. })));
    let two = [add_kernels::<f32>(), add_kernels::<f32>()].concat();
    let error = Call::new(generated(&ADD, &two)).array(&[1.0f32]).array(&[1.0f32]).run::<Array1<f32>>(&host);
    assert!(matches!(error, Err(Error::Internal { .. })));
}

#[test]
fn a_profile_lists_the_kernels_on_the_host_too() {
    let (sum, profile) = scaled_sum_call(0.5, &vec![1.0f32; 1000]).profile::<f32>(&the_host()).unwrap();
    assert_eq!(sum, 500.0);
    let names: Vec<_> = profile.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
    assert_eq!(names, ["scale", "total"]);
    assert!(profile.kernels.iter().all(|kernel| !kernel.duration.is_zero()));
}

const KERNEL: Kernel = SCALED_SUM.plain.kernels[1];
static HUGE_TEMPORARY: Program = Program {
    plain: Form {
        temporaries: &[Temporary { element: ScalarType::F32, length: Size::Constant(1 << 50) }],
        steps: &[Action::Launch(0)],
        kernels: &[Kernel { arguments: &[Argument::Temporary(0), Argument::Result(0)], ..KERNEL }],
        ..SCALED_SUM.plain
    },
    exact: ROUNDED_FREELY,
    repeated: &[],
    ..SCALED_SUM
};

#[test]
fn memory_that_there_is_not_is_an_error() {
    let kernels: &[host::Kernel] = &[|_| Ok(())];
    let call = Call::new(generated(&HUGE_TEMPORARY, kernels)).scalar(1.0f32).array(&[1.0f32]);
    let error = call.run::<f32>(&the_host()).unwrap_err();
    assert_eq!(error, Error::OutOfHostMemory { bytes: 1 << 52 });
}

fn takes_too_much(arguments: &host::Arguments<'_>) -> Result<(), host::Mismatch> {
    let a = arguments.read::<f32>(0)?;
    common::parallel(a.len() as isize, |steps| {
        for step in steps {
            let length = if step == 1 { 1 << 50 } else { 10 };
            host::memory::<f32>(length);
        }
    });
    Ok(())
}

#[test]
fn memory_that_there_is_not_for_a_group_is_an_error_as_well() {
    let a = Array2::<f32>::ones((40, 50));
    let call = Call::new(generated(&TRANSPOSE, &[takes_too_much])).array(&a);
    let error = call.run::<Array2<f32>>(&the_host()).unwrap_err();
    assert_eq!(error, Error::OutOfHostMemory { bytes: 1 << 52 });
}

#[test]
#[ignore = "the next test runs it with an environment of its own"]
fn report_a_sum() {
    let sum = add_call(&[1.0f32, 2.0], &[3.0, 4.0]).run::<Array1<f32>>(&the_host());
    println!("<{}>", sum.map_or_else(|error| error.to_string(), |sum| sum.to_string()));
}

#[test]
fn the_instructions_of_loops_are_those_that_the_environment_names_or_the_call_is_an_error() {
    for (name, expected) in [
        ("compiled", "<[4, 6]>"),
        (" Compiled", "<[4, 6]>"),
        ("", "<[4, 6]>"),
        ("avx1024", "<`LIFT_HOST_INSTRUCTIONS=avx1024` names no instruction set of this processor: there "),
    ] {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--exact", "report_a_sum", "--ignored", "--nocapture"]);
        let output = command.env("LIFT_HOST_INSTRUCTIONS", name).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(expected), "{name}: {text}");
    }
}
