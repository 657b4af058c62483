//! Simplifies kernel code where more is known about its indices than where it was generated.

use crate::ir::kernel::fold::Fold;
use crate::ir::kernel::{Expression, Statement};
use crate::ir::nat::{Condition, Nat, Ranges};

/// The code in which everything that the ranges decide is decided.
pub(super) fn simplified(body: &[Statement], ranges: &Ranges) -> Vec<Statement> {
    Simplify(ranges.clone()).block(body)
}

struct Simplify(Ranges);

impl Fold for Simplify {
    fn known(&mut self) -> Option<&mut Ranges> {
        Some(&mut self.0)
    }

    fn nat(&mut self, nat: &Nat) -> Nat {
        self.0.simplify(nat)
    }

    fn condition(&mut self, condition: &Condition) -> Expression {
        Expression::comparison(self.0.simplify_condition(condition))
    }
}
