//! From the code of a kernel, in which every parallel loop has all its steps, to the kernel: on a device by the passes of
//! [`refine`](crate::refine) and barrier placement, in the order in which they rely on each other; on the host by its plan.

use super::{Generated, Generator, guard, launch, parameters};
use crate::barrier;
use crate::diagnostic::Diagnostic;
use crate::host::{HostKernel, plan};
use crate::kernel::{BufferId, Kernel, Launches, Statement, Workers, ranges_of_kernel};
use crate::nat::Var;
use crate::options::{Borders, ControlFlow, Indices};
use crate::refine::{
    Resources, assign_in_branches, coalesce_copies, divide_private_arrays, join_branches, keep_in_registers,
    leave_gaps, load_behind_barriers, load_early, name_common_indices, reuse_local_memory,
    share_in_local_memory, straighten, treat_interior_apart, unroll_innermost,
};
use crate::typed::Launch;

impl Generator<'_> {
    /// The kernels as the host executes them.
    pub(super) fn host_kernels(&mut self, bodies: &[Vec<Statement>]) -> Generated<Vec<HostKernel>> {
        let mut kernels = Vec::new();
        for (position, (body, names)) in bodies.iter().zip(self.names_of_bodies.clone()).enumerate() {
            self.names = names;
            let ranges = ranges_of_kernel(position, &self.repetitions, &self.ranges);
            let parameters = parameters::kernel_parameters(body, self.program, &self.scalars, &self.buffers)?;
            let mut fresh = |wanted: &str| {
                self.next_variable += 1;
                Var::new(self.next_variable, self.names.fresh(wanted))
            };
            let (memories, steps) = plan(body, &self.buffers, &ranges, &mut fresh);
            kernels.push(HostKernel { parameters, memories, steps });
        }
        Ok(kernels)
    }

    /// Completes a kernel: launch sizes, single writers, barriers, registers, parameters.
    pub(super) fn kernel(
        &mut self,
        wanted: &str,
        mut body: Vec<Statement>,
        stated: Option<&Launch>,
    ) -> Generated<Kernel> {
        let sizes = launch::choose_sizes(&body, &self.ranges, self.program, stated);
        launch::set_trips(&mut body, &sizes, &self.ranges);
        self.check_levels(&body, &sizes)?;
        let body = match sizes.launches {
            Launches::Pinned => divide_private_arrays(body, &mut self.buffers, sizes.local, &self.ranges)
                .map_err(|buffer| self.shared_registers(buffer))?,
            Launches::Any(_) => share_in_local_memory(body, &mut self.buffers, &self.ranges)
                .map_err(|buffer| self.unbounded_shares(buffer))?,
        };
        let body = leave_gaps(body, &self.gaps, &self.ranges);
        let resources = Resources {
            buffers: &mut self.buffers,
            names: &mut self.names,
            next_variable: &mut self.next_variable,
        };
        let (body, pipelined) = load_early(body, &self.pipelined, sizes.local, &self.ranges, resources);
        let body = reuse_local_memory(body, &mut self.buffers, &pipelined.doubled);
        let body = guard::guard_stores(body, &sizes, &self.buffers);
        let dimensions = (0..3).filter(|dimension| sizes.has_several_items(*dimension)).collect();
        let group = barrier::Group { dimensions, ranges: &self.ranges, next_variable: self.next_variable };
        let body = barrier::place_barriers(body, &self.buffers, &group, self.options.barriers)
            .map_err(|message| Diagnostic { source: self.program.body.source, ..message })?;
        let body = load_behind_barriers(body, &pipelined);
        let body = guard::skip_idle_groups(body, &sizes, &mut |workers| self.loop_variable(workers));
        let body = match self.options.control_flow {
            ControlFlow::Simplified => {
                let ranges = self.ranges.clone();
                let mut fresh = || self.loop_variable(Workers::Sequential);
                straighten(body, &sizes.bounds(), &ranges, &mut fresh)
            }
            ControlFlow::Loops => body,
        };
        let body = match self.options.borders {
            Borders::Apart => {
                let resources = Resources {
                    buffers: &mut self.buffers,
                    names: &mut self.names,
                    next_variable: &mut self.next_variable,
                };
                treat_interior_apart(body, &self.ranges, resources)
            }
            Borders::Everywhere => body,
        };
        let body =
            keep_in_registers(body, &self.buffers, &self.ranges, &mut self.names, &mut self.next_variable);
        let mut body = join_branches(coalesce_copies(assign_in_branches(body)));
        let sizes_of_arrays = self.size_names.keys().cloned().collect();
        if self.options.control_flow == ControlFlow::Simplified {
            unroll_innermost(&mut body, &sizes_of_arrays);
        }
        let body = match self.options.indices {
            Indices::Simplified => name_common_indices(
                body,
                &self.buffers,
                &sizes_of_arrays,
                &mut self.names,
                &mut self.next_variable,
            ),
            Indices::AsComposed => body,
        };
        let parameters = parameters::kernel_parameters(&body, self.program, &self.scalars, &self.buffers)?;
        let name = self.names.fresh(wanted);
        let launch::Sizes { global, local, launches, .. } = sizes;
        Ok(Kernel { name, parameters, global, local, launches, body })
    }

    /// Refuses kernels that distribute their work in two ways at once.
    fn check_levels(&self, body: &[Statement], sizes: &launch::Sizes) -> Generated<()> {
        let source = self.program.body.source;
        if launch::mixes_levels(body, &self.ranges, self.program) {
            return Err(Diagnostic::new(
                source,
                "one kernel distributes work over work-groups with `mapWrg`, and elsewhere over the work-items of the \
                 device with `mapGlb`",
            )
            .with_help("use one of them throughout, or `let` the device make one array before the other"));
        }
        if guard::shared_scratch(body, &mut Vec::new(), sizes, &self.buffers).is_some() {
            return Err(Diagnostic::new(
                source,
                "an array that one work-item makes for itself is made outside the map that distributes a dimension: \
                 all work-items of that dimension would make it",
            )
            .with_help("use `mapSeq` instead of the inner `mapGlb`, or make the array short and of a known length"));
        }
        Ok(())
    }

    fn unbounded_shares(&self, buffer: BufferId) -> Diagnostic {
        let source = self.made_at.get(&buffer).copied().unwrap_or(self.program.body.source);
        Diagnostic::new(
            source,
            "with `#[launch(any)]` an array that the work-items of a group compute together lies in local memory, and this one is there \
             once for each step of a `mapLcl` around it, of which the number is not known during compilation",
        )
        .with_help("split the array of the outer `mapLcl` into chunks of a constant length, or leave `any` out: pinned, each \
                    work-item keeps its elements to itself")
    }

    fn shared_registers(&self, buffer: BufferId) -> Diagnostic {
        let source = self.made_at.get(&buffer).copied().unwrap_or(self.program.body.source);
        let help = match self.accumulators.contains(&buffer) {
            true => {
                "let each work-item read its own elements only, or store what the function makes with `toLocal`: what the steps make lies \
                 there then, where every work-item of the group can read it"
            }
            false => {
                "read it by the same work-items, as in `… >> mapLcl0(toGlobal(id))`, or store it with `toLocal`, where every \
                 work-item of the group can read it"
            }
        };
        Diagnostic::new(
            source,
            "the work-items of a group compute this array together, but private memory shows each of them only its own \
             elements, and another one reads them",
        )
        .with_help(help)
    }
}
