//! Proofs that an expression is not negative.
//!
//! The method is elimination in the order of dependence (Fourier-Motzkin, with symbolic coefficients): the
//! atom that depends on most is replaced by the bound that makes the expression smallest, until a number
//! remains. Quotients, remainders, minima, maxima and selections have bounds by their nature. Proofs are
//! bounded by depth and by fuel, so a truth may be missed; a falsehood is never proved. What is negative for
//! values that agree with all facts (`witnesses`) has no proof, and is not searched for one.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::expression::{Atom, Nat};
use super::facts::Facts;
use super::interval::Interval;
use super::intervals::SIZE_LIMIT;
use super::memo::{Hashed, Memo};
use super::polynomial::{factor_out, is_plain, linear_in};
use crate::flat::FlatSet;

/// The most eliminations in one branch of a proof.
const DEPTH: u32 = 12;
/// The most eliminations in one proof.
const FUEL: u32 = 40;
/// The most eliminations in one proof once [`TOTAL_FUEL`] is spent.
const RESERVE: u32 = 6;
/// The most eliminations of all proofs of one run.
const TOTAL_FUEL: u32 = 1500;
/// The most atoms that are tried for each elimination.
const TRIED: usize = 3;

/// Answers questions from a set of facts and remembers the answers.
pub(super) struct Prover<'a> {
    facts: &'a Facts,
    fuel: Cell<u32>,
    total_fuel: Cell<u32>,
    /// Whether a limit has ended a search since this was last reset.
    is_cut: Cell<bool>,
    /// Whether a limit has ended any search of this run.
    was_cut: Cell<bool>,
    /// Questions without an answer because a limit ended the search.
    cut: RefCell<FlatSet<Nat>>,
    /// The answers of other runs under the same facts.
    settled: Option<&'a Proofs>,
    own: Proofs,
}

/// Whether expressions are provably not negative: answers that depend on no limit, and so on nothing else
/// that was asked. Unrolled loops ask about expressions that differ by a number, so these have one entry.
#[derive(Default)]
pub(super) struct Proofs(RefCell<Memo<UpToNumber, Answers>>);

/// An expression up to its constant term: two that differ by a number are equal.
#[derive(Clone)]
struct UpToNumber(Nat);

/// The answers for an expression with different constant terms.
#[derive(Clone, Copy, Default)]
struct Answers {
    /// The least constant term with which there is a proof.
    proved: Option<i128>,
    /// The largest one with which none was found.
    refused: Option<i128>,
}

impl Proofs {
    fn get(&self, n: &Nat) -> Option<bool> {
        let known = self.0.borrow();
        let Answers { proved, refused } = known.get(&UpToNumber(n.clone()))?;
        let number = n.constant_term();
        match (proved, refused) {
            (Some(least), _) if *least <= number => Some(true),
            (_, Some(largest)) if number <= *largest => Some(false),
            _ => None,
        }
    }

    fn insert(&self, n: &Nat, is_proved: bool) {
        let mut known = self.0.borrow_mut();
        let Answers { proved, refused } = known.get_or_insert_with(&UpToNumber(n.clone()), Answers::default);
        let number = n.constant_term();
        match is_proved {
            true => *proved = Some(proved.map_or(number, |least| least.min(number))),
            false => *refused = Some(refused.map_or(number, |largest| largest.max(number))),
        }
    }
}

impl PartialEq for UpToNumber {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0.0, &other.0.0)
            || self.0.0.hash_of_variable_terms == other.0.0.hash_of_variable_terms
                && self.0.variable_terms() == other.0.variable_terms()
    }
}

impl Eq for UpToNumber {}

impl Hashed for UpToNumber {
    fn kept_hash(&self) -> u64 {
        self.0.0.hash_of_variable_terms
    }
}

/// The sign of a coefficient.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    NonNegative,
    NonPositive,
    Unknown,
}

impl<'a> Prover<'a> {
    pub(super) fn new(facts: &'a Facts) -> Self {
        Self {
            facts,
            fuel: Cell::new(FUEL),
            total_fuel: Cell::new(TOTAL_FUEL),
            is_cut: Cell::new(false),
            was_cut: Cell::new(false),
            cut: RefCell::default(),
            settled: None,
            own: Proofs::default(),
        }
    }

    /// A run that shares its answers with others.
    pub(super) fn remembering(facts: &'a Facts, settled: &'a Proofs) -> Self {
        Self { settled: Some(settled), ..Self::new(facts) }
    }

    fn proofs(&self) -> &Proofs {
        self.settled.unwrap_or(&self.own)
    }

    /// The number of eliminations of all proofs so far.
    #[cfg(test)]
    pub(super) fn spent(&self) -> u32 {
        TOTAL_FUEL - self.total_fuel.get()
    }

    /// Whether a limit has ended a search.
    pub(super) fn was_cut(&self) -> bool {
        self.was_cut.get()
    }

    /// Notes that a limit has ended a search.
    pub(super) fn cut_off(&self) {
        self.is_cut.set(true);
        self.was_cut.set(true);
    }

    /// Whether `n` is provably not negative, under all assignments that the facts allow.
    pub(super) fn non_negative(&self, n: &Nat) -> bool {
        let total = self.total_fuel.get();
        let fuel = if total == 0 { RESERVE } else { FUEL };
        self.fuel.set(fuel);
        let proved = self.prove(n, DEPTH);
        self.total_fuel.set(total.saturating_sub(fuel - self.fuel.get()));
        proved
    }

    /// Whether `n` is provably positive.
    pub(super) fn positive(&self, n: &Nat) -> bool {
        self.non_negative(&n.plus(-1))
    }

    fn prove(&self, n: &Nat, depth: u32) -> bool {
        if let Some(value) = n.as_constant() {
            return value >= 0;
        }
        if n.0.summary.size > SIZE_LIMIT {
            return false;
        }
        if let Some(known) = self.proofs().get(n) {
            return known;
        }
        match self.interval(n) {
            Interval { low: Some(0..), .. } => return true,
            Interval { high: Some(..0), .. } => return false,
            _ => {}
        }
        if self.facts.witnesses.refute(n) {
            self.proofs().insert(n, false);
            return false;
        }
        if depth == 0 || self.fuel.get() == 0 || self.cut.borrow().contains(n) {
            self.cut_off();
            return false;
        }
        if self.is_unbounded(n) {
            return false;
        }
        self.fuel.set(self.fuel.get() - 1);
        let was_cut_before = self.is_cut.replace(false);
        let proved = self.eliminate(n, depth - 1);
        if proved || !self.is_cut.get() {
            self.proofs().insert(n, proved);
        } else {
            self.cut.borrow_mut().insert(n.clone());
        }
        self.is_cut.set(was_cut_before || self.is_cut.get() && !proved);
        proved
    }

    /// Whether a variable about which nothing is known makes `n` arbitrarily small.
    fn is_unbounded(&self, n: &Nat) -> bool {
        is_plain(n)
            && n.terms().iter().any(|term| match term.factors.as_slice() {
                [(Atom::Var(var), power)] => {
                    power % 2 == 1
                        && !self.facts.is_introduced(var)
                        && n.terms().iter().all(|other| {
                            other == term
                                || other.factors.iter().all(|(atom, _)| match atom {
                                    Atom::Var(own) => own != var,
                                    _ => false,
                                })
                        })
                }
                _ => false,
            })
    }

    /// Proves `n >= 0` by replacing one of its atoms.
    fn eliminate(&self, n: &Nat, depth: u32) -> bool {
        for (_, atom) in self.highest_atoms(n) {
            let Some((coefficient, rest)) = linear_in(n, atom) else {
                if self.eliminate_power(n, atom, depth) {
                    return true;
                }
                continue;
            };
            let sign = self.sign(&coefficient, depth);
            match atom {
                Atom::Minimum(a, b) | Atom::Maximum(a, b) => {
                    let by =
                        |operand: &Nat| self.prove(&multiple_and_rest(&coefficient, operand, &rest), depth);
                    let either_suffices = match atom {
                        Atom::Minimum(..) => sign == Sign::NonPositive,
                        _ => sign == Sign::NonNegative,
                    };
                    return if either_suffices { by(a) || by(b) } else { by(a) && by(b) };
                }
                Atom::Select(_, a, b) => {
                    let by =
                        |operand: &Nat| self.prove(&multiple_and_rest(&coefficient, operand, &rest), depth);
                    return by(a) && by(b);
                }
                _ => {}
            }
            if sign != Sign::Unknown && self.eliminate_bounded(atom, sign, &coefficient, &rest, depth) {
                return true;
            }
        }
        false
    }

    /// The atoms that are tried, with their ranks: those that depend on most, which come first.
    fn highest_atoms<'n>(&self, n: &'n Nat) -> Vec<((u32, u32), &'n Atom)> {
        let mut atoms: Vec<((u32, u32), &Atom)> = Vec::new();
        let mut terms = n.terms();
        while let [term, behind @ ..] = terms {
            terms = behind;
            let mut factors = term.factors.as_slice();
            while let [(atom, _), behind @ ..] = factors {
                factors = behind;
                self.add_by_rank(atom, &mut atoms);
            }
        }
        atoms.truncate(TRIED);
        atoms
    }

    /// Adds an atom to a list with falling ranks, unless it is there.
    fn add_by_rank<'n>(&self, atom: &'n Atom, atoms: &mut Vec<((u32, u32), &'n Atom)>) {
        for (_, known) in atoms.as_slice() {
            if *known == atom {
                return;
            }
        }
        let rank = self.facts.rank(atom);
        let mut position = atoms.len();
        while position > 0 && atoms[position - 1].0 < rank {
            position -= 1;
        }
        atoms.insert(position, (rank, atom));
    }

    /// Proves `n >= 0` where a power of the atom occurs.
    fn eliminate_power(&self, n: &Nat, atom: &Atom, depth: u32) -> bool {
        // Horner's scheme: `n` is `factor * atom + rest`, and the factor may mention the atom again.
        let (factor, rest) = factor_out(n, atom);
        let sign = self.sign(&factor, depth);
        if sign != Sign::Unknown && self.eliminate_bounded(atom, sign, &factor, &rest, depth) {
            return true;
        }
        // `x * x` is at least `x` for all integers.
        let (second, linear) = factor_out(&factor, atom);
        !second.is_zero()
            && self.prove(&second, depth)
            && self.prove(&((second + linear) * Nat::from_atom(atom.clone()) + rest), depth)
    }

    /// Proves `coefficient * atom + rest >= 0` with a bound of the atom.
    fn eliminate_bounded(&self, atom: &Atom, sign: Sign, coefficient: &Nat, rest: &Nat, depth: u32) -> bool {
        let (stated, natural) = match (sign, self.facts.bounds(atom)) {
            (Sign::NonNegative, bounds) => {
                (bounds.map(|bounds| &bounds.lower), self.natural_lower(atom, depth))
            }
            (_, bounds) => (bounds.map(|bounds| &bounds.upper), self.natural_upper(atom, depth)),
        };
        for bound in stated.into_iter().flatten() {
            let bounded = multiple_and_rest(coefficient, &bound.value, &rest.scale(bound.scale));
            if self.prove(&bounded, depth) {
                return true;
            }
        }
        for (scale, value) in natural {
            if self.prove(&multiple_and_rest(coefficient, &value, &(rest * scale)), depth) {
                return true;
            }
        }
        false
    }

    /// Lower bounds that an operation always has, as positive scales and values.
    fn natural_lower(&self, atom: &Atom, depth: u32) -> Vec<(Nat, Nat)> {
        let mut bounds = Vec::new();
        match atom {
            Atom::Divide(n, d) => {
                if self.prove(&d.plus(-1), depth) {
                    bounds.push((d.clone(), n - d + Nat::one()));
                    if self.prove(n, depth) {
                        bounds.push((Nat::one(), Nat::zero()));
                    }
                }
            }
            Atom::Modulo(..) | Atom::Log2(..) => bounds.push((Nat::one(), Nat::zero())),
            Atom::Power(base, _) => {
                if self.prove(&base.plus(-1), depth) {
                    bounds.push((Nat::one(), Nat::one()));
                } else if self.prove(base, depth) {
                    bounds.push((Nat::one(), Nat::zero()));
                }
            }
            Atom::Var(_) | Atom::Sum { .. } | Atom::Minimum(..) | Atom::Maximum(..) | Atom::Select(..) => {}
        }
        bounds
    }

    /// Upper bounds that an operation always has, as positive scales and values.
    fn natural_upper(&self, atom: &Atom, depth: u32) -> Vec<(Nat, Nat)> {
        let mut bounds = Vec::new();
        match atom {
            Atom::Divide(n, d) => {
                if self.prove(&d.plus(-1), depth) {
                    bounds.push((d.clone(), n.clone()));
                }
            }
            Atom::Modulo(n, d) => {
                if self.prove(&d.plus(-1), depth) {
                    bounds.push((Nat::one(), d - Nat::one()));
                }
                if self.prove(n, depth) {
                    bounds.push((Nat::one(), n.clone()));
                }
            }
            Atom::Log2(n) => bounds.push((Nat::one(), n - Nat::one())),
            Atom::Power(..)
            | Atom::Var(_)
            | Atom::Sum { .. }
            | Atom::Minimum(..)
            | Atom::Maximum(..)
            | Atom::Select(..) => {}
        }
        bounds
    }

    /// Constant bounds, from the constant bounds of the atoms.
    pub(super) fn interval(&self, n: &Nat) -> Interval {
        self.facts.interval(n)
    }

    fn sign(&self, n: &Nat, depth: u32) -> Sign {
        if let Some(number) = n.as_constant() {
            return if number >= 0 { Sign::NonNegative } else { Sign::NonPositive };
        }
        if self.prove(n, depth) {
            Sign::NonNegative
        } else if self.prove(&-n, depth) {
            Sign::NonPositive
        } else {
            Sign::Unknown
        }
    }
}

/// `coefficient * value + rest`, where the coefficient is most often a number.
fn multiple_and_rest(coefficient: &Nat, value: &Nat, rest: &Nat) -> Nat {
    match coefficient.as_constant() {
        Some(number) => rest.plus_multiple(number, value),
        None => coefficient * value + rest,
    }
}
