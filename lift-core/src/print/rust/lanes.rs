//! Strips: loops over lanes around statements, and what they touch cut out before.

use std::collections::BTreeSet;

use super::place::Place;
use super::statement::zero;
use super::{Printer, scalar_type};
use crate::host::accesses::{Accesses, Certainty, Stride, stride};
use crate::host::{LaneOfLeast, LaneStep, Strip, Strips};
use crate::kernel::{BufferId, BufferRole, Statement};
use crate::nat::{Nat, Ranges, Var};
use crate::refine::learn;

/// Elements that lie further apart are not cut out as one piece.
const LARGEST_STRIDE: i128 = 16;

impl Printer<'_> {
    pub(super) fn strips(&mut self, strips: &Strips, ranges: &Ranges) {
        let index = self.names.index(&strips.index);
        let (from, to) = self.bounds(&strips.index, &strips.bounds, ranges);
        let all = |printer: &mut Self, bounds: &[Nat], start: &str, choose: &str| {
            bounds.iter().fold(start.to_string(), |bound, other| {
                let other = printer.nat(other, ranges);
                format!("__lift_host::index::{choose}({bound}, {other})")
            })
        };
        let first = all(self, &strips.first, &from, "greatest");
        let end = all(self, &strips.end, &to, "least");
        let mut inside = ranges.clone();
        if let crate::host::Bounds::Whole(extent) = &strips.bounds {
            inside.declare(&strips.index, Nat::zero(), Some(extent.clone()));
        }
        let mut interior = inside.clone();
        strips.first.iter().for_each(|first| interior.declare(&strips.index, first.clone(), None));
        strips.end.iter().for_each(|end| interior.declare(&strips.index, Nat::zero(), Some(end.clone())));
        let overlap = if strips.repeatable { "Allowed" } else { "Forbidden" };
        self.comment(&strips.origin);
        self.line(format!(
            "__lift_host::strips::<{}>({from}..{to}, {first}..{end}, __lift_host::Overlap::{overlap}, \
             #[inline(always)] |{index}: isize| {{",
            strips.lanes
        ));
        self.depth += 1;
        self.strip(&strips.strip, &strips.index, strips.lanes, &interior);
        self.depth -= 1;
        self.line(format!("}}, #[inline(always)] |{index}: isize| {{"));
        self.depth += 1;
        self.plain(&strips.single, &inside);
        self.depth -= 1;
        self.line("});");
    }

    fn strip(&mut self, strip: &Strip, index: &Var, lanes: usize, ranges: &Ranges) {
        for variable in &strip.variables {
            let (name, zero) = (self.names.variable(&variable.name), zero(variable.ty));
            self.line(format!("let mut {name} = [{zero}; {lanes}];"));
        }
        for index in &strip.indices {
            self.line(format!("let mut {}lanes = [0isize; {lanes}];", self.names.index(index)));
        }
        for memory in &strip.memories {
            let Some(buffer) = self.module.buffers.get(memory.0) else { continue };
            let (name, element) = (self.names.variable(&buffer.name), scalar_type(buffer.element));
            let length = buffer.length.as_constant().unwrap_or_default();
            self.line(format!("let mut {name} = [[__lift_host::zero::<{element}>(); {lanes}]; {length}];"));
        }
        self.lane_steps(&strip.steps, strip, index, lanes, ranges);
    }

    fn lane_steps(&mut self, steps: &[LaneStep], strip: &Strip, index: &Var, lanes: usize, ranges: &Ranges) {
        for step in steps {
            match step {
                LaneStep::Lanes(statements) | LaneStep::Rest(statements) => {
                    self.lanes(statements, strip, index, lanes, ranges);
                }
                LaneStep::Least { least, extent, lane } => {
                    let last = match lane {
                        LaneOfLeast::First => 0,
                        LaneOfLeast::Last => lanes - 1,
                    };
                    let (name, position) = (self.names.index(least), self.names.index(index));
                    let extent = self.nat(extent, ranges);
                    self.line(format!("let {name} = {{ let {position} = {position} + {last}; {extent} }};"));
                }
                LaneStep::For { index: position, extent, origin, body } => {
                    self.comment(origin);
                    let mut inside = ranges.clone();
                    inside.declare(position, Nat::zero(), Some(extent.clone()));
                    let head =
                        format!("for {} in 0..{} ", self.names.index(position), self.nat(extent, ranges));
                    self.braced(head, |printer| printer.lane_steps(body, strip, index, lanes, &inside));
                }
                LaneStep::If(condition, then, otherwise) => {
                    let condition = self.expression(condition, &Place::default(), ranges);
                    self.braced(format!("if {condition} "), |printer| {
                        printer.lane_steps(then, strip, index, lanes, ranges);
                    });
                    if !otherwise.is_empty() {
                        self.braced("else ", |printer| {
                            printer.lane_steps(otherwise, strip, index, lanes, ranges);
                        });
                    }
                }
            }
        }
    }

    /// Statements for all lanes, one lane after the other.
    fn lanes(&mut self, statements: &[Statement], strip: &Strip, index: &Var, lanes: usize, ranges: &Ranges) {
        self.line("{");
        self.depth += 1;
        let mut place = Place::in_lanes(strip);
        self.cut_out(statements, &mut place, index, lanes, ranges);
        let name = self.names.index(index);
        self.braced(format!("for lane in 0..{lanes}usize "), |printer| {
            printer.line(format!("let {name} = {name} + lane as isize;"));
            let own = computed_indices(statements);
            let given: Vec<Var> = place.indices().filter(|index| !own.contains(index)).cloned().collect();
            for index in given {
                let name = printer.names.index(&index);
                printer.line(format!("let {name} = {name}lanes[lane];"));
            }
            printer.statements(statements, &place, ranges);
        });
        self.depth -= 1;
        self.line("}");
    }

    /// Declares what the lanes access together: rows of neighbouring elements, elements for all.
    fn cut_out(
        &mut self,
        statements: &[Statement],
        place: &mut Place,
        index: &Var,
        lanes: usize,
        ranges: &Ranges,
    ) {
        let accesses = Accesses::of(statements);
        let varying: BTreeSet<Var> = place.indices().cloned().chain(computed_indices(statements)).collect();
        let stored = accesses.stored();
        let mut known = ranges.clone();
        statements.iter().for_each(|statement| learn(&mut known, statement));
        let mut count = 0;
        let mut fresh = |what: &str| {
            count += 1;
            format!("{what}{count}")
        };
        for load in &accesses.loads {
            let certain = load.certainty == Certainty::Always && load.depth == 0 && load.ty.lanes == 1;
            if !certain || place.owns(load.buffer) || place.load(load.buffer, &load.index).is_some() {
                continue;
            }
            let Some((name, is_slice)) = self.source(load.buffer) else { continue };
            let at = self.nat(&load.index, ranges);
            let text = match stride(&load.index, index, &varying) {
                Stride::One if is_slice => {
                    let row = fresh("row");
                    self.line(format!("let {row} = __lift_host::row::<_, {lanes}>({name}, {at});"));
                    format!("{row}[lane]")
                }
                Stride::One => {
                    let row = fresh("row");
                    self.line(format!("let {row} = {name}.row::<{lanes}>({at});"));
                    format!("{row}[lane].get()")
                }
                Stride::Zero if !stored.contains(&load.buffer) => {
                    let element = fresh("element");
                    let read = if is_slice {
                        format!("__lift_host::at({name}, {at})")
                    } else {
                        format!("{name}.get({at})")
                    };
                    self.line(format!("let {element} = {read};"));
                    element
                }
                Stride::Constant(distance) if is_slice && (2..=LARGEST_STRIDE).contains(&distance) => {
                    let piece = fresh("piece");
                    let length = (lanes as i128 - 1) * distance + 1;
                    self.line(format!("let {piece} = __lift_host::row::<_, {length}>({name}, {at});"));
                    format!("{piece}[{distance} * lane]")
                }
                Stride::Zero | Stride::Constant(_) | Stride::Other => continue,
            };
            place.read_by(load.buffer, load.index.clone(), text);
        }
        for store in &accesses.stores {
            let certain = store.certainty == Certainty::Always && store.depth == 0 && store.ty.lanes == 1;
            let known = place.owns(store.buffer) || place.store(store.buffer, &store.index).is_some();
            if !certain || known || stride(&store.index, index, &varying) != Stride::One {
                continue;
            }
            let Some((name, _)) = self.source(store.buffer) else { continue };
            let at = self.nat(&store.index, ranges);
            let row = fresh("row");
            self.line(format!("let {row} = {name}.row::<{lanes}>({at});"));
            place.written_to(store.buffer, store.index.clone(), row);
        }
    }

    /// The name of a buffer, and whether it is a slice that nobody writes.
    fn source(&self, buffer: BufferId) -> Option<(String, bool)> {
        let buffer = self.module.buffers.get(buffer.0)?;
        let is_slice = matches!(buffer.role, BufferRole::Parameter(_) | BufferRole::Constant(_));
        Some((self.names.variable(&buffer.name), is_slice))
    }
}

/// The indices that statements compute for themselves.
fn computed_indices(statements: &[Statement]) -> BTreeSet<Var> {
    let mut computed = BTreeSet::new();
    for statement in statements {
        if let Statement::DeclareIndex { index, .. } | Statement::DeclareValue { index, .. } = statement {
            computed.insert(index.clone());
        }
        computed.extend(statement.blocks().into_iter().flat_map(computed_indices));
    }
    computed
}
