//! For which positions of a loop borders do not matter.
//!
//! A padded array clamps, wraps or mirrors positions, and chooses by comparing them. Each of these decisions is the same for all
//! positions but a few at one end of the loop. Between those at the front and those at the back, everything is decided, and the
//! indices are plain sums. (Halide calls this loop partitioning.)
//!
//! The two lists that come out hold thresholds; a loop whose bounds respect all of them has no decision left to make that this
//! module knew how to make.

use crate::kernel::{Expression, Statement};
use crate::nat::{Atom, Condition, Nat, Ranges, Var};
use crate::refine::learn;

/// The positions for which everything is decided.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct Interior {
    /// It begins at the largest of these.
    pub(super) first: Vec<Nat>,
    /// It ends before the smallest of these.
    pub(super) end: Vec<Nat>,
}

/// The interior of a loop over `0..extent` with this body; `ranges` know nothing of the index yet.
pub(super) fn interior(body: &[Statement], index: &Var, extent: &Nat, ranges: &Ranges) -> Interior {
    // An index without an upper bound stays in the bounds of what mentions it.
    let mut ranges = ranges.clone();
    ranges.declare(index, Nat::zero(), None);
    let mut search = Search { index, extent, interior: Interior::default() };
    search.block(body, &ranges);
    search.interior
}

struct Search<'a> {
    index: &'a Var,
    extent: &'a Nat,
    interior: Interior,
}

/// Positions that are lost at one end if something is to hold.
enum Threshold {
    First { first: Nat, lost: i128 },
    End { end: Nat, lost: i128 },
}

impl Threshold {
    fn lost(&self) -> i128 {
        match self {
            Threshold::First { lost, .. } | Threshold::End { lost, .. } => *lost,
        }
    }
}

impl Search<'_> {
    fn block(&mut self, body: &[Statement], ranges: &Ranges) {
        let mut ranges = ranges.clone();
        for statement in body {
            for expression in statement.expressions() {
                self.expression(expression, &ranges);
            }
            if let Statement::Store(_, index, _) = statement {
                self.nat(index, &ranges);
            }
            let mut inside = ranges.clone();
            if let Statement::Loop(repetition) = statement {
                inside.declare(&repetition.index, Nat::zero(), Some(repetition.extent.clone()));
            }
            statement.blocks().into_iter().for_each(|block| self.block(block, &inside));
            learn(&mut ranges, statement);
        }
    }

    fn expression(&mut self, expression: &Expression, ranges: &Ranges) {
        match expression {
            Expression::Load(_, index, _) | Expression::Index(index, _) => self.nat(index, ranges),
            Expression::Condition(condition) => self.condition(condition, ranges),
            Expression::Literal(..)
            | Expression::Variable(_)
            | Expression::WorkerId(_)
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Builtin(..)
            | Expression::Function(..)
            | Expression::Broadcast(..)
            | Expression::Components(_)
            | Expression::Component(..)
            | Expression::Select(..)
            | Expression::Cast(..) => {}
        }
        expression.children().into_iter().for_each(|child| self.expression(child, ranges));
    }

    fn nat(&mut self, nat: &Nat, ranges: &Ranges) {
        if !nat.mentions(self.index) {
            return;
        }
        for (atom, _) in nat.terms().iter().flat_map(|term| &term.factors) {
            self.atom(atom, ranges);
        }
    }

    fn atom(&mut self, atom: &Atom, ranges: &Ranges) {
        match atom {
            Atom::Var(_) => {}
            Atom::Minimum(left, right) | Atom::Maximum(left, right) => {
                self.nat(left, ranges);
                self.nat(right, ranges);
                self.sign(&(right - left), ranges);
            }
            Atom::Modulo(numerator, divisor) | Atom::Divide(numerator, divisor) => {
                self.nat(numerator, ranges);
                self.within(numerator, divisor, ranges);
            }
            Atom::Select(condition, then, otherwise) => {
                self.condition(condition, ranges);
                self.nat(then, ranges);
                self.nat(otherwise, ranges);
            }
            Atom::Power(base, exponent) => {
                self.nat(base, ranges);
                self.nat(exponent, ranges);
            }
            Atom::Log2(operand) => self.nat(operand, ranges),
            Atom::Sum { from, to, .. } => {
                self.nat(from, ranges);
                self.nat(to, ranges);
            }
        }
    }

    fn condition(&mut self, condition: &Condition, ranges: &Ranges) {
        match condition {
            Condition::Less(left, right) => self.sign(&(right - left - Nat::one()), ranges),
            Condition::LessOrEqual(left, right) => self.sign(&(right - left), ranges),
            Condition::Equal(left, right) => {
                let (below, above) = (left - right - Nat::one(), right - left - Nat::one());
                let thresholds = [self.threshold(&below, ranges), self.threshold(&above, ranges)];
                self.keep_cheapest(thresholds.into_iter().flatten().collect());
            }
            Condition::And(left, right) | Condition::Or(left, right) => {
                self.condition(left, ranges);
                self.condition(right, ranges);
            }
            Condition::Not(inner) => self.condition(inner, ranges),
        }
        condition.operands().into_iter().for_each(|operand| self.nat(operand, ranges));
    }

    /// Decides whether a difference is negative, the same way wherever that costs least.
    fn sign(&mut self, difference: &Nat, ranges: &Ranges) {
        if !difference.mentions(self.index) {
            return;
        }
        let opposite = -difference - Nat::one();
        let thresholds = [self.threshold(difference, ranges), self.threshold(&opposite, ranges)];
        self.keep_cheapest(thresholds.into_iter().flatten().collect());
    }

    /// Keeps a numerator between 0 and its divisor, where that costs little at both ends.
    fn within(&mut self, numerator: &Nat, divisor: &Nat, ranges: &Ranges) {
        let below = divisor - numerator - Nat::one();
        let proved = |nat: &Nat| ranges.is_non_negative(nat) == Some(true);
        let needed: Vec<&Nat> = [numerator, &below].into_iter().filter(|nat| !proved(nat)).collect();
        let thresholds: Option<Vec<Threshold>> =
            needed.into_iter().map(|nat| self.threshold(nat, ranges)).collect();
        thresholds.unwrap_or_default().into_iter().for_each(|threshold| self.keep(threshold));
    }

    fn keep_cheapest(&mut self, thresholds: Vec<Threshold>) {
        if let Some(cheapest) = thresholds.into_iter().min_by_key(Threshold::lost) {
            self.keep(cheapest);
        }
    }

    fn keep(&mut self, threshold: Threshold) {
        let (bound, list) = match threshold {
            Threshold::First { first, .. } => (first, &mut self.interior.first),
            Threshold::End { end, .. } => (end, &mut self.interior.end),
        };
        if !list.contains(&bound) {
            list.push(bound);
        }
    }

    /// The positions for which something is not negative: all but a known number at one end of the loop.
    fn threshold(&self, nat: &Nat, ranges: &Ranges) -> Option<Threshold> {
        let least = ranges.lower_bound(nat)?;
        let (coefficient, rest) = least.linear_in(self.index)?;
        let coefficient = coefficient.as_constant()?;
        let magnitude = Nat::constant(coefficient.checked_abs()?);
        let lost_at_most = |lost: &Nat| ranges.simplify(lost).as_constant().map(|lost| lost.max(0));
        if coefficient > 0 {
            let first = ranges.simplify(&((magnitude.clone() - Nat::one() - &rest).divide(&magnitude)));
            let lost = lost_at_most(&first)?;
            Some(Threshold::First { first, lost })
        } else if coefficient < 0 {
            let end = ranges.simplify(&(rest.divide(&magnitude) + Nat::one()));
            let lost = lost_at_most(&(self.extent - &end))?;
            Some(Threshold::End { end, lost })
        } else {
            None
        }
    }
}
