//! Requirements on sizes: whether one is met, what follows from one, and one for every value of an index.

use std::collections::BTreeMap;

use crate::ir::nat::{Condition, Nat, Ranges, Substitution, Var};
use crate::ir::typed::Requirement;

/// Permutations of literal lengths up to this one have every position checked.
const CHECKED_LENGTH: i128 = 4096;

/// Whether a requirement is met; `None` where that is not known.
pub(super) fn decide(requirement: &Requirement, facts: &Ranges) -> Option<bool> {
    match requirement {
        Requirement::Equal(left, right) => facts.is_equal(left, right),
        Requirement::AtMost(left, right) => facts.is_at_most(left, right),
        Requirement::Divides(divisor, size) => facts.divides(divisor, size),
        Requirement::Holds(condition) => facts.decide(condition),
        Requirement::Permutation { index, image, length } => {
            enumerated(index, image, length).map(|collision| collision.is_none())
        }
    }
}

/// Learns that a requirement is met.
pub(super) fn assume(requirement: &Requirement, facts: &mut Ranges) {
    match requirement {
        Requirement::Equal(left, right) => facts.assume(&Condition::Equal(left.clone(), right.clone())),
        Requirement::AtMost(left, right) => {
            facts.assume(&Condition::LessOrEqual(left.clone(), right.clone()))
        }
        Requirement::Divides(divisor, size) => facts.assume_divides(divisor, size),
        Requirement::Holds(condition) => facts.assume(condition),
        // Its inverse is unknown, and nothing about sizes follows from it.
        Requirement::Permutation { .. } => {}
    }
}

/// A requirement for every `index` in `from..to`. What grows evenly is checked at both ends, anything else at
/// every index.
pub(super) fn every(
    requirement: &Requirement,
    index: &Var,
    from: &Nat,
    to: &Nat,
    facts: &Ranges,
) -> Requirement {
    let Some(condition) = condition_of(requirement) else {
        // It still mentions the index: what cannot be checked before a launch is refused in the end.
        return requirement.clone();
    };
    let at = |value: &Nat| condition.substitute(&Substitution::from([(index.clone(), value.clone())]));
    if grows_evenly(&condition, index, facts) {
        let ends = at(from).and(at(&(to - Nat::one())));
        return Requirement::Holds(match facts.is_less(from, to) {
            Some(true) => ends,
            Some(false) | None => Condition::LessOrEqual(to.clone(), from.clone()).or(ends),
        });
    }
    let failures = Nat::select(&condition, &Nat::zero(), &Nat::one());
    Requirement::Equal(Nat::sum(index, from, to, &failures), Nat::zero())
}

/// Whether a condition that holds at both ends of a range holds in between: a conjunction of linear
/// inequalities.
fn grows_evenly(condition: &Condition, index: &Var, facts: &Ranges) -> bool {
    match condition {
        Condition::Less(left, right) | Condition::LessOrEqual(left, right) => {
            is_linear(&(right - left), index, facts)
        }
        Condition::And(left, right) => grows_evenly(left, index, facts) && grows_evenly(right, index, facts),
        Condition::Equal(..) | Condition::Or(..) | Condition::Not(_) => !condition.mentions(index),
    }
}

/// Whether `size` grows by the same amount with every step of `variable`.
pub(super) fn is_linear(size: &Nat, variable: &Var, facts: &Ranges) -> bool {
    let next = Nat::variable(variable) + Nat::one();
    let next = size.substitute(&Substitution::from([(variable.clone(), next)]));
    !facts.simplify(&(next - size)).mentions(variable)
}

/// Whether a requirement is about this variable.
pub(super) fn mentions(requirement: &Requirement, variable: &Var) -> bool {
    match requirement {
        Requirement::Equal(left, right)
        | Requirement::AtMost(left, right)
        | Requirement::Divides(left, right) => left.mentions(variable) || right.mentions(variable),
        Requirement::Holds(condition) => condition.mentions(variable),
        Requirement::Permutation { image, length, .. } => {
            image.mentions(variable) || length.mentions(variable)
        }
    }
}

/// A requirement as a condition; a permutation is none that takes less than quadratic time to check.
pub(super) fn condition_of(requirement: &Requirement) -> Option<Condition> {
    Some(match requirement {
        Requirement::Equal(left, right) => Condition::Equal(left.clone(), right.clone()),
        Requirement::AtMost(left, right) => Condition::LessOrEqual(left.clone(), right.clone()),
        Requirement::Divides(divisor, size) => Condition::Equal(size.modulo(divisor), Nat::zero()),
        Requirement::Holds(condition) => condition.clone(),
        Requirement::Permutation { .. } => return None,
    })
}

/// The variables that only positions have: an obligation cannot mention them.
pub(super) fn mentions_only(condition: &Requirement, allowed: &dyn Fn(&Var) -> bool) -> bool {
    let all = |size: &Nat| size.variables().iter().all(allowed);
    match condition {
        Requirement::Equal(left, right)
        | Requirement::AtMost(left, right)
        | Requirement::Divides(left, right) => all(left) && all(right),
        Requirement::Holds(condition) => condition.variables().iter().all(allowed),
        Requirement::Permutation { index, image, length } => {
            all(length) && image.variables().iter().all(|variable| variable == index || allowed(variable))
        }
    }
}

/// Two positions of a literal length that are mapped to one place, with that place; none where a position's value
/// depends on more, or the length is large.
pub(super) fn enumerated(index: &Var, image: &Nat, length: &Nat) -> Option<Option<[i128; 3]>> {
    let length = length.as_constant().filter(|length| *length <= CHECKED_LENGTH)?;
    let mut places = BTreeMap::new();
    for position in 0..length {
        let at = |var: &Var| (var == index).then_some(position);
        let place = image.evaluate(&at)?;
        if let Some(earlier) = places.insert(place, position) {
            return Some(Some([earlier, position, place]));
        }
    }
    Some(None)
}
