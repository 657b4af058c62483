//! Kernel code where more is known of its indices than where it was generated.

use crate::kernel::rewrite::Rewrite;
use crate::kernel::{Expression, Statement};
use crate::nat::{Condition, Nat, Ranges};
use crate::refine::learn;
use crate::scalar::{Literal, ScalarType};

/// The code with what the ranges decide decided.
pub(super) fn simplified(body: &[Statement], ranges: &Ranges) -> Vec<Statement> {
    Simplify { ranges: ranges.clone() }.block(body)
}

struct Simplify {
    ranges: Ranges,
}

impl Simplify {
    fn inside<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let outside = self.ranges.clone();
        let result = work(self);
        self.ranges = outside;
        result
    }
}

impl Rewrite for Simplify {
    fn nat(&mut self, nat: &Nat) -> Nat {
        self.ranges.simplify(nat)
    }

    fn condition(&mut self, condition: &Condition) -> Expression {
        match self.ranges.decide(condition) {
            Some(truth) => Expression::Literal(Literal::Bool(truth), ScalarType::Bool),
            None => Expression::Condition(self.ranges.simplify_condition(condition)),
        }
    }

    fn select(&mut self, condition: Expression, then: &Expression, otherwise: &Expression) -> Expression {
        match &condition {
            Expression::Literal(Literal::Bool(true), _) => self.expression(then),
            Expression::Literal(Literal::Bool(false), _) => self.expression(otherwise),
            _ => Expression::Select(Box::new(condition), self.boxed(then), self.boxed(otherwise)),
        }
    }

    fn block(&mut self, block: &[Statement]) -> Vec<Statement> {
        self.inside(|simplify| {
            let mut simplified = Vec::new();
            for statement in block {
                match simplify.statement(statement) {
                    Statement::If(Expression::Literal(Literal::Bool(truth), _), then, otherwise) => {
                        simplified.extend(if truth { then } else { otherwise });
                    }
                    statement => simplified.push(statement),
                }
                learn(&mut simplify.ranges, statement);
            }
            simplified
        })
    }

    fn statement(&mut self, statement: &Statement) -> Statement {
        match statement {
            Statement::Loop(repetition) => {
                let mut changed = repetition.clone();
                changed.extent = self.nat(&repetition.extent);
                changed.body = self.inside(|simplify| {
                    let extent = Some(repetition.extent.clone());
                    simplify.ranges.declare(&repetition.index, Nat::zero(), extent);
                    simplify.block(&repetition.body)
                });
                Statement::Loop(changed)
            }
            Statement::If(condition, then, otherwise) => {
                let rewritten = self.expression(condition);
                let then = self.inside(|simplify| {
                    if let Expression::Condition(condition) = condition {
                        simplify.ranges.assume(condition);
                    }
                    simplify.block(then)
                });
                Statement::If(rewritten, then, self.block(otherwise))
            }
            Statement::Comment(_)
            | Statement::Declare(..)
            | Statement::DeclareBuffer(_)
            | Statement::DeclareIndex { .. }
            | Statement::DeclareWorker { .. }
            | Statement::DeclareValue { .. }
            | Statement::Assign(..)
            | Statement::Store(..)
            | Statement::CallFunction { .. }
            | Statement::Barrier { .. } => self.parts(statement),
        }
    }
}
