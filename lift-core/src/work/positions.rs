//! Work at every position of an array, or iteration of a loop: sums, or bounds where there is no formula for
//! a sum.

use super::Work;
use crate::ir::nat::{Atom, Nat, Ranges, Substitution, Term, Var};

/// Sums of at most this many terms need no closed form.
const FEW_TERMS: i128 = 4096;

/// The last number that a variable may have; programs use the first ones.
const LAST_NUMBER: u32 = (1 << 31) - 1;

/// Formulas larger than this are bounded before they are summed.
const LARGEST_BODY: u32 = 1500;

/// The work of all positions from `from` up to `to`, the end excluded, where each takes `work`.
pub(super) fn over(ranges: &Ranges, index: &Var, [from, to]: [&Nat; 2], work: &Work) -> Work {
    let span = Span { ranges, index, from, to };
    work.map(|part| span.total(part))
}

/// An upper bound of the work where an index computed from data may be any number from 0 up to `end`, the end
/// excluded.
pub(super) fn at_most(ranges: &Ranges, index: &Var, end: &Nat, work: &Work) -> Work {
    work.map(|part| {
        let part = without_choices(part, index, Bound::Upper);
        bound(ranges, index, [&Nat::zero(), end], &part)
            .unwrap_or_else(|| part.substitute(&Substitution::from([(index.clone(), end.clone())])))
    })
}

struct Span<'s> {
    ranges: &'s Ranges,
    index: &'s Var,
    from: &'s Nat,
    to: &'s Nat,
}

impl Span<'_> {
    fn total(&self, body: &Nat) -> Nat {
        let count = self.to - self.from;
        let mut total = Nat::zero();
        let mut open: Vec<&Term> = Vec::new();
        // The loop is around the whole body: where the body has a value, its parts have one.
        for term in body.terms() {
            let (inside, outside) = self.parted(term);
            let sum = if inside == Nat::one() { Some(count.clone()) } else { self.exact_sum(&inside) };
            match sum {
                Some(sum) => total = total + outside * sum,
                None => open.push(term),
            }
        }
        if open.iter().all(|term| term.coefficient > 0) {
            for term in open {
                let (inside, outside) = self.parted(term);
                total = total + outside * self.bounded_sum(&inside);
            }
        } else {
            // A bound of a negative term would have to be one on the other side.
            let rest = open.into_iter().fold(Nat::zero(), |rest, term| rest + Nat::from_term(term.clone()));
            total = total + self.bounded_sum(&rest);
        }
        self.ranges.simplify(&total)
    }

    /// The factors of a term that depend on the index, and the others with the coefficient.
    fn parted(&self, term: &Term) -> (Nat, Nat) {
        let (inside, outside): (Vec<_>, Vec<_>) =
            term.factors.iter().cloned().partition(|(atom, _)| product(1, &[(atom, 1)]).mentions(self.index));
        (power_product(&inside), Nat::constant(term.coefficient) * power_product(&outside))
    }

    /// The sum of a body that depends on the index; `None` unless there is a formula or there are few terms.
    fn exact_sum(&self, body: &Nat) -> Option<Nat> {
        let sum = self.formula(body);
        (is_closed(&sum) || self.has_few_terms() || is_exponent(self.index, body)).then_some(sum)
    }

    /// An upper bound of the sum of a body that depends on the index; the sum itself where no bound is known.
    fn bounded_sum(&self, body: &Nat) -> Nat {
        let weaker = without_choices(body, self.index, Bound::Upper);
        if weaker != *body {
            let formula = self.formula(&weaker);
            if is_closed(&formula) {
                return formula;
            }
        }
        let positions = [self.from, self.to];
        let largest = bound(self.ranges, self.index, positions, &weaker).or_else(|| {
            let without_sums = without_sums(self.ranges, &weaker, 0)?;
            bound(self.ranges, self.index, positions, &without_sums)
        });
        largest.map_or_else(|| self.formula(body), |largest| (self.to - self.from) * largest)
    }

    fn formula(&self, body: &Nat) -> Nat {
        if body.is_larger_than(LARGEST_BODY) {
            return Nat::sum(self.index, self.from, self.to, body);
        }
        self.ranges.simplify(&Nat::sum(self.index, self.from, self.to, body))
    }

    /// Whether a sum can be computed quickly without a closed form.
    fn has_few_terms(&self) -> bool {
        let count = self.to - self.from;
        let is_small = |term: &Term| match term.factors.as_slice() {
            [] => term.coefficient <= FEW_TERMS,
            [(Atom::Log2(_), 1)] => term.coefficient <= 8,
            _ => term.coefficient < 0,
        };
        count.terms().iter().all(is_small)
    }
}

/// An upper bound that holds at every position; `None` if none is known.
fn bound(ranges: &Ranges, index: &Var, [from, to]: [&Nat; 2], body: &Nat) -> Option<Nat> {
    let mut inside = ranges.clone();
    inside.declare(index, from.clone(), Some(to.clone()));
    inside.upper_bound(body).filter(|largest| !largest.mentions(index))
}

fn power_product(factors: &[(Atom, u32)]) -> Nat {
    let factors: Vec<(&Atom, u32)> = factors.iter().map(|(atom, power)| (atom, *power)).collect();
    product(1, &factors)
}

fn product(coefficient: i128, factors: &[(&Atom, u32)]) -> Nat {
    Nat::from_term(Term {
        coefficient,
        factors: factors.iter().map(|(atom, power)| ((*atom).clone(), *power)).collect(),
    })
}

/// Whether a number is raised to a power that grows with an index. Then the index is small, or the formula
/// has no value.
fn is_exponent(index: &Var, n: &Nat) -> bool {
    n.terms().iter().flat_map(|term| &term.factors).any(|(atom, _)| match atom {
        Atom::Power(base, exponent) => base.as_constant().is_some() && exponent.mentions(index),
        Atom::Divide(a, b) | Atom::Modulo(a, b) | Atom::Minimum(a, b) | Atom::Maximum(a, b) => {
            is_exponent(index, a) || is_exponent(index, b)
        }
        Atom::Select(_, a, b) => is_exponent(index, a) || is_exponent(index, b),
        Atom::Sum { body, .. } => is_exponent(index, body),
        Atom::Var(_) | Atom::Log2(_) => false,
    })
}

impl Work {
    /// Whether the formulas have no sums, so that their values are computed quickly however large the sizes
    /// are.
    pub fn is_closed(&self) -> bool {
        is_closed(&self.loads) && is_closed(&self.operations)
    }
}

/// Whether a formula contains no sums.
fn is_closed(n: &Nat) -> bool {
    n.terms().iter().flat_map(|term| &term.factors).all(|(atom, _)| match atom {
        Atom::Var(_) => true,
        Atom::Sum { .. } => false,
        Atom::Log2(a) => is_closed(a),
        Atom::Divide(a, b)
        | Atom::Modulo(a, b)
        | Atom::Minimum(a, b)
        | Atom::Maximum(a, b)
        | Atom::Power(a, b) => is_closed(a) && is_closed(b),
        Atom::Select(_, a, b) => is_closed(a) && is_closed(b),
    })
}

/// An upper bound of a formula that contains no sums; `None` if none is known.
fn without_sums(ranges: &Ranges, n: &Nat, depth: u32) -> Option<Nat> {
    let mut total = Nat::zero();
    for term in n.terms() {
        let mut product = Nat::constant(term.coefficient);
        for (atom, power) in &term.factors {
            let factor = match atom {
                Atom::Sum { index, from, to, body } if term.coefficient > 0 => {
                    // The number of a sum's own index is reserved.
                    let own = Var::new(LAST_NUMBER.saturating_sub(depth), index.name());
                    let body = body.substitute(&Substitution::from([(index.clone(), Nat::variable(&own))]));
                    let body = without_sums(ranges, &without_choices(&body, &own, Bound::Upper), depth + 1)?;
                    Nat::max(&(to - from), &Nat::zero()) * bound(ranges, &own, [from, to], &body)?
                }
                atom => Nat::from_atom(atom.clone()),
            };
            product = product * factor.pow(&Nat::constant(i128::from(*power)));
        }
        total = total + product;
    }
    is_closed(&total).then_some(total)
}

/// The side of a formula on which its bound lies.
#[derive(Clone, Copy)]
enum Bound {
    Lower,
    Upper,
}

impl Bound {
    fn opposite(self) -> Bound {
        match self {
            Bound::Lower => Bound::Upper,
            Bound::Upper => Bound::Lower,
        }
    }
}

/// A bound of a formula without choices by the index. Neither work nor a factor of it is negative.
fn without_choices(n: &Nat, index: &Var, side: Bound) -> Nat {
    n.terms().iter().fold(Nat::zero(), |total, term| {
        let side = if term.coefficient < 0 { side.opposite() } else { side };
        let factors = term.factors.iter().fold(Nat::one(), |product, (atom, power)| {
            let factor = match (atom, side) {
                (Atom::Select(condition, then, otherwise), _) if condition.mentions(index) => {
                    let [then, otherwise] = [then, otherwise].map(|part| without_choices(part, index, side));
                    match side {
                        Bound::Lower => Nat::min(&then, &otherwise),
                        Bound::Upper => Nat::max(&then, &otherwise),
                    }
                }
                _ => Nat::from_atom(atom.clone()),
            };
            product * factor.pow(&Nat::constant(i128::from(*power)))
        });
        total + Nat::constant(term.coefficient) * factors
    })
}
