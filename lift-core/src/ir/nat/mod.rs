//! Symbolic integers: the algebra of sizes and indices.
//!
//! A [`Nat`] is an integer-valued expression over variables. Sizes are natural numbers; an intermediate value
//! of an index may be negative. `/` and `%` are Euclidean: the remainder is never negative, the quotient
//! rounds down where the divisor is positive. An expression has no value where it divides by zero, takes a
//! negative power or the logarithm of a number below 1. Simplification keeps every value, and may add one
//! where there was none.
//!
//! - [`Nat`]'s constructors bring an expression into canonical form with laws that hold for all integers.
//!   Equal polynomials over the same atoms are structurally equal; sums do not depend on the name of their
//!   index. Arithmetic is checked: what would overflow stays an opaque factor, which [`Nat::terms`] shows as
//!   `pow(n, 1)`.
//! - [`Ranges`] holds what is known (bounds, divisibility, conditions) and answers questions from it.
//! - [`interior`] says for which indices comparisons come out as in the middle of an array.
//! - [`solve()`] isolates an unknown size, [`is_monotone`] says whether bisection would find it.
//!
//! # What is decided
//!
//! - Comparisons that follow by eliminating variables one after the other, each by a stated bound, with
//!   coefficients that may be symbolic where their sign is provable: `i * M + j < N * M`, `i / 4 * 4 < N`.
//!   Minima and maxima are split into cases. A declared index makes its range non-empty: `j` in `0..M` gives
//!   `M >= 1`. For squares, `x * x >= x` is known.
//! - What is dealt out by quotients that round up ends with the last element: `k * i < n` for `i` below
//!   `(n + k - 1) / k`, also for a symbolic `k`, with minima and maxima around the quotients.
//! - Quotients and remainders of any polynomial by a number, a product, or a sum such as `M + 2`, where the
//!   polynomial remainder is provably between zero and the divisor, and the same for every factor of the
//!   divisor that can be read off (`(x * M + j) % (N * M)`). Parts that belong together are joined
//!   (`d * (x / d) + x % d`, also with a common factor, and `x % a + a * (x / a % b)`).
//! - Divisibility that was stated, and what follows from it for numbers that are linear in a variable;
//!   polynomials that have one remainder for all values (`N * N + N` is even).
//! - Sums of polynomials up to the third power and of their exact quotients by a number, geometric sums with
//!   a constant base, sums over choices that compare a multiple of the index to something else, and sums over
//!   bodies that divide the index by a small number; sums of the lengths of chunks (`min(n, N - n * i)`) and
//!   of rows that take elements in turn (`(N - l + p - 1) / p`), also for symbolic `n` and `p`.
//!
//! # What is not
//!
//! - Facts about products of several variables serve only where a linear atom carries them; alternatives
//!   (`||`) teach nothing unless one of them is refuted; a selection's condition is used to simplify its
//!   branches, not in proofs about the selection.
//! - Sums that stay have no bounds, not even a sign. Powers and logarithms have little more than a sign.
//! - Roots of equations that are not linear in the unknown.
//! - Proofs spend a bounded number of steps, and expressions past a few thousand parts are left as they are:
//!   an answer may be missed, never wrong.
//!
//! # Where to find it
//!
//! - `expression` (the representation), `terms` (of a sum), `factors` (of a product), `summary` (what needs
//!   no walk), `arithmetic` (sums, products and powers), `construct` (the other operations), `condition`,
//!   `variable`, `polynomial` (expressions as polynomials in their atoms);
//! - `display`, `evaluate`, `substitute`, `totality` (whether there is always a value), `representable`;
//! - `facts` (what is known), `translation` (of what is divisible), `memo` (what was asked before), `learn`
//!   (what follows from new facts), `learned` (facts that wait for a question), `prove` (proofs that something
//!   is not negative), `interval` and `intervals` (constant bounds), `bounds` (extreme values);
//! - `simplify` (the driver), `division`, `sums` and `shares`; `ranges` is the interface, `assume` what
//!   conditions teach, and `position` what follows where there is a position;
//! - `solve` and `interior`, which build on `ranges`.
//!
//! The rules generalise CGO 2017, section 5.3; sums follow FHPNC 2019. The cost is bounded: simplified parts
//! and proofs are remembered, and proofs have fuel. Where a limit has cut off a search, the missing answer is
//! forgotten with the question: it says nothing about the facts.

mod arithmetic;
mod assume;
mod bounds;
mod condition;
mod construct;
mod direction;
mod display;
mod division;
mod evaluate;
mod expression;
mod factors;
mod facts;
pub mod interior;
mod interval;
mod intervals;
mod learn;
mod learned;
mod memo;
mod numbers;
mod polynomial;
mod position;
mod prove;
mod ranges;
mod representable;
mod shares;
mod simplify;
mod solve;
mod substitute;
mod summary;
mod sums;
mod terms;
mod totality;
mod translation;
mod variable;
mod witnesses;

pub(crate) use direction::{Direction, direction};
pub use display::Remainder;
pub use expression::{Atom, Condition, Nat, Term};
pub use factors::Factors;
pub(crate) use memo::Memo;
pub use ranges::{Indices, Ranges};
pub(crate) use representable::too_large;
pub use solve::{Requirement, Solution, is_monotone, solve};
pub use substitute::Substitution;
pub use variable::{Var, Vars};

#[cfg(test)]
mod tests;
