//! What the lanes of a strip access together: cut out before the loop over lanes, so that one check is enough for all of them.

use std::collections::BTreeSet;

use super::Printer;
use super::lanes::Together;
use super::place::Place;
use crate::host::accesses::{Access, Accesses, Certainty, Stride, stride};
use crate::host::computed_indices;
use crate::kernel::{BufferId, BufferRole, Statement};
use crate::nat::{Ranges, Var};

/// Elements that lie further apart are not cut out as one piece.
const LARGEST_STRIDE: i128 = 16;

impl Printer<'_> {
    /// Declares what the lanes of all rows access together.
    pub(super) fn cut_out(
        &mut self,
        statements: &[Statement],
        place: &mut Place,
        together: Together<'_>,
        ranges: &Ranges,
    ) {
        let of_all_rows = |access: &Access| match together.rows {
            None => true,
            Some((outer, _)) => !access.index.mentions(outer),
        };
        self.cut(statements, place, together, "", ranges, &of_all_rows);
    }

    /// Declares what the lanes of one of several rows access together.
    pub(super) fn cut_out_of_row(
        &mut self,
        statements: &[Statement],
        place: &mut Place,
        together: Together<'_>,
        row: usize,
        ranges: &Ranges,
    ) {
        if let Some((outer, _)) = together.rows {
            let name = self.names.index(outer);
            let position = format!("let {name} = {name} + {row}; ");
            self.cut(statements, place, together, &position, ranges, &|access| access.index.mentions(outer));
        }
    }

    /// Declares what is wanted; `before` are the statements that say at which position.
    fn cut(
        &mut self,
        statements: &[Statement],
        place: &mut Place,
        together: Together<'_>,
        before: &str,
        ranges: &Ranges,
        wanted: &dyn Fn(&Access) -> bool,
    ) {
        let accesses = Accesses::of(statements);
        let varying: BTreeSet<Var> = place.indices().cloned().chain(computed_indices(statements)).collect();
        let stored = accesses.stored();
        let lanes = together.lanes;
        // What is not always accessed may lie outside of its array where it is not; and a loop may have no step.
        let certain = |access: &&Access| {
            access.certainty == Certainty::Always
                && access.depth == 0
                && access.ty.lanes == 1
                && wanted(access)
        };
        for load in accesses.loads.iter().filter(certain) {
            if place.owns(load.buffer) || place.load(load.buffer, &load.index).is_some() {
                continue;
            }
            let Some(source) = self.source(load.buffer) else { continue };
            let stride = stride(&load.index, together.index, &varying);
            let Some(cut) = source.load(stride, stored.contains(&load.buffer), lanes) else { continue };
            let (name, at) = (place.fresh(cut.what), self.nat(&load.index, ranges));
            self.declare_cut(&name, before, &cut.value(&at));
            place.read_by(load.buffer, load.index.clone(), format!("{name}{}", cut.of_lane));
        }
        for store in accesses.stores.iter().filter(certain) {
            let known = place.owns(store.buffer) || place.store(store.buffer, &store.index).is_some();
            if known || stride(&store.index, together.index, &varying) != Stride::One {
                continue;
            }
            let Some(source) = self.source(store.buffer) else { continue };
            let (at, row) = (self.nat(&store.index, ranges), place.fresh("row"));
            self.declare_cut(&row, before, &format!("{}.row::<{lanes}>({at})", source.name));
            place.written_to(store.buffer, store.index.clone(), row);
        }
    }

    fn declare_cut(&mut self, name: &str, before: &str, value: &str) {
        self.line(match before {
            "" => format!("let {name} = {value};"),
            _ => format!("let {name} = {{ {before}{value} }};"),
        });
    }

    fn source(&self, buffer: BufferId) -> Option<Source> {
        let buffer = self.module.buffers.get(buffer.0)?;
        let is_slice = matches!(buffer.role, BufferRole::Parameter(_) | BufferRole::Constant(_));
        Some(Source { name: self.names.variable(&buffer.name), is_slice })
    }
}

/// A buffer.
struct Source {
    name: String,
    /// Whether it is a slice that nobody writes.
    is_slice: bool,
}

/// How something is cut out of a buffer.
struct Cut {
    /// What it is.
    what: &'static str,
    /// The text before the index of its first element.
    head: String,
    /// How a lane finds its element.
    of_lane: String,
}

impl Cut {
    fn value(&self, index: &str) -> String {
        format!("{}{index})", self.head)
    }
}

impl Source {
    /// How the lanes load together what lies so far apart; nothing where each loads for itself.
    fn load(&self, stride: Stride, is_stored: bool, lanes: usize) -> Option<Cut> {
        let name = &self.name;
        let slice = |length: i128| format!("__lift_host::row::<_, {length}>({name}, ");
        match stride {
            Stride::One if self.is_slice => {
                Some(Cut { what: "row", head: slice(lanes as i128), of_lane: "[lane]".to_string() })
            }
            Stride::One => Some(Cut {
                what: "row",
                head: format!("{name}.row::<{lanes}>("),
                of_lane: "[lane].get()".to_string(),
            }),
            Stride::Zero if !is_stored => {
                let head =
                    if self.is_slice { format!("__lift_host::at({name}, ") } else { format!("{name}.get(") };
                Some(Cut { what: "element", head, of_lane: String::new() })
            }
            Stride::Constant(distance) if self.is_slice && (2..=LARGEST_STRIDE).contains(&distance) => {
                let length = (lanes as i128 - 1) * distance + 1;
                Some(Cut { what: "piece", head: slice(length), of_lane: format!("[{distance} * lane]") })
            }
            Stride::Zero | Stride::Constant(_) | Stride::Other => None,
        }
    }
}
