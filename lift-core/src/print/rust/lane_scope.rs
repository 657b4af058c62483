//! The meaning of names in a scope: at one position, or in a loop over the lanes of a strip.

use std::sync::Arc;

use crate::flat::{FlatMap, FlatSet};
use crate::host::Strip;
use crate::ir::kernel::BufferId;
use crate::ir::nat::{Nat, Var};

/// The meaning of names in the loop over the lanes of a strip, or at one position.
#[derive(Debug, Default, Clone)]
pub(super) struct LaneScope {
    /// Variables with a value for each lane.
    variables: FlatSet<Arc<str>>,
    indices: FlatSet<Var>,
    memories: FlatSet<BufferId>,
    /// The names of the variables that a lane holds in a scalar while its statements are executed.
    held: FlatSet<String>,
    /// The number of this row, where there are several.
    row: Option<usize>,
    /// The text that reads each element that was cut out before the loop over lanes.
    loads: FlatMap<(BufferId, Nat), String>,
    /// The names of the rows that are written.
    stores: FlatMap<(BufferId, Nat), String>,
    /// The names of arrays that have another one here.
    arrays: FlatMap<BufferId, String>,
    /// The number of names that were made.
    names: usize,
}

/// The name of a variable that has a value for each lane of a row.
pub(super) fn name_in_row(name: &str, row: usize) -> String {
    format!("{name}row{row}")
}

impl LaneScope {
    /// The scope in a loop over the lanes of a strip.
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

    /// The same scope in one of several rows.
    pub(super) fn in_row(self, row: usize) -> LaneScope {
        LaneScope { row: Some(row), ..self }
    }

    /// The number of this row, where there are several.
    pub(super) fn row(&self) -> Option<usize> {
        self.row
    }

    /// The value of one lane of the variable with this name.
    pub(super) fn lane_of(&self, name: &str) -> String {
        let all = self.all_lanes_of(name);
        if self.held.contains(name) { format!("{all}held") } else { format!("{all}[lane]") }
    }

    /// The values of all lanes of the variable with this name.
    pub(super) fn all_lanes_of(&self, name: &str) -> String {
        match self.row {
            None => name.to_string(),
            Some(row) => name_in_row(name, row),
        }
    }

    /// The same scope where a lane holds the values of variables with these names.
    pub(super) fn holding(self, names: &[String]) -> LaneScope {
        LaneScope { held: names.iter().cloned().collect(), ..self }
    }

    /// The indices with a value for each lane.
    pub(super) fn indices(&self) -> impl Iterator<Item = &Var> {
        self.indices.iter()
    }

    /// Whether each lane has its own copy of this array.
    pub(super) fn owns(&self, buffer: BufferId) -> bool {
        self.memories.contains(&buffer)
    }

    /// The text for an element that was cut out before.
    pub(super) fn load(&self, buffer: BufferId, index: &Nat) -> Option<&str> {
        self.loads.get(&(buffer, index.clone())).map(String::as_str)
    }

    /// The row that an element is written to.
    pub(super) fn store(&self, buffer: BufferId, index: &Nat) -> Option<&str> {
        self.stores.get(&(buffer, index.clone())).map(String::as_str)
    }

    /// The name of an array that has another one here.
    pub(super) fn array(&self, buffer: BufferId) -> Option<&str> {
        self.arrays.get(&buffer).map(String::as_str)
    }

    /// Gives an array another name from now on.
    pub(super) fn name_array(&mut self, buffer: BufferId, name: String) {
        self.arrays.insert(buffer, name);
    }

    /// A name that is not taken here.
    pub(super) fn fresh(&mut self, what: &str) -> String {
        self.names += 1;
        format!("{what}{}", self.names)
    }

    /// Avoids the names that another scope has made.
    pub(super) fn continue_names(&mut self, other: &LaneScope) {
        self.names = other.names;
    }

    /// Reads an element by this text from now on.
    pub(super) fn read_by(&mut self, buffer: BufferId, index: Nat, text: String) {
        self.loads.insert((buffer, index), text);
    }

    /// Writes an element to this row from now on.
    pub(super) fn written_to(&mut self, buffer: BufferId, index: Nat, row: String) {
        self.stores.insert((buffer, index), row);
    }
}
