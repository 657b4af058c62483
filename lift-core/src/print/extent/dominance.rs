//! Finds which of several numbers can be the largest, whatever the sizes are.
//!
//! All numbers here are sums of products that grow with the sizes, and every size is at least 1.

use crate::ir::nat::{Atom, Factors, Memo, Nat, Term};

/// The largest number that extents leave out: every launcher has room for it.
pub(super) const SMALL: i128 = 1 << 24;

/// The largest number that is left out of a sum. At most four are left out on the way to an extent, beside the
/// distance of neighbours.
const LEFT_OUT: i128 = SMALL / 4 - NEIGHBOURS;

/// How far from a formula another one is its neighbour, as those of a loop that is written out are.
pub(super) const NEIGHBOURS: i128 = 1 << 8;

/// Numbers that may each be the largest.
#[derive(Default)]
pub(super) struct Largest {
    candidates: Vec<Candidate>,
    /// The numbers that were added before.
    added: Memo<Nat, ()>,
    /// The same without rounding and small summands.
    compared: Memo<Nat, ()>,
}

impl Largest {
    /// Adds a number; small summands may be left out.
    pub(super) fn add(&mut self, number: &Nat) {
        let is_small = |number: &Nat| number.as_constant().is_some_and(|number| number <= LEFT_OUT);
        if is_small(number) || self.added.insert(number.clone(), ()).is_some() {
            return;
        }
        let number = without_rounding(&without_small_number(number));
        if is_small(&number) || self.compared.insert(number.clone(), ()).is_some() {
            return;
        }
        let number = Candidate { least: least_value(&number), number };
        if self.candidates.iter().any(|candidate| number.is_certainly_at_most(candidate)) {
            return;
        }
        self.candidates.retain(|candidate| !candidate.is_certainly_at_most(&number));
        self.candidates.push(number);
    }

    /// The numbers that may be the largest.
    pub(super) fn into_extents(self) -> Vec<Nat> {
        self.candidates.into_iter().map(|candidate| candidate.number).collect()
    }
}

/// A number that may be the largest.
struct Candidate {
    number: Nat,
    least: i128,
}

impl Candidate {
    /// As [`is_certainly_at_most`]. Most pairs are told apart by their least values.
    fn is_certainly_at_most(&self, other: &Candidate) -> bool {
        self.least <= other.least && is_certainly_at_most(&self.number, &other.number)
    }
}

/// The value where all sizes are 1.
fn least_value(sum: &Nat) -> i128 {
    sum.terms().iter().fold(0, |sum: i128, term| sum.saturating_add(term.coefficient))
}

/// A sum without its constant, if that is small or negative.
fn without_small_number(sum: &Nat) -> Nat {
    let number = sum.constant_term();
    if number == 0 || number > LEFT_OUT || sum.as_constant().is_some() {
        return sum.clone();
    }
    sum - Nat::constant(number)
}

/// An upper bound of a sum without rounded quotients and small numbers.
pub(super) fn without_rounding(sum: &Nat) -> Nat {
    without_small_number(&rounded_up(sum))
}

/// An upper bound of a sum without rounded quotients: `256 * ((N + 255) / 256)` is at most `N + 255`.
pub(super) fn rounded_up(sum: &Nat) -> Nat {
    if !sum.terms().iter().any(|term| multiplied_quotient(term).is_some()) {
        return sum.clone();
    }
    let exact = |term: &Term| multiplied_quotient(term).unwrap_or_else(|| Nat::from_term(term.clone()));
    sum.terms().iter().map(exact).fold(Nat::zero(), |sum, term| sum + term)
}

/// A quotient times a multiple of its divisor, without the rounding of the quotient; `None` for other terms.
fn multiplied_quotient(term: &Term) -> Option<Nat> {
    if term.coefficient < 0 || term.is_product_of_variables() {
        return None;
    }
    term.factors.iter().enumerate().find_map(|(position, (atom, _))| {
        let Atom::Divide(dividend, divisor) = atom else { return None };
        let [divisor] = divisor.terms() else { return None };
        let factors = term.factors.with_power_lowered(position);
        let rest = Term { factors, ..term.clone() };
        Some(dividend * quotient_of_products(&rest, divisor)?)
    })
}

/// A product without the factors of another one; `None` where it does not have all of them.
fn quotient_of_products(product: &Term, divisor: &Term) -> Option<Nat> {
    if divisor.coefficient <= 0 || product.coefficient % divisor.coefficient != 0 {
        return None;
    }
    let factors = factors_left(product, divisor)?;
    Some(Nat::from_term(Term { coefficient: product.coefficient / divisor.coefficient, factors }))
}

/// The factors of a product that another one does not have; `None` where the other one has more.
fn factors_left(product: &Term, divisor: &Term) -> Option<Factors<Atom>> {
    let mut left = product.factors.to_vec();
    for (atom, power) in &divisor.factors {
        let found = left.iter_mut().find(|(other, _)| other == atom)?;
        found.1 = found.1.checked_sub(*power)?;
    }
    left.retain(|(_, power)| *power > 0);
    Some(left.into())
}

/// Whether one number is at most another one for all sizes that are at least 1, term by term.
pub(super) fn is_certainly_at_most(number: &Nat, other: &Nat) -> bool {
    if least_value(number) > least_value(other) {
        return false;
    }
    let difference = other - number;
    let terms = difference.terms();
    let mut room: Vec<Term> = terms.iter().filter(|term| term.coefficient > 0).cloned().collect();
    let missing = terms.iter().filter(|term| term.coefficient < 0);
    missing.into_iter().all(|term| fill(term, &mut room))
}

/// Takes what a negative term needs from terms that are at least as large. Returns whether they suffice.
fn fill(missing: &Term, room: &mut [Term]) -> bool {
    let mut needed = missing.coefficient.unsigned_abs();
    for term in room {
        if has_more_sizes(term, missing) {
            let taken = needed.min(term.coefficient.unsigned_abs());
            needed -= taken;
            term.coefficient -= i128::try_from(taken).unwrap_or(term.coefficient);
        }
    }
    needed == 0
}

/// Whether one product has the factors of another one, and otherwise only sizes.
fn has_more_sizes(product: &Term, other: &Term) -> bool {
    let power_in = |term: &Term, atom: &Atom| {
        let found = term.factors.iter().find(|(own, _)| own == atom);
        found.map_or(0, |(_, power)| *power)
    };
    other.factors.iter().all(|(atom, power)| power_in(product, atom) >= *power)
        && product
            .factors
            .iter()
            .all(|(atom, power)| matches!(atom, Atom::Var(_)) || power_in(other, atom) == *power)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::nat::Var;

    fn sizes() -> (Nat, Nat) {
        (Nat::variable(&Var::new(1, "N")), Nat::variable(&Var::new(2, "M")))
    }

    #[test]
    fn what_is_at_most_another_number_is_left_out() {
        let (n, m) = sizes();
        let mut largest = Largest::default();
        let product = &n * &m;
        for number in [&n + Nat::constant(3), &product - Nat::one(), product.clone(), m.clone(), &m * &m] {
            largest.add(&number);
        }
        assert_eq!(largest.into_extents(), [product, &m * &m]);
    }

    #[test]
    fn whole_groups_are_at_most_one_group_more() {
        let (n, m) = sizes();
        let groups = (&n + Nat::constant(255)).divide(&Nat::constant(256));
        assert_eq!(without_rounding(&(groups * Nat::constant(256))), n);
        let rows = (&n * &m + &n).divide(&m);
        assert_eq!(without_rounding(&(rows * &m)), &n * &m + n);
    }

    #[test]
    fn large_numbers_stay() {
        let mut largest = Largest::default();
        [5, LEFT_OUT, 1 << 40].into_iter().for_each(|number| largest.add(&Nat::constant(number)));
        assert_eq!(largest.into_extents(), [Nat::constant(1 << 40)]);
    }
}
