//! Executes a plan on a device: one module for OpenCL, one for the host.
//!
//! Nothing is started unless the device can use every argument.

mod host;
mod opencl;
pub(crate) mod temporaries;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::backend::Backend;
use crate::call::Given;
use crate::device::Device;
use crate::device_array::DeviceData;
use crate::error::{Error, Result};
use crate::generated::Generated;
use crate::host::Kernel;
use crate::index_width::IndexWidth;
use crate::opencl::{Launched, Session};
use crate::output::Destination;
use crate::plan::{self, DenseArray, Plan};
use crate::profile::{KernelProfile, Profile};
use crate::program::{self, Program, ScalarType};
use crate::specialise::PassedSizes;

/// A program in both of its forms.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Code<'a> {
    /// The description with the OpenCL C.
    pub(crate) program: &'static Program,
    /// The kernels as functions of Rust, one for each kernel of the program; empty if there are no such
    /// functions.
    pub(crate) host: &'a [Kernel],
    /// How its OpenCL kernels get their sizes.
    pub(crate) sizes: PassedSizes,
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
    Enqueued(Arc<Session>, Vec<(&'static str, Launched)>),
    /// They are done, and took these times.
    Done(Vec<(&'static str, Duration)>),
}

impl<'a> Code<'a> {
    pub(crate) fn new(generated: Generated<'a>, sizes: PassedSizes) -> Code<'a> {
        Code { program: generated.program(), host: generated.host(), sizes }
    }
}

impl Started {
    /// Waits for the kernels. A failure of one of them shows here.
    pub(crate) fn finish(&self) -> Result<()> {
        match &self.kernels {
            Kernels::Enqueued(session, launched) => match launched.last() {
                Some((_, launched)) => session.wait(launched),
                None => Ok(()),
            },
            Kernels::Done(_) => Ok(()),
        }
    }

    /// The times that the kernels ran, after [`finish`](Self::finish).
    pub(crate) fn profile(&self) -> Result<Profile> {
        let profile = |name: &str, duration| KernelProfile { name: name.to_owned(), duration };
        let kernels = match &self.kernels {
            Kernels::Enqueued(session, launched) => launched
                .iter()
                .map(|(name, launched)| Ok(profile(name, session.duration(launched)?)))
                .collect::<Result<_>>()?,
            Kernels::Done(kernels) => {
                kernels.iter().map(|(name, duration)| profile(name, *duration)).collect()
            }
        };
        Ok(Profile { kernels })
    }

    pub(crate) fn into_results(self) -> Vec<(DenseArray, DeviceData)> {
        self.results
    }
}

/// Prepares a program for these types on a device, so that the first call need not.
pub(crate) fn prepare(code: Code<'_>, types: &[ScalarType], device: &Device) -> Result<()> {
    plan::check_elements(code.program, types, device)?;
    match device.backend() {
        Backend::OpenCl(opencl) => {
            let wanted =
                opencl::Wanted { index: IndexWidth::Narrow.on(device.kind()), types, constants: None };
            opencl::built(code.program, opencl, device, wanted).map(drop)
        }
        Backend::Host => {
            host::check(code, device)?;
            tell_repeated_once(code.program, device);
            Ok(())
        }
    }
}

/// Logs what a program computes more often than its source says.
pub(crate) fn tell_repeated(program: &Program, device: &Device) {
    for repeated in program.repeated {
        tracing::info!(program = program.name, %device, "it computes {repeated}");
    }
}

/// Logs the same on the host, which builds nothing, when the process first uses the program there.
fn tell_repeated_once(program: &'static Program, device: &Device) {
    static TOLD: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());
    if program.repeated.is_empty() {
        return;
    }
    let address = std::ptr::from_ref(program).addr();
    if TOLD.lock().unwrap_or_else(PoisonError::into_inner).insert(address) {
        tell_repeated(program, device);
    }
}

/// Checks that a device can run a kernel in groups that the user chose; the host has no groups.
pub(crate) fn check_chosen(
    code: Code<'_>,
    types: &[ScalarType],
    kernel: &program::Kernel,
    local: [usize; 3],
    device: &Device,
) -> Result<()> {
    match device.backend() {
        Backend::OpenCl(backend) => {
            plan::check_group(kernel.entry, local, device)?;
            opencl::check_chosen(code.program, types, kernel, local, backend, device)
        }
        Backend::Host => Ok(()),
    }
}

/// Runs the kernels of a call. On the host, they write their results to the user's memory if it is laid out
/// as on a device. Otherwise the call is started, and its results are to be copied.
pub(crate) fn start_into(
    code: Code<'_>,
    plan: &Plan,
    arguments: &[Given<'_>],
    device: &Device,
    destination: &mut dyn Destination,
) -> Result<Option<Started>> {
    match device.backend() {
        Backend::Host if let Some(places) = host::places(plan, destination) => {
            check(code, plan, arguments, device)?;
            host::run_into(code, plan, arguments, device, places).map(|_| None)
        }
        Backend::Host | Backend::OpenCl(_) => start(code, plan, arguments, device).map(Some),
    }
}

/// Starts the kernels of a call.
pub(crate) fn start(
    code: Code<'_>,
    plan: &Plan,
    arguments: &[Given<'_>],
    device: &Device,
) -> Result<Started> {
    check(code, plan, arguments, device)?;
    match device.backend() {
        Backend::OpenCl(opencl) => opencl::start(code.program, plan, arguments, code.sizes, opencl, device),
        Backend::Host => host::run(code, plan, arguments, device),
    }
}

/// Checks that the device can do what is planned, and logs that it will.
fn check(code: Code<'_>, plan: &Plan, arguments: &[Given<'_>], device: &Device) -> Result<()> {
    plan::check_limits(code.program, plan, device)?;
    check_arguments(code.program, arguments, device)?;
    tracing::debug!(
        program = code.program.name,
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
