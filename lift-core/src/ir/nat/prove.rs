//! Proofs that an expression is not negative.
//!
//! The method is elimination in the order of dependence (Fourier-Motzkin, with symbolic coefficients): the
//! atom that depends on most is replaced by the bound that makes the expression smallest, until a number
//! remains. Quotients, remainders, minima, maxima and selections have bounds by their nature. Proofs are
//! bounded by depth and by fuel, so a truth may be missed; a falsehood is never proved. What is negative for
//! values that agree with all facts (`witnesses`) has no proof, and is not searched for one.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use super::expression::{Atom, Nat, Term};
use super::facts::{Bound, Dependence, Facts};
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
        Arc::ptr_eq(&self.0.0, &other.0.0)
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

/// An atom that has one of two values.
struct Cases {
    values: [Nat; 2],
    is: Which,
}

/// Which of two values it is.
#[derive(Clone, Copy)]
enum Which {
    Smaller,
    Larger,
    Either,
}

impl Cases {
    /// The cases of a minimum, a maximum, a selection, or of a quotient of one by a positive number.
    fn of(atom: &Atom) -> Option<Cases> {
        match atom {
            Atom::Minimum(a, b) => Some(Cases { values: [a.clone(), b.clone()], is: Which::Smaller }),
            Atom::Maximum(a, b) => Some(Cases { values: [a.clone(), b.clone()], is: Which::Larger }),
            Atom::Select(_, a, b) => Some(Cases { values: [a.clone(), b.clone()], is: Which::Either }),
            Atom::Divide(dividend, divisor) => {
                divisor.as_constant().filter(|divisor| *divisor > 0)?;
                let Cases { values, is } = Cases::of_dividend(dividend)?;
                Some(Cases { values: values.map(|value| value.divide(divisor)), is })
            }
            Atom::Var(_) | Atom::Modulo(..) | Atom::Power(..) | Atom::Log2(..) | Atom::Sum { .. } => None,
        }
    }

    /// The cases of a sum one of whose terms has two.
    fn of_dividend(dividend: &Nat) -> Option<Cases> {
        dividend.terms().iter().find_map(|term| {
            let [(atom @ (Atom::Minimum(..) | Atom::Maximum(..) | Atom::Select(..)), 1)] = &*term.factors
            else {
                return None;
            };
            let Cases { values, is } = Cases::of(atom)?;
            let rest = dividend - Nat::from_term(term.clone());
            let is = match is {
                Which::Smaller if term.coefficient < 0 => Which::Larger,
                Which::Larger if term.coefficient < 0 => Which::Smaller,
                which => which,
            };
            Some(Cases { values: values.map(|value| rest.plus_multiple(term.coefficient, &value)), is })
        })
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
        let atoms = self.highest_atoms(n);
        if let Some(proved) = self.split(n, &atoms, depth) {
            return proved;
        }
        for (_, atom) in atoms {
            let Some((coefficient, rest)) = linear_in(n, atom) else {
                if self.eliminate_power(n, atom, depth) {
                    return true;
                }
                continue;
            };
            let sign = self.sign(&coefficient, depth);
            if sign != Sign::Unknown && self.eliminate_bounded(atom, sign, &coefficient, &rest, depth) {
                return true;
            }
        }
        false
    }

    /// Proves `n >= 0` by cases where an atom has one of two values. Where one case is enough, it shows only
    /// after other atoms have been replaced which one it is: such atoms come last. So do those that divide
    /// others, which would still hold them in either case.
    fn split(&self, n: &Nat, atoms: &[(Dependence, &Atom)], depth: u32) -> Option<bool> {
        let mut sufficient = None;
        for (_, atom) in atoms {
            if atoms.iter().any(|(_, other)| is_divided_by(other, atom)) {
                continue;
            }
            let Some(Cases { values: [a, b], is }) = Cases::of(atom) else { continue };
            let Some((coefficient, rest)) = linear_in(n, atom) else { continue };
            let with = |value: &Nat| multiple_and_rest(&coefficient, value, &rest);
            let either_suffices = match is {
                Which::Smaller => self.sign(&coefficient, depth) == Sign::NonPositive,
                Which::Larger => self.sign(&coefficient, depth) == Sign::NonNegative,
                Which::Either => false,
            };
            if !either_suffices {
                return Some(self.prove(&with(&a), depth) && self.prove(&with(&b), depth));
            }
            // Of a quotient there are other bounds, which may say more than one of its cases.
            if !matches!(atom, Atom::Divide(..)) {
                sufficient.get_or_insert_with(|| [with(&a), with(&b)]);
            }
        }
        sufficient.map(|[a, b]| self.prove(&a, depth) || self.prove(&b, depth))
    }

    /// The atoms that are tried, with their ranks: those that depend on most, which come first.
    fn highest_atoms<'n>(&self, n: &'n Nat) -> Vec<(Dependence, &'n Atom)> {
        let mut atoms: Vec<(Dependence, &Atom)> = Vec::new();
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
    fn add_by_rank<'n>(&self, atom: &'n Atom, atoms: &mut Vec<(Dependence, &'n Atom)>) {
        for (_, known) in atoms.as_slice() {
            if *known == atom {
                return;
            }
        }
        let rank = self.facts.dependence(atom);
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
        let exact = self.without_quotient(atom, coefficient, rest, depth);
        if exact.as_ref().is_some_and(|remaining| self.prove(remaining, depth)) {
            return true;
        }
        for other in other_quotients(atom, rest) {
            let Some(value) = self.beside(atom, other, sign, depth) else { continue };
            if self.prove(&multiple_and_rest(coefficient, &value, rest), depth) {
                return true;
            }
        }
        let bounds = self.facts.bounds(atom);
        let none: &[Bound] = &[];
        let (stated, others) = bounds.map_or((none, none), |bounds| match sign {
            Sign::NonNegative => (bounds.lower.as_slice(), none),
            Sign::NonPositive | Sign::Unknown => (&bounds.upper, &bounds.below_operations),
        });
        for bound in stated.iter().chain(others) {
            let bounded = multiple_and_rest(coefficient, &bound.value, &rest.scale(bound.scale));
            if self.prove(&bounded, depth) {
                return true;
            }
        }
        if exact.is_some() {
            return false;
        }
        let natural = match sign {
            Sign::NonNegative => self.natural_lower(atom, depth),
            Sign::NonPositive | Sign::Unknown => self.natural_upper(atom, depth),
        };
        for (scale, value) in natural {
            if self.prove(&multiple_and_rest(coefficient, &value, &(rest * scale)), depth) {
                return true;
            }
        }
        false
    }

    /// What is not negative exactly where `c * (n / d) + rest` is not, for a positive `d` and a number `c` that
    /// divides the coefficients of the rest. The quotient and the rest are integers, so that `n / d >= k`
    /// exactly where `n >= k * d`.
    fn without_quotient(&self, atom: &Atom, coefficient: &Nat, rest: &Nat, depth: u32) -> Option<Nat> {
        let (Atom::Divide(n, d), Some(factor)) = (atom, coefficient.as_constant()) else { return None };
        let divisor = factor.checked_abs().filter(|divisor| *divisor != 0)?;
        if rest.variable_terms().iter().any(|term| term.coefficient % divisor != 0) {
            return None;
        }
        let rest = rest.divide(&Nat::constant(divisor));
        self.prove(&d.plus(-1), depth).then(|| match factor > 0 {
            true => n + d * rest,
            false => d * rest + d - Nat::one() - n,
        })
    }

    /// A bound of a quotient by another one with the same positive divisor: where the dividends differ by at
    /// most `k` divisors, the quotients differ by at most `k`.
    fn beside(&self, atom: &Atom, other: &Atom, sign: Sign, depth: u32) -> Option<Nat> {
        let (Atom::Divide(n, d), Atom::Divide(m, _)) = (atom, other) else { return None };
        let difference = n - m;
        let divisors = match d.variable_terms() {
            [leading, ..] => {
                let same = difference.terms().iter().find(|term| term.factors == leading.factors);
                let divisors = |term: &Term| term.coefficient.checked_div_euclid(leading.coefficient);
                same.and_then(divisors).unwrap_or(0)
            }
            [] => 0,
        };
        let beyond = &difference - d.scale(divisors);
        let beyond = if sign == Sign::NonNegative { beyond } else { -beyond };
        let is_bound = self.prove(&d.plus(-1), depth) && self.prove(&beyond, depth);
        is_bound.then(|| Nat::from_atom(other.clone()).plus(divisors))
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

/// Whether an atom is a quotient by a multiple of another one.
fn is_divided_by(quotient: &Atom, atom: &Atom) -> bool {
    let Atom::Divide(_, divisor) = quotient else { return false };
    divisor.variable_terms().iter().flat_map(|term| &term.factors).any(|(factor, _)| factor == atom)
}

/// The other quotients by the divisor of a quotient.
fn other_quotients<'n>(atom: &Atom, n: &'n Nat) -> Vec<&'n Atom> {
    let Atom::Divide(_, divisor) = atom else { return Vec::new() };
    let factors = n.terms().iter().flat_map(|term| term.factors.as_slice());
    factors
        .map(|(atom, _)| atom)
        .filter(|atom| matches!(atom, Atom::Divide(_, by) if by == divisor))
        .collect()
}

/// `coefficient * value + rest`, where the coefficient is most often a number.
fn multiple_and_rest(coefficient: &Nat, value: &Nat, rest: &Nat) -> Nat {
    match coefficient.as_constant() {
        Some(number) => rest.plus_multiple(number, value),
        None => coefficient * value + rest,
    }
}
