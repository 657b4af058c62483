//! What a forked process computes: all it wants where nothing was used before, else a clear error. It never
//! waits for threads that it does not have.

#![cfg(unix)]

mod common;

use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use common::{add_call, every_device};
use lift_runtime::ndarray::Array1;
use lift_runtime::{Device, Error, doctor};

/// A child that takes longer waits for something that never happens.
const PATIENCE: Duration = Duration::from_secs(60);

/// Calls that are long enough for all threads to help.
const LENGTH: usize = 3_000_000;

/// Whether `work` holds in a forked process.
fn holds_in_a_child(work: impl FnOnce() -> bool) -> bool {
    // SAFETY: the child runs `work` and ends at once, without destructors and without handlers of `exit`.
    // That a lock of the standard library is held elsewhere at this moment is excluded by there being one
    // test in each process.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "no process can be forked");
    if child == 0 {
        let holds = catch_unwind(AssertUnwindSafe(work)).unwrap_or(false);
        // SAFETY: it ends the process.
        unsafe { libc::_exit(if holds { 0 } else { 1 }) };
    }
    let start = Instant::now();
    let mut status = 0;
    loop {
        // SAFETY: the child is one of this process, and `status` a place for its status.
        match unsafe { libc::waitpid(child, &raw mut status, libc::WNOHANG) } {
            0 if start.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(5)),
            0 => {
                // SAFETY: the child is one of this process, and has not been waited for.
                unsafe { libc::kill(child, libc::SIGKILL) };
                panic!("the forked process hangs");
            }
            _ => return libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0,
        }
    }
}

fn computes(device: &Device) -> bool {
    let ones = vec![1.0f32; LENGTH];
    let twos = add_call(&ones, &ones).run::<Array1<f32>>(device);
    twos.is_ok_and(|twos| twos.iter().all(|two| *two == 2.0))
}

/// Runs a test of this file in a process of its own, in which nothing was used yet.
fn alone(test: &str) {
    let mut command = Command::new(env::current_exe().unwrap());
    let output = command.args(["--exact", test, "--ignored", "--test-threads=1"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "{output:?}");
}

#[test]
#[ignore = "another test runs it in a process of its own"]
fn a_child_of_a_process_that_computed() {
    for device in every_device() {
        assert!(computes(&device), "{device}");
        let ones = vec![1.0f32; LENGTH];
        let uploaded = device.upload(&ones).unwrap();
        let forked = |error: Option<Error>| error == Some(Error::Forked);
        assert!(holds_in_a_child(|| forked(add_call(&ones, &ones).run::<Array1<f32>>(&device).err())));
        let mut out = vec![0.0f32; LENGTH];
        assert!(holds_in_a_child(|| forked(add_call(&ones, &ones).run_into(&device, &mut out).err())));
        assert!(holds_in_a_child(|| forked(add_call(&uploaded, &ones).run::<Array1<f32>>(&device).err())));
        // An array of the host is memory like any other.
        let downloaded = |uploaded: lift_runtime::DeviceArray<f32, _>| match uploaded.download() {
            Ok(array) => array.to_vec() == ones,
            Err(error) => error == Error::Forked,
        };
        assert!(holds_in_a_child(|| downloaded(uploaded.clone())));
        assert!(holds_in_a_child(|| {
            drop((uploaded, device.clone()));
            true
        }));
        assert!(computes(&device), "{device}");
    }
    let forked = |error: Option<Error>| error == Some(Error::Forked);
    assert!(holds_in_a_child(|| forked(Device::list().err()) && forked(Device::default_device().err())));
    assert!(holds_in_a_child(|| doctor().to_string().contains(&Error::Forked.to_string())));
}

#[test]
#[ignore = "another test runs it in a process of its own"]
fn a_child_of_a_process_that_did_not_compute_yet() {
    for _ in 0..2 {
        assert!(holds_in_a_child(|| every_device().iter().all(computes)));
    }
    assert!(every_device().iter().all(computes));
}

#[test]
fn after_a_fork_a_call_is_an_error_and_never_hangs() {
    alone("a_child_of_a_process_that_computed");
}

#[test]
fn a_process_that_is_forked_before_the_first_call_computes() {
    alone("a_child_of_a_process_that_did_not_compute_yet");
}
