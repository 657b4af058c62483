//! Which buffers, variables, sizes and indices a piece of kernel code mentions.

use std::sync::Arc;

use super::{BufferId, Expression, Statement, Variable, any};
use crate::flat::FlatSet;
use crate::ir::nat::{Condition, Nat, Var};

/// Something that kernel code mentions.
#[derive(Clone, Copy)]
pub(crate) enum Mention<'s> {
    /// A variable that is read or assigned.
    Variable(&'s Variable),
    /// A buffer that is read or written.
    Buffer(BufferId),
    /// A formula.
    Nat(&'s Nat),
    /// A comparison of formulas.
    Condition(&'s Condition),
}

impl Mention<'_> {
    /// Whether it is a variable of this name.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        matches!(self, Mention::Variable(variable) if *variable.name == *name)
    }

    /// Whether it is a formula or a comparison that depends on a size or an index.
    pub(crate) fn depends_on(&self, index: &Var) -> bool {
        match self {
            Mention::Nat(nat) => nat.mentions(index),
            Mention::Condition(condition) => condition.mentions(index),
            Mention::Variable(_) | Mention::Buffer(_) => false,
        }
    }
}

impl Statement {
    /// Whether one of its mentions, without those of the statements inside it, is wanted. Those after the
    /// first one are not looked at.
    fn mentions(&self, is_wanted: &mut impl FnMut(Mention<'_>) -> bool) -> bool {
        let is_wanted_itself = match self {
            Statement::Assign(variable, _) => is_wanted(Mention::Variable(variable)),
            Statement::Store(buffer, index, _) | Statement::Update { buffer, index, .. } => {
                is_wanted(Mention::Buffer(*buffer)) || is_wanted(Mention::Nat(index))
            }
            Statement::DeclareValue { value: nat, .. } | Statement::DeclareIndex { length: nat, .. } => {
                is_wanted(Mention::Nat(nat))
            }
            Statement::Loop(repetition) => is_wanted(Mention::Nat(&repetition.extent)),
            Statement::DeclareBuffer(_)
            | Statement::DeclareWorker { .. }
            | Statement::Declare(..)
            | Statement::CallFunction { .. }
            | Statement::Comment(_)
            | Statement::If(..)
            | Statement::BreakUnless(_)
            | Statement::Barrier { .. } => false,
        };
        if is_wanted_itself {
            return true;
        }
        for expression in self.expressions() {
            if expression.any(&mut |part| part.mentions(is_wanted)) {
                return true;
            }
        }
        false
    }
}

impl Expression {
    /// The same for an expression without its parts.
    fn mentions(&self, is_wanted: &mut impl FnMut(Mention<'_>) -> bool) -> bool {
        match self {
            Expression::Variable(variable) => is_wanted(Mention::Variable(variable)),
            Expression::Index(nat, _) => is_wanted(Mention::Nat(nat)),
            Expression::Condition(condition) => is_wanted(Mention::Condition(condition)),
            Expression::Load(buffer, index, _) => {
                is_wanted(Mention::Buffer(*buffer)) || is_wanted(Mention::Nat(index))
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
            | Expression::Cast(..) => false,
        }
    }
}

/// Whether a mention in a body is wanted. To ask for one thing takes less time than to collect all [`Uses`].
pub(crate) fn mentions(body: &[Statement], mut is_wanted: impl FnMut(Mention<'_>) -> bool) -> bool {
    any(body, &mut |statement| statement.mentions(&mut is_wanted))
}

/// The buffers that a body stores to, and those that it loads from.
pub(crate) fn written_and_read(body: &[Statement]) -> (FlatSet<BufferId>, FlatSet<BufferId>) {
    let (mut written, mut read) = (FlatSet::new(), FlatSet::new());
    any(body, &mut |statement| {
        if let Some(buffer) = statement.stored_buffer() {
            written.insert(buffer);
        }
        read.extend(statement.updated_buffer());
        for expression in statement.expressions() {
            expression.any(&mut |part| {
                if let Expression::Load(buffer, ..) = part {
                    read.insert(*buffer);
                }
                false
            });
        }
        false
    });
    (written, read)
}

/// The buffers that a piece of kernel code uses. Cheaper than [`Uses`]: it collects no names and no sizes.
#[derive(Default)]
pub(crate) struct UsedBuffers {
    /// Those that it reads or writes.
    pub(crate) all: FlatSet<BufferId>,
    /// Those that it declares.
    declared: FlatSet<BufferId>,
    /// Those that it writes, including those that it declares.
    pub(crate) stored: FlatSet<BufferId>,
}

impl UsedBuffers {
    /// Those that a body uses.
    pub(crate) fn of(body: &[Statement]) -> UsedBuffers {
        let mut used = UsedBuffers::default();
        any(body, &mut |statement| {
            if let Statement::DeclareBuffer(buffer) = statement {
                used.declared.insert(*buffer);
            }
            if let Some(buffer) = statement.stored_buffer() {
                used.stored.insert(buffer);
            }
            statement.mentions(&mut |mention| {
                if let Mention::Buffer(buffer) = mention {
                    used.all.insert(buffer);
                }
                false
            })
        });
        used
    }

    /// Those that the body does not declare itself.
    pub(crate) fn undeclared(&self) -> impl Iterator<Item = &BufferId> {
        self.all.difference(&self.declared)
    }
}

/// What a piece of kernel code uses, and which part of that it declares itself.
#[derive(Default)]
pub(crate) struct Uses {
    /// The buffers that it reads or writes.
    pub(crate) buffers: FlatSet<BufferId>,
    /// The names of the variables that it reads or assigns.
    pub(crate) scalars: FlatSet<Arc<str>>,
    /// The sizes and indices in its formulas.
    pub(crate) sizes: FlatSet<Var>,
    /// The indices of loops, and those computed from data.
    pub(crate) indices: FlatSet<Var>,
    /// What it changes.
    pub(crate) writes: Writes,
}

/// What a piece of kernel code changes, and which part of that it declares itself. Cheaper than [`Uses`]: it
/// does not look into expressions.
#[derive(Default)]
pub(crate) struct Writes {
    /// The names of the variables that it assigns.
    pub(crate) assigned: FlatSet<Arc<str>>,
    /// The names of the variables that it declares.
    pub(crate) declared: FlatSet<Arc<str>>,
    /// The buffers that it declares.
    pub(crate) declared_buffers: FlatSet<BufferId>,
    /// The buffers that it writes, including those that it declares.
    pub(crate) stored: FlatSet<BufferId>,
}

impl Writes {
    /// What a body changes.
    pub(crate) fn of(body: &[Statement]) -> Writes {
        let mut writes = Writes::default();
        any(body, &mut |statement| {
            writes.statement(statement);
            false
        });
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
            | Statement::Update { .. }
            | Statement::DeclareValue { .. }
            | Statement::DeclareIndex { .. }
            | Statement::DeclareWorker { .. }
            | Statement::Declare(..)
            | Statement::CallFunction { .. }
            | Statement::Comment(_)
            | Statement::Loop(_)
            | Statement::If(..)
            | Statement::BreakUnless(_)
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
        for statement in statements {
            statement.any(&mut |statement| {
                uses.writes.statement(statement);
                if let Some(index) = statement.declared_index() {
                    uses.indices.insert(index.clone());
                }
                statement.mentions(&mut |mention| {
                    uses.mention(mention);
                    false
                })
            });
        }
        uses
    }

    /// The buffers that the body does not declare itself.
    pub(crate) fn undeclared_buffers(&self) -> impl Iterator<Item = &BufferId> {
        self.buffers.difference(&self.writes.declared_buffers)
    }

    /// The names of the variables that the body does not declare itself.
    pub(crate) fn free(&self) -> FlatSet<Arc<str>> {
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

    fn mention(&mut self, mention: Mention<'_>) {
        match mention {
            Mention::Variable(variable) => insert_name(&mut self.scalars, variable),
            Mention::Buffer(buffer) => {
                self.buffers.insert(buffer);
            }
            Mention::Nat(nat) => nat.collect_variables(&mut self.sizes),
            Mention::Condition(condition) => self.sizes.extend(condition.variables()),
        }
    }
}

/// Most names are mentioned often, and copied once.
fn insert_name(names: &mut FlatSet<Arc<str>>, variable: &Variable) {
    if !names.contains(&variable.name) {
        names.insert(variable.name.clone());
    }
}
