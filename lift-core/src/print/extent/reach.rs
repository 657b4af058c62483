//! How far a value reaches on both sides of 0, in terms of sizes.
//!
//! Every bound is built from sizes and numbers by operations that grow with their operands: sums, products,
//! minima, maxima, powers, logarithms, and quotients by a lower bound of the divisor. So it stays a bound
//! where a size of 0 is replaced by 1.

use super::dominance::is_certainly_at_most;
use crate::ir::nat::Nat;

/// A value lies between `-below` and `above`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reach {
    pub(super) above: Nat,
    pub(super) below: Nat,
}

impl Reach {
    /// A reach from 0 to this.
    pub(super) fn up_to(above: Nat) -> Reach {
        Reach { above, below: Nat::zero() }
    }

    /// Whether it certainly reaches no further than another one.
    pub(super) fn is_within(&self, other: &Reach) -> bool {
        is_certainly_at_most(&self.above, &other.above) && is_certainly_at_most(&self.below, &other.below)
    }

    pub(super) fn is_non_negative(&self) -> bool {
        self.below.as_constant() == Some(0)
    }

    /// An upper bound of the distance from 0.
    pub(super) fn magnitude(&self) -> Nat {
        largest(&self.above, &self.below)
    }

    /// The reach of the product with a number that is not negative.
    pub(super) fn scale(self, number: i128) -> Reach {
        match number {
            1 => self,
            _ if self.is_non_negative() => Reach::up_to(self.above.scale(number)),
            _ => Reach { above: self.above.scale(number), below: self.below.scale(number) },
        }
    }

    /// The reach of a product.
    pub(super) fn times(&self, other: &Reach) -> Reach {
        match (self.is_non_negative(), other.is_non_negative()) {
            (true, true) => Reach::up_to(&self.above * &other.above),
            (false, true) => Reach { above: &self.above * &other.above, below: &self.below * &other.above },
            (true, false) => other.times(self),
            (false, false) => {
                let magnitude = self.magnitude() * other.magnitude();
                Reach { above: magnitude.clone(), below: magnitude }
            }
        }
    }
}

/// The smaller of two numbers that are not negative.
pub(super) fn smallest(left: &Nat, right: &Nat) -> Nat {
    if is_certainly_at_most(left, right) {
        left.clone()
    } else if is_certainly_at_most(right, left) {
        right.clone()
    } else {
        Nat::min(left, right)
    }
}

/// The larger of two numbers that are not negative.
pub(super) fn largest(left: &Nat, right: &Nat) -> Nat {
    if is_certainly_at_most(left, right) {
        right.clone()
    } else if is_certainly_at_most(right, left) {
        left.clone()
    } else {
        Nat::max(left, right)
    }
}

/// The number, but at least 1.
pub(super) fn positive(number: &Nat) -> Nat {
    largest(number, &Nat::one())
}

/// The number, but at least 0.
pub(super) fn natural(number: &Nat) -> Nat {
    largest(number, &Nat::zero())
}
