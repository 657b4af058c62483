//! Facts that are learned when the first question is asked about them.
//!
//! A walk enters every loop and every function of a program, and asks nothing in most of them. What is known
//! there waits as the facts outside and what is added to them. What must stay true: the facts outside never
//! change, so that it makes no difference when something is learned.

use std::cell::LazyCell;
use std::rc::Rc;

use super::expression::Nat;
use super::facts::Facts;

/// Facts, perhaps not learned yet.
pub(super) struct Learned {
    facts: LazyCell<Facts, Box<dyn FnOnce() -> Facts>>,
    /// The facts outside, if no variable is defined here that is not defined there.
    defined: Option<Rc<Learned>>,
}

/// Whether what is added to facts may define variables by others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Defines {
    /// It defines none.
    Nothing,
    /// It may define some.
    Variables,
}

impl Learned {
    /// Facts as they are.
    pub(super) fn of(facts: Facts) -> Learned {
        Learned { facts: LazyCell::new(Box::new(|| facts)), defined: None }
    }

    /// The facts outside and what `learn` adds to them, when they are asked for.
    pub(super) fn later(
        outside: &Rc<Learned>,
        defines: Defines,
        learn: impl FnOnce(Facts) -> Facts + 'static,
    ) -> Learned {
        let known = outside.clone();
        let facts =
            LazyCell::new(Box::new(move || learn(known.facts().clone())) as Box<dyn FnOnce() -> Facts>);
        Learned { facts, defined: (defines == Defines::Nothing).then(|| outside.clone()) }
    }

    /// The facts.
    pub(super) fn facts(&self) -> &Facts {
        LazyCell::force(&self.facts)
    }

    /// Whether the expression is the same in terms of quotients. It may say no wrongly. Nothing is learned for
    /// that where nothing is defined.
    pub(super) fn keeps(&self, n: &Nat) -> bool {
        match &self.defined {
            Some(outside) => outside.keeps(n),
            None => self.facts().keeps(n),
        }
    }

    /// The facts, for adding to them.
    pub(super) fn facts_mut(&mut self) -> &mut Facts {
        self.defined = None;
        LazyCell::force_mut(&mut self.facts)
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
