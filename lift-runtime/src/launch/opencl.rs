//! Carrying out a plan on an OpenCL device: build, upload, launch in order.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;

use super::{Kernels, Started};
use crate::backend::{Memory, OpenClDevice};
use crate::cache::Build;
use crate::call::Given;
use crate::device::Device;
use crate::device_array::DeviceData;
use crate::disk_cache::{DiskCache, Key};
use crate::error::{Error, Result};
use crate::launch_sizes;
use crate::opencl::{Bits, Buffer, Executable, KernelArgument, Launched, Session};
use crate::plan::{self, DenseArray, IndexWidth, Plan, PlannedKernel, internal};
use crate::program::{Argument, Kernel, Launches, Program, ScalarType};
use crate::specialise::{self, PassedSizes};
use crate::steps::{self, Meaning};

/// What of a program is built: how wide its indices are, its element types, and a plan where its sizes are constants.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'p> {
    pub(super) index: IndexWidth,
    pub(super) types: &'p [ScalarType],
    pub(super) constants: Option<&'p Plan>,
}

/// The built program; built now unless it was before.
pub(super) fn executable(
    program: &'static Program,
    opencl: &OpenClDevice,
    device: &Device,
    wanted: Wanted<'_>,
) -> Result<Arc<Executable>> {
    let session = opencl.session(device)?;
    let build = Build {
        source: program.source,
        options: plan::build_options(wanted.index, wanted.types),
        constants: wanted.constants.map(|plan| plan.sizes.clone()),
    };
    opencl.programs.get_or_build(build, |build| {
        let source = match wanted.constants {
            Some(plan) => Cow::Owned(specialise::source(program, plan)?),
            None => Cow::Borrowed(program.source),
        };
        let start = Instant::now();
        let (executable, origin) = load_or_compile(program, &session, &source, &build.options)?;
        if let Some(warnings) = session.warnings(&executable) {
            tracing::debug!(program = program.name, %device, %warnings, "the device's compiler says");
        }
        check_groups(program, device, &session, &executable)?;
        tracing::info!(
            program = program.name,
            %device,
            options = build.options,
            constants = build.constants.as_ref().map(tracing::field::debug),
            milliseconds = start.elapsed().as_secs_f64() * 1e3,
            "{origin} a program"
        );
        Ok(executable)
    })
}

/// The program from the folder of built programs, if there is one and the program is in it, else from the driver's compiler;
/// and which of the two it was.
fn load_or_compile(
    program: &'static Program,
    session: &Session,
    source: &str,
    options: &str,
) -> Result<(Executable, &'static str)> {
    let entries = || program.kernels.iter().map(|kernel| kernel.entry);
    let compile = || session.build(program.name, source, options, entries());
    let Some(cache) = DiskCache::of_environment() else { return Ok((compile()?, "compiled")) };
    let key = Key { source, options, driver: session.driver() };
    if let Some(binary) = cache.find(key) {
        match session.load(program.name, &binary, options, entries()) {
            Ok(executable) => return Ok((executable, "loaded")),
            Err(error) => tracing::warn!(program = program.name, %error, "a built program is compiled again"),
        }
    }
    let executable = compile()?;
    match session.binary(&executable) {
        Ok(binary) if binary.is_empty() => {}
        Ok(binary) => cache.keep(key, &binary),
        Err(error) => tracing::warn!(program = program.name, %error, "a built program could not be kept"),
    }
    Ok((executable, "compiled"))
}

/// The registers of a kernel may limit its work-groups further than the device does.
fn check_groups(
    program: &'static Program,
    device: &Device,
    session: &Session,
    executable: &Executable,
) -> Result<()> {
    let pinned = program.kernels.iter().filter(|kernel| kernel.launches == Launches::Pinned);
    for kernel in pinned {
        check_group(kernel, kernel.local, largest_group(kernel, device, session, executable)?, device)?;
    }
    Ok(())
}

/// The largest group in which a kernel can run.
fn largest_group(
    kernel: &Kernel,
    device: &Device,
    session: &Session,
    executable: &Executable,
) -> Result<u64> {
    Ok(session.largest_group(executable, kernel.entry)?.min(device.limits().group))
}

fn check_group(kernel: &Kernel, local: [usize; 3], available: u64, device: &Device) -> Result<()> {
    let needed = plan::group_size(local);
    if needed <= available {
        return Ok(());
    }
    Err(Error::DeviceLimit {
        device: device.to_string(),
        kernel: kernel.entry.to_owned(),
        resource: "work-items in a work-group of this kernel".to_owned(),
        needed,
        available,
    })
}

/// Checks that a kernel can run in groups that the user chose, as it is built for narrow indices.
pub(super) fn check_chosen(
    program: &'static Program,
    types: &[ScalarType],
    kernel: &Kernel,
    local: [usize; 3],
    opencl: &OpenClDevice,
    device: &Device,
) -> Result<()> {
    let wanted = Wanted { index: IndexWidth::Narrow, types, constants: None };
    let executable = executable(program, opencl, device, wanted)?;
    let session = opencl.session(device)?;
    check_group(kernel, local, largest_group(kernel, device, &session, &executable)?, device)
}

/// A launch as the device can have it.
fn on_device(
    kernel: &Kernel,
    planned: &PlannedKernel,
    device: &Device,
    session: &Session,
    executable: &Executable,
) -> Result<PlannedKernel> {
    if kernel.launches == Launches::Pinned {
        return Ok(*planned);
    }
    let most = largest_group(kernel, device, session, executable)?;
    let planned = launch_sizes::on_device(kernel, *planned, device, most);
    check_group(kernel, planned.local, most, device)?;
    Ok(planned)
}

/// Allocates, uploads and enqueues; once more where memory is short that is only kept for later.
pub(super) fn start(
    program: &'static Program,
    plan: &Plan,
    arguments: &[Given<'_>],
    sizes: PassedSizes,
    opencl: &OpenClDevice,
    device: &Device,
) -> Result<Started> {
    let session = opencl.session(device)?;
    let executable = match plan.kernels.as_slice() {
        [] => None,
        [..] => {
            let constants = match sizes.or_environment() {
                PassedSizes::AsConstants => Some(plan),
                PassedSizes::AsArguments => None,
            };
            let index = plan.index.on(device.kind());
            let wanted = Wanted { index, types: &plan.types, constants };
            Some(executable(program, opencl, device, wanted)?)
        }
    };
    let (results, launched) =
        session.with_room(|| enqueue(program, plan, arguments, device, &session, executable.as_deref()))?;
    let on_device = |buffer| DeviceData {
        device: device.clone(),
        memory: Memory::OpenCl { session: Arc::clone(&session), buffer },
    };
    let results = plan.results.iter().cloned().zip(results.into_iter().map(on_device)).collect();
    Ok(Started { results, kernels: Kernels::Enqueued(session, launched) })
}

/// The results of a call, and its kernels in launch order, with their names.
type Enqueued = (Vec<Arc<Buffer>>, Vec<(&'static str, Launched)>);

/// Allocates, uploads and enqueues the kernels, if there are any. What is not a result may be used again by the next call when this returns,
/// though the kernels still need it: the commands of a device run in order.
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
    let bindings = Bindings {
        program,
        plan,
        index: plan.index.on(device.kind()),
        parameters: arguments.iter().map(|argument| upload(argument, session)).collect::<Result<Vec<_>>>()?,
        results: results.clone(),
        temporaries: plan.temporaries.iter().map(allocate).collect::<Result<Vec<_>>>()?,
    };
    steps::for_each_launch(program, &plan.steps, &mut |planned, kernel, meaning| {
        let planned = on_device(kernel, planned, device, session, executable)?;
        let arguments = kernel.arguments.iter().map(|&argument| bindings.value(meaning(argument)));
        let arguments = arguments.collect::<Result<Vec<_>>>()?;
        let event = session.launch(executable, kernel.entry, &arguments, planned.global, planned.local)?;
        launched.push((kernel.entry, event));
        Ok(())
    })?;
    session.flush()?;
    Ok((results, launched))
}

/// What an argument is on the device; `None` for a size, which kernels get by its variable.
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

/// What the parameters of the kernels can be bound to.
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
                return number.ok_or_else(|| internal(self.program, "too many applications".to_owned()));
            }
        };
        let value = match argument {
            Argument::Parameter(position) => self.parameters.get(position).cloned().flatten(),
            Argument::Result(position) => self.results.get(position).cloned().map(KernelArgument::Buffer),
            Argument::Temporary(position) => {
                self.temporaries.get(position).cloned().map(KernelArgument::Buffer)
            }
            Argument::Size(slot) => self.plan.sizes.get(slot).copied().and_then(|value| self.index(value)),
            Argument::Step(_) => None,
        };
        value.ok_or_else(|| internal(self.program, format!("{argument:?} does not exist")))
    }

    /// A size or a number of applications as `index_t`.
    fn index(&self, value: i64) -> Option<KernelArgument> {
        Some(KernelArgument::Bits(match self.index {
            IndexWidth::Narrow => Bits::Bits32(u32::try_from(value).ok()?),
            IndexWidth::Wide => Bits::Bits64(u64::try_from(value).ok()?),
        }))
    }
}
