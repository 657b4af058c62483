//! Symbolic bounds: indices are replaced by their extreme values until only sizes remain.

use super::expression::{Atom, Nat};
use super::facts::{Bound, Facts};
use super::polynomial::linear_in;
use super::prove::Prover;
use super::variable::Var;
use crate::flat::FlatSet;

/// The most replacements in one bound.
const STEPS: u32 = 32;

/// Which bound is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// A value that is never greater.
    Lower,
    /// A value that is never less.
    Upper,
}

impl Direction {
    fn opposite(self) -> Self {
        match self {
            Direction::Lower => Direction::Upper,
            Direction::Upper => Direction::Lower,
        }
    }
}

/// An inclusive bound of `n` that mentions only variables without an upper bound of their own.
pub(super) fn extreme(facts: &Facts, n: &Nat, direction: Direction) -> Option<Nat> {
    Search { facts, prover: Prover::new(facts), replaced: None }.extreme(n, direction, STEPS)
}

/// An inclusive bound of `n` that mentions none of these variables.
pub(super) fn extreme_over(
    facts: &Facts,
    n: &Nat,
    direction: Direction,
    replaced: &FlatSet<Var>,
) -> Option<Nat> {
    let search = Search { facts, prover: Prover::new(facts), replaced: Some(replaced) };
    let bound = search.extreme(n, direction, STEPS)?;
    bound.variables().is_disjoint(replaced).then_some(bound)
}

struct Search<'a> {
    facts: &'a Facts,
    prover: Prover<'a>,
    /// The variables to replace; without a list, those that have an upper bound.
    replaced: Option<&'a FlatSet<Var>>,
}

impl Search<'_> {
    fn extreme(&self, n: &Nat, direction: Direction, steps: u32) -> Option<Nat> {
        let mut n = n.clone();
        for _ in 0..steps {
            let factors = n.terms().iter().flat_map(|term| &term.factors).map(|(atom, _)| atom);
            let Some(atom) =
                factors.filter(|atom| self.is_index(atom)).max_by_key(|atom| self.facts.rank(atom)).cloned()
            else {
                return Some(n);
            };
            let (coefficient, rest) = linear_in(&n, &atom)?;
            let towards = if self.prover.non_negative(&coefficient) {
                direction
            } else if self.prover.non_negative(&-&coefficient) {
                direction.opposite()
            } else {
                return None;
            };
            n = coefficient * self.extreme_of_atom(&atom, towards, steps - 1)? + rest;
        }
        None
    }

    /// Whether an atom depends on a variable to replace.
    fn is_index(&self, atom: &Atom) -> bool {
        match atom {
            Atom::Var(var) => match self.replaced {
                Some(replaced) => replaced.contains(var),
                None => self.facts.bounds(atom).is_some_and(|bounds| !bounds.upper.is_empty()),
            },
            _ => {
                Nat::from_atom(atom.clone()).variables().into_iter().any(|var| self.is_index(&Atom::Var(var)))
            }
        }
    }

    fn extreme_of_atom(&self, atom: &Atom, direction: Direction, steps: u32) -> Option<Nat> {
        let of = |n: &Nat| self.extreme(n, direction, steps.min(8));
        match atom {
            Atom::Var(_) => {
                let bounds = self.facts.bounds(atom)?;
                let stated = match direction {
                    Direction::Lower => &bounds.lower,
                    Direction::Upper => &bounds.upper,
                };
                let bounds = stated.iter().filter_map(|Bound { scale, value }| {
                    let value = of(value)?;
                    let scale = Nat::constant(*scale);
                    Some(match direction {
                        Direction::Lower => -(-value).divide(&scale),
                        Direction::Upper => value.divide(&scale),
                    })
                });
                // Of bounds that differ by a number, the tightest; otherwise the first.
                bounds.reduce(|first, other| match (direction, other.constant_difference(&first)) {
                    (Direction::Lower, Some(1..)) | (Direction::Upper, Some(..=-1)) => other,
                    (_, _) => first,
                })
            }
            Atom::Divide(n, d) if self.prover.positive(d) && !self.is_index_expression(d) => {
                Some(of(n)?.divide(d))
            }
            // A larger divisor gives a smaller quotient of a number that is not negative.
            Atom::Divide(n, d) if self.prover.positive(d) && self.prover.non_negative(n) => {
                let divisor = self.extreme(d, direction.opposite(), steps.min(8))?;
                self.prover.positive(&divisor).then_some(of(n)?.divide(&divisor))
            }
            Atom::Modulo(_, d) => match direction {
                Direction::Lower => Some(Nat::zero()),
                Direction::Upper if self.prover.positive(d) => Some(of(d)? - Nat::one()),
                Direction::Upper => None,
            },
            Atom::Minimum(a, b) => match (direction, of(a), of(b)) {
                (_, Some(a), Some(b)) => Some(Nat::min(&a, &b)),
                (Direction::Upper, a, b) => a.or(b),
                (Direction::Lower, _, _) => None,
            },
            Atom::Maximum(a, b) => match (direction, of(a), of(b)) {
                (_, Some(a), Some(b)) => Some(Nat::max(&a, &b)),
                (Direction::Lower, a, b) => a.or(b),
                (Direction::Upper, _, _) => None,
            },
            Atom::Select(_, a, b) => match direction {
                Direction::Lower => Some(Nat::min(&of(a)?, &of(b)?)),
                Direction::Upper => Some(Nat::max(&of(a)?, &of(b)?)),
            },
            Atom::Log2(_) if direction == Direction::Lower => Some(Nat::zero()),
            Atom::Power(base, exponent) if self.prover.positive(base) => Some(of(base)?.pow(&of(exponent)?)),
            Atom::Divide(..) | Atom::Power(..) | Atom::Log2(..) | Atom::Sum { .. } => None,
        }
    }

    fn is_index_expression(&self, n: &Nat) -> bool {
        n.variables().into_iter().any(|var| self.is_index(&Atom::Var(var)))
    }
}
