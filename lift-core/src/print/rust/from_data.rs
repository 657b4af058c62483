//! Loops whose number of iterations is data, and elements at positions from data.
//!
//! LLVM cannot see that neighbouring elements lie in their array when only data says where they begin and
//! where they end. They are sliced before the loop, with one check for all of them (as [`bounds_checks`]
//! does for the lanes of a strip). An element at a position from data, which is clamped into its array, is
//! looked up with the check that it needs anyway; it is clamped only where that fails.
//!
//! [`bounds_checks`]: super::bounds_checks

use super::Printer;
use super::lane_scope::LaneScope;
use crate::flat::FlatSet;
use crate::host::{Bounds, Task, computed_indices};
use crate::ir::kernel::accesses::{Accesses, Certainty, Stride, stride};
use crate::ir::kernel::visit::Visit;
use crate::ir::kernel::{BufferId, Statement};
use crate::ir::nat::{Condition, Nat, Ranges, Substitution, Var};

impl Printer<'_> {
    /// Whether an index depends on positions from data.
    fn depends_on_data(&self, index: &Nat) -> bool {
        self.from_data.iter().any(|from_data| index.mentions(from_data))
    }

    /// Notes the positions from data that a statement declares.
    pub(super) fn note_data(&mut self, statement: &Statement) {
        match statement {
            Statement::DeclareIndex { index, .. } => {
                self.from_data.insert(index.clone());
            }
            Statement::DeclareValue { index, value, .. } if self.depends_on_data(value) => {
                self.from_data.insert(index.clone());
            }
            _ => {}
        }
    }

    /// The statements of a loop, if the number of its iterations is data and it is divided no further.
    pub(super) fn statements_over_data(&self, bounds: &Bounds, body: &[Task]) -> Option<Vec<Statement>> {
        let Bounds::Whole(extent) = bounds else { return None };
        let plain = body.iter().map(|task| match task {
            Task::Plain(statement) => Some(statement.clone()),
            _ => None,
        });
        self.depends_on_data(extent).then(|| plain.collect()).flatten()
    }

    /// Declares slices of the neighbours that the iterations of a loop read, if their number is data. The
    /// loop reads them by the scope that is returned.
    pub(super) fn slices_of_data(
        &mut self,
        (index, extent): (&Var, &Nat),
        body: &[Statement],
        scope: &LaneScope,
        ranges: &Ranges,
    ) -> LaneScope {
        let mut inside = scope.clone();
        if !self.depends_on_data(extent) {
            return inside;
        }
        let extent = self.nat(extent, ranges);
        let varying: FlatSet<Var> = scope.indices().cloned().chain(computed_indices(body)).collect();
        let first = Substitution::from([(index.clone(), Nat::zero())]);
        for load in Accesses::of(body).loads {
            let is_sliced = load.certainty == Certainty::Always
                && load.depth == 0
                && load.ty.lanes == 1
                && stride(&load.index, index, &varying) == Stride::One;
            let is_known = scope.owns(load.buffer) || inside.load(load.buffer, &load.index).is_some();
            let Some(source) = self.source(load.buffer).filter(|source| source.is_slice && !is_known) else {
                continue;
            };
            if !is_sliced {
                // The closure reads variables of the function through pointers, and LLVM loads these in
                // each iteration, as a call in the loop might change them. A local stays in a register.
                if inside.array(load.buffer).is_none() {
                    let name = inside.fresh("array");
                    self.line(format!("let {name} = {};", source.name));
                    inside.name_array(load.buffer, name);
                }
                continue;
            }
            let (name, begin) = (inside.fresh("slice"), self.nat(&load.index.substitute(&first), ranges));
            self.line(format!("let {name} = __lift_host::elements({}, {begin}, {extent});", source.name));
            let position = self.names.index(index);
            inside.read_by(load.buffer, load.index, format!("__lift_host::at({name}, {position})"));
        }
        inside
    }

    /// The array in which the next statement looks up the element at `index`, if nothing else mentions it.
    pub(super) fn looked_up(
        &self,
        index: &Var,
        length: &Nat,
        behind: &[Statement],
        scope: &LaneScope,
    ) -> Option<BufferId> {
        let (next, rest) = behind.split_first()?;
        if scope.index_varies(index) || next.blocks().next().is_some() || mentions(rest, index) > 0 {
            return None;
        }
        let reads = Accesses::of(std::slice::from_ref(next)).loads;
        let mut reads = reads.iter().filter(|load| load.index.as_variable() == Some(index));
        let (load, other) = (reads.next()?, reads.next());
        let is_only_one = other.is_none() && mentions(std::slice::from_ref(next), index) == 1;
        let is_whole = self.module.buffers.get(load.buffer.0).is_some_and(|buffer| buffer.length == *length);
        let is_slice = self.source(load.buffer).is_some_and(|source| source.is_slice);
        (is_only_one && is_whole && is_slice && load.ty.lanes == 1).then_some(load.buffer)
    }
}

impl Printer<'_> {
    /// The text for the element of an array at a position from data, or the nearest one.
    pub(super) fn nearest_element(&self, array: BufferId, position: &str, scope: &LaneScope) -> String {
        let renamed = scope.array(array).map(str::to_owned);
        let name = renamed.or_else(|| Some(self.source(array)?.name)).unwrap_or_default();
        format!("__lift_host::nearest({name}, {position})")
    }
}

/// How often statements mention an index.
fn mentions(statements: &[Statement], index: &Var) -> usize {
    let mut mentions = Mentions { index, count: 0 };
    mentions.block(statements);
    mentions.count
}

struct Mentions<'v> {
    index: &'v Var,
    count: usize,
}

impl Visit for Mentions<'_> {
    fn nat(&mut self, nat: &Nat) {
        self.count += usize::from(nat.mentions(self.index));
    }

    fn condition(&mut self, condition: &Condition) {
        self.count += usize::from(condition.variables().contains(self.index));
    }
}
