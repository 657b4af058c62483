//! The parameters of a kernel: what its body uses, in a fixed order.
//!
//! Array parameters of the program come first, then its scalars, the result, temporaries and sizes.

use std::collections::BTreeSet;

use super::Generated;
use crate::diagnostic::Diagnostic;
use crate::kernel::{Buffer, BufferId, BufferRole, Expression, KernelParameter, Statement, Variable};
use crate::nat::{Nat, Var};
use crate::typed::Program;

/// What a kernel body uses that it does not declare itself.
#[derive(Default)]
pub(super) struct Uses {
    buffers: BTreeSet<BufferId>,
    scalars: BTreeSet<String>,
    sizes: BTreeSet<Var>,
    /// The indices of loops, and those computed from data.
    indices: BTreeSet<Var>,
    declared: BTreeSet<String>,
    declared_buffers: BTreeSet<BufferId>,
    /// The buffers that it writes.
    pub(super) stored: BTreeSet<BufferId>,
}

/// The parameters that a kernel with this body needs.
pub(super) fn kernel_parameters(
    body: &[Statement],
    program: &Program,
    scalars: &[(usize, Variable)],
    buffers: &[Buffer],
) -> Generated<Vec<KernelParameter>> {
    let uses = Uses::of(body);
    let mut parameters = Vec::new();
    let of_role = |wanted: fn(&BufferRole) -> bool| {
        uses.buffers
            .iter()
            .filter(move |id| buffers.get(id.0).is_some_and(|buffer| wanted(&buffer.role)))
            .map(|id| KernelParameter::Buffer(*id))
    };
    parameters.extend(of_role(|role| matches!(role, BufferRole::Parameter(_))));
    let mut free = uses.free();
    for (position, scalar) in scalars {
        if free.remove(&scalar.name) {
            parameters.push(KernelParameter::Scalar(*position, scalar.clone()));
        }
    }
    if !free.is_empty() {
        return Err(Diagnostic::new(
            program.body.source,
            "a scalar is computed before work that the whole device does, and used after it",
        )
        .with_help("this needs several kernels that pass scalars on, which is not supported yet"));
    }
    let is_private =
        |id: &&BufferId| buffers.get(id.0).is_some_and(|buffer| buffer.role == BufferRole::Private);
    if uses.undeclared_buffers().any(|id| is_private(&id)) {
        return Err(Diagnostic::new(
            program.body.source,
            "an array in private memory is made before work that the whole device does, and used after it",
        )
        .with_help("store it with `toGlobal`, or make it again inside the map that reads it"));
    }
    parameters.extend(of_role(|role| matches!(role, BufferRole::Result(_))));
    parameters.extend(of_role(|role| role.temporary().is_some()));
    let is_size = |variable: &&Var| program.sizes.iter().any(|size| &size.variable == *variable);
    if let Some(unknown) = uses.sizes.difference(&uses.indices).find(|variable| !is_size(variable)) {
        let problem = format!("nothing says what the position `{unknown}` is in a kernel");
        return Err(Diagnostic::internal(program.body.source, &problem));
    }
    let sizes = program.sizes.iter().filter(|size| uses.sizes.contains(&size.variable));
    parameters.extend(sizes.map(|size| KernelParameter::Size(size.variable.clone())));
    Ok(parameters)
}

impl Uses {
    /// What a body uses.
    pub(super) fn of(body: &[Statement]) -> Uses {
        let mut uses = Uses::default();
        uses.collect(body);
        uses
    }

    /// The buffers that the body does not declare itself.
    pub(super) fn undeclared_buffers(&self) -> impl Iterator<Item = &BufferId> {
        self.buffers.difference(&self.declared_buffers)
    }

    /// The names of the variables that the body does not declare itself.
    pub(super) fn free(&self) -> BTreeSet<String> {
        self.scalars.difference(&self.declared).cloned().collect()
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
