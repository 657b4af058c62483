//! Rewrites kernel code.
//!
//! A pass over kernel code rewrites the parts that it cares about. Everything else stays as it is, except
//! that decided choices become the branch that is chosen. The walk that rewrites is here; `visit` has the one
//! that looks. If a pass asks what is known about indices ([`Fold::known`]), the walk keeps that knowledge
//! up to date with the loops, conditions and declarations around the current code.

use super::{BufferId, Expression, Loop, Statement, UpdateOperator, ValueType, Variable};
use crate::ir::nat::{Condition, Nat, Ranges, Var};

/// Rewrites the parts of kernel code.
pub trait Fold: Sized {
    /// What is known about indices in the current code, for passes that ask; at first, what is known in all
    /// of it.
    fn known(&mut self) -> Option<&mut Ranges> {
        None
    }

    /// Rewrites something. What is learnt meanwhile is forgotten afterwards.
    fn inside<T>(&mut self, rewrite: impl FnOnce(&mut Self) -> T) -> T {
        let outside = self.known().map(|known| known.clone());
        let rewritten = rewrite(self);
        if let (Some(known), Some(outside)) = (self.known(), outside) {
            *known = outside;
        }
        rewritten
    }

    /// Rewrites an index, a length or a bound.
    fn nat(&mut self, nat: &Nat) -> Nat {
        nat.clone()
    }

    /// Rewrites a comparison of indices.
    fn condition(&mut self, condition: &Condition) -> Expression {
        Expression::Condition(condition.clone())
    }

    /// Rewrites a variable, read or written.
    fn variable(&mut self, variable: &Variable) -> Variable {
        variable.clone()
    }

    /// Rewrites a load; the index is rewritten already.
    fn load(&mut self, buffer: BufferId, index: Nat, ty: ValueType) -> Expression {
        Expression::Load(buffer, index, ty)
    }

    /// Rewrites a store; its parts are rewritten already.
    fn store(&mut self, buffer: BufferId, index: Nat, value: Expression) -> Statement {
        Statement::Store(buffer, index, value)
    }

    /// Rewrites an update; its parts are rewritten already. It goes wherever a store would go.
    fn update(
        &mut self,
        buffer: BufferId,
        index: Nat,
        operator: UpdateOperator,
        value: Expression,
    ) -> Statement {
        match self.store(buffer, index, value) {
            Statement::Store(buffer, index, value) => Statement::Update { buffer, index, operator, value },
            other => other,
        }
    }

    /// Rewrites a choice; its condition is rewritten already, the branches are not.
    fn select(&mut self, condition: Expression, then: &Expression, otherwise: &Expression) -> Expression {
        match condition.as_truth() {
            Some(true) => self.expression(then),
            Some(false) => self.expression(otherwise),
            None => Expression::Select(Box::new(condition), self.boxed(then), self.boxed(otherwise)),
        }
    }

    /// Rewrites a vector of components, which are rewritten already.
    fn components(&mut self, components: Vec<Expression>) -> Expression {
        Expression::Components(components)
    }

    /// Rewrites an index where it is declared: by a loop, for a worker, or with a value.
    fn index_declared(&mut self, index: &Var) -> Var {
        index.clone()
    }

    /// Rewrites an array where it is declared.
    fn buffer_declared(&mut self, buffer: BufferId) -> BufferId {
        buffer
    }

    /// Rewrites an expression, its parts first.
    fn expression(&mut self, expression: &Expression) -> Expression {
        match expression {
            Expression::Literal(..) | Expression::WorkerId(_) => expression.clone(),
            Expression::Variable(variable) => Expression::Variable(self.variable(variable)),
            Expression::Index(nat, ty) => Expression::Index(self.nat(nat), *ty),
            Expression::Condition(condition) => self.condition(condition),
            Expression::Load(buffer, index, ty) => {
                let index = self.nat(index);
                self.load(*buffer, index, *ty)
            }
            Expression::Unary(operator, operand) => Expression::Unary(*operator, self.boxed(operand)),
            Expression::Binary(operator, left, right) => {
                Expression::Binary(*operator, self.boxed(left), self.boxed(right))
            }
            Expression::Builtin(builtin, arguments) => {
                Expression::Builtin(*builtin, self.expressions(arguments))
            }
            Expression::Function(function, arguments, ty) => {
                Expression::Function(*function, self.expressions(arguments), *ty)
            }
            Expression::Select(condition, then, otherwise) => {
                let condition = self.expression(condition);
                self.select(condition, then, otherwise)
            }
            Expression::Cast(ty, operand) => Expression::Cast(*ty, self.boxed(operand)),
            Expression::Broadcast(operand, lanes) => Expression::Broadcast(self.boxed(operand), *lanes),
            Expression::Components(components) => {
                let components = self.expressions(components);
                self.components(components)
            }
            Expression::Component(vector, lane) => Expression::Component(self.boxed(vector), *lane),
        }
    }

    /// Rewrites a part of an expression.
    fn boxed(&mut self, expression: &Expression) -> Box<Expression> {
        Box::new(self.expression(expression))
    }

    /// Rewrites several expressions.
    fn expressions(&mut self, expressions: &[Expression]) -> Vec<Expression> {
        expressions.iter().map(|expression| self.expression(expression)).collect()
    }

    /// Rewrites a block of statements.
    fn block(&mut self, block: &[Statement]) -> Vec<Statement> {
        self.inside(|pass| {
            let mut rewritten = Vec::with_capacity(block.len());
            for statement in block {
                let mut statements = pass.statement(statement);
                if let Some(known) = pass.known() {
                    statements.iter().for_each(|statement| known.learn(statement));
                }
                rewritten.append(&mut statements);
            }
            rewritten
        })
    }

    /// Rewrites the body of a loop over `0..bound`, or over any numbers where there is no bound.
    fn steps(&mut self, body: &[Statement], index: &Var, bound: Option<&Nat>) -> Vec<Statement> {
        self.inside(|pass| {
            if let Some(known) = pass.known() {
                *known = known.in_steps(index, bound);
            }
            pass.block(body)
        })
    }

    /// Rewrites the statements of a choice that are executed where a condition holds.
    fn branch(&mut self, condition: &Expression, branch: &[Statement]) -> Vec<Statement> {
        self.inside(|pass| {
            if let Some(known) = pass.known() {
                *known = known.where_holds(condition);
            }
            pass.block(branch)
        })
    }

    /// Rewrites a statement into any number of statements.
    fn statement(&mut self, statement: &Statement) -> Vec<Statement> {
        self.parts(statement)
    }

    /// Rewrites only the parts of a statement: the default of [`statement`](Self::statement).
    fn parts(&mut self, statement: &Statement) -> Vec<Statement> {
        vec![match statement {
            Statement::Comment(_) | Statement::Barrier { .. } => statement.clone(),
            Statement::DeclareBuffer(buffer) => Statement::DeclareBuffer(self.buffer_declared(*buffer)),
            Statement::Declare(variable, value) => {
                let value = value.as_ref().map(|value| self.expression(value));
                Statement::Declare(self.variable(variable), value)
            }
            Statement::DeclareIndex { index, value, length } => Statement::DeclareIndex {
                index: self.index_declared(index),
                value: self.expression(value),
                length: self.nat(length),
            },
            Statement::DeclareWorker { index, workers, bound } => Statement::DeclareWorker {
                index: self.index_declared(index),
                workers: *workers,
                bound: bound.as_ref().map(|bound| self.nat(bound)),
            },
            Statement::DeclareValue { index, value, bound } => Statement::DeclareValue {
                index: self.index_declared(index),
                value: self.nat(value),
                bound: bound.as_ref().map(|bound| self.nat(bound)),
            },
            Statement::Assign(variable, value) => {
                let value = self.expression(value);
                Statement::Assign(self.variable(variable), value)
            }
            Statement::Store(buffer, index, value) => {
                let (index, value) = (self.nat(index), self.expression(value));
                self.store(*buffer, index, value)
            }
            Statement::Update { buffer, index, operator, value } => {
                let (index, value) = (self.nat(index), self.expression(value));
                self.update(*buffer, index, *operator, value)
            }
            Statement::CallFunction { results, function, arguments } => Statement::CallFunction {
                arguments: self.expressions(arguments),
                function: *function,
                results: results.iter().map(|result| self.variable(result)).collect(),
            },
            Statement::Loop(repetition) => {
                let index = self.index_declared(&repetition.index);
                let extent = self.nat(&repetition.extent);
                let bound = repetition.bound().map(|_| &extent);
                let body = self.steps(&repetition.body, &index, bound);
                let origin = repetition.origin.clone();
                Statement::Loop(Loop { index, extent, origin, body, ..*repetition })
            }
            Statement::BreakUnless(condition) => Statement::BreakUnless(self.expression(condition)),
            Statement::If(condition, then, otherwise) => {
                let condition = self.expression(condition);
                match condition.as_truth() {
                    Some(true) => return self.block(then),
                    Some(false) => return self.block(otherwise),
                    None => {
                        let then = self.branch(&condition, then);
                        Statement::If(condition, then, self.block(otherwise))
                    }
                }
            }
        }]
    }
}
