//! Quotients and remainders: one treatment for all shapes.
//!
//! The numerator is divided as a polynomial by the divisor, `n = q * d + r`. Where the facts prove
//! `0 <= r < d`, the quotient is `q` and the remainder is `r`. Otherwise the divisor is taken apart: for
//! `d = g * e` and `n = g * a + b` with a proved `0 <= b < g`, `n / d` is `a / e` and `n % d` is
//! `g * (a % e) + b`. A division that remains gets a numerator that is not negative, where there is one.
//!
//! (The published rules are CGO 2017, section 5.3; they are instances.)

use super::expression::{Atom, Nat, Term};
use super::polynomial::{greatest_common_divisor, linear_in, split};
use super::simplify::Simplifier;

/// The most evaluations for one remainder by a small constant.
const RESIDUES_LIMIT: i128 = 64;

/// A numerator as digits: `high * unit + low` with `0 <= low < unit`, where the divisor is `unit * rest`.
struct Digits {
    high: Nat,
    low: Nat,
    unit: Nat,
    rest: Nat,
}

impl Simplifier<'_> {
    /// `n / d` for simplified operands.
    pub(super) fn divide(&mut self, n: &Nat, d: &Nat) -> Nat {
        let evident = n.divide(d);
        let Some(Atom::Divide(n, d)) = evident.as_atom() else { return evident };
        let (quotient, remainder) = split(n, d);
        if let Some(offset) = self.quotient_of_small(&remainder, d) {
            return quotient + Nat::constant(offset);
        }
        if let Some(digits) = self.digits(&remainder, d) {
            return quotient + digits.high.divide(&digits.rest);
        }
        // Where `by` or `d` is 0, the expression has no value before, either.
        match remainder.as_atom() {
            Some(Atom::Divide(inner, by)) if self.prover.non_negative(by) => {
                return quotient + inner.divide(&(by * d));
            }
            Some(Atom::Modulo(inner, period)) if self.prover.non_negative(d) => {
                let (count, rest) = split(period, d);
                if rest.is_zero() {
                    return quotient + inner.divide(d).modulo(&count);
                }
            }
            _ => {}
        }
        let offset = self.numerator_offset(n, &quotient, &remainder, d);
        let (quotient, remainder) = (quotient - &offset, remainder + offset * d);
        quotient + Nat::from_atom(Atom::Divide(remainder, d.clone()))
    }

    /// `n % d` for simplified operands.
    pub(super) fn modulo(&mut self, n: &Nat, d: &Nat) -> Nat {
        let evident = n.modulo(d);
        let Some(Atom::Modulo(n, d)) = evident.as_atom() else { return evident };
        if let Some(remainder) = constant_residue(n, d) {
            return Nat::constant(remainder);
        }
        let (quotient, remainder) = split(n, d);
        if let Some(offset) = self.quotient_of_small(&remainder, d) {
            return remainder - d.scale(offset);
        }
        if let Some(congruent) = unwrap_remainders(&remainder, d) {
            return congruent.modulo(d);
        }
        if let Some(digits) = self.digits(&remainder, d) {
            return digits.high.modulo(&digits.rest) * digits.unit + digits.low;
        }
        if self.is_stated_multiple(&remainder, d) {
            return Nat::zero();
        }
        let offset = self.numerator_offset(n, &quotient, &remainder, d);
        Nat::from_atom(Atom::Modulo(remainder + offset * d, d.clone()))
    }

    /// The number `k` with a proof of `k * d <= n < (k + 1) * d`; `None` where no such `k` is found.
    fn quotient_of_small(&self, n: &Nat, d: &Nat) -> Option<i128> {
        if let Some(value) = n.as_constant()
            && value == 0
        {
            return Some(0);
        }
        if let Some(d) = d.as_constant().filter(|d| *d > 0) {
            let interval = self.prover.interval(n);
            if let (Some(low), Some(high)) = (interval.low, interval.high)
                && low.div_euclid(d) == high.div_euclid(d)
            {
                return Some(low.div_euclid(d));
            }
        }
        let holds = |n: &Nat| self.prover.non_negative(n);
        if holds(n) {
            if holds(&(d - n).plus(-1)) {
                return Some(0);
            }
            let less = n - d;
            return (self.prover.positive(d) && holds(&less) && holds(&(d - less).plus(-1))).then_some(1);
        }
        (holds(&(n + d)) && self.prover.positive(&-n)).then_some(-1)
    }

    /// The number `k` of divisors to move from the quotient to the numerator, where `n` is
    /// `quotient * d + remainder`, so that `remainder + k * d` is proved not to be negative.
    fn numerator_offset(&self, n: &Nat, quotient: &Nat, remainder: &Nat, d: &Nat) -> Nat {
        if quotient.is_zero() || self.prover.non_negative(remainder) {
            Nat::zero()
        } else if self.prover.non_negative(&(remainder + d)) {
            Nat::one()
        } else if self.prover.non_negative(n) {
            quotient.clone()
        } else {
            Nat::zero()
        }
    }

    /// The numerator as digits whose unit is a factor of the divisor.
    fn digits(&self, n: &Nat, d: &Nat) -> Option<Digits> {
        factorizations(n, d).into_iter().find_map(|(unit, rest)| {
            let (high, low) = split(n, &unit);
            let is_digit = !high.is_zero()
                && self.prover.non_negative(&low)
                && self.prover.non_negative(&(&unit - &low).plus(-1));
            is_digit.then_some(Digits { high, low, unit, rest })
        })
    }

    /// Whether `d` divides `n` by a stated divisibility that defines no variable.
    fn is_stated_multiple(&self, n: &Nat, d: &Nat) -> bool {
        self.facts
            .divisible
            .iter()
            .any(|(by, of)| split(n, of).1.is_zero() && (by == d || split(by, d).1.is_zero()))
    }

    /// Replaces parts of `n` with the help of `d * (x / d) + x % d == x`, as long as that makes `n` smaller.
    pub(super) fn recombine(&mut self, n: Nat) -> Nat {
        let mut n = n;
        while let Some(smaller) = self.recombine_once(&n) {
            n = smaller;
        }
        n
    }

    fn recombine_once(&mut self, n: &Nat) -> Option<Nat> {
        let mut divisions: Vec<Atom> = Vec::new();
        for (atom, power) in n.terms().iter().flat_map(|term| &term.factors) {
            let is_division = matches!(atom, Atom::Divide(..) | Atom::Modulo(..));
            if *power == 1 && is_division && !divisions.contains(atom) {
                divisions.push(atom.clone());
            }
        }
        if divisions.is_empty() || n.terms().len() < 2 && n.as_atom().is_some() {
            return None;
        }
        divisions.iter().find_map(|atom| match atom {
            Atom::Modulo(x, d) => self.with_remainder_joined(n, atom, (x, d), &divisions),
            Atom::Divide(x, d) => with_quotient_joined(n, atom, (x, d)),
            _ => None,
        })
    }

    /// A smaller form of `n`, in which the remainder `x % d` is joined with a quotient or another remainder.
    fn with_remainder_joined(
        &self,
        n: &Nat,
        remainder: &Atom,
        (x, d): (&Nat, &Nat),
        divisions: &[Atom],
    ) -> Option<Nat> {
        let (coefficient, _) = linear_in(n, remainder)?;
        let own = Nat::from_atom(remainder.clone());
        let quotient = x.divide(d);
        // A quotient that stays would be taken back by a remainder. One that nothing cancels is not tried.
        let stays_in = |n: &Nat| quotient.as_atom().is_some_and(|quotient| has_factor(n, quotient));
        let may_vanish = quotient.as_atom().is_none() || stays_in(n) || stays_in(x);
        for factor in parts(&coefficient) {
            if may_vanish {
                let whole = n + &factor * (x - &own - d * &quotient);
                if is_smaller(&whole, n) && !stays_in(&whole) {
                    return Some(whole);
                }
            }
            for other in divisions {
                if let Atom::Modulo(high, count) = other
                    && *high == quotient
                    && self.prover.non_negative(d)
                {
                    let joined = x.modulo(&(d * count));
                    let high = Nat::from_atom(other.clone());
                    let candidate = n + &factor * (joined - &own - d * high);
                    if is_smaller(&candidate, n) {
                        return Some(candidate);
                    }
                }
            }
        }
        None
    }
}

fn is_smaller(candidate: &Nat, n: &Nat) -> bool {
    candidate.0.summary.size < n.0.summary.size
}

/// A smaller form of `n`, in which the quotient `x / d` is joined with a remainder or another term.
fn with_quotient_joined(n: &Nat, quotient: &Atom, (x, d): (&Nat, &Nat)) -> Option<Nat> {
    let (coefficient, _) = linear_in(n, quotient)?;
    let own = Nat::from_atom(quotient.clone());
    let factors = parts(&split(&coefficient, d).0);
    if !factors.is_empty() {
        let remainder = constant_residue(x, d).map_or_else(|| x.modulo(d), Nat::constant);
        for factor in factors {
            let candidate = n + factor * (x - &remainder - d * &own);
            let is_shorter = remainder.as_constant().is_some() || candidate.terms().len() < n.terms().len();
            if is_shorter && is_smaller(&candidate, n) {
                return Some(candidate);
            }
        }
    }
    if coefficient != Nat::one() || d.as_constant().is_none() {
        return None;
    }
    // `k + x / d` may be shorter as `(x + k * d) / d`, where `x` has a multiple of `k` that `k * d` joins. If
    // it has none, the division takes `k` out again.
    let is_canonical = x.divide(d).as_atom() == Some(quotient);
    let is_in_dividend = |term: &Term| x.terms().iter().any(|own| own.factors == term.factors);
    for term in n.variable_terms() {
        if is_canonical && !is_in_dividend(term) {
            continue;
        }
        let term = Nat::from_term(term.clone());
        let joined = (x + &term * d).divide(d);
        let candidate = n - term - &own + joined;
        if is_smaller(&candidate, n) {
            return Some(candidate);
        }
    }
    None
}

/// Whether the atom is a factor of a term.
fn has_factor(n: &Nat, atom: &Atom) -> bool {
    n.terms().iter().flat_map(|term| &term.factors).any(|(factor, _)| factor == atom)
}

/// A sum and, if it has several terms, each of them.
fn parts(n: &Nat) -> Vec<Nat> {
    if n.is_zero() {
        return Vec::new();
    }
    let mut parts = vec![n.clone()];
    if n.terms().len() > 1 {
        parts.extend(n.terms().iter().cloned().map(Nat::from_term));
    }
    parts
}

/// Ways to write `d` as a product of two factors that may help to divide `n`.
fn factorizations(n: &Nat, d: &Nat) -> Vec<(Nat, Nat)> {
    if let Some(d) = d.as_constant() {
        let mut units: Vec<i128> = n
            .variable_terms()
            .iter()
            .map(|term| greatest_common_divisor([term.coefficient, d]))
            .filter(|unit| *unit > 1 && *unit < d)
            .collect();
        units.sort_by_key(|unit| std::cmp::Reverse(*unit));
        units.dedup();
        return units.into_iter().map(|unit| (Nat::constant(unit), Nat::constant(d / unit))).collect();
    }
    let mut units = Vec::new();
    let content = greatest_common_divisor(d.terms().iter().map(|term| term.coefficient));
    if content > 1 {
        units.push(Nat::constant(content));
    }
    if let Some((first, others)) = d.terms().split_first() {
        for (atom, _) in &first.factors {
            if others.iter().all(|term| term.factors.iter().any(|(other, _)| other == atom)) {
                units.push(Nat::from_atom(atom.clone()));
            }
        }
    }
    let mut factorizations = Vec::new();
    for unit in units {
        let (rest, remainder) = split(d, &unit);
        if remainder.is_zero() && rest != Nat::one() {
            factorizations.push((rest.clone(), unit.clone()));
            factorizations.push((unit, rest));
        }
    }
    factorizations
}

/// Removes remainders: `k * (x % m)` is congruent to `k * x` where `d` divides `k * m`. `None` where no term
/// is of this kind.
fn unwrap_remainders(n: &Nat, d: &Nat) -> Option<Nat> {
    for term in n.terms() {
        for (position, (atom, power)) in term.factors.iter().enumerate() {
            let (Atom::Modulo(inner, period), 1) = (atom, power) else { continue };
            let factors = term.factors.without(position);
            let rest = Nat::from_term(Term { factors, ..term.clone() });
            if split(&(&rest * period), d).1.is_zero() {
                return Some(n - Nat::from_term(term.clone()) + rest * inner);
            }
        }
    }
    None
}

/// The remainder by a small constant where it is the same for all values of all atoms.
fn constant_residue(n: &Nat, d: &Nat) -> Option<i128> {
    let d = d.as_constant().filter(|d| (2..=RESIDUES_LIMIT).contains(d))?;
    let mut atoms: Vec<&Atom> = Vec::new();
    for (atom, _) in n.terms().iter().flat_map(|term| &term.factors) {
        if !atoms.contains(&atom) {
            atoms.push(atom);
        }
    }
    // Only a product can have one remainder for all values, once multiples of `d` are taken out.
    if n.terms().iter().all(|term| term.degree() <= 1) {
        return None;
    }
    let count = u32::try_from(atoms.len()).ok().and_then(|atoms| d.checked_pow(atoms))?;
    if count > RESIDUES_LIMIT {
        return None;
    }
    let mut residues = (0..count).map(|number| residue(n, d, &atoms, number));
    let first = residues.next()??;
    residues.all(|residue| residue == Some(first)).then_some(first)
}

/// The remainder by `d` where the atoms have the digits of `number` to the base `d`.
fn residue(n: &Nat, d: i128, atoms: &[&Atom], number: i128) -> Option<i128> {
    let mut total = 0_i128;
    for term in n.terms() {
        let mut product = term.coefficient.rem_euclid(d);
        for (atom, power) in &term.factors {
            let position = u32::try_from(atoms.iter().position(|other| *other == atom)?).ok()?;
            let value = number / d.checked_pow(position)? % d;
            for _ in 0..(*power).min(1024) {
                product = product * value % d;
            }
            if *power > 1024 {
                return None;
            }
        }
        total = (total + product) % d;
    }
    Some(total)
}
