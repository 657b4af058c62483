//! The constructors of the operations that are not polynomial.
//!
//! They apply only laws that hold for all integers, whatever the ranges: constants are folded, multiples of a
//! constant divisor are taken out, nested quotients by constants become one, operands that differ by a
//! constant are compared, sums are split into products. Whatever has no value (a division by zero, a negative
//! exponent, the logarithm of zero) stays as it is, or takes any value.

use super::expression::{Atom, Condition, Nat, Term};
use super::polynomial::greatest_common_divisor;
use super::variable::Var;

impl Nat {
    /// The Euclidean quotient, which rounds down where the divisor is positive.
    pub fn divide(&self, divisor: &Nat) -> Nat {
        match divisor.as_constant() {
            Some(divisor) if divisor != 0 && divisor != i128::MIN => divide_by_constant(self, divisor),
            _ => Nat::from_atom(Atom::Divide(self.clone(), divisor.clone())),
        }
    }

    /// The Euclidean remainder, which is never negative.
    pub fn modulo(&self, divisor: &Nat) -> Nat {
        match divisor.as_constant() {
            Some(divisor) if divisor != 0 && divisor != i128::MIN => modulo_constant(self, divisor.abs()),
            _ => Nat::from_atom(Atom::Modulo(self.clone(), divisor.clone())),
        }
    }

    /// The smaller of two numbers.
    pub fn min(&self, other: &Nat) -> Nat {
        let mut operands = Vec::new();
        self.collect_minimum(&mut operands);
        other.collect_minimum(&mut operands);
        extremum(operands, |difference| difference <= 0, Atom::Minimum)
    }

    /// The larger of two numbers.
    pub fn max(&self, other: &Nat) -> Nat {
        let mut operands = Vec::new();
        self.collect_maximum(&mut operands);
        other.collect_maximum(&mut operands);
        extremum(operands, |difference| difference >= 0, Atom::Maximum)
    }

    /// The operands of nested minima.
    pub(super) fn collect_minimum(&self, operands: &mut Vec<Nat>) {
        if let Some(Atom::Minimum(a, b)) = self.as_atom() {
            a.collect_minimum(operands);
            b.collect_minimum(operands);
        } else {
            operands.push(self.clone());
        }
    }

    /// The operands of nested maxima.
    pub(super) fn collect_maximum(&self, operands: &mut Vec<Nat>) {
        if let Some(Atom::Maximum(a, b)) = self.as_atom() {
            a.collect_maximum(operands);
            b.collect_maximum(operands);
        } else {
            operands.push(self.clone());
        }
    }

    /// This to the power of `exponent`, which must not be negative; `0` to the power of `0` is 1.
    pub fn pow(&self, exponent: &Nat) -> Nat {
        if let Some(power) = exponent.as_constant() {
            let small = u32::try_from(power).ok().filter(|power| *power <= 16 || self.0.terms.len() <= 1);
            if let Some(power) = small {
                return self.to_power(power);
            }
        }
        match self.as_atom() {
            _ if self.as_constant() == Some(1) => Nat::one(),
            Some(Atom::Power(base, inner)) if inner.as_constant().is_none() => base.pow(&(inner * exponent)),
            _ => Nat::from_atom(Atom::Power(self.clone(), exponent.clone())),
        }
    }

    /// The position of the highest bit: the largest `k` with `2^k <= n`, for `n >= 1`.
    pub fn log2(&self) -> Nat {
        if let Some(value) = self.as_constant()
            && let Some(position) = value.checked_ilog2()
        {
            return Nat::constant(i128::from(position));
        }
        match self.as_atom() {
            Some(Atom::Power(base, exponent)) if base.as_constant() == Some(2) => exponent.clone(),
            _ => Nat::from_atom(Atom::Log2(self.clone())),
        }
    }

    /// `then` where the condition holds, else `otherwise`.
    pub fn select(condition: &Condition, then: &Nat, otherwise: &Nat) -> Nat {
        if then == otherwise {
            return then.clone();
        }
        let condition = condition.canonical();
        match condition.as_constant() {
            Some(true) => return then.clone(),
            Some(false) => return otherwise.clone(),
            None => {}
        }
        if let Condition::Not(negated) = &condition {
            return Nat::select(negated, otherwise, then);
        }
        if let Condition::Less(left, right) = &condition {
            // `a < b ? a : b` and its relatives are a minimum or a maximum.
            let (gap, choice) = (right - left, otherwise - then);
            if matches!(gap.constant_difference(&choice), Some(0 | 1)) {
                return then.min(otherwise);
            }
            if matches!(gap.constant_difference(&-&choice), Some(0 | 1)) {
                return then.max(otherwise);
            }
        }
        Nat::from_atom(Atom::Select(condition, then.clone(), otherwise.clone()))
    }

    /// The sum of `body` for every `index` in `from .. to`; 0 where there is none. Only factors that always
    /// have a value move out of the sum: an empty sum is 0 even where its body divides by zero.
    pub fn sum(index: &Var, from: &Nat, to: &Nat, body: &Nat) -> Nat {
        let count = to - from;
        match count.as_constant() {
            Some(count) if count <= 0 => return Nat::zero(),
            Some(1) => return body.substitute_one(index, from),
            _ => {}
        }
        let mut total = Nat::zero();
        for term in body.terms() {
            let (inside, outside): (Vec<_>, Vec<_>) =
                term.factors.iter().cloned().partition(|(atom, _)| atom.mentions(index) || !atom.is_total());
            let factor = Nat::from_term(Term { coefficient: term.coefficient, factors: outside.into() });
            let summed = if inside.is_empty() {
                Nat::max(&count, &Nat::zero())
            } else {
                let product = Nat::from_term(Term { coefficient: 1, factors: inside.into() });
                sum_of_product(index, from, to, product)
            };
            total = total + factor * summed;
        }
        total
    }
}

/// A sum of products with its index renamed, so that the index's old name makes no difference.
fn sum_of_product(index: &Var, from: &Nat, to: &Nat, body: Nat) -> Nat {
    let mut level = body.0.summary.levels;
    loop {
        let bound = Var::bound(level, index.shared_name());
        if &bound == index || !body.mentions(&bound) {
            let body = body.substitute_one(index, &Nat::variable(&bound));
            return Nat::from_atom(Atom::Sum { index: bound, from: from.clone(), to: to.clone(), body });
        }
        level = level.saturating_add(1);
    }
}

/// The operands without those that another one dominates, sorted and combined pairwise.
fn extremum(operands: Vec<Nat>, wins: impl Fn(i128) -> bool, combine: impl Fn(Nat, Nat) -> Atom) -> Nat {
    let mut kept: Vec<Nat> = Vec::with_capacity(operands.len());
    for operand in operands {
        match kept.iter().position(|other| operand.constant_difference(other).is_some()) {
            Some(position) => {
                if operand.constant_difference(&kept[position]).is_some_and(&wins) {
                    kept[position] = operand;
                }
            }
            None => kept.push(operand),
        }
    }
    kept.sort();
    let mut operands = kept.into_iter().rev();
    let last = operands.next().unwrap_or_else(Nat::zero);
    operands.fold(last, |rest, operand| Nat::from_atom(combine(operand, rest)))
}

/// `n / d` for a constant `d` that is neither 0 nor the least integer.
fn divide_by_constant(n: &Nat, d: i128) -> Nat {
    if d < 0 {
        return -divide_by_constant(n, -d);
    }
    if d == 1 {
        return n.clone();
    }
    let (mut quotient, mut rest) = (Vec::new(), Vec::new());
    for term in n.terms() {
        let (whole, part) = if term.is_constant() {
            (term.coefficient.div_euclid(d), term.coefficient.rem_euclid(d))
        } else {
            (term.coefficient / d, term.coefficient % d)
        };
        for (coefficient, terms) in [(whole, &mut quotient), (part, &mut rest)] {
            if coefficient != 0 {
                terms.push(Term { coefficient, factors: term.factors.clone() });
            }
        }
    }
    let (quotient, rest) = (Nat::from_sorted(quotient), Nat::from_sorted(rest));
    if rest.variable_terms().is_empty() {
        return quotient;
    }
    let common = common_divisor(&rest, d);
    let rest = if common == 1 { rest } else { floor_all(&rest, common) };
    quotient + quotient_of_remainder(rest, d / common)
}

/// The greatest number that divides `d` and the coefficients of all terms but the constant one.
fn common_divisor(n: &Nat, d: i128) -> i128 {
    greatest_common_divisor(n.variable_terms().iter().map(|term| term.coefficient).chain([d]))
}

/// `n / d` where all coefficients but the constant are multiples of `d`.
fn floor_all(n: &Nat, d: i128) -> Nat {
    let divided = n
        .terms()
        .iter()
        .map(|term| Term { coefficient: term.coefficient.div_euclid(d), factors: term.factors.clone() });
    Nat::from_sorted(divided.filter(|term| term.coefficient != 0).collect())
}

/// `n / d` where nothing can be taken out; a quotient by a constant, plus a constant, is looked through.
fn quotient_of_remainder(n: Nat, d: i128) -> Nat {
    if let [Term { coefficient: 1, factors }] = n.variable_terms()
        && let [(Atom::Divide(inner, by), 1)] = factors.as_slice()
        && let Some(by) = by.as_constant().filter(|by| *by > 0)
        && let (Some(divisor), Some(offset)) = (by.checked_mul(d), by.checked_mul(n.constant_term()))
    {
        return divide_by_constant(&(inner + Nat::constant(offset)), divisor);
    }
    Nat::from_atom(Atom::Divide(n, Nat::constant(d)))
}

/// `n % d` for a positive constant `d`.
fn modulo_constant(n: &Nat, d: i128) -> Nat {
    if d == 1 {
        return Nat::zero();
    }
    let mut rest = Vec::new();
    let mut unwrapped = Nat::zero();
    for term in n.terms() {
        let coefficient =
            if term.is_constant() { term.coefficient.rem_euclid(d) } else { term.coefficient % d };
        if coefficient == 0 {
            continue;
        }
        match unwrap_remainder(term, coefficient, d) {
            Some(congruent) => unwrapped = unwrapped + congruent,
            None => rest.push(Term { coefficient, factors: term.factors.clone() }),
        }
    }
    let rest = Nat::from_sorted(rest);
    if !unwrapped.is_zero() {
        return modulo_constant(&(rest + unwrapped), d);
    }
    if rest.variable_terms().is_empty() {
        return rest;
    }
    let common = common_divisor(&rest, d);
    if common == 1 {
        return Nat::from_atom(Atom::Modulo(rest, Nat::constant(d)));
    }
    let offset = Nat::constant(rest.constant_term().rem_euclid(common));
    modulo_constant(&floor_all(&rest, common), d / common).scale(common) + offset
}

/// `k * (x % m)` is congruent to `k * x` modulo every divisor of `k * m`.
fn unwrap_remainder(term: &Term, coefficient: i128, d: i128) -> Option<Nat> {
    let [(Atom::Modulo(inner, by), 1)] = term.factors.as_slice() else { return None };
    let period = by.as_constant()?.checked_mul(coefficient)?;
    (period % d == 0).then(|| inner.scale(coefficient))
}
