//! Copies of code, with names of their own.

use std::sync::Arc;

use super::context::Resources;
use crate::flat::FlatMap;
use crate::ir::kernel::fold::Fold;
use crate::ir::kernel::{self, Buffer, BufferId, Expression, Statement, ValueType, Variable};
use crate::ir::nat::{Condition, Nat, Substitution, Var};

/// Returns a copy of statements with its own variables, indices and arrays.
pub(super) fn copied(statements: &[Statement], resources: &mut Resources<'_>) -> Vec<Statement> {
    copied_with(Substitution::new(), statements, resources)
}

/// The same with numbers for some indices that are declared outside.
pub(super) fn copied_with(
    indices: Substitution,
    statements: &[Statement],
    resources: &mut Resources<'_>,
) -> Vec<Statement> {
    let mut copy = Copy { variables: FlatMap::new(), indices, buffers: FlatMap::new() };
    copy.rename_all(statements, resources);
    copy.block(statements)
}

/// The names of variables, indices and arrays in a copy.
struct Copy {
    variables: FlatMap<Arc<str>, Arc<str>>,
    indices: Substitution,
    buffers: FlatMap<BufferId, BufferId>,
}

impl Copy {
    fn rename_all(&mut self, statements: &[Statement], resources: &mut Resources<'_>) {
        for statement in kernel::nested(statements) {
            statement.declared_variables().iter().for_each(|variable| self.rename(variable, resources));
            if let Some(index) = statement.declared_index() {
                self.rename_index(index, resources);
            }
            if let Statement::DeclareBuffer(id) = statement
                && let Some(buffer) = resources.buffers.get(id.0)
            {
                let name = resources.fresh.name(&buffer.name);
                let own = Buffer { name, ..buffer.clone() };
                self.buffers.insert(*id, BufferId(resources.buffers.len()));
                resources.buffers.push(own);
            }
        }
    }

    fn rename(&mut self, variable: &Variable, resources: &mut Resources<'_>) {
        self.variables.insert(variable.name.clone(), resources.fresh.name(&variable.name));
    }

    fn rename_index(&mut self, index: &Var, resources: &mut Resources<'_>) {
        let own = resources.fresh.index(index.name());
        self.indices.insert(index.clone(), Nat::variable(&own));
    }

    fn buffer(&self, id: BufferId) -> BufferId {
        self.buffers.get(&id).copied().unwrap_or(id)
    }

    fn index(&self, index: &Var) -> Var {
        let renamed = self.indices.get(index).and_then(Nat::as_variable);
        renamed.unwrap_or(index).clone()
    }
}

impl Fold for Copy {
    fn nat(&mut self, nat: &Nat) -> Nat {
        nat.substitute(&self.indices)
    }

    fn condition(&mut self, condition: &Condition) -> Expression {
        Expression::comparison(condition.substitute(&self.indices))
    }

    fn variable(&mut self, variable: &Variable) -> Variable {
        match self.variables.get(&variable.name) {
            Some(name) => Variable { name: name.clone(), ty: variable.ty },
            None => variable.clone(),
        }
    }

    fn load(&mut self, buffer: BufferId, index: Nat, ty: ValueType) -> Expression {
        Expression::Load(self.buffer(buffer), index, ty)
    }

    fn store(&mut self, buffer: BufferId, index: Nat, value: Expression) -> Statement {
        Statement::Store(self.buffer(buffer), index, value)
    }

    fn index_declared(&mut self, index: &Var) -> Var {
        self.index(index)
    }

    fn buffer_declared(&mut self, buffer: BufferId) -> BufferId {
        self.buffer(buffer)
    }
}
