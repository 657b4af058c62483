//! Sums over an index: closed forms where there are any.
//!
//! Powers of the index up to the third (Faulhaber), geometric sums, and bodies that choose by the index, which
//! are split where the choice changes (FHPNC 2019, section 4). A sum that stays is evaluated as a loop.

use super::condition::Condition;
use super::evaluate::is_total;
use super::expression::{Atom, Nat, Term};
use super::facts::Facts;
use super::prove::linear_in;
use super::ranges::Ranges;
use super::simplify::{Simplifier, replace_factor};
use super::variable::Var;

/// The common denominator of the closed forms of powers.
const DENOMINATOR: i128 = 12;
/// Sums of at most this many terms are written out.
const UNROLL_LIMIT: i128 = 16;

/// A sum whose index is a variable of its own.
struct OpenSum {
    index: Var,
    from: Nat,
    to: Nat,
    body: Nat,
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
        self.split_at_choice(&sum)
            .or_else(|| self.closed_form(&sum))
            .unwrap_or_else(|| Nat::sum(&sum.index, &sum.from, &sum.to, &sum.body))
    }

    /// The end of a sum, raised to its start where it may lie before it.
    fn end(&mut self, sum: &OpenSum) -> Nat {
        if self.prover.non_negative(&(&sum.to - &sum.from)) {
            sum.to.clone()
        } else {
            Nat::max(&sum.from, &sum.to)
        }
    }

    /// The sum of the terms that have closed forms, plus a sum of the others.
    ///
    /// None where the first index is a power or more: where such a sum is empty it has no large number in it, and its
    /// closed form would overflow.
    fn closed_form(&mut self, sum: &OpenSum) -> Option<Nat> {
        if holds_power(&sum.from) {
            return self.unrolled(sum);
        }
        let end = self.end(sum);
        let (mut powers, mut closed, mut open) = (Nat::zero(), Nat::zero(), Nat::zero());
        let mut found = false;
        for term in sum.body.terms() {
            if let Some((outside, power)) = power_of_index(term, &sum.index) {
                powers = powers + outside * (power_sum(&end, power)? - power_sum(&sum.from, power)?);
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
        Some(powers.divide(&Nat::constant(DENOMINATOR)) + closed + open)
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
        let outside = Nat::from_term(Term { coefficient: term.coefficient, factors: outside });
        let first = exponent.substitute_one(&sum.index, &sum.from);
        let is_geometric = step.as_constant().is_some_and(|step| step > 0)
            && is_total(&outside)
            && is_total(exponent)
            && self.prover.non_negative(&first);
        is_geometric.then(|| (outside, base, exponent.clone()))
    }

    /// A sum over a body that chooses by the index is two sums.
    fn split_at_choice(&mut self, sum: &OpenSum) -> Option<Nat> {
        let factors = sum.body.terms().iter().flat_map(|term| &term.factors);
        let choices: Vec<Atom> = factors
            .filter(|(atom, power)| *power == 1 && atom.mentions(&sum.index))
            .map(|(atom, _)| atom.clone())
            .collect();
        for choice in choices {
            let (condition, then, otherwise) = match &choice {
                Atom::Select(condition, then, otherwise) => (condition.clone(), then, otherwise),
                Atom::Minimum(a, b) => (Condition::Less(a.clone(), b.clone()), a, b),
                Atom::Maximum(a, b) => (Condition::Less(b.clone(), a.clone()), a, b),
                _ => continue,
            };
            let (Some(then), Some(otherwise)) =
                (replace_factor(&sum.body, &choice, then), replace_factor(&sum.body, &choice, otherwise))
            else {
                continue;
            };
            if let Some(split) = self.split_at(sum, &condition, &then, &otherwise) {
                return Some(split);
            }
        }
        None
    }

    /// `sum` of `then` where the condition holds and of `otherwise` elsewhere.
    fn split_at(&mut self, sum: &OpenSum, condition: &Condition, then: &Nat, otherwise: &Nat) -> Option<Nat> {
        let part = |from: &Nat, to: &Nat, body: &Nat| Nat::sum(&sum.index, from, to, body);
        let end = self.end(sum);
        match condition {
            Condition::Less(a, b) => {
                let (step, rest) = linear_in(&(b - a), &Atom::Var(sum.index.clone()))?;
                if rest.mentions(&sum.index) || !is_total(&rest) {
                    return None;
                }
                let within = |cut: &Nat| Nat::min(&Nat::max(cut, &sum.from), &end);
                match step.as_constant()? {
                    1 => {
                        let cut = within(&(Nat::one() - rest));
                        Some(part(&sum.from, &cut, otherwise) + part(&cut, &end, then))
                    }
                    -1 => {
                        let cut = within(&rest);
                        Some(part(&sum.from, &cut, then) + part(&cut, &end, otherwise))
                    }
                    _ => None,
                }
            }
            Condition::Equal(a, b) => {
                let (step, rest) = linear_in(&(b - a), &Atom::Var(sum.index.clone()))?;
                let sign = step.as_constant().filter(|step| step.unsigned_abs() == 1)?;
                if rest.mentions(&sum.index) || !is_total(&rest) || !is_total(then) || !is_total(otherwise) {
                    return None;
                }
                let at = rest.scale(-sign);
                let inside = Condition::LessOrEqual(sum.from.clone(), at.clone())
                    .and(Condition::Less(at.clone(), end.clone()));
                let difference = (then - otherwise).substitute_one(&sum.index, &at);
                let exception = Nat::select(&inside, &difference, &Nat::zero());
                Some(part(&sum.from, &end, otherwise) + exception)
            }
            Condition::Not(negated) => self.split_at(sum, negated, otherwise, then),
            Condition::LessOrEqual(..) | Condition::And(..) | Condition::Or(..) => None,
        }
    }
}

/// Whether there is a power with a variable exponent anywhere in an expression.
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

/// The facts in the body of a sum.
fn facts_inside(facts: &Facts, index: &Var, from: &Nat, to: &Nat) -> Facts {
    let mut ranges = Ranges::from_facts(facts.clone());
    ranges.declare(index, from.clone(), Some(to.clone()));
    ranges.facts().clone()
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
    (power <= 3).then(|| (Nat::from_term(Term { coefficient: term.coefficient, factors: outside }), power))
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
