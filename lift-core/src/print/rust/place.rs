//! Where in a kernel something is printed: at one position, or in a loop over the lanes of a strip.

use std::collections::{BTreeMap, BTreeSet};

use crate::host::Strip;
use crate::kernel::BufferId;
use crate::nat::{Nat, Var};

/// Where something is printed.
#[derive(Debug, Default)]
pub(super) struct Place {
    /// Variables with a value for each lane.
    variables: BTreeSet<String>,
    indices: BTreeSet<Var>,
    memories: BTreeSet<BufferId>,
    /// How the elements are read that were cut out before the loop over lanes.
    loads: BTreeMap<(BufferId, Nat), String>,
    /// The names of the rows that are written.
    stores: BTreeMap<(BufferId, Nat), String>,
}

impl Place {
    /// In a loop over the lanes of a strip.
    pub(super) fn in_lanes(strip: &Strip) -> Place {
        Place {
            variables: strip.variables.iter().map(|variable| variable.name.clone()).collect(),
            indices: strip.indices.iter().cloned().collect(),
            memories: strip.memories.iter().copied().collect(),
            ..Place::default()
        }
    }

    /// Whether a variable has a value for each lane.
    pub(super) fn varies(&self, variable: &str) -> bool {
        self.variables.contains(variable)
    }

    /// Whether an index has a value for each lane.
    pub(super) fn index_varies(&self, index: &Var) -> bool {
        self.indices.contains(index)
    }

    /// The indices with a value for each lane.
    pub(super) fn indices(&self) -> impl Iterator<Item = &Var> {
        self.indices.iter()
    }

    /// Whether each lane has such an array for itself.
    pub(super) fn owns(&self, buffer: BufferId) -> bool {
        self.memories.contains(&buffer)
    }

    /// An element that was cut out before.
    pub(super) fn load(&self, buffer: BufferId, index: &Nat) -> Option<&str> {
        self.loads.get(&(buffer, index.clone())).map(String::as_str)
    }

    /// The row that an element is written to.
    pub(super) fn store(&self, buffer: BufferId, index: &Nat) -> Option<&str> {
        self.stores.get(&(buffer, index.clone())).map(String::as_str)
    }

    /// Reads an element so.
    pub(super) fn read_by(&mut self, buffer: BufferId, index: Nat, text: String) {
        self.loads.insert((buffer, index), text);
    }

    /// Writes an element to this row.
    pub(super) fn written_to(&mut self, buffer: BufferId, index: Nat, row: String) {
        self.stores.insert((buffer, index), row);
    }
}
