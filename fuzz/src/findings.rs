//! The findings of a campaign, by symptom.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::supervise::Finding;

/// Findings of several workers.
#[derive(Default)]
pub(crate) struct Findings(Mutex<BTreeMap<String, Group>>);

/// The findings with one symptom.
pub(crate) struct Group {
    pub(crate) count: usize,
    /// The one with the shortest program.
    smallest: Finding,
}

impl Findings {
    /// Adds a finding. The first one with its symptom is printed at once.
    pub(crate) fn add(&self, finding: Finding) {
        let mut groups = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !groups.contains_key(&finding.symptom) {
            println!("{finding}");
        }
        let group = groups
            .entry(finding.symptom.clone())
            .or_insert_with(|| Group { count: 0, smallest: finding.clone() });
        group.count += 1;
        if finding.details.len() < group.smallest.details.len() {
            group.smallest = finding;
        }
    }

    /// Prints all of them, and returns them by symptom.
    pub(crate) fn summarised(self) -> BTreeMap<String, Group> {
        let groups = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        for Group { count, smallest } in groups.values() {
            println!("{count} times, for example {smallest}");
        }
        groups
    }
}
