//! Visits kernel code without changing it.
//!
//! A visitor handles the parts that it cares about; the walk over all forms of code is written here once.
//! Branches that a decided choice does not take are left out, as a [`Fold`](super::fold::Fold) leaves them
//! out.

use super::{BufferId, Expression, Loop, Statement, ValueType, Variable};
use crate::ir::nat::{Condition, Nat, Ranges};

/// Visits the parts of kernel code.
pub(crate) trait Visit: Sized {
    /// What is known about indices in the current code, for visitors that ask; at first, what is known in all
    /// of it.
    fn known(&mut self) -> Option<&mut Ranges> {
        None
    }

    /// Visits an index, a length or a bound.
    fn nat(&mut self, _: &Nat) {}

    /// Visits a comparison of indices.
    fn condition(&mut self, _: &Condition) {}

    /// Visits a variable, read or written.
    fn variable(&mut self, _: &Variable) {}

    /// Visits a load, after its index.
    fn load(&mut self, _: BufferId, _: &Nat, _: ValueType) {}

    /// Visits a store or an update, after its index and its value.
    fn store(&mut self, _: BufferId, _: &Nat, _: &Expression) {}

    /// Visits a vector of components, after these.
    fn components(&mut self, _: &[Expression]) {}

    /// Visits a statement.
    fn statement(&mut self, statement: &Statement) {
        self.parts(statement);
    }

    /// Visits an expression, its parts first.
    fn expression(&mut self, expression: &Expression) {
        match expression {
            Expression::Literal(..) | Expression::WorkerId(_) => {}
            Expression::Variable(variable) => self.variable(variable),
            Expression::Index(nat, _) => self.nat(nat),
            Expression::Condition(condition) => self.condition(condition),
            Expression::Load(buffer, index, ty) => {
                self.nat(index);
                self.load(*buffer, index, *ty);
            }
            Expression::Unary(_, operand)
            | Expression::Cast(_, operand)
            | Expression::Broadcast(operand, _)
            | Expression::Component(operand, _) => self.expression(operand),
            Expression::Binary(_, left, right) => {
                self.expression(left);
                self.expression(right);
            }
            Expression::Builtin(_, arguments) | Expression::Function(_, arguments, _) => {
                arguments.iter().for_each(|argument| self.expression(argument));
            }
            Expression::Select(condition, then, otherwise) => {
                self.expression(condition);
                match condition.as_truth() {
                    Some(true) => self.expression(then),
                    Some(false) => self.expression(otherwise),
                    None => {
                        self.expression(then);
                        self.expression(otherwise);
                    }
                }
            }
            Expression::Components(components) => {
                components.iter().for_each(|component| self.expression(component));
                self.components(components);
            }
        }
    }

    /// Visits something. What is learnt meanwhile is forgotten afterwards.
    fn inside(&mut self, visit: impl FnOnce(&mut Self)) {
        let outside = self.known().map(|known| known.clone());
        visit(self);
        if let (Some(known), Some(outside)) = (self.known(), outside) {
            *known = outside;
        }
    }

    /// Visits a block of statements.
    fn block(&mut self, block: &[Statement]) {
        self.inside(|visitor| {
            for statement in block {
                visitor.statement(statement);
                if let Some(known) = visitor.known() {
                    known.learn(statement);
                }
            }
        });
    }

    /// Visits the statements of a choice that are executed where a condition holds.
    fn branch(&mut self, condition: &Expression, branch: &[Statement]) {
        self.inside(|visitor| {
            if let Some(known) = visitor.known() {
                *known = known.where_holds(condition);
            }
            visitor.block(branch);
        });
    }

    /// Visits the body of a loop.
    fn iterations(&mut self, repetition: &Loop) {
        self.inside(|visitor| {
            if let Some(known) = visitor.known() {
                *known = known.in_steps(&repetition.index, repetition.bound());
            }
            visitor.block(&repetition.body);
        });
    }

    /// Visits the parts of a statement: the default of [`statement`](Self::statement).
    fn parts(&mut self, statement: &Statement) {
        match statement {
            Statement::Comment(_) | Statement::Barrier { .. } | Statement::DeclareBuffer(_) => {}
            Statement::Declare(variable, value) => {
                value.iter().for_each(|value| self.expression(value));
                self.variable(variable);
            }
            Statement::DeclareIndex { value, length, .. } => {
                self.expression(value);
                self.nat(length);
            }
            Statement::DeclareWorker { bound, .. } => bound.iter().for_each(|bound| self.nat(bound)),
            Statement::DeclareValue { value, bound, .. } => {
                self.nat(value);
                bound.iter().for_each(|bound| self.nat(bound));
            }
            Statement::Assign(variable, value) => {
                self.expression(value);
                self.variable(variable);
            }
            Statement::Store(buffer, index, value) | Statement::Update { buffer, index, value, .. } => {
                self.nat(index);
                self.expression(value);
                self.store(*buffer, index, value);
            }
            Statement::CallFunction { results, arguments, .. } => {
                arguments.iter().for_each(|argument| self.expression(argument));
                results.iter().for_each(|result| self.variable(result));
            }
            Statement::Loop(repetition) => {
                self.nat(&repetition.extent);
                self.iterations(repetition);
            }
            Statement::BreakUnless(condition) => self.expression(condition),
            Statement::If(condition, then, otherwise) => {
                self.expression(condition);
                match condition.as_truth() {
                    Some(true) => self.block(then),
                    Some(false) => self.block(otherwise),
                    None => {
                        self.branch(condition, then);
                        self.block(otherwise);
                    }
                }
            }
        }
    }
}
