//! Numbers that 64 bits hold: launchers and kernels compute sizes with them.

use super::{Atom, Nat};

/// The first number in a formula that 64 bits do not hold.
pub(crate) fn too_large(formula: &Nat) -> Option<i128> {
    let is_too_large = |number: &i128| i64::try_from(*number).is_err();
    formula.terms().iter().find_map(|term| {
        let inside = term.factors.iter().find_map(|(atom, _)| match atom {
            // The algebra keeps numbers that leave 128 bits in this form.
            Atom::Power(base, _) => too_large(base),
            Atom::Divide(a, b) | Atom::Modulo(a, b) | Atom::Minimum(a, b) | Atom::Maximum(a, b) => {
                too_large(a).or_else(|| too_large(b))
            }
            Atom::Select(_, then, otherwise) => too_large(then).or_else(|| too_large(otherwise)),
            Atom::Var(_) | Atom::Log2(_) | Atom::Sum { .. } => None,
        });
        Some(term.coefficient).filter(is_too_large).or(inside)
    })
}
