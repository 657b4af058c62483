//! Facts that are learned when the first question is asked about them.
//!
//! A walk enters every loop and every function of a program, and asks nothing in most of them. What is known
//! there waits as the facts outside and what is added to them. What must stay true: the facts outside never
//! change, so that it makes no difference when something is learned.

use std::cell::LazyCell;

use super::facts::Facts;

/// Facts, perhaps not learned yet.
pub(super) struct Learned(LazyCell<Facts, Box<dyn FnOnce() -> Facts>>);

impl Learned {
    /// Facts as they are.
    pub(super) fn of(facts: Facts) -> Learned {
        Learned::later(|| facts)
    }

    /// Facts that are learned when they are asked for.
    pub(super) fn later(learn: impl FnOnce() -> Facts + 'static) -> Learned {
        Learned(LazyCell::new(Box::new(learn)))
    }

    /// The facts.
    pub(super) fn facts(&self) -> &Facts {
        LazyCell::force(&self.0)
    }

    /// The facts, for adding to them.
    pub(super) fn facts_mut(&mut self) -> &mut Facts {
        LazyCell::force_mut(&mut self.0)
    }
}

impl Clone for Learned {
    fn clone(&self) -> Learned {
        Learned::of(self.facts().clone())
    }
}

impl Default for Learned {
    fn default() -> Learned {
        Learned::of(Facts::default())
    }
}
