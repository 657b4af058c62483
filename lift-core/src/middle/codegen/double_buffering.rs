//! Double buffering of arrays that every iteration of a loop makes from the array of the iteration before.
//!
//! Iteration `i` reads the half `i % 2` of a buffer and writes the half `(i + 1) % 2`. If every element that
//! an iteration writes is computed from the same element of the old array and from no other one, it can be
//! written in place. Then there is only one half, and no work-item waits for another one. That is proved from
//! the addresses in the code of the iteration.

use std::sync::Arc;

use super::generator::{Generated, Generator};
use crate::flat::FlatSet;
use crate::ir::kernel::fold::Fold;
use crate::ir::kernel::{BufferId, Expression, Statement, Stored, ValueType};
use crate::ir::nat::{Nat, Ranges};
use crate::ir::typed::{AddressSpace, Expr};
use crate::ir::types::{ArrayType, Type};
use crate::middle::view::Storage;

/// A buffer with two halves, or one for each component of tuples.
pub(super) struct Halves {
    storage: Storage,
    array: Arc<ArrayType>,
    /// Whether elements are updated in place.
    in_place: bool,
    /// Whether the buffer is divided among several workers.
    is_shared_out: bool,
}

impl Halves {
    /// The storage of the array that an iteration reads.
    pub(super) fn half(&self, generator: &Generator<'_>, iteration: &Nat) -> Storage {
        let half =
            if self.in_place { Nat::zero() } else { generator.ranges.simplify(&iteration.modulo(&two())) };
        self.storage.element(&self.array, &half)
    }
}

fn two() -> Nat {
    Nat::constant(2)
}

impl Generator<'_> {
    /// New buffers for the arrays that the iterations of a loop make.
    pub(super) fn halves(
        &mut self,
        space: AddressSpace,
        name: &str,
        room: Type,
        body: &Expr,
    ) -> Generated<Halves> {
        let array = Arc::new(ArrayType { index: None, element: room, length: two() });
        let storage = self.storage_of_worker(space, name, &Type::Array(array.clone()), body, &body.ty)?;
        let mut buffers = FlatSet::new();
        let is_shared_out = !collect_buffers(&storage, &mut buffers)
            || buffers.iter().any(|buffer| self.notes.gaps.contains_key(buffer));
        Ok(Halves { storage, array, in_place: false, is_shared_out })
    }

    /// Adds to the comment of the loop that was just generated why it has one half or two.
    pub(super) fn explain_halves(&mut self, halves: &Halves) {
        let mut buffers = FlatSet::new();
        collect_buffers(&halves.storage, &mut buffers);
        let name = |buffer: &BufferId| Some(format!("`{}`", self.buffers.get(buffer.0)?.name));
        let names: Vec<String> = buffers.iter().filter_map(name).collect();
        let reason = match halves.in_place {
            true => format!("every element of {} is replaced where it is", names.join(", ")),
            false => {
                format!("the halves of {} change places, as elements depend on others", names.join(", "))
            }
        };
        // A loop of one iteration was not emitted as a loop.
        if let Some(Statement::Loop(repetition)) = self.block.last_mut()
            && ["iterate", "reduce", "reduceSeq", "reduceSeqPipelined"].contains(&repetition.origin.as_str())
        {
            repetition.origin = format!("{}: {reason}", repetition.origin);
        }
    }

    /// Lets the loop body that was just generated update elements in place, if no element depends on another
    /// one.
    pub(super) fn update_in_place(&mut self, halves: &mut Halves, iteration: &Nat) {
        let mut buffers = FlatSet::new();
        collect_buffers(&halves.storage, &mut buffers);
        let offset = |iteration: &Nat| {
            let half = self.ranges.simplify(&iteration.modulo(&two()));
            self.ranges.simplify(&(half * halves.array.element.element_count()))
        };
        let mut update = Update {
            before: offset(iteration),
            after: offset(&(iteration + Nat::one())),
            ranges: self.ranges.clone(),
            buffers,
        };
        // The code of unrolled iterations, or of a single one, stands among other code.
        let is_loop = iteration.as_constant().is_none();
        let has_gaps = update.buffers.iter().any(|buffer| self.notes.gaps.contains_key(buffer));
        if !is_loop || has_gaps || !update.is_possible(&self.block) {
            return;
        }
        let block = std::mem::take(&mut self.block);
        self.block = update.block(&block);
        // If the buffer is divided among workers, their parts stay where they are, and the second halves are
        // unused.
        for buffer in update.buffers.iter().filter(|_| !halves.is_shared_out) {
            if let Some(buffer) = self.buffers.get_mut(buffer.0) {
                buffer.length = self.ranges.simplify(&buffer.length.divide(&two()));
            }
        }
        halves.in_place = true;
    }
}

/// Collects the buffers of a storage. Returns whether the storage starts at the beginning of each of them.
pub(super) fn collect_buffers(storage: &Storage, buffers: &mut FlatSet<BufferId>) -> bool {
    match storage {
        Storage::Buffer(buffer, offset) => {
            buffers.insert(*buffer);
            offset.as_constant() == Some(0)
        }
        Storage::Tuple(parts) => {
            // All parts must be collected, so this does not stop at the first `false`.
            let starts: Vec<bool> = parts.iter().map(|part| collect_buffers(part, buffers)).collect();
            starts.into_iter().all(|starts| starts)
        }
    }
}

/// Redirects the accesses of an iteration to one half.
struct Update {
    buffers: FlatSet<BufferId>,
    /// The start of the half that the iteration reads.
    before: Nat,
    /// The start of the half that it writes.
    after: Nat,
    ranges: Ranges,
}

impl Update {
    /// Whether every element that is written is computed from no other element of the array.
    fn is_possible(&self, block: &[Statement]) -> bool {
        block.iter().all(|statement| {
            let own = statement.stored().filter(|stored| self.buffers.contains(&stored.buffer));
            let own = own.map(|Stored { buffer, index, value, .. }| {
                (buffer, self.ranges.simplify(&(index - &self.after)), value.ty().lanes)
            });
            statement.expressions().iter().all(|part| self.reads_only(part, own.as_ref()))
                && statement.blocks().all(|block| self.is_possible(block))
        })
    }

    fn reads_only(&self, expression: &Expression, own: Option<&(BufferId, Nat, u8)>) -> bool {
        let here = match expression {
            Expression::Load(buffer, index, ty) if self.buffers.contains(buffer) => {
                let place = self.ranges.simplify(&(index - &self.before));
                own == Some(&(*buffer, place, ty.lanes))
            }
            _ => true,
        };
        here && expression.children().into_iter().all(|child| self.reads_only(child, own))
    }
}

impl Fold for Update {
    fn load(&mut self, buffer: BufferId, index: Nat, ty: ValueType) -> Expression {
        let index = match self.buffers.contains(&buffer) {
            true => self.ranges.simplify(&(index - &self.before)),
            false => index,
        };
        Expression::Load(buffer, index, ty)
    }

    fn store(&mut self, buffer: BufferId, index: Nat, value: Expression) -> Statement {
        let index = match self.buffers.contains(&buffer) {
            true => self.ranges.simplify(&(index - &self.after)),
            false => index,
        };
        Statement::Store(buffer, index, value)
    }
}
