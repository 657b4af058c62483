//! Bounds-check elimination: the elements that the lanes of a strip access are sliced before the loop over
//! lanes, with one check for all of them.

use super::Printer;
use super::lane_scope::LaneScope;
use super::strip_context::{SlidingSlice, Source, StripContext};
use crate::flat::FlatSet;
use crate::host::{Lanes, computed_indices};
use crate::ir::kernel::accesses::{Access, Accesses, Certainty, Stride, is_piece, stride};
use crate::ir::kernel::{BufferId, BufferRole, Statement};
use crate::ir::nat::{Ranges, Var};

impl Printer<'_> {
    /// Declares the slices for the elements that the lanes of all rows access together.
    pub(super) fn cut_out(
        &mut self,
        statements: &[Statement],
        scope: &mut LaneScope,
        context: StripContext<'_>,
        ranges: &Ranges,
    ) {
        let of_all_rows = |access: &Access| match context.rows {
            None => true,
            Some((outer, _)) => !access.index.mentions(outer),
        };
        self.cut(statements, scope, context, "", ranges, &of_all_rows);
    }

    /// Declares the slices for the elements that the lanes of one of several rows access together.
    pub(super) fn cut_out_of_row(
        &mut self,
        statements: &[Statement],
        scope: &mut LaneScope,
        context: StripContext<'_>,
        row: usize,
        ranges: &Ranges,
    ) {
        if let Some((outer, _)) = context.rows {
            let position = self.at_row(outer, row);
            self.cut(statements, scope, context, &position, ranges, &|access| access.index.mentions(outer));
        }
    }

    /// The statement that sets the position to one of several rows.
    pub(super) fn at_row(&self, outer: &Var, row: usize) -> String {
        let name = self.names.index(outer);
        format!("let {name} = {name} + {row}; ")
    }

    /// Declares the slices; `before` are the statements that set the position.
    fn cut(
        &mut self,
        statements: &[Statement],
        scope: &mut LaneScope,
        context: StripContext<'_>,
        before: &str,
        ranges: &Ranges,
        wanted: &dyn Fn(&Access) -> bool,
    ) {
        let accesses = Accesses::of(statements);
        let varying: FlatSet<Var> = scope.indices().cloned().chain(computed_indices(statements)).collect();
        let stored = accesses.stored();
        let lanes = context.lanes;
        // An element that is accessed only under a condition may lie outside of its array otherwise; and a
        // loop may have no iterations.
        let certain = |access: &&Access| {
            access.certainty == Certainty::Always
                && access.depth == 0
                && access.ty.lanes == 1
                && wanted(access)
        };
        for load in accesses.loads.iter().filter(certain) {
            if scope.owns(load.buffer) || scope.load(load.buffer, &load.index).is_some() {
                continue;
            }
            let (source, stride, index) = match SlidingSlice::of(context.slices, load, scope.row()) {
                Some(window) => (Some(window.source.clone()), window.stride, &window.position),
                None => {
                    let stride = stride(&load.index, context.index, &varying);
                    (self.source(load.buffer), stride, &load.index)
                }
            };
            let Some(source) = source else { continue };
            let Some(cut) = source.load(stride, stored.contains(&load.buffer), lanes) else { continue };
            let (name, at) = (scope.fresh(cut.what), self.nat(index, ranges));
            self.declare_cut(&name, before, &cut.value(&at));
            scope.read_by(load.buffer, load.index.clone(), format!("{name}{}", cut.of_lane));
        }
        for store in accesses.stores.iter().filter(certain) {
            let known = scope.owns(store.buffer) || scope.store(store.buffer, &store.index).is_some();
            if known || stride(&store.index, context.index, &varying) != Stride::One {
                continue;
            }
            let Some(source) = self.source(store.buffer) else { continue };
            let (at, row) = (self.nat(&store.index, ranges), scope.fresh("row"));
            self.declare_cut(&row, before, &source.row(lanes).value(&at));
            scope.written_to(store.buffer, store.index.clone(), row);
        }
    }

    pub(super) fn declare_cut(&mut self, name: &str, before: &str, value: &str) {
        self.line(match before {
            "" => format!("let {name} = {value};"),
            _ => format!("let {name} = {{ {before}{value} }};"),
        });
    }

    pub(super) fn source(&self, buffer: BufferId) -> Option<Source> {
        let buffer = self.module.buffers.get(buffer.0)?;
        let is_slice = matches!(buffer.role, BufferRole::Parameter(_) | BufferRole::Constant(_));
        Some(Source { name: self.names.variable(&buffer.name), is_slice })
    }
}

/// A way to cut elements out of a buffer.
struct Cut {
    /// The kind of what is cut out.
    what: &'static str,
    /// The text before the index of its first element.
    head: String,
    /// The text after it.
    tail: String,
    /// The text by which a lane finds its element.
    of_lane: String,
}

impl Cut {
    fn value(&self, index: &str) -> String {
        format!("{}{index}{}", self.head, self.tail)
    }
}

impl Source {
    /// How the lanes load elements with this stride together; `None` where each lane loads for itself.
    fn load(&self, stride: Stride, is_stored: bool, lanes: Lanes) -> Option<Cut> {
        let name = &self.name;
        match (stride, lanes) {
            (Stride::One, _) => Some(self.row(lanes)),
            (Stride::Zero, _) if !is_stored => {
                let head =
                    if self.is_slice { format!("__lift_host::at({name}, ") } else { format!("{name}.get(") };
                Some(Cut { what: "element", head, tail: ")".to_string(), of_lane: String::new() })
            }
            (Stride::Constant(distance), Lanes::Strip(lanes)) if self.is_slice && is_piece(distance) => {
                let length = (lanes as i128 - 1) * distance + 1;
                let head = format!("__lift_host::row::<_, {length}>({name}, ");
                Some(Cut {
                    what: "piece",
                    head,
                    tail: ")".to_string(),
                    of_lane: format!("[{distance} * lane]"),
                })
            }
            (Stride::Zero | Stride::Constant(_) | Stride::Other, _) => None,
        }
    }

    /// The cut for neighbouring elements, one for each lane.
    fn row(&self, lanes: Lanes) -> Cut {
        let name = &self.name;
        let (head, tail) = match (lanes, self.is_slice) {
            (Lanes::Strip(lanes), true) => (format!("__lift_host::row::<_, {lanes}>({name}, "), ")"),
            (Lanes::Strip(lanes), false) => (format!("{name}.row::<{lanes}>("), ")"),
            (Lanes::Whole, true) => (format!("__lift_host::window({name}, "), ", lanes)"),
            (Lanes::Whole, false) => (format!("{name}.window("), ", lanes)"),
        };
        let of_lane = if self.is_slice { "[lane]" } else { "[lane].get()" };
        Cut { what: "row", head, tail: tail.to_string(), of_lane: of_lane.to_string() }
    }
}
