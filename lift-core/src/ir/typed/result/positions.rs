//! Functions from positions to positions: where they must stay inside an array, and when they are
//! permutations.
//!
//! A function that maps `0..n` into itself is a permutation if it has an inverse. If `n` is a small literal,
//! every position is checked. Otherwise an inverse is guessed (the function itself, and the strides by what
//! it divides by) and checked by the algebra of sizes. What is neither proved nor refuted is left to the
//! launch, which checks every position before anything runs: two elements written to one place would be a
//! race.

use super::judge::{Arguments, Judge, Mismatch, Purpose};
use crate::ir::nat::{Atom, Condition, Nat, Ranges, Var};
use crate::ir::typed::requirement::collision;
use crate::ir::typed::{IndexFunction, IndexFunctionKind, Requirement};

/// Functions that divide by a number up to this one are examined for every remainder.
const CHECKED_DIVISOR: i128 = 64;

/// Up to this literal length of an array, every index is checked.
const CHECKED_LENGTH: i128 = 256;

/// For other lengths, this many of the first positions are compared with each other.
const COMPARED_POSITIONS: i128 = 6;

/// The positions `from..to` that an index function is given, of an array of `length` elements.
pub struct Positions {
    /// The first.
    pub from: Nat,
    /// One past the last.
    pub to: Nat,
    /// The length of the array.
    pub length: Nat,
}

impl Positions {
    /// All positions of an array.
    pub fn all(length: &Nat) -> Positions {
        Positions { from: Nat::zero(), to: length.clone(), length: length.clone() }
    }

    /// The positions that are added on either side of an array.
    pub fn borders(left: &Nat, right: &Nat, length: &Nat) -> [Positions; 2] {
        let positions = |from: Nat, to: Nat| Positions { from, to, length: length.clone() };
        [positions(Nat::zero() - left, Nat::zero()), positions(length.clone(), length + right)]
    }

    /// Learns that `index` is one of the positions.
    pub fn learn(&self, index: &Var, ranges: &mut Ranges) {
        *ranges = ranges.with_position(index, &self.from, &self.to);
    }
}

/// `stride(step)` on `length` elements is a permutation.
pub fn stride_fills(step: &Nat, length: &Nat, judge: &mut dyn Judge) -> Result<(), Mismatch> {
    if step.as_constant() == Some(0) {
        judge.need(Requirement::AtMost(Nat::one(), step.clone()), Purpose::Positive)?;
    }
    judge.need(Requirement::Divides(step.clone(), length.clone()), Purpose::StrideFills)
}

impl IndexFunction {
    /// Demands what the well-known functions need, and of any other that it stays inside the array.
    pub(super) fn maps_into(&self, length: &Nat, judge: &mut dyn Judge) -> Result<(), Mismatch> {
        match &self.kind {
            IndexFunctionKind::Reverse => Ok(()),
            IndexFunctionKind::Stride(step) => {
                judge.natural(step)?;
                stride_fills(step, length, judge)
            }
            IndexFunctionKind::Rotate(distance) => judge.natural(distance),
            IndexFunctionKind::Custom => self.stays_inside(&Positions::all(length), judge),
        }
    }

    /// Demands `0 <= f(i) < length` for all positions.
    pub fn stays_inside(&self, positions: &Positions, judge: &mut dyn Judge) -> Result<(), Mismatch> {
        let Positions { from, to, length } = positions;
        let unreached = judge.arguments() == Arguments::Unreached;
        if unreached || judge.ranges().is_at_most(to, from) == Some(true) {
            return Ok(());
        }
        let mut ranges = judge.ranges().clone();
        ranges.assume(&Condition::Less(from.clone(), to.clone()));
        if let Some((position, image)) = outside_at_an_end(self, positions, &ranges) {
            return Err(Mismatch::Outside { position, image, length: length.clone() });
        }
        let starts_at_zero = from.as_constant() == Some(0);
        let always_inside = starts_at_zero
            && for_every_remainder(self, to, &ranges, |ranges, position| {
                ranges.decide(&inside(&self.apply(position), length)) == Some(true)
            });
        if always_inside {
            return Ok(());
        }
        positions.learn(&self.index, &mut ranges);
        let inside = inside(&self.body, length);
        match ranges.decide(&inside) {
            Some(true) => Ok(()),
            Some(false) => Err(Mismatch::NeverInside(length.clone())),
            None => {
                let requirement = for_all_positions(self, positions, &inside, &ranges);
                judge.need(requirement, Purpose::IndexInside(self.body.clone(), length.clone()))
            }
        }
    }

    /// Demands that the function, which stays inside the array, is a permutation of its positions.
    pub fn permutes(&self, length: &Nat, judge: &mut dyn Judge) -> Result<(), Mismatch> {
        if judge.arguments() == Arguments::Unreached {
            return Ok(());
        }
        match &self.kind {
            IndexFunctionKind::Reverse | IndexFunctionKind::Stride(_) | IndexFunctionKind::Rotate(_) => {
                return Ok(());
            }
            IndexFunctionKind::Custom => {}
        }
        let met = match collision(&self.index, &self.body, length) {
            Some(None) => return Ok(()),
            Some(Some(met)) => Some(met.map(Nat::constant)),
            None if has_inverse(self, length, judge.ranges()) => return Ok(()),
            None => first_collision(self, length, judge.ranges()),
        };
        if let Some([first, second, image]) = met {
            return Err(Mismatch::Collision { first, second, image });
        }
        let requirement = Requirement::Permutation {
            index: self.index.clone(),
            image: self.body.clone(),
            length: length.clone(),
        };
        judge.need(requirement, Purpose::OnePlaceEach)
    }
}

fn inside(index: &Nat, length: &Nat) -> Condition {
    Condition::LessOrEqual(Nat::zero(), index.clone()).and(Condition::Less(index.clone(), length.clone()))
}

/// A position that is certainly mapped outside, and its image. The first and the last are tried, and all of
/// them between literal bounds.
fn outside_at_an_end(function: &IndexFunction, positions: &Positions, ranges: &Ranges) -> Option<(Nat, Nat)> {
    let Positions { from, to, length } = positions;
    let mut candidates = vec![from.clone(), to - Nat::one()];
    if let (Some(first), Some(end)) = (from.as_constant(), to.as_constant())
        && end.saturating_sub(first) <= CHECKED_LENGTH
    {
        candidates = (first..end).map(Nat::constant).collect();
    }
    candidates.into_iter().find_map(|position| {
        let value = ranges.simplify(&function.apply(&position));
        (ranges.decide(&inside(&value, length)) == Some(false)).then(|| (ranges.simplify(&position), value))
    })
}

/// Whether something holds at all positions `0..length`. It is decided for every remainder by the number that
/// an index function divides by: `i / 4 * 4 + 3 - i % 4` is four linear functions.
fn for_every_remainder(
    function: &IndexFunction,
    length: &Nat,
    ranges: &Ranges,
    holds: impl Fn(&Ranges, &Nat) -> bool,
) -> bool {
    let mut divisors = Vec::new();
    collect_divisors(&function.body, &function.index, &mut divisors);
    let Some(divisor) = divisors.iter().filter_map(Nat::as_constant).max() else { return false };
    if !(2..=CHECKED_DIVISOR).contains(&divisor) {
        return false;
    }
    (0..divisor).all(|remainder| {
        let mut ranges = ranges.clone();
        let position = Nat::variable(&function.index) * Nat::constant(divisor) + Nat::constant(remainder);
        ranges.declare(&function.index, Nat::zero(), None);
        ranges.assume(&Condition::Less(position.clone(), length.clone()));
        holds(&ranges, &position)
    })
}

/// What the index is divided by.
fn collect_divisors(size: &Nat, index: &Var, divisors: &mut Vec<Nat>) {
    for (atom, _) in size.terms().iter().flat_map(|term| &term.factors) {
        if let Atom::Divide(dividend, divisor) | Atom::Modulo(dividend, divisor) = atom {
            if dividend.mentions(index) && !divisors.contains(divisor) {
                divisors.push(divisor.clone());
            }
            collect_divisors(dividend, index, divisors);
        }
    }
}

/// What the launch checks so that every position is mapped inside: both ends for a linear function, else
/// every position.
fn for_all_positions(
    function: &IndexFunction,
    positions: &Positions,
    inside_there: &Condition,
    ranges: &Ranges,
) -> Requirement {
    let Positions { from, to, length } = positions;
    let next = function.apply(&(Nat::variable(&function.index) + Nat::one()));
    let growth = ranges.simplify(&(next - &function.body));
    if !growth.mentions(&function.index) {
        let last = function.apply(&(to - Nat::one()));
        let ends = inside(&function.apply(from), length).and(inside(&last, length));
        return Requirement::Holds(Condition::LessOrEqual(to.clone(), from.clone()).or(ends));
    }
    let failures = Nat::select(inside_there, &Nat::zero(), &Nat::one());
    Requirement::Equal(Nat::sum(&function.index, from, to, &failures), Nat::zero())
}

/// Two of the first positions that are certainly mapped to one place, and the place.
fn first_collision(function: &IndexFunction, length: &Nat, ranges: &Ranges) -> Option<[Nat; 3]> {
    let image = |position: i128| function.apply(&Nat::constant(position));
    for second in 1..COMPARED_POSITIONS {
        let mut ranges = ranges.clone();
        ranges.assume(&Condition::Less(Nat::constant(second), length.clone()));
        for first in 0..second {
            if ranges.is_equal(&image(first), &image(second)) == Some(true) {
                let place = ranges.simplify(&image(first));
                return Some([Nat::constant(first), Nat::constant(second), place]);
            }
        }
    }
    None
}

fn has_inverse(function: &IndexFunction, length: &Nat, ranges: &Ranges) -> bool {
    let mut inside = ranges.clone();
    Positions::all(length).learn(&function.index, &mut inside);
    let position = Nat::variable(&function.index);
    let undoes = |guess: &Nat| {
        let back = guess.substitute(&[(function.index.clone(), function.body.clone())].into());
        inside.is_equal(&back, &position) == Some(true) || is_identity(&back, function, length, ranges)
    };
    guesses(function, length).iter().any(undoes)
}

/// Whether `back` is the index itself, decided for every remainder of it.
fn is_identity(back: &Nat, function: &IndexFunction, length: &Nat, ranges: &Ranges) -> bool {
    for_every_remainder(function, length, ranges, |ranges, position| {
        let back = back.substitute(&[(function.index.clone(), position.clone())].into());
        ranges.is_equal(&back, position) == Some(true)
    })
}

/// Formulas in the index that may be the inverse of a function.
fn guesses(function: &IndexFunction, length: &Nat) -> Vec<Nat> {
    let index = Nat::variable(&function.index);
    let mut guesses = vec![function.body.clone(), length - Nat::one() - &index];
    let mut divisors = Vec::new();
    collect_divisors(&function.body, &function.index, &mut divisors);
    for divisor in divisors {
        for step in [divisor.clone(), length.divide(&divisor)] {
            guesses.push(IndexFunction::stride(function.index.clone(), &step, length).body);
            let others = length.divide(&step);
            guesses.push(index.divide(&step) + index.modulo(&step) * others);
        }
        let offset = function.body.substitute(&[(function.index.clone(), Nat::zero())].into());
        guesses.push((&index + length - offset).modulo(length));
    }
    guesses
}
