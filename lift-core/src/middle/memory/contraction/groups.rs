//! Finds the kernels that can be launched portion by portion.

use std::ops::Range;

use super::{Budget, Group};
use crate::flat::{FlatMap, FlatSet};
use crate::ir::kernel::visit::Visit;
use crate::ir::kernel::{
    Buffer, BufferId, BufferRole, Expression, Loop, Repetition, Statement, UsedBuffers, Uses, ValueType,
    Workers,
};
use crate::ir::nat::{Nat, Ranges};

/// Finds the groups of kernels between which large arrays can be contracted.
pub(crate) fn groups(
    bodies: &[Vec<Statement>],
    buffers: &[Buffer],
    repetitions: &[Repetition],
    ranges: &Ranges,
    budget: Budget,
) -> Vec<Group> {
    let program = Kernels {
        bodies,
        buffers,
        repetitions,
        ranges,
        budget,
        uses: bodies.iter().map(|body| Uses::of(body)).collect(),
    };
    let mut large: Vec<Range<usize>> = (0..buffers.len())
        .map(BufferId)
        .filter(|id| program.may_be_large(*id))
        .filter_map(|id| program.life(id))
        .collect();
    large.sort_by_key(|life| (life.start, life.end));
    let mut together: Vec<Range<usize>> = Vec::new();
    for life in &large {
        match together.last_mut() {
            Some(last) if life.start < last.end => last.end = last.end.max(life.end),
            _ => together.push(life.clone()),
        }
    }
    let mut found = Vec::new();
    for kernels in together {
        if let Some(group) = program.group(&kernels) {
            found.push(group);
            continue;
        }
        // An array that cannot be contracted does not prevent the contraction of others.
        let mut end = kernels.start;
        for life in large.iter().filter(|life| kernels.start <= life.start && life.end <= kernels.end) {
            if life.start >= end
                && let Some(group) = program.group(life)
            {
                end = life.end;
                found.push(group);
            }
        }
    }
    found
}

struct Kernels<'k> {
    bodies: &'k [Vec<Statement>],
    buffers: &'k [Buffer],
    repetitions: &'k [Repetition],
    ranges: &'k Ranges,
    budget: Budget,
    uses: Vec<Uses>,
}

/// When kernels are launched that could be launched before a group or with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Free {
    WithGroup,
    Before,
}

impl Kernels<'_> {
    /// Whether an array between kernels may be much larger than the inputs and results of the program, and
    /// larger than the limit of a group.
    fn may_be_large(&self, id: BufferId) -> bool {
        let Some(buffer) = self.buffers.get(id.0).filter(|buffer| buffer.role.temporary().is_some()) else {
            return false;
        };
        let bytes = |buffer: &Buffer| &buffer.length * Nat::constant(buffer.element.bytes());
        let outside = self.buffers.iter().filter(|buffer| match buffer.role {
            BufferRole::Parameter(_) | BufferRole::Result(_) => true,
            BufferRole::Temporary(_)
            | BufferRole::Scratch(_)
            | BufferRole::Local
            | BufferRole::Private
            | BufferRole::Constant(_) => false,
        });
        let usual = outside.map(bytes).fold(Nat::zero(), |sum, bytes| sum + bytes);
        let usual = usual * Nat::constant(self.budget.usual) + Nat::constant(self.budget.bytes);
        let bytes = bytes(buffer);
        // Sizes of 0 are left out, because with them no array is large.
        let mut ranges = self.ranges.clone();
        let mut sizes = bytes.variables();
        usual.collect_variables(&mut sizes);
        for size in &sizes {
            ranges.declare(size, Nat::one(), None);
        }
        !ranges.proves_at_most(&bytes, &usual)
    }

    /// The range from the first to the last kernel that uses an array.
    fn life(&self, id: BufferId) -> Option<Range<usize>> {
        let mut users = self
            .uses
            .iter()
            .enumerate()
            .filter(|(_, uses)| uses.buffers.contains(&id))
            .map(|(position, _)| position);
        let first = users.next()?;
        Some(first..users.next_back().unwrap_or(first) + 1)
    }

    /// The group of all these kernels, if its arrays can be contracted and one of them may be large.
    fn group(&self, kernels: &Range<usize>) -> Option<Group> {
        self.group_with(kernels, Free::WithGroup).or_else(|| self.group_with(kernels, Free::Before))
    }

    /// The same, where it is decided when kernels are launched that are free.
    fn group_with(&self, kernels: &Range<usize>, free: Free) -> Option<Group> {
        let is_whole = |repetition: &Repetition| {
            let other = &repetition.kernels;
            // What finds out whether there is another application is done as a whole.
            if repetition.end.is_some() && other.start < kernels.end && kernels.start < other.end {
                return false;
            }
            let is_apart = other.end <= kernels.start || kernels.end <= other.start;
            is_apart || other.start <= kernels.start && kernels.end <= other.end
        };
        if !self.repetitions.iter().all(is_whole) {
            return None;
        }
        let rows = self.rows(kernels.start)?;
        let mut before: Vec<usize> = Vec::new();
        let mut members: Vec<usize> = Vec::new();
        for position in kernels.clone() {
            let is_member =
                self.rows(position).is_some_and(|own| self.ranges.is_equal(&own, &rows) == Some(true));
            let is_free =
                !members.is_empty() && members.iter().all(|member| self.are_independent(*member, position));
            match (is_member, is_free) {
                (true, false) => members.push(position),
                (true, true) if free == Free::WithGroup => members.push(position),
                (_, true) => before.push(position),
                (false, false) => return None,
            }
        }
        let mut group = Group { kernels: kernels.clone(), before, rows, arrays: FlatMap::new() };
        let written: FlatSet<BufferId> = group
            .members()
            .filter_map(|position| self.uses.get(position))
            .flat_map(|uses| uses.writes.stored.iter().copied())
            .collect();
        for id in written {
            let users: Vec<usize> =
                group.members().filter(|position| self.uses_buffer(*position, id)).collect();
            match self.row_of(id, &group.rows, &users) {
                Some(row) if self.is_contractible(id, &group) => {
                    group.arrays.insert(id, row);
                }
                // Portions are independent of each other.
                Some(_) => {}
                None if users.len() > 1 => return None,
                None => {}
            }
        }
        group.arrays.keys().any(|id| self.may_be_large(*id)).then_some(group)
    }

    fn uses_buffer(&self, position: usize, id: BufferId) -> bool {
        self.uses.get(position).is_some_and(|uses| uses.buffers.contains(&id))
    }

    /// Whether two kernels may be launched in any order.
    fn are_independent(&self, one: usize, other: usize) -> bool {
        let (Some(one), Some(other)) = (self.uses.get(one), self.uses.get(other)) else { return false };
        one.writes.stored.is_disjoint(&other.buffers) && other.writes.stored.is_disjoint(&one.buffers)
    }

    /// Whether only the group accesses an array that it writes row by row.
    fn is_contractible(&self, id: BufferId, group: &Group) -> bool {
        let is_between_kernels =
            self.buffers.get(id.0).is_some_and(|buffer| buffer.role.temporary().is_some());
        let is_used_elsewhere = (0..self.bodies.len()).any(|position| {
            !group.members().any(|member| member == position) && self.uses_buffer(position, id)
        });
        let goes_on = self
            .repetitions
            .iter()
            .flat_map(|repetition| &repetition.arrays)
            .any(|array| [array.input, array.before, array.after, array.output].contains(&id));
        is_between_kernels && !is_used_elsewhere && !goes_on
    }

    /// The trip count of the loops over rows of a kernel, if the kernel consists of nothing else.
    fn rows(&self, position: usize) -> Option<Nat> {
        let mut rows: Option<Nat> = None;
        for statement in self.bodies.get(position)? {
            match statement {
                Statement::Loop(repetition) if is_over_rows(repetition) => match &rows {
                    Some(rows) if self.ranges.is_equal(rows, &repetition.extent) != Some(true) => {
                        return None;
                    }
                    Some(_) => {}
                    None => rows = Some(repetition.extent.clone()),
                },
                Statement::Comment(_)
                | Statement::Declare(..)
                | Statement::DeclareIndex { .. }
                | Statement::DeclareValue { .. }
                | Statement::CallFunction { .. } => {}
                Statement::DeclareBuffer(_)
                | Statement::DeclareWorker { .. }
                | Statement::Assign(..)
                | Statement::Store(..)
                | Statement::Update { .. }
                | Statement::Loop(_)
                | Statement::If(..)
                | Statement::BreakUnless(_)
                | Statement::Barrier { .. } => return None,
            }
        }
        // The number of rows must be the same in all applications of an `iterate`.
        let is_of_sizes = |rows: &Nat| {
            let steps = self.repetitions.iter().filter_map(|repetition| repetition.step.as_ref());
            steps.clone().all(|step| !rows.mentions(step))
        };
        let is_one = |rows: &Nat| self.ranges.proves_at_most(rows, &Nat::one());
        rows.filter(|rows| is_of_sizes(rows) && !is_one(rows))
    }

    /// The length of a row of an array, if these kernels access only one row of it in each iteration of their
    /// loops over rows.
    fn row_of(&self, id: BufferId, rows: &Nat, users: &[usize]) -> Option<Nat> {
        let length = &self.buffers.get(id.0)?.length;
        let row = self.ranges.simplify(&length.divide(rows));
        let is_whole = self.ranges.is_equal(&(&row * rows), length) == Some(true);
        let is_by_row = |position: &usize| {
            let body = self.bodies.get(*position);
            body.is_some_and(|body| body.iter().all(|statement| self.accesses_its_row(statement, id, &row)))
        };
        (is_whole && users.iter().all(is_by_row)).then_some(row)
    }

    /// Whether all accesses to an array in a top-level statement of a kernel are in the row of the current
    /// iteration.
    fn accesses_its_row(&self, statement: &Statement, id: BufferId, row: &Nat) -> bool {
        let Statement::Loop(repetition) = statement else {
            return !UsedBuffers::of(std::slice::from_ref(statement)).all.contains(&id);
        };
        let first = row * Nat::variable(&repetition.index);
        let mut accesses = Accesses { known: self.ranges.clone(), id, first, row, are_in_row: true };
        accesses.parts(statement);
        accesses.are_in_row
    }
}

fn is_over_rows(repetition: &Loop) -> bool {
    match repetition.workers {
        Workers::Global(_) | Workers::WorkGroup(_) => true,
        Workers::Sequential | Workers::Local(_) => false,
    }
}

/// Looks at every access to an array.
struct Accesses<'a> {
    known: Ranges,
    id: BufferId,
    /// The first element of the row of the current iteration.
    first: Nat,
    row: &'a Nat,
    are_in_row: bool,
}

impl Accesses<'_> {
    fn look_at(&mut self, id: BufferId, index: &Nat, lanes: u8) {
        if id != self.id {
            return;
        }
        let end = index + Nat::constant(i128::from(lanes));
        self.are_in_row &= self.known.proves_at_most(&self.first, index)
            && self.known.proves_at_most(&end, &(&self.first + self.row));
    }
}

impl Visit for Accesses<'_> {
    fn known(&mut self) -> Option<&mut Ranges> {
        Some(&mut self.known)
    }

    fn load(&mut self, buffer: BufferId, index: &Nat, ty: ValueType) {
        self.look_at(buffer, index, ty.lanes);
    }

    fn store(&mut self, buffer: BufferId, index: &Nat, value: &Expression) {
        self.look_at(buffer, index, value.ty().lanes);
    }
}
