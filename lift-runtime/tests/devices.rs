//! Which devices there are and which one is the default.
//!
//! The environment of a process is shared by its threads, so that each case runs this test binary again with
//! an environment of its own.

#[path = "common/events.rs"]
mod events;

use std::env;
use std::process::Command;
use std::thread;

use lift_runtime::{Device, DeviceKind, Error, doctor};

#[test]
#[ignore = "the other tests run it with an environment of their own"]
fn report_the_default_device() {
    match Device::default_device() {
        Ok(device) => println!("[default {device}]"),
        Err(error) => println!("[error {error}]"),
    }
}

#[test]
#[ignore = "another test runs it, in processes in which nobody has asked for devices yet"]
fn ask_from_several_threads_at_once() {
    let answers = thread::scope(|scope| {
        let asking: Vec<_> = (0..8)
            .map(|thread| {
                scope.spawn(move || match thread % 2 {
                    0 => Device::list().unwrap().len(),
                    _ => doctor().platforms.iter().map(|platform| platform.devices.len()).sum(),
                })
            })
            .collect();
        asking.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    println!("[{answers:?}]");
}

/// Whoever looks for a device says which one it found.
#[test]
#[ignore = "another test runs it, in a process in which nobody has asked for devices yet"]
fn ask_for_the_default_device_twice() {
    let ask = || events::told(|| Device::default_device().unwrap());
    let (first, lines) = ask();
    assert!(lines.iter().any(|line| line.starts_with("INFO the default device")), "{lines:?}");
    assert_eq!(ask(), (first, Vec::new()));
}

/// Whether a test passes in a process of its own.
fn passes_alone(test: &str) -> bool {
    let mut command = Command::new(env::current_exe().unwrap());
    let output = command.args(["--exact", test, "--ignored"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    println!("{said}");
    output.status.success() && said.contains("1 passed")
}

/// What a process with this value of `LIFT_DEVICE` says about its default device.
fn default_device_with(value: Option<&str>) -> String {
    default_device_of(Command::new(env::current_exe().unwrap()), value)
}

fn default_device_of(mut command: Command, value: Option<&str>) -> String {
    command.args(["--exact", "report_the_default_device", "--ignored", "--nocapture"]);
    match value {
        Some(value) => command.env("LIFT_DEVICE", value),
        None => command.env_remove("LIFT_DEVICE"),
    };
    let output = String::from_utf8(command.output().unwrap().stdout).unwrap();
    let (start, end) = (output.find('[').unwrap(), output.rfind(']').unwrap());
    output[start + 1..end].to_owned()
}

#[test]
fn the_first_to_ask_for_devices_may_be_several_threads() {
    for _ in 0..10 {
        assert!(passes_alone("ask_from_several_threads_at_once"));
    }
}

fn listed() -> Vec<Device> {
    let devices = Device::list().unwrap();
    assert!(!devices.is_empty(), "the tests need an OpenCL device");
    devices
}

#[test]
fn the_list_says_what_each_device_is() {
    for device in listed() {
        assert!(!device.name().is_empty() && !device.platform().is_empty());
        assert!(device.to_string().contains(device.name()));
        assert!(format!("{device:?}").contains("kind"));
    }
    assert_eq!(listed(), listed());
}

#[test]
fn a_part_of_a_name_in_any_case_chooses_a_device() {
    for device in listed() {
        let name = format!("default {device}");
        assert_eq!(default_device_with(Some(&device.name().to_uppercase())), name);
        assert!(default_device_with(Some(&device.platform().to_lowercase())).contains(device.platform()));
    }
}

#[test]
fn without_the_variable_there_is_a_default() {
    assert!(default_device_with(None).starts_with("default "));
    assert_eq!(default_device_with(None), default_device_with(Some("")));
}

#[test]
fn a_name_that_matches_nothing_is_an_error_that_lists_the_devices() {
    let message = default_device_with(Some("no such device"));
    assert!(message.starts_with("error `LIFT_DEVICE=no such device` names no device: there "), "{message}");
    for device in listed() {
        assert!(message.contains(&device.to_string()));
    }
}

#[test]
fn a_variable_that_names_no_library_is_said_where_a_device_is_missing() {
    let mut command = Command::new(env::current_exe().unwrap());
    command.env("OPENCL_DYLIB_PATH", "libno-such-opencl.so.7");
    let message = default_device_of(command, Some("no such device"));
    let reason =
        "`OPENCL_DYLIB_PATH=libno-such-opencl.so.7` names no OpenCL library; libno-such-opencl.so.7: ";
    assert!(message.contains(reason), "{message}");
}

#[test]
fn the_host_is_the_last_device_where_it_is_built_in() {
    let mut devices = listed();
    let last = devices.pop().unwrap();
    assert_eq!(last.kind() == DeviceKind::Host, cfg!(feature = "host"));
    assert!(devices.iter().all(|device| device.kind() != DeviceKind::Host));
}

#[test]
fn the_host_is_chosen_by_its_name() {
    let chosen = default_device_with(Some(" Host "));
    if cfg!(feature = "host") {
        assert_eq!(chosen, "default host (native Rust)");
    } else {
        assert_eq!(chosen, format!("error {}", Error::HostBackendMissing));
    }
}

#[test]
fn a_graphics_processor_or_accelerator_comes_before_the_host_and_the_host_before_other_processors() {
    let devices = listed();
    let of_kind = |kind| devices.iter().find(|device| device.kind() == kind);
    let order = [DeviceKind::Gpu, DeviceKind::Accelerator, DeviceKind::Host, DeviceKind::Cpu];
    let first = order.into_iter().find_map(of_kind).unwrap();
    assert_eq!(default_device_with(None), format!("default {first}"));
}

#[test]
fn pocl_is_found_by_its_name_although_its_platform_has_another_one() {
    let platforms = doctor().platforms;
    let Some(platform) = platforms.iter().find(|platform| platform.version.contains("PoCL")) else {
        panic!("the tests need PoCL, which `scripts/install-packages.sh` installs");
    };
    let device = &platform.devices[0].name;
    assert_eq!(default_device_with(Some("PoCL")), format!("default {device} ({})", platform.name));
}

#[test]
fn the_default_device_is_looked_for_once() {
    assert!(passes_alone("ask_for_the_default_device_twice"));
}
