//! Conditions over sizes and indices, and their canonical form.
//!
//! The canonical form has no `<=`, no negated comparison and no negative coefficient; the comparison that
//! always holds is `0 <= 0`, the one that never holds `0 < 0`.

use std::sync::Arc;

use super::expression::{Atom, Condition, Nat, Term};
use super::polynomial::greatest_common_divisor;

impl Condition {
    /// The condition that always holds.
    pub fn always() -> Self {
        Condition::LessOrEqual(Nat::zero(), Nat::zero())
    }

    /// The condition that never holds.
    pub fn never() -> Self {
        Condition::Less(Nat::zero(), Nat::zero())
    }

    /// The condition that holds always or never.
    pub fn from_truth(truth: bool) -> Self {
        if truth { Self::always() } else { Self::never() }
    }

    /// Both conditions.
    pub fn and(self, other: Condition) -> Self {
        Condition::And(Arc::new(self), Arc::new(other))
    }

    /// One condition or the other.
    pub fn or(self, other: Condition) -> Self {
        Condition::Or(Arc::new(self), Arc::new(other))
    }

    /// The opposite condition.
    pub fn negate(self) -> Self {
        Condition::Not(Arc::new(self))
    }

    /// The truth value, where the condition does not depend on anything.
    pub fn as_constant(&self) -> Option<bool> {
        match self {
            Condition::Less(a, b) => Some(a.constant_difference(b)? < 0),
            Condition::LessOrEqual(a, b) => Some(a.constant_difference(b)? <= 0),
            Condition::Equal(a, b) => Some(a.constant_difference(b)? == 0),
            Condition::And(a, b) => match (a.as_constant(), b.as_constant()) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                (None, _) | (_, None) => None,
            },
            Condition::Or(a, b) => match (a.as_constant(), b.as_constant()) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                (None, _) | (_, None) => None,
            },
            Condition::Not(a) => a.as_constant().map(|truth| !truth),
        }
    }

    /// The equivalent condition in canonical form.
    pub(super) fn canonical(&self) -> Condition {
        match self {
            Condition::Less(a, b) => positive(&(b - a)),
            Condition::LessOrEqual(a, b) => positive(&(b - a + Nat::one())),
            Condition::Equal(a, b) => zero(&(b - a)),
            Condition::And(a, b) => {
                let (a, b) = (a.canonical(), b.canonical());
                match (a.as_constant(), b.as_constant()) {
                    (Some(false), _) | (_, Some(false)) => Condition::never(),
                    (Some(true), _) => b,
                    (_, Some(true)) => a,
                    (None, None) if a.is_stricter(&b) => a,
                    (None, None) if b.is_stricter(&a) => b,
                    (None, None) => a.and(b),
                }
            }
            Condition::Or(a, b) => {
                let (a, b) = (a.canonical(), b.canonical());
                match (a.as_constant(), b.as_constant()) {
                    (Some(true), _) | (_, Some(true)) => Condition::always(),
                    (Some(false), _) => b,
                    (_, Some(false)) => a,
                    (None, None) if a.is_stricter(&b) => b,
                    (None, None) if b.is_stricter(&a) => a,
                    (None, None) => a.or(b),
                }
            }
            Condition::Not(a) => a.canonical_negation(),
        }
    }

    /// Whether another condition is seen to hold where this one does.
    pub(crate) fn implies(&self, other: &Condition) -> bool {
        self.canonical().is_stricter(&other.canonical())
    }

    /// Whether this condition is another one in canonical form, or compares the same with a number that leaves
    /// less room: where `n < 8`, also `n < 9`.
    fn is_stricter(&self, other: &Condition) -> bool {
        match (self, other) {
            (Condition::Less(a, b), Condition::Less(c, d)) => {
                (b - a).constant_difference(&(d - c)).is_some_and(|difference| difference <= 0)
            }
            _ => self == other,
        }
    }

    /// The canonical form of the opposite.
    fn canonical_negation(&self) -> Condition {
        match self {
            Condition::Less(a, b) => Condition::LessOrEqual(b.clone(), a.clone()).canonical(),
            Condition::LessOrEqual(a, b) => Condition::Less(b.clone(), a.clone()).canonical(),
            Condition::Equal(..) => {
                let equal = self.canonical();
                match equal.as_constant() {
                    Some(truth) => Condition::from_truth(!truth),
                    None => equal.negate(),
                }
            }
            Condition::And(a, b) => {
                Condition::Or(Arc::new(a.canonical_negation()), Arc::new(b.canonical_negation())).canonical()
            }
            Condition::Or(a, b) => {
                Condition::And(Arc::new(a.canonical_negation()), Arc::new(b.canonical_negation())).canonical()
            }
            Condition::Not(a) => a.canonical(),
        }
    }

    /// The same condition without a quotient that is compared with a number: `1 <= n / 4` becomes `4 <= n`.
    pub(crate) fn without_quotients(&self) -> Condition {
        match self {
            Condition::Less(a, b) => dividend_of_positive(&(b - a)).unwrap_or_else(|| self.clone()),
            Condition::LessOrEqual(a, b) => {
                dividend_of_positive(&(b - a + Nat::one())).unwrap_or_else(|| self.clone())
            }
            Condition::And(a, b) => a.without_quotients().and(b.without_quotients()),
            Condition::Or(a, b) => a.without_quotients().or(b.without_quotients()),
            Condition::Equal(..) | Condition::Not(_) => self.clone(),
        }
    }

    /// The expressions compared, from left to right.
    pub(crate) fn operands(&self) -> Vec<&Nat> {
        match self {
            Condition::Less(a, b) | Condition::LessOrEqual(a, b) | Condition::Equal(a, b) => vec![a, b],
            Condition::And(a, b) | Condition::Or(a, b) => {
                let mut operands = a.operands();
                operands.extend(b.operands());
                operands
            }
            Condition::Not(a) => a.operands(),
        }
    }

    /// Whether two numbers are compared for equality.
    pub(super) fn has_equation(&self) -> bool {
        match self {
            Condition::Less(..) | Condition::LessOrEqual(..) => false,
            Condition::Equal(..) => true,
            Condition::And(a, b) | Condition::Or(a, b) => a.has_equation() || b.has_equation(),
            Condition::Not(a) => a.has_equation(),
        }
    }

    /// The condition with every expression replaced.
    pub(super) fn map_operands(&self, replace: &mut impl FnMut(&Nat) -> Nat) -> Condition {
        match self {
            Condition::Less(a, b) => Condition::Less(replace(a), replace(b)),
            Condition::LessOrEqual(a, b) => Condition::LessOrEqual(replace(a), replace(b)),
            Condition::Equal(a, b) => Condition::Equal(replace(a), replace(b)),
            Condition::And(a, b) => a.map_operands(replace).and(b.map_operands(replace)),
            Condition::Or(a, b) => a.map_operands(replace).or(b.map_operands(replace)),
            Condition::Not(a) => a.map_operands(replace).negate(),
        }
    }
}

/// The canonical form of `difference > 0`.
fn positive(difference: &Nat) -> Condition {
    if let Some(value) = difference.as_constant() {
        return Condition::from_truth(value > 0);
    }
    let terms = difference.variable_terms();
    let common = greatest_common_divisor(terms.iter().map(|term| term.coefficient)).max(1);
    // `g * p + c > 0` for integers is `p + ceil(c / g) > 0`.
    let constant = difference.constant_term();
    let rounded = constant.div_euclid(common) + i128::from(constant.rem_euclid(common) != 0);
    let (left, right) = sides(rounded, common, terms);
    Condition::Less(left, right)
}

/// `difference > 0` as a comparison of `n`, where the difference is `n / d - c` for positive `d` and `c`.
fn dividend_of_positive(difference: &Nat) -> Option<Condition> {
    let [Term { coefficient: 1, factors }] = difference.variable_terms() else { return None };
    let [(Atom::Divide(dividend, divisor), 1)] = factors.as_slice() else { return None };
    let divisor = divisor.as_constant().filter(|divisor| *divisor > 0)?;
    let least = 1 - difference.constant_term();
    let constant = dividend.constant_term();
    let bound = Nat::constant(least.checked_mul(divisor)?.checked_sub(constant)?);
    (least > 0).then(|| Condition::LessOrEqual(bound, dividend - Nat::constant(constant)))
}

/// The canonical form of `difference = 0`.
fn zero(difference: &Nat) -> Condition {
    if let Some(value) = difference.as_constant() {
        return Condition::from_truth(value == 0);
    }
    let terms = difference.variable_terms();
    let common = greatest_common_divisor(terms.iter().map(|term| term.coefficient)).max(1);
    let constant = difference.constant_term();
    if constant % common != 0 {
        return Condition::never();
    }
    let (left, right) = sides(constant / common, common, terms);
    let first_is_negative = terms.first().is_some_and(|term| term.coefficient < 0);
    if first_is_negative { Condition::Equal(left, right) } else { Condition::Equal(right, left) }
}

/// The sum of a constant and of terms divided by a common divisor, as a difference `right - left` of sums
/// without negative coefficients.
fn sides(constant: i128, common: i128, terms: &[Term]) -> (Nat, Nat) {
    let divided = terms
        .iter()
        .map(|term| Term { coefficient: term.coefficient / common, factors: term.factors.clone() });
    let (right, left): (Vec<Term>, Vec<Term>) = divided.partition(|term| term.coefficient > 0);
    let constant = Nat::constant(constant);
    let (mut left, mut right) = (-Nat::from_sorted(left), Nat::from_sorted(right));
    if constant.constant_term() < 0 {
        left = left - constant;
    } else {
        right = right + constant;
    }
    (left, right)
}
