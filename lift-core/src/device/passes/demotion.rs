//! Demotion: private arrays that the work-items of a group make together, in a kernel for any launch.
//!
//! Where the launch is pinned, each work-item keeps its share in registers (`privatisation`). The size of a
//! share follows from the number of work-items, which a kernel for any launch does not know: with one
//! work-item it is the whole array. So the array lies in local memory, once for the group, whichever
//! work-item makes an element. Barriers are then needed only where a work-item reads what another one wrote,
//! which barrier placement sees. Inside a loop over other work-items, each iteration of that loop has its own
//! array, next to those of the others.

use crate::flat::FlatMap;
use crate::ir::kernel::fold::Fold;
use crate::ir::kernel::{Buffer, BufferId, BufferRole, Expression, Statement, ValueType, Workers};
use crate::ir::nat::{Nat, Ranges, Var};

/// Moves private arrays whose elements are stored by several work-items to local memory. `Err` names one that
/// is made in each iteration of a loop with an unknown trip count.
pub(crate) fn demote_to_local_memory(
    body: Vec<Statement>,
    buffers: &mut [Buffer],
    ranges: &Ranges,
) -> Result<Vec<Statement>, BufferId> {
    let mut survey = Survey { items: Vec::new(), declared: FlatMap::new(), shared: FlatMap::new() };
    survey.block(&body);
    if survey.shared.is_empty() {
        return Ok(body);
    }
    let mut places = FlatMap::new();
    for (id, around) in survey.shared {
        let Some(buffer) = buffers.get_mut(id.0) else { continue };
        let mut copies = Nat::one();
        let mut number = Nat::zero();
        for ItemLoop { index, extent } in around {
            extent.as_constant().ok_or(id)?;
            copies = copies * &extent;
            number = number * &extent + Nat::variable(&index);
        }
        places.insert(id, number * &buffer.length);
        buffer.length = ranges.simplify(&(copies * &buffer.length));
        buffer.role = BufferRole::Local;
    }
    Ok(InLocalMemory { places }.block(&body))
}

/// A loop over the work-items of a group.
#[derive(Debug, Clone)]
struct ItemLoop {
    index: Var,
    extent: Nat,
}

/// Finds the private arrays that work-items fill together.
struct Survey {
    /// The loops over work-items around, outermost first.
    items: Vec<ItemLoop>,
    /// The private arrays in scope, with the number of these loops around each declaration.
    declared: FlatMap<BufferId, usize>,
    /// The arrays whose elements are stored in further such loops, with the loops around the declaration.
    shared: FlatMap<BufferId, Vec<ItemLoop>>,
}

impl Survey {
    fn block(&mut self, block: &[Statement]) {
        for statement in block {
            if let Some(id) = statement.stored_buffer()
                && let Some(around) = self.declared.get(&id).filter(|around| **around < self.items.len())
            {
                let around = self.items.iter().take(*around).cloned().collect();
                self.shared.insert(id, around);
            }
            match statement {
                Statement::DeclareBuffer(id) => {
                    self.declared.insert(*id, self.items.len());
                }
                Statement::Loop(repetition) if matches!(repetition.workers, Workers::Local(_)) => {
                    let (index, extent) = (repetition.index.clone(), repetition.extent.clone());
                    self.items.push(ItemLoop { index, extent });
                    self.block(&repetition.body);
                    self.items.pop();
                }
                other => other.blocks().for_each(|block| self.block(block)),
            }
        }
    }
}

/// Redirects accesses to shared arrays to local memory.
struct InLocalMemory {
    /// The start of the array that belongs to the current iteration.
    places: FlatMap<BufferId, Nat>,
}

impl InLocalMemory {
    fn place(&self, buffer: BufferId, index: Nat) -> Nat {
        match self.places.get(&buffer) {
            Some(place) => place + index,
            None => index,
        }
    }
}

impl Fold for InLocalMemory {
    fn load(&mut self, buffer: BufferId, index: Nat, ty: ValueType) -> Expression {
        Expression::Load(buffer, self.place(buffer, index), ty)
    }

    fn store(&mut self, buffer: BufferId, index: Nat, value: Expression) -> Statement {
        Statement::Store(buffer, self.place(buffer, index), value)
    }

    fn statement(&mut self, statement: &Statement) -> Vec<Statement> {
        match statement {
            // Local memory is declared at the top of the kernel.
            Statement::DeclareBuffer(id) if self.places.contains_key(id) => Vec::new(),
            _ => self.parts(statement),
        }
    }
}
