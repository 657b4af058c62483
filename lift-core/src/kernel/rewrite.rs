//! Kernel code with its parts changed.
//!
//! A pass over kernel code says what becomes of the parts that it cares about; everything else stays as it is. All forms of
//! expressions are listed here and nowhere else.

use super::{BufferId, Expression, Statement, ValueType, Variable};
use crate::nat::{Condition, Nat};

/// What becomes of the parts of kernel code.
pub trait Rewrite {
    /// An index, a length or a bound.
    fn nat(&mut self, nat: &Nat) -> Nat {
        nat.clone()
    }

    /// A comparison of indices.
    fn condition(&mut self, condition: &Condition) -> Expression {
        Expression::Condition(condition.clone())
    }

    /// A variable, read or written.
    fn variable(&mut self, variable: &Variable) -> Variable {
        variable.clone()
    }

    /// A load; the index is rewritten already.
    fn load(&mut self, buffer: BufferId, index: Nat, ty: ValueType) -> Expression {
        Expression::Load(buffer, index, ty)
    }

    /// A store; its parts are rewritten already.
    fn store(&mut self, buffer: BufferId, index: Nat, value: Expression) -> Statement {
        Statement::Store(buffer, index, value)
    }

    /// A choice; its condition is rewritten already, the branches are not.
    fn select(&mut self, condition: Expression, then: &Expression, otherwise: &Expression) -> Expression {
        Expression::Select(Box::new(condition), self.boxed(then), self.boxed(otherwise))
    }

    /// An expression, its parts first.
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
            Expression::Components(components) => Expression::Components(self.expressions(components)),
            Expression::Component(vector, lane) => Expression::Component(self.boxed(vector), *lane),
        }
    }

    /// The same for a part of an expression.
    fn boxed(&mut self, expression: &Expression) -> Box<Expression> {
        Box::new(self.expression(expression))
    }

    /// Several expressions.
    fn expressions(&mut self, expressions: &[Expression]) -> Vec<Expression> {
        expressions.iter().map(|expression| self.expression(expression)).collect()
    }

    /// A block of statements.
    fn block(&mut self, block: &[Statement]) -> Vec<Statement> {
        block.iter().map(|statement| self.statement(statement)).collect()
    }

    /// A statement, its parts first.
    fn statement(&mut self, statement: &Statement) -> Statement {
        self.parts(statement)
    }

    /// A statement of which the parts are rewritten: what [`statement`](Self::statement) does where it is left alone.
    fn parts(&mut self, statement: &Statement) -> Statement {
        match statement {
            Statement::Comment(_) | Statement::DeclareBuffer(_) | Statement::Barrier { .. } => {
                statement.clone()
            }
            Statement::Declare(variable, value) => {
                let value = value.as_ref().map(|value| self.expression(value));
                Statement::Declare(self.variable(variable), value)
            }
            Statement::DeclareIndex { index, value, length } => Statement::DeclareIndex {
                index: index.clone(),
                value: self.expression(value),
                length: self.nat(length),
            },
            Statement::DeclareWorker { index, workers, bound } => Statement::DeclareWorker {
                index: index.clone(),
                workers: *workers,
                bound: bound.as_ref().map(|bound| self.nat(bound)),
            },
            Statement::DeclareValue { index, value } => {
                Statement::DeclareValue { index: index.clone(), value: self.nat(value) }
            }
            Statement::Assign(variable, value) => {
                let value = self.expression(value);
                Statement::Assign(self.variable(variable), value)
            }
            Statement::Store(buffer, index, value) => {
                let (index, value) = (self.nat(index), self.expression(value));
                self.store(*buffer, index, value)
            }
            Statement::CallFunction { results, function, arguments } => Statement::CallFunction {
                arguments: self.expressions(arguments),
                function: *function,
                results: results.iter().map(|result| self.variable(result)).collect(),
            },
            Statement::Loop(repetition) => {
                let mut changed = repetition.clone();
                changed.extent = self.nat(&repetition.extent);
                changed.body = self.block(&repetition.body);
                Statement::Loop(changed)
            }
            Statement::If(condition, then, otherwise) => {
                let condition = self.expression(condition);
                Statement::If(condition, self.block(then), self.block(otherwise))
            }
        }
    }
}
