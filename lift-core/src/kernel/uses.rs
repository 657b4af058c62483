//! Which buffers, variables, sizes and indices a piece of kernel code mentions.

use std::collections::BTreeSet;

use super::{BufferId, Expression, Statement};
use crate::nat::{Nat, Var};

/// What a piece of kernel code uses, and what of that it declares itself.
#[derive(Default)]
pub(crate) struct Uses {
    /// The buffers that it reads or writes.
    pub(crate) buffers: BTreeSet<BufferId>,
    /// The names of the variables that it reads or assigns.
    pub(crate) scalars: BTreeSet<String>,
    /// The sizes and indices in its formulas.
    pub(crate) sizes: BTreeSet<Var>,
    /// The indices of loops, and those computed from data.
    pub(crate) indices: BTreeSet<Var>,
    /// The names of the variables that it declares.
    pub(crate) declared: BTreeSet<String>,
    declared_buffers: BTreeSet<BufferId>,
    /// The buffers that it writes, those among them that it declares included.
    pub(crate) stored: BTreeSet<BufferId>,
}

impl Uses {
    /// What a body uses.
    pub(crate) fn of(body: &[Statement]) -> Uses {
        let mut uses = Uses::default();
        uses.collect(body);
        uses
    }

    /// The buffers that the body does not declare itself.
    pub(crate) fn undeclared_buffers(&self) -> impl Iterator<Item = &BufferId> {
        self.buffers.difference(&self.declared_buffers)
    }

    /// The names of the variables that the body does not declare itself.
    pub(crate) fn free(&self) -> BTreeSet<String> {
        self.scalars.difference(&self.declared).cloned().collect()
    }

    /// The same for code that has both.
    pub(crate) fn add(&mut self, other: Uses) {
        self.buffers.extend(other.buffers);
        self.scalars.extend(other.scalars);
        self.sizes.extend(other.sizes);
        self.indices.extend(other.indices);
        self.declared.extend(other.declared);
        self.declared_buffers.extend(other.declared_buffers);
        self.stored.extend(other.stored);
    }

    fn collect(&mut self, body: &[Statement]) {
        for statement in body {
            self.statement(statement);
            statement.expressions().into_iter().for_each(|expression| self.expression(expression));
            statement.blocks().into_iter().for_each(|block| self.collect(block));
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Declare(variable, _) => {
                self.declared.insert(variable.name.clone());
            }
            Statement::CallFunction { results, .. } => {
                self.declared.extend(results.iter().map(|variable| variable.name.clone()));
            }
            Statement::Assign(variable, _) => {
                self.scalars.insert(variable.name.clone());
            }
            Statement::Store(buffer, index, _) => {
                self.stored.insert(*buffer);
                self.buffers.insert(*buffer);
                self.nat(index);
            }
            Statement::Loop(repetition) => {
                self.indices.insert(repetition.index.clone());
                self.nat(&repetition.extent);
            }
            Statement::DeclareWorker { index, .. } => {
                self.indices.insert(index.clone());
            }
            Statement::DeclareValue { index, value } => {
                self.indices.insert(index.clone());
                self.nat(value);
            }
            Statement::DeclareIndex { index, length, .. } => {
                self.indices.insert(index.clone());
                self.nat(length);
            }
            Statement::DeclareBuffer(buffer) => {
                self.declared_buffers.insert(*buffer);
            }
            Statement::Comment(_) | Statement::If(..) | Statement::Barrier { .. } => {}
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match expression {
            Expression::Variable(variable) => {
                self.scalars.insert(variable.name.clone());
            }
            Expression::Index(nat, _) => self.nat(nat),
            Expression::Condition(condition) => self.sizes.extend(condition.variables()),
            Expression::Load(buffer, index, _) => {
                self.buffers.insert(*buffer);
                self.nat(index);
            }
            Expression::Literal(..)
            | Expression::WorkerId(_)
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Builtin(..)
            | Expression::Function(..)
            | Expression::Broadcast(..)
            | Expression::Components(_)
            | Expression::Component(..)
            | Expression::Select(..)
            | Expression::Cast(..) => {}
        }
        expression.children().into_iter().for_each(|child| self.expression(child));
    }

    fn nat(&mut self, nat: &Nat) {
        self.sizes.extend(nat.variables());
    }
}
