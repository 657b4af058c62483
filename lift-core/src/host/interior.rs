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
                // Where both are equal, either of them will do.
                let difference = right - left;
                self.either(&difference, &-&difference, ranges);
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
                self.either(&(left - right - Nat::one()), &(right - left - Nat::one()), ranges);
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
        self.either(difference, &(-difference - Nat::one()), ranges);
    }

    /// Keeps one of two numbers from being negative, wherever that costs least.
    fn either(&mut self, one: &Nat, other: &Nat, ranges: &Ranges) {
        if one.mentions(self.index) {
            let thresholds = [self.threshold(one, ranges), self.threshold(other, ranges)];
            self.keep_cheapest(thresholds.into_iter().flatten().collect());
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{BufferId, ValueType};
    use crate::scalar::ScalarType;

    /// The interior of a loop over `0..N` that loads from this place.
    fn of(place: impl Fn(&Nat, &Nat) -> Nat) -> Interior {
        let (i, n) = (Var::new(1, "i"), Var::new(2, "N"));
        let mut ranges = Ranges::new();
        ranges.declare(&n, Nat::constant(8), None);
        let place = place(&Nat::variable(&i), &Nat::variable(&n));
        let load = Expression::Load(BufferId(0), place, ValueType::from(ScalarType::F32));
        let body = [Statement::Store(BufferId(1), Nat::variable(&i), load)];
        interior(&body, &i, &Nat::variable(&n), &ranges)
    }

    fn bounds(interior: &Interior) -> (Vec<String>, Vec<String>) {
        let texts = |bounds: &[Nat]| bounds.iter().map(Nat::to_string).collect();
        (texts(&interior.first), texts(&interior.end))
    }

    #[test]
    fn clamped_and_wrapped_neighbours_leave_out_as_few_positions_as_possible() {
        let one = Nat::one();
        let clamped = of(|i, n| Nat::min(&Nat::max(&(i - &one), &Nat::zero()), &(n - &one)));
        assert_eq!(bounds(&clamped).0, ["1"]);
        let right = of(|i, n| Nat::min(&(i + &one), &(n - &one)));
        assert_eq!(bounds(&right), (vec![], vec!["N - 1".to_string()]));
        let wrapped = of(|i, n| (i + &one).modulo(n));
        assert_eq!(bounds(&wrapped), (vec![], vec!["N - 1".to_string()]));
    }

    #[test]
    fn what_is_plain_has_no_border() {
        assert_eq!(of(|i, n| i * n), Interior::default());
    }
}
