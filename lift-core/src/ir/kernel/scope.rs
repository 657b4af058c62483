//! What is known about indices at a place in kernel code, from the loops, conditions and declarations that
//! are visible there.

use super::{Expression, Loop, Statement};
use crate::ir::nat::{Nat, Ranges, Var};

impl Ranges {
    /// Learns what a statement says about indices to the statements after it.
    pub(crate) fn learn(&mut self, statement: &Statement) {
        match statement {
            Statement::DeclareIndex { index, length, .. } => {
                *self = self.in_steps(index, Some(length));
            }
            Statement::DeclareWorker { index, bound, .. } => {
                *self = self.in_steps(index, bound.as_ref());
            }
            Statement::DeclareValue { index, bound: Some(bound), .. } => {
                *self = self.in_steps(index, Some(bound));
            }
            Statement::DeclareValue { index, value, bound: None } => {
                if self.proves_non_negative(value) {
                    *self = self.in_steps(index, None);
                }
            }
            Statement::Comment(_)
            | Statement::Declare(..)
            | Statement::DeclareBuffer(_)
            | Statement::Assign(..)
            | Statement::Store(..)
            | Statement::Update { .. }
            | Statement::CallFunction { .. }
            | Statement::Loop(_)
            | Statement::If(..)
            | Statement::BreakUnless(_)
            | Statement::Barrier { .. } => {}
        }
    }

    /// What is known inside a loop.
    #[must_use]
    pub(crate) fn in_loop(&self, repetition: &Loop) -> Ranges {
        self.in_steps(&repetition.index, repetition.bound())
    }

    /// What is known where an index lies in `0..bound`, or is any number where there is no bound.
    #[must_use]
    pub(crate) fn in_steps(&self, index: &Var, bound: Option<&Nat>) -> Ranges {
        // Where there is an index, `max(n, 0)` is `n`.
        let bound = bound.map(|bound| bound.as_positive_part().unwrap_or(bound).clone());
        self.with_declared(index, Nat::zero(), bound)
    }

    /// What is known where a condition holds. Only a comparison of indices adds knowledge.
    #[must_use]
    pub(crate) fn where_holds(&self, condition: &Expression) -> Ranges {
        match condition {
            Expression::Condition(condition) => self.with_assumed(condition),
            _ => self.clone(),
        }
    }
}
