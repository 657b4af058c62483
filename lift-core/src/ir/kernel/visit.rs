//! Kernel code that is looked at and stays as it is.
//!
//! A visitor says what it does with the parts that it cares about; the walk over all forms of code is written here
//! once. Choices that are decided are left out where they are not taken, as a [`Fold`](super::fold::Fold) leaves them out.

use super::{BufferId, Expression, Loop, Statement, ValueType, Variable};
use crate::ir::nat::{Condition, Nat, Ranges};

/// What is done with the parts of kernel code.
pub(crate) trait Visit: Sized {
    /// What is known of indices at the code at hand, for visitors that ask; at first, what is known at all of it.
    fn known(&mut self) -> Option<&mut Ranges> {
        None
    }

    /// An index, a length or a bound.
    fn nat(&mut self, _: &Nat) {}

    /// A comparison of indices.
    fn condition(&mut self, _: &Condition) {}

    /// A variable, read or written.
    fn variable(&mut self, _: &Variable) {}

    /// A load, after its index.
    fn load(&mut self, _: BufferId, _: &Nat, _: ValueType) {}

    /// A store, after its index and its value.
    fn store(&mut self, _: BufferId, _: &Nat, _: &Expression) {}

    /// A vector of components, after these.
    fn components(&mut self, _: &[Expression]) {}

    /// A statement.
    fn statement(&mut self, statement: &Statement) {
        self.parts(statement);
    }

    /// An expression, its parts first.
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

    /// Visits something; what is learnt meanwhile is forgotten after it.
    fn inside(&mut self, visit: impl FnOnce(&mut Self)) {
        let outside = self.known().map(|known| known.clone());
        visit(self);
        if let (Some(known), Some(outside)) = (self.known(), outside) {
            *known = outside;
        }
    }

    /// A block of statements.
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

    /// The statements of a choice that are executed where a condition holds.
    fn branch(&mut self, condition: &Expression, branch: &[Statement]) {
        self.inside(|visitor| {
            if let Some(known) = visitor.known() {
                *known = known.where_holds(condition);
            }
            visitor.block(branch);
        });
    }

    /// The body of a loop.
    fn iterations(&mut self, repetition: &Loop) {
        self.inside(|visitor| {
            if let Some(known) = visitor.known() {
                *known = known.in_steps(&repetition.index, repetition.bound());
            }
            visitor.block(&repetition.body);
        });
    }

    /// The parts of a statement: what [`statement`](Self::statement) visits where nothing else is said.
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
            Statement::Store(buffer, index, value) => {
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
