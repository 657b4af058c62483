//! How facts are learned, and what follows from them.
//!
//! A fact `n >= 0` becomes a bound of its *leading* atom. Among the atoms that occur linearly
//! with a constant coefficient, the leading one was declared last, so that eliminating atoms in this order
//! ends. The leading atom is then eliminated from the fact with the atom's opposite bounds, which gives
//! further facts: `0 <= j` and `j < M` imply `M >= 1`, as long as there is a `j`.
//!
//! A fact `d divides n` for an `n` that is linear in a variable defines this variable through a quotient that
//! is a variable of its own (`translation`).

use std::sync::Arc;

use super::expression::{Atom, Nat, Term};
use super::facts::{Bound, Facts};
use super::polynomial::{greatest_common_divisor, is_plain};
use super::prove::Prover;
use super::variable::Var;

/// The depth to which one fact is combined with others.
const CLOSURE_DEPTH: u32 = 6;
/// The most quotients and extrema that are taken out of one fact, one inside the other.
const CONSEQUENCES: u32 = 4;
/// The most bounds kept for one atom and direction.
const BOUNDS_LIMIT: usize = 4;

impl Facts {
    /// Learns that `lower <= var`, and `var < upper` where there is an upper bound.
    pub(super) fn declare(&mut self, var: &Var, lower: Nat, upper: Option<Nat>) {
        for bound in [Some(&lower), upper.as_ref()].into_iter().flatten() {
            for mentioned in bound.variables() {
                self.introduce(&mentioned);
            }
        }
        if self.is_new(var) {
            self.witnesses.declare(var, &lower, upper.as_ref());
        }
        if let Some(upper) = &upper
            && (upper - &lower).as_constant() == Some(1)
        {
            self.state_zero(&(Nat::variable(var) - lower));
            return;
        }
        self.state_non_negative(&(Nat::variable(var) - lower));
        if let Some(upper) = upper {
            self.state_non_negative(&(upper - Nat::variable(var) - Nat::one()));
        }
    }

    /// Learns that `n` is not negative.
    pub(super) fn state_non_negative(&mut self, n: &Nat) {
        for var in n.variables() {
            self.introduce(&var);
        }
        self.witnesses.state_non_negative(n, &self.stated);
        self.stated.push(n.clone());
        self.derive_all(n, CONSEQUENCES);
    }

    /// Records that `n` is not negative, and what follows from it without its quotients and extrema.
    fn derive_all(&mut self, n: &Nat, depth: u32) {
        let translated = self.translate(n);
        self.derive(&translated, CLOSURE_DEPTH);
        if is_plain(n) || depth == 0 {
            return;
        }
        if let Some((variable, bound)) = self.below_operations(&translated) {
            let bounds = Arc::make_mut(self.bounds.get_or_default(Atom::Var(variable)));
            add_bound(&mut bounds.below_operations, bound, false);
        }
        let parts = without_extremum(n).into_iter().chain(without_quotient(n)).chain(self.only_case(n));
        for part in parts.collect::<Vec<_>>() {
            self.derive_all(&part, depth - 1);
        }
    }

    /// What is not negative where `n` is not, because the other one of two cases would make it negative.
    fn only_case(&self, n: &Nat) -> Option<Nat> {
        n.terms().iter().find_map(|term| {
            let (a, b) = match term.factors.as_slice() {
                [(Atom::Maximum(a, b), 1)] if term.coefficient > 0 => (a, b),
                [(Atom::Minimum(a, b), 1)] if term.coefficient < 0 => (a, b),
                _ => return None,
            };
            let rest = n - Nat::from_term(term.clone());
            let [a, b] = [a, b].map(|case| rest.plus_multiple(term.coefficient, case));
            let is_negative = |case: &Nat| {
                let interval = self.interval(&self.translate(case));
                interval.high.is_some_and(|high| high < 0)
            };
            match (is_negative(&a), is_negative(&b)) {
                (true, false) => Some(b),
                (false, true) => Some(a),
                (true, true) | (false, false) => None,
            }
        })
    }

    /// Learns that `n` is 0.
    pub(super) fn state_zero(&mut self, n: &Nat) {
        for var in n.variables() {
            self.introduce(&var);
        }
        let translated = self.translate(n);
        match self.solvable(&translated) {
            Some((var, value)) => self.define(&var, &value),
            None => {
                self.state_non_negative(n);
                self.state_non_negative(&-n);
            }
        }
    }

    /// Learns that `divisor` divides `dividend`; it follows that `divisor` is not 0.
    pub(super) fn state_divides(&mut self, divisor: &Nat, dividend: &Nat) {
        for var in dividend.variables().into_iter().chain(divisor.variables()) {
            self.introduce(&var);
        }
        if Prover::new(self).non_negative(&self.translate(divisor)) {
            self.state_non_negative(&(divisor - Nat::one()));
        }
        self.witnesses.state_divides(divisor, dividend);
        let (by, of) = (self.translate(divisor), self.translate(dividend));
        let (by, of) = without_common_factor(by, of);
        if by.as_constant().is_some_and(|by| by.unsigned_abs() == 1) || of.is_zero() {
            return;
        }
        match self.solvable(&of) {
            Some((var, value)) if !by.mentions(&var) && self.has_room_for_multiple(&var, &by) => {
                // `of` is `factor * (var - value)`, and `factor` is 1 or -1.
                let offset = Nat::variable(&var) - &value;
                let prover = Prover::new(self);
                let is_natural = prover.positive(&by) && prover.non_negative(&offset);
                let exact = offset.divide(&by);
                let quotient = Arc::make_mut(&mut self.translation).quotient(&by, offset);
                self.witnesses.define(&quotient, &exact);
                let order = self.order.get(&var).copied().unwrap_or_default();
                self.order.insert(quotient.clone(), order);
                let quotient = Nat::variable(&quotient);
                self.define(&var, &(by * &quotient + value));
                // This follows from the dividend only where the divisor is a number.
                if is_natural {
                    self.state_non_negative(&quotient);
                }
            }
            _ => self.divisible.push((by, of)),
        }
    }

    /// Whether every expression that is defined by a variable keeps coefficients of 64 bits where the
    /// variable is a multiple of a divisor. Larger coefficients would soon leave 128 bits, and sizes that
    /// they divide are 0.
    fn has_room_for_multiple(&self, var: &Var, divisor: &Nat) -> bool {
        let defined = self.translation.definitions().filter(|value| value.mentions(var));
        let coefficients =
            defined.flat_map(|value| value.terms()).map(|term| term.coefficient.unsigned_abs());
        let largest = coefficients.max().unwrap_or(1);
        let of_divisor =
            divisor.terms().iter().map(|term| term.coefficient.unsigned_abs()).max().unwrap_or(0);
        largest.checked_mul(of_divisor).is_some_and(|product| product <= i64::MAX.unsigned_abs().into())
    }

    /// A variable that occurs in `n` once, with coefficient 1 or -1, and its value where `n` is 0. If there
    /// are several, it is the one introduced last.
    fn solvable(&self, n: &Nat) -> Option<(Var, Nat)> {
        let candidates = n.terms().iter().filter_map(|term| match term.factors.as_slice() {
            [(Atom::Var(var), 1)] if term.coefficient.unsigned_abs() == 1 => Some((var, term.coefficient)),
            _ => None,
        });
        let once = candidates.filter(|(var, sign)| !(n - Nat::variable(var).scale(*sign)).mentions(var));
        let (var, sign) = once.max_by_key(|(var, _)| self.rank(&Atom::Var((*var).clone())))?;
        Some((var.clone(), Nat::variable(var) - n.scale(sign)))
    }

    /// Defines a variable by an expression, and derives all facts anew.
    fn define(&mut self, var: &Var, value: &Nat) {
        Arc::make_mut(&mut self.translation).define(var, value);
        for (defined, value) in self.translation.definitions_of_variables() {
            self.witnesses.define(defined, value);
        }
        self.witnesses.check(&self.stated);
        for (divisor, dividend) in &mut self.divisible {
            *divisor = divisor.substitute_one(var, value);
            *dividend = dividend.substitute_one(var, value);
        }
        self.bounds.clear();
        for fact in self.stated.clone() {
            self.derive_all(&fact, CONSEQUENCES);
        }
    }

    /// Records, as a bound, that `n` is not negative, and what follows from it.
    fn derive(&mut self, n: &Nat, depth: u32) {
        let Some(position) = self.leading(n) else { return };
        let (Term { factors, coefficient }, rest) = n.without_term(position);
        let Some((atom, _)) = factors.first().cloned() else { return };
        let interval = self.interval(&rest);
        let bounds = Arc::make_mut(self.bounds.get_or_default(atom.clone()));
        let (own, opposite) = if coefficient > 0 {
            // c * x >= -rest
            if let Some(high) = interval.high {
                let low = ceiling(high.checked_neg(), coefficient);
                bounds.interval.low = bounds.interval.low.max(low);
            }
            (&mut bounds.lower, &bounds.upper)
        } else {
            // |c| * x <= rest
            if let Some(high) = interval.high {
                let high = coefficient.checked_neg().map(|scale| high.div_euclid(scale));
                bounds.interval.high = match (bounds.interval.high, high) {
                    (Some(a), Some(b)) => Some(a.min(b)),
                    (a, b) => a.or(b),
                };
            }
            (&mut bounds.upper, &bounds.lower)
        };
        let Some(scale) = coefficient.checked_abs() else { return };
        let value = if coefficient > 0 { -&rest } else { rest.clone() };
        let bound = Bound { scale, value };
        if !add_bound(own, bound, coefficient > 0) {
            return;
        }
        if depth == 0 {
            return;
        }
        for other in opposite.clone() {
            // Both bounds together say something about the other atoms.
            let gap = if coefficient > 0 {
                other.value.scale(scale) + rest.scale(other.scale)
            } else {
                rest.scale(other.scale) - other.value.scale(scale)
            };
            self.derive(&gap, depth - 1);
        }
    }

    /// The position of the term with the atom that a fact bounds.
    fn leading(&self, n: &Nat) -> Option<usize> {
        let mut leading: Option<(usize, (u32, u32))> = None;
        let terms = n.terms();
        let mut position = 0;
        while position < terms.len() {
            if let [(atom, 1)] = terms[position].factors.as_slice() {
                let rank = self.rank(atom);
                // Of several with the same rank, it is the last one.
                if leading.is_none_or(|(_, highest)| highest <= rank) {
                    leading = Some((position, rank));
                }
            }
            position += 1;
        }
        leading.map(|(position, _)| position)
    }

    /// The upper bound that a fact says of a variable introduced after everything in the bound. For
    /// instance `i < (N + j - 1) / j`: facts are kept as bounds of their leading atom, here of the
    /// quotient, and nothing else would be known of `i`.
    fn below_operations(&self, n: &Nat) -> Option<(Var, Bound)> {
        let order = |var: &Var| self.order.get(var).copied();
        let mut latest: Option<(usize, &Var, u32)> = None;
        for (position, term) in n.terms().iter().enumerate() {
            let [(Atom::Var(var), 1)] = term.factors.as_slice() else { continue };
            let place = order(var)?;
            if latest.is_none_or(|(_, _, highest)| highest < place) {
                latest = Some((position, var, place));
            }
        }
        let (position, latest, place) = latest?;
        let (Term { coefficient, .. }, value) = n.without_term(position);
        let is_earlier = |var: &Var| var != latest && order(var).is_some_and(|other| other < place);
        let is_bound = coefficient < 0 && value.variables().iter().all(is_earlier);
        let scale = coefficient.checked_neg().filter(|_| is_bound)?;
        Some((latest.clone(), Bound { scale, value }))
    }
}

/// Adds a lower or an upper bound, unless it says nothing new or there are enough. Of two that differ by a
/// number, the tighter one stays.
fn add_bound(bounds: &mut Vec<Bound>, bound: Bound, is_lower: bool) -> bool {
    for known in bounds.iter_mut() {
        if known.scale != bound.scale {
            continue;
        }
        if let Some(difference) = bound.value.constant_difference(&known.value) {
            let is_tighter = if is_lower { difference > 0 } else { difference < 0 };
            if is_tighter {
                *known = bound;
            }
            return is_tighter;
        }
    }
    if bounds.len() >= BOUNDS_LIMIT {
        return false;
    }
    bounds.push(bound);
    true
}

/// The least integer that is at least `value / divisor`, for a positive divisor.
fn ceiling(value: Option<i128>, divisor: i128) -> Option<i128> {
    let value = value?;
    value.div_euclid(divisor).checked_add(i128::from(value.rem_euclid(divisor) != 0))
}

/// `d` divides `g * x` exactly where `d / gcd(d, g)` divides `x`, for constants `d` and `g`.
fn without_common_factor(divisor: Nat, dividend: Nat) -> (Nat, Nat) {
    let content = greatest_common_divisor(dividend.terms().iter().map(|term| term.coefficient));
    match divisor.as_constant() {
        Some(constant) if content > 1 && constant != 0 => {
            let common = greatest_common_divisor([constant, content]);
            (Nat::constant(constant / common), dividend.divide(&Nat::constant(content)))
        }
        _ => (divisor, dividend),
    }
}

/// What else is not negative where `n` is not. A sum with the smaller of two numbers is at most the sum with
/// either, and a sum without the larger is at most the sum without either.
fn without_extremum(n: &Nat) -> Vec<Nat> {
    for term in n.terms() {
        let parts = match term.factors.as_slice() {
            [(Atom::Minimum(a, b), 1)] if term.coefficient > 0 => [a, b],
            [(Atom::Maximum(a, b), 1)] if term.coefficient < 0 => [a, b],
            _ => continue,
        };
        let rest = n - Nat::from_term(term.clone());
        return parts.map(|part| &rest + part.scale(term.coefficient)).to_vec();
    }
    Vec::new()
}

/// What else is not negative where `n` is not. A quotient is at most what it is without rounding, so a bound
/// by a quotient is also a bound by its dividend: `i < (N - l) / 64` implies `64 * i < N - l`.
fn without_quotient(n: &Nat) -> Option<Nat> {
    n.terms().iter().find_map(|term| match term.factors.as_slice() {
        [(Atom::Divide(dividend, divisor), 1)] if term.coefficient > 0 => {
            let divisor = divisor.as_constant().filter(|divisor| *divisor > 0)?;
            let rest = n - Nat::from_term(term.clone());
            Some(dividend.scale(term.coefficient) + rest.scale(divisor))
        }
        _ => None,
    })
}
