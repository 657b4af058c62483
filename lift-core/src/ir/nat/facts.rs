//! What is known about variables, in the form proofs use.
//!
//! Every fact is `n >= 0`, kept as a bound of one of its atoms (`learn` chooses the atom), in terms of the
//! quotients that are known to be exact (`translation`).

use std::sync::Arc;

use super::expression::{Atom, Nat};
use super::interval::Interval;
use super::translation::Translation;
use super::variable::Var;
use super::witnesses::Witnesses;
use crate::flat::FlatMap;

/// A bound of an atom `x`: `scale * x` is at least, or at most, `value`; `scale` is positive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    pub(super) scale: i128,
    pub(super) value: Nat,
}

/// The bounds of one atom.
#[derive(Clone, Debug, Default)]
pub(super) struct Bounds {
    pub(super) lower: Vec<Bound>,
    pub(super) upper: Vec<Bound>,
    /// Upper bounds of a variable by operations that do not depend on it. They serve proofs only: as extreme
    /// values they are large.
    pub(super) below_operations: Vec<Bound>,
    pub(super) interval: Interval,
}

/// The last variable that an atom mentions, its kind, and its size.
pub(super) type Dependence = (u32, u32, u32);

/// All that is known.
#[derive(Clone, Default)]
pub(super) struct Facts {
    /// The position at which each variable was first mentioned.
    pub(super) order: FlatMap<Var, u32>,
    /// Every stated `n >= 0`.
    pub(super) stated: Vec<Nat>,
    /// Bounds by atom, translated. Knowledge inside of a loop shares those that it adds nothing to.
    pub(super) bounds: FlatMap<Atom, Arc<Bounds>>,
    /// The quotients of divisibility facts.
    pub(super) translation: Arc<Translation>,
    /// Values that agree with all of it.
    pub(super) witnesses: Witnesses,
    /// Divisibility that defines no variable: divisor and dividend, translated.
    pub(super) divisible: Vec<(Nat, Nat)>,
}

impl Facts {
    /// The expression in terms of quotients.
    pub(super) fn translate(&self, n: &Nat) -> Nat {
        self.translation.translate(n)
    }

    /// The expression with quotients written as divisions, or as the dividend where the divisor is a factor.
    pub(super) fn restore(&self, n: &Nat) -> Nat {
        self.translation.restore(n)
    }

    /// Whether the expression is the same in terms of quotients. It may say no wrongly.
    pub(super) fn keeps(&self, n: &Nat) -> bool {
        self.translation.keeps(n)
    }

    /// Whether an expression is a variable that may have any remainder: it has no upper bound, and nothing
    /// was stated about its remainders.
    pub(super) fn has_any_remainder(&self, n: &Nat) -> bool {
        let is_unbounded = |var: &Var| {
            self.bounds(&Atom::Var(var.clone()))
                .is_none_or(|bounds| bounds.upper.is_empty() && bounds.interval.high.is_none())
        };
        self.divisible.is_empty() && n.as_variable().is_some_and(|var| self.keeps(n) && is_unbounded(var))
    }

    /// The bounds of an atom.
    pub(super) fn bounds(&self, atom: &Atom) -> Option<&Bounds> {
        self.bounds.get(atom).map(Arc::as_ref)
    }

    /// The place of an atom in the order of elimination: operations before variables, later variables first.
    pub(super) fn rank(&self, atom: &Atom) -> (u32, u32) {
        match atom {
            Atom::Var(var) => (0, self.order.get(var).map_or(0, |order| order.saturating_add(1))),
            Atom::Power(..) | Atom::Log2(..) => (1, 0),
            Atom::Sum { .. } => (1, 1),
            Atom::Divide(..) | Atom::Modulo(..) => (2, 0),
            Atom::Minimum(..) | Atom::Maximum(..) | Atom::Select(..) => (3, 0),
        }
    }

    /// The place of an atom in the order of proofs: what depends on later variables first, and of what depends
    /// on the same variables, operations before these, and larger ones before what may be inside them.
    pub(super) fn dependence(&self, atom: &Atom) -> Dependence {
        let place = |var: &Var| self.order.get(var).map_or(0, |order| order.saturating_add(1));
        match atom {
            Atom::Var(var) => (place(var), 0, 0),
            operation => {
                let n = Nat::from_atom(operation.clone());
                let latest = n.variables().iter().map(place).max().unwrap_or(0);
                (latest, self.rank(operation).0, n.0.summary.size)
            }
        }
    }

    /// Introduces a variable, unless it is known.
    pub(super) fn introduce(&mut self, var: &Var) {
        if self.is_new(var) {
            self.witnesses.introduce(var);
        }
    }

    /// Gives a variable its place in the order, unless it has one. Returns whether it had none.
    pub(super) fn is_new(&mut self, var: &Var) -> bool {
        if self.order.contains_key(var) {
            return false;
        }
        let next = u32::try_from(self.order.len()).unwrap_or(u32::MAX);
        self.order.insert(var.clone(), next);
        true
    }

    /// Whether anything was said about a variable.
    pub(super) fn is_introduced(&self, var: &Var) -> bool {
        self.order.contains_key(var)
    }
}
