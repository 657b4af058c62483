//! Carrying out a plan: build, upload, launch in order.

use std::sync::Arc;

use crate::cache::ProgramCache;
use crate::call::Given;
use crate::device::Device;
use crate::device_array::DeviceData;
use crate::error::{Error, Result};
use crate::opencl::{Bits, Buffer, Executable, KernelArgument, Launched, Session};
use crate::plan::{self, DenseArray, IndexWidth, Plan, internal};
use crate::profile::{KernelProfile, Profile};
use crate::program::{Argument, Program, ScalarType};
use crate::steps;

/// A call whose kernels are enqueued: its results are on the device, or will be.
#[derive(Debug)]
pub(crate) struct Started {
    session: Arc<Session>,
    results: Vec<(DenseArray, DeviceData)>,
    launched: Vec<(&'static str, Launched)>,
}

impl Started {
    /// Waits for the kernels. A failure of one of them shows here.
    pub(crate) fn finish(&self) -> Result<()> {
        match self.launched.last() {
            Some((_, launched)) => self.session.wait(launched),
            None => Ok(()),
        }
    }

    /// How long the kernels ran, after [`finish`](Self::finish).
    pub(crate) fn profile(&self) -> Result<Profile> {
        let kernels = self.launched.iter().map(|(name, launched)| {
            Ok(KernelProfile { name: (*name).to_owned(), duration: self.session.duration(launched)? })
        });
        Ok(Profile { kernels: kernels.collect::<Result<_>>()? })
    }

    pub(crate) fn into_results(self) -> Vec<(DenseArray, DeviceData)> {
        self.results
    }
}

/// The built program for these types and this index width; built now unless it was before.
pub(crate) fn executable(
    program: &'static Program,
    device: &Device,
    index: IndexWidth,
    types: &[ScalarType],
) -> Result<Arc<Executable>> {
    plan::check_elements(program, types, device)?;
    let session = device.session()?;
    let cache: &ProgramCache = device.programs();
    cache.get_or_build(program.source, plan::build_options(index, types), |options| {
        let entries = program.kernels.iter().map(|kernel| kernel.entry);
        let executable = session.build(program.name, program.source, options, entries)?;
        check_groups(program, device, &session, &executable)?;
        Ok(executable)
    })
}

/// The registers of a kernel may limit its work-groups further than the device does.
fn check_groups(
    program: &'static Program,
    device: &Device,
    session: &Session,
    executable: &Executable,
) -> Result<()> {
    for kernel in program.kernels {
        let needed = kernel.local.iter().fold(1u64, |product, &size| product.saturating_mul(size as u64));
        let available = session.largest_group(executable, kernel.entry)?.min(device.limits().group);
        if needed > available {
            return Err(Error::DeviceLimit {
                device: device.to_string(),
                kernel: kernel.entry.to_owned(),
                resource: "work-items in a work-group of this kernel".to_owned(),
                needed,
                available,
            });
        }
    }
    Ok(())
}

/// Allocates, uploads and enqueues. Nothing is enqueued unless every argument is usable on this device.
pub(crate) fn start(
    program: &'static Program,
    plan: &Plan,
    arguments: &[Given<'_>],
    device: &Device,
) -> Result<Started> {
    plan::check_limits(program, plan, device)?;
    check_devices(program, arguments, device)?;
    let session = device.session()?;
    let on_device = |array: &DenseArray| -> Result<DeviceData> {
        let buffer = Arc::new(session.allocate(array.bytes)?);
        Ok(DeviceData { device: device.clone(), session: Arc::clone(&session), buffer })
    };
    let results = plan
        .results
        .iter()
        .map(|array| Ok((array.clone(), on_device(array)?)))
        .collect::<Result<Vec<_>>>()?;
    let mut launched = Vec::new();
    if !plan.kernels.is_empty() {
        let executable = executable(program, device, plan.index, &plan.types)?;
        let bindings = Bindings {
            program,
            plan,
            parameters: arguments
                .iter()
                .map(|argument| upload(argument, &session))
                .collect::<Result<Vec<_>>>()?,
            results: results.iter().map(|(_, data)| Arc::clone(&data.buffer)).collect(),
            temporaries: plan
                .temporaries
                .iter()
                .map(|array| Ok(Arc::new(session.allocate(array.bytes)?)))
                .collect::<Result<Vec<_>>>()?,
        };
        steps::for_each_launch(program, &plan.steps, &mut |planned, kernel, arguments| {
            let arguments =
                arguments.iter().map(|&argument| bindings.value(argument)).collect::<Result<Vec<_>>>()?;
            let event =
                session.launch(&executable, kernel.entry, &arguments, planned.global, planned.local)?;
            launched.push((kernel.entry, event));
            Ok(())
        })?;
        session.flush()?;
    }
    Ok(Started { session, results, launched })
}

fn check_devices(program: &'static Program, arguments: &[Given<'_>], device: &Device) -> Result<()> {
    for (parameter, argument) in program.parameters.iter().zip(arguments) {
        match argument {
            Given::Device { data, .. } => {
                data.on(parameter.name, device)?;
            }
            Given::Host { bytes, .. } if bytes.as_slice().len() as u64 > device.limits().buffer => {
                return Err(Error::DeviceLimit {
                    device: device.to_string(),
                    kernel: parameter.name.to_owned(),
                    resource: "bytes in one buffer".to_owned(),
                    needed: bytes.as_slice().len() as u64,
                    available: device.limits().buffer,
                });
            }
            Given::Host { .. } | Given::Scalar { .. } | Given::Size(_) => {}
        }
    }
    Ok(())
}

/// What an argument is on the device; `None` for a size, which kernels get by its variable.
fn upload(argument: &Given<'_>, session: &Session) -> Result<Option<KernelArgument>> {
    Ok(match argument {
        Given::Host { bytes, .. } => {
            let buffer = session.allocate(bytes.as_slice().len())?;
            session.write(&buffer, bytes.as_slice())?;
            Some(KernelArgument::Buffer(Arc::new(buffer)))
        }
        Given::Device { data, .. } => Some(KernelArgument::Buffer(Arc::clone(&data.buffer))),
        Given::Scalar { bits, .. } => Some(KernelArgument::Bits(bits.clone())),
        Given::Size(_) => None,
    })
}

/// What the parameters of the kernels can be bound to.
struct Bindings<'a> {
    program: &'static Program,
    plan: &'a Plan,
    parameters: Vec<Option<KernelArgument>>,
    results: Vec<Arc<Buffer>>,
    temporaries: Vec<Arc<Buffer>>,
}

impl Bindings<'_> {
    fn value(&self, argument: Argument) -> Result<KernelArgument> {
        let value = match argument {
            Argument::Parameter(position) => self.parameters.get(position).cloned().flatten(),
            Argument::Result(position) => self.results.get(position).cloned().map(KernelArgument::Buffer),
            Argument::Temporary(position) => {
                self.temporaries.get(position).cloned().map(KernelArgument::Buffer)
            }
            Argument::Size(slot) => self.plan.sizes.get(slot).copied().and_then(|value| self.index(value)),
        };
        value.ok_or_else(|| internal(self.program, format!("{argument:?} does not exist")))
    }

    /// A size as `index_t`.
    fn index(&self, value: i64) -> Option<KernelArgument> {
        Some(KernelArgument::Bits(match self.plan.index {
            IndexWidth::Narrow => Bits::Bits32(u32::try_from(value).ok()?),
            IndexWidth::Wide => Bits::Bits64(u64::try_from(value).ok()?),
        }))
    }
}
