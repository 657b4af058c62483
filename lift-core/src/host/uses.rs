//! What statements declare and mention.

use std::collections::BTreeSet;

use crate::kernel::rewrite::Rewrite;
use crate::kernel::{self, BufferId, Expression, Statement, Variable};
use crate::nat::{Condition, Nat, Var};

/// The buffers that are declared in a body.
pub(super) fn declared_buffers(body: &[Statement]) -> BTreeSet<BufferId> {
    let declared = kernel::nested(body).filter_map(|statement| match statement {
        Statement::DeclareBuffer(buffer) => Some(*buffer),
        _ => None,
    });
    declared.collect()
}

/// The indices that a body computes, for each lane of a strip its own.
pub(crate) fn computed_indices(body: &[Statement]) -> BTreeSet<Var> {
    let computed = kernel::nested(body).filter_map(|statement| match statement {
        Statement::DeclareIndex { index, .. } | Statement::DeclareValue { index, .. } => Some(index.clone()),
        _ => None,
    });
    computed.collect()
}

/// What statements mention.
#[derive(Default)]
pub(super) struct Used {
    /// Variables, by their names.
    pub(super) variables: BTreeSet<String>,
    /// Those of them that are assigned to.
    pub(super) assigned: BTreeSet<String>,
    /// Those of them that are declared here.
    pub(super) declared: BTreeSet<String>,
    /// Indices and sizes.
    pub(super) indices: BTreeSet<Var>,
}

impl Used {
    /// What these statements mention.
    pub(super) fn of(statements: &[Statement]) -> Used {
        let mut used = Used::default();
        used.block(statements);
        used
    }
}

impl Rewrite for Used {
    fn nat(&mut self, nat: &Nat) -> Nat {
        self.indices.extend(nat.variables());
        nat.clone()
    }

    fn condition(&mut self, condition: &Condition) -> Expression {
        self.indices.extend(condition.variables());
        Expression::Condition(condition.clone())
    }

    fn variable(&mut self, variable: &Variable) -> Variable {
        self.variables.insert(variable.name.clone());
        variable.clone()
    }

    fn statement(&mut self, statement: &Statement) -> Vec<Statement> {
        if let Statement::Assign(variable, _) = statement {
            self.assigned.insert(variable.name.clone());
        }
        self.declared.extend(statement.declared_variables().iter().map(|variable| variable.name.clone()));
        self.parts(statement)
    }
}
