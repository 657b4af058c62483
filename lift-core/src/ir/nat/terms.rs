//! The terms of a sum.
//!
//! What only reads a field is inlined always, here and in the neighbours: it is called most often of all, and
//! procedural macros are built without optimisation.

use std::cmp::Ordering;
use std::ops::Deref;

/// Terms in canonical order. Most sums are a single number, variable or product, and need no list.
#[derive(Debug)]
pub(super) enum Terms<Term> {
    One([Term; 1]),
    Several(Vec<Term>),
}

impl<Term> Terms<Term> {
    /// All terms.
    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[Term] {
        match self {
            Terms::One(term) => term,
            Terms::Several(terms) => terms,
        }
    }
}

impl<Term> Deref for Terms<Term> {
    type Target = [Term];

    #[inline(always)]
    fn deref(&self) -> &Self::Target {
        self.as_slice()
    }
}

impl<Term: PartialEq> PartialEq for Terms<Term> {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<Term: Eq> Eq for Terms<Term> {}

impl<Term: Ord> PartialOrd for Terms<Term> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<Term: Ord> Ord for Terms<Term> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_slice().cmp(other.as_slice())
    }
}
