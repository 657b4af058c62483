//! Kernels with their sizes as constants, and what is told about builds and runs.

mod common;
#[path = "common/events.rs"]
mod events;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use common::{add_call, every_device, generated, opencl, scaled_sum_call, split_sums_call, transpose_call};
use events::{listen, told};
use lift_runtime::__private::{Call, Compiled, Form, Program};
use lift_runtime::ndarray::{Array1, Array2};

#[test]
fn every_program_gives_the_same_with_its_sizes_as_constants() {
    listen();
    for device in every_device() {
        for n in [1u8, 7, 64] {
            let a: Vec<f32> = (0..n).map(f32::from).collect();
            let sum: Array1<f32> = add_call(&a, &a).specialised().run(&device).unwrap();
            assert_eq!(sum, a.iter().map(|a| a + a).collect::<Array1<f32>>());
            let total: f32 = scaled_sum_call(2.0, &a).specialised().run(&device).unwrap();
            assert_eq!(total, sum.sum());
            let matrix = Array2::from_shape_fn((usize::from(n), 5), |(i, j)| (10 * i + j) as f32);
            assert_eq!(
                transpose_call(&matrix).specialised().run::<Array2<f32>>(&device).unwrap(),
                matrix.t()
            );
        }
        let sums: Array1<i32> = split_sums_call(2, &[1, 2, 3, 4]).specialised().run(&device).unwrap();
        assert_eq!(sums.to_vec(), [3, 7]);
    }
}

#[test]
fn a_program_is_compiled_once_for_each_combination_of_sizes() {
    let device = opencl();
    let compiled = |n: usize| {
        let a = vec![1u16; n];
        let call = add_call(&a, &a).specialised();
        let (sum, lines) = told(|| call.run::<Array1<u16>>(&device).unwrap());
        assert_eq!(sum, Array1::from_elem(n, 2));
        lines.into_iter().filter(|line| line.contains("compiled a program")).collect::<Vec<_>>()
    };
    for n in [1001, 1002] {
        let lines = compiled(n);
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].contains(&format!("constants=[{n}]")), "{lines:?}");
        assert!(lines[0].starts_with("INFO ") && lines[0].contains("program=\"add\""), "{lines:?}");
        assert!(lines[0].contains(&format!("device={device}")), "{lines:?}");
        assert_eq!(compiled(n), [""; 0]);
    }
}

#[test]
fn a_compiled_program_can_be_specialised() {
    let device = opencl();
    let compiled = Compiled::new(generated(&common::TRANSPOSE, &[]), &device, &[]).unwrap().specialised();
    let matrix = Array2::from_shape_fn((33, 17), |(i, j)| (i * 17 + j) as f32);
    let (result, lines) = told(|| compiled.call().array(&matrix).run::<Array2<f32>>(&device).unwrap());
    assert_eq!(result, matrix.t());
    assert!(lines.iter().any(|line| line.contains("constants=[33, 17]")), "{lines:?}");
}

/// Tests that keep the device busy for seconds run one after the other.
static BUSY: Mutex<()> = Mutex::new(());

fn busy() -> MutexGuard<'static, ()> {
    BUSY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls in several threads until something is decided about constants, for two minutes at most; what was
/// told in all calls.
fn until_decided(call: impl Fn() + Sync) -> Vec<String> {
    let (start, decided) = (Instant::now(), AtomicBool::new(false));
    let thread = || {
        let mut all = Vec::new();
        while !decided.load(Ordering::Relaxed) && start.elapsed() < Duration::from_secs(120) {
            let (_, lines) = told(&call);
            decided.fetch_or(lines.iter().any(|line| is_decision(line)), Ordering::Relaxed);
            all.extend(lines);
        }
        all
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(thread)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

fn is_decision(line: &str) -> bool {
    line.starts_with("INFO sizes stay arguments") || line.starts_with("INFO sizes become constants")
}

#[test]
fn constants_are_tried_when_calls_with_the_same_sizes_have_taken_long() {
    listen();
    let (_busy, device) = (busy(), opencl());
    let long = device.upload(&vec![1; 4_000_000]).unwrap();
    let call = || {
        let sums: Array1<i32> = split_sums_call(2_000_000, &long).run(&device).unwrap();
        assert_eq!(sums.to_vec(), [2_000_000; 2]);
        assert_eq!(split_sums_call(2, &[1, 2]).run::<Array1<i32>>(&device).unwrap().to_vec(), [3]);
    };
    // What loads the compiler takes longer than what it compiles next.
    let matrix = Array2::<f32>::zeros((2, 3));
    transpose_call(&matrix).run::<Array2<f32>>(&device).unwrap();
    let lines = until_decided(call);
    let is_built = |line: &&String| line.contains("compiled a program") && line.contains("constants=");
    let built: Vec<_> = lines.iter().filter(is_built).collect();
    let &[built] = built.as_slice() else { panic!("only sizes that took long: {built:?}") };
    assert!(built.contains("constants=[4000000, 2000000]"), "{built}");
    let decisions: Vec<_> = lines.iter().filter(|line| is_decision(line)).collect();
    let &[decision] = decisions.as_slice() else { panic!("it is decided once: {decisions:?}") };
    assert!(decision.contains("program=\"split_sums\""), "{decision}");
    assert!(decision.contains("sizes=[4000000, 2000000]"), "{decision}");
    assert!(decision.contains("milliseconds_with_constants="), "they were compared: {decision}");
    let (_, lines) = told(|| (0..20).for_each(|_| call()));
    assert_eq!(lines.iter().filter(|line| line.starts_with("INFO ")).count(), 0, "it is decided once");
}

/// Sums of parts, one more where the length of the parts is a constant.
fn telltale() -> &'static Program {
    let source = "
        kernel void sums(global const int *restrict a, global int *restrict out, const index_t N, const index_t n) {
            const index_t i = get_global_id(0);
            int sum = __builtin_constant_p(n);
            for (index_t j = 0; j < n; ++j) sum += a[i * n + j];
            out[i] = sum;
        }";
    Box::leak(Box::new(Program {
        name: "telltale",
        plain: Form { source, ..common::SPLIT_SUMS.plain },
        ..common::SPLIT_SUMS
    }))
}

#[test]
fn constants_that_change_a_result_are_not_taken() {
    listen();
    let (_busy, device, program) = (busy(), opencl(), telltale());
    let long = device.upload(&vec![1; 4_000_000]).unwrap();
    let call = || Call::new(generated(program, &[])).size(4_000_000).array(&long);
    let sum = |call: Call<'_>| call.run::<Array1<i32>>(&device).unwrap().to_vec();
    assert_eq!(sum(call().specialised()), [4_000_001], "the compiler sees the constant");
    let lines = until_decided(|| assert_eq!(sum(call()), [4_000_000]));
    let decisions: Vec<_> = lines.iter().filter(|line| is_decision(line)).collect();
    let &[decision] = decisions.as_slice() else { panic!("it is decided once: {decisions:?}") };
    assert!(decision.contains("its results are not the same"), "{decision}");
    assert_eq!(sum(call()), [4_000_000]);
}

#[test]
fn whoever_wants_sizes_as_arguments_gets_them() {
    listen();
    let (_busy, device) = (busy(), opencl());
    let compiled = Compiled::new(generated(&common::SPLIT_SUMS, &[]), &device, &[]).unwrap().unspecialised();
    let other = Box::leak(Box::new(Program { name: "other", ..common::SPLIT_SUMS }));
    let long = device.upload(&vec![1; 3_000_000]).unwrap();
    let lines = until_decided(|| {
        let sums: Array1<i32> = compiled.call().size(1_000_000).array(&long).run(&device).unwrap();
        assert_eq!(sums.to_vec(), [1_000_000; 3]);
        let call = Call::new(generated(other, &[])).size(1_000_000).array(&long);
        assert_eq!(call.run::<Array1<i32>>(&device).unwrap().to_vec(), [1_000_000; 3]);
    });
    let is_about_constants = |line: &&String| line.contains("constants=") || is_decision(line);
    assert!(lines.iter().filter(is_about_constants).count() >= 2, "the other one is compiled and decided");
    assert!(lines.iter().filter(is_about_constants).all(|line| line.contains("program=\"other\"")));
}

#[test]
fn each_run_is_told_with_its_program_and_device() {
    for device in every_device() {
        let (_, lines) = told(|| scaled_sum_call(2.0, &[1.0; 3]).run::<f32>(&device).unwrap());
        let expected = format!(
            "DEBUG running a program program=\"scaled_sum\" form=\"plain\" device={device} kernels=2 sizes=[3]"
        );
        assert!(lines.contains(&expected), "{lines:?}");
    }
}
