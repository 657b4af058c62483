//! Elaboration under an assumption: an index lies in its range, or a condition holds.
//!
//! An assumption ends with what is elaborated under it. What was needed meanwhile is then needed for every
//! value of the index, or only where the condition holds, so that nothing left to the launch mentions an
//! index.

use super::error::{Error, NeedMistake};
use super::inference::Inference;
use super::need::{Need, Reason};
use crate::ir::nat::{Condition, Nat, Ranges, Substitution, Var};
use crate::ir::typed::Requirement;

/// Up to this literal count, every index is tried.
const CHECKED_COUNT: i128 = 256;

/// What is restored when an assumption ends.
pub(super) struct Outside {
    facts: Ranges,
    needs: usize,
    first: u32,
}

impl Inference<'_> {
    /// Elaborates where `index` lies in `0..count`.
    pub(super) fn under_index<T>(
        &mut self,
        index: &Var,
        count: &Nat,
        elaborate: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outside = self.enter();
        self.unknowns.positions.insert(index.clone());
        self.facts = self.facts.with_position(index, &Nat::zero(), count);
        // Nothing is needed for the elements of an empty array.
        let unreached = usize::from(count.as_constant() == Some(0));
        self.unreached += unreached;
        let result = elaborate(self);
        self.unreached -= unreached;
        for need in self.leave(outside) {
            match refuted_index(&need, index, count, &self.facts) {
                Some(position) => {
                    let source = need.source;
                    let index = index.clone();
                    self.report(Error::new(source, NeedMistake::RefutedAt { need, index, position }));
                }
                None => {
                    let need = for_every_index(need, index, count, &self.facts);
                    self.need(need);
                }
            }
        }
        result
    }

    /// Elaborates what is computed for the elements of an array. Where the length follows from other sizes, as
    /// in `min(1, N)`, an element says something about these.
    pub(super) fn for_elements<T>(&mut self, length: &Nat, elaborate: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.simplified(length);
        if !length.has_operations() {
            return elaborate(self);
        }
        let outside = self.enter();
        self.facts = self.facts.with_assumed(&Condition::LessOrEqual(Nat::one(), length));
        let result = elaborate(self);
        for need in self.leave(outside) {
            self.need(need);
        }
        result
    }

    /// Elaborates where a condition holds.
    pub(super) fn under_condition<T>(
        &mut self,
        condition: Option<&Condition>,
        elaborate: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let Some(condition) = condition else { return elaborate(self) };
        let outside = self.enter();
        self.facts.assume(condition);
        let result = elaborate(self);
        for need in self.leave(outside) {
            self.need_where(condition, need);
        }
        result
    }

    /// Demands something only where a condition holds. `None` when it never holds.
    pub(super) fn need_where(&mut self, condition: &Condition, need: Need) -> Option<()> {
        let Some(held) = need.requirement.condition() else {
            // It is no condition, so it is demanded even where `condition` does not hold.
            return self.need(need);
        };
        let requirement = Requirement::Holds(condition.clone().negate().or(held));
        let (call, source) = (need.call.clone(), need.source);
        let reason = Reason::Where(condition.clone(), Box::new(need));
        self.need(Need { requirement, reason, call, source })
    }

    /// Begins an assumption.
    pub(super) fn enter(&mut self) -> Outside {
        let first = self.unknowns.vars.fresh("").id();
        Outside { facts: self.facts.clone(), needs: self.needs.len(), first }
    }

    /// Ends an assumption, and returns what was needed meanwhile, which is no longer needed.
    pub(super) fn leave(&mut self, outside: Outside) -> Vec<Need> {
        self.facts = outside.facts;
        for size in self.unknowns.sizes_since(outside.first) {
            self.facts.declare(&size, Nat::zero(), None);
        }
        let inside = self.needs.split_off(outside.needs.min(self.needs.len()));
        inside.iter().map(|need| self.resolved(need)).collect()
    }
}

/// An index for which the need certainly fails. The first and the last are tried, and all of them if they are
/// few.
fn refuted_index(need: &Need, index: &Var, count: &Nat, facts: &Ranges) -> Option<Nat> {
    if !need.requirement.mentions(index) {
        return None;
    }
    let mut facts = facts.clone();
    facts.assume(&Condition::LessOrEqual(Nat::one(), count.clone()));
    let condition = need.requirement.condition()?;
    let fails = |value: &Nat| {
        let there = condition.substitute(&Substitution::from([(index.clone(), value.clone())]));
        facts.decide(&there) == Some(false)
    };
    let candidates = match count.as_constant() {
        Some(count) if count <= CHECKED_COUNT => (0..count).map(Nat::constant).collect(),
        _ => vec![Nat::zero(), count - Nat::one()],
    };
    candidates.into_iter().find(fails)
}

/// What is needed for every index in `0..count`.
fn for_every_index(need: Need, index: &Var, count: &Nat, facts: &Ranges) -> Need {
    if !need.requirement.mentions(index) {
        return need;
    }
    let requirement = need.requirement.for_every(index, &Nat::zero(), count, facts);
    need.for_every(requirement, index, count)
}
