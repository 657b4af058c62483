//! The accesses to shared memory in a stretch of code, and what is known around it.

use crate::flat::{FlatMap, FlatSet};
use crate::ir::kernel::{Buffer, BufferId};
use crate::ir::nat::{Nat, Ranges, Var};
use crate::ir::source::Source;
use crate::ir::typed::AddressSpace;
use crate::options::Barriers;

/// What an access does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Touch {
    /// It reads.
    Load,
    /// It writes.
    Store,
    /// It does both in one step.
    Update,
}

/// One access to shared memory.
#[derive(Debug, Clone)]
pub(super) struct Access {
    pub(super) buffer: BufferId,
    pub(super) space: AddressSpace,
    pub(super) touch: Touch,
    /// The address of the first scalar.
    pub(super) index: Nat,
    /// The number of scalars accessed: more than one for a vector.
    pub(super) lanes: u64,
    /// The loops over work-items around it, by dimension.
    pub(super) items: FlatMap<u8, (Var, Nat)>,
    /// The loops in time between the point of comparison and the access, outermost first.
    pub(super) loops: Vec<(Var, Nat)>,
}

impl Access {
    /// The loops in time that the address depends on. Iterations of the others access the same elements
    /// again.
    pub(super) fn relevant_loops(&self) -> Vec<&(Var, Nat)> {
        self.loops.iter().filter(|(loop_index, _)| self.index.mentions(loop_index)).collect()
    }

    /// Whether the iterations of a loop around move the addresses of all work-items and of all loops in
    /// between by the same distance.
    pub(super) fn moves_as_a_whole(&self, loop_index: &Var) -> bool {
        let terms = self.index.terms().iter().map(|term| Nat::from_term(term.clone()));
        terms.filter(|term| term.mentions(loop_index)).all(|term| !self.varies_with(&term))
    }

    /// Whether a size is another one for other work-items, or in other iterations of loops in between.
    pub(super) fn varies_with(&self, size: &Nat) -> bool {
        let items = self.items.values().map(|(item, _)| item);
        items.chain(self.loops.iter().map(|(index, _)| index)).any(|variable| size.mentions(variable))
    }
}

/// The accesses of a stretch of code to shared memory, and its barriers.
#[derive(Debug, Default)]
pub(super) struct Flow {
    /// Accesses before the first barrier that orders them.
    pub(super) head: Vec<Access>,
    /// Accesses after the last barrier that orders them.
    pub(super) tail: Vec<Access>,
    /// The memories that it has barriers for.
    pub(super) ordered: FlatSet<AddressSpace>,
    /// Where it may leave the loop around: the accesses that no barrier has ordered before.
    pub(super) left: Option<Vec<Access>>,
}

impl Flow {
    /// The flow of a barrier: nothing is pending in the memories that it orders.
    pub(super) fn barrier(spaces: &[AddressSpace]) -> Flow {
        Flow { ordered: spaces.iter().copied().collect(), ..Flow::default() }
    }

    /// This stretch of code followed by another.
    pub(super) fn append(&mut self, next: Flow) {
        if let Some(left) = next.left {
            let pending = self.left.get_or_insert_default();
            pending.extend(self.tail.iter().cloned());
            pending.extend(left);
        }
        self.head.extend(next.head.into_iter().filter(|access| !self.ordered.contains(&access.space)));
        self.tail.retain(|access| !next.ordered.contains(&access.space));
        self.tail.extend(next.tail);
        self.ordered.extend(next.ordered);
    }
}

/// The surroundings of a stretch of code.
#[derive(Debug, Clone)]
pub(super) struct Context {
    pub(super) items: FlatMap<u8, (Var, Nat)>,
    /// The place of the innermost loop around, of those that have one.
    pub(super) source: Source,
    /// The place of the loop that some work-items of a group may not execute, or not as often as others.
    pub(super) divergent: Option<Source>,
    /// Whether that is because of data: work-items may leave the loop at different times.
    pub(super) ends_early: bool,
}

impl Context {
    /// Of the body of a kernel.
    pub(super) fn of_kernel() -> Context {
        Context { items: FlatMap::new(), source: Source::UNKNOWN, divergent: None, ends_early: false }
    }

    /// The same where not all work-items of a group arrive.
    pub(super) fn diverging(self) -> Context {
        Context { divergent: self.divergent.or(Some(self.source)), ..self }
    }
}

pub(super) struct Placement<'b> {
    pub(super) buffers: &'b [Buffer],
    /// The dimensions in which a group may have several work-items.
    pub(super) dimensions: FlatSet<u8>,
    pub(super) barriers: Barriers,
    pub(super) ranges: Ranges,
    pub(super) newest_variable: u32,
    /// The loops in time around, with their extents.
    pub(super) loops_around: FlatMap<Var, Nat>,
    /// The indices that iterations of loops over work-items compute, from data or from the loop index, with
    /// their upper bounds.
    pub(super) computed: FlatMap<Var, Option<Nat>>,
}

/// A loop in time. Accesses in one iteration are compared with those in a later one.
#[derive(Clone, Copy)]
pub(super) struct Carried<'f> {
    pub(super) loop_index: &'f Var,
    /// The memories that every iteration orders. In these, accesses of an iteration meet those of the next
    /// one only.
    pub(super) ordered: &'f FlatSet<AddressSpace>,
}

/// A conflict between two accesses.
pub(super) struct Conflict {
    pub(super) spaces: FlatSet<AddressSpace>,
    pub(super) reason: String,
}
