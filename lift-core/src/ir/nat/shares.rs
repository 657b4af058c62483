//! Closed forms of sums of shares. An array of `N` elements is divided into parts; how many elements do the
//! first `k` parts hold?
//!
//! - *Chunks* of `n` elements: chunk `i` has `min(n, N - n * i)`. All but the last are full, so that the
//!   first `k` hold `min(n * k, N)`, and all of them `N`.
//! - `p` rows that take the elements *in turn*: row `l` has `(N - l + p - 1) / p`. The first `N % p` rows
//!   have one element more than the others, so that the first `k` hold `k * (N / p) + min(k, N % p)`, and all
//!   of them `N` (Hermite's identity; Graham, Knuth, Patashnik, *Concrete Mathematics*, section 3.4).
//!
//! The forms are wrong where `k` is larger than the number of parts. So it is proved first that it is not.

use super::expression::{Atom, Nat, Term};
use super::simplify::Simplifier;
use super::sums::OpenSum;
use super::variable::Var;

impl Nat {
    /// `n` and `N`, if this is the length `min(n, N - n * index)` of the chunk that starts at `n * index`.
    pub(crate) fn as_chunk(&self, index: &Var) -> Option<(Nat, Nat)> {
        let [term] = self.terms() else { return None };
        let [(Atom::Minimum(a, b), 1)] = &*term.factors else { return None };
        let (chunk, length) = chunk_of(a, b, index).or_else(|| chunk_of(b, a, index))?;
        Some((chunk.scale(term.coefficient), length.scale(term.coefficient)))
    }
}

/// The chunk `n` and the length `N` where `left` is `N - n * index`.
fn chunk_of(chunk: &Nat, left: &Nat, index: &Var) -> Option<(Nat, Nat)> {
    let (step, length) = left.linear_in(index)?;
    let is_chunk = (step + chunk).is_zero() && !chunk.mentions(index);
    is_chunk.then(|| (chunk.clone(), length))
}

impl Simplifier<'_> {
    /// The closed form of the terms that are shares, plus a sum of the others; `None` where there are none.
    pub(super) fn sum_of_shares(&mut self, sum: &OpenSum) -> Option<Nat> {
        let (mut closed, mut others) = (Nat::zero(), Nat::zero());
        let mut found = false;
        for term in sum.body.terms() {
            match self.shares(term, sum) {
                Some(total) => {
                    closed = closed + total;
                    found = true;
                }
                None => others = others + Nat::from_term(term.clone()),
            }
        }
        found.then(|| closed + Nat::sum(&sum.index, &sum.from, &sum.to, &others))
    }

    /// The sum of a term `outside * share`.
    fn shares(&mut self, term: &Term, sum: &OpenSum) -> Option<Nat> {
        let (inside, outside): (Vec<_>, Vec<_>) =
            term.factors.iter().cloned().partition(|(atom, _)| atom.mentions(&sum.index));
        let [(share, 1)] = inside.as_slice() else { return None };
        if !sum.from.is_zero() || !outside.iter().all(|(atom, _)| atom.is_total()) {
            return None;
        }
        let total = match share {
            Atom::Minimum(a, b) => self.chunks(a, b, sum).or_else(|| self.chunks(b, a, sum))?,
            Atom::Divide(dividend, divisor) => self.turns(dividend, divisor, sum)?,
            _ => return None,
        };
        Some(Nat::from_term(Term { coefficient: term.coefficient, factors: outside.into() }) * total)
    }

    /// The sum of `min(chunk, left)` where `left` is `length - chunk * index`.
    fn chunks(&mut self, chunk: &Nat, left: &Nat, sum: &OpenSum) -> Option<Nat> {
        let (chunk, length) = &chunk_of(chunk, left, &sum.index)?;
        let all = self.reduce(&(length + chunk - Nat::one()).divide(chunk));
        let is_sound = length.is_total()
            && self.prover.positive(chunk)
            && self.prover.non_negative(length)
            && self.prover.non_negative(&sum.to)
            && self.prover.non_negative(&(&all - &sum.to));
        if !is_sound {
            return None;
        }
        if sum.to == all {
            return Some(length.clone());
        }
        let whole = chunk * &sum.to;
        let are_whole = self.prover.positive(&(all - &sum.to));
        Some(if are_whole { whole } else { Nat::min(&whole, length) })
    }

    /// The sum of `dividend / rows` where `dividend` is `length - index + rows - 1`.
    fn turns(&mut self, dividend: &Nat, rows: &Nat, sum: &OpenSum) -> Option<Nat> {
        if rows.mentions(&sum.index) || !rows.is_total() {
            return None;
        }
        let (step, first) = dividend.linear_in(&sum.index)?;
        if step.as_constant() != Some(-1) || !first.is_total() {
            return None;
        }
        let is_sound = self.prover.positive(rows)
            && self.prover.non_negative(&sum.to)
            && self.prover.non_negative(&(rows - &sum.to));
        if !is_sound {
            return None;
        }
        let length = first - rows + Nat::one();
        if sum.to == *rows {
            return Some(length);
        }
        let longer = Nat::min(&sum.to, &length.modulo(rows));
        Some(&sum.to * length.divide(rows) + longer)
    }
}
