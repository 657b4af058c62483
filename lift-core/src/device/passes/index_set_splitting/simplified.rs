//! The simplification of the interior.

use crate::ir::kernel::Expression;
use crate::ir::kernel::fold::Fold;
use crate::ir::nat::{Condition, Nat, Ranges};

/// Simplifies code where more is known than where it was generated. Indices lose decided comparisons,
/// neighbours are loaded as vectors, and branches that are never taken vanish.
pub(super) struct Simplified {
    ranges: Ranges,
    /// The number of vectors that became one load.
    vectors: u64,
}

impl Simplified {
    pub(super) fn new(ranges: Ranges) -> Simplified {
        Simplified { ranges, vectors: 0 }
    }

    /// The number of vectors that became one load.
    pub(super) fn vectors(&self) -> u64 {
        self.vectors
    }
}

impl Fold for Simplified {
    fn known(&mut self) -> Option<&mut Ranges> {
        Some(&mut self.ranges)
    }

    fn nat(&mut self, nat: &Nat) -> Nat {
        if nat.compares() { self.ranges.simplify(nat) } else { nat.clone() }
    }

    fn condition(&mut self, condition: &Condition) -> Expression {
        Expression::comparison(self.ranges.simplify_condition(condition))
    }

    fn components(&mut self, components: Vec<Expression>) -> Expression {
        match Expression::neighbours(&components, &self.ranges) {
            Some(vector) => {
                self.vectors += 1;
                vector
            }
            None => Expression::Components(components),
        }
    }
}
