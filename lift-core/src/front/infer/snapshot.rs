//! Going back after an elaboration that was only a trial.

use super::captures::Captures;
use super::inference::Inference;
use super::need::Need;
use super::unknowns::Unknowns;
use crate::ir::nat::Ranges;
use crate::ir::typed::Tunable;

/// The part of the state that elaborating a lambda changes.
pub(super) struct Snapshot {
    unknowns: Unknowns,
    facts: Ranges,
    needs: Vec<Need>,
    errors: usize,
    captures: Option<Captures>,
    tunables: Vec<Tunable>,
    poisoned: bool,
}

impl Inference<'_> {
    /// Remembers the state. Lambdas close the frames that they open, so frames are not part of it.
    pub(super) fn snapshot(&self) -> Snapshot {
        Snapshot {
            unknowns: self.unknowns.clone(),
            facts: self.facts.clone(),
            needs: self.needs.clone(),
            errors: self.errors.len(),
            captures: self.captures.clone(),
            tunables: self.tunables.clone(),
            poisoned: self.poisoned,
        }
    }

    /// Goes back to a snapshot. Ids and size variables are not given out twice, so that the limit on nodes
    /// also ends nested trials.
    pub(super) fn restore(&mut self, snapshot: Snapshot) {
        let vars = self.unknowns.vars.clone();
        self.unknowns = snapshot.unknowns;
        self.unknowns.vars = vars;
        self.facts = snapshot.facts;
        self.needs = snapshot.needs;
        self.errors.truncate(snapshot.errors);
        self.captures = snapshot.captures;
        self.tunables = snapshot.tunables;
        self.poisoned = snapshot.poisoned;
    }
}
