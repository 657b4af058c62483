//! Closed forms of sums of shares. An array of `N` elements is divided into parts; how many elements do the
//! first `k` parts hold?
//!
//! - *Chunks* of `n` elements: chunk `i` has `min(n, N - n * i)`. All but the last are full, so that the
//!   first `k` hold `min(n * k, N)`, and all of them `N`.
//! - `p` rows that take the elements *in turn*: row `l` has `(N - l + p - 1) / p`. The first `N % p` rows
//!   have one element more than the others, so that the first `k` hold `k * (N / p) + min(k, N % p)`, and all
//!   of them `N` (Hermite's identity; Graham, Knuth, Patashnik, *Concrete Mathematics*, section 3.4).
//!   Two rows differ by one element at most. So if each row counts `m` elements at most, `k` rows count
//!   `k * m`, or all that they hold where this is less.
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
            Atom::Minimum(a, b) => [[a, b], [b, a]].into_iter().find_map(|[a, b]| {
                let chunks = self.chunks(a, b, sum).or_else(|| self.chunks_of_any_number(a, b, sum));
                chunks.or_else(|| self.turns_of_at_most(a, b, sum))
            })?,
            Atom::Divide(..) => self.turns(&Turns::of(share, sum)?, sum)?,
            _ => return None,
        };
        Some(Nat::from_term(Term { coefficient: term.coefficient, factors: outside.into() }) * total)
    }

    /// The sum of `min(chunk, left)` where `left` is `length - chunk * index`.
    fn chunks(&mut self, chunk: &Nat, left: &Nat, sum: &OpenSum) -> Option<Nat> {
        let (chunk, length) = &chunk_of(chunk, left, &sum.index)?;
        let all = self.reduce(&(length + chunk - Nat::one()).divide(chunk));
        let is_sound = self.exists(length)
            && self.exists(chunk)
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

    /// Whether an expression has a value wherever the facts hold: nothing is divided by what may be 0 there.
    fn exists(&self, n: &Nat) -> bool {
        let is_divided = |by: &Nat| self.prover.positive(by) || self.prover.positive(&-by);
        n.terms().iter().flat_map(|term| &term.factors).all(|(atom, _)| match atom {
            Atom::Divide(a, b) | Atom::Modulo(a, b) => self.exists(a) && self.exists(b) && is_divided(b),
            _ => atom.is_total(),
        })
    }

    /// The sum of `min(chunk, max(0, left))` where `left` is `length - chunk * index`: behind the last chunk
    /// there are no elements.
    fn chunks_of_any_number(&mut self, chunk: &Nat, left: &Nat, sum: &OpenSum) -> Option<Nat> {
        let left = left.as_positive_part()?;
        let (chunk, length) = &chunk_of(chunk, left, &sum.index)?;
        let is_sound = length.is_total()
            && chunk.is_total()
            && [chunk, length, &sum.to].into_iter().all(|n| self.prover.non_negative(n));
        is_sound.then(|| Nat::min(&(chunk * &sum.to), length))
    }

    /// The sum of the lengths of rows that take elements in turn.
    fn turns(&mut self, turns: &Turns, sum: &OpenSum) -> Option<Nat> {
        let Turns { length, rows } = turns;
        if !self.are_rows(rows, sum) {
            return None;
        }
        if sum.to == *rows {
            return Some(length.clone());
        }
        let longer = Nat::min(&sum.to, &length.modulo(rows));
        Some(&sum.to * length.divide(rows) + longer)
    }

    /// The sum of `min(most, turn + rest)` where `turn` is the length of a row that takes elements in turn.
    fn turns_of_at_most(&mut self, most: &Nat, row: &Nat, sum: &OpenSum) -> Option<Nat> {
        let is_turn = |atom: &Atom| matches!(atom, Atom::Divide(..)) && atom.mentions(&sum.index);
        let turn = row.terms().iter().find_map(|term| match &*term.factors {
            [(atom, 1)] if term.coefficient == 1 && is_turn(atom) => Some(atom),
            _ => None,
        })?;
        let rest = row - Nat::from_atom(turn.clone());
        let is_outside = |n: &Nat| n.is_total() && !n.mentions(&sum.index);
        if !is_outside(most) || !is_outside(&rest) {
            return None;
        }
        let turns = Turns::of(turn, sum)?;
        // A row that is `rest` longer has as many elements of an array that is so much longer for each row.
        let turns = Turns { length: turns.length + &turns.rows * rest, rows: turns.rows };
        let Turns { length, rows } = &turns;
        let with_elements = Nat::min(rows, &Nat::max(&Nat::zero(), &(length + Nat::one())));
        if sum.to == self.reduce(&with_elements)
            && self.prover.non_negative(most)
            && self.prover.positive(rows)
        {
            return Some(Nat::min(&(rows * most), &Nat::max(&Nat::zero(), length)));
        }
        let all = self.turns(&turns, sum)?;
        Some(Nat::min(&(&sum.to * most), &all))
    }

    /// Whether a sum is one over some of these rows.
    fn are_rows(&self, rows: &Nat, sum: &OpenSum) -> bool {
        self.prover.positive(rows)
            && self.prover.non_negative(&sum.to)
            && self.prover.non_negative(&(rows - &sum.to))
    }
}

/// Rows that take the elements of an array in turn.
struct Turns {
    /// The number of elements.
    length: Nat,
    rows: Nat,
}

impl Turns {
    /// The rows whose lengths are the quotient `(length - index + rows - 1) / rows`.
    fn of(quotient: &Atom, sum: &OpenSum) -> Option<Turns> {
        let Atom::Divide(dividend, rows) = quotient else { return None };
        let (step, first) = dividend.linear_in(&sum.index)?;
        let are_in_turn = step.as_constant() == Some(-1)
            && first.is_total()
            && rows.is_total()
            && !rows.mentions(&sum.index);
        are_in_turn.then(|| Turns { length: first - rows + Nat::one(), rows: rows.clone() })
    }
}
