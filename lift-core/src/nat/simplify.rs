//! Simplification under facts.

use super::condition::Condition;
use super::expression::Nat;
use super::facts::Facts;
use super::prove::Prover;

/// One run of simplification.
pub(super) struct Simplifier<'a> {
    facts: &'a Facts,
    prover: Prover<'a>,
}

impl<'a> Simplifier<'a> {
    pub(super) fn new(facts: &'a Facts) -> Self {
        Self { facts, prover: Prover::new(facts) }
    }

    pub(super) fn simplify(&mut self, n: &Nat) -> Nat {
        n.clone()
    }

    pub(super) fn simplify_condition(&mut self, condition: &Condition) -> Condition {
        condition.canonical()
    }

    /// Whether `n` is 0.
    pub(super) fn is_zero(&mut self, n: &Nat) -> Option<bool> {
        let n = self.facts.translate(n);
        if n.is_zero() {
            return Some(true);
        }
        let differs = self.prover.positive(&n) || self.prover.positive(&-&n);
        if differs { Some(false) } else { None }
    }

    /// Whether `n % divisor` is 0.
    pub(super) fn divides(&mut self, divisor: &Nat, n: &Nat) -> Option<bool> {
        let (divisor, n) = (self.facts.translate(divisor), self.facts.translate(n));
        self.is_zero(&n.modulo(&divisor))
    }

    /// Whether `n >= 0`.
    pub(super) fn is_non_negative(&mut self, n: &Nat) -> Option<bool> {
        let n = self.facts.translate(n);
        if self.prover.non_negative(&n) {
            Some(true)
        } else if self.prover.positive(&-n) {
            Some(false)
        } else {
            None
        }
    }
}
