//! Requirements on sizes: whether one is met, what follows from it, and the same requirement for every value
//! of an index.

use std::collections::BTreeMap;

use crate::ir::nat::{Condition, Nat, Ranges, Substitution, Var};
use crate::ir::typed::Requirement;

/// Up to this literal length, every position of a permutation is checked.
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

/// A requirement for every `index` in `from..to`. One that is linear in the index is checked at both ends,
/// any other at every index.
pub(super) fn every(
    requirement: &Requirement,
    index: &Var,
    from: &Nat,
    to: &Nat,
    facts: &Ranges,
) -> Requirement {
    let Some(condition) = condition_of(requirement) else {
        // The result still mentions the index. It is refused in the end, because no launch could check it.
        return requirement.clone();
    };
    let at = |value: &Nat| condition.substitute(&Substitution::from([(index.clone(), value.clone())]));
    if holds_between_ends(&condition, index, facts) {
        let ends = at(from).and(at(&(to - Nat::one())));
        return Requirement::Holds(match facts.is_less(from, to) {
            Some(true) => ends,
            Some(false) | None => Condition::LessOrEqual(to.clone(), from.clone()).or(ends),
        });
    }
    let failures = Nat::select(&condition, &Nat::zero(), &Nat::one());
    Requirement::Equal(Nat::sum(index, from, to, &failures), Nat::zero())
}

/// Whether a condition that holds at both ends of a range also holds in between. Conjunctions of linear
/// inequalities do.
fn holds_between_ends(condition: &Condition, index: &Var, facts: &Ranges) -> bool {
    match condition {
        Condition::Less(left, right) | Condition::LessOrEqual(left, right) => {
            is_linear(&(right - left), index, facts)
        }
        Condition::And(left, right) => {
            holds_between_ends(left, index, facts) && holds_between_ends(right, index, facts)
        }
        Condition::Equal(..) | Condition::Or(..) | Condition::Not(_) => !condition.mentions(index),
    }
}

/// Whether `size` grows by the same amount whenever `variable` grows by 1.
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

/// A requirement as a condition. `None` for a permutation, which would take quadratic time to check as a
/// condition.
pub(super) fn condition_of(requirement: &Requirement) -> Option<Condition> {
    Some(match requirement {
        Requirement::Equal(left, right) => Condition::Equal(left.clone(), right.clone()),
        Requirement::AtMost(left, right) => Condition::LessOrEqual(left.clone(), right.clone()),
        Requirement::Divides(divisor, size) => Condition::Equal(size.modulo(divisor), Nat::zero()),
        Requirement::Holds(condition) => condition.clone(),
        Requirement::Permutation { .. } => return None,
    })
}

/// Whether a requirement mentions allowed variables only. An obligation cannot mention variables that stand
/// for positions.
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

/// Two positions that are mapped to one place, and the place; `Some(None)` if there are none. `None` if the
/// length is no small number, or the image depends on more than the position.
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
