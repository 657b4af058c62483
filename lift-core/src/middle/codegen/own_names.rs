//! The names that belong to one kernel alone, so that the next kernel may use them for something else.

use std::sync::Arc;

use crate::flat::FlatSet;
use crate::ir::kernel::{Buffer, BufferId, BufferRole, Statement, UsedBuffers};

/// The names in a kernel body of things that no other kernel sees.
pub(super) fn names_of_kernel(body: &[Statement], buffers: &[Buffer]) -> FlatSet<Arc<str>> {
    let mut found = Own { buffers, names: FlatSet::new() };
    body.iter().for_each(|statement| found.top(statement));
    found.names
}

struct Own<'b> {
    buffers: &'b [Buffer],
    names: FlatSet<Arc<str>>,
}

impl Own<'_> {
    /// Looks at a statement of the top level. What it declares may be declared again in another kernel
    /// (`scalars`), so its name stays reserved.
    fn top(&mut self, statement: &Statement) {
        match statement {
            Statement::Declare(..) | Statement::DeclareBuffer(_) | Statement::CallFunction { .. } => {}
            Statement::DeclareIndex { .. }
            | Statement::DeclareWorker { .. }
            | Statement::DeclareValue { .. }
            | Statement::Comment(_)
            | Statement::Assign(..)
            | Statement::Store(..)
            | Statement::Update { .. }
            | Statement::BreakUnless(_)
            | Statement::Barrier { .. } => self.inside(statement),
            // Code that fills a private array may be repeated in another kernel, too.
            Statement::Loop(_) | Statement::If(..) if self.stores_privately(statement) => {}
            Statement::Loop(_) | Statement::If(..) => self.inside(statement),
        }
    }

    fn stores_privately(&self, statement: &Statement) -> bool {
        let used = UsedBuffers::of(std::slice::from_ref(statement));
        let mut private = used.undeclared().filter(|id| self.is(**id, &BufferRole::Private));
        private.any(|id| used.stored.contains(id))
    }

    fn inside(&mut self, statement: &Statement) {
        statement.any(&mut |statement| {
            for variable in statement.declared_variables() {
                self.names.insert(variable.name.clone());
            }
            if let Some(buffer) = statement.stored_buffer().filter(|id| self.is(*id, &BufferRole::Local)) {
                self.buffer(buffer);
            }
            match statement {
                Statement::DeclareBuffer(buffer) => self.buffer(*buffer),
                Statement::Loop(repetition) => {
                    self.names.insert(repetition.index.name().into());
                }
                // An index from data at the top level may be declared again in another kernel.
                _ => {}
            }
            false
        });
    }

    fn is(&self, id: BufferId, role: &BufferRole) -> bool {
        self.buffers.get(id.0).is_some_and(|buffer| buffer.role == *role)
    }

    fn buffer(&mut self, id: BufferId) {
        self.names.extend(self.buffers.get(id.0).map(|buffer| buffer.name.clone()));
    }
}
