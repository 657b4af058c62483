//! The factors of a product.
//!
//! Arithmetic on sums copies terms far more often than it makes new ones. So the factors of a term are
//! shared, two terms with the same ones are often recognised by that alone, and the summary of a product is
//! found once.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use super::summary::{Summarise, Summary};
use super::terms::Terms;

/// Atoms with their powers: sorted, no atom twice, each at least to the power 1. Cloning is cheap.
pub struct Factors<Atom> {
    /// `None` for the constant term, which needs no memory.
    shared: Option<Arc<Product<Atom>>>,
}

impl<Atom> Clone for Factors<Atom> {
    #[inline(always)]
    fn clone(&self) -> Self {
        match &self.shared {
            Some(product) => Self { shared: Some(product.clone()) },
            None => Self { shared: None },
        }
    }
}

/// What terms with the same factors share.
struct Product<Atom> {
    factors: Terms<(Atom, u32)>,
    summary: Summary,
}

impl<Atom> Factors<Atom> {
    /// All factors.
    #[inline(always)]
    pub fn as_slice(&self) -> &[(Atom, u32)] {
        match &self.shared {
            Some(product) => product.factors.as_slice(),
            None => &[],
        }
    }

    /// The summary of the product.
    #[inline(always)]
    pub(super) fn summary(&self) -> &Summary {
        match &self.shared {
            Some(product) => &product.summary,
            None => &Summary::NOTHING,
        }
    }

    /// Whether both are the same in memory.
    #[inline(always)]
    fn is_shared_with(&self, other: &Self) -> bool {
        match (&self.shared, &other.shared) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }
}

impl<Atom: Clone + PartialEq + Summarise> Factors<Atom> {
    /// One atom.
    pub(super) fn of_atom(atom: Atom) -> Self {
        let mut summary = Summary::NOTHING;
        summary.add(atom.summary(), 1);
        Self { shared: Some(Arc::new(Product { factors: Terms::One([(atom, 1)]), summary })) }
    }

    /// The position of an atom and its power.
    pub(super) fn find(&self, atom: &Atom) -> Option<(usize, u32)> {
        let factors = self.as_slice();
        let mut position = 0;
        while position < factors.len() {
            let (own, power) = &factors[position];
            if own == atom {
                return Some((position, *power));
            }
            position += 1;
        }
        None
    }

    /// The product without the factor at a position, whatever its power.
    #[must_use]
    pub(super) fn without(&self, position: usize) -> Self {
        if self.len() == 1 {
            return Self::default();
        }
        let mut factors = self.to_vec();
        factors.remove(position);
        factors.into()
    }

    /// The product with the power of the factor at a position one lower.
    #[must_use]
    pub(crate) fn with_power_lowered(&self, position: usize) -> Self {
        match self.get(position) {
            Some((_, 1)) => self.without(position),
            _ => {
                let mut factors = self.to_vec();
                factors.iter_mut().skip(position).take(1).for_each(|(_, power)| *power -= 1);
                factors.into()
            }
        }
    }
}

impl<Atom> Default for Factors<Atom> {
    fn default() -> Self {
        Self { shared: None }
    }
}

impl<Atom: fmt::Debug> fmt::Debug for Factors<Atom> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(formatter)
    }
}

impl<Atom> Deref for Factors<Atom> {
    type Target = [(Atom, u32)];

    #[inline(always)]
    fn deref(&self) -> &Self::Target {
        self.as_slice()
    }
}

impl<Atom: PartialEq> PartialEq for Factors<Atom> {
    fn eq(&self, other: &Self) -> bool {
        self.is_shared_with(other)
            || self.summary().hash == other.summary().hash && self.as_slice() == other.as_slice()
    }
}

impl<Atom: Eq> Eq for Factors<Atom> {}

impl<Atom: Ord> PartialOrd for Factors<Atom> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<Atom: Ord> Ord for Factors<Atom> {
    /// The order of lists. It is spelt out because sums are merged by it: the generic one takes several calls
    /// for each factor.
    fn cmp(&self, other: &Self) -> Ordering {
        if self.is_shared_with(other) {
            return Ordering::Equal;
        }
        let (mut left, mut right) = (self.as_slice(), other.as_slice());
        while let ([(x, x_power), left_rest @ ..], [(y, y_power), right_rest @ ..]) = (left, right) {
            match x.cmp(y) {
                Ordering::Equal if x_power == y_power => (left, right) = (left_rest, right_rest),
                Ordering::Equal => return x_power.cmp(y_power),
                different => return different,
            }
        }
        left.len().cmp(&right.len())
    }
}

impl<Atom: Summarise> From<Vec<(Atom, u32)>> for Factors<Atom> {
    fn from(factors: Vec<(Atom, u32)>) -> Self {
        if factors.is_empty() {
            return Self::default();
        }
        let mut summary = Summary::NOTHING;
        for (atom, power) in &factors {
            summary.add(atom.summary(), *power);
        }
        Self { shared: Some(Arc::new(Product { factors: Terms::Several(factors), summary })) }
    }
}

impl<Atom: Summarise> FromIterator<(Atom, u32)> for Factors<Atom> {
    fn from_iter<I: IntoIterator<Item = (Atom, u32)>>(factors: I) -> Self {
        Vec::from_iter(factors).into()
    }
}

impl<'a, Atom> IntoIterator for &'a Factors<Atom> {
    type Item = &'a (Atom, u32);
    type IntoIter = std::slice::Iter<'a, (Atom, u32)>;

    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}
