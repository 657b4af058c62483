//! The launches of a module: its kernels, their arguments and order, and the memory between them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::{Action, Alternation, Argument, End, Kernel, Repetition, Temporary};
use crate::ir::kernel::{self, Buffer, BufferId, BufferRole, KernelParameter, Module, Statement};
use crate::ir::nat::Nat;

/// The temporaries of a module; several buffers may be one of them.
pub(super) fn temporaries(module: &Module) -> Vec<Temporary> {
    // Several buffers may be one temporary; these have equal types and lengths.
    let temporary = |buffer: &Buffer| {
        let position = buffer.role.temporary()?;
        Some((position, Temporary { element: buffer.element, length: buffer.length.clone() }))
    };
    let by_position: BTreeMap<usize, Temporary> = module.buffers.iter().filter_map(temporary).collect();
    by_position.into_values().collect()
}

/// A kernel as it is launched on a device.
pub(super) fn launched(kernel: &kernel::Kernel, module: &Module) -> Kernel {
    Kernel {
        entry: kernel.name.clone(),
        arguments: arguments(&kernel.parameters, module),
        host_arguments: Vec::new(),
        global: kernel.global.clone(),
        local: kernel.local.map(|items| usize::try_from(items).unwrap_or(usize::MAX)),
        launches: kernel.launches,
        local_memory: local_memory(kernel, module),
    }
}

/// The arguments that a launcher passes for these parameters.
pub(super) fn arguments(parameters: &[KernelParameter], module: &Module) -> Vec<Argument> {
    parameters.iter().filter_map(|parameter| parameter.argument(module)).collect()
}

/// The actions that launch these kernels; `repetitions` are those that may lie there, inner ones first.
pub(super) fn steps(
    kernels: Range<usize>,
    repetitions: &[kernel::Repetition],
    module: &Module,
) -> Vec<Action> {
    let mut found = Vec::new();
    let mut next = kernels.start;
    while next < kernels.end {
        let is_here = |repetition: &kernel::Repetition| {
            let inside = &repetition.kernels;
            inside.start == next && !inside.is_empty() && inside.end <= kernels.end
        };
        let Some(position) = repetitions.iter().rposition(is_here) else {
            found.push(Action::Launch(next));
            next += 1;
            continue;
        };
        let (inner, outer) = repetitions.split_at(position);
        let Some(repetition) = outer.first() else { break };
        let arrays = repetition.arrays.iter().filter_map(|array| alternation(array, module)).collect();
        let kernels = repetition.repeated();
        let condition = repetition.end.map_or(0, |end| end.condition);
        let first = kernels.start + condition;
        let end = repetition.end.and_then(|end| {
            Some(End {
                condition: steps(kernels.start..first, inner, module),
                goes_on: end.goes_on.argument(module)?,
                copies: steps(kernels.end..repetition.kernels.end, inner, module),
            })
        });
        let body = steps(first..kernels.end, inner, module);
        let (count, step) = (repetition.count.clone(), repetition.step.clone());
        let portion = repetition.portion.clone();
        found.push(Action::Repeat(Repetition { count, step, portion, arrays, body, end }));
        next = repetition.kernels.end;
    }
    found
}

fn alternation(array: &kernel::Alternation, module: &Module) -> Option<Alternation> {
    Some(Alternation {
        input: array.input.argument(module)?,
        before: array.before.argument(module)?,
        after: array.after.argument(module)?,
        output: array.output.argument(module)?,
    })
}

/// The bytes of local memory that a kernel declares; an open element type counts as the largest one.
fn local_memory(kernel: &kernel::Kernel, module: &Module) -> Nat {
    let used: BTreeSet<BufferId> =
        kernel::nested(&kernel.body).filter_map(Statement::stored_buffer).collect();
    let used = used.into_iter().filter_map(|id| module.buffers.get(id.0));
    let local = used.filter(|buffer| buffer.role == BufferRole::Local);
    local.fold(Nat::zero(), |bytes, buffer| bytes + &buffer.length * &Nat::constant(buffer.element.bytes()))
}
