//! Requirements on sizes: whether one is met, what follows from it, and the same requirement for every value
//! of an index.

use std::collections::BTreeMap;

use super::Requirement;
use crate::ir::nat::{Atom, Condition, Direction, Nat, Ranges, Substitution, Var, direction};

/// Up to this literal length, every position of a permutation is checked.
const CHECKED_LENGTH: i128 = 4096;

impl Requirement {
    /// Whether it is met; `None` where that is not known.
    pub fn decide(&self, ranges: &Ranges) -> Option<bool> {
        match self {
            Requirement::Equal(left, right) => ranges.is_equal(left, right),
            Requirement::AtMost(left, right) => ranges.is_at_most(left, right),
            Requirement::Divides(divisor, size) => ranges.divides(divisor, size),
            Requirement::Holds(condition) => ranges.decide(condition),
            Requirement::Permutation { index, image, length } => {
                collision(index, image, length).map(|found| found.is_none())
            }
        }
    }

    /// Adds this requirement to what is known.
    pub fn assume(&self, ranges: &mut Ranges) {
        match self {
            Requirement::Equal(left, right) => ranges.assume(&Condition::Equal(left.clone(), right.clone())),
            Requirement::AtMost(left, right) => {
                ranges.assume(&Condition::LessOrEqual(left.clone(), right.clone()))
            }
            Requirement::Divides(divisor, number) => ranges.assume_divides(divisor, number),
            Requirement::Holds(condition) => ranges.assume(condition),
            // Its inverse is unknown. A requirement of its own says that it stays inside; nothing else about
            // sizes follows.
            Requirement::Permutation { .. } => {}
        }
    }

    /// The requirement for every `index` in `from..to`. One that is linear in the index, or goes in one
    /// direction with it, is checked at both ends, any other at every index.
    #[must_use]
    pub fn for_every(&self, index: &Var, from: &Nat, to: &Nat, ranges: &Ranges) -> Requirement {
        let Some(condition) = self.condition() else {
            // The result still mentions the index. It is refused in the end, because no launch could check
            // it.
            return self.clone();
        };
        let at = |value: &Nat| condition.substitute(&Substitution::from([(index.clone(), value.clone())]));
        if holds_between_ends(&condition, index, ranges) {
            let last = to - Nat::one();
            let ends = match hardest(&condition, index, ranges) {
                Some(End::First) => at(from),
                Some(End::Last) => at(&last),
                None => at(from).and(at(&last)),
            };
            return Requirement::Holds(match ranges.is_less(from, to) {
                Some(true) => ends,
                Some(false) | None => {
                    let empty = Condition::LessOrEqual(to.clone(), from.clone());
                    if empty.implies(&ends) { ends } else { empty.or(ends) }
                }
            });
        }
        let failures = Nat::select(&condition, &Nat::zero(), &Nat::one());
        Requirement::Equal(Nat::sum(index, from, to, &failures), Nat::zero())
    }

    /// The requirement for every `index` in `0..count`, where `c` has to divide `n`, `n / c`, `n / c / c`, …:
    /// a power of `c` has to divide `n`. `None` for any other requirement, and where `n` is a literal: then
    /// the numbers are checked one by one, so that a message names the one that is wrong.
    pub fn every_division(&self, index: &Var, count: &Nat) -> Option<Requirement> {
        let Requirement::Divides(divisor, size) = self else { return None };
        let [term] = size.terms() else { return None };
        match (term.coefficient, term.factors.as_slice()) {
            (1, [(Atom::Divide(first, by), 1)])
                if first.as_constant().is_none()
                    && !first.mentions(index)
                    && *by == divisor.pow(&Nat::variable(index)) =>
            {
                Some(Requirement::Divides(divisor.pow(count), first.clone()))
            }
            _ => None,
        }
    }

    /// The same requirement with an operation applied to its sizes.
    #[must_use]
    pub fn map(
        &self,
        size: impl Fn(&Nat) -> Nat,
        condition: impl Fn(&Condition) -> Condition,
    ) -> Requirement {
        match self {
            Requirement::Equal(left, right) => Requirement::Equal(size(left), size(right)),
            Requirement::AtMost(left, right) => Requirement::AtMost(size(left), size(right)),
            Requirement::Divides(left, right) => Requirement::Divides(size(left), size(right)),
            Requirement::Holds(held) => Requirement::Holds(condition(held)),
            Requirement::Permutation { index, image, length } => {
                Requirement::Permutation { index: index.clone(), image: size(image), length: size(length) }
            }
        }
    }

    /// Whether it is about this variable.
    pub fn mentions(&self, variable: &Var) -> bool {
        match self {
            Requirement::Equal(left, right)
            | Requirement::AtMost(left, right)
            | Requirement::Divides(left, right) => left.mentions(variable) || right.mentions(variable),
            Requirement::Holds(condition) => condition.mentions(variable),
            Requirement::Permutation { image, length, .. } => {
                image.mentions(variable) || length.mentions(variable)
            }
        }
    }

    /// Whether it mentions allowed variables only. An obligation cannot mention positions.
    pub fn mentions_only(&self, allowed: &dyn Fn(&Var) -> bool) -> bool {
        let all = |size: &Nat| size.variables().iter().all(allowed);
        match self {
            Requirement::Equal(left, right)
            | Requirement::AtMost(left, right)
            | Requirement::Divides(left, right) => all(left) && all(right),
            Requirement::Holds(condition) => condition.variables().iter().all(allowed),
            Requirement::Permutation { index, image, length } => {
                all(length) && image.variables().iter().all(|variable| variable == index || allowed(variable))
            }
        }
    }

    /// The requirement as a condition. `None` for a permutation, which would take quadratic time to check as
    /// a condition.
    pub fn condition(&self) -> Option<Condition> {
        Some(match self {
            Requirement::Equal(left, right) => Condition::Equal(left.clone(), right.clone()),
            Requirement::AtMost(left, right) => Condition::LessOrEqual(left.clone(), right.clone()),
            Requirement::Divides(divisor, size) => Condition::Equal(size.modulo(divisor), Nat::zero()),
            Requirement::Holds(condition) => condition.clone(),
            Requirement::Permutation { .. } => return None,
        })
    }
}

/// Whether a condition that holds at both ends of a range also holds in between. Conjunctions of inequalities
/// between numbers that are linear or go in one direction do.
fn holds_between_ends(condition: &Condition, index: &Var, facts: &Ranges) -> bool {
    match condition {
        Condition::Less(left, right) | Condition::LessOrEqual(left, right) => {
            let difference = right - left;
            is_linear(&difference, index, facts) || direction(&difference, index, facts).is_some()
        }
        Condition::And(left, right) => {
            holds_between_ends(left, index, facts) && holds_between_ends(right, index, facts)
        }
        Condition::Equal(..) | Condition::Or(..) | Condition::Not(_) => !condition.mentions(index),
    }
}

/// An end of a range of positions.
enum End {
    First,
    Last,
}

/// The end at which a condition is hardest to meet, where its form shows that.
fn hardest(condition: &Condition, index: &Var, facts: &Ranges) -> Option<End> {
    let (Condition::Less(left, right) | Condition::LessOrEqual(left, right)) = condition else { return None };
    match direction(&(right - left), index, facts)? {
        Direction::Growing | Direction::Constant => Some(End::First),
        Direction::Shrinking => Some(End::Last),
    }
}

/// Whether `size` grows by the same amount whenever `variable` grows by 1.
pub fn is_linear(size: &Nat, variable: &Var, facts: &Ranges) -> bool {
    let next = Nat::variable(variable) + Nat::one();
    let next = size.substitute(&Substitution::from([(variable.clone(), next)]));
    !facts.simplify(&(next - size)).mentions(variable)
}

/// Two positions that are mapped to one place, and the place; `Some(None)` if there are none. `None` if the
/// length is no small number, or the image depends on more than the position.
pub(crate) fn collision(index: &Var, image: &Nat, length: &Nat) -> Option<Option<[i128; 3]>> {
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
