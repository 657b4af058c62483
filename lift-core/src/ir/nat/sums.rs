//! Closed forms of sums over an index, where there are any.
//!
//! They cover powers of the index up to the third (Faulhaber), geometric sums, and bodies that choose by the
//! index, which are split where the choice changes (FHPNC 2019, section 4); for the lengths of chunks and of
//! rows that take elements in turn see `shares`. A sum without a closed form is evaluated as a loop.

use super::expression::{Atom, Condition, Nat, Term};
use super::facts::Facts;
use super::polynomial::{greatest_common_divisor, linear_in};
use super::ranges::Ranges;
use super::simplify::Simplifier;
use super::variable::Var;

/// The common denominator of the closed forms of powers.
const DENOMINATOR: i128 = 12;
/// Sums are split by the remainders of division by numbers up to this one.
const LARGEST_DIVISOR: i128 = 8;
/// The largest factor of the index in comparisons that are solved.
const LARGEST_STEP: u128 = 65536;
/// Sums of at most this many terms are written out.
const UNROLL_LIMIT: i128 = 16;

/// A sum whose index is a variable of its own.
pub(super) struct OpenSum {
    pub(super) index: Var,
    pub(super) from: Nat,
    pub(super) to: Nat,
    pub(super) body: Nat,
}

/// Sums of at most this many terms, whose end is not known, become choices between their terms.
const CHOSEN_LIMIT: i128 = 8;

impl Ranges {
    /// A formula with fewer sums for a sum whose terms all have values; `None` where no formula is known.
    ///
    /// Simplification moves no factor out of a sum that may have no value where the sum is empty. Code that
    /// computes the sum in a kernel has computed the terms as lengths before.
    pub(crate) fn closed_sum(&self, index: &Var, from: &Nat, to: &Nat, body: &Nat) -> Option<Nat> {
        let sum = Nat::sum(index, from, to, body);
        let closed = self.simplify(&sum);
        if closed != sum {
            return Some(closed);
        }
        let is_outside = |(atom, _): &(Atom, u32)| !atom.mentions(index);
        if let [term] = body.terms()
            && term.factors.iter().any(is_outside)
        {
            let (outside, inside): (Vec<_>, Vec<_>) = term.factors.iter().cloned().partition(is_outside);
            let factor = Nat::from_term(Term { coefficient: term.coefficient, factors: outside.into() });
            let rest = Nat::from_term(Term { coefficient: 1, factors: inside.into() });
            return Some(factor * Nat::sum(index, from, to, &rest));
        }
        let (first, (_, end)) = (from.as_constant()?, self.constant_bounds(to));
        let end = end.filter(|end| end.saturating_sub(first) <= CHOSEN_LIMIT)?;
        Some((first..end).fold(Nat::zero(), |sum, position| {
            let position = Nat::constant(position);
            let is_in = Condition::Less(position.clone(), to.clone());
            let term = body.substitute_one(index, &position);
            sum + Nat::select(&is_in, &term, &Nat::zero())
        }))
    }
}

impl Simplifier<'_> {
    pub(super) fn reduce_sum(&mut self, index: &Var, from: &Nat, to: &Nat, body: &Nat) -> Nat {
        let (from, to) = (self.reduce(from), self.reduce(to));
        let opened = index.opened(self.nesting);
        let body = body.substitute_one(index, &Nat::variable(&opened));
        let body = if self.nesting < 4 {
            self.reduce_inside(&facts_inside(self.facts, &opened, &from, &to), &body)
        } else {
            self.reduce(&body)
        };
        let sum = OpenSum { index: opened, from, to, body };
        self.sum_of_shares(&sum)
            .or_else(|| self.split_at_choice(&sum))
            .or_else(|| self.closed_form(&sum))
            .or_else(|| self.by_remainders(&sum))
            .unwrap_or_else(|| Nat::sum(&sum.index, &sum.from, &sum.to, &sum.body))
    }

    /// The end of a sum; where it may lie before the start, the larger of both.
    fn end(&mut self, sum: &OpenSum) -> Nat {
        if self.prover.non_negative(&(&sum.to - &sum.from)) {
            sum.to.clone()
        } else {
            Nat::max(&sum.from, &sum.to)
        }
    }

    /// The sum of the terms that have closed forms, plus a sum of the others.
    ///
    /// `None` where the first index contains a power: where such a sum is empty, it contains no large number,
    /// but its closed form would overflow.
    fn closed_form(&mut self, sum: &OpenSum) -> Option<Nat> {
        if holds_power(&sum.from) {
            return self.unrolled(sum);
        }
        let end = self.end(sum);
        let mut powers = Fraction { numerator: Nat::zero(), denominator: DENOMINATOR };
        let (mut closed, mut open) = (Nat::zero(), Nat::zero());
        let mut found = false;
        for term in sum.body.terms() {
            if let Some(part) = powers_of_index(term, sum, &end) {
                powers = powers.add(part)?;
            } else if let Some(part) = self.exact_quotient(term, sum, &end) {
                powers = powers.add(part)?;
            } else if let Some((outside, base, exponent)) = self.geometric(term, sum) {
                closed = closed + outside * geometric_sum(&base, &exponent, sum, &end)?;
            } else {
                open = open + Nat::from_term(term.clone());
                continue;
            }
            found = true;
        }
        if !found {
            return self.unrolled(sum);
        }
        let open = Nat::sum(&sum.index, &sum.from, &sum.to, &open);
        Some(powers.numerator.divide(&Nat::constant(powers.denominator)) + closed + open)
    }

    /// A term `outside * (p / d)`, where `d` divides the polynomial `p` whatever the index is.
    fn exact_quotient(&self, term: &Term, sum: &OpenSum, end: &Nat) -> Option<Fraction> {
        let (inside, outside): (Vec<_>, Vec<_>) =
            term.factors.iter().cloned().partition(|(atom, _)| atom.mentions(&sum.index));
        let [(Atom::Divide(dividend, divisor), 1)] = inside.as_slice() else { return None };
        let divisor = divisor.as_constant().filter(|divisor| *divisor > 1)?;
        let outside = Term { coefficient: term.coefficient, factors: outside.into() };
        if !outside.factors.iter().all(|(atom, _)| atom.is_total()) {
            return None;
        }
        let mut total = Fraction { numerator: Nat::zero(), denominator: DENOMINATOR };
        for part in dividend.terms() {
            total = total.add(powers_of_index(part, sum, end)?)?;
        }
        let facts = facts_inside(self.facts, &sum.index, &sum.from, &sum.to);
        let is_exact = Simplifier::new(&facts).divides(&Nat::constant(divisor), dividend) == Some(true);
        is_exact.then_some(())?;
        let denominator = total.denominator.checked_mul(divisor)?;
        Some(Fraction { numerator: Nat::from_term(outside) * total.numerator, denominator })
    }

    fn unrolled(&self, sum: &OpenSum) -> Option<Nat> {
        let count = (&sum.to - &sum.from).as_constant().filter(|count| *count <= UNROLL_LIMIT)?;
        let at = |offset: i128| sum.body.substitute_one(&sum.index, &(&sum.from + Nat::constant(offset)));
        Some((0..count).fold(Nat::zero(), |total, offset| total + at(offset)))
    }

    /// A term `outside * base^exponent` with a constant base and an exponent that grows with the index.
    fn geometric(&self, term: &Term, sum: &OpenSum) -> Option<(Nat, i128, Nat)> {
        let (inside, outside): (Vec<_>, Vec<_>) =
            term.factors.iter().cloned().partition(|(atom, _)| atom.mentions(&sum.index));
        let [(Atom::Power(base, exponent), 1)] = inside.as_slice() else { return None };
        let base = base.as_constant().filter(|base| *base >= 2)?;
        let (step, _) = linear_in(exponent, &Atom::Var(sum.index.clone()))?;
        let outside = Nat::from_term(Term { coefficient: term.coefficient, factors: outside.into() });
        let first = exponent.substitute_one(&sum.index, &sum.from);
        let is_geometric = step.as_constant().is_some_and(|step| step > 0)
            && outside.is_total()
            && exponent.is_total()
            && self.prover.non_negative(&first);
        is_geometric.then(|| (outside, base, exponent.clone()))
    }

    /// Splits a sum over a body that chooses by the index into two sums.
    fn split_at_choice(&mut self, sum: &OpenSum) -> Option<Nat> {
        let mut choices = Vec::new();
        collect_choices(&sum.body, &sum.index, &mut choices);
        for choice in choices {
            let (condition, [then, otherwise]) = match &choice {
                Atom::Select(condition, a, b) => (condition.clone(), [a, b].map(Nat::clone)),
                Atom::Minimum(a, b) => match positive_where_one(a, b) {
                    Some(condition) => (condition, [Nat::one(), Nat::zero()]),
                    None => (Condition::Less(a.clone(), b.clone()), [a, b].map(Nat::clone)),
                },
                Atom::Maximum(a, b) => (Condition::Less(b.clone(), a.clone()), [a, b].map(Nat::clone)),
                _ => continue,
            };
            let [then, otherwise] = [then, otherwise].map(|value| replace_atom(&sum.body, &choice, &value));
            if let Some(split) = self.split_at(sum, &condition, &then, &otherwise) {
                return Some(split);
            }
        }
        None
    }

    /// The sum of `then` where the condition holds, and of `otherwise` elsewhere.
    fn split_at(&mut self, sum: &OpenSum, condition: &Condition, then: &Nat, otherwise: &Nat) -> Option<Nat> {
        let part = |from: &Nat, to: &Nat, body: &Nat| Nat::sum(&sum.index, from, to, body);
        let end = self.end(sum);
        match condition {
            Condition::Less(a, b) => {
                let (step, rest) = linear_in(&(b - a), &Atom::Var(sum.index.clone()))?;
                if rest.mentions(&sum.index) || !rest.is_total() {
                    return None;
                }
                let within = |cut: &Nat| Nat::min(&Nat::max(cut, &sum.from), &end);
                let step = step.as_constant().filter(|step| step.unsigned_abs() <= LARGEST_STEP)?;
                // `0 < step * i + rest` holds from a position on, or up to one.
                let last = rest - Nat::one();
                if step > 0 {
                    let cut = within(&-last.divide(&Nat::constant(step)));
                    Some(part(&sum.from, &cut, otherwise) + part(&cut, &end, then))
                } else if step < 0 {
                    let cut = within(&(last.divide(&Nat::constant(-step)) + Nat::one()));
                    Some(part(&sum.from, &cut, then) + part(&cut, &end, otherwise))
                } else {
                    None
                }
            }
            Condition::Equal(a, b) => {
                let (step, rest) = linear_in(&(b - a), &Atom::Var(sum.index.clone()))?;
                let step =
                    step.as_constant().filter(|step| (1..=LARGEST_STEP).contains(&step.unsigned_abs()))?;
                if rest.mentions(&sum.index) || !rest.is_total() || !then.is_total() || !otherwise.is_total()
                {
                    return None;
                }
                let distance = Nat::constant(step.abs());
                let opposite = rest.scale(-step.signum());
                let at = opposite.divide(&distance);
                let exists = Condition::Equal(opposite.modulo(&distance), Nat::zero());
                let inside = Condition::LessOrEqual(sum.from.clone(), at.clone())
                    .and(Condition::Less(at.clone(), end.clone()))
                    .and(exists);
                let difference = (then - otherwise).substitute_one(&sum.index, &at);
                let exception = Nat::select(&inside, &difference, &Nat::zero());
                Some(part(&sum.from, &end, otherwise) + exception)
            }
            Condition::Not(negated) => self.split_at(sum, negated, otherwise, then),
            Condition::LessOrEqual(a, b) => {
                self.split_at(sum, &Condition::Less(a.clone(), b + Nat::one()), then, otherwise)
            }
            Condition::And(a, b) => {
                let both = |other: &Condition| Nat::select(other, then, otherwise);
                self.split_at(sum, a, &both(b), otherwise)
                    .or_else(|| self.split_at(sum, b, &both(a), otherwise))
            }
            Condition::Or(a, b) => {
                let neither = |other: &Condition| Nat::select(other, then, otherwise);
                self.split_at(sum, a, then, &neither(b)).or_else(|| self.split_at(sum, b, then, &neither(a)))
            }
        }
    }

    /// Splits a sum from 0 over a body that divides the index by a small number into one sum for every
    /// remainder, if those have closed forms.
    fn by_remainders(&mut self, sum: &OpenSum) -> Option<Nat> {
        if !sum.from.is_zero() || self.nesting >= 2 {
            return None;
        }
        let divisor = divisor_of_index(&sum.body, &sum.index)?;
        let (distance, index) = (Nat::constant(divisor), Nat::variable(&sum.index));
        let mut total = Nat::zero();
        for remainder in (0..divisor).map(Nat::constant) {
            let body = sum.body.substitute_one(&sum.index, &(&distance * &index + &remainder));
            let count = (&sum.to + &distance - Nat::one() - &remainder).divide(&distance);
            let part = self.reduce(&Nat::sum(&sum.index, &Nat::zero(), &count, &body));
            if part.0.summary.levels > 0 {
                return None;
            }
            total = total + part;
        }
        Some(total)
    }
}

/// Whether the index occurs only in sums of products: then no remainder depends on it once it is a multiple
/// of the divisor.
fn is_polynomial(n: &Nat, index: &Var) -> bool {
    let mut atoms = n.terms().iter().flat_map(|term| &term.factors).map(|(atom, _)| atom);
    atoms.all(|atom| matches!(atom, Atom::Var(_)) || !atom.mentions(index))
}

/// The number by which a body divides its index, where it is small.
fn divisor_of_index(n: &Nat, index: &Var) -> Option<i128> {
    n.terms().iter().flat_map(|term| &term.factors).find_map(|(atom, _)| match atom {
        Atom::Divide(dividend, divisor) | Atom::Modulo(dividend, divisor) => {
            divisor_of_index(dividend, index).or_else(|| {
                let is_small =
                    divisor.as_constant().filter(|divisor| (2..=LARGEST_DIVISOR).contains(divisor));
                is_small.filter(|_| is_polynomial(dividend, index) && dividend.mentions(index))
            })
        }
        Atom::Minimum(a, b) | Atom::Maximum(a, b) | Atom::Power(a, b) => {
            divisor_of_index(a, index).or_else(|| divisor_of_index(b, index))
        }
        Atom::Select(condition, a, b) => {
            let mut parts = condition.operands();
            parts.extend([a, b]);
            parts.into_iter().find_map(|part| divisor_of_index(part, index))
        }
        Atom::Var(_) | Atom::Log2(_) | Atom::Sum { .. } => None,
    })
}

/// Whether an expression contains a power with a variable exponent.
fn holds_power(n: &Nat) -> bool {
    n.terms().iter().flat_map(|term| &term.factors).any(|(atom, _)| match atom {
        Atom::Var(_) => false,
        Atom::Power(..) => true,
        Atom::Divide(a, b) | Atom::Modulo(a, b) | Atom::Minimum(a, b) | Atom::Maximum(a, b) => {
            holds_power(a) || holds_power(b)
        }
        Atom::Select(_, a, b) => holds_power(a) || holds_power(b),
        Atom::Log2(a) => holds_power(a),
        Atom::Sum { from, to, body, .. } => holds_power(from) || holds_power(to) || holds_power(body),
    })
}

/// The facts that hold in the body of a sum.
fn facts_inside(facts: &Facts, index: &Var, from: &Nat, to: &Nat) -> Facts {
    let mut ranges = Ranges::from_facts(facts.clone());
    ranges.declare(index, from.clone(), Some(to.clone()));
    ranges.facts().clone()
}

/// The condition `0 < x` where a minimum is `min(1, max(0, x))`, which is 1 where it holds and 0 elsewhere.
fn positive_where_one(a: &Nat, b: &Nat) -> Option<Condition> {
    let maximum = if *a == Nat::one() { b } else { Some(a).filter(|_| *b == Nat::one())? };
    Some(Condition::Less(Nat::zero(), maximum.as_positive_part()?.clone()))
}

/// The choices in a body that depend on the index, outermost first.
fn collect_choices(n: &Nat, index: &Var, choices: &mut Vec<Atom>) {
    for (atom, _) in n.terms().iter().flat_map(|term| &term.factors) {
        if !atom.mentions(index) {
            continue;
        }
        match atom {
            Atom::Select(_, a, b) | Atom::Minimum(a, b) | Atom::Maximum(a, b) => {
                if !choices.contains(atom) {
                    choices.push(atom.clone());
                }
                collect_choices(a, index, choices);
                collect_choices(b, index, choices);
            }
            Atom::Divide(a, b) | Atom::Modulo(a, b) | Atom::Power(a, b) => {
                collect_choices(a, index, choices);
                collect_choices(b, index, choices);
            }
            Atom::Log2(a) => collect_choices(a, index, choices),
            // A choice by a sum's own index cannot be made outside of the sum.
            Atom::Var(_) | Atom::Sum { .. } => {}
        }
    }
}

/// `n` with an atom replaced wherever it occurs outside of sums.
fn replace_atom(n: &Nat, atom: &Atom, by: &Nat) -> Nat {
    n.terms().iter().fold(Nat::zero(), |total, term| {
        total
            + Nat::product_of(term, |own| match own {
                _ if own == atom => by.clone(),
                Atom::Var(_) | Atom::Sum { .. } => Nat::from_atom(own.clone()),
                _ => own.map(&mut |part| replace_atom(part, atom, by)),
            })
    })
}

/// An exact quotient by a number.
struct Fraction {
    numerator: Nat,
    denominator: i128,
}

impl Fraction {
    /// The sum over a common denominator.
    fn add(self, other: Fraction) -> Option<Fraction> {
        let common = greatest_common_divisor([self.denominator, other.denominator]);
        let denominator = (self.denominator / common).checked_mul(other.denominator)?;
        let numerator = self.numerator.scale(denominator / self.denominator)
            + other.numerator.scale(denominator / other.denominator);
        Some(Fraction { numerator, denominator })
    }
}

/// The sum of a term `outside * index^power` with a power up to 3.
fn powers_of_index(term: &Term, sum: &OpenSum, end: &Nat) -> Option<Fraction> {
    let (outside, power) = power_of_index(term, &sum.index)?;
    let numerator = outside * (power_sum(end, power)? - power_sum(&sum.from, power)?);
    Some(Fraction { numerator, denominator: DENOMINATOR })
}

/// A term `outside * index^power`.
fn power_of_index(term: &Term, index: &Var) -> Option<(Nat, u32)> {
    let mut power = 0;
    let mut outside = Vec::new();
    for (atom, own) in &term.factors {
        match atom {
            Atom::Var(var) if var == index => power = *own,
            _ if atom.mentions(index) || !atom.is_total() => return None,
            _ => outside.push((atom.clone(), *own)),
        }
    }
    (power <= 3)
        .then(|| (Nat::from_term(Term { coefficient: term.coefficient, factors: outside.into() }), power))
}

/// [`DENOMINATOR`] times the sum of `i^power` for `0 <= i < n`, continued to all integers `n`.
fn power_sum(n: &Nat, power: u32) -> Option<Nat> {
    let before = n - Nat::one();
    match power {
        0 => Some(n.scale(12)),
        1 => Some((n * &before).scale(6)),
        2 => Some((n * &before * (n.scale(2) - Nat::one())).scale(2)),
        3 => Some((n * n * &before * &before).scale(3)),
        _ => None,
    }
}

/// The sum of `base^exponent` from the first to the last index.
fn geometric_sum(base: &i128, exponent: &Nat, sum: &OpenSum, end: &Nat) -> Option<Nat> {
    let (step, _) = linear_in(exponent, &Atom::Var(sum.index.clone()))?;
    let ratio = base.checked_pow(u32::try_from(step.as_constant()?).ok()?)?;
    let at = |index: &Nat| Nat::constant(*base).pow(&exponent.substitute_one(&sum.index, index));
    Some((at(end) - at(&sum.from)).divide(&Nat::constant(ratio - 1)))
}
