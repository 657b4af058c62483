//! Simplification under facts: the driver, and the rules for everything that is not a division or a sum.
//!
//! An expression is rebuilt from its simplified parts until nothing changes. Each part is simplified once per
//! run: results are remembered by value, for expressions and for atoms.

use std::cell::RefCell;

use super::expression::{Atom, Condition, Nat, Term};
use super::facts::Facts;
use super::intervals::SIZE_LIMIT as PROVED_SIZE;
use super::memo::Memo;
use super::polynomial::is_plain;
use super::prove::{Proofs, Prover};

/// The most rebuilds of one expression.
const ROUNDS: u32 = 8;
/// Larger expressions stay as they are; shared parts count as often as they occur.
const SIZE_LIMIT: u32 = 4096;
/// The deepest nesting of selections and sums whose conditions and indices are still used.
pub(super) const NESTING: u32 = 4;

/// One run of simplification.
pub(super) struct Simplifier<'a> {
    pub(super) facts: &'a Facts,
    pub(super) prover: Prover<'a>,
    expressions: Memo<Nat, Nat>,
    atoms: Memo<Atom, Nat>,
    /// The number of selections and sums around this run.
    pub(super) nesting: u32,
    /// The results of other runs under the same facts.
    settled: Option<&'a Settled>,
}

/// What runs under the same facts share: answers that no limit of a proof has cut off, so that they do not
/// depend on what else was asked.
#[derive(Default)]
pub(super) struct Settled {
    /// The simplest forms of expressions. Those that still have sums are not among them, because equal sums
    /// may have different names for their indices.
    expressions: RefCell<Memo<Nat, Nat>>,
    /// The simplest forms of atoms, in the same way.
    atoms: RefCell<Memo<Atom, Nat>>,
    proofs: Proofs,
}

impl<'a> Simplifier<'a> {
    pub(super) fn new(facts: &'a Facts) -> Self {
        Self {
            facts,
            prover: Prover::new(facts),
            expressions: Memo::default(),
            atoms: Memo::default(),
            nesting: 0,
            settled: None,
        }
    }

    /// A run that shares its results with others.
    pub(super) fn remembering(facts: &'a Facts, settled: &'a Settled) -> Self {
        let prover = Prover::remembering(facts, &settled.proofs);
        Self { settled: Some(settled), prover, ..Self::new(facts) }
    }

    /// Where a result with or without sums belongs, if others may use it.
    fn shared(&self, has_sums: bool) -> Option<&'a Settled> {
        self.settled.filter(|_| !has_sums && !self.prover.was_cut())
    }

    fn known_expression(&self, n: &Nat) -> Option<Nat> {
        let settled = self.settled.and_then(|settled| settled.expressions.borrow().get(n).cloned());
        settled.or_else(|| self.expressions.get(n).cloned())
    }

    fn remember_expression(&mut self, n: Nat, reduced: Nat) {
        match self.shared(n.has_sums() && reduced.has_sums()) {
            Some(settled) => settled.expressions.borrow_mut().insert(n, reduced),
            None => self.expressions.insert(n, reduced),
        };
    }

    fn known_atom(&self, atom: &Atom) -> Option<Nat> {
        let settled = self.settled.and_then(|settled| settled.atoms.borrow().get(atom).cloned());
        settled.or_else(|| self.atoms.get(atom).cloned())
    }

    fn remember_atom(&mut self, atom: Atom, reduced: Nat) {
        match self.shared(atom.has_sums() && reduced.has_sums()) {
            Some(settled) => settled.atoms.borrow_mut().insert(atom, reduced),
            None => self.atoms.insert(atom, reduced),
        };
    }

    /// The number of parts that this run has simplified, each of them once.
    #[cfg(test)]
    pub(super) fn parts(&self) -> usize {
        self.expressions.len() + self.atoms.len()
    }

    /// The simplest form, in the variables of the caller.
    pub(super) fn simplify(&mut self, n: &Nat) -> Nat {
        let reduced = self.reduce(&self.facts.translate(n));
        self.facts.restore(&reduced)
    }

    /// The simplest form of a condition, in the variables of the caller.
    pub(super) fn simplify_condition(&mut self, condition: &Condition) -> Condition {
        let translated = condition.map_operands(&mut |operand| self.facts.translate(operand));
        let reduced = self.reduce_condition(&translated);
        reduced.map_operands(&mut |operand| self.facts.restore(operand)).canonical()
    }

    /// Whether `a == b`.
    pub(super) fn is_equal(&mut self, a: &Nat, b: &Nat) -> Option<bool> {
        let (a, b) = (self.facts.translate(a), self.facts.translate(b));
        if a == b || self.reduce(&a) == self.reduce(&b) {
            return Some(true);
        }
        self.is_zero(&(a - b))
    }

    /// Whether a translated expression is 0.
    fn is_zero(&mut self, n: &Nat) -> Option<bool> {
        let reduced = self.reduce(n);
        if reduced.is_zero() || normal_for_equality(&reduced).is_zero() {
            return Some(true);
        }
        let equation = Condition::Equal(reduced.clone(), Nat::zero()).canonical();
        if equation.as_constant() == Some(false) {
            return Some(false);
        }
        let differs = self.prover.positive(&reduced) || self.prover.positive(&-&reduced);
        if differs { Some(false) } else { None }
    }

    /// Whether `n % divisor` is 0.
    pub(super) fn divides(&mut self, divisor: &Nat, n: &Nat) -> Option<bool> {
        let remainder = Nat::from_atom(Atom::Modulo(n.clone(), divisor.clone()));
        self.is_zero(&self.facts.translate(&remainder))
    }

    /// Whether `n >= 0`.
    pub(super) fn is_non_negative(&mut self, n: &Nat) -> Option<bool> {
        let n = self.facts.translate(n);
        self.sign_of(&n).or_else(|| {
            let reduced = self.reduce(&n);
            if reduced == n { None } else { self.sign_of(&reduced) }
        })
    }

    /// Whether `n >= 0` has a proof: [`is_non_negative`](Self::is_non_negative) for those who would not use a
    /// proof of the contrary.
    pub(super) fn proves_non_negative(&mut self, n: &Nat) -> bool {
        let n = self.facts.translate(n);
        self.prover.non_negative(&n) || {
            let reduced = self.reduce(&n);
            reduced != n && self.prover.non_negative(&reduced)
        }
    }

    fn sign_of(&self, n: &Nat) -> Option<bool> {
        if self.prover.non_negative(n) {
            Some(true)
        } else if self.prover.positive(&-n) {
            Some(false)
        } else {
            None
        }
    }

    /// The simplest form of a translated expression.
    pub(super) fn reduce(&mut self, n: &Nat) -> Nat {
        if is_plain(n) || n.0.summary.size > SIZE_LIMIT {
            return n.clone();
        }
        if let Some(known) = self.known_expression(n) {
            return known;
        }
        let mut current = n.clone();
        for round in 0..ROUNDS {
            let total = self.with_simple_atoms(&current);
            // Every round ends with parts that cannot be recombined any more.
            if round > 0 && total == current {
                break;
            }
            let next = self.recombine(total);
            if next == current {
                break;
            }
            if let Some(known) = self.known_expression(&next) {
                current = known;
                break;
            }
            current = next;
        }
        self.remember_expression(n.clone(), current.clone());
        if current != *n {
            self.remember_expression(current.clone(), current.clone());
        }
        current
    }

    /// The sum of the products of simplified atoms.
    fn with_simple_atoms(&mut self, n: &Nat) -> Nat {
        let is_changed = |atom: &Atom, by: &Nat| by.as_atom() != Some(atom);
        n.with_terms_replaced(
            |term| !term.is_product_of_variables(),
            |atom| self.reduce_atom(atom).filter(|by| is_changed(atom, by)),
        )
    }

    /// The simplest form of an operation; `None` for a variable.
    fn reduce_atom(&mut self, atom: &Atom) -> Option<Nat> {
        if let Atom::Var(_) = atom {
            return None;
        }
        if let Some(known) = self.known_atom(atom) {
            return Some(known);
        }
        let mut reduced = self.apply_rules(atom);
        if reduced.as_atom().is_some() {
            let interval = self.prover.interval(&reduced);
            if let (Some(low), Some(high)) = (interval.low, interval.high)
                && low == high
            {
                reduced = Nat::constant(low);
            }
        }
        self.remember_atom(atom.clone(), reduced.clone());
        Some(reduced)
    }

    fn apply_rules(&mut self, atom: &Atom) -> Nat {
        match atom {
            Atom::Var(var) => Nat::variable(var),
            Atom::Divide(n, d) => {
                let (n, d) = (self.reduce(n), self.reduce(d));
                self.divide(&n, &d)
            }
            Atom::Modulo(n, d) => {
                let (n, d) = (self.reduce(n), self.reduce(d));
                self.modulo(&n, &d)
            }
            Atom::Minimum(a, b) => {
                let mut operands = Vec::new();
                collect_minimum(&self.reduce(a), &mut operands);
                collect_minimum(&self.reduce(b), &mut operands);
                self.open_counts(&mut operands);
                let kept = self.without_dominated(operands, |better, worse| worse - better);
                kept.into_iter().reduce(|a, b| Nat::min(&a, &b)).unwrap_or_else(Nat::zero)
            }
            Atom::Maximum(a, b) => {
                let mut operands = Vec::new();
                collect_maximum(&self.reduce(a), &mut operands);
                collect_maximum(&self.reduce(b), &mut operands);
                let kept = self.without_dominated(operands, |better, worse| better - worse);
                if let Some(bounded) = self.bounded_outside(&kept) {
                    return bounded;
                }
                kept.into_iter().reduce(|a, b| Nat::max(&a, &b)).unwrap_or_else(Nat::zero)
            }
            Atom::Power(base, exponent) => {
                let (base, exponent) = (self.reduce(base), self.reduce(exponent));
                self.power(&base, &exponent)
            }
            Atom::Log2(n) => logarithm(&self.reduce(n)),
            Atom::Sum { index, from, to, body } => self.reduce_sum(index, from, to, body),
            Atom::Select(condition, then, otherwise) => self.select(condition, then, otherwise),
        }
    }

    /// The operands that no other operand always dominates; `lead` is not negative where the first operand
    /// dominates the second.
    fn without_dominated(&self, mut operands: Vec<Nat>, lead: impl Fn(&Nat, &Nat) -> Nat) -> Vec<Nat> {
        operands.sort();
        operands.dedup();
        let mut kept: Vec<Nat> = Vec::with_capacity(operands.len());
        for operand in operands {
            if kept.iter().any(|other| self.prover.non_negative(&lead(other, &operand))) {
                continue;
            }
            kept.retain(|other| !self.prover.non_negative(&lead(&operand, other)));
            kept.push(operand);
        }
        kept
    }

    /// Whether there are any of `x` elements is whether there are any blocks of `d` of them: beside 1,
    /// `(x + d - 1) / d` is replaced by `x`.
    fn open_counts(&mut self, operands: &mut [Nat]) {
        if !operands.contains(&Nat::one()) {
            return;
        }
        for operand in operands {
            let Some(Atom::Divide(n, d)) = operand.as_atom() else { continue };
            let elements = n - d + Nat::one();
            if self.prover.positive(d) && self.prover.non_negative(&elements) {
                *operand = elements;
            }
        }
    }

    /// Simplifies a maximum in which one operand is `min(a, x) + c` and `a + c` is at least as large as all
    /// others. It is the smaller of `a + c` and the largest of `x + c` and the others. So a position that is
    /// clamped again and again is clamped once.
    fn bounded_outside(&mut self, operands: &[Nat]) -> Option<Nat> {
        if operands.len() < 2 {
            return None;
        }
        let (position, bound, inside) = operands.iter().enumerate().find_map(|(position, operand)| {
            let offset = Nat::constant(operand.constant_term());
            let Some(Atom::Minimum(a, b)) = (operand - &offset).as_atom().cloned() else { return None };
            let mut others = operands.iter().enumerate().filter(|(other, _)| *other != position);
            let bound = &a + &offset;
            let is_largest = others.all(|(_, other)| self.prover.non_negative(&(&bound - other)));
            is_largest.then(|| (position, bound, b + offset))
        })?;
        let others =
            operands.iter().enumerate().filter(|(other, _)| *other != position).map(|(_, other)| other);
        let largest = others.fold(inside, |largest, other| Nat::max(&largest, other));
        Some(Nat::min(&bound, &self.reduce(&largest)))
    }

    /// `base^(e + c)` is `base^c * base^e` where `e` is not negative.
    fn power(&self, base: &Nat, exponent: &Nat) -> Nat {
        let constant = exponent.constant_term();
        let rest = exponent - Nat::constant(constant);
        match u32::try_from(constant) {
            Ok(1..=16) if !rest.is_zero() && self.prover.non_negative(&rest) => {
                base.pow(&Nat::constant(constant)) * base.pow(&rest)
            }
            _ => base.pow(exponent),
        }
    }

    fn select(&mut self, condition: &Condition, then: &Nat, otherwise: &Nat) -> Nat {
        let condition = self.reduce_condition(condition);
        match condition.as_constant() {
            Some(true) => return self.reduce(then),
            Some(false) => return self.reduce(otherwise),
            None => {}
        }
        let then = self.reduce_where(&condition, then);
        let otherwise = self.reduce_where(&condition.clone().negate().canonical(), otherwise);
        Nat::select(&condition, &then, &otherwise)
    }

    /// The simplest form under more facts than this run has.
    pub(super) fn reduce_inside(&self, facts: &Facts, n: &Nat) -> Nat {
        let mut inner = Simplifier::new(facts);
        inner.nesting = self.nesting + 1;
        let reduced = inner.reduce(&facts.translate(n));
        if inner.prover.was_cut() {
            self.prover.cut_off();
        }
        facts.translation.restore_beyond(&self.facts.translation, &reduced)
    }

    fn reduce_condition(&mut self, condition: &Condition) -> Condition {
        let operands = condition.map_operands(&mut |operand| self.reduce(operand));
        self.decide_parts(&operands.canonical()).canonical()
    }

    /// The condition with every comparison decided for which there is a proof.
    fn decide_parts(&mut self, condition: &Condition) -> Condition {
        match condition {
            Condition::Less(a, b) => match self.sign_of(&(b - a).plus(-1)) {
                Some(truth) => Condition::from_truth(truth),
                None => self.decide_operands(a, b, &Condition::Less).unwrap_or_else(|| condition.clone()),
            },
            Condition::LessOrEqual(a, b) => match self.sign_of(&(b - a)) {
                Some(truth) => Condition::from_truth(truth),
                None => {
                    self.decide_operands(a, b, &Condition::LessOrEqual).unwrap_or_else(|| condition.clone())
                }
            },
            Condition::Equal(a, b) => match self.is_zero(&(a - b)) {
                Some(truth) => Condition::from_truth(truth),
                None => condition.clone(),
            },
            Condition::And(a, b) => self.decide_parts(a).and(self.decide_parts(b)),
            Condition::Or(a, b) => self.decide_parts(a).or(self.decide_parts(b)),
            Condition::Not(a) => self.decide_parts(a).negate(),
        }
    }

    /// A comparison of a minimum or a maximum as a comparison of one of its operands, if there is a proof
    /// that the other one makes no difference: `min(n, x) < n` is `x < n`.
    fn decide_operands(
        &mut self,
        a: &Nat,
        b: &Nat,
        compare: &impl Fn(Nat, Nat) -> Condition,
    ) -> Option<Condition> {
        // There is no proof about longer ones.
        if a.0.summary.size.saturating_add(b.0.summary.size) > PROVED_SIZE {
            return None;
        }
        let (parts, neutral) = match (extreme(a), extreme(b)) {
            // A minimum is less where one operand is, a maximum where both are.
            (Some((operands, is_minimum)), _) => {
                (operands.map(|operand| compare(operand, b.clone())), !is_minimum)
            }
            (None, Some((operands, is_minimum))) => {
                (operands.map(|operand| compare(a.clone(), operand)), is_minimum)
            }
            (None, None) => return None,
        };
        let [first, second] = parts.map(|part| self.decide_parts(&part.canonical()));
        match (first.as_constant(), second.as_constant()) {
            (Some(truth), _) => Some(if truth == neutral { second } else { first }),
            (None, Some(truth)) => Some(if truth == neutral { first } else { second }),
            (None, None) => None,
        }
    }
}

/// The operands of a minimum (`true`) or a maximum, to which a number may be added.
fn extreme(n: &Nat) -> Option<([Nat; 2], bool)> {
    let offset = Nat::constant(n.constant_term());
    match (n - &offset).as_atom()? {
        Atom::Minimum(a, b) => Some(([a + &offset, b + &offset], true)),
        Atom::Maximum(a, b) => Some(([a + &offset, b + &offset], false)),
        Atom::Var(_)
        | Atom::Divide(..)
        | Atom::Modulo(..)
        | Atom::Power(..)
        | Atom::Log2(..)
        | Atom::Sum { .. }
        | Atom::Select(..) => None,
    }
}

/// `log2(2^k * n)` is `k + log2(n)`.
fn logarithm(n: &Nat) -> Nat {
    let zeros = n.terms().iter().map(|term| term.coefficient.trailing_zeros()).min().unwrap_or(0);
    let odd = if zeros == 0 || zeros >= 126 { n.clone() } else { n.divide(&Nat::constant(1 << zeros)) };
    if odd == *n { n.log2() } else { odd.log2() + Nat::constant(i128::from(zeros)) }
}

/// The operands of nested minima to which numbers may be added: `min(a, b) + c` is `min(a + c, b + c)`.
fn collect_minimum(n: &Nat, operands: &mut Vec<Nat>) {
    let offset = Nat::constant(n.constant_term());
    match (n - &offset).as_atom() {
        Some(Atom::Minimum(a, b)) => {
            collect_minimum(&(a + &offset), operands);
            collect_minimum(&(b + &offset), operands);
        }
        _ => operands.push(n.clone()),
    }
}

/// The operands of nested maxima to which numbers may be added.
fn collect_maximum(n: &Nat, operands: &mut Vec<Nat>) {
    let offset = Nat::constant(n.constant_term());
    match (n - &offset).as_atom() {
        Some(Atom::Maximum(a, b)) => {
            collect_maximum(&(a + &offset), operands);
            collect_maximum(&(b + &offset), operands);
        }
        _ => operands.push(n.clone()),
    }
}

/// A form that is the same for more equal expressions, but hard to read: remainders are written as
/// differences with quotients, and numerators over a constant have no negative coefficient.
fn normal_for_equality(n: &Nat) -> Nat {
    let normalize = |atom: &Atom| match atom {
        Atom::Modulo(n, d) => Some(n - d * normal_quotient(n, d)),
        Atom::Divide(n, d) => Some(normal_quotient(n, d)),
        Atom::Var(_)
        | Atom::Minimum(..)
        | Atom::Maximum(..)
        | Atom::Power(..)
        | Atom::Log2(..)
        | Atom::Sum { .. }
        | Atom::Select(..) => None,
    };
    n.with_terms_replaced(|term| !term.is_product_of_variables(), normalize)
}

/// `n / d` where a constant `d` leaves a numerator without negative coefficients.
fn normal_quotient(n: &Nat, d: &Nat) -> Nat {
    let (n, d) = (normal_for_equality(n), normal_for_equality(d));
    let Some(constant) = d.as_constant().filter(|constant| *constant > 0) else { return n.divide(&d) };
    let mut whole = Nat::zero();
    for term in n.terms() {
        let coefficient = term.coefficient.div_euclid(constant);
        whole = whole + Nat::from_term(Term { coefficient, factors: term.factors.clone() });
    }
    let rest = n - whole.scale(constant);
    whole + rest.divide(&d)
}
