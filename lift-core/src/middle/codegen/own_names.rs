//! The names that belong to one kernel: the next kernel may give them to something else.

use std::collections::BTreeSet;

use crate::ir::kernel::{self, Buffer, BufferId, BufferRole, Statement, Uses};

/// The names that a kernel body gives to what no other kernel sees.
pub(super) fn names_of_kernel(body: &[Statement], buffers: &[Buffer]) -> BTreeSet<String> {
    let mut found = Own { buffers, names: BTreeSet::new() };
    body.iter().for_each(|statement| found.top(statement));
    found.names
}

struct Own<'b> {
    buffers: &'b [Buffer],
    names: BTreeSet<String>,
}

impl Own<'_> {
    /// A statement at the top: what it declares, another kernel may declare again.
    fn top(&mut self, statement: &Statement) {
        match statement {
            Statement::Declare(..) | Statement::DeclareBuffer(_) | Statement::CallFunction { .. } => {}
            Statement::DeclareIndex { .. }
            | Statement::DeclareWorker { .. }
            | Statement::DeclareValue { .. }
            | Statement::Comment(_)
            | Statement::Assign(..)
            | Statement::Store(..)
            | Statement::Barrier { .. } => self.inside(statement),
            // So may be what fills a private array.
            Statement::Loop(_) | Statement::If(..) if self.stores_privately(statement) => {}
            Statement::Loop(_) | Statement::If(..) => self.inside(statement),
        }
    }

    fn stores_privately(&self, statement: &Statement) -> bool {
        let uses = Uses::of(std::slice::from_ref(statement));
        let mut private = uses.undeclared_buffers().filter(|id| self.is(**id, &BufferRole::Private));
        private.any(|id| uses.stored.contains(id))
    }

    fn inside(&mut self, statement: &Statement) {
        for statement in kernel::nested(std::slice::from_ref(statement)) {
            self.names.extend(statement.declared_variables().iter().map(|variable| variable.name.clone()));
            match statement {
                Statement::DeclareBuffer(buffer) => self.buffer(*buffer),
                Statement::Loop(repetition) => {
                    self.names.insert(repetition.index.name().to_string());
                }
                Statement::Store(buffer, ..) if self.is(*buffer, &BufferRole::Local) => self.buffer(*buffer),
                // What is indexed by data at the top of a kernel may be declared again with it.
                _ => {}
            }
        }
    }

    fn is(&self, id: BufferId, role: &BufferRole) -> bool {
        self.buffers.get(id.0).is_some_and(|buffer| buffer.role == *role)
    }

    fn buffer(&mut self, id: BufferId) {
        self.names.extend(self.buffers.get(id.0).map(|buffer| buffer.name.clone()));
    }
}
