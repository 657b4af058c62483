//! Local buffers whose lives do not overlap share memory.
//!
//! Work-groups have little local memory, and how much they use decides how many of them run at once. For
//! example, the buffers of the applications of an `iterate` alternate (CGO 2017, figure 7). A buffer lives
//! from its first access to its last. It lives as long as a loop if some of its accesses stand inside the
//! loop and others outside, or if the loop reads what it wrote an iteration before. This pass comes before
//! barrier placement, which then sees that a buffer is written again.
//!
//! A buffer shares only if its last access is a load. Placement orders a store behind the loads before it,
//! and these loads behind what they read. It does not order two stores (`barrier`), so that what the next
//! buffer stores could come before a store that nobody reads.

use crate::flat::{FlatMap, FlatSet};
use crate::ir::kernel::fold::Fold;
use crate::ir::kernel::{Buffer, BufferId, BufferRole, Expression, Statement, ValueType, Workers};
use crate::ir::nat::Nat;

/// Lets local buffers share memory; see the module documentation.
///
/// Double buffers keep their own memory.
pub(crate) fn reuse_local_memory(
    body: Vec<Statement>,
    buffers: &mut [Buffer],
    doubled: &FlatSet<BufferId>,
) -> Vec<Statement> {
    let mut lives = Lives { buffers, clock: 0, accesses: FlatMap::new(), loops: Vec::new() };
    lives.block(&body);
    let mut lives = lives.finish();
    lives.retain(|(id, _)| !doubled.contains(id));
    let mut shared: FlatMap<BufferId, BufferId> = FlatMap::new();
    let mut ends: FlatMap<BufferId, usize> = FlatMap::new();
    for (id, (start, end)) in lives {
        let host = ends.iter().find(|(host, last)| **last < start && fits(buffers, **host, id));
        let host = host.map_or(id, |(host, _)| *host);
        ends.insert(host, end);
        shared.insert(id, host);
    }
    Sharing(shared).block(&body)
}

/// Whether a buffer has room for the elements of another one.
fn fits(buffers: &[Buffer], host: BufferId, guest: BufferId) -> bool {
    let (Some(host), Some(guest)) = (buffers.get(host.0), buffers.get(guest.0)) else { return false };
    let room = |buffer: &Buffer| buffer.length.as_constant();
    host.element == guest.element && room(host).zip(room(guest)).is_some_and(|(host, guest)| guest <= host)
}

/// The first and last accesses of a buffer.
#[derive(Default)]
struct Accesses {
    first_store: Option<usize>,
    first_load: Option<usize>,
    last_store: Option<usize>,
    last_load: Option<usize>,
    last: usize,
}

impl Accesses {
    /// Whether something is loaded after the last store. A statement loads before it stores.
    fn end_with_a_load(&self) -> bool {
        self.last_store < self.last_load
    }
}

struct Lives<'b> {
    buffers: &'b [Buffer],
    clock: usize,
    accesses: FlatMap<BufferId, Accesses>,
    /// The stretches of the loops, the inner ones first.
    loops: Vec<Stretch>,
}

/// The code of a loop, as positions of statements.
struct Stretch {
    start: usize,
    end: usize,
    /// Whether its iterations run one after the other; those of work-items run at once.
    in_time: bool,
}

impl Lives<'_> {
    fn block(&mut self, block: &[Statement]) {
        for statement in block {
            self.clock += 1;
            let now = self.clock;
            for buffer in statement.loaded_buffers() {
                self.access(buffer, |accesses| {
                    accesses.first_load.get_or_insert(now);
                    accesses.last_load = Some(now);
                });
            }
            if let Some(buffer) = statement.stored_buffer() {
                self.access(buffer, |accesses| {
                    accesses.first_store.get_or_insert(now);
                    accesses.last_store = Some(now);
                });
            }
            let start = self.clock;
            statement.blocks().for_each(|block| self.block(block));
            if let Statement::Loop(repetition) = statement {
                let in_time = match repetition.workers {
                    Workers::Sequential | Workers::WorkGroup(_) => true,
                    Workers::Local(_) | Workers::Global(_) => false,
                };
                self.loops.push(Stretch { start, end: self.clock, in_time });
            }
        }
    }

    fn access(&mut self, id: BufferId, note: impl FnOnce(&mut Accesses)) {
        if self.buffers.get(id.0).is_some_and(|buffer| buffer.role == BufferRole::Local) {
            let accesses = self.accesses.get_or_default(id);
            note(accesses);
            accesses.last = self.clock;
        }
    }

    /// The lives of the buffers that may share memory, ordered by where they start.
    fn finish(self) -> Vec<(BufferId, (usize, usize))> {
        let mut lives: Vec<(BufferId, (usize, usize))> = self
            .accesses
            .iter()
            .filter(|(_, accesses)| accesses.end_with_a_load())
            .map(|(id, accesses)| {
                let first = [accesses.first_store, accesses.first_load].into_iter().flatten().min();
                let (mut start, mut end) = (first.unwrap_or(accesses.last), accesses.last);
                let is_written_first = accesses
                    .first_store
                    .is_some_and(|store| accesses.first_load.is_none_or(|load| store < load));
                // Inner loops come first: what outlives one is compared with the loops around it.
                for stretch in &self.loops {
                    let overlaps = start <= stretch.end && end > stretch.start;
                    let inside = start > stretch.start && end <= stretch.end;
                    if overlaps && !(inside && stretch.in_time && is_written_first) {
                        start = start.min(stretch.start);
                        end = end.max(stretch.end);
                    }
                }
                (*id, (start, end))
            })
            .collect();
        lives.sort_by_key(|(id, (start, _))| (*start, *id));
        lives
    }
}

/// Buffers and the buffers that hold their elements.
struct Sharing(FlatMap<BufferId, BufferId>);

impl Sharing {
    fn host(&self, buffer: BufferId) -> BufferId {
        self.0.get(&buffer).copied().unwrap_or(buffer)
    }
}

impl Fold for Sharing {
    fn load(&mut self, buffer: BufferId, index: Nat, ty: ValueType) -> Expression {
        Expression::Load(self.host(buffer), index, ty)
    }

    fn store(&mut self, buffer: BufferId, index: Nat, value: Expression) -> Statement {
        Statement::Store(self.host(buffer), index, value)
    }
}
