//! Barrier placement from the reads and writes of a kernel.
//!
//! Input: a kernel body with known trip counts. Output: the same body with the work-group barriers that it
//! needs, and no others. A barrier is needed between two accesses of *different* work-items to the same
//! element of memory that they share, where one of the accesses writes and the other reads, or one of them
//! is an atomic update and the other is none. A pair of
//! accesses needs no barrier when the same work-item makes both: their addresses are the same function of the
//! work-item. Barriers stand only where every work-item of a group passes equally often. A loop in which some
//! work-items have more iterations than others is executed in rounds of all work-items (`uniform_loops`);
//! where that does not help, the program is refused. A barrier orders only the memories whose accesses need
//! it (`fences`). The two halves of a double buffer are told apart (`double_buffering`).
//!
//! Placement looks at what the kernel does, not at the patterns that it came from. Published implementations
//! that looked at patterns missed barriers across loop iterations and used wrong fences (compare CGO 2017,
//! section 5.4).

use self::double_buffering::Halves;
use self::flow::{Access, Carried, Conflict, Context, Flow, Placement, Touch};
use crate::flat::{FlatMap, FlatSet};
use crate::ir::kernel::{
    Buffer, BufferId, BufferRole, Expression, Loop, Statement, StoreWay, Stored, Trip, Workers,
    written_and_read,
};
use crate::ir::nat::{Nat, Ranges, Var};
use crate::ir::source::Source;
use crate::ir::typed::AddressSpace;
use crate::options::Barriers;

mod double_buffering;
mod fences;
mod flow;
mod rows;
mod uniform_loops;

/// A barrier that not all work-items of a group would reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreachable {
    /// The place of the loop that not all of them execute equally often; `UNKNOWN` outside of loops.
    pub(super) source: Source,
    /// Why it is needed.
    pub(super) reason: String,
    /// Whether work-items may leave that loop at different times because of what they compute.
    pub(super) ends_early: bool,
}

/// The launch context for barrier placement.
pub struct Group<'r> {
    /// The dimensions in which a group may have several work-items.
    pub dimensions: FlatSet<u8>,
    /// What is known about sizes.
    pub ranges: &'r Ranges,
    /// The number of the newest variable of the algebra.
    pub newest_variable: u32,
}

/// Places barriers.
///
/// # Errors
/// When a barrier is needed where not all work-items of a group would reach it.
pub fn place_barriers(
    body: Vec<Statement>,
    buffers: &[Buffer],
    group: &Group<'_>,
    barriers: Barriers,
) -> Result<Vec<Statement>, Unreachable> {
    if group.dimensions.is_empty() || barriers == Barriers::WhereNeeded && !may_conflict(&body, buffers) {
        return Ok(body);
    }
    let mut placement = Placement {
        buffers,
        dimensions: group.dimensions.clone(),
        barriers,
        ranges: group.ranges.clone(),
        newest_variable: group.newest_variable,
        loops_around: FlatMap::new(),
        computed: FlatMap::new(),
    };
    let (body, _) = placement.block(body, &Context::of_kernel())?;
    let body = match barriers {
        Barriers::WhereNeeded => placement.narrow_fences(body),
        Barriers::AfterEveryMap => body,
    };
    uniform_loops::in_rounds(body).map_err(|uniform_loops::Unguarded { source }| {
        let reason = "work-items of a group wait for each other while they make elements of a `mapLcl`, and \
                      there are not equally many elements for each of them";
        Unreachable { source, reason: reason.to_owned(), ends_early: false }
    })
}

/// Whether a barrier may be needed: there is one already, or a buffer that work-items share is stored to and
/// loaded from.
fn may_conflict(body: &[Statement], buffers: &[Buffer]) -> bool {
    let (stored, loaded) = written_and_read(body);
    let is_shared =
        |buffer: &BufferId| buffers.get(buffer.0).is_some_and(|buffer| may_be_shared(&buffer.role));
    stored.intersection(&loaded).any(is_shared) || body.iter().any(Statement::has_barrier)
}

/// Whether work-items may meet in buffers of this role. Nobody writes a parameter.
fn may_be_shared(role: &BufferRole) -> bool {
    role.is_shared() && !matches!(role, BufferRole::Parameter(_))
}

impl Placement<'_> {
    fn block(
        &mut self,
        block: Vec<Statement>,
        context: &Context,
    ) -> Result<(Vec<Statement>, Flow), Unreachable> {
        let mut placed = Vec::new();
        let mut flow = Flow::default();
        for statement in block {
            let (statement, inner) = self.statement(statement, context)?;
            if let Some(conflict) = self.conflict(&flow.tail, &inner.head, None) {
                placed.push(self.barrier(conflict, &mut flow, context)?);
            }
            let ends_map = self.ends_map(&statement, context);
            placed.push(statement);
            flow.append(inner);
            if ends_map {
                let reason = "after every map, as the option asks".to_string();
                let spaces = vec![AddressSpace::Local, AddressSpace::Global];
                flow.append(Flow::barrier(&spaces));
                placed.push(Statement::Barrier { spaces, reason });
            }
        }
        Ok((placed, flow))
    }

    /// Whether a barrier after this statement is asked for only because the statement is a map over the
    /// work-items of a group.
    fn ends_map(&self, statement: &Statement, context: &Context) -> bool {
        let is_map = matches!(
            statement,
            Statement::Loop(repetition) if matches!(repetition.workers, Workers::Local(_))
        );
        let is_outermost = context.items.is_empty() && context.divergent.is_none();
        self.barriers == Barriers::AfterEveryMap && is_map && is_outermost
    }

    fn statement(
        &mut self,
        statement: Statement,
        context: &Context,
    ) -> Result<(Statement, Flow), Unreachable> {
        let mut flow = Flow::default();
        let mut accesses = Vec::new();
        statement.each_part(&mut |part| {
            if let Expression::Load(buffer, index, ty) = part {
                accesses.extend(self.access(*buffer, Touch::Load, index, ty.lanes, context));
            }
        });
        if let Some(Stored { buffer, index, value, way }) = statement.stored() {
            let touch = match way {
                StoreWay::Replace => Touch::Store,
                StoreWay::Update => Touch::Update,
            };
            accesses.extend(self.access(buffer, touch, index, value.ty().lanes, context));
        }
        let left = matches!(statement, Statement::BreakUnless(_)).then(|| accesses.clone());
        flow.append(Flow { head: accesses.clone(), tail: accesses, ordered: FlatSet::new(), left });
        if !context.items.is_empty() {
            self.computed.extend(match &statement {
                Statement::DeclareValue { index, bound, .. } => Some((index.clone(), bound.clone())),
                Statement::DeclareIndex { index, length, .. } => Some((index.clone(), Some(length.clone()))),
                _ => None,
            });
        }
        match statement {
            Statement::Barrier { ref spaces, .. } => {
                flow.append(Flow::barrier(spaces));
                Ok((statement, flow))
            }
            Statement::Loop(repetition) => self.repetition(repetition, context),
            Statement::If(condition, then, otherwise) => {
                let inside = context.clone().diverging();
                let (then, then_flow) = self.block(then, &inside)?;
                let (otherwise, otherwise_flow) = self.block(otherwise, &inside)?;
                flow.append(then_flow);
                flow.append(otherwise_flow);
                Ok((Statement::If(condition, then, otherwise), flow))
            }
            leaf => Ok((leaf, flow)),
        }
    }

    /// A loop: accesses of one iteration may meet those of the next.
    fn repetition(
        &mut self,
        mut repetition: Loop,
        context: &Context,
    ) -> Result<(Statement, Flow), Unreachable> {
        let mut inside = context.clone();
        if repetition.source != Source::UNKNOWN {
            inside.source = repetition.source;
        }
        match repetition.workers {
            Workers::Local(dimension) => {
                inside.items.insert(dimension, (repetition.index.clone(), repetition.extent.clone()));
            }
            // Work-items of a kernel over global work-items are independent; their loops belong to no group.
            Workers::Global(dimension) => {
                inside.items.insert(dimension, (repetition.index.clone(), repetition.extent.clone()));
                if repetition.trip != Trip::One {
                    inside = inside.diverging();
                }
            }
            Workers::Sequential | Workers::WorkGroup(_) => {
                // A work-item with more iterations than another passes more barriers. Whether an iteration is the
                // last one may be known from data of the work-item; outside of loops over work-items, all of a
                // group compute the same.
                let mut own = inside.items.values().map(|(item, _)| item).chain(self.computed.keys());
                let has_own_data =
                    || inside.items.keys().any(|dimension| self.dimensions.contains(dimension));
                if own.any(|index| repetition.extent.mentions(index)) {
                    inside = inside.diverging();
                } else if repetition.may_end_early() && has_own_data() {
                    inside.ends_early |= inside.divergent.is_none();
                    inside = inside.diverging();
                }
            }
        }
        let in_time = matches!(repetition.workers, Workers::Sequential | Workers::WorkGroup(_));
        if in_time {
            self.loops_around.insert(repetition.index.clone(), repetition.extent.clone());
        }
        let (mut body, mut flow) = self.block(std::mem::take(&mut repetition.body), &inside)?;
        let this_loop = (repetition.index.clone(), repetition.extent.clone());
        let has_next_iteration = !matches!(repetition.trip, Trip::One | Trip::AtMostOne);
        if has_next_iteration
            && let Some(conflict) = match in_time {
                true => self.conflict_in_time(&repetition.index, &flow),
                false => self.conflict_of_workers(&repetition.index, &flow),
            }
        {
            body.push(self.barrier(conflict, &mut flow, &inside)?);
        }
        let left = flow.left.take();
        let may_end_early = left.is_some();
        flow.tail.extend(left.into_iter().flatten());
        if in_time {
            for access in flow.head.iter_mut().chain(&mut flow.tail) {
                access.loops.insert(0, this_loop.clone());
            }
        }
        let runs = repetition.trip == Trip::One
            || (in_time && repetition.extent.as_constant().is_some_and(|extent| extent > 0));
        // A loop that may have no iterations is not sure to order anything, nor is one that may end within the first.
        if !runs || may_end_early {
            flow.ordered.clear();
        }
        repetition.body = body;
        Ok((Statement::Loop(repetition), flow))
    }

    /// The conflict between accesses of one iteration of a loop in time and those of the next.
    fn conflict_in_time(&self, loop_index: &Var, flow: &Flow) -> Option<Conflict> {
        self.conflict(&flow.tail, &flow.head, Some(Carried { loop_index, ordered: &flow.ordered }))
    }

    /// The conflict between accesses of one iteration that a worker executes and those of its next one.
    fn conflict_of_workers(&self, loop_index: &Var, flow: &Flow) -> Option<Conflict> {
        let accesses = || flow.tail.iter().chain(&flow.head);
        // Rows matter only where a buffer is both written and read.
        let is_other =
            |access: &Access, other: &Access| other.buffer == access.buffer && other.touch != access.touch;
        let may_meet = |access: &&Access| flow.head.iter().any(|other| is_other(access, other));
        let met: FlatSet<BufferId> = flow.tail.iter().filter(may_meet).map(|access| access.buffer).collect();
        let apart =
            self.buffers_with_rows(loop_index, accesses().filter(|access| met.contains(&access.buffer)));
        let meets = |access: &&Access| met.contains(&access.buffer) && !apart.contains(&access.buffer);
        let tail: Vec<Access> = flow.tail.iter().filter(meets).cloned().collect();
        self.conflict(&tail, &flow.head, None)
    }

    fn access(
        &self,
        buffer: BufferId,
        touch: Touch,
        index: &Nat,
        lanes: u8,
        context: &Context,
    ) -> Option<Access> {
        let accessed = self.buffers.get(buffer.0)?;
        may_be_shared(&accessed.role).then(|| Access {
            buffer,
            space: accessed.space(),
            touch,
            index: index.clone(),
            lanes: u64::from(lanes),
            items: context.items.clone(),
            loops: Vec::new(),
        })
    }

    /// The conflict of all pairs that need a barrier between them. If the later accesses are made in a later
    /// iteration of a loop in time, `carried` is that loop.
    fn conflict(
        &self,
        earlier: &[Access],
        later: &[Access],
        carried: Option<Carried<'_>>,
    ) -> Option<Conflict> {
        let mut spaces = FlatSet::new();
        let (mut reads, mut overwrites) = (None, None);
        let carried_by = carried.as_ref().map(|carried| carried.loop_index);
        let mut halves = Halves::of(earlier, later, carried);
        for (position, first) in earlier.iter().enumerate() {
            for (other, second) in
                later.iter().enumerate().filter(|(_, second)| second.buffer == first.buffer)
            {
                // Two stores need no barrier: code generation lets no two work-items store to one element
                // between two reads (see `ir::kernel`). Neither do two updates, which wait for each other.
                let harmless = first.touch == second.touch;
                // One more conflict of a kind changes nothing.
                let is_known = spaces.contains(&first.space)
                    && (reads.is_some() || first.touch == Touch::Load && overwrites.is_some());
                if harmless
                    || is_known
                    || self.same_item(first, second, carried_by)
                    || self.are_in_own_rows(first, second, carried_by)
                    || halves.are_different(self, position, other)
                {
                    continue;
                }
                let Some(buffer) = self.buffers.get(first.buffer.0) else { continue };
                spaces.insert(buffer.space());
                if first.touch != Touch::Load {
                    reads.get_or_insert_with(|| {
                        format!("other work-items read what was written to `{}`", buffer.name)
                    });
                } else {
                    overwrites.get_or_insert_with(|| {
                        format!("other work-items have read `{}` before it is written again", buffer.name)
                    });
                }
            }
        }
        reads.or(overwrites).map(|reason| Conflict { spaces, reason })
    }

    /// Whether every element that both accesses touch is accessed by the same work-item both times: both
    /// addresses are one function of the work-item and the iteration. One of the two accesses is a write, and
    /// a map writes a different element for every work-item and iteration. So that function is injective, and
    /// it does not matter how many iterations lie between. Work-items update elements of each other, too.
    ///
    /// Between iterations of the loop `carried_by` the function stays the same only if an iteration moves
    /// all addresses by one distance. If it makes rows longer, for instance, an element belongs to another
    /// work-item in the next iteration.
    fn same_item(&self, first: &Access, second: &Access, carried_by: Option<&Var>) -> bool {
        let covered =
            |access: &Access| self.dimensions.iter().all(|dimension| access.items.contains_key(dimension));
        let (first_loops, second_loops) = (first.relevant_loops(), second.relevant_loops());
        // Vectors of different widths at one address cover different scalars.
        if first.touch == Touch::Update
            || second.touch == Touch::Update
            || first.lanes != second.lanes
            || !covered(first)
            || !covered(second)
            || first_loops.len() != second_loops.len()
            || carried_by.is_some_and(|index| !first.moves_as_a_whole(index))
        {
            return false;
        }
        let mut renaming = FlatMap::new();
        for (dimension, (variable, extent)) in &second.items {
            let Some((same, same_extent)) = first.items.get(dimension) else { return false };
            // An address that does not depend on the work-item belongs to one work-item only if there is one
            // iteration.
            let one_iteration = extent.as_constant() == Some(1) && same_extent.as_constant() == Some(1);
            if self.dimensions.contains(dimension) && !one_iteration && !first.index.mentions(same) {
                return false;
            }
            renaming.insert(variable.clone(), Nat::variable(same));
        }
        for ((variable, extent), (same, same_extent)) in second_loops.into_iter().zip(first_loops) {
            if &extent.substitute(&renaming) != same_extent {
                return false;
            }
            renaming.insert(variable.clone(), Nat::variable(same));
        }
        second.index.substitute(&renaming) == first.index
    }

    /// A barrier after which nothing that was accessed before is pending: it orders every memory with pending
    /// accesses.
    fn barrier(
        &self,
        mut conflict: Conflict,
        flow: &mut Flow,
        context: &Context,
    ) -> Result<Statement, Unreachable> {
        if let Some(source) = context.divergent {
            return Err(Unreachable { source, reason: conflict.reason, ends_early: context.ends_early });
        }
        conflict.spaces.extend(flow.tail.iter().map(|access| access.space));
        let spaces: Vec<AddressSpace> = conflict.spaces.into_iter().collect();
        flow.append(Flow::barrier(&spaces));
        Ok(Statement::Barrier { spaces, reason: conflict.reason })
    }
}

#[cfg(test)]
mod tests;
