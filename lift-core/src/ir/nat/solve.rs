//! Solving equations of sizes for one unknown.

use super::expression::{Atom, Nat};
use super::polynomial::linear_in;
use super::ranges::Ranges;
use super::variable::Var;

/// The value of an unknown, and what must hold for it to be the solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The value, which does not mention the unknown.
    pub value: Nat,
    /// The requirements that the caller has to know or check.
    pub requires: Vec<Requirement>,
}

/// A condition for a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// `divisor` divides `dividend`, neither of which mentions the unknown: otherwise there is no solution.
    Divides {
        /// The divisor, which must not be 0 either.
        divisor: Nat,
        /// The dividend.
        dividend: Nat,
    },
    /// The division of `dividend`, which mentions the unknown, by `divisor` in the equation is known to be
    /// exact: otherwise the solution is one of several.
    ExactDivision {
        /// The divisor, which must not be 0 either.
        divisor: Nat,
        /// The dividend.
        dividend: Nat,
    },
}

/// Solves `left == right` for `unknown`, where the unknown occurs in one linear place, possibly below
/// divisions.
pub fn solve(left: &Nat, right: &Nat, unknown: &Var) -> Option<Solution> {
    let mut requires = Vec::new();
    // Invariant: the equation is `expression == 0`.
    let mut expression = left - right;
    loop {
        let place = only_place(&expression, unknown)?;
        let (coefficient, rest) = linear_in(&expression, &place)?;
        if coefficient.mentions(unknown) || rest.mentions(unknown) {
            return None;
        }
        let is_negative = coefficient.terms().iter().all(|term| term.coefficient < 0);
        let (dividend, divisor) = if is_negative { (rest, -coefficient) } else { (-rest, coefficient) };
        let value = exact_quotient(&dividend, &divisor, &mut requires);
        match place {
            Atom::Var(_) => return Some(Solution { value, requires }),
            Atom::Divide(dividend, divisor) if !divisor.mentions(unknown) => {
                expression = &dividend - &divisor * value;
                requires.push(Requirement::ExactDivision { divisor, dividend });
            }
            Atom::Power(base, exponent) if exponent.as_constant() == Some(1) => expression = base - value,
            Atom::Divide(..)
            | Atom::Modulo(..)
            | Atom::Minimum(..)
            | Atom::Maximum(..)
            | Atom::Power(..)
            | Atom::Log2(..)
            | Atom::Sum { .. }
            | Atom::Select(..) => return None,
        }
    }
}

/// The one atom of a sum of products that mentions the unknown.
fn only_place(n: &Nat, unknown: &Var) -> Option<Atom> {
    let mut places = n
        .terms()
        .iter()
        .flat_map(|term| &term.factors)
        .map(|(atom, _)| atom)
        .filter(|atom| atom.mentions(unknown));
    let place = places.next()?;
    places.all(|other| other == place).then(|| place.clone())
}

/// `n / d`, with the requirement that it is exact unless that is evident.
fn exact_quotient(n: &Nat, d: &Nat, requires: &mut Vec<Requirement>) -> Nat {
    let quotient = n.divide(d);
    if &quotient * d != *n || d.as_constant().is_none() {
        requires.push(Requirement::Divides { divisor: d.clone(), dividend: n.clone() });
    }
    quotient
}

/// Whether `n` provably grows whenever `var` grows by 1. Then an equation for it can be solved by bisection
/// once the other variables have values.
pub fn is_monotone(n: &Nat, var: &Var, ranges: &Ranges) -> bool {
    let next = n.substitute_one(var, &(Nat::variable(var) + Nat::one()));
    // `var` and `var + 1` are both in range; only `var` says that here.
    ranges.is_less(n, &next) == Some(true)
}
