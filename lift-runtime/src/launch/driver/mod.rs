//! Executes a plan on a device of a driver: build, upload, launch in order.

mod build;
mod groups;
mod selection;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::launcher::{Code, Enqueued, Kernels, Launcher, Started};
use crate::backend::{
    Buffer, DeviceMemory, DriverDevice, IndexWidth, KernelArgument, Memory, Pooled, Session,
};
use crate::bits::Bits;
use crate::dense_array::DenseArray;
use crate::device::{Device, DeviceData};
use crate::error::{Result, internal};
use crate::input::Given;
use crate::output::Destination;
use crate::plan::steps::{self, Executor, Meaning};
use crate::plan::{self, Chosen, Plan, PlannedKernel, Wish, launch_sizes};
use crate::program::{Argument, Kernel, ScalarType};
use crate::specialise::{PassedSizes, Variant};

use build::Wanted;
use selection::Selected;

impl<S: Session> Launcher for DriverDevice<S> {
    fn prepare(&self, code: Code<'_>, types: &[ScalarType], device: &Device) -> Result<()> {
        let wanted = Wanted {
            index: IndexWidth::Narrow.on(device.kind()),
            types,
            constants: None,
            values_on_device: &[],
        };
        let expected = Chosen::expected(code.program, code.wish, device);
        match (build::built(expected, self, device, wanted), code.wish) {
            // Calls pass over a form that the device cannot run.
            (Err(error), Wish::FirstPossible) if !expected.is_plain() => {
                tracing::debug!(program = code.program.name, form = expected.form.name, %device, %error);
                build::built(Chosen::plain(code.program), self, device, wanted).map(drop)
            }
            (built, _) => built.map(drop),
        }
    }

    fn build(&self, code: Code<'_>, plan: &Plan, device: &Device) -> Result<()> {
        if plan.kernels.is_empty() {
            return Ok(());
        }
        let sizes = match code.sizes.or_environment() {
            PassedSizes::AsConstants => Variant::Constants,
            PassedSizes::AsArguments | PassedSizes::WhicheverIsFaster => Variant::Arguments,
        };
        build::built(plan.chosen, self, device, Wanted::of(plan, sizes, device)).map(drop)
    }

    /// The kernel is checked as it is built for narrow indices.
    fn check_chosen(
        &self,
        code: Code<'_>,
        types: &[ScalarType],
        kernel: &Kernel,
        local: [usize; 3],
        device: &Device,
    ) -> Result<()> {
        plan::check_group(kernel.entry, local, device)?;
        let wanted = Wanted { index: IndexWidth::Narrow, types, constants: None, values_on_device: &[] };
        let built = build::built(Chosen::plain(code.program), self, device, wanted)?;
        groups::check(kernel, local, device, self.session(device)?.as_ref(), &built.executable)
    }

    fn start(
        &self,
        code: Code<'_>,
        plan: &Plan,
        arguments: &[Given<'_>],
        device: &Device,
    ) -> Result<Started> {
        let session = self.session(device)?;
        let (results, launched) = begin(plan, arguments, code.sizes, self, device, &session, None)?;
        let on_device = |buffer| DeviceData {
            device: device.clone(),
            memory: Memory::Driver(Arc::new(DeviceMemory { session: Arc::clone(&session), buffer })),
        };
        let results = plan.results.iter().cloned().zip(results.into_iter().map(on_device)).collect();
        Ok(Started { results, kernels: Kernels::Enqueued(Box::new(OnTheirWay { session, launched })) })
    }

    /// The user's memory is not the device's.
    fn start_into(
        &self,
        code: Code<'_>,
        plan: &Plan,
        arguments: &[Given<'_>],
        device: &Device,
        _destination: &mut dyn Destination,
    ) -> Result<Option<Started>> {
        self.start(code, plan, arguments, device).map(Some)
    }

    fn start_on_device(
        &self,
        code: Code<'_>,
        plan: &Plan,
        arguments: &[Given<'_>],
        device: &Device,
        results: Vec<&mut Memory>,
    ) -> Result<()> {
        let buffer = |memory: &mut Memory| memory.of_driver::<S>().map(|memory| Arc::clone(&memory.buffer));
        let buffers = results.into_iter().map(buffer).collect::<Option<Vec<_>>>();
        let buffers =
            buffers.ok_or_else(|| internal(code.program, "a result that is not on the device".to_owned()))?;
        let session = self.session(device)?;
        begin(plan, arguments, code.sizes, self, device, &session, Some(&buffers)).map(drop)
    }
}

/// The kernels of a call with their names, in launch order.
#[derive(Debug)]
struct OnTheirWay<S: Session> {
    session: Arc<S>,
    launched: Vec<(&'static str, S::Launched)>,
}

impl<S: Session> Enqueued for OnTheirWay<S> {
    fn finish(&self) -> Result<()> {
        match self.launched.last() {
            Some((_, launched)) => self.session.wait(launched),
            None => Ok(()),
        }
    }

    fn times(&self) -> Result<Vec<(&'static str, Duration)>> {
        let time =
            |(name, launched): &(&'static str, S::Launched)| Ok((*name, self.session.duration(launched)?));
        self.launched.iter().map(time).collect()
    }
}

/// Allocates, uploads and enqueues. If memory is short that is only kept for later, it is freed, and this is
/// tried once more. The results go to `places` if there are any.
fn begin<S: Session>(
    plan: &Plan,
    arguments: &[Given<'_>],
    sizes: PassedSizes,
    driver: &DriverDevice<S>,
    device: &Device,
    session: &S,
    places: Option<&[Arc<Buffer<S>>]>,
) -> Result<Begun<S>> {
    let selected = match plan.kernels.as_slice() {
        [] => None,
        [..] => Some(Selected::new(plan, sizes, driver, device)?),
    };
    let executable = selected.as_ref().map(Selected::executable);
    let (results, launched) =
        session.with_room(|| enqueue(plan, arguments, device, session, executable, places))?;
    if let Some(selected) = selected {
        selected.launched(&launched, |other| {
            let enqueue = || enqueue(plan, arguments, device, session, Some(other), None);
            let (others, _) = session.with_room(enqueue)?;
            let mut pairs = results.iter().zip(&others);
            pairs.try_fold(true, |same, (a, b)| Ok(same && session.is_equal(a, b)?))
        });
    }
    Ok((results, launched))
}

/// The results of a call, and its kernels in launch order, with their names.
type Begun<S> = (Vec<Arc<Buffer<S>>>, Vec<(&'static str, <S as Session>::Launched)>);

/// Allocates, uploads and enqueues the kernels, if there are any. When this returns, the next call may reuse
/// everything that is not a result, although the kernels still need it: the commands of a device run in
/// order.
fn enqueue<S: Session>(
    plan: &Plan,
    arguments: &[Given<'_>],
    device: &Device,
    session: &S,
    executable: Option<&S::Executable>,
    places: Option<&[Arc<Buffer<S>>]>,
) -> Result<Begun<S>> {
    let allocate = |array: &DenseArray| Ok(Arc::new(session.allocate(array.bytes)?));
    let results = match places {
        Some(places) => places.to_vec(),
        None => plan.results.iter().map(allocate).collect::<Result<Vec<_>>>()?,
    };
    let launched = Vec::new();
    let Some(executable) = executable else { return Ok((results, launched)) };
    let largest_groups = groups::largest_of_plan(plan, device, session, executable)?;
    let bindings = Bindings {
        plan,
        index: plan.index.on(device.kind()),
        parameters: arguments.iter().map(|argument| upload(argument, session)).collect::<Result<Vec<_>>>()?,
        results: results.clone(),
        temporaries: plan.temporaries.iter().map(allocate).collect::<Result<Vec<_>>>()?,
    };
    let mut enqueuing = Enqueuing { device, session, executable, largest_groups, bindings, launched };
    steps::for_each_launch(plan.chosen, &plan.steps, &mut enqueuing)?;
    session.flush()?;
    Ok((results, enqueuing.launched))
}

/// Kernels that are enqueued one after the other.
struct Enqueuing<'a, S: Session> {
    device: &'a Device,
    session: &'a S,
    executable: &'a S::Executable,
    /// The largest work-groups of kernels, by position, where they are limited.
    largest_groups: BTreeMap<usize, u64>,
    bindings: Bindings<'a, S::Memory>,
    /// Those that were enqueued, with their names.
    launched: Vec<(&'static str, S::Launched)>,
}

impl<S: Session> Executor for Enqueuing<'_, S> {
    fn launch(
        &mut self,
        planned: &PlannedKernel,
        kernel: &'static Kernel,
        meaning: &dyn Fn(Argument) -> Meaning,
    ) -> Result<()> {
        let planned = match self.largest_groups.get(&planned.position) {
            Some(most) => launch_sizes::on_device(kernel, *planned, self.device, *most),
            None => *planned,
        };
        let arguments = kernel.arguments.iter().map(|&argument| self.bindings.value(meaning(argument)));
        let arguments = arguments.collect::<Result<Vec<_>>>()?;
        let (global, local) = (planned.global, planned.local);
        let event = self.session.launch(self.executable, kernel.entry, &arguments, global, local)?;
        self.launched.push((kernel.entry, event));
        Ok(())
    }

    /// Waits until the device has stored it.
    fn holds(&mut self, stored: Meaning) -> Result<bool> {
        let KernelArgument::Buffer(buffer) = self.bindings.value(stored)? else {
            let message = "nothing says whether there is another application".to_owned();
            return Err(internal(self.bindings.plan.chosen.program, message));
        };
        let mut truth = [0];
        self.session.read_from(buffer.memory(), 0, &mut truth)?;
        Ok(truth != [0])
    }
}

/// An argument on the device; `None` for a size, which kernels get as a size variable.
fn upload<S: Session>(argument: &Given<'_>, session: &S) -> Result<Option<KernelArgument<S::Memory>>> {
    Ok(match argument {
        Given::Host { elements, .. } => {
            Some(KernelArgument::Buffer(Arc::new(session.upload(elements.as_slice().bytes())?)))
        }
        Given::Device { data, .. } => device_buffer::<S>(data),
        Given::DeviceValue { data, .. } => device_buffer::<S>(data),
        Given::Scalar { bits, .. } => Some(KernelArgument::Bits(bits.clone())),
        Given::Size(_) => None,
    })
}

/// The buffer of data that is on the device.
fn device_buffer<S: Session>(data: &DeviceData) -> Option<KernelArgument<S::Memory>> {
    let memory = data.memory.of_driver::<S>()?;
    Some(KernelArgument::Buffer(Arc::clone(&memory.buffer)))
}

/// What the parameters of kernels can be bound to.
struct Bindings<'a, M: Clone> {
    plan: &'a Plan,
    index: IndexWidth,
    parameters: Vec<Option<KernelArgument<M>>>,
    results: Vec<Arc<Pooled<M>>>,
    temporaries: Vec<Arc<Pooled<M>>>,
}

impl<M: Clone> Bindings<'_, M> {
    fn value(&self, meaning: Meaning) -> Result<KernelArgument<M>> {
        let argument = match meaning {
            Meaning::Argument(argument) => argument,
            Meaning::Number(number) => {
                let number = i64::try_from(number).ok().and_then(|number| self.index(number));
                return number.ok_or_else(|| {
                    internal(self.plan.chosen.program, "too many applications or rows".to_owned())
                });
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
        value.ok_or_else(|| internal(self.plan.chosen.program, format!("{argument:?} does not exist")))
    }

    /// A size or a counter as `index_t`.
    fn index(&self, value: i64) -> Option<KernelArgument<M>> {
        Some(KernelArgument::Bits(match self.index {
            IndexWidth::Narrow => Bits::Bits32(u32::try_from(value).ok()?),
            IndexWidth::Wide => Bits::Bits64(u64::try_from(value).ok()?),
        }))
    }
}
