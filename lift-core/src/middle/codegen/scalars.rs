//! Scalars and private arrays that several kernels need.
//!
//! A variable lives as long as its kernel. What one kernel computes at its top level, from values that do not
//! change, is computed again at the start of every later kernel that needs it. The same holds for private
//! arrays. Values that take a loop to compute have a stage of their own (see `lower`), so that kernels only
//! load them.

use std::sync::Arc;

use crate::flat::{FlatMap, FlatSet};
use crate::ir::kernel::{
    self, Buffer, BufferId, BufferRole, Expression, Statement, UsedBuffers, Uses, Variable, Writes,
};

/// Declarations at the top level of kernels, by name, without those of variables that are assigned to later.
pub(super) struct Scalars {
    declared: FlatMap<Arc<str>, (Variable, Expression)>,
    /// The top-level statements that make a private array.
    arrays: FlatMap<BufferId, Vec<Statement>>,
}

impl Scalars {
    /// The scalars and private arrays that these kernels declare.
    pub(super) fn of(bodies: &[Vec<Statement>], buffers: &[Buffer]) -> Scalars {
        let all = bodies.iter().flat_map(|body| kernel::nested(body));
        let assigned: FlatSet<&str> = all
            .filter_map(|statement| match statement {
                Statement::Assign(variable, _) => Some(variable.name.as_ref()),
                _ => None,
            })
            .collect();
        let declared = bodies.iter().flatten().filter_map(|statement| match statement {
            Statement::Declare(variable, Some(value)) if !assigned.contains(variable.name.as_ref()) => {
                Some((variable.name.clone(), (variable.clone(), value.clone())))
            }
            _ => None,
        });
        Scalars { declared: declared.collect(), arrays: private_arrays(bodies, buffers) }
    }

    /// The same body after the declarations that it needs from other kernels.
    pub(super) fn declare_in(&self, body: Vec<Statement>) -> Vec<Statement> {
        let used = UsedBuffers::of(&body);
        let arrays = used.undeclared().filter_map(|buffer| self.arrays.get(buffer));
        let mut needed: Vec<Statement> = arrays.flatten().cloned().collect();
        needed.extend(body);
        let mut declared = Vec::new();
        let mut known = FlatSet::new();
        for name in Uses::of(&needed).free() {
            self.declare(&name, &mut known, &mut declared);
        }
        declared.extend(needed);
        declared
    }

    /// Declares a variable, after those that its value needs.
    fn declare(&self, name: &str, known: &mut FlatSet<Arc<str>>, declared: &mut Vec<Statement>) {
        let Some((variable, value)) = self.declared.get(name) else { return };
        if !known.insert(name.into()) {
            return;
        }
        let statement = Statement::Declare(variable.clone(), Some(value.clone()));
        for needed in Uses::of(std::slice::from_ref(&statement)).free() {
            self.declare(&needed, known, declared);
        }
        declared.push(statement);
    }
}

/// The statements that make private arrays, as far as these statements write nothing else.
fn private_arrays(bodies: &[Vec<Statement>], buffers: &[Buffer]) -> FlatMap<BufferId, Vec<Statement>> {
    let mut arrays: FlatMap<BufferId, Vec<Statement>> = FlatMap::new();
    for statement in bodies.iter().flatten() {
        let made: FlatSet<BufferId> = match statement {
            Statement::DeclareBuffer(buffer) => FlatSet::from([*buffer]),
            _ => Writes::of(std::slice::from_ref(statement)).stored,
        };
        let is_private =
            |id: &&BufferId| buffers.get(id.0).is_some_and(|buffer| buffer.role == BufferRole::Private);
        match made.first().filter(is_private) {
            Some(buffer) if made.len() == 1 => arrays.get_or_default(*buffer).push(statement.clone()),
            _ => {}
        }
    }
    arrays
}
