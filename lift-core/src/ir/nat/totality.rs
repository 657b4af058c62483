//! Whether an expression has a value under every assignment.

use super::expression::{Atom, Condition, Nat};

impl Nat {
    /// Whether it has a value under every assignment: nothing is divided by something that may be 0.
    pub(crate) fn is_total(&self) -> bool {
        self.terms().iter().flat_map(|term| &term.factors).all(|(atom, _)| atom.is_total())
    }

    /// An expression that has the same value where this one has a value, and any value elsewhere.
    pub(crate) fn made_total(&self) -> Nat {
        if self.is_total() {
            return self.clone();
        }
        let defined = |divisor: Nat| match is_never_zero(&divisor) {
            true => divisor,
            false => {
                let is_zero = Condition::Equal(divisor.clone(), Nat::zero());
                Nat::select(&is_zero, &Nat::one(), &divisor)
            }
        };
        let of_atom = |atom: &Atom| match atom {
            Atom::Divide(a, b) => a.made_total().divide(&defined(b.made_total())),
            Atom::Modulo(a, b) => a.made_total().modulo(&defined(b.made_total())),
            Atom::Power(a, b) => a.made_total().pow(&Nat::max(&b.made_total(), &Nat::zero())),
            Atom::Log2(a) => Nat::max(&a.made_total(), &Nat::one()).log2(),
            Atom::Var(_) | Atom::Minimum(..) | Atom::Maximum(..) | Atom::Sum { .. } | Atom::Select(..) => {
                atom.map(&mut Nat::made_total)
            }
        };
        self.terms().iter().fold(Nat::zero(), |sum, term| sum + Nat::product_of(term, of_atom))
    }
}

impl Atom {
    /// Whether the value exists under every assignment, apart from overflow.
    pub(super) fn is_total(&self) -> bool {
        match self {
            Atom::Var(_) => true,
            Atom::Divide(a, b) | Atom::Modulo(a, b) => a.is_total() && b.is_total() && is_never_zero(b),
            Atom::Minimum(a, b) | Atom::Maximum(a, b) => a.is_total() && b.is_total(),
            Atom::Power(a, b) => a.is_total() && b.as_constant().is_some_and(|b| b >= 0),
            Atom::Log2(_) => false,
            Atom::Sum { index: _, from, to, body } => from.is_total() && to.is_total() && body.is_total(),
            Atom::Select(condition, a, b) => {
                a.is_total() && b.is_total() && condition.operands().into_iter().all(Nat::is_total)
            }
        }
    }
}

/// Whether the form of an expression shows that it is not 0: it is a number, at least a positive number, or
/// chosen where it is not 0.
fn is_never_zero(n: &Nat) -> bool {
    let is_other_number = |n: &Nat| n.as_constant().is_some_and(|n| n != 0);
    let is_positive = |n: &Nat| n.as_constant().is_some_and(|n| n > 0);
    match n.as_atom() {
        Some(Atom::Maximum(a, b)) => is_positive(a) || is_positive(b),
        Some(Atom::Select(Condition::Equal(a, b), then, otherwise)) => {
            is_other_number(then) && [a - b, b - a].contains(otherwise)
        }
        _ => is_other_number(n),
    }
}
