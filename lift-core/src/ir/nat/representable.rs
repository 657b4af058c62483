//! What 64 bits hold: launchers compute sizes with them, and so do kernels.

use super::{Atom, Nat};

/// The first number in a formula that 64 bits do not hold.
pub(crate) fn too_large(formula: &Nat) -> Option<i128> {
    let is_too_large = |number: &i128| i64::try_from(*number).is_err();
    formula.terms().iter().find_map(|term| {
        let inside = term.factors.iter().find_map(|(atom, _)| match atom {
            // So the algebra keeps what leaves 128 bits.
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
