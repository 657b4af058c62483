//! Plans how the host executes a kernel: the kernel tree, cut into tasks for threads and for the lanes of
//! their vector units.
//!
//! Input: a kernel body as code generation produced it. Every parallel loop has all its iterations, and
//! nothing is divided among work-items yet. So a map over the work-items of a group is a loop that ends
//! before the next one begins, which is all that a barrier requires, and local memory is an array that
//! belongs to the loop over groups.
//!
//! Output: [`Task`]s, which `print::rust` prints.
//!
//! - `updates`: makes loops sequential in which work-items update elements together;
//! - `parallel`: gives outer loops over work-items or groups to threads; everything else is done in order;
//! - `strips`: strip-mines a loop whose iterations are independent. Each statement is executed for all
//!   positions of a strip before the next statement. So sequential loops move outside, and what remains
//!   inside is a loop of fixed length over neighbouring elements (loop distribution and scalar expansion, as
//!   in Allen and Kennedy, *Automatic translation of Fortran programs to vector form*, TOPLAS 1987). No
//!   result depends on the order of the lanes;
//! - `accumulators`: puts loops that add up or take minima in strips of their own;
//! - `independence`: which loops have independent iterations;
//! - `distribute`: the statements of a body for a strip;
//! - `invariant_loads`: moves loads before a loop that are the same in each of its iterations;
//! - `collapse`: turns two loops over the elements of a packed array into one;
//! - `blocks`: strips for several rows at once where rows load the same;
//! - `interior`: for which positions of a strip's loop borders do not matter;
//! - `task`: the output;
//! - `simplify`: simplifies kernel code where more is known about its indices.

use std::borrow::Cow;

use crate::diagnostic::Diagnostic;
use crate::ir::code::{Code, KernelCode};
use crate::ir::kernel::parameters::{Unavailable, kernel_parameters};
use crate::ir::kernel::{BufferId, KernelParameter, Module, ranges_of_kernel};
use crate::ir::typed::Rounding;

mod accumulators;
mod blocks;
mod collapse;
mod distribute;
mod independence;
mod interior;
mod invariant_loads;
mod parallel;
mod simplify;
mod strips;
mod task;
mod updates;

pub(crate) use crate::ir::kernel::accesses::computed_indices;
use accumulators::in_program_order;
pub(crate) use accumulators::{Accumulators, Combination, StripsOfLoop};
pub use interior::Interior;
use parallel::plan_body;
pub use task::{Blocks, Bounds, LaneOfLeast, LaneTask, Lanes, Narrow, Parallel, Strip, Strips, Task};
use updates::without_updates;

/// The kernels of a program for the host, and what they share.
#[derive(Debug, Clone, PartialEq)]
pub struct HostModule {
    /// Functions, buffers, names and repetitions; it has no kernels for a device.
    pub module: Module,
    /// The kernels, in launch order.
    pub kernels: Vec<HostKernel>,
}

/// Plans how the host executes code. The launcher allocates temporaries once for host and device: they are
/// those of `device`.
///
/// # Errors
/// Reports an inconsistency inside the compiler.
pub(crate) fn plan(code: &Code, device: &Module) -> Result<HostModule, Diagnostic> {
    let kernels = kernels(code).map_err(|unavailable| {
        let problem = format!("a kernel for the host lacks something: {unavailable:?}");
        Diagnostic::internal(code.program.body.source, &problem)
    })?;
    let mut buffers = code.buffers.clone();
    for (own, shared) in buffers.iter_mut().zip(&device.buffers) {
        if shared.role.temporary().is_some() {
            own.clone_from(shared);
        }
    }
    let module = Module {
        functions: code.functions.clone(),
        kernels: Vec::new(),
        repetitions: code.repetitions.clone(),
        buffers,
        size_names: code.size_names.clone(),
        rounding: code.program.rounding,
    };
    Ok(HostModule { module, kernels })
}

/// The kernels of a program, as the host executes them.
pub(crate) fn kernels(code: &Code) -> Result<Vec<HostKernel>, Unavailable> {
    let mut fresh = code.fresh.clone();
    let plan = |(position, kernel): (usize, &KernelCode)| {
        fresh.with_names(kernel.names.clone());
        let ranges = ranges_of_kernel(position, &code.repetitions, &code.ranges);
        let parameters = kernel_parameters(&kernel.body, code, &code.buffers)?;
        let in_turn = without_updates(&kernel.body, &code.buffers);
        let body = in_turn.as_deref().unwrap_or(&kernel.body);
        let body = match code.program.rounding {
            Rounding::Free => Cow::Borrowed(body),
            Rounding::Strict => Cow::Owned(in_program_order(body)),
        };
        let (memories, tasks) = plan_body(&body, &code.buffers, &ranges, &mut fresh);
        Ok(HostKernel { parameters, memories, tasks })
    };
    code.kernels.iter().enumerate().map(plan).collect()
}

/// A kernel as the host executes it.
#[derive(Debug, Clone, PartialEq)]
pub struct HostKernel {
    /// The arguments of the call that it reads.
    pub parameters: Vec<KernelParameter>,
    /// The memories that all of it shares.
    pub memories: Vec<BufferId>,
    /// The tasks that it executes.
    pub tasks: Vec<Task>,
}
