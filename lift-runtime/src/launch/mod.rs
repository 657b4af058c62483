//! Executes a plan on a device: one module for the devices of drivers, one for the host.
//!
//! Nothing is started unless the device can use every argument.

mod driver;
mod host;
pub(crate) mod temporaries;

use std::fmt::Debug;
use std::time::Duration;

use crate::call::Given;
use crate::choice::{Chosen, Wish};
use crate::device::Device;
use crate::device_array::DeviceData;
use crate::error::{Error, Result};
use crate::generated::Generated;
use crate::host::Kernel;
use crate::output::Destination;
use crate::plan::{self, DenseArray, Plan};
use crate::profile::{KernelProfile, Profile};
use crate::program::{self, Program, ScalarType};
use crate::specialise::PassedSizes;

pub(crate) use host::HostLauncher;

/// A program with its functions for the host.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Code<'a> {
    /// The description.
    pub(crate) program: &'static Program,
    /// The kernels as functions of Rust, one for each kernel of its plain form; empty if there are no such
    /// functions.
    pub(crate) host: &'a [Kernel],
    /// How the kernels of a driver get their sizes.
    pub(crate) sizes: PassedSizes,
    /// The forms that may compute it.
    pub(crate) wish: Wish,
}

/// A call whose kernels are running or done: its results are on the device, or will be.
#[derive(Debug)]
pub(crate) struct Started {
    results: Vec<(DenseArray, DeviceData)>,
    kernels: Kernels,
}

/// The kernels of a call with their names, in launch order.
#[derive(Debug)]
enum Kernels {
    /// They are enqueued.
    Enqueued(Box<dyn Enqueued>),
    /// They are done, and took these times.
    Done(Vec<(&'static str, Duration)>),
}

/// The kernels of a call on their way through a device.
trait Enqueued: Debug {
    /// Waits for the kernels. A failure of one of them shows here.
    fn finish(&self) -> Result<()>;

    /// The times that they took, in launch order. They must be complete.
    fn times(&self) -> Result<Vec<(&'static str, Duration)>>;
}

/// What runs the kernels of programs on the devices of a back end.
pub(crate) trait Launcher {
    /// Prepares a program for these types, so that the first call need not.
    fn prepare(&self, code: Code<'_>, types: &[ScalarType], device: &Device) -> Result<()>;

    /// Checks that a kernel can run in groups that the user chose.
    fn check_chosen(
        &self,
        code: Code<'_>,
        types: &[ScalarType],
        kernel: &program::Kernel,
        local: [usize; 3],
        device: &Device,
    ) -> Result<()>;

    /// Starts the kernels of a call, which was checked.
    fn start(&self, code: Code<'_>, plan: &Plan, arguments: &[Given<'_>], device: &Device)
    -> Result<Started>;

    /// The same for results that the user has memory for. If kernels can write there, they have when this
    /// returns `None`. Otherwise the results are to be copied.
    fn start_into(
        &self,
        code: Code<'_>,
        plan: &Plan,
        arguments: &[Given<'_>],
        device: &Device,
        destination: &mut dyn Destination,
    ) -> Result<Option<Started>>;
}

impl<'a> Code<'a> {
    pub(crate) fn new(generated: Generated<'a>, sizes: PassedSizes, wish: Wish) -> Code<'a> {
        Code { program: generated.program(), host: generated.host(), sizes, wish }
    }
}

impl Started {
    /// Waits for the kernels. A failure of one of them shows here.
    pub(crate) fn finish(&self) -> Result<()> {
        match &self.kernels {
            Kernels::Enqueued(kernels) => kernels.finish(),
            Kernels::Done(_) => Ok(()),
        }
    }

    /// The times that the kernels ran, after [`finish`](Self::finish).
    pub(crate) fn profile(&self) -> Result<Profile> {
        let profile = |(name, duration): (&str, Duration)| KernelProfile { name: name.to_owned(), duration };
        let kernels = match &self.kernels {
            Kernels::Enqueued(kernels) => kernels.times()?.into_iter().map(profile).collect(),
            Kernels::Done(kernels) => kernels.iter().copied().map(profile).collect(),
        };
        Ok(Profile { kernels })
    }

    pub(crate) fn into_results(self) -> Vec<(DenseArray, DeviceData)> {
        self.results
    }
}

/// Prepares a program for these types on a device, so that the first call need not.
pub(crate) fn prepare(code: Code<'_>, types: &[ScalarType], device: &Device) -> Result<()> {
    plan::check_elements(Chosen::plain(code.program), types, device)?;
    device.backend().launcher().prepare(code, types, device)
}

/// Logs what a program computes more often than its source says.
pub(crate) fn tell_repeated(program: &Program, device: &Device) {
    for repeated in program.repeated {
        tracing::info!(program = program.name, %device, "it computes {repeated}");
    }
}

/// Checks that a device can run a kernel in groups that the user chose.
pub(crate) fn check_chosen(
    code: Code<'_>,
    types: &[ScalarType],
    kernel: &program::Kernel,
    local: [usize; 3],
    device: &Device,
) -> Result<()> {
    device.backend().launcher().check_chosen(code, types, kernel, local, device)
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
    device.backend().launcher().start_into(code, plan, arguments, device, destination)
}

/// Starts the kernels of a call.
pub(crate) fn start(
    code: Code<'_>,
    plan: &Plan,
    arguments: &[Given<'_>],
    device: &Device,
) -> Result<Started> {
    check(code, plan, arguments, device)?;
    device.backend().launcher().start(code, plan, arguments, device)
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
