//! Constant bounds of expressions, from the constant bounds of their atoms.

use super::expression::{Atom, Nat, Term};
use super::facts::Facts;
use super::interval::{Interval, minimum, sum};

/// Larger expressions are not examined, here and in proofs.
pub(super) const SIZE_LIMIT: u32 = 300;

impl Facts {
    /// Inclusive constant bounds of a translated expression.
    pub(super) fn interval(&self, n: &Nat) -> Interval {
        if n.0.summary.size > SIZE_LIMIT {
            return Interval::default();
        }
        let (mut low, mut high) = (Some(0), Some(0));
        let mut terms = n.terms();
        while let [term, behind @ ..] = terms {
            let own = self.interval_of_term(term);
            (low, high) = (sum(low, own.low), sum(high, own.high));
            if low.is_none() && high.is_none() {
                break;
            }
            terms = behind;
        }
        Interval { low, high }
    }

    fn interval_of_term(&self, term: &Term) -> Interval {
        match term.factors.as_slice() {
            [] => return Interval::exactly(term.coefficient),
            // Most terms are a multiple of one atom.
            [(atom, 1)] => return self.interval_of_atom(atom).scale(term.coefficient),
            _ => {}
        }
        let mut product = Interval::exactly(term.coefficient);
        for (atom, power) in &term.factors {
            let own = self.interval_of_atom(atom);
            let raised = match power {
                1 => own,
                _ if own.low.is_some_and(|low| low >= 0) || power % 2 == 1 => own.raise(*power),
                _ => Interval { low: Some(0), high: None },
            };
            product = product.multiply(raised);
        }
        product
    }

    fn interval_of_atom(&self, atom: &Atom) -> Interval {
        let stated = self.bounds(atom).map(|bounds| bounds.interval).unwrap_or_default();
        let natural = match atom {
            Atom::Var(_) => return stated,
            Atom::Divide(n, d) => match d.as_constant() {
                Some(d) if d > 0 => {
                    let n = self.interval(n);
                    Interval {
                        low: n.low.map(|low| low.div_euclid(d)),
                        high: n.high.map(|high| high.div_euclid(d)),
                    }
                }
                _ => self.interval_of_quotient(n, d),
            },
            Atom::Modulo(n, d) => {
                let (n, d) = (self.interval(n), self.interval(d));
                let below_divisor = match (d.low, d.high) {
                    (Some(low), Some(high)) => {
                        low.checked_abs().max(high.checked_abs()).map(|bound| bound - 1)
                    }
                    _ => None,
                };
                let high = if n.low.is_some_and(|low| low >= 0) {
                    minimum(n.high, below_divisor)
                } else {
                    below_divisor
                };
                Interval { low: Some(0), high }
            }
            Atom::Minimum(a, b) => {
                let (a, b) = (self.interval(a), self.interval(b));
                Interval { low: a.low.zip(b.low).map(|(a, b)| a.min(b)), high: minimum(a.high, b.high) }
            }
            Atom::Maximum(a, b) => {
                let (a, b) = (self.interval(a), self.interval(b));
                Interval { low: a.low.max(b.low), high: a.high.zip(b.high).map(|(a, b)| a.max(b)) }
            }
            Atom::Select(_, a, b) => {
                let (a, b) = (self.interval(a), self.interval(b));
                Interval {
                    low: a.low.zip(b.low).map(|(a, b)| a.min(b)),
                    high: a.high.zip(b.high).map(|(a, b)| a.max(b)),
                }
            }
            Atom::Power(base, exponent) => {
                let base = self.interval(base);
                match exponent.as_constant() {
                    Some(1) => base,
                    _ => Interval { low: base.low.filter(|low| *low >= 0).map(|low| low.min(1)), high: None },
                }
            }
            Atom::Log2(n) => Interval {
                low: self
                    .interval(n)
                    .low
                    .and_then(|low| low.checked_ilog2())
                    .map_or(Some(0), |low| Some(low.into())),
                high: self.interval(n).high.and_then(|high| high.checked_ilog2()).map(i128::from),
            },
            Atom::Sum { .. } => Interval::default(),
        };
        Interval { low: stated.low.max(natural.low), high: minimum(stated.high, natural.high) }
    }

    /// A quotient of numbers that are not negative lies between 0 and the dividend.
    fn interval_of_quotient(&self, n: &Nat, d: &Nat) -> Interval {
        let (n, d) = (self.interval(n), self.interval(d));
        if n.low.is_some_and(|low| low >= 0) && d.low.is_some_and(|low| low >= 0) {
            Interval { low: Some(0), high: n.high }
        } else {
            Interval::default()
        }
    }
}
