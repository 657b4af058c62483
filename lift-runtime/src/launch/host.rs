//! Carrying out a plan on the host: the kernels are functions of Rust, which run one after the other, each on all threads.
//!
//! Host data in row-major order is read where it is, and a result is written into the vector that the caller gets. What a
//! kernel panics with is a mistake of the compiler; it comes back as an error.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use super::{Code, Kernels, Started};
use crate::backend::Memory;
use crate::call::Given;
use crate::device::Device;
use crate::device_array::DeviceData;
use crate::erased::{ErasedCells, ErasedVec};
use crate::error::{Error, Result};
use crate::host::{Arguments, Bound};
use crate::plan::{DenseArray, Plan, internal};
use crate::program::{Argument, Program};

/// Whether there are functions of Rust for all kernels.
pub(super) fn check(code: Code<'_>, device: &Device) -> Result<()> {
    let Code { program, host, .. } = code;
    if host.is_empty() && !program.kernels.is_empty() {
        return Err(Error::NoHostCode { program: program.name.to_owned(), device: device.to_string() });
    }
    if host.len() != program.kernels.len() {
        let message = format!("{} host functions for {} kernels", host.len(), program.kernels.len());
        return Err(internal(program, message));
    }
    Ok(())
}

/// Runs the kernels. When it returns they are done.
pub(super) fn run(code: Code<'_>, plan: &Plan, arguments: &[Given<'_>], device: &Device) -> Result<Started> {
    check(code, device)?;
    let mut results = allocate(&plan.results)?;
    let mut temporaries = allocate(&plan.temporaries)?;
    let bindings = Bindings {
        program: code.program,
        plan,
        arguments,
        results: results.iter_mut().map(ErasedVec::as_cells).collect(),
        temporaries: temporaries.iter_mut().map(ErasedVec::as_cells).collect(),
    };
    let mut done = Vec::with_capacity(plan.kernels.len());
    for planned in &plan.kernels {
        let kernels = code.program.kernels.get(planned.position).zip(code.host.get(planned.position));
        let Some((kernel, function)) = kernels else { continue };
        let bound = kernel.arguments.iter().map(|&argument| bindings.value(argument));
        let arguments = Arguments::new(bound.collect::<Result<_>>()?);
        let start = Instant::now();
        // What a kernel that panics leaves behind is its results and temporaries, which are dropped.
        catch_unwind(AssertUnwindSafe(|| function(&arguments)))
            .map_err(|panic| panicked(code.program, kernel.entry, panic.as_ref()))?;
        done.push((kernel.entry, start.elapsed()));
    }
    drop(bindings);
    let results = plan.results.iter().cloned().zip(results).map(|(array, elements)| {
        (array, DeviceData { device: device.clone(), memory: Memory::Host(Arc::new(elements)) })
    });
    Ok(Started { results: results.collect(), kernels: Kernels::Done(done) })
}

fn allocate(arrays: &[DenseArray]) -> Result<Vec<ErasedVec>> {
    arrays.iter().map(|array| ErasedVec::zeros(array.element, array.shape.iter().product())).collect()
}

fn panicked(program: &'static Program, kernel: &str, panic: &(dyn Any + Send)) -> Error {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
    internal(program, format!("the kernel `{kernel}` panicked on the host: {text}"))
}

/// What the parameters of the kernels can be bound to.
struct Bindings<'a> {
    program: &'static Program,
    plan: &'a Plan,
    arguments: &'a [Given<'a>],
    results: Vec<ErasedCells<'a>>,
    temporaries: Vec<ErasedCells<'a>>,
}

impl<'a> Bindings<'a> {
    fn value(&self, argument: Argument) -> Result<Bound<'a>> {
        let value = match argument {
            Argument::Parameter(position) => self.arguments.get(position).and_then(parameter),
            Argument::Result(position) => self.results.get(position).copied().map(Bound::Shared),
            Argument::Temporary(position) => self.temporaries.get(position).copied().map(Bound::Shared),
            Argument::Size(slot) => self.plan.sizes.get(slot).copied().map(Bound::Size),
        };
        value.ok_or_else(|| internal(self.program, format!("{argument:?} does not exist on the host")))
    }
}

/// An argument as a kernel reads it; none for a size, which kernels get by its variable.
fn parameter<'a>(argument: &'a Given<'a>) -> Option<Bound<'a>> {
    match argument {
        Given::Host { elements, .. } => Some(Bound::Read(elements.as_slice())),
        Given::Device { data, .. } => match &data.memory {
            Memory::Host(elements) => Some(Bound::Read(elements.as_slice())),
            Memory::OpenCl { .. } => None,
        },
        Given::Scalar { bits, .. } => Some(Bound::Value(bits.as_bytes())),
        Given::Size(_) => None,
    }
}
