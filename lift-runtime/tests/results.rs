//! Every way to take a result, and what stays as it was when something fails.

mod common;

use common::{
    ADD, INDEX_BYTES, SIGNS, SPLIT_SUMS, SPLIT_SUMS_KERNELS, TRANSPOSE, add_call, add_kernels, device,
    generated, opencl, scaled_sum_call, signs_call, signs_on_host, transpose_call,
};
use lift_runtime::__private::{Call, Compiled, Form, Kernel, Program, ScalarType, Size};
use lift_runtime::ndarray::{Array0, Array1, Array2, Ix0, Ix1, Ix2, array, s};
use lift_runtime::{Device, DeviceArray, DeviceKind, Error, Result};

#[test]
fn a_result_is_written_into_every_mutable_kind() {
    let call = || add_call(&[1.0f32, 2.0, 3.0], &[10.0, 20.0, 30.0]);
    let expected = [11.0f32, 22.0, 33.0];
    let device = device();

    let mut fixed = [0.0f32; 3];
    call().run_into(&device, &mut fixed).unwrap();
    assert_eq!(fixed, expected);

    let mut vector = vec![0.0f32; 3];
    call().run_into(&device, &mut vector).unwrap();
    assert_eq!(vector, expected);

    let mut part = [0.0f32; 5];
    call().run_into(&device, &mut part[1..4]).unwrap();
    assert_eq!(part, [0.0, 11.0, 22.0, 33.0, 0.0]);

    let mut boxed: Box<[f32]> = Box::new([0.0; 3]);
    call().run_into(&device, &mut boxed).unwrap();
    assert_eq!(*boxed, expected);

    let mut owned = Array1::<f32>::zeros(3);
    call().run_into(&device, &mut owned).unwrap();
    call().run_into(&device, &mut owned.view_mut().into_dyn()).unwrap();
    assert_eq!(owned.to_vec(), expected);
}

#[test]
fn a_view_with_gaps_is_assigned_and_the_gaps_stay() {
    let mut matrix = Array2::<f32>::from_elem((4, 6), -1.0);
    let source = [[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]];
    transpose_call(&source).run_into(&device(), &mut matrix.slice_mut(s![..;3, ..;2])).unwrap();
    assert_eq!(matrix.slice(s![..;3, ..;2]), array![[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]]);
    assert_eq!(matrix.iter().filter(|&&element| element == -1.0).count(), 18);
    let mut columns = Array2::<f32>::zeros((3, 2));
    transpose_call(&source).run_into(&device(), &mut columns.view_mut().reversed_axes()).unwrap();
    assert_eq!(columns, array![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
}

#[test]
fn a_destination_of_the_wrong_shape_is_left_as_it_was() {
    let mut short = vec![7.0f32; 2];
    let error = add_call(&[1.0f32, 2.0, 3.0], &[0.0; 3]).run_into(&device(), &mut short).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the destination has the shape [2], but the result of `add` has the shape [3]"
    );
    assert_eq!(short, [7.0, 7.0]);
}

#[test]
fn a_destination_is_left_as_it_was_when_the_call_fails() {
    let mut out = vec![7i32; 2];
    let result = Call::new(generated(&SPLIT_SUMS, SPLIT_SUMS_KERNELS))
        .size(3)
        .array(&[1, 2, 3, 4, 5, 6, 7])
        .run_into(&device(), &mut out);
    assert!(matches!(result, Err(Error::Obligation { .. })));
    let result = Call::new(generated(&BROKEN, &[])).size(2).run_into(&opencl(), &mut out);
    assert!(result.is_err());
    assert_eq!(out, [7, 7]);
}

#[test]
fn scalars_and_tuples_are_results_too() {
    let device = device();
    let a = [1.0f32, 2.0, 3.0];
    assert_eq!(scaled_sum_call(2.0, &a).run::<f32>(&device).unwrap(), 12.0);
    assert_eq!(scaled_sum_call(2.0, &a).run::<Array0<f32>>(&device).unwrap(), Array0::from_elem((), 12.0));
    let mut sum = 0.0f32;
    scaled_sum_call(2.0, &a).run_into(&device, &mut sum).unwrap();
    assert_eq!(sum, 12.0);
    let on_device: DeviceArray<f32, Ix0> = scaled_sum_call(2.0, &a).enqueue(&device).unwrap();
    assert_eq!(on_device.download().unwrap().into_scalar(), 12.0);

    let (mut negative, mut magnitude) = ([false; 4], vec![0.0f64; 4]);
    signs_call(&[-1.0, 2.0, -3.0, 4.0]).run_into(&device, (&mut negative, &mut magnitude)).unwrap();
    assert_eq!((negative, magnitude), ([true, false, true, false], vec![1.0, 2.0, 3.0, 4.0]));

    let mut short = vec![5.0f64; 3];
    assert!(signs_call(&[1.0; 4]).run_into(&device, (&mut negative, &mut short)).is_err());
    assert_eq!((negative, short), ([true, false, true, false], vec![5.0; 3]));
}

#[test]
fn device_arrays_go_from_kernel_to_kernel() {
    let device = device();
    let ones = device.upload(&[1.0f32; 1000]).unwrap();
    let mut sum = ones.clone();
    for _ in 0..100 {
        sum = add_call(&sum, &ones).enqueue::<DeviceArray<f32, Ix1>>(&device).unwrap();
    }
    assert_eq!(sum.shape(), [1000]);
    assert_eq!(sum.device(), &device);
    assert!(sum.download().unwrap().iter().all(|&element| element == 101.0));
    let shared = device.upload(&sum).unwrap();
    drop(sum);
    assert_eq!(shared.download().unwrap()[999], 101.0);

    let matrix = device.upload(&[[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]]).unwrap();
    let there: DeviceArray<f32, Ix2> = transpose_call(&matrix).enqueue(&device).unwrap();
    let back: DeviceArray<f32, Ix2> = transpose_call(&there).enqueue(&device).unwrap();
    assert_eq!(back.download().unwrap(), matrix.download().unwrap());
    assert_eq!(
        format!("{there:?}").split(", device").next(),
        Some("DeviceArray { element: F32, shape: [3, 2]")
    );
}

#[test]
fn a_profile_lists_the_kernels_in_launch_order() {
    let (sum, profile) = scaled_sum_call(0.5, &vec![1.0f32; 1000]).profile::<f32>(&device()).unwrap();
    assert_eq!(sum, 500.0);
    let names: Vec<_> = profile.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
    assert_eq!(names, ["scale", "total"]);
    assert!(profile.kernels.iter().all(|kernel| !kernel.duration.is_zero()));
    assert_eq!(profile.total(), profile.kernels.iter().map(|kernel| kernel.duration).sum());
    assert_eq!(profile.to_string().lines().count(), 3);
}

#[test]
fn a_compiled_program_is_called_on_its_device() {
    let device = device();
    let types = [ScalarType::I64];
    let compiled = Compiled::new(generated(&ADD, add_kernels::<i64>()), &device, &types).unwrap();
    let sum: Array1<i64> =
        compiled.call().array(&[1i64, 2]).array(&[3i64, 4]).run(compiled.device()).unwrap();
    assert_eq!(sum, array![4, 6]);
    assert!(Compiled::new(generated(&TRANSPOSE, &[]), &opencl(), &[]).is_ok());
}

/// A kernel that no compiler accepts.
static BROKEN: Program = Program {
    name: "broken",
    plain: Form { source: "kernel void index_bytes(", ..INDEX_BYTES.plain },
    ..INDEX_BYTES
};

#[test]
fn a_build_error_carries_the_compilers_log() {
    let Err(Error::Build { program, log, device: name }) =
        Compiled::new(generated(&BROKEN, &[]), &opencl(), &[])
    else {
        panic!("the build has to fail");
    };
    assert_eq!(program, "broken");
    assert!(!log.trim().is_empty());
    assert_eq!(name, opencl().to_string());
}

const WRITER: Kernel = Kernel { local_memory: Size::Constant(0), ..INDEX_BYTES.plain.kernels[0] };
static LARGE_GROUP: Program = Program {
    plain: Form { kernels: &[Kernel { local: [1 << 20, 1, 1], ..WRITER }], ..INDEX_BYTES.plain },
    ..INDEX_BYTES
};
static LARGE_LOCAL_MEMORY: Program = Program {
    plain: Form {
        kernels: &[Kernel { local_memory: Size::Constant(1 << 40), ..WRITER }],
        ..INDEX_BYTES.plain
    },
    ..INDEX_BYTES
};
static LARGE_EXTENT: Program =
    Program { plain: Form { extents: &[Size::Constant(1 << 31)], ..INDEX_BYTES.plain }, ..INDEX_BYTES };

#[test]
fn what_a_device_does_not_have_is_an_error_that_names_it() {
    let run = |program| Call::new(generated(program, &[])).size(4).run::<Array1<u32>>(&opencl());
    for (program, resource) in
        [(&LARGE_GROUP, "work-items in a work-group"), (&LARGE_LOCAL_MEMORY, "bytes of local memory")]
    {
        let error = run(program).unwrap_err();
        let Error::DeviceLimit { device: name, kernel, resource: found, needed, available } = &error else {
            panic!("{error}");
        };
        assert_eq!((kernel.as_str(), found.as_str()), ("index_bytes", resource));
        assert!(needed > available);
        assert!(error.to_string().contains(name));
    }
}

#[test]
fn indices_are_wide_when_an_extent_is_and_on_processors() {
    for device in Device::list().unwrap().iter().filter(|device| device.kind() != DeviceKind::Host) {
        let run = |program| Call::new(generated(program, &[])).size(2).run::<Array1<u32>>(device).unwrap();
        let narrow = if device.kind() == DeviceKind::Cpu { 8 } else { 4 };
        assert_eq!(run(&INDEX_BYTES), array![narrow, narrow], "{device}");
        assert_eq!(run(&LARGE_EXTENT), array![8, 8], "{device}");
    }
}

#[test]
fn a_wrong_call_of_generated_code_is_an_error_not_a_panic() {
    let internal = |result: Result<()>| matches!(result, Err(Error::Internal { .. }));
    let device = device();
    assert!(internal(Call::new(generated(&ADD, &[])).array(&[1.0f32]).run::<Array1<f32>>(&device).map(drop)));
    assert!(internal(
        Call::new(generated(&ADD, &[])).array(&[1.0f32]).size(1).run::<Array1<f32>>(&device).map(drop)
    ));
    assert!(internal(add_call(&[1.0f32], &[1.0]).run::<Array2<f32>>(&device).map(drop)));
    assert!(internal(
        Call::new(generated(&SIGNS, &[signs_on_host]))
            .array(&[1.0; 4])
            .run::<Array1<bool>>(&device)
            .map(drop)
    ));
    assert!(matches!(
        Call::new(generated(&ADD, &[])).array(&[1.0f32]).array(&[1i32]).run::<Array1<f32>>(&device),
        Err(Error::ElementType { .. })
    ));
    assert!(matches!(
        add_call(&[1.0f32], &[1.0]).run::<Array1<i32>>(&device),
        Err(Error::ElementType { .. })
    ));
}

#[test]
fn errors_can_be_sent_and_boxed() {
    fn check<E: std::error::Error + Send + Sync + 'static>() {}
    check::<Error>();
}
