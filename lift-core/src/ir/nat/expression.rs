//! The representation: a sorted sum of products of powers of atoms, with checked coefficients.
//!
//! Invariants of every [`Nat`]: terms are sorted by their factors, no two terms have the same
//! factors, no coefficient is zero, factors are sorted by atom and no atom occurs twice in a term. A
//! coefficient that would overflow, or a product that would grow past [`PRODUCT_LIMIT`] terms, is kept as the
//! opaque atom `pow(n, 1)`: nothing wraps and nothing panics.

use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};
use std::rc::Rc;

use super::condition::Condition;
use super::variable::Var;

/// Products of sums with more terms than this stay products.
const PRODUCT_LIMIT: usize = 128;

/// The most factors as which a power is printed: beyond the 64th, only the sizes 0 and 1 have one.
const MOST_FACTORS: u32 = 64;

/// An integer-valued expression over variables, in canonical form. Cloning is cheap.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Nat(pub(super) Rc<Node>);

/// The shared body of a [`Nat`], with the summaries that make walks short.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Node {
    pub(super) terms: Vec<Term>,
    /// The union of the masks of the variables inside.
    pub(super) mask: u64,
    /// One more than the highest level of a sum inside, 0 without sums.
    pub(super) levels: u32,
    /// The number of variables, numbers and operations; shared parts count as often as they occur.
    pub(super) size: u32,
}

/// One product: a coefficient times powers of atoms. The constant term has no factors.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term {
    /// The atoms with their powers, sorted, each at least to the power 1.
    pub factors: Vec<(Atom, u32)>,
    /// The coefficient, never zero.
    pub coefficient: i128,
}

/// A factor of a product: a variable, or an operation that does not distribute.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

impl PartialOrd for Nat {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Nat {
    fn cmp(&self, other: &Self) -> Ordering {
        if Rc::ptr_eq(&self.0, &other.0) { Ordering::Equal } else { self.0.terms.cmp(&other.0.terms) }
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

impl Atom {
    /// The mask of the variables inside, the number of levels of sums, and the size.
    fn summary(&self) -> (u64, u32, u32) {
        let all = |parts: &[&Nat], own: u32| {
            let (mut mask, mut levels, mut size): (u64, u32, u32) = (0, 0, own);
            for part in parts {
                mask |= part.0.mask;
                levels = levels.max(part.0.levels);
                size = size.saturating_add(part.0.size);
            }
            (mask, levels, size)
        };
        match self {
            Atom::Var(var) => (var.mask(), 0, 1),
            Atom::Divide(a, b)
            | Atom::Modulo(a, b)
            | Atom::Minimum(a, b)
            | Atom::Maximum(a, b)
            | Atom::Power(a, b) => all(&[a, b], 2),
            Atom::Log2(a) => all(&[a], 2),
            Atom::Sum { index, from, to, body } => {
                let (mask, levels, size) = all(&[from, to, body], 8);
                let own = index.bound_level().map_or(0, |level| level.saturating_add(1));
                (mask | index.mask(), levels.max(own), size)
            }
            Atom::Select(condition, a, b) => {
                let mut parts = condition.operands();
                parts.extend([a, b]);
                all(&parts, 4)
            }
        }
    }
}

impl Atom {
    /// Whether there are sums over an index inside.
    pub(super) fn has_sums(&self) -> bool {
        let (_, levels, _) = self.summary();
        levels > 0
    }
}

impl Term {
    /// The constant term.
    fn constant(coefficient: i128) -> Self {
        Self { factors: Vec::new(), coefficient }
    }

    /// The sum of the powers.
    pub(super) fn degree(&self) -> u32 {
        self.factors.iter().fold(0, |degree, (_, power)| degree.saturating_add(*power))
    }

    /// Whether it is without `/`, `%`, `min`, and the like.
    pub(crate) fn is_product_of_variables(&self) -> bool {
        self.factors.iter().all(|(atom, _)| matches!(atom, Atom::Var(_)))
    }

    /// Whether this is a number.
    pub(super) fn is_constant(&self) -> bool {
        self.factors.is_empty()
    }
}

impl Nat {
    /// A number.
    pub fn constant(value: i128) -> Self {
        Self::from_sorted(if value == 0 { Vec::new() } else { vec![Term::constant(value)] })
    }

    /// A variable.
    pub fn variable(var: &Var) -> Self {
        Self::from_atom(Atom::Var(var.clone()))
    }

    /// 0.
    pub fn zero() -> Self {
        Self::constant(0)
    }

    /// 1.
    pub fn one() -> Self {
        Self::constant(1)
    }

    /// The value, where it is a number.
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
    pub fn terms(&self) -> &[Term] {
        &self.0.terms
    }

    /// The atom that this is; `None` for anything else.
    pub(super) fn as_atom(&self) -> Option<&Atom> {
        match self.0.terms.as_slice() {
            [Term { coefficient: 1, factors }] => match factors.as_slice() {
                [(atom, 1)] => Some(atom),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether there are sums over an index inside.
    pub(super) fn has_sums(&self) -> bool {
        self.0.levels > 0
    }

    /// Whether this is 0.
    pub(super) fn is_zero(&self) -> bool {
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
        Self::from_sorted(vec![Term { factors: vec![(atom, 1)], coefficient: 1 }])
    }

    /// Whether it has a value under every assignment: nothing is divided by something that may be 0.
    pub(crate) fn is_total(&self) -> bool {
        super::evaluate::is_total(self)
    }

    /// An expression that has the same value where this one has a value, and any value elsewhere.
    pub(crate) fn made_total(&self) -> Nat {
        super::evaluate::made_total(self)
    }

    /// `coefficient` and `rest` where this is `coefficient * variable + rest` and neither mentions the
    /// variable.
    pub(crate) fn linear_in(&self, variable: &Var) -> Option<(Nat, Nat)> {
        let (coefficient, rest) = super::prove::linear_in(self, &Atom::Var(variable.clone()))?;
        (!coefficient.mentions(variable) && !rest.mentions(variable)).then_some((coefficient, rest))
    }

    /// Whether its size is above this: variables, numbers and operations, where shared parts count as often
    /// as they occur.
    pub(crate) fn is_larger_than(&self, size: u32) -> bool {
        self.0.size > size
    }

    /// Its terms, each as an expression.
    pub(crate) fn split_terms(&self) -> Vec<Nat> {
        self.terms().iter().cloned().map(Nat::from_term).collect()
    }

    pub(crate) fn from_term(term: Term) -> Self {
        Self::from_sorted(if term.coefficient == 0 { Vec::new() } else { vec![term] })
    }

    /// Keeps an expression from being multiplied out.
    fn opaque(of: &Nat) -> Atom {
        Atom::Power(of.clone(), Nat::one())
    }

    /// The sum of terms that already are in canonical order.
    pub(super) fn from_sorted(terms: Vec<Term>) -> Self {
        let (mut mask, mut levels, mut size) = (0, 0, 0_u32);
        for term in &terms {
            size = size.saturating_add(1);
            for (atom, power) in &term.factors {
                let (atom_mask, atom_levels, atom_size) = atom.summary();
                mask |= atom_mask;
                levels = levels.max(atom_levels);
                size = size.saturating_add(atom_size.saturating_mul(*power));
            }
        }
        Self(Rc::new(Node { terms, mask, levels, size }))
    }

    /// The sum of terms in any order.
    pub(super) fn from_terms(mut terms: Vec<Term>) -> Self {
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

    /// A term whose coefficient has become an opaque factor, because it cannot take part in arithmetic.
    fn opaque_coefficient(term: Term) -> Nat {
        let opaque = Self::opaque(&Nat::constant(term.coefficient));
        let coefficient = Term { coefficient: 1, factors: vec![(opaque, 1)] };
        multiply_terms_slowly(&coefficient, &Term { coefficient: 1, factors: term.factors })
    }

    /// The product with a number.
    pub(super) fn scale(&self, factor: i128) -> Nat {
        match factor {
            0 => return Nat::zero(),
            1 => return self.clone(),
            _ => {}
        }
        let mut terms = Vec::with_capacity(self.0.terms.len());
        for term in &self.0.terms {
            match term.coefficient.checked_mul(factor) {
                Some(coefficient) => terms.push(Term { coefficient, factors: term.factors.clone() }),
                None => return multiply(self, &Nat::constant(factor)),
            }
        }
        // Neither the order nor the variables change.
        Self(Rc::new(Node { terms, mask: self.0.mask, levels: self.0.levels, size: self.0.size }))
    }

    /// The product of a term's factors, each replaced.
    pub(super) fn product_of(term: &Term, mut replace: impl FnMut(&Atom) -> Nat) -> Nat {
        let mut factors = term.factors.iter().map(|(atom, power)| replace(atom).to_power(*power));
        let coefficient = term.coefficient;
        let first = match factors.next() {
            None => return Nat::constant(coefficient),
            Some(first) if first.terms().len() <= PRODUCT_LIMIT => first.scale(coefficient),
            Some(first) => multiply(&Nat::constant(coefficient), &first),
        };
        factors.fold(first, |product, factor| multiply(&product, &factor))
    }

    /// Repeated multiplication. The power of a single product is a product of higher powers.
    pub(super) fn to_power(&self, power: u32) -> Nat {
        match power {
            0 => return Nat::one(),
            1 => return self.clone(),
            _ => {}
        }
        if let [Term { coefficient: 1, factors }] = self.0.terms.as_slice()
            && !factors.iter().any(|(atom, _)| matches!(atom, Atom::Power(..)))
        {
            let raised: Option<Vec<_>> = factors
                .iter()
                .map(|(atom, own)| {
                    let raised = own.checked_mul(power).filter(|raised| *raised <= MOST_FACTORS)?;
                    Some((atom.clone(), raised))
                })
                .collect();
            return match raised {
                Some(factors) => Nat::from_sorted(vec![Term { coefficient: 1, factors }]),
                None => Nat::from_atom(Atom::Power(self.clone(), Nat::constant(i128::from(power)))),
            };
        }
        if power > 16 && self.as_constant().is_none_or(|value| value.checked_pow(power).is_none()) {
            return Nat::from_atom(Atom::Power(self.clone(), Nat::constant(i128::from(power))));
        }
        (1..power).fold(self.clone(), |product, _| multiply(&product, self))
    }
}

/// The product of two terms, unless a coefficient overflows or powers of one base have to be merged.
fn multiply_terms(a: &Term, b: &Term) -> Option<Term> {
    let coefficient = a.coefficient.checked_mul(b.coefficient)?;
    if a.factors.is_empty() || b.factors.is_empty() {
        let factors = if a.factors.is_empty() { &b.factors } else { &a.factors };
        return Some(Term { coefficient, factors: factors.clone() });
    }
    if common_base(a, b).is_some() {
        return None;
    }
    let mut factors = Vec::with_capacity(a.factors.len() + b.factors.len());
    let (mut left, mut right) = (a.factors.iter().peekable(), b.factors.iter().peekable());
    while let (Some((x, x_power)), Some((y, y_power))) = (left.peek(), right.peek()) {
        match x.cmp(y) {
            Ordering::Less => factors.extend(left.next().cloned()),
            Ordering::Greater => factors.extend(right.next().cloned()),
            Ordering::Equal => {
                factors.push((x.clone(), x_power.checked_add(*y_power)?));
                left.next();
                right.next();
            }
        }
    }
    factors.extend(left.cloned());
    factors.extend(right.cloned());
    Some(Term { coefficient, factors })
}

/// The base of a power that is not an opaque expression.
fn base_of_power(atom: &Atom) -> Option<&Nat> {
    match atom {
        Atom::Power(base, exponent) if exponent.as_constant() != Some(1) => Some(base),
        _ => None,
    }
}

/// Positions of a power in `a` and one in `b` that have the same base.
fn common_base(a: &Term, b: &Term) -> Option<(usize, usize)> {
    for (left, (x, _)) in a.factors.iter().enumerate() {
        let Some(base) = base_of_power(x) else { continue };
        if let Some(right) = b.factors.iter().position(|(y, _)| base_of_power(y) == Some(base)) {
            return Some((left, right));
        }
    }
    None
}

/// The product of two terms in full generality.
fn multiply_terms_slowly(a: &Term, b: &Term) -> Nat {
    if let Some(term) = multiply_terms(a, b) {
        return Nat::from_term(term);
    }
    if let Some((left, right)) = common_base(a, b) {
        let (mut a, mut b) = (a.clone(), b.clone());
        let ((x, x_power), (y, y_power)) = (a.factors.remove(left), b.factors.remove(right));
        if let (Atom::Power(base, x_exponent), Atom::Power(_, y_exponent)) = (x, y) {
            let exponent = &x_exponent.scale(i128::from(x_power)) + &y_exponent.scale(i128::from(y_power));
            let rest = multiply_terms_slowly(&a, &b);
            return multiply(&rest, &base.pow(&exponent));
        }
    }
    // A coefficient or a power overflows: both become opaque factors.
    let factors = |term: &Term| {
        let atom = match term.factors.as_slice() {
            [] => Nat::constant(term.coefficient),
            _ => Nat::from_term(term.clone()),
        };
        Nat::opaque(&atom)
    };
    let (x, y) = (factors(a), factors(b));
    let factors = match x.cmp(&y) {
        Ordering::Less => vec![(x, 1), (y, 1)],
        Ordering::Equal => vec![(x, 2)],
        Ordering::Greater => vec![(y, 1), (x, 1)],
    };
    Nat::from_sorted(vec![Term { coefficient: 1, factors }])
}

fn add(a: &Nat, b: &Nat) -> Nat {
    if a.is_zero() {
        return b.clone();
    }
    if b.is_zero() {
        return a.clone();
    }
    let mut terms = Vec::with_capacity(a.0.terms.len() + b.0.terms.len());
    let (mut left, mut right) = (a.0.terms.as_slice(), b.0.terms.as_slice());
    while let ([x, left_rest @ ..], [y, right_rest @ ..]) = (left, right) {
        match x.factors.cmp(&y.factors) {
            Ordering::Less => {
                terms.push(x.clone());
                left = left_rest;
            }
            Ordering::Greater => {
                terms.push(y.clone());
                right = right_rest;
            }
            Ordering::Equal => {
                let Some(coefficient) = x.coefficient.checked_add(y.coefficient) else {
                    return Nat::from_terms(a.0.terms.iter().chain(&b.0.terms).cloned().collect());
                };
                if coefficient != 0 {
                    terms.push(Term { coefficient, factors: x.factors.clone() });
                }
                (left, right) = (left_rest, right_rest);
            }
        }
    }
    terms.extend_from_slice(left);
    terms.extend_from_slice(right);
    Nat::from_sorted(terms)
}

pub(super) fn multiply(a: &Nat, b: &Nat) -> Nat {
    match (a.0.terms.as_slice(), b.0.terms.as_slice()) {
        ([], _) | (_, []) => Nat::zero(),
        ([Term { coefficient: 1, factors }], _) if factors.is_empty() => b.clone(),
        (_, [Term { coefficient: 1, factors }]) if factors.is_empty() => a.clone(),
        ([x], [y]) => multiply_terms_slowly(x, y),
        (left, right) if left.len().saturating_mul(right.len()) > PRODUCT_LIMIT => {
            let keep = |n: &Nat| match n.0.terms.as_slice() {
                [_] => n.clone(),
                _ => Nat::from_atom(Nat::opaque(n)),
            };
            multiply(&keep(a), &keep(b))
        }
        (left, right) => {
            let mut terms = Vec::with_capacity(left.len() * right.len());
            let mut others = Nat::zero();
            for x in left {
                for y in right {
                    match multiply_terms(x, y) {
                        Some(term) => terms.push(term),
                        None => others = &others + &multiply_terms_slowly(x, y),
                    }
                }
            }
            &Nat::from_terms(terms) + &others
        }
    }
}

impl From<i128> for Nat {
    fn from(value: i128) -> Self {
        Nat::constant(value)
    }
}

impl From<&Nat> for Nat {
    fn from(nat: &Nat) -> Self {
        nat.clone()
    }
}

impl From<&Var> for Nat {
    fn from(var: &Var) -> Self {
        Nat::variable(var)
    }
}

impl Neg for &Nat {
    type Output = Nat;

    fn neg(self) -> Nat {
        self.scale(-1)
    }
}

impl Neg for Nat {
    type Output = Nat;

    fn neg(self) -> Nat {
        self.scale(-1)
    }
}

/// Implements the operator for values and for references.
macro_rules! operator {
    ($trait:ident, $method:ident, $compute:expr) => {
        impl $trait<&Nat> for &Nat {
            type Output = Nat;

            fn $method(self, other: &Nat) -> Nat {
                $compute(self, other)
            }
        }

        impl $trait<Nat> for &Nat {
            type Output = Nat;

            fn $method(self, other: Nat) -> Nat {
                $compute(self, &other)
            }
        }

        impl $trait<&Nat> for Nat {
            type Output = Nat;

            fn $method(self, other: &Nat) -> Nat {
                $compute(&self, other)
            }
        }

        impl $trait<Nat> for Nat {
            type Output = Nat;

            fn $method(self, other: Nat) -> Nat {
                $compute(&self, &other)
            }
        }
    };
}

operator!(Add, add, add);
operator!(Sub, sub, |a: &Nat, b: &Nat| add(a, &b.scale(-1)));
operator!(Mul, mul, multiply);
