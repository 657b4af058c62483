//! Executes a plan on an OpenCL device: build, upload, launch in order.

mod build;
mod groups;
mod selection;

use std::sync::Arc;

use super::{Kernels, Started};
use crate::backend::{Memory, OpenClDevice};
use crate::call::Given;
use crate::device::Device;
use crate::device_array::DeviceData;
use crate::error::Result;
use crate::index_width::IndexWidth;
use crate::launch_sizes;
use crate::opencl::{Bits, Buffer, Executable, KernelArgument, Launched, Session};
use crate::plan::{DenseArray, Plan, internal};
use crate::program::{Argument, Program};
use crate::specialise::PassedSizes;
use crate::steps::{self, Meaning};

pub(super) use build::{Wanted, built};
pub(super) use groups::check_chosen;
use selection::Selected;

/// Allocates, uploads and enqueues. If memory is short that is only kept for later, it is freed, and this is
/// tried once more.
pub(super) fn start(
    program: &'static Program,
    plan: &Plan,
    arguments: &[Given<'_>],
    sizes: PassedSizes,
    opencl: &OpenClDevice,
    device: &Device,
) -> Result<Started> {
    let session = opencl.session(device)?;
    let selected = match plan.kernels.as_slice() {
        [] => None,
        [..] => Some(Selected::new(program, plan, sizes, opencl, device)?),
    };
    let executable = selected.as_ref().map(Selected::executable);
    let (results, launched) =
        session.with_room(|| enqueue(program, plan, arguments, device, &session, executable))?;
    if let Some(selected) = selected {
        selected.launched(&launched, |other| {
            let enqueue = || enqueue(program, plan, arguments, device, &session, Some(other));
            let (others, _) = session.with_room(enqueue)?;
            let mut pairs = results.iter().zip(&others);
            pairs.try_fold(true, |same, (a, b)| Ok(same && session.is_equal(a, b)?))
        });
    }
    let on_device = |buffer| DeviceData {
        device: device.clone(),
        memory: Memory::OpenCl { session: Arc::clone(&session), buffer },
    };
    let results = plan.results.iter().cloned().zip(results.into_iter().map(on_device)).collect();
    Ok(Started { results, kernels: Kernels::Enqueued(session, launched) })
}

/// The results of a call, and its kernels in launch order, with their names.
type Enqueued = (Vec<Arc<Buffer>>, Vec<(&'static str, Launched)>);

/// Allocates, uploads and enqueues the kernels, if there are any. When this returns, the next call may reuse
/// everything that is not a result, although the kernels still need it: the commands of a device run in
/// order.
fn enqueue(
    program: &'static Program,
    plan: &Plan,
    arguments: &[Given<'_>],
    device: &Device,
    session: &Session,
    executable: Option<&Executable>,
) -> Result<Enqueued> {
    let allocate = |array: &DenseArray| Ok(Arc::new(session.allocate(array.bytes)?));
    let results = plan.results.iter().map(allocate).collect::<Result<Vec<_>>>()?;
    let mut launched = Vec::new();
    let Some(executable) = executable else { return Ok((results, launched)) };
    let largest_groups = groups::largest_of_plan(program, plan, device, session, executable)?;
    let bindings = Bindings {
        program,
        plan,
        index: plan.index.on(device.kind()),
        parameters: arguments.iter().map(|argument| upload(argument, session)).collect::<Result<Vec<_>>>()?,
        results: results.clone(),
        temporaries: plan.temporaries.iter().map(allocate).collect::<Result<Vec<_>>>()?,
    };
    steps::for_each_launch(program, &plan.steps, &mut |planned, kernel, meaning| {
        let planned = match largest_groups.get(&planned.position) {
            Some(most) => launch_sizes::on_device(kernel, *planned, device, *most),
            None => *planned,
        };
        let arguments = kernel.arguments.iter().map(|&argument| bindings.value(meaning(argument)));
        let arguments = arguments.collect::<Result<Vec<_>>>()?;
        let event = session.launch(executable, kernel.entry, &arguments, planned.global, planned.local)?;
        launched.push((kernel.entry, event));
        Ok(())
    })?;
    session.flush()?;
    Ok((results, launched))
}

/// An argument on the device; `None` for a size, which kernels get as a size variable.
fn upload(argument: &Given<'_>, session: &Session) -> Result<Option<KernelArgument>> {
    Ok(match argument {
        Given::Host { elements, .. } => {
            Some(KernelArgument::Buffer(Arc::new(session.upload(elements.as_slice().bytes())?)))
        }
        Given::Device { data, .. } => match &data.memory {
            Memory::OpenCl { buffer, .. } => Some(KernelArgument::Buffer(Arc::clone(buffer))),
            Memory::Host(_) => None,
        },
        Given::Scalar { bits, .. } => Some(KernelArgument::Bits(bits.clone())),
        Given::Size(_) => None,
    })
}

/// What the parameters of kernels can be bound to.
struct Bindings<'a> {
    program: &'static Program,
    plan: &'a Plan,
    index: IndexWidth,
    parameters: Vec<Option<KernelArgument>>,
    results: Vec<Arc<Buffer>>,
    temporaries: Vec<Arc<Buffer>>,
}

impl Bindings<'_> {
    fn value(&self, meaning: Meaning) -> Result<KernelArgument> {
        let argument = match meaning {
            Meaning::Argument(argument) => argument,
            Meaning::Number(number) => {
                let number = i64::try_from(number).ok().and_then(|number| self.index(number));
                return number
                    .ok_or_else(|| internal(self.program, "too many applications or rows".to_owned()));
            }
        };
        let value = match argument {
            Argument::Parameter(position) => self.parameters.get(position).cloned().flatten(),
            Argument::Result(position) => self.results.get(position).cloned().map(KernelArgument::Buffer),
            Argument::Temporary(position) => {
                self.temporaries.get(position).cloned().map(KernelArgument::Buffer)
            }
            Argument::Size(slot) => self.plan.sizes.get(slot).copied().and_then(|value| self.index(value)),
            Argument::Counter(_) => None,
        };
        value.ok_or_else(|| internal(self.program, format!("{argument:?} does not exist")))
    }

    /// A size or a counter as `index_t`.
    fn index(&self, value: i64) -> Option<KernelArgument> {
        Some(KernelArgument::Bits(match self.index {
            IndexWidth::Narrow => Bits::Bits32(u32::try_from(value).ok()?),
            IndexWidth::Wide => Bits::Bits64(u64::try_from(value).ok()?),
        }))
    }
}
