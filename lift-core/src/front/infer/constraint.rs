//! What primitives need of sizes: proved, refuted, or left to the launch.
//!
//! A need is decided where it arises. One that is neither proved nor refuted is assumed from then on, since
//! the launch checks it before anything runs, and decided once more at the end, when all sizes are known.

use super::error::{Error, NeedMistake};
use super::inference::Inference;
use super::need::Need;
use crate::ir::nat::{Ranges, Substitution};
use crate::ir::typed::Obligation;

impl Inference<'_> {
    /// Demands something of sizes. `None` if it never holds, which is reported.
    pub(super) fn need(&mut self, need: Need) -> Option<()> {
        if self.unreached > 0 {
            return Some(());
        }
        let need = self.resolved(&need);
        match need.requirement.decide(&self.facts) {
            Some(true) => {}
            Some(false) => {
                self.report(Error::new(need.source, NeedMistake::Refuted(need)));
                return None;
            }
            None => {
                need.requirement.assume(&mut self.facts);
                self.needs.push(Need { source: self.located(need.source), ..need });
            }
        }
        Some(())
    }

    pub(super) fn resolved(&self, need: &Need) -> Need {
        need.map(
            |size| self.facts.simplify(&self.unknowns.resolve_size(size)),
            |condition| self.unknowns.resolve_condition(condition),
        )
    }

    /// Decides the remaining needs in order, each with `facts` and the needs before it. What stays open is
    /// for the launch to check.
    pub(super) fn obligations(&mut self, facts: &mut Ranges, renamed: &Substitution) -> Vec<Obligation> {
        let mut obligations = Vec::new();
        for need in std::mem::take(&mut self.needs) {
            let need = need.map(
                |size| facts.simplify(&self.unknowns.resolve_size(size).substitute(renamed)),
                |condition| self.unknowns.resolve_condition(condition).substitute(renamed),
            );
            match need.requirement.decide(facts) {
                Some(true) => {}
                Some(false) => self.report(Error::new(need.source, NeedMistake::Refuted(need))),
                None => {
                    need.requirement.assume(facts);
                    let text = need.text();
                    obligations.push(Obligation { requirement: need.requirement, text, source: need.source });
                }
            }
        }
        obligations
    }
}
