//! The representation: a sorted sum of products of powers of atoms. Conditions are declared here as well,
//! because expressions choose by conditions and conditions compare expressions.
//!
//! Invariants of every [`Nat`]: terms are sorted by their factors, no two terms have the same
//! factors, no coefficient is zero, factors are sorted by atom and no atom occurs twice in a term.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::factors::Factors;
use super::memo::Hashed;
use super::summary::{Summarise, Summary, mix};
use super::terms::Terms;
use super::variable::Var;

/// An integer-valued expression over variables, in canonical form. Cloning is cheap.
pub struct Nat(pub(super) Arc<Node>);

impl Clone for Nat {
    #[inline(always)]
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// The shared body of a [`Nat`].
pub(super) struct Node {
    pub(super) terms: Terms<Term>,
    pub(super) summary: Summary,
    /// The hash without the constant term.
    pub(super) hash_of_variable_terms: u64,
}

/// One product: a coefficient times powers of atoms. The constant term has no factors.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Term {
    /// The atoms with their powers.
    pub factors: Factors<Atom>,
    /// The coefficient, never zero.
    pub coefficient: i128,
}

/// A factor of a product: a variable, or an operation that does not distribute.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Atom {
    /// A variable.
    Var(Var),
    /// The Euclidean quotient: rounds down where the divisor is positive.
    Divide(Nat, Nat),
    /// The Euclidean remainder: never negative.
    Modulo(Nat, Nat),
    /// The smaller of two numbers.
    Minimum(Nat, Nat),
    /// The larger of two numbers.
    Maximum(Nat, Nat),
    /// The base to the power of a non-negative exponent; `pow(n, 1)` is `n`, kept opaque.
    Power(Nat, Nat),
    /// The position of the highest bit of a positive number.
    Log2(Nat),
    /// The sum of `body` for every `index` from `from` on, below `to`; 0 where there is none.
    Sum {
        /// The bound variable.
        index: Var,
        /// The first index.
        from: Nat,
        /// The first index after the last one.
        to: Nat,
        /// The summand.
        body: Nat,
    },
    /// The first where the condition holds, else the second.
    Select(Condition, Nat, Nat),
}

/// A truth value that depends on sizes and indices.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    /// The first is less than the second.
    Less(Nat, Nat),
    /// The first is at most the second.
    LessOrEqual(Nat, Nat),
    /// Both are the same number.
    Equal(Nat, Nat),
    /// Both hold.
    And(Arc<Condition>, Arc<Condition>),
    /// At least one holds.
    Or(Arc<Condition>, Arc<Condition>),
    /// It does not hold.
    Not(Arc<Condition>),
}

impl PartialEq for Nat {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || self.0.summary.hash == other.0.summary.hash && self.terms() == other.terms()
    }
}

impl Eq for Nat {}

impl Hash for Nat {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.summary.hash);
    }
}

impl Hashed for Nat {
    #[inline(always)]
    fn kept_hash(&self) -> u64 {
        self.0.summary.hash
    }
}

impl Hashed for Atom {
    fn kept_hash(&self) -> u64 {
        match self {
            Atom::Var(var) => var.kept_hash(),
            Atom::Divide(a, b) => hash_of(1, a, b),
            Atom::Modulo(a, b) => hash_of(2, a, b),
            Atom::Minimum(a, b) => hash_of(3, a, b),
            Atom::Maximum(a, b) => hash_of(4, a, b),
            Atom::Power(a, b) => hash_of(5, a, b),
            Atom::Log2(a) => hash_of(6, a, a),
            Atom::Sum { index: _, from: _, to, body } => hash_of(7, to, body),
            Atom::Select(condition, a, b) => mix(hash_of(8, a, b), condition.kept_hash()),
        }
    }
}

impl Hashed for Condition {
    fn kept_hash(&self) -> u64 {
        match self {
            Condition::Less(a, b) => hash_of(1, a, b),
            Condition::LessOrEqual(a, b) => hash_of(2, a, b),
            Condition::Equal(a, b) => hash_of(3, a, b),
            Condition::And(a, b) => mix(mix(4, a.kept_hash()), b.kept_hash()),
            Condition::Or(a, b) => mix(mix(5, a.kept_hash()), b.kept_hash()),
            Condition::Not(a) => mix(6, a.kept_hash()),
        }
    }
}

/// The hash of an operation on two expressions.
fn hash_of(operation: u64, a: &Nat, b: &Nat) -> u64 {
    mix(mix(operation, a.0.summary.hash), b.0.summary.hash)
}

impl PartialOrd for Nat {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Nat {
    fn cmp(&self, other: &Self) -> Ordering {
        if Arc::ptr_eq(&self.0, &other.0) { Ordering::Equal } else { self.0.terms.cmp(&other.0.terms) }
    }

    // Method lookup finds these before the methods of the same name that take references. So they have to
    // mean the same: the smaller number, not the smaller representation.
    fn min(self, other: Self) -> Self {
        Nat::min(&self, &other)
    }

    fn max(self, other: Self) -> Self {
        Nat::max(&self, &other)
    }
}

impl Summarise for Atom {
    fn summary(&self) -> Summary {
        let of = |number, size, operands: &[&Nat]| {
            let mut summary = Summary::operation(number, size);
            for operand in operands {
                summary.add(operand.0.summary, 1);
            }
            summary
        };
        match self {
            Atom::Var(var) => Summary::variable(var.mask(), var.id()),
            Atom::Divide(a, b) => of(1, 2, &[a, b]),
            Atom::Modulo(a, b) => of(2, 2, &[a, b]),
            Atom::Minimum(a, b) => of(3, 2, &[a, b]),
            Atom::Maximum(a, b) => of(4, 2, &[a, b]),
            Atom::Power(a, b) => of(5, 2, &[a, b]),
            Atom::Log2(a) => of(6, 2, &[a]),
            Atom::Sum { index, from, to, body } => {
                let mut summary = of(7, 8, &[from, to, body]);
                summary.bind(index.mask(), index.bound_level());
                summary
            }
            Atom::Select(condition, a, b) => {
                let mut operands = condition.operands();
                operands.extend([a, b]);
                of(8, 4, &operands)
            }
        }
    }
}

impl Atom {
    /// Whether there are sums over an index inside.
    pub(super) fn has_sums(&self) -> bool {
        self.summary().levels > 0
    }
}

impl Term {
    /// The constant term.
    fn constant(coefficient: i128) -> Self {
        Self { factors: Factors::default(), coefficient }
    }

    /// The sum of the powers.
    pub(crate) fn degree(&self) -> u32 {
        self.factors.iter().fold(0, |degree, (_, power)| degree.saturating_add(*power))
    }

    /// Whether it is without `/`, `%`, `min`, and the like.
    pub(crate) fn is_product_of_variables(&self) -> bool {
        self.factors.summary().is_plain
    }

    /// Whether a variable may be in it. It may say so wrongly: it compares bit masks.
    pub(super) fn may_mention(&self, var: &Var) -> bool {
        self.factors.summary().mask & var.mask() != 0
    }

    /// Whether the term is a number.
    #[inline(always)]
    pub(crate) fn is_constant(&self) -> bool {
        self.factors.is_empty()
    }
}

impl Nat {
    /// A number of its own: [`constant`](Self::constant) shares small ones.
    pub(super) fn unshared(value: i128) -> Self {
        Self::from_term(Term::constant(value))
    }

    /// A variable.
    pub fn variable(var: &Var) -> Self {
        Self::from_atom(Atom::Var(var.clone()))
    }

    /// The value, where it is a number.
    #[inline(always)]
    pub fn as_constant(&self) -> Option<i128> {
        match self.0.terms.as_slice() {
            [] => Some(0),
            [term] if term.is_constant() => Some(term.coefficient),
            _ => None,
        }
    }

    /// The variable that this is; `None` for anything else.
    pub fn as_variable(&self) -> Option<&Var> {
        match self.as_atom()? {
            Atom::Var(var) => Some(var),
            _ => None,
        }
    }

    /// The terms whose sum this is, for printers and analyses: the constant first, none for 0.
    #[inline(always)]
    pub fn terms(&self) -> &[Term] {
        &self.0.terms
    }

    /// The two numbers whose minimum it is, if it is one.
    pub(crate) fn as_minimum(&self) -> Option<(&Nat, &Nat)> {
        match self.as_atom()? {
            Atom::Minimum(left, right) => Some((left, right)),
            _ => None,
        }
    }

    /// `n`, if this is `max(n, 0)`.
    pub(crate) fn as_positive_part(&self) -> Option<&Nat> {
        match self.as_atom()? {
            Atom::Maximum(number, zero) if zero.is_zero() => Some(number),
            Atom::Maximum(zero, number) if zero.is_zero() => Some(number),
            _ => None,
        }
    }

    /// The dividend and the divisor of which it is the quotient, if it is one.
    pub(crate) fn as_quotient(&self) -> Option<(&Nat, &Nat)> {
        match self.as_atom()? {
            Atom::Divide(dividend, divisor) => Some((dividend, divisor)),
            _ => None,
        }
    }

    /// The atom that this is; `None` for anything else.
    pub(crate) fn as_atom(&self) -> Option<&Atom> {
        match self.0.terms.as_slice() {
            [Term { coefficient: 1, factors }] => match factors.as_slice() {
                [(atom, 1)] => Some(atom),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether there are sums over an index inside.
    pub(crate) fn has_sums(&self) -> bool {
        self.0.summary.levels > 0
    }

    /// Whether this is 0.
    pub(crate) fn is_zero(&self) -> bool {
        self.0.terms.is_empty()
    }

    /// The constant term.
    pub(crate) fn constant_term(&self) -> i128 {
        match self.0.terms.first() {
            Some(term) if term.is_constant() => term.coefficient,
            _ => 0,
        }
    }

    /// The terms other than the constant one.
    pub(crate) fn variable_terms(&self) -> &[Term] {
        match self.0.terms.split_first() {
            Some((first, rest)) if first.is_constant() => rest,
            _ => &self.0.terms,
        }
    }

    /// `self - other` where that is a number.
    pub(super) fn constant_difference(&self, other: &Nat) -> Option<i128> {
        if self.variable_terms() != other.variable_terms() {
            return None;
        }
        self.constant_term().checked_sub(other.constant_term())
    }

    pub(crate) fn from_atom(atom: Atom) -> Self {
        Self::from_term(Term { factors: Factors::of_atom(atom), coefficient: 1 })
    }

    /// Whether there is more than sums and products of variables and numbers inside.
    pub(crate) fn has_operations(&self) -> bool {
        !self.0.summary.is_plain
    }

    /// Whether its size is above this: variables, numbers and operations, where shared parts count as often
    /// as they occur.
    pub(crate) fn is_larger_than(&self, size: u32) -> bool {
        self.0.summary.size > size
    }

    /// Its terms, each as an expression.
    pub(crate) fn split_terms(&self) -> Vec<Nat> {
        self.terms().iter().cloned().map(Nat::from_term).collect()
    }

    /// The sum of some of its terms.
    pub(crate) fn with_terms(&self, is_wanted: impl Fn(&Term) -> bool) -> Nat {
        Nat::from_sorted(self.terms().iter().filter(|term| is_wanted(term)).cloned().collect())
    }

    /// The term at a position, and the sum of the others.
    pub(super) fn without_term(&self, position: usize) -> (Term, Nat) {
        let terms = self.terms();
        let rest = match terms.len() {
            1 => Nat::zero(),
            2 => Nat::from_term(terms[1 - position].clone()),
            _ => {
                let mut rest = terms.to_vec();
                rest.remove(position);
                Nat::from_sorted(rest)
            }
        };
        (terms[position].clone(), rest)
    }

    /// A single term. Most expressions are one, so that it takes no walk over terms.
    pub(crate) fn from_term(term: Term) -> Self {
        if term.coefficient == 0 {
            return Self::from_canonical(Terms::Several(Vec::new()));
        }
        let mut summary = Summary::NOTHING;
        summary.add_term(term.factors.summary(), term.coefficient);
        let hash_of_variable_terms = if term.is_constant() { Summary::NOTHING.hash } else { summary.hash };
        Self(Arc::new(Node { terms: Terms::One([term]), summary, hash_of_variable_terms }))
    }

    /// An atom for an expression that must not be multiplied out.
    pub(super) fn opaque(of: &Nat) -> Atom {
        Atom::Power(of.clone(), Nat::one())
    }

    /// The sum of terms that already are in canonical order.
    pub(super) fn from_sorted(terms: Vec<Term>) -> Self {
        Self::from_canonical(Terms::Several(terms))
    }

    fn from_canonical(terms: Terms<Term>) -> Self {
        let (number, variable_terms) = match terms.as_slice() {
            [first, rest @ ..] if first.is_constant() => (Some(first.coefficient), rest),
            all => (None, all),
        };
        let mut summary = Summary::NOTHING;
        let mut rest = variable_terms;
        while let [term, behind @ ..] = rest {
            summary.add_term(term.factors.summary(), term.coefficient);
            rest = behind;
        }
        let hash_of_variable_terms = summary.hash;
        if let Some(number) = number {
            summary.add_term(&Summary::NOTHING, number);
        }
        Self(Arc::new(Node { terms, summary, hash_of_variable_terms }))
    }

    /// The sum of terms in any order.
    pub(super) fn from_terms(mut terms: Vec<Term>) -> Self {
        if terms.len() <= 1 {
            return terms.pop().map_or_else(Nat::zero, Self::from_term);
        }
        terms.sort_by(|a, b| a.factors.cmp(&b.factors));
        let mut collected: Vec<Term> = Vec::with_capacity(terms.len());
        let mut overflowed = Vec::new();
        for term in terms {
            match collected.last_mut() {
                Some(last) if last.factors == term.factors => {
                    match last.coefficient.checked_add(term.coefficient) {
                        Some(sum) => last.coefficient = sum,
                        None => overflowed.push(term),
                    }
                }
                _ => collected.push(term),
            }
        }
        collected.retain(|term| term.coefficient != 0);
        let sum = Self::from_sorted(collected);
        overflowed.into_iter().fold(sum, |sum, term| &sum + &Self::opaque_coefficient(term))
    }
}
