//! Which loops of a kernel are given to threads.
//!
//! These are the outermost loop over work-items of the device or over groups and, where nothing else stands
//! between them, the next one. A thread gets a part of the positions and does them in order. In accepted
//! programs, different positions of such loops are independent (`check`).

use super::Accumulators;
use super::accumulators::decided_alone;
use super::blocks::blocks;
use super::collapse::collapsed;
use super::independence::is_independent;
use super::strips::strips;
use super::task::{Bounds, Parallel, Task};
use crate::flat::FlatSet;
use crate::ir::kernel::{Buffer, BufferId, BufferRole, Loop, Statement, UsedBuffers, Workers, Writes};
use crate::ir::names::Fresh;
use crate::ir::nat::Ranges;

/// The tasks of a kernel body, and the memories that all of it shares.
pub(super) fn plan_body(
    body: &[Statement],
    buffers: &[Buffer],
    ranges: &Ranges,
    fresh: &mut Fresh,
) -> (Vec<BufferId>, Vec<Task>) {
    let mut planner = Planner { buffers, fresh };
    let tasks = planner.block(body, ranges, Threads::Free);
    let mut given = FlatSet::new();
    collect_memories(&tasks, &mut given);
    let memories = planner.local_memories(body).difference(&given).copied().collect();
    (memories, tasks)
}

/// Collects the memories that each thread has for itself.
fn collect_memories(tasks: &[Task], found: &mut FlatSet<BufferId>) {
    for task in tasks {
        match task {
            Task::Parallel(parallel) => found.extend(parallel.memories.iter().copied()),
            Task::For { body, .. } => collect_memories(body, found),
            Task::If(_, then, otherwise) => {
                collect_memories(then, found);
                collect_memories(otherwise, found);
            }
            Task::Plain(_) | Task::Strips(_) | Task::Blocks(_) => {}
        }
    }
}

/// Whether threads are free for a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Threads {
    Free,
    Taken,
}

struct Planner<'b> {
    buffers: &'b [Buffer],
    fresh: &'b mut Fresh,
}

impl Planner<'_> {
    fn block(&mut self, body: &[Statement], ranges: &Ranges, threads: Threads) -> Vec<Task> {
        let mut ranges = ranges.clone();
        let mut tasks = Vec::new();
        for statement in body {
            match statement {
                Statement::Loop(repetition) => tasks.push(self.repetition(repetition, &ranges, threads)),
                Statement::If(condition, then, otherwise) => tasks.push(Task::If(
                    condition.clone(),
                    self.block(then, &ranges, threads),
                    self.block(otherwise, &ranges, threads),
                )),
                leaf => tasks.push(Task::Plain(leaf.clone())),
            }
            ranges.learn(statement);
        }
        tasks
    }

    fn repetition(&mut self, repetition: &Loop, ranges: &Ranges, threads: Threads) -> Task {
        match threads {
            Threads::Free if self.can_be_divided(repetition) => self.parallel(repetition, ranges),
            Threads::Free | Threads::Taken => {
                self.in_order(repetition, Bounds::Whole(repetition.extent.clone()), ranges, threads)
            }
        }
    }

    /// A loop of one thread, in strips where that pays. A loop that accumulates is printed in strips of its
    /// own.
    fn in_order(&mut self, repetition: &Loop, bounds: Bounds, ranges: &Ranges, threads: Threads) -> Task {
        if is_independent(repetition)
            && let Some(strips) = strips(repetition, bounds.clone(), self.buffers, ranges, self.fresh)
        {
            return Task::Strips(strips);
        }
        let alone = decided_alone(repetition);
        if Accumulators::of(&alone).is_some() {
            return Task::Plain(Statement::Loop(alone));
        }
        Task::For {
            index: repetition.index.clone(),
            bounds,
            origin: repetition.origin.clone(),
            body: self.block(&repetition.body, &ranges.in_loop(repetition), threads),
        }
    }

    /// Whether threads may share the positions of a loop: it is over work-items of the device or groups, and
    /// changes no variables and no private arrays of the code around it.
    fn can_be_divided(&self, repetition: &Loop) -> bool {
        let level = matches!(repetition.workers, Workers::Global(_) | Workers::WorkGroup(_));
        level && self.is_closed(&repetition.body)
    }

    fn is_closed(&self, body: &[Statement]) -> bool {
        let writes = Writes::of(body);
        let is_private = |id: &BufferId| {
            self.buffers.get(id.0).is_some_and(|buffer| buffer.role == BufferRole::Private)
                && !writes.declared_buffers.contains(id)
        };
        writes.assigns_only_its_own() && !writes.stored.iter().any(is_private)
    }

    fn parallel(&mut self, repetition: &Loop, ranges: &Ranges) -> Task {
        let whole = |repetition: &Loop| (repetition.index.clone(), repetition.extent.clone());
        let inner_ranges = ranges.in_loop(repetition);
        let origin = repetition.origin.clone();
        let next = self.next_inside(repetition);
        if let Some(next) = next
            && let Some(one) = collapsed(repetition, next, ranges, self.fresh)
        {
            return self.parallel(&one, ranges);
        }
        match next {
            Some(next) => {
                let inner = self.in_order(next, Bounds::Part, &inner_ranges, Threads::Taken);
                let blocks = match &inner {
                    Task::Strips(strips) => blocks(&repetition.index, strips),
                    Task::Plain(_)
                    | Task::For { .. }
                    | Task::If(..)
                    | Task::Parallel(_)
                    | Task::Blocks(_) => None,
                };
                let body = match blocks {
                    Some(blocks) => Task::Blocks(Box::new(blocks)),
                    None => Task::For {
                        index: repetition.index.clone(),
                        bounds: Bounds::Part,
                        origin: String::new(),
                        body: vec![inner],
                    },
                };
                Task::Parallel(Parallel {
                    loops: vec![whole(repetition), whole(next)],
                    origin,
                    memories: self.local_memories(&next.body).into_iter().collect(),
                    copies: self.private_arrays_around(&next.body),
                    body: vec![body],
                })
            }
            None => Task::Parallel(Parallel {
                loops: vec![whole(repetition)],
                // The loop over the part names the origin.
                origin: String::new(),
                memories: self.local_memories(&repetition.body).into_iter().collect(),
                copies: self.private_arrays_around(&repetition.body),
                body: vec![self.in_order(repetition, Bounds::Part, ranges, Threads::Taken)],
            }),
        }
    }

    /// The only statement of a loop, if it is a loop that can be divided and has the same extent at every
    /// position.
    fn next_inside<'l>(&self, repetition: &'l Loop) -> Option<&'l Loop> {
        let mut statements =
            repetition.body.iter().filter(|statement| !matches!(statement, Statement::Comment(_)));
        match (statements.next(), statements.next()) {
            (Some(Statement::Loop(next)), None)
                if self.can_be_divided(next) && !next.extent.mentions(&repetition.index) =>
            {
                Some(next)
            }
            _ => None,
        }
    }

    /// The private arrays that statements use and do not declare.
    fn private_arrays_around(&self, body: &[Statement]) -> Vec<BufferId> {
        let is_private =
            |id: &&BufferId| self.buffers.get(id.0).is_some_and(|buffer| buffer.role == BufferRole::Private);
        UsedBuffers::of(body).undeclared().filter(is_private).copied().collect()
    }

    /// The local arrays that statements use.
    fn local_memories(&self, body: &[Statement]) -> FlatSet<BufferId> {
        let is_local =
            |id: &BufferId| self.buffers.get(id.0).is_some_and(|buffer| buffer.role == BufferRole::Local);
        UsedBuffers::of(body).all.into_iter().filter(is_local).collect()
    }
}
