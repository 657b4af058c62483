//! What names mean where something is printed: at one position, or in a loop over the lanes of a strip.

use std::collections::{BTreeMap, BTreeSet};

use crate::host::Strip;
use crate::ir::kernel::BufferId;
use crate::ir::nat::{Nat, Var};

/// What names mean in the loop over the lanes of a strip, or at one position.
#[derive(Debug, Default, Clone)]
pub(super) struct LaneScope {
    /// Variables with a value for each lane.
    variables: BTreeSet<String>,
    indices: BTreeSet<Var>,
    memories: BTreeSet<BufferId>,
    /// The names of those that a lane has in a variable while its statements are executed.
    held: BTreeSet<String>,
    /// Which of several rows it is.
    row: Option<usize>,
    /// How the elements are read that were cut out before the loop over lanes.
    loads: BTreeMap<(BufferId, Nat), String>,
    /// The names of the rows that are written.
    stores: BTreeMap<(BufferId, Nat), String>,
    /// How many names were made.
    names: usize,
}

/// What a variable is called that has a value for each lane of a row.
pub(super) fn name_in_row(name: &str, row: usize) -> String {
    format!("{name}row{row}")
}

impl LaneScope {
    /// In a loop over the lanes of a strip.
    pub(super) fn in_lanes(strip: &Strip) -> LaneScope {
        LaneScope {
            variables: strip.variables.iter().map(|variable| variable.name.clone()).collect(),
            indices: strip.indices.iter().cloned().collect(),
            memories: strip.memories.iter().copied().collect(),
            ..LaneScope::default()
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

    /// The same in one of several rows.
    pub(super) fn in_row(self, row: usize) -> LaneScope {
        LaneScope { row: Some(row), ..self }
    }

    /// Which of several rows it is in.
    pub(super) fn row(&self) -> Option<usize> {
        self.row
    }

    /// The value of a lane of a variable with this name.
    pub(super) fn lane_of(&self, name: &str) -> String {
        let all = self.all_lanes_of(name);
        if self.held.contains(name) { format!("{all}held") } else { format!("{all}[lane]") }
    }

    /// The values of all lanes of a variable with this name.
    pub(super) fn all_lanes_of(&self, name: &str) -> String {
        match self.row {
            None => name.to_string(),
            Some(row) => name_in_row(name, row),
        }
    }

    /// The same where a lane holds the values of variables with these names.
    pub(super) fn holding(self, names: &[String]) -> LaneScope {
        LaneScope { held: names.iter().cloned().collect(), ..self }
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

    /// A name that is not taken here.
    pub(super) fn fresh(&mut self, what: &str) -> String {
        self.names += 1;
        format!("{what}{}", self.names)
    }

    /// Makes no name again that another place has made.
    pub(super) fn continue_names(&mut self, other: &LaneScope) {
        self.names = other.names;
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
