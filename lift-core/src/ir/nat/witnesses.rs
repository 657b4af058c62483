//! Values of variables that agree with everything that is known.
//!
//! What is negative for such values is not provably natural. To look at them takes a fraction of the time of a
//! search for a proof, which takes longest where there is none. The values are corners of what is possible:
//! sizes are large or small, and positions are the first or the last ones. That is where formulas become
//! negative.
//!
//! If values disagreed with what is known, something true would not be proved. They never prove anything.

use super::expression::{Atom, Nat};
use super::variable::Var;
use crate::flat::{FlatMap, FlatSet};

/// The value of a large size. Many small numbers divide it.
const LARGE: i128 = (1 << 16) * 9 * 5 * 7;

/// The number of corners. At the first one, positions are the first ones, and at the others the last ones.
const CORNERS: usize = 3;
/// The corner at which positions are the first ones.
const FIRST: usize = 0;
/// The values of a size without bounds: at the last corner it is small.
const SIZES: [i128; CORNERS] = [LARGE, LARGE, 1];

/// The values of a variable about which nothing is known: it may also be negative.
const UNKNOWN: [i128; CORNERS] = [-LARGE, LARGE, -LARGE];

/// The values of all variables at some corners.
#[derive(Clone, Default)]
pub(super) struct Witnesses {
    values: FlatMap<Var, [i128; CORNERS]>,
    /// The variables whose values follow from others, or determine others.
    fixed: FlatSet<Var>,
    /// The corners that disagree with something that is known.
    refuted: [bool; CORNERS],
}

impl Witnesses {
    /// Whether a formula is negative for values that agree with what is known.
    pub(super) fn refute(&self, n: &Nat) -> bool {
        let mut corner = 0;
        while corner < CORNERS {
            if !self.refuted[corner] && matches!(self.value(n, corner), Some(..0)) {
                return true;
            }
            corner += 1;
        }
        false
    }

    /// Introduces a variable about which nothing is known.
    pub(super) fn introduce(&mut self, var: &Var) {
        self.values.get_or_insert_with(var.clone(), || SIZES);
    }

    /// Chooses values of a new variable between two bounds.
    pub(super) fn declare(&mut self, var: &Var, lower: &Nat, upper: Option<&Nat>) {
        let mut values = SIZES;
        for (corner, chosen) in values.iter_mut().enumerate() {
            let value = match upper {
                None => self.value(lower, corner).map(|least| least.max(SIZES[corner])),
                Some(_) if corner == FIRST => self.value(lower, corner),
                Some(upper) => self.value(upper, corner).map(|end| end.saturating_sub(1)),
            };
            match value {
                Some(value) => *chosen = value,
                None => self.refuted[corner] = true,
            }
        }
        self.values.insert(var.clone(), values);
    }

    /// Gives a variable the value of a formula.
    pub(super) fn define(&mut self, var: &Var, value: &Nat) {
        self.fixed.insert(var.clone());
        self.fixed.extend(value.variables());
        let mut values = [0; CORNERS];
        for (corner, chosen) in values.iter_mut().enumerate() {
            match self.value(value, corner) {
                Some(value) => *chosen = value,
                None => self.refuted[corner] = true,
            }
        }
        self.values.insert(var.clone(), values);
    }

    /// Learns that a formula is not negative. Where it is, another value of one of its variables is tried.
    pub(super) fn state_non_negative(&mut self, n: &Nat, stated: &[Nat]) {
        for corner in 0..CORNERS {
            if self.refuted[corner] || matches!(self.value(n, corner), Some(0..)) {
                continue;
            }
            self.refuted[corner] = !self.is_mended(n, corner, stated);
        }
    }

    /// Learns that variables have other values: these facts may not hold any more.
    pub(super) fn check(&mut self, stated: &[Nat]) {
        for corner in 0..CORNERS {
            self.refuted[corner] |= stated.iter().any(|n| !matches!(self.value(n, corner), Some(0..)));
        }
    }

    /// Learns that a divisor divides a dividend.
    pub(super) fn state_divides(&mut self, divisor: &Nat, dividend: &Nat) {
        self.fixed.extend(divisor.variables());
        self.fixed.extend(dividend.variables());
        for corner in 0..CORNERS {
            let rest = match (self.value(dividend, corner), self.value(divisor, corner)) {
                (Some(dividend), Some(divisor)) => dividend.checked_rem(divisor),
                _ => None,
            };
            self.refuted[corner] |= rest != Some(0);
        }
    }

    /// Tries values of the variables that occur linearly, so that a formula is 0 or a little more.
    fn is_mended(&mut self, n: &Nat, corner: usize, stated: &[Nat]) -> bool {
        let Some(missing) = self.value(n, corner) else { return false };
        for term in n.terms().iter().rev() {
            let [(Atom::Var(var), 1)] = term.factors.as_slice() else { continue };
            let Some(values) = self.values.get(var).copied().filter(|_| !self.fixed.contains(var)) else {
                continue;
            };
            let Some(steps) = missing.checked_neg().and_then(|missing| {
                let steps = missing.checked_div(term.coefficient)?;
                let is_exact = steps.checked_mul(term.coefficient)? == missing;
                Some(if is_exact { steps } else { steps + term.coefficient.signum() })
            }) else {
                continue;
            };
            let mut changed = values;
            changed[corner] = values[corner].saturating_add(steps);
            self.values.insert(var.clone(), changed);
            if matches!(self.value(n, corner), Some(0..)) && self.agrees(corner, stated, var) {
                return true;
            }
            self.values.insert(var.clone(), values);
        }
        false
    }

    /// Whether none of these facts that may mention a variable is negative.
    fn agrees(&self, corner: usize, stated: &[Nat], var: &Var) -> bool {
        let mask = var.mask();
        for n in stated {
            if n.0.summary.mask & mask != 0 && !matches!(self.value(n, corner), Some(0..)) {
                return false;
            }
        }
        true
    }

    /// The value of a formula at a corner; `None` also for sums and choices, which take long. It is spelt out
    /// because every search for a proof begins with it.
    fn value(&self, n: &Nat, corner: usize) -> Option<i128> {
        let mut total: i128 = 0;
        let mut terms = n.terms();
        while let [term, behind @ ..] = terms {
            terms = behind;
            let mut product = term.coefficient;
            let mut factors = term.factors.as_slice();
            while let [(atom, power), behind @ ..] = factors {
                factors = behind;
                let value = match atom {
                    Atom::Var(var) => self.values.get(var).unwrap_or(&UNKNOWN)[corner],
                    operation => self.value_of_operation(operation, corner)?,
                };
                let mut left = *power;
                while left > 0 {
                    product = product.checked_mul(value)?;
                    left -= 1;
                }
            }
            total = total.checked_add(product)?;
        }
        Some(total)
    }

    fn value_of_operation(&self, operation: &Atom, corner: usize) -> Option<i128> {
        match operation {
            Atom::Divide(a, b) => self.value(a, corner)?.checked_div_euclid(self.value(b, corner)?),
            Atom::Modulo(a, b) => self.value(a, corner)?.checked_rem_euclid(self.value(b, corner)?),
            Atom::Minimum(a, b) => Some(self.value(a, corner)?.min(self.value(b, corner)?)),
            Atom::Maximum(a, b) => Some(self.value(a, corner)?.max(self.value(b, corner)?)),
            Atom::Var(_) | Atom::Power(..) | Atom::Log2(_) | Atom::Sum { .. } | Atom::Select(..) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::facts::Facts;
    use super::*;

    #[test]
    fn only_what_may_be_negative_is_refuted() {
        let (size, index) = (Var::new(1, "N"), Var::new(2, "i"));
        let (n, i) = (Nat::variable(&size), Nat::variable(&index));
        let mut facts = Facts::default();
        facts.declare(&size, Nat::one(), None);
        facts.state_divides(&Nat::constant(4), &n);
        facts.declare(&index, Nat::zero(), Some(n.clone()));
        let refuted = |facts: &Facts, formula: &Nat| facts.witnesses.refute(&facts.translate(formula));
        for natural in [i.clone(), &n - &i - Nat::one(), n.modulo(&Nat::constant(4)), &n - Nat::constant(4)] {
            assert!(!refuted(&facts, &natural), "{natural}");
        }
        for perhaps in [&i - Nat::one(), &n - &i - Nat::constant(2), -&n, i.modulo(&n) - Nat::constant(3)] {
            assert!(refuted(&facts, &perhaps), "{perhaps}");
        }
        // The first position is another one now.
        facts.state_non_negative(&(&i - Nat::constant(3)));
        assert!(!refuted(&facts, &(&i - Nat::constant(3))));
        assert!(refuted(&facts, &(&i - Nat::constant(4))));
    }

    #[test]
    fn what_holds_for_large_sizes_only_is_refuted() {
        let (size, index) = (Var::new(1, "N"), Var::new(2, "i"));
        let (n, i) = (Nat::variable(&size), Nat::variable(&index));
        let mut facts = Facts::default();
        facts.declare(&size, Nat::zero(), None);
        facts.declare(&index, Nat::zero(), Some(Nat::constant(256)));
        for perhaps in [&n - Nat::constant(2), &n - &i - Nat::one(), &n * &n - Nat::constant(64)] {
            assert!(facts.witnesses.refute(&perhaps), "{perhaps}");
        }
        // Larger sizes are the smallest ones now.
        facts.state_non_negative(&(&n - Nat::constant(300)));
        assert!(!facts.witnesses.refute(&(&n - &i - Nat::one())));
    }

    #[test]
    fn what_contradicts_itself_refutes_nothing() {
        let size = Var::new(1, "N");
        let n = Nat::variable(&size);
        let mut facts = Facts::default();
        facts.declare(&size, Nat::zero(), Some(Nat::constant(8)));
        facts.state_non_negative(&(&n - Nat::constant(9)));
        assert!(!facts.witnesses.refute(&-n));
    }
}
