//! Which buffers, variables, sizes and indices a piece of kernel code mentions.

use std::collections::BTreeSet;

use super::{BufferId, Expression, Statement, Variable, nested};
use crate::ir::nat::{Nat, Var};

/// What a piece of kernel code uses, and which part of that it declares itself.
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
    /// What it changes.
    pub(crate) writes: Writes,
}

/// What a piece of kernel code changes, and which part of that it declares itself. Cheaper than [`Uses`]: it
/// does not look into expressions.
#[derive(Default)]
pub(crate) struct Writes {
    /// The names of the variables that it assigns.
    pub(crate) assigned: BTreeSet<String>,
    /// The names of the variables that it declares.
    pub(crate) declared: BTreeSet<String>,
    /// The buffers that it declares.
    pub(crate) declared_buffers: BTreeSet<BufferId>,
    /// The buffers that it writes, including those that it declares.
    pub(crate) stored: BTreeSet<BufferId>,
}

impl Writes {
    /// What a body changes.
    pub(crate) fn of(body: &[Statement]) -> Writes {
        let mut writes = Writes::default();
        nested(body).for_each(|statement| writes.statement(statement));
        writes
    }

    fn statement(&mut self, statement: &Statement) {
        for variable in statement.declared_variables() {
            insert_name(&mut self.declared, variable);
        }
        if let Some(buffer) = statement.stored_buffer() {
            self.stored.insert(buffer);
        }
        match statement {
            Statement::Assign(variable, _) => insert_name(&mut self.assigned, variable),
            Statement::DeclareBuffer(buffer) => {
                self.declared_buffers.insert(*buffer);
            }
            Statement::Store(..)
            | Statement::DeclareValue { .. }
            | Statement::DeclareIndex { .. }
            | Statement::DeclareWorker { .. }
            | Statement::Declare(..)
            | Statement::CallFunction { .. }
            | Statement::Comment(_)
            | Statement::Loop(_)
            | Statement::If(..)
            | Statement::Barrier { .. } => {}
        }
    }

    /// Whether it changes only variables that it declares itself.
    pub(crate) fn assigns_only_its_own(&self) -> bool {
        self.assigned.is_subset(&self.declared)
    }

    fn add(&mut self, other: Writes) {
        self.assigned.extend(other.assigned);
        self.declared.extend(other.declared);
        self.declared_buffers.extend(other.declared_buffers);
        self.stored.extend(other.stored);
    }
}

impl Uses {
    /// What a body uses.
    pub(crate) fn of(body: &[Statement]) -> Uses {
        Uses::of_all(body)
    }

    /// What several statements use, in whatever blocks they are.
    pub(crate) fn of_all<'s>(statements: impl IntoIterator<Item = &'s Statement>) -> Uses {
        let mut uses = Uses::default();
        for statement in statements.into_iter().flat_map(|statement| nested(std::slice::from_ref(statement)))
        {
            uses.statement(statement);
            for expression in statement.expressions() {
                expression.nested().for_each(|part| uses.part(part));
            }
        }
        uses
    }

    /// The buffers that the body does not declare itself.
    pub(crate) fn undeclared_buffers(&self) -> impl Iterator<Item = &BufferId> {
        self.buffers.difference(&self.writes.declared_buffers)
    }

    /// The names of the variables that the body does not declare itself.
    pub(crate) fn free(&self) -> BTreeSet<String> {
        self.scalars.difference(&self.writes.declared).cloned().collect()
    }

    /// Adds the uses of more code.
    pub(crate) fn add(&mut self, other: Uses) {
        self.buffers.extend(other.buffers);
        self.scalars.extend(other.scalars);
        self.sizes.extend(other.sizes);
        self.indices.extend(other.indices);
        self.writes.add(other.writes);
    }

    fn statement(&mut self, statement: &Statement) {
        self.writes.statement(statement);
        if let Some(index) = statement.declared_index() {
            self.indices.insert(index.clone());
        }
        if let Some(buffer) = statement.stored_buffer() {
            self.buffers.insert(buffer);
        }
        match statement {
            Statement::Assign(variable, _) => insert_name(&mut self.scalars, variable),
            Statement::Store(_, nat, _)
            | Statement::DeclareValue { value: nat, .. }
            | Statement::DeclareIndex { length: nat, .. } => self.nat(nat),
            Statement::Loop(repetition) => self.nat(&repetition.extent),
            Statement::DeclareBuffer(_)
            | Statement::DeclareWorker { .. }
            | Statement::Declare(..)
            | Statement::CallFunction { .. }
            | Statement::Comment(_)
            | Statement::If(..)
            | Statement::Barrier { .. } => {}
        }
    }

    fn part(&mut self, part: &Expression) {
        match part {
            Expression::Variable(variable) => insert_name(&mut self.scalars, variable),
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
    }

    fn nat(&mut self, nat: &Nat) {
        nat.collect_variables(&mut self.sizes);
    }
}

/// Most names are mentioned often, and copied once.
fn insert_name(names: &mut BTreeSet<String>, variable: &Variable) {
    if !names.contains(&variable.name) {
        names.insert(variable.name.clone());
    }
}
