//! The passes over the code of a kernel, in order.
//!
//! Input: a body in which every parallel loop has all its iterations, and the sizes of its launch. Output:
//! what one work-item does. Each pass turns a correct kernel into a correct one. All of them rely on names:
//! a variable is declared once in a kernel, and code that is copied gets new ones.
//!
//! [`PASSES`] is the one place that lists the passes, what each needs and guarantees, and when it runs. A
//! pass is added by a row; one that can be left out has an [`Optimisation`], by which ablations and their
//! tests find it.
//!
#![doc = include_str!("table.md")]

mod buffer_reuse;
mod common_subexpressions;
mod context;
mod copy;
mod copy_coalescing;
mod dead_code;
mod demotion;
mod if_conversion;
mod index_parts;
mod index_set_splitting;
mod invariant_indices;
mod padding;
mod predicated_remainder;
mod privatisation;
mod scalar_replacement;
mod sinking;
mod software_pipelining;
mod unit_trip_counts;
mod unrolling;
mod vector_accesses;

use lift_description::DeviceClass;

use super::barrier::{self, place_barriers};
use super::error::Error;
use super::guard::{guard_stores, skip_idle_groups};
use crate::ir::kernel::{Launches, Statement};
use crate::options::Optimisation;
use context::Resources;
pub(super) use context::{Context, Prefetched};

/// A pass over the code of a kernel.
pub struct Pass {
    /// Its name on a command line.
    pub name: &'static str,
    /// The field's term for it.
    pub term: &'static str,
    /// What must hold for the code before.
    pub needs: &'static str,
    /// What holds for the code after.
    pub guarantees: &'static str,
    /// When it runs.
    pub when: When,
    run: fn(Vec<Statement>, &mut Context<'_>) -> Result<Vec<Statement>, Error>,
}

/// When a pass runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Always: without it the kernel is wrong.
    Always,
    /// Where the launch is part of the kernel.
    Pinned,
    /// Where the kernel is for any launch.
    AnyLaunch,
    /// Always, unless this optimisation is left out.
    Unless(Optimisation),
    /// For GPUs and other accelerators only, unless this optimisation is left out.
    ForAcceleratorsUnless(Optimisation),
}

impl When {
    /// Whether the pass runs in this context.
    pub(super) fn holds(self, context: &Context<'_>) -> bool {
        match self {
            When::Always => true,
            When::Pinned => context.launch.launches == Launches::Pinned,
            When::AnyLaunch => context.launch.launches != Launches::Pinned,
            When::Unless(optimisation) => !context.options.without.contains(optimisation),
            When::ForAcceleratorsUnless(optimisation) => {
                context.options.devices == DeviceClass::Accelerator
                    && !context.options.without.contains(optimisation)
            }
        }
    }
}

/// All passes, in the order in which they run.
pub static PASSES: &[Pass] = &[
    Pass {
        name: "privatisation",
        term: "privatisation across the work-items of a group",
        needs: "every parallel loop has all its iterations",
        guarantees: "a private array that the work-items of a group make together has, in each of them, its own elements only",
        when: When::Pinned,
        run: |body, context| {
            privatisation::privatise(body, context.buffers, context.launch.local, context.ranges)
                .map_err(Error::SharedRegisters)
        },
    },
    Pass {
        name: "demotion",
        term: "demotion of private arrays to local memory",
        needs: "every parallel loop has all its iterations",
        guarantees: "a private array that the work-items of a group make together lies in local memory",
        when: When::AnyLaunch,
        run: |body, context| {
            demotion::demote_to_local_memory(body, context.buffers, context.ranges)
                .map_err(Error::UnboundedCopies)
        },
    },
    Pass {
        name: "padding",
        term: "padding against bank conflicts",
        needs: "addresses are those of dense arrays",
        guarantees: "rows of arrays that `increase` gave room are that far apart",
        when: When::Unless(Optimisation::Padding),
        run: |body, context| Ok(padding::pad_rows(body, &context.notes.gaps, context.ranges)),
    },
    Pass {
        name: "software-pipelining",
        term: "software pipelining, with double-buffered tiles",
        needs: "private arrays are those of a work-item, and there are no barriers",
        guarantees: "what the next iteration of a `reduceSeqPipelined` loads is loaded before this one computes",
        when: When::Unless(Optimisation::SoftwarePipelining),
        run: |body, context| {
            let resources = Resources { buffers: context.buffers, fresh: context.fresh };
            let pipelined = &context.notes.pipelined;
            let (body, prefetched) = software_pipelining::pipeline_loops(
                body,
                pipelined,
                context.launch.local,
                context.ranges,
                resources,
            );
            context.prefetched = prefetched;
            Ok(body)
        },
    },
    Pass {
        name: "buffer-reuse",
        term: "buffer allocation by liveness, of local memory",
        needs: "there are no barriers: their placement must see which buffers are one",
        guarantees: "local buffers whose lives do not overlap share memory",
        when: When::Unless(Optimisation::BufferReuse),
        run: |body, context| {
            Ok(buffer_reuse::reuse_local_memory(body, context.buffers, &context.prefetched.doubled))
        },
    },
    Pass {
        name: "single-writers",
        term: "guards for code outside of parallel loops",
        needs: "loops over workers are loops",
        guarantees: "what several workers would store in memory that they share is stored by the first of them",
        when: When::Always,
        run: |body, context| Ok(guard_stores(body, context.launch, context.buffers)),
    },
    Pass {
        name: "barriers",
        term: "barrier placement, with uniform loops around barriers",
        needs: "it is known which buffers are one, and loops over workers are loops",
        guarantees: "work-items wait for each other where one reads what another wrote; all of a group reach every barrier",
        when: When::Always,
        run: |body, context| {
            let dimensions =
                (0..3).filter(|dimension| context.launch.has_several_items(*dimension)).collect();
            let newest_variable = context.fresh.newest();
            let group = barrier::Group { dimensions, ranges: context.ranges, newest_variable };
            place_barriers(body, context.buffers, &group, context.options.barriers)
                .map_err(Error::Unreachable)
        },
    },
    Pass {
        name: "prefetch-sinking",
        term: "sinking of prefetches behind barriers",
        needs: "barriers stand where they are needed",
        guarantees: "no value that is loaded early is kept across a barrier that directly follows",
        when: When::Unless(Optimisation::SoftwarePipelining),
        run: |body, context| Ok(software_pipelining::sink_prefetches(body, &context.prefetched)),
    },
    Pass {
        name: "idle-groups",
        term: "guards for groups without work",
        needs: "barriers stand where they are needed",
        guarantees: "groups of a stated launch that have nothing to do store nothing",
        when: When::Always,
        run: |body, context| Ok(skip_idle_groups(body, context.launch, context.fresh)),
    },
    Pass {
        name: "unit-trip-counts",
        term: "elimination of loops with unit trip counts",
        needs: "barriers stand where they are needed: their placement must see which code is in a loop over work-items",
        guarantees: "loops in which every worker has one iteration, or at most one, are straight code or an `if`",
        when: When::Unless(Optimisation::UnitTripCounts),
        run: |body, context| {
            Ok(unit_trip_counts::remove_unit_loops(
                body,
                &context.launch.bounds(),
                context.ranges,
                context.fresh,
            ))
        },
    },
    Pass {
        name: "index-set-splitting",
        term: "index-set splitting",
        needs: "private arrays are arrays: copies of code have their own",
        guarantees: "code that compares indices with the edges of arrays is there without comparisons, too, for the interior",
        when: When::Unless(Optimisation::IndexSetSplitting),
        run: |body, context| {
            let resources = Resources { buffers: context.buffers, fresh: context.fresh };
            Ok(index_set_splitting::split_index_sets(body, context.ranges, resources))
        },
    },
    Pass {
        name: "scalar-replacement",
        term: "scalar replacement of arrays, with full unrolling",
        needs: "private arrays are those of a work-item",
        guarantees: "private arrays whose indices are all constant once loops are unrolled are variables, and only what is needed is stored in them",
        when: When::Unless(Optimisation::ScalarReplacement),
        run: |body, context| {
            Ok(scalar_replacement::replace_by_scalars(body, context.buffers, context.ranges, context.fresh))
        },
    },
    Pass {
        name: "dead-code",
        term: "dead code elimination",
        needs: "a variable is declared once",
        guarantees: "every variable is needed for what the kernel stores",
        when: When::Unless(Optimisation::DeadCode),
        run: |body, _| Ok(dead_code::eliminate_dead_code(body)),
    },
    Pass {
        name: "if-conversion",
        term: "if-conversion of copies",
        needs: "a variable is declared once",
        guarantees: "branches assign the place where their value goes",
        when: When::Unless(Optimisation::IfConversion),
        run: |body, _| Ok(if_conversion::convert_copies(body)),
    },
    Pass {
        name: "copy-coalescing",
        term: "copy coalescing",
        needs: "a variable is declared once",
        guarantees: "variables that only carry a value to another variable are that variable",
        when: When::Unless(Optimisation::CopyCoalescing),
        run: |body, _| Ok(copy_coalescing::coalesce_copies(body)),
    },
    Pass {
        name: "sinking",
        term: "branch fusion and sinking",
        needs: "a variable is declared once",
        guarantees: "neighbouring branches of one condition are one, and what only one branch needs is computed in it",
        when: When::Unless(Optimisation::Sinking),
        run: |body, _| Ok(sinking::sink_into_branches(body)),
    },
    Pass {
        name: "predicated-remainder",
        term: "strip-mining with a predicated remainder",
        needs: "loops that become straight code are straight code",
        guarantees: "loops with little code over elements that work-items take in turn have strips of a constant length, the last one under conditions; few elements in private memory have one such strip",
        when: When::Unless(Optimisation::PredicatedRemainder),
        run: |body, context| {
            let resources = Resources { buffers: context.buffers, fresh: context.fresh };
            Ok(predicated_remainder::predicate_remainders(
                body,
                context.sizes,
                &context.launch.bounds(),
                context.ranges,
                resources,
            ))
        },
    },
    Pass {
        name: "unrolling",
        term: "unrolling pragmas",
        needs: "loops that become straight code are straight code",
        guarantees: "the OpenCL compiler is asked to unroll short innermost loops",
        when: When::Unless(Optimisation::Unrolling),
        run: |mut body, context| {
            unrolling::unroll_innermost(&mut body, context.sizes);
            Ok(body)
        },
    },
    Pass {
        name: "vector-accesses",
        term: "vectorisation of loads and stores (superword level parallelism)",
        needs: "indices are in their simplest form, and no part of them has a name yet",
        guarantees: "neighbouring scalars in rows of a constant length are loaded and stored as vectors",
        when: When::ForAcceleratorsUnless(Optimisation::VectorAccesses),
        run: |body, context| {
            let resources = Resources { buffers: context.buffers, fresh: context.fresh };
            let unrolls = !context.options.without.contains(Optimisation::Unrolling);
            let sizes = unrolls.then_some(context.sizes);
            Ok(vector_accesses::vectorise_accesses(body, sizes, context.ranges, resources))
        },
    },
    Pass {
        name: "invariant-indices",
        term: "loop-invariant code motion, of clamped indices",
        needs: "indices are in their simplest form, and it is known which loops are unrolled as a whole",
        guarantees: "terms with a minimum or a maximum are computed before the loops that do not change them",
        when: When::ForAcceleratorsUnless(Optimisation::InvariantIndices),
        run: |body, context| {
            let resources = Resources { buffers: context.buffers, fresh: context.fresh };
            Ok(invariant_indices::hoist_invariant_indices(body, resources))
        },
    },
    Pass {
        name: "common-subexpressions",
        term: "common subexpression elimination, of indices",
        needs: "indices are in their simplest form",
        guarantees: "what three or more indices of a block have in common is computed once",
        when: When::Unless(Optimisation::CommonSubexpressions),
        run: |body, context| {
            Ok(common_subexpressions::eliminate_common_subexpressions(
                body,
                context.buffers,
                context.sizes,
                context.fresh,
            ))
        },
    },
];

impl Pass {
    /// Changes the code of a kernel.
    pub(super) fn run(
        &self,
        body: Vec<Statement>,
        context: &mut Context<'_>,
    ) -> Result<Vec<Statement>, Error> {
        (self.run)(body, context)
    }
}

/// The list of the passes, as a table for the documentation.
pub fn table() -> String {
    let mut table =
        "| pass | what it is | needs | guarantees | runs |\n| --- | --- | --- | --- | --- |\n".to_owned();
    for Pass { name, term, needs, guarantees, when, .. } in PASSES {
        let when = match when {
            When::Always => "always".to_owned(),
            When::Pinned => "where the launch is part of the kernel".to_owned(),
            When::AnyLaunch => "with `#[launch(any)]`".to_owned(),
            When::Unless(optimisation) => format!("unless `{optimisation:?}` is left out"),
            When::ForAcceleratorsUnless(optimisation) => {
                format!("in forms for accelerators, unless `{optimisation:?}` is left out")
            }
        };
        table += &format!("| `{name}` | {term} | {needs} | {guarantees} | {when} |\n");
    }
    table
}

#[cfg(test)]
mod tests {
    use crate::flat::FlatSet;

    use super::*;

    #[test]
    fn the_documentation_has_the_table() {
        assert_eq!(include_str!("table.md"), table(), "write what `table()` gives to device/passes/table.md");
    }

    /// Tests leave out the optimisations of the list: one that only a pass names would always run.
    #[test]
    fn the_optimisations_are_the_passes_that_can_be_left_out() {
        let optional = PASSES.iter().filter_map(|pass| match pass.when {
            When::Unless(optimisation) | When::ForAcceleratorsUnless(optimisation) => {
                Some(format!("{optimisation:?}"))
            }
            When::Always | When::Pinned | When::AnyLaunch => None,
        });
        let all = Optimisation::ALL.map(|optimisation| format!("{optimisation:?}"));
        assert_eq!(optional.collect::<FlatSet<_>>(), FlatSet::from(all));
    }
}
