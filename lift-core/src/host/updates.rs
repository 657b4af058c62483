//! Atomic updates, for the host: loops whose iterations update an element together are done in order.
//!
//! Threads and lanes never meet in such an element then, and an update is a load and a store. A loop over
//! groups stays one of threads where only memory of the group is updated.

use crate::ir::kernel::fold::Fold;
use crate::ir::kernel::{
    Buffer, BufferId, BufferRole, Expression, Loop, Statement, UpdateOperator, ValueType, Workers, any,
};
use crate::ir::nat::Nat;

/// The body with plain stores for updates.
pub(super) fn without_updates(body: &[Statement], buffers: &[Buffer]) -> Option<Vec<Statement>> {
    let is_updated = any(body, &mut |statement| matches!(statement, Statement::Update { .. }));
    is_updated.then(|| InOrder { buffers }.block(body))
}

struct InOrder<'b> {
    buffers: &'b [Buffer],
}

impl InOrder<'_> {
    /// Whether iterations by these workers may update the same element.
    fn meet(&self, workers: Workers, body: &[Statement]) -> bool {
        any(body, &mut |statement| {
            statement.updated_buffer().and_then(|id| self.buffers.get(id.0)).is_some_and(|updated| {
                let is_of_group = updated.role == BufferRole::Local;
                !(is_of_group && matches!(workers, Workers::WorkGroup(_)))
            })
        })
    }
}

impl Fold for InOrder<'_> {
    fn update(
        &mut self,
        buffer: BufferId,
        index: Nat,
        operator: UpdateOperator,
        value: Expression,
    ) -> Statement {
        let element = Expression::Load(buffer, index.clone(), ValueType::from(value.ty().scalar));
        Statement::Store(buffer, index, operator.applied(element, value))
    }

    fn statement(&mut self, statement: &Statement) -> Vec<Statement> {
        match statement {
            Statement::Loop(repetition) if self.meet(repetition.workers, &repetition.body) => {
                let in_order = Loop { workers: Workers::Sequential, ..repetition.clone() };
                self.parts(&Statement::Loop(in_order))
            }
            _ => self.parts(statement),
        }
    }
}
