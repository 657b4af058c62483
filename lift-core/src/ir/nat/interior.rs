//! The interior: the indices for which the comparisons in a set of expressions come out as they do in the
//! middle.
//!
//! Boundary handling leaves minima, maxima, choices and remainders in indices. In the middle of an array,
//! each of them has one outcome. This module finds conditions on *outer* variables (the index of a loop, the
//! numbers of a work-group) under which this outcome holds for all values of *inner* variables. Code for such
//! indices can then be generated apart, without comparisons: loop partitioning in Halide (Ragan-Kelley et
//! al., PLDI 2013), index-set splitting in the literature on loops.
//!
//! Invariant: where [`Interior::condition`] holds, every comparison that was found decidable has the outcome
//! that [`Interior::outcome`] returned. Users of the condition need not rely on that: they can
//! [`Ranges::assume`] it and simplify.
//!
//! The choice of the outcome does not matter for correctness: it assumes that sizes are large, and that
//! indices are half of their largest values.

use std::cell::RefCell;

use super::bounds::{Direction, extreme_over};
use super::expression::{Atom, Condition, Nat};
use super::facts::Facts;
use super::memo::Memo;
use super::polynomial::linear_in;
use super::ranges::Ranges;
use super::variable::Var;
use crate::flat::{FlatMap, FlatSet};

/// The value of a size when the outcome of a comparison is chosen.
const LARGE: i128 = 1 << 24;
/// The depth to which bounds that refer to bounds are followed.
const FOLLOWED: u32 = 16;

/// Collects comparisons, and the conditions under which they are decided.
pub struct Interior<'r> {
    ranges: &'r Ranges,
    outer: FlatSet<Var>,
    inner: FlatSet<Var>,
    middle: Middle<'r>,
    /// Expressions that are not negative in the interior; translated.
    needs: Vec<Nat>,
    /// The outcomes of operations. What they need is among the needs.
    known: Memo<Atom, Nat>,
}

/// A bound of the interior along one index. It mentions neither the index nor an inner variable. It is not
/// simplified: the caller does that, with what is known where the bound is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Threshold {
    /// The interior begins here or later.
    First(Nat),
    /// The interior ends before this.
    End(Nat),
}

impl<'r> Interior<'r> {
    /// An interior that nothing was asked of. The ranges declare all variables that have bounds.
    pub fn new(outer: &[Var], inner: &[Var], ranges: &'r Ranges) -> Interior<'r> {
        let facts = ranges.facts();
        let outer = outer.iter().flat_map(|var| facts.translate(&Nat::variable(var)).variables()).collect();
        let inner = inner.iter().cloned().collect();
        let middle = Middle { facts, known: RefCell::default() };
        Interior { ranges, outer, inner, middle, needs: Vec::new(), known: Memo::default() }
    }

    /// Asks for the comparisons of an expression.
    pub fn ask(&mut self, n: &Nat) {
        self.replace(&self.ranges.facts().translate(n));
    }

    /// Asks for the comparisons of an expression. Returns its value in the interior.
    pub fn outcome(&mut self, n: &Nat) -> Nat {
        let outcome = self.replace(&self.ranges.facts().translate(n));
        self.ranges.facts().restore(&outcome)
    }

    /// Asks for a condition. Returns whether it holds in the interior; `None` where that is not decided.
    pub fn outcome_of(&mut self, condition: &Condition) -> Option<bool> {
        let facts = self.ranges.facts();
        self.truth(&condition.map_operands(&mut |operand| facts.translate(operand)))
    }

    /// Whether a comparison depends on an outer variable, so that the interior has a condition.
    pub fn decides(&self) -> bool {
        !self.needs.is_empty()
    }

    /// The condition that holds in the interior, in terms of outer variables and sizes; `None` where no
    /// comparison depends on an outer variable.
    pub fn condition(&self) -> Option<Condition> {
        let facts = self.ranges.facts();
        let stated = |need: &Nat| {
            let is_negative = |term: &Nat| term.terms().iter().any(|term| term.coefficient < 0);
            let (negative, positive): (Vec<Nat>, Vec<Nat>) =
                need.split_terms().into_iter().partition(is_negative);
            let sum = |terms: Vec<Nat>| terms.into_iter().fold(Nat::zero(), |sum, term| sum + term);
            let (less, more) = (-sum(negative), sum(positive));
            Condition::LessOrEqual(facts.restore(&less), facts.restore(&more))
        };
        let mut conditions: Vec<Condition> = self.needs.iter().map(stated).collect();
        // A condition that follows from the others is left out.
        for position in (0..conditions.len()).rev() {
            let others = conditions.iter().enumerate().filter(|(other, _)| *other != position);
            let known = others.fold(self.ranges.clone(), |known, (_, other)| known.with_assumed(other));
            if conditions.get(position).is_some_and(|condition| known.proves(condition)) {
                conditions.remove(position);
            }
        }
        conditions.into_iter().reduce(Condition::and)
    }

    /// The needs of the interior, as bounds of one index. A need that is no bound, because the index has a
    /// factor that is not a number, is `None`: then the comparisons that it decides stay.
    pub fn thresholds(&self, index: &Var) -> Vec<Option<Threshold>> {
        self.needs.iter().map(|need| self.threshold(need, index)).collect()
    }

    fn threshold(&self, need: &Nat, index: &Var) -> Option<Threshold> {
        let (coefficient, rest) = linear_in(need, &Atom::Var(index.clone()))?;
        let rest = self.ranges.facts().restore(&rest);
        if rest.mentions(index) || self.inner.iter().any(|var| rest.mentions(var)) {
            return None;
        }
        match coefficient.as_constant()? {
            0 => None,
            // `c * index >= -rest`
            positive @ 1.. => Some(Threshold::First(-(rest.divide(&Nat::constant(positive))))),
            // `|c| * index <= rest`
            negative => {
                let steps = rest.divide(&Nat::constant(negative.checked_neg()?));
                Some(Threshold::End(steps + Nat::one()))
            }
        }
    }

    /// The expression with every decided comparison replaced by its outcome.
    fn replace(&mut self, n: &Nat) -> Nat {
        n.with_terms_replaced(
            |term| !term.is_product_of_variables(),
            |atom| match atom {
                Atom::Var(_) => None,
                _ => Some(self.replaced(atom)).filter(|by| by.as_atom() != Some(atom)),
            },
        )
    }

    /// The outcome of an operation, which is found once.
    fn replaced(&mut self, atom: &Atom) -> Nat {
        if let Some(known) = self.known.get(atom) {
            return known.clone();
        }
        let outcome = self.replace_atom(atom);
        self.known.insert(atom.clone(), outcome.clone());
        outcome
    }

    fn replace_atom(&mut self, atom: &Atom) -> Nat {
        match atom {
            Atom::Minimum(a, b) => {
                let (a, b) = (self.replace(a), self.replace(b));
                match self.is_at_most(&a, &b) {
                    Some(true) => a,
                    Some(false) => b,
                    None => Nat::min(&a, &b),
                }
            }
            Atom::Maximum(a, b) => {
                let (a, b) = (self.replace(a), self.replace(b));
                match self.is_at_most(&a, &b) {
                    Some(true) => b,
                    Some(false) => a,
                    None => Nat::max(&a, &b),
                }
            }
            Atom::Select(condition, a, b) => match self.truth(condition) {
                Some(true) => self.replace(a),
                Some(false) => self.replace(b),
                // What holds inside the branches does not hold in general.
                None => Nat::from_atom(atom.clone()),
            },
            Atom::Divide(n, d) => {
                let (n, d) = (self.replace(n), self.replace(d));
                self.quotient(&n, &d).unwrap_or_else(|| n.divide(&d))
            }
            Atom::Modulo(n, d) => {
                let (n, d) = (self.replace(n), self.replace(d));
                match self.quotient(&n, &d) {
                    Some(quotient) => n - quotient * d,
                    None => n.modulo(&d),
                }
            }
            Atom::Power(..) | Atom::Log2(_) | Atom::Sum { .. } | Atom::Var(_) => Nat::from_atom(atom.clone()),
        }
    }

    /// The quotient by a size, where it is the same everywhere in the interior. Quotients by numbers come
    /// from layouts, not from boundaries.
    fn quotient(&mut self, n: &Nat, d: &Nat) -> Option<Nat> {
        if d.as_constant().is_some() {
            return None;
        }
        let (dividend, divisor) = (self.middle.value(n)?, self.middle.value(d)?);
        let quotient = Nat::constant(dividend.checked_div_euclid(divisor)?);
        let rest = n - quotient.clone() * d;
        self.all_hold(&[rest.clone(), d - rest - Nat::one()]).then_some(quotient)
    }

    /// Whether `a <= b` in the interior; `None` where that is not decided. Where both are equal, either
    /// answer will do.
    fn is_at_most(&mut self, a: &Nat, b: &Nat) -> Option<bool> {
        let lead = b - a;
        if self.middle.value(&lead)? >= 0 {
            self.all_hold(&[lead]).then_some(true)
        } else {
            self.all_hold(&[-lead]).then_some(false)
        }
    }

    /// Whether a condition holds in the interior; `None` where that is not decided.
    fn truth(&mut self, condition: &Condition) -> Option<bool> {
        match condition {
            Condition::Less(a, b) => {
                let (a, b) = (self.replace(a), self.replace(b));
                self.is_positive(&(b - a))
            }
            Condition::LessOrEqual(a, b) => {
                let (a, b) = (self.replace(a), self.replace(b));
                self.is_positive(&(b - a + Nat::one()))
            }
            Condition::Equal(a, b) => {
                let (a, b) = (self.replace(a), self.replace(b));
                let difference = b - a;
                let lead = match self.middle.value(&difference)? {
                    0 => return None,
                    1.. => difference,
                    _ => -difference,
                };
                self.all_hold(&[lead - Nat::one()]).then_some(false)
            }
            Condition::And(a, b) => self.junction(a, b, true),
            Condition::Or(a, b) => self.junction(a, b, false),
            Condition::Not(a) => self.truth(a).map(|truth| !truth),
        }
    }

    /// `a && b` where the neutral truth is `true`, `a || b` where it is `false`. One operand with the other
    /// truth value decides.
    fn junction(&mut self, a: &Condition, b: &Condition, neutral: bool) -> Option<bool> {
        let decides = |condition: &&Condition| self.middle.truth(condition) == Some(!neutral);
        match [a, b].into_iter().find(decides) {
            Some(decisive) => self.truth(decisive),
            None => {
                let (a, b) = (self.truth(a), self.truth(b));
                (a? == neutral && b? == neutral).then_some(neutral)
            }
        }
    }

    fn is_positive(&mut self, n: &Nat) -> Option<bool> {
        if self.middle.value(n)? > 0 {
            self.all_hold(&[n - Nat::one()]).then_some(true)
        } else {
            self.all_hold(&[-n]).then_some(false)
        }
    }

    /// Adds the needs that these are not negative, whatever the inner variables are. Returns false, and adds
    /// nothing, where that is no condition on outer variables.
    fn all_hold(&mut self, needs: &[Nat]) -> bool {
        let facts = self.ranges.facts();
        let mut found = Vec::new();
        for need in needs {
            let Some(least) = extreme_over(facts, need, Direction::Lower, &self.inner) else { return false };
            let restored = facts.restore(&least);
            if self.ranges.proves_non_negative(&restored) {
                continue;
            }
            let depends_on_inner = self.inner.iter().any(|var| restored.mentions(var));
            // Bounds of several inner variables may not be reached together, not even in the middle.
            let is_empty = self.middle.value(&least).is_none_or(|least| least < 0);
            if is_empty || depends_on_inner || least.variables().is_disjoint(&self.outer) {
                return false;
            }
            found.push(least);
        }
        found.into_iter().for_each(|need| self.add(need));
        true
    }

    /// Adds a need. Of needs that differ by a number, only the least is kept.
    fn add(&mut self, need: Nat) {
        for known in &mut self.needs {
            if let Some(distance) = need.constant_difference(known) {
                if distance < 0 {
                    *known = need;
                }
                return;
            }
        }
        self.needs.push(need);
    }
}

/// Values of variables in the middle of their ranges.
struct Middle<'r> {
    facts: &'r Facts,
    known: RefCell<FlatMap<Var, Option<i128>>>,
}

impl Middle<'_> {
    fn value(&self, n: &Nat) -> Option<i128> {
        n.evaluate_soon(&|var| self.of(var, FOLLOWED))
    }

    fn truth(&self, condition: &Condition) -> Option<bool> {
        condition.evaluate_soon(&|var| self.of(var, FOLLOWED))
    }

    fn of(&self, var: &Var, followed: u32) -> Option<i128> {
        if let Some(known) = self.known.borrow().get(var) {
            return *known;
        }
        let value = self.compute(var, followed.checked_sub(1)?);
        self.known.borrow_mut().insert(var.clone(), value);
        value
    }

    fn compute(&self, var: &Var, followed: u32) -> Option<i128> {
        let Some(bounds) = self.facts.bounds(&Atom::Var(var.clone())) else { return Some(LARGE) };
        let value = |n: &Nat| n.evaluate_soon(&|var| self.of(var, followed));
        let Some(upper) = bounds.upper.first() else { return Some(LARGE) };
        let high = value(&upper.value)?.checked_div_euclid(upper.scale)?;
        let low = match bounds.lower.first() {
            None => 0,
            Some(lower) => value(&lower.value)?.checked_div_euclid(lower.scale)?,
        };
        low.checked_add(high)?.checked_div_euclid(2)
    }
}
