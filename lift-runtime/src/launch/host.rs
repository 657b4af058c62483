//! Executes a plan on the host: the kernels are functions of Rust, which run one after the other, each on all
//! threads.
//!
//! Host data in row-major order is read in place. A result is written into the vector that the caller gets,
//! or into the caller's own memory if that is row-major as well. A panic in a kernel is a mistake of the
//! compiler; it is returned as an error, and so is what a kernel finds out about memory.

use std::any::Any;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::launcher::{Code, Kernels, Launcher, Started, tell_repeated};
use crate::backend::{Memory, Temporaries};
use crate::dense_array::DenseArray;
use crate::device::{Device, DeviceData};
use crate::erased::{ErasedCells, ErasedVec};
use crate::error::{Error, Result, internal};
use crate::host::{Arguments, Bound, instructions};
use crate::input::Given;
use crate::output::Destination;
use crate::plan::steps::{self, Executor, Meaning};
use crate::plan::{Chosen, Plan, PlannedKernel};
use crate::process;
use crate::program::{self, Action, Argument, Program, ScalarType};

/// Runs kernels on the threads of this process.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HostLauncher;

impl Launcher for HostLauncher {
    fn prepare(&self, code: Code<'_>, _types: &[ScalarType], device: &Device) -> Result<()> {
        check(code, device)?;
        tell_repeated_once(code.program, device);
        Ok(())
    }

    /// Its kernels are part of the program.
    fn build(&self, _code: Code<'_>, _plan: &Plan, _device: &Device) -> Result<()> {
        Ok(())
    }

    /// The host has no groups.
    fn check_chosen(
        &self,
        _code: Code<'_>,
        _types: &[ScalarType],
        _kernel: &program::Kernel,
        _local: [usize; 3],
        _device: &Device,
    ) -> Result<()> {
        Ok(())
    }

    fn start(
        &self,
        code: Code<'_>,
        plan: &Plan,
        arguments: &[Given<'_>],
        device: &Device,
    ) -> Result<Started> {
        run(code, plan, arguments, device)
    }

    /// Kernels write their results to the user's memory if it is laid out as on a device.
    fn start_into(
        &self,
        code: Code<'_>,
        plan: &Plan,
        arguments: &[Given<'_>],
        device: &Device,
        destination: &mut dyn Destination,
    ) -> Result<Option<Started>> {
        match places(plan, destination) {
            Some(places) => run_into(code, plan, arguments, device, places).map(|_| None),
            None => run(code, plan, arguments, device).map(Some),
        }
    }

    fn start_on_device(
        &self,
        code: Code<'_>,
        plan: &Plan,
        arguments: &[Given<'_>],
        device: &Device,
        results: Vec<&mut Memory>,
    ) -> Result<()> {
        let cells = results.into_iter().map(Memory::cells_on_host);
        let cells = cells.collect::<Option<Vec<_>>>();
        let cells =
            cells.ok_or_else(|| internal(code.program, "a result that is not on the host".to_owned()))?;
        run_into(code, plan, arguments, device, cells).map(drop)
    }
}

/// Logs what a program computes more often than its source says, when the process first uses the program on
/// the host, which builds nothing.
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

/// Checks that there are functions of Rust for all kernels, threads, and instructions for their loops.
fn check(code: Code<'_>, device: &Device) -> Result<()> {
    process::check()?;
    instructions::chosen()?;
    let Code { program, host, .. } = code;
    let kernels = program.plain.kernels;
    if host.is_empty() && !kernels.is_empty() {
        return Err(Error::NoHostCode { program: program.name.to_owned(), device: device.to_string() });
    }
    if host.len() != kernels.len() {
        let message = format!("{} host functions for {} kernels", host.len(), kernels.len());
        return Err(internal(program, message));
    }
    Ok(())
}

/// Runs the kernels, and returns when they are done.
fn run(code: Code<'_>, plan: &Plan, arguments: &[Given<'_>], device: &Device) -> Result<Started> {
    let mut results = allocate(&plan.results)?;
    let places = results.iter_mut().map(ErasedVec::as_cells).collect();
    let done = run_into(code, plan, arguments, device, places)?;
    let results = plan.results.iter().cloned().zip(results).map(|(array, elements)| {
        (array, DeviceData { device: device.clone(), memory: Memory::Host(Arc::new(elements)) })
    });
    Ok(Started { results: results.collect(), kernels: Kernels::Done(done) })
}

/// The user's memory for all results; `None` if one of them has to be put somewhere else first.
fn places<'d>(plan: &Plan, destination: &'d mut dyn Destination) -> Option<Vec<ErasedCells<'d>>> {
    let mut places = Vec::new();
    destination.places(&mut |place| places.push(place));
    let places: Vec<ErasedCells<'d>> = places.into_iter().collect::<Option<_>>()?;
    let fits = |(array, place): (&DenseArray, &ErasedCells<'_>)| {
        array.element == place.element() && array.shape.iter().product::<usize>() == place.len()
    };
    (places.len() == plan.results.len() && plan.results.iter().zip(&places).all(fits)).then_some(places)
}

/// Runs the kernels, which write their results to these places, and returns the time that each took.
fn run_into(
    code: Code<'_>,
    plan: &Plan,
    arguments: &[Given<'_>],
    device: &Device,
    results: Vec<ErasedCells<'_>>,
) -> Result<Vec<(&'static str, Duration)>> {
    check(code, device)?;
    tell_repeated_once(code.program, device);
    let mut temporaries = Temporaries::take(&plan.temporaries)?;
    let mut copies = copies(code.program.plain.steps, arguments)?;
    let bindings = Bindings {
        program: code.program,
        plan,
        arguments,
        copies: copies.iter_mut().map(|(position, copy)| (*position, copy.as_cells())).collect(),
        results,
        temporaries: temporaries.as_cells(),
    };
    let done = Vec::with_capacity(plan.kernels.len());
    let mut running = Running { code, bindings, done };
    steps::for_each_launch(Chosen::plain(code.program), &plan.steps, &mut running)?;
    Ok(running.done)
}

/// Kernels that run one after the other.
struct Running<'a> {
    code: Code<'a>,
    bindings: Bindings<'a>,
    /// Those that have run, with the time that each took.
    done: Vec<(&'static str, Duration)>,
}

impl Executor for Running<'_> {
    fn launch(
        &mut self,
        planned: &PlannedKernel,
        kernel: &'static program::Kernel,
        meaning: &dyn Fn(Argument) -> Meaning,
    ) -> Result<()> {
        let program = self.code.program;
        let Some(function) = self.code.host.get(planned.position) else { return Ok(()) };
        let value = |&argument: &Argument| self.bindings.value(argument, meaning(argument));
        let arguments = Arguments::new(kernel.host_arguments.iter().map(value).collect::<Result<_>>()?);
        let start = Instant::now();
        // After a panic, the temporaries are dropped, and the results may hold anything.
        catch_unwind(AssertUnwindSafe(|| function(&arguments)))
            .map_err(|panic| unwound(program, kernel.entry, panic))?
            .map_err(|mismatch| internal(program, format!("in the kernel `{}`, {mismatch}", kernel.entry)))?;
        self.done.push((kernel.entry, start.elapsed()));
        Ok(())
    }

    fn holds(&mut self, stored: Meaning) -> Result<bool> {
        let found = match stored {
            Meaning::Argument(Argument::Temporary(position)) => self.bindings.temporaries.get(position),
            Meaning::Argument(_) | Meaning::Number(_) => None,
        };
        let truth = match found {
            Some(ErasedCells::Bool(cells)) => cells.first().map(|cell| cell.get()),
            Some(_) | None => None,
        };
        truth.ok_or_else(|| {
            internal(self.code.program, "nothing says whether there is another application".to_owned())
        })
    }
}

fn allocate(arrays: &[DenseArray]) -> Result<Vec<ErasedVec>> {
    arrays.iter().map(|array| ErasedVec::zeros(array.element, array.shape.iter().product())).collect()
}

/// Copies of the parameters that repetitions begin with.
fn copies(steps: &[Action], arguments: &[Given<'_>]) -> Result<Vec<(usize, ErasedVec)>> {
    let mut copies = Vec::new();
    for step in steps {
        let Action::Repeat(repetition) = step else { continue };
        for array in repetition.arrays {
            if let Argument::Parameter(position) = array.input
                && let Some(Bound::Read(elements)) = arguments.get(position).and_then(parameter)
            {
                copies.push((position, elements.to_vec()?));
            }
        }
        copies.extend(self::copies(repetition.body, arguments)?);
    }
    Ok(copies)
}

/// Why a kernel did not return: with an error of its own ([`host::memory`](crate::host::memory)), or because
/// it panicked.
fn unwound(program: &'static Program, kernel: &str, reason: Box<dyn Any + Send>) -> Error {
    let panic = match reason.downcast::<Error>() {
        Ok(error) => return *error,
        Err(panic) => panic,
    };
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
    internal(program, format!("the kernel `{kernel}` panicked on the host: {text}"))
}

/// What the parameters of kernels can be bound to.
struct Bindings<'a> {
    program: &'static Program,
    plan: &'a Plan,
    arguments: &'a [Given<'a>],
    /// Copies of parameters, by position.
    copies: Vec<(usize, ErasedCells<'a>)>,
    results: Vec<ErasedCells<'a>>,
    temporaries: Vec<ErasedCells<'a>>,
}

impl<'a> Bindings<'a> {
    /// The binding of an argument that means another one in this iteration. A function knows for each array
    /// whether it is ever written. So the first of two arrays that change places cannot be a parameter, which
    /// is never written: it is a copy.
    fn value(&self, argument: Argument, meaning: Meaning) -> Result<Bound<'a>> {
        let meaning = match meaning {
            Meaning::Argument(meaning) => meaning,
            Meaning::Number(number) => {
                let number = i64::try_from(number).ok().map(Bound::Size);
                return number
                    .ok_or_else(|| internal(self.program, "too many applications or rows".to_owned()));
            }
        };
        let value = match meaning {
            Argument::Parameter(position) if argument != meaning => {
                let copy = self.copies.iter().find(|(copied, _)| *copied == position);
                copy.map(|(_, cells)| Bound::Shared(*cells))
            }
            Argument::Parameter(position) => self.arguments.get(position).and_then(parameter),
            Argument::Result(position) => self.results.get(position).copied().map(Bound::Shared),
            Argument::Temporary(position) => self.temporaries.get(position).copied().map(Bound::Shared),
            Argument::Size(slot) => self.plan.sizes.get(slot).copied().map(Bound::Size),
            Argument::Counter(_) => None,
        };
        value.ok_or_else(|| internal(self.program, format!("{argument:?} does not exist on the host")))
    }
}

/// An argument as a kernel reads it; `None` for a size, which kernels get as a size variable.
fn parameter<'a>(argument: &'a Given<'a>) -> Option<Bound<'a>> {
    match argument {
        Given::Host { elements, .. } => Some(Bound::Read(elements.as_slice())),
        Given::Device { data, .. } => Some(Bound::Read(data.memory.on_host()?.as_slice())),
        Given::Scalar { bits, .. } => Some(Bound::Value(bits.as_bytes())),
        Given::DeviceValue { data, .. } => Some(Bound::Value(data.memory.on_host()?.as_slice().bytes())),
        Given::Size(_) => None,
    }
}
