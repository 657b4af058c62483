//! Substitution: variables of an expression are replaced by expressions.
//!
//! What must stay true: the index that a sum binds is renamed where a value mentions it (capture is avoided).

use std::cell::RefCell;
use std::sync::Arc;

use super::expression::{Atom, Condition, Nat, Term};
use super::memo::Memo;
use super::variable::Var;
use crate::flat::FlatMap;

/// Values for variables, which replace them all at once.
pub type Substitution = FlatMap<Var, Nat>;

impl Nat {
    /// The expression with variables replaced, all at once.
    pub fn substitute(&self, substitution: &Substitution) -> Nat {
        match self.as_variable() {
            _ if substitution.is_empty() || self.0.summary.mask == 0 => self.clone(),
            Some(variable) => substitution.get(variable).unwrap_or(self).clone(),
            None => Replacement::new(substitution).replace(self),
        }
    }

    /// The expression with one variable replaced.
    pub(super) fn substitute_one(&self, var: &Var, value: &Nat) -> Nat {
        if self.0.summary.mask & var.mask() == 0 {
            return self.clone();
        }
        self.substitute(&FlatMap::from([(var.clone(), value.clone())]))
    }
}

impl Condition {
    /// The condition with variables replaced, all at once.
    pub fn substitute(&self, substitution: &Substitution) -> Condition {
        let replacement = Replacement::new(substitution);
        self.map_operands(&mut |operand| replacement.replace(operand))
    }
}

/// Parts up to this size are replaced wherever they occur: that takes less time than looking for them.
const SMALL: u32 = 16;

/// One run of a substitution: large shared parts are replaced once.
struct Replacement<'a> {
    substitution: &'a Substitution,
    mask: u64,
    /// The results for nodes that the expression keeps alive, by where they are in memory.
    done: RefCell<Memo<usize, Nat>>,
}

impl<'a> Replacement<'a> {
    fn new(substitution: &'a Substitution) -> Self {
        let mask = substitution.keys().fold(0, |mask, var| mask | var.mask());
        Self { substitution, mask, done: RefCell::default() }
    }

    fn replace(&self, n: &Nat) -> Nat {
        if n.0.summary.mask & self.mask == 0 {
            return n.clone();
        }
        if n.0.summary.size <= SMALL {
            return self.replace_terms(n);
        }
        let node = Arc::as_ptr(&n.0).addr();
        if let Some(done) = self.done.borrow().get(&node) {
            return done.clone();
        }
        let total = self.replace_terms(n);
        self.done.borrow_mut().insert(node, total.clone());
        total
    }

    fn replace_terms(&self, n: &Nat) -> Nat {
        let may_change = |term: &Term| term.factors.summary().mask & self.mask != 0;
        n.with_terms_replaced(may_change, |atom| match atom {
            Atom::Var(var) => self.substitution.get(var).cloned(),
            _ => Some(self.replace_operands(atom)),
        })
    }

    fn replace_operands(&self, atom: &Atom) -> Nat {
        match atom {
            Atom::Sum { index, from, to, body } => {
                let (from, to) = (self.replace(from), self.replace(to));
                let (index, body) = self.replace_under(index, body);
                Nat::sum(&index, &from, &to, &body)
            }
            Atom::Var(_)
            | Atom::Divide(..)
            | Atom::Modulo(..)
            | Atom::Minimum(..)
            | Atom::Maximum(..)
            | Atom::Power(..)
            | Atom::Log2(..)
            | Atom::Select(..) => atom.map(&mut |part| self.replace(part)),
        }
    }

    /// The body of a sum with variables replaced, and its index, renamed where a value mentions it.
    fn replace_under(&self, index: &Var, body: &Nat) -> (Var, Nat) {
        let captured =
            self.substitution.iter().any(|(var, value)| body.mentions(var) && value.mentions(index));
        if !captured && !self.substitution.contains_key(index) {
            return (index.clone(), self.replace(body));
        }
        let mut level = self
            .substitution
            .values()
            .fold(body.0.summary.levels, |level, value| level.max(value.0.summary.levels));
        loop {
            let renamed = Var::bound(level, index.shared_name());
            let is_taken = |n: &Nat| n.mentions(&renamed);
            if !is_taken(body)
                && !self.substitution.iter().any(|(var, value)| *var == renamed || is_taken(value))
            {
                let mut substitution = self.substitution.clone();
                substitution.insert(index.clone(), Nat::variable(&renamed));
                return (renamed, body.substitute(&substitution));
            }
            level = level.saturating_add(1);
        }
    }
}

impl Atom {
    /// The operation applied to other operands; an index bound by a sum stays.
    pub(super) fn map(&self, replace: &mut impl FnMut(&Nat) -> Nat) -> Nat {
        match self {
            Atom::Var(var) => Nat::variable(var),
            Atom::Divide(a, b) => replace(a).divide(&replace(b)),
            Atom::Modulo(a, b) => replace(a).modulo(&replace(b)),
            Atom::Minimum(a, b) => Nat::min(&replace(a), &replace(b)),
            Atom::Maximum(a, b) => Nat::max(&replace(a), &replace(b)),
            Atom::Power(a, b) => replace(a).pow(&replace(b)),
            Atom::Log2(a) => replace(a).log2(),
            Atom::Sum { index, from, to, body } => {
                Nat::sum(index, &replace(from), &replace(to), &replace(body))
            }
            Atom::Select(condition, a, b) => {
                Nat::select(&condition.map_operands(replace), &replace(a), &replace(b))
            }
        }
    }
}
