//! Executes a plan on a device: one module for the devices of drivers, one for the host.
//!
//! Nothing is started unless the device can use every argument.

mod driver;
mod host;
mod launcher;

use crate::backend::{Backend, Memory};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::input::Given;
use crate::output::Destination;
use crate::plan::{self, Chosen, Plan};
use crate::program::{self, Program, ScalarType};
use host::HostLauncher;
use launcher::Launcher;

pub(crate) use launcher::{Code, Started};

/// What runs kernels on a device.
fn launcher(device: &Device) -> &dyn Launcher {
    match device.backend() {
        Backend::OpenCl(device) => device,
        Backend::Host => &HostLauncher,
    }
}

/// Prepares a program for these types on a device, so that the first call need not.
pub(crate) fn prepare(code: Code<'_>, types: &[ScalarType], device: &Device) -> Result<()> {
    plan::check_elements(Chosen::plain(code.program), types, device)?;
    launcher(device).prepare(code, types, device)
}

/// Builds the kernels of a plan, and says why the device cannot run them, if it cannot.
pub(crate) fn build(code: Code<'_>, plan: &Plan, device: &Device) -> Result<()> {
    launcher(device).build(code, plan, device)
}

/// Checks that a device can run a kernel in groups that the user chose.
pub(crate) fn check_chosen(
    code: Code<'_>,
    types: &[ScalarType],
    kernel: &program::Kernel,
    local: [usize; 3],
    device: &Device,
) -> Result<()> {
    launcher(device).check_chosen(code, types, kernel, local, device)
}

/// Starts the kernels of a call whose results the user has memory for: see [`Launcher::start_into`].
pub(crate) fn start_into(
    code: Code<'_>,
    plan: &Plan,
    arguments: &[Given<'_>],
    device: &Device,
    destination: &mut dyn Destination,
) -> Result<Option<Started>> {
    check(code, plan, arguments, device)?;
    launcher(device).start_into(code, plan, arguments, device, destination)
}

/// Starts the kernels of a call that write to memory on the device: see [`Launcher::start_on_device`].
pub(crate) fn start_on_device(
    code: Code<'_>,
    plan: &Plan,
    arguments: &[Given<'_>],
    device: &Device,
    results: Vec<&mut Memory>,
) -> Result<()> {
    check(code, plan, arguments, device)?;
    launcher(device).start_on_device(code, plan, arguments, device, results)
}

/// Starts the kernels of a call.
pub(crate) fn start(
    code: Code<'_>,
    plan: &Plan,
    arguments: &[Given<'_>],
    device: &Device,
) -> Result<Started> {
    check(code, plan, arguments, device)?;
    launcher(device).start(code, plan, arguments, device)
}

/// Checks that the device can do what is planned, and logs that it will.
fn check(code: Code<'_>, plan: &Plan, arguments: &[Given<'_>], device: &Device) -> Result<()> {
    plan::check_limits(plan, device)?;
    check_arguments(code.program, arguments, device)?;
    tracing::debug!(
        program = code.program.name,
        form = plan.chosen.form.name,
        %device,
        kernels = plan.kernels.len(),
        sizes = ?plan.sizes,
        "running a program"
    );
    Ok(())
}

fn check_arguments(program: &'static Program, arguments: &[Given<'_>], device: &Device) -> Result<()> {
    for (parameter, argument) in program.parameters.iter().zip(arguments) {
        match argument {
            Given::DeviceValue { data, .. } => {
                data.on(parameter.name, device)?;
            }
            Given::Device { data, .. } => {
                data.on(parameter.name, device)?;
            }
            Given::Host { elements, .. } => {
                let (needed, available) = (elements.byte_count() as u64, device.limits().buffer);
                if needed > available {
                    return Err(Error::DeviceLimit {
                        device: device.to_string(),
                        kernel: parameter.name.to_owned(),
                        resource: "bytes in one buffer".to_owned(),
                        needed,
                        available,
                    });
                }
            }
            Given::Scalar { .. } | Given::Size(_) => {}
        }
    }
    Ok(())
}
