//! Expressions as polynomials in their atoms, whatever the atoms mean.

use super::expression::{Atom, Nat, Term};
use super::variable::Var;

/// The most steps of one polynomial division.
const DIVISION_STEPS: usize = 64;

impl Nat {
    /// `coefficient` and `rest` where this is `coefficient * variable + rest` and neither mentions the
    /// variable.
    pub(crate) fn linear_in(&self, variable: &Var) -> Option<(Nat, Nat)> {
        let (coefficient, rest) = linear_in(self, &Atom::Var(variable.clone()))?;
        (!coefficient.mentions(variable) && !rest.mentions(variable)).then_some((coefficient, rest))
    }
}

/// `n` as `coefficient * atom + rest` where neither mentions the atom as a factor.
pub(super) fn linear_in(n: &Nat, atom: &Atom) -> Option<(Nat, Nat)> {
    let (mut coefficient, mut rest) = (None, Vec::with_capacity(n.terms().len()));
    let mut terms = n.terms();
    while let [term, behind @ ..] = terms {
        terms = behind;
        match term.factors.find(atom) {
            None => rest.push(term.clone()),
            Some((position, 1)) => {
                let factor = if term.factors.len() == 1 {
                    Nat::constant(term.coefficient)
                } else {
                    let factors = term.factors.without(position);
                    Nat::from_term(Term { coefficient: term.coefficient, factors })
                };
                coefficient = Some(match coefficient {
                    None => factor,
                    Some(sum) => sum + factor,
                });
            }
            Some(_) => return None,
        }
    }
    Some((coefficient.unwrap_or_else(Nat::zero), Nat::from_sorted(rest)))
}

/// `n` as `factor * atom + rest` where `rest` does not have the atom as a factor.
pub(super) fn factor_out(n: &Nat, atom: &Atom) -> (Nat, Nat) {
    let (mut factor, mut rest) = (Vec::new(), Vec::new());
    for term in n.terms() {
        match term.factors.find(atom) {
            None => rest.push(term.clone()),
            Some((position, _)) => {
                let factors = term.factors.with_power_lowered(position);
                factor.push(Term { coefficient: term.coefficient, factors });
            }
        }
    }
    (Nat::from_terms(factor), Nat::from_sorted(rest))
}

/// Whether an expression consists only of variables and numbers.
pub(super) fn is_plain(n: &Nat) -> bool {
    n.0.summary.is_plain
}

/// `n` as `quotient * d + remainder`, as far as terms can be taken out. For a constant the remainder has
/// smaller coefficients than `d`, and its constant is not negative.
pub(super) fn split(n: &Nat, d: &Nat) -> (Nat, Nat) {
    match d.as_constant() {
        Some(0) => (Nat::zero(), n.clone()),
        Some(d) => split_by_constant(n, d),
        None => split_by_polynomial(n, d),
    }
}

fn split_by_constant(n: &Nat, d: i128) -> (Nat, Nat) {
    let (mut quotient, mut remainder) = (Vec::new(), Vec::new());
    for term in n.terms() {
        let whole = if term.is_constant() {
            term.coefficient.checked_div_euclid(d)
        } else {
            term.coefficient.checked_div(d)
        };
        let whole = whole.unwrap_or(0);
        let part = term.coefficient - whole * d;
        for (coefficient, terms) in [(whole, &mut quotient), (part, &mut remainder)] {
            if coefficient != 0 {
                terms.push(Term { coefficient, factors: term.factors.clone() });
            }
        }
    }
    (Nat::from_sorted(quotient), Nat::from_sorted(remainder))
}

fn split_by_polynomial(n: &Nat, d: &Nat) -> (Nat, Nat) {
    let Some(leading) = d.terms().iter().max_by_key(|term| (term.degree(), &term.factors)) else {
        return (Nat::zero(), n.clone());
    };
    let (mut quotient, mut remainder) = (Nat::zero(), n.clone());
    for _ in 0..DIVISION_STEPS {
        let Some(part) = remainder.terms().iter().rev().find_map(|term| divide_term(term, leading)) else {
            break;
        };
        let part = Nat::from_term(part);
        remainder = remainder - &part * d;
        quotient = quotient + part;
    }
    (quotient, remainder)
}

/// The quotient of two products; `None` where factors are missing, or the coefficient would be 0.
fn divide_term(n: &Term, d: &Term) -> Option<Term> {
    let coefficient = n.coefficient.checked_div(d.coefficient).filter(|coefficient| *coefficient != 0)?;
    let mut factors = n.factors.to_vec();
    for (atom, power) in &d.factors {
        let position = factors.iter().position(|(own, _)| own == atom)?;
        let (_, own) = factors.get_mut(position)?;
        *own = own.checked_sub(*power)?;
        if *own == 0 {
            factors.remove(position);
        }
    }
    Some(Term { coefficient, factors: factors.into() })
}

/// The greatest common divisor of the magnitudes, 0 for none.
pub(super) fn greatest_common_divisor(values: impl IntoIterator<Item = i128>) -> i128 {
    let mut divisor: u128 = 0;
    for value in values {
        let (mut a, mut b) = (divisor, value.unsigned_abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        divisor = a;
        if divisor == 1 {
            break;
        }
    }
    i128::try_from(divisor).unwrap_or(1)
}
