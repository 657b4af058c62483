//! What statements say about indices to the statements after them.

use crate::kernel::Statement;
use crate::nat::{Nat, Ranges};

/// What a statement says about indices to the statements after it.
pub(crate) fn learn(ranges: &mut Ranges, statement: &Statement) {
    match statement {
        Statement::DeclareIndex { index, length, .. } => {
            ranges.declare(index, Nat::zero(), Some(length.clone()));
        }
        Statement::DeclareWorker { index, bound, .. } => {
            ranges.declare(index, Nat::zero(), bound.clone());
        }
        Statement::DeclareValue { index, value } => {
            if ranges.is_non_negative(value) == Some(true) {
                ranges.declare(index, Nat::zero(), None);
            }
        }
        Statement::Comment(_)
        | Statement::Declare(..)
        | Statement::DeclareBuffer(_)
        | Statement::Assign(..)
        | Statement::Store(..)
        | Statement::CallFunction { .. }
        | Statement::Loop(_)
        | Statement::If(..)
        | Statement::Barrier { .. } => {}
    }
}
