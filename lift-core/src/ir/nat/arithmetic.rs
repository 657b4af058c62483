//! Sums, products and powers, with checked coefficients.
//!
//! A coefficient that would overflow, or a product that would grow past [`PRODUCT_LIMIT`] terms, is kept as
//! the opaque atom `pow(n, 1)`: nothing wraps and nothing panics.

use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};
use std::sync::Arc;

use super::expression::{Atom, Nat, Term};
use super::factors::Factors;
use super::variable::Var;

/// Products of sums with more terms than this stay products.
const PRODUCT_LIMIT: usize = 128;

/// The largest power that is a product of factors. The values of higher powers fit into 64 bits only for the
/// bases 0 and 1.
const MOST_FACTORS: u32 = 64;

impl Nat {
    /// A term whose coefficient has become an opaque factor, because it cannot take part in arithmetic.
    pub(super) fn opaque_coefficient(term: Term) -> Nat {
        let opaque = Self::opaque(&Nat::constant(term.coefficient));
        let coefficient = Term { coefficient: 1, factors: Factors::of_atom(opaque) };
        multiply_terms_slowly(&coefficient, &Term { coefficient: 1, factors: term.factors })
    }

    /// The sum with a number.
    pub(crate) fn plus(&self, number: i128) -> Nat {
        let Some(sum) = self.constant_term().checked_add(number) else {
            return self + Nat::constant(number);
        };
        let variable_terms = self.variable_terms();
        let mut terms = Vec::with_capacity(variable_terms.len() + 1);
        if sum != 0 {
            terms.push(Term { coefficient: sum, factors: Factors::default() });
        }
        terms.extend_from_slice(variable_terms);
        Nat::from_sorted(terms)
    }

    /// The product with a number.
    pub(crate) fn scale(&self, factor: i128) -> Nat {
        self.checked_scale(factor).unwrap_or_else(|| multiply_all(self, &Nat::constant(factor)))
    }

    /// The sum with a multiple of another expression.
    pub(super) fn plus_multiple(&self, factor: i128, other: &Nat) -> Nat {
        match factor {
            0 => self.clone(),
            1 => add(self, other),
            -1 => subtract(self, other),
            _ => merge(self, other, Times::Number(factor)).unwrap_or_else(|| self + other.scale(factor)),
        }
    }

    /// The product with a number; `None` where a coefficient overflows.
    fn checked_scale(&self, factor: i128) -> Option<Nat> {
        match factor {
            0 => return Some(Nat::zero()),
            1 => return Some(self.clone()),
            _ => {}
        }
        if let [term] = self.terms() {
            let coefficient = term.coefficient.checked_mul(factor)?;
            return Some(Self::from_term(Term { coefficient, factors: term.factors.clone() }));
        }
        let mut terms = Vec::with_capacity(self.0.terms.len());
        for term in self.terms() {
            let coefficient = term.coefficient.checked_mul(factor)?;
            terms.push(Term { coefficient, factors: term.factors.clone() });
        }
        // The order of the terms stays the same.
        Some(Self::from_sorted(terms))
    }

    /// The sum with some factors replaced. `replace` returns `None` for an atom that stays. Terms without a
    /// replaced factor are in order already, and are only merged with the others.
    pub(super) fn with_terms_replaced(
        &self,
        may_change: impl Fn(&Term) -> bool,
        mut replace: impl FnMut(&Atom) -> Option<Nat>,
    ) -> Nat {
        let mut staying = Vec::new();
        let mut changed: Option<Nat> = None;
        for (position, term) in self.terms().iter().enumerate() {
            let product = if may_change(term) { Nat::product_with(term, &mut replace) } else { None };
            match (product, &mut changed) {
                (None, None) => {}
                (None, Some(_)) => staying.push(term.clone()),
                (Some(product), Some(sum)) => *sum = &*sum + product,
                (Some(product), None) => {
                    staying.extend_from_slice(&self.terms()[..position]);
                    changed = Some(product);
                }
            }
        }
        match changed {
            None => self.clone(),
            Some(changed) => Nat::from_sorted(staying) + changed,
        }
    }

    /// The product of a term's factors, some of them replaced; `None` where all stay.
    fn product_with(term: &Term, replace: &mut impl FnMut(&Atom) -> Option<Nat>) -> Option<Nat> {
        let mut replaced = Vec::with_capacity(term.factors.len());
        let mut is_changed = false;
        for (atom, _) in &term.factors {
            let by = replace(atom);
            is_changed |= by.is_some();
            replaced.push(by);
        }
        if !is_changed {
            return None;
        }
        let mut replaced = replaced.into_iter();
        Some(Nat::product_of(term, |atom| match replaced.next() {
            Some(Some(by)) => by,
            _ => Nat::from_atom(atom.clone()),
        }))
    }

    /// The product of a term's factors, each replaced.
    pub(super) fn product_of(term: &Term, mut replace: impl FnMut(&Atom) -> Nat) -> Nat {
        let mut factors = term.factors.iter().map(|(atom, power)| replace(atom).to_power(*power));
        let coefficient = term.coefficient;
        let first = match factors.next() {
            None => return Nat::constant(coefficient),
            Some(first) if first.terms().len() <= PRODUCT_LIMIT => first.scale(coefficient),
            Some(first) => multiply(&Nat::constant(coefficient), &first),
        };
        factors.fold(first, |product, factor| multiply(&product, &factor))
    }

    /// Repeated multiplication. The power of a single product is a product of higher powers.
    pub(super) fn to_power(&self, power: u32) -> Nat {
        match power {
            0 => return Nat::one(),
            1 => return self.clone(),
            _ => {}
        }
        if let [Term { coefficient: 1, factors }] = self.0.terms.as_slice()
            && !factors.iter().any(|(atom, _)| matches!(atom, Atom::Power(..)))
        {
            let raised: Option<Factors<Atom>> = factors
                .iter()
                .map(|(atom, own)| {
                    let raised = own.checked_mul(power).filter(|raised| *raised <= MOST_FACTORS)?;
                    Some((atom.clone(), raised))
                })
                .collect();
            return match raised {
                Some(factors) => Nat::from_term(Term { coefficient: 1, factors }),
                None => Nat::from_atom(Atom::Power(self.clone(), Nat::constant(i128::from(power)))),
            };
        }
        if power > 16 && self.as_constant().is_none_or(|value| value.checked_pow(power).is_none()) {
            return Nat::from_atom(Atom::Power(self.clone(), Nat::constant(i128::from(power))));
        }
        (1..power).fold(self.clone(), |product, _| multiply(&product, self))
    }
}

/// The product of two terms, unless a coefficient overflows or powers of one base have to be merged.
fn multiply_terms(a: &Term, b: &Term) -> Option<Term> {
    let coefficient = a.coefficient.checked_mul(b.coefficient)?;
    if a.factors.is_empty() || b.factors.is_empty() {
        let factors = if a.factors.is_empty() { &b.factors } else { &a.factors };
        return Some(Term { coefficient, factors: factors.clone() });
    }
    if common_base(a, b).is_some() {
        return None;
    }
    let mut factors = Vec::with_capacity(a.factors.len() + b.factors.len());
    let (mut left, mut right) = (a.factors.as_slice(), b.factors.as_slice());
    while let ([x, left_rest @ ..], [y, right_rest @ ..]) = (left, right) {
        match x.0.cmp(&y.0) {
            Ordering::Less => {
                factors.push(x.clone());
                left = left_rest;
            }
            Ordering::Greater => {
                factors.push(y.clone());
                right = right_rest;
            }
            Ordering::Equal => {
                factors.push((x.0.clone(), x.1.checked_add(y.1)?));
                (left, right) = (left_rest, right_rest);
            }
        }
    }
    factors.extend_from_slice(left);
    factors.extend_from_slice(right);
    Some(Term { coefficient, factors: factors.into() })
}

/// The base of a power that is not an opaque expression.
fn base_of_power(atom: &Atom) -> Option<&Nat> {
    match atom {
        Atom::Power(base, exponent) if exponent.as_constant() != Some(1) => Some(base),
        _ => None,
    }
}

/// Positions of a power in `a` and one in `b` that have the same base.
fn common_base(a: &Term, b: &Term) -> Option<(usize, usize)> {
    if a.is_product_of_variables() || b.is_product_of_variables() {
        return None;
    }
    for (left, (x, _)) in a.factors.iter().enumerate() {
        let Some(base) = base_of_power(x) else { continue };
        if let Some(right) = b.factors.iter().position(|(y, _)| base_of_power(y) == Some(base)) {
            return Some((left, right));
        }
    }
    None
}

/// The product of two terms in full generality.
fn multiply_terms_slowly(a: &Term, b: &Term) -> Nat {
    if let Some(term) = multiply_terms(a, b) {
        return Nat::from_term(term);
    }
    if let Some((left, right)) = common_base(a, b) {
        let ((x, x_power), (y, y_power)) = (&a.factors[left], &b.factors[right]);
        if let (Atom::Power(base, x_exponent), Atom::Power(_, y_exponent)) = (x, y) {
            let exponent = &x_exponent.scale(i128::from(*x_power)) + &y_exponent.scale(i128::from(*y_power));
            let without =
                |term: &Term, position| Term { factors: term.factors.without(position), ..term.clone() };
            let rest = multiply_terms_slowly(&without(a, left), &without(b, right));
            return multiply(&rest, &base.pow(&exponent));
        }
    }
    // A coefficient or a power overflows: both become opaque factors.
    let factors = |term: &Term| {
        let atom = match term.factors.as_slice() {
            [] => Nat::constant(term.coefficient),
            _ => Nat::from_term(term.clone()),
        };
        Nat::opaque(&atom)
    };
    let (x, y) = (factors(a), factors(b));
    let factors = match x.cmp(&y) {
        Ordering::Less => vec![(x, 1), (y, 1)],
        Ordering::Equal => vec![(x, 2)],
        Ordering::Greater => vec![(y, 1), (x, 1)],
    };
    Nat::from_term(Term { coefficient: 1, factors: factors.into() })
}

/// How often the second of two expressions is added to the first one.
#[derive(Clone, Copy)]
enum Times {
    Once,
    MinusOnce,
    Number(i128),
}

impl Times {
    /// The product with the coefficient; `None` where it overflows.
    fn of(self, coefficient: i128) -> Option<i128> {
        match self {
            Times::Once => Some(coefficient),
            Times::MinusOnce => coefficient.checked_neg(),
            Times::Number(number) => coefficient.checked_mul(number),
        }
    }
}

fn add(a: &Nat, b: &Nat) -> Nat {
    if a.is_zero() {
        return b.clone();
    }
    if b.is_zero() {
        return a.clone();
    }
    merge(a, b, Times::Once)
        .unwrap_or_else(|| Nat::from_terms(a.terms().iter().chain(b.terms()).cloned().collect()))
}

fn subtract(a: &Nat, b: &Nat) -> Nat {
    if b.is_zero() {
        return a.clone();
    }
    if Arc::ptr_eq(&a.0, &b.0) {
        return Nat::zero();
    }
    merge(a, b, Times::MinusOnce).unwrap_or_else(|| add(a, &b.scale(-1)))
}

/// The sum of the first and a multiple of the second, which is not 0, in one walk over both; `None` where a
/// coefficient overflows.
fn merge(a: &Nat, b: &Nat, times: Times) -> Option<Nat> {
    let mut terms = Vec::with_capacity(a.0.terms.len() + b.0.terms.len());
    let (mut left, mut right) = (a.0.terms.as_slice(), b.0.terms.as_slice());
    while let ([x, left_rest @ ..], [y, right_rest @ ..]) = (left, right) {
        match x.factors.cmp(&y.factors) {
            Ordering::Less => {
                terms.push(x.clone());
                left = left_rest;
            }
            Ordering::Greater => {
                terms.push(Term { coefficient: times.of(y.coefficient)?, factors: y.factors.clone() });
                right = right_rest;
            }
            Ordering::Equal => {
                let coefficient = x.coefficient.checked_add(times.of(y.coefficient)?)?;
                if coefficient != 0 {
                    terms.push(Term { coefficient, factors: x.factors.clone() });
                }
                (left, right) = (left_rest, right_rest);
            }
        }
    }
    // At most one of them has terms left.
    while let [x, left_rest @ ..] = left {
        terms.push(x.clone());
        left = left_rest;
    }
    while let [y, right_rest @ ..] = right {
        terms.push(Term { coefficient: times.of(y.coefficient)?, factors: y.factors.clone() });
        right = right_rest;
    }
    Some(Nat::from_sorted(terms))
}

pub(super) fn multiply(a: &Nat, b: &Nat) -> Nat {
    let is_short = |n: &Nat| n.0.terms.len() <= PRODUCT_LIMIT;
    let scaled = match (a.as_constant(), b.as_constant()) {
        (Some(number), _) if is_short(b) => b.checked_scale(number),
        (_, Some(number)) if is_short(a) => a.checked_scale(number),
        _ => None,
    };
    scaled.unwrap_or_else(|| multiply_all(a, b))
}

/// The product of all terms with all terms.
fn multiply_all(a: &Nat, b: &Nat) -> Nat {
    match (a.0.terms.as_slice(), b.0.terms.as_slice()) {
        ([], _) | (_, []) => Nat::zero(),
        ([x], [y]) => multiply_terms_slowly(x, y),
        (left, right) if left.len().saturating_mul(right.len()) > PRODUCT_LIMIT => {
            let keep = |n: &Nat| match n.0.terms.as_slice() {
                [_] => n.clone(),
                _ => Nat::from_atom(Nat::opaque(n)),
            };
            multiply(&keep(a), &keep(b))
        }
        (left, right) => {
            let mut terms = Vec::with_capacity(left.len() * right.len());
            let mut others = Nat::zero();
            for x in left {
                for y in right {
                    match multiply_terms(x, y) {
                        Some(term) => terms.push(term),
                        None => others = &others + &multiply_terms_slowly(x, y),
                    }
                }
            }
            &Nat::from_terms(terms) + &others
        }
    }
}

impl From<i128> for Nat {
    fn from(value: i128) -> Self {
        Nat::constant(value)
    }
}

impl From<&Nat> for Nat {
    fn from(nat: &Nat) -> Self {
        nat.clone()
    }
}

impl From<&Var> for Nat {
    fn from(var: &Var) -> Self {
        Nat::variable(var)
    }
}

impl Neg for &Nat {
    type Output = Nat;

    fn neg(self) -> Nat {
        self.scale(-1)
    }
}

impl Neg for Nat {
    type Output = Nat;

    fn neg(self) -> Nat {
        self.scale(-1)
    }
}

/// Implements the operator for values and for references.
macro_rules! operator {
    ($trait:ident, $method:ident, $compute:expr) => {
        impl $trait<&Nat> for &Nat {
            type Output = Nat;

            fn $method(self, other: &Nat) -> Nat {
                $compute(self, other)
            }
        }

        impl $trait<Nat> for &Nat {
            type Output = Nat;

            fn $method(self, other: Nat) -> Nat {
                $compute(self, &other)
            }
        }

        impl $trait<&Nat> for Nat {
            type Output = Nat;

            fn $method(self, other: &Nat) -> Nat {
                $compute(&self, other)
            }
        }

        impl $trait<Nat> for Nat {
            type Output = Nat;

            fn $method(self, other: Nat) -> Nat {
                $compute(&self, &other)
            }
        }
    };
}

operator!(Add, add, add);
operator!(Sub, sub, subtract);
operator!(Mul, mul, multiply);
