//! Kernels that run on OpenCL devices only, or on the host only.

use lift::{Device, DeviceKind, Error, Result, lift};

lift! {
    #[host]
    fn doubled<const N: usize>(a: [i32; N]) -> [i32; N] { map(|x| 2 * x, a) }

    #[opencl]
    fn tripled<const N: usize>(a: [i32; N]) -> [i32; N] { map(|x| 3 * x, a) }
}

/// The host, and an OpenCL device.
fn devices() -> Result<[Device; 2]> {
    let (host, opencl): (Vec<Device>, Vec<Device>) =
        Device::list()?.into_iter().partition(|device| device.kind() == DeviceKind::Host);
    let first = |devices: Vec<Device>| {
        devices.into_iter().next().expect("the tests need the host and an OpenCL device")
    };
    Ok([first(host), first(opencl)])
}

#[test]
fn a_kernel_runs_where_it_may() -> Result<()> {
    let [host, opencl] = devices()?;
    assert_eq!(doubled::on(&host)?.run(&[1, 2, 3])?.to_vec(), [2, 4, 6]);
    assert_eq!(tripled::on(&opencl)?.run(&[1, 2, 3])?.to_vec(), [3, 6, 9]);
    Ok(())
}

#[test]
fn a_kernel_does_not_run_where_it_may_not() -> Result<()> {
    let [host, opencl] = devices()?;
    for (error, text) in [
        (
            doubled::on(&opencl).err(),
            format!(
                "`doubled` is restricted to the host, by `#[host]`, but the call computes on the device `{opencl}`"
            ),
        ),
        (
            tripled::on(&host).err(),
            format!(
                "`tripled` is restricted to OpenCL devices, by `#[opencl]`, but the call computes on the device `{host}`"
            ),
        ),
    ] {
        let error = error.expect("the device is not allowed");
        assert!(matches!(error, Error::RestrictedKernel { .. }));
        assert_eq!(error.to_string(), text);
    }
    Ok(())
}

#[test]
fn the_default_device_is_one_that_a_kernel_may_run_on_or_the_one_that_is_asked_for() {
    let results =
        [doubled(&[1, 2]).map(|result| result.to_vec()), tripled(&[1, 2]).map(|result| result.to_vec())];
    let expected = [vec![2, 4], vec![3, 6]];
    for (result, expected) in results.into_iter().zip(expected) {
        match result {
            Ok(result) => assert_eq!(result, expected),
            // `LIFT_DEVICE` names a device of the other kind.
            Err(error) => {
                let value = std::env::var("LIFT_DEVICE").expect("only the variable chooses another device");
                assert!(matches!(error, Error::RestrictedKernel { .. }));
                assert!(error.to_string().contains(&format!("but `LIFT_DEVICE={value}` chooses")), "{error}");
                println!("{error}");
            }
        }
    }
}

#[test]
fn the_error_says_that_the_variable_chose_the_device() {
    let program = std::env::current_exe().expect("this program has a path");
    let test = "restricted::the_default_device_is_one_that_a_kernel_may_run_on_or_the_one_that_is_asked_for";
    let output = std::process::Command::new(program)
        .args(["--exact", "--nocapture", test])
        .env("LIFT_DEVICE", "host")
        .output()
        .expect("this program runs again");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    let message = "`tripled` is restricted to OpenCL devices, by `#[opencl]`, but `LIFT_DEVICE=host` chooses the device `host";
    assert!(text.contains(message), "{text}");
    assert!(text.contains("`tripled::on(&device)?` takes no notice of it"), "{text}");
}
