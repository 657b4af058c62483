//! Prints strips and blocks: loops over lanes around statements.

use super::lane_scope::{LaneScope, name_in_row};
use super::sliding_slices::Steps;
use super::statement::zero;
use super::strip_context::{StripContext, Updates};
use super::{Printer, scalar_type};
use crate::host::{Blocks, Bounds, LaneOfLeast, LaneTask, Lanes, Narrow, Strip, Strips, computed_indices};
use crate::ir::kernel::{Statement, Variable, Writes};
use crate::ir::nat::{Nat, Ranges, Var};

impl Printer<'_> {
    /// Prints two loops in blocks: strips of several rows, and strips of the rows that are left over.
    pub(super) fn blocks(&mut self, blocks: &Blocks, ranges: &Ranges) {
        let outer = self.names.index(&blocks.outer);
        let part = format!("{outer}part.start..{outer}part.end");
        let overlap = overlap(&blocks.alone);
        self.line(format!(
            "__lift_host::strips::<{}>({part}, {part}, {overlap}, #[inline(always)] |{outer}: isize| {{",
            blocks.rows
        ));
        self.depth += 1;
        self.strips(&blocks.together, Some((&blocks.outer, blocks.rows)), ranges);
        self.depth -= 1;
        self.line(format!("}}, #[inline(always)] |{outer}: isize| {{"));
        self.depth += 1;
        self.strips(&blocks.alone, None, ranges);
        self.depth -= 1;
        self.line("});");
    }

    /// Prints a loop in strips, for several rows at once where `rows` says so.
    pub(super) fn strips(&mut self, strips: &Strips, rows: Option<(&Var, usize)>, ranges: &Ranges) {
        let index = self.names.index(&strips.index);
        let (from, to) = self.bounds(&strips.index, &strips.bounds, ranges);
        let all = |printer: &mut Self, bounds: &[Nat], start: &str, choose: &str| {
            bounds.iter().fold(start.to_string(), |bound, other| {
                let other = printer.nat(other, ranges);
                format!("__lift_host::index::{choose}({bound}, {other})")
            })
        };
        let first = all(self, &strips.interior.first, &from, "greatest");
        let end = all(self, &strips.interior.end, &to, "least");
        self.declare_position(&strips.index, &strips.bounds, ranges);
        let inside = match &strips.bounds {
            Bounds::Whole(extent) => ranges.in_steps(&strips.index, Some(extent)),
            Bounds::Part => ranges.clone(),
        };
        let interior = strips.interior.within(&strips.index, &inside);
        self.comment(&strips.origin);
        let function = match (strips.lanes, strips.reach_all, &strips.narrow) {
            (Lanes::Strip(lanes), true, _) => format!("filled_strips::<{lanes}>"),
            (Lanes::Strip(lanes), false, None) => format!("strips::<{lanes}>"),
            (Lanes::Strip(lanes), false, Some(narrow)) => {
                format!("strips_of_two_lengths::<{lanes}, {}>", narrow.lanes)
            }
            (Lanes::Whole, true, _) => "one_row".to_string(),
            (Lanes::Whole, false, _) => "whole".to_string(),
        };
        let overlap = match strips.lanes {
            Lanes::Strip(_) => format!("{}, ", overlap(strips)),
            Lanes::Whole => String::new(),
        };
        // Where strips reach every position, only the interior remains.
        let interior_of_positions = match strips.reach_all {
            true => String::new(),
            false => format!("{first}..{end}, {overlap}"),
        };
        let lanes_parameter = match strips.lanes {
            Lanes::Strip(_) => "",
            Lanes::Whole => ", lanes: usize",
        };
        self.line(format!(
            "__lift_host::{function}({from}..{to}, {interior_of_positions}#[inline(always)] |{index}: isize{lanes_parameter}| {{"
        ));
        self.depth += 1;
        let wide = StripContext {
            strip: &strips.strip,
            index: &strips.index,
            lanes: strips.lanes,
            rows,
            slices: &[],
            updates: Updates::InPlace,
        };
        self.strip(wide, &interior);
        self.depth -= 1;
        if let Some(narrow) = &strips.narrow {
            let Narrow { lanes, strip } = narrow.as_ref();
            self.line(format!("}}, #[inline(always)] |{index}: isize| {{"));
            self.depth += 1;
            self.strip(StripContext { strip, lanes: Lanes::Strip(*lanes), ..wide }, &inside);
            self.depth -= 1;
        }
        // Code that is never executed would cost rustc as much as any other code.
        if !strips.reach_all {
            self.line(format!("}}, #[inline(always)] |{index}: isize| {{"));
            self.depth += 1;
            self.for_each_row(rows, |printer| printer.plain(&strips.single, &inside));
            self.depth -= 1;
        }
        self.line("});");
    }

    /// Prints something for each of several rows.
    fn for_each_row(&mut self, rows: Option<(&Var, usize)>, print: impl FnOnce(&mut Self)) {
        let Some((outer, count)) = rows else { return print(self) };
        let outer = self.names.index(outer);
        self.braced(format!("for row in 0..{count}usize "), |printer| {
            printer.line(format!("let {outer} = {outer} + row as isize;"));
            print(printer);
        });
    }

    fn strip(&mut self, context: StripContext<'_>, ranges: &Ranges) {
        let StripContext { strip, rows, .. } = context;
        let lanes = context.lanes.number();
        for variable in &strip.variables {
            let (name, zero) = (self.names.variable(&variable.name), zero(variable.ty));
            match rows {
                None => self.line(format!("let mut {name} = [{zero}; {lanes}];")),
                // One array per row: compilers keep these in registers.
                Some((_, rows)) => (0..rows).for_each(|row| {
                    self.line(format!("let mut {} = [{zero}; {lanes}];", name_in_row(&name, row)));
                }),
            }
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
        self.lane_tasks(&strip.tasks, context, ranges);
    }

    /// A number for one lane.
    fn in_lane(&mut self, lane: &str, number: &Nat, context: StripContext<'_>, ranges: &Ranges) -> String {
        let (position, number) = (self.names.index(context.index), self.nat(number, ranges));
        format!("{{ let {position} = {position} + {lane}; {number} }}")
    }

    pub(super) fn lane_tasks(&mut self, tasks: &[LaneTask], context: StripContext<'_>, ranges: &Ranges) {
        for task in tasks {
            match task {
                LaneTask::Lanes(statements) => self.lanes(statements, context, ranges),
                LaneTask::Rest { left, lane, statements } => {
                    let most = match lane {
                        LaneOfLeast::First => last_of(context.lanes),
                        LaneOfLeast::Last => "0".to_string(),
                    };
                    let left = self.in_lane(&most, left, context, ranges);
                    self.braced(format!("if {left} > 0 "), |printer| {
                        printer.lanes(statements, context, ranges);
                    });
                }
                LaneTask::Least { least, extent, lane } => {
                    let last = match lane {
                        LaneOfLeast::First => "0".to_string(),
                        LaneOfLeast::Last => last_of(context.lanes),
                    };
                    self.extents.declare_value(least, extent, None, ranges);
                    let (name, extent) =
                        (self.names.index(least), self.in_lane(&last, extent, context, ranges));
                    self.line(format!("let {name} = {extent};"));
                }
                LaneTask::For { index, extent, origin, body } => {
                    self.comment(origin);
                    let inside = ranges.in_steps(index, Some(extent));
                    self.extents.declare(index, extent, ranges);
                    let slices = self.slices(Steps { index, extent, body }, context, ranges, &inside);
                    let updates = Updates::Moved;
                    let context = StripContext { slices: &slices, updates, ..context };
                    let head = format!("for {} in 0..{} ", self.names.index(index), self.nat(extent, ranges));
                    self.braced(head, |printer| printer.lane_tasks(body, context, &inside));
                }
                LaneTask::If(condition, then, otherwise) => {
                    let condition = self.expression(condition, &LaneScope::default(), ranges);
                    self.braced(format!("if {condition} "), |printer| {
                        printer.lane_tasks(then, context, ranges);
                    });
                    if !otherwise.is_empty() {
                        self.braced("else ", |printer| printer.lane_tasks(otherwise, context, ranges));
                    }
                }
            }
        }
    }

    /// Prints statements for all lanes, one lane after the other.
    fn lanes(&mut self, statements: &[Statement], context: StripContext<'_>, ranges: &Ranges) {
        self.line("{");
        self.depth += 1;
        let mut scope = LaneScope::in_lanes(context.strip);
        self.cut_out(statements, &mut scope, context, ranges);
        let mut scopes = Vec::new();
        for row in 0..context.rows.map_or(0, |(_, rows)| rows) {
            let mut in_row = scope.clone().in_row(row);
            self.cut_out_of_row(statements, &mut in_row, context, row, ranges);
            scope.continue_names(&in_row);
            scopes.push(in_row);
        }
        let updated: Vec<String> = match context.updates {
            Updates::InPlace => Vec::new(),
            Updates::Moved => updated(statements, context.strip)
                .map(|variable| self.names.variable(&variable.name))
                .collect(),
        };
        let scopes: Vec<LaneScope> = match context.rows {
            None => vec![scope.holding(&updated)],
            Some(_) => scopes.into_iter().map(|scope| scope.holding(&updated)).collect(),
        };
        self.for_updated(&scopes, &updated, |all| format!("let mut {all}next = {all};"));
        let name = self.names.index(context.index);
        self.braced(format!("for lane in {} ", range_of(context.lanes)), |printer| {
            let before = printer.lines.len();
            for (row, scope) in scopes.iter().enumerate() {
                match context.rows {
                    None => printer.lane(statements, scope, &updated, ranges),
                    Some((outer, _)) => {
                        let outer = printer.names.index(outer);
                        printer.braced("", |printer| {
                            printer.line(format!("let {outer} = {outer} + {row};"));
                            printer.lane(statements, scope, &updated, ranges);
                        });
                    }
                }
            }
            // Where everything that a lane accesses is cut out, nothing mentions its position.
            if printer.lines.iter().skip(before).any(|line| mentions(line, &name)) {
                printer.line_at(before, format!("let {name} = {name} + lane as isize;"));
            }
        });
        self.for_updated(&scopes, &updated, |all| format!("{all} = {all}next;"));
        self.depth -= 1;
        self.line("}");
    }

    /// Prints a line for each variable that lanes change, in each row.
    fn for_updated(&mut self, scopes: &[LaneScope], updated: &[String], line: impl Fn(String) -> String) {
        for scope in scopes {
            updated.iter().for_each(|name| self.line(line(scope.all_lanes_of(name))));
        }
    }

    /// Prints statements for one lane in one scope.
    fn lane(&mut self, statements: &[Statement], scope: &LaneScope, updated: &[String], ranges: &Ranges) {
        let here = std::slice::from_ref(scope);
        self.for_updated(here, updated, |all| format!("let mut {all}held = {all}[lane];"));
        let own = computed_indices(statements);
        let given: Vec<Var> = scope.indices().filter(|index| !own.contains(index)).cloned().collect();
        for index in given {
            let name = self.names.index(&index);
            self.line(format!("let {name} = {name}lanes[lane];"));
        }
        self.statements(statements, scope, ranges);
        self.for_updated(here, updated, |all| format!("{all}next[lane] = {all}held;"));
    }
}

/// The variables of a strip that statements change and do not declare.
fn updated<'s>(statements: &[Statement], strip: &'s Strip) -> impl Iterator<Item = &'s Variable> {
    let Writes { assigned, declared, .. } = Writes::of(statements);
    strip
        .variables
        .iter()
        .filter(move |variable| assigned.contains(&variable.name) && !declared.contains(&variable.name))
}

/// Whether a line mentions a name.
fn mentions(line: &str, name: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    // Most lines do not even contain the letters.
    line.contains(name) && line.split(|letter| !is_part(letter)).any(|word| word == name)
}

/// The numbers of all lanes.
fn range_of(lanes: Lanes) -> String {
    match lanes {
        Lanes::Strip(lanes) => format!("0..{lanes}usize"),
        Lanes::Whole => "0..lanes".to_string(),
    }
}

/// The distance of the last lane from the first one.
fn last_of(lanes: Lanes) -> String {
    match lanes {
        Lanes::Strip(lanes) => (lanes - 1).to_string(),
        Lanes::Whole => "(lanes as isize - 1)".to_string(),
    }
}

fn overlap(strips: &Strips) -> &'static str {
    if strips.repeatable { "__lift_host::Overlap::Allowed" } else { "__lift_host::Overlap::Forbidden" }
}
