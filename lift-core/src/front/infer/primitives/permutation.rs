//! `scatter`: writing through a function on positions, which must be a permutation.
//!
//! A function that maps `0..n` into itself is a permutation if it has an inverse. If `n` is a small literal,
//! every position is checked. Otherwise an inverse is guessed (the function itself, and the strides by what
//! it divides by) and checked by the algebra of sizes. What is neither proved nor refuted is left to the
//! launch, which checks every position before anything runs: two elements written to one place would be a
//! race.

use super::super::environment::Argument;
use super::super::error::{Access, Error, PositionMistake};
use super::super::inference::Inference;
use super::super::need::{Need, Reason};
use super::super::requirement::enumerated;
use super::call::Call;
use super::index::{Positions, at, collect_divisors, for_every_remainder};
use crate::ir::nat::{Condition, Nat};
use crate::ir::source::Source;
use crate::ir::typed::{self, IndexFunction, IndexFunctionKind, Layout, Requirement};

/// For other lengths, this many of the first positions are compared with each other.
const COMPARED_POSITIONS: i128 = 6;

impl<'a> Inference<'a> {
    /// `[A; n] -> [A; n]`, where `out[f(i)] = in[i]`.
    pub(super) fn scatter(
        &mut self,
        call: &Call,
        given: Vec<Argument<'a>>,
        data: typed::Expr,
    ) -> typed::Expr {
        let array = self.array(call, &data);
        let (Some(array), Some(argument)) = (array, given.into_iter().next()) else {
            return self.mistake(call.source);
        };
        let length = array.length.clone();
        let source = argument.source();
        let written = self.written_call(call, &[]);
        let Some(function) = self.position_function(argument, &length, Access::Write, &written) else {
            return self.mistake(call.source);
        };
        if self.need_permutation(&function, &length, &written, source).is_none() {
            return self.mistake(call.source);
        }
        let ty = match (&array.index, function.inverse(&length)) {
            (None, _) => data.ty.clone(),
            (Some(_), Some(inverse)) => self.moved(&array, &length, |position| inverse.apply(position)),
            (Some(_), None) => {
                // A function without a known inverse does not tell which element stands where.
                if self.regular(call, &data).is_none() {
                    return self.mistake(call.source);
                }
                data.ty.clone()
            }
        };
        self.layout(call, Layout::Scatter(function), data, ty)
    }

    /// Demands a permutation. `None` if the function certainly is none, which is reported.
    fn need_permutation(
        &mut self,
        function: &IndexFunction,
        length: &Nat,
        call: &str,
        source: Source,
    ) -> Option<()> {
        if self.unreached > 0 {
            return Some(());
        }
        match &function.kind {
            IndexFunctionKind::Reverse | IndexFunctionKind::Stride(_) | IndexFunctionKind::Rotate(_) => {
                return Some(());
            }
            IndexFunctionKind::Custom => {}
        }
        let collision = match enumerated(&function.index, &function.body, length) {
            Some(None) => return Some(()),
            Some(Some(collision)) => Some(collision.map(Nat::constant)),
            None if self.has_inverse(function, length) => return Some(()),
            None => self.collision(function, length),
        };
        if let Some([first, second, image]) = collision {
            let mistake = PositionMistake::Collision { call: call.to_owned(), first, second, image };
            self.report(Error::new(source, mistake));
            return None;
        }
        let requirement = Requirement::Permutation {
            index: function.index.clone(),
            image: function.body.clone(),
            length: length.clone(),
        };
        self.need(Need { requirement, reason: Reason::OnePlaceEach, call: call.to_owned(), source })
    }

    /// Two of the first positions that are certainly mapped to one place, and the place.
    fn collision(&self, function: &IndexFunction, length: &Nat) -> Option<[Nat; 3]> {
        let image = |position: i128| at(function, &Nat::constant(position));
        for second in 1..COMPARED_POSITIONS {
            let mut facts = self.facts.clone();
            facts.assume(&Condition::Less(Nat::constant(second), length.clone()));
            for first in 0..second {
                if facts.is_equal(&image(first), &image(second)) == Some(true) {
                    let place = facts.simplify(&image(first));
                    return Some([Nat::constant(first), Nat::constant(second), place]);
                }
            }
        }
        None
    }

    fn has_inverse(&self, function: &IndexFunction, length: &Nat) -> bool {
        let positions = Positions { from: Nat::zero(), to: length.clone(), length: length.clone() };
        let mut facts = self.facts.clone();
        positions.learn(&function.index, &mut facts);
        let position = Nat::variable(&function.index);
        let undoes = |guess: &Nat| {
            let back = guess.substitute(&[(function.index.clone(), function.body.clone())].into());
            facts.is_equal(&back, &position) == Some(true) || self.is_identity(&back, function, length)
        };
        guesses(function, length).iter().any(undoes)
    }

    /// Whether `back` is the index itself, decided for every remainder of it.
    fn is_identity(&self, back: &Nat, function: &IndexFunction, length: &Nat) -> bool {
        for_every_remainder(function, length, &self.facts, |facts, position| {
            let back = back.substitute(&[(function.index.clone(), position.clone())].into());
            facts.is_equal(&back, position) == Some(true)
        })
    }
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
