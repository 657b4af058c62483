//! Learns from conditions, and simplifies expressions where a condition holds.

use super::expression::{Atom, Condition, Nat};
use super::polynomial::is_plain;
use super::prove::Prover;
use super::ranges::Ranges;
use super::simplify::{NESTING, Simplifier};

impl Ranges {
    /// Learns that a condition holds. Alternatives (`||`) teach nothing unless one of them is refuted.
    pub fn assume(&mut self, condition: &Condition) {
        match condition.canonical() {
            Condition::And(a, b) => {
                self.assume(&a);
                self.assume(&b);
            }
            Condition::Or(a, b) => match (self.decide(&a), self.decide(&b)) {
                (Some(false), _) => self.assume(&b),
                (_, Some(false)) => self.assume(&a),
                (Some(true) | None, Some(true) | None) => {}
            },
            Condition::Less(a, b) => {
                self.facts_mut().state_non_negative(&(b - a).plus(-1));
            }
            Condition::LessOrEqual(a, b) => self.facts_mut().state_non_negative(&(b - a)),
            Condition::Equal(a, b) => self.assume_zero(&(a - b)),
            Condition::Not(a) => {
                if let Condition::Equal(a, b) = a.as_ref() {
                    self.assume_different(a, b);
                }
            }
        }
    }

    fn assume_zero(&mut self, difference: &Nat) {
        // `x % d == r` is a divisibility.
        for sign in [1, -1] {
            let signed = difference.scale(sign);
            let offset = Nat::constant(signed.constant_term());
            if let Some(Atom::Modulo(n, d)) = (&signed - &offset).as_atom() {
                let remainder = -offset;
                if self.proves_as_it_is(&remainder) && self.proves_as_it_is(&(d - &remainder).plus(-1)) {
                    self.facts_mut().state_divides(d, &(n - remainder));
                    return;
                }
            }
        }
        self.facts_mut().state_zero(difference);
    }

    fn assume_different(&mut self, a: &Nat, b: &Nat) {
        let difference = b - a;
        for gap in [&difference, &-&difference] {
            if self.proves_as_it_is(gap) {
                self.facts_mut().state_non_negative(&gap.plus(-1));
            }
        }
    }

    /// Whether `n >= 0` has a proof without simplification.
    fn proves_as_it_is(&self, n: &Nat) -> bool {
        Prover::new(self.facts()).non_negative(&self.facts().translate(n))
    }
}

impl Simplifier<'_> {
    /// The simplest form where a condition holds.
    pub(super) fn reduce_where(&mut self, condition: &Condition, n: &Nat) -> Nat {
        if is_plain(n) && !matches!(condition, Condition::Equal(..)) || self.nesting >= NESTING {
            return self.reduce(n);
        }
        let mut ranges = Ranges::from_facts(self.facts.clone());
        ranges.assume(condition);
        self.reduce_inside(ranges.facts(), n)
    }
}
