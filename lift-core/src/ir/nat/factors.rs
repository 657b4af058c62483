//! The factors of a product.
//!
//! Arithmetic on sums copies terms far more often than it makes new ones. So the factors of a term are
//! shared, and two terms with the same ones are often recognised by that alone.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::rc::Rc;

/// Atoms with their powers: sorted, no atom twice, each at least to the power 1. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Factors<Atom> {
    /// `None` for the constant term, which needs no memory.
    shared: Option<Rc<[(Atom, u32)]>>,
}

impl<Atom: Clone + PartialEq> Factors<Atom> {
    /// One atom.
    pub(super) fn of_atom(atom: Atom) -> Self {
        Self { shared: Some(Rc::new([(atom, 1)])) }
    }

    /// All factors.
    pub fn as_slice(&self) -> &[(Atom, u32)] {
        match &self.shared {
            Some(factors) => factors,
            None => &[],
        }
    }

    /// The position of an atom and its power.
    pub(super) fn find(&self, atom: &Atom) -> Option<(usize, u32)> {
        let position = self.iter().position(|(own, _)| own == atom)?;
        self.get(position).map(|(_, power)| (position, *power))
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

    /// Whether both are the same in memory.
    fn is_shared_with(&self, other: &Self) -> bool {
        match (&self.shared, &other.shared) {
            (Some(own), Some(other)) => Rc::ptr_eq(own, other),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }
}

impl<Atom> Default for Factors<Atom> {
    fn default() -> Self {
        Self { shared: None }
    }
}

impl<Atom: Clone + PartialEq> Deref for Factors<Atom> {
    type Target = [(Atom, u32)];

    fn deref(&self) -> &Self::Target {
        self.as_slice()
    }
}

impl<Atom: Clone + PartialEq> PartialEq for Factors<Atom> {
    fn eq(&self, other: &Self) -> bool {
        self.is_shared_with(other) || self.as_slice() == other.as_slice()
    }
}

impl<Atom: Clone + Eq> Eq for Factors<Atom> {}

impl<Atom: Clone + Ord> PartialOrd for Factors<Atom> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<Atom: Clone + Ord> Ord for Factors<Atom> {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.is_shared_with(other) { Ordering::Equal } else { self.as_slice().cmp(other.as_slice()) }
    }
}

impl<Atom: Clone + PartialEq + Hash> Hash for Factors<Atom> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_slice().hash(state);
    }
}

impl<Atom> From<Vec<(Atom, u32)>> for Factors<Atom> {
    fn from(factors: Vec<(Atom, u32)>) -> Self {
        Self { shared: (!factors.is_empty()).then(|| factors.into()) }
    }
}

impl<Atom> FromIterator<(Atom, u32)> for Factors<Atom> {
    fn from_iter<I: IntoIterator<Item = (Atom, u32)>>(factors: I) -> Self {
        Vec::from_iter(factors).into()
    }
}

impl<'a, Atom: Clone + PartialEq> IntoIterator for &'a Factors<Atom> {
    type Item = &'a (Atom, u32);
    type IntoIter = std::slice::Iter<'a, (Atom, u32)>;

    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}
