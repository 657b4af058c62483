//! Loops that accumulate: an accumulator for each lane of a strip of the loop's positions.
//!
//! A long row is done in wide strips, a short one in narrow strips. A row that is shorter still, or whose
//! minimum starts from NaN, is done position by position. For minima, the last strip overlaps the one before
//! where the positions do not fill it: elements that are taken twice do not change a minimum. For sums,
//! narrow strips do what wide ones left, and the rest is added position by position.

use super::lane_scope::LaneScope;
use super::strip_context::{StripContext, Updates};
use super::{Printer, value_type};
use crate::host::{Accumulators, Combination, Lanes, StripsOfLoop};
use crate::ir::kernel::accesses::Accesses;
use crate::ir::kernel::{Loop, Uses, ValueType};
use crate::ir::nat::{Nat, Ranges};

/// The positions of a loop that its strips cover, in Rust.
struct Positions<'r> {
    repetition: &'r Loop,
    accumulators: &'r Accumulators,
    scope: &'r LaneScope,
    ranges: &'r Ranges,
    /// The end of its positions.
    extent: String,
}

impl Printer<'_> {
    /// Prints a loop at one position, or in one lane.
    pub(super) fn repetition(&mut self, repetition: &Loop, scope: &LaneScope, ranges: &Ranges) {
        self.comment(&repetition.origin);
        self.extents.declare_step(repetition, ranges);
        // The arrays of each lane of the code around are not contiguous.
        let is_apart = || Accesses::of(&repetition.body).loads.iter().any(|load| scope.owns(load.buffer));
        let Some(accumulators) = Accumulators::of(repetition).filter(|_| !is_apart()) else {
            return self.in_order("0", repetition, scope, ranges);
        };
        let extent = self.nat(&repetition.extent, ranges);
        let positions = Positions { repetition, accumulators: &accumulators, scope, ranges, extent };
        match accumulators.are_idempotent() {
            true => self.in_overlapping_strips(&positions),
            false => self.in_strips_and_rest(&positions),
        }
    }

    /// Prints a loop whose strips may overlap: the widest strips that fit the loop at least once do all of
    /// it.
    fn in_overlapping_strips(&mut self, positions: &Positions<'_>) {
        let Positions { repetition, scope, ranges, extent, .. } = positions;
        let mut otherwise = "";
        for strips in &positions.accumulators.strips {
            let conditions = self.conditions(positions, strips, extent);
            self.braced(format!("{otherwise}if {conditions} "), |printer| {
                printer.in_strips(positions, strips.lanes, |printer, lanes, index| {
                    let last = printer.nat(&(&repetition.extent - Nat::one()), ranges);
                    printer.line(format!("let last = {last};"));
                    let before = lanes - 1;
                    let first = format!("__lift_host::index::least({lanes} * strip, last - {before})");
                    (format!("last / {lanes} + 1"), format!("let {index} = {first};"))
                });
            });
            otherwise = "else ";
        }
        self.braced("else ", |printer| printer.in_order("0", repetition, scope, ranges));
    }

    /// Prints a loop in strips that do not overlap, widest first, then the rest.
    fn in_strips_and_rest(&mut self, positions: &Positions<'_>) {
        let Positions { repetition, accumulators, scope, ranges, extent } = positions;
        self.line("{");
        self.depth += 1;
        self.line("let mut done = 0isize;");
        for strips in &accumulators.strips {
            let lanes = strips.lanes;
            let left = format!("{extent} - done");
            let conditions = self.conditions(positions, strips, &left);
            let print = |printer: &mut Self| {
                printer.line(format!("let strips = ({left}) / {lanes};"));
                printer.in_strips(positions, lanes, |_, lanes, index| {
                    ("strips".to_string(), format!("let {index} = done + {lanes} * strip;"))
                });
                printer.line(format!("done += {lanes} * strips;"));
            };
            match conditions.is_empty() {
                true => self.braced(String::new(), print),
                false => self.braced(format!("if {conditions} "), print),
            }
        }
        self.in_order("done", repetition, scope, ranges);
        self.depth -= 1;
        self.line("}");
    }

    /// The conditions that enough positions are left for strips, and that no minimum is NaN, which not all
    /// lanes would see. Empty where both are known.
    fn conditions(&mut self, positions: &Positions<'_>, strips: &StripsOfLoop, left: &str) -> String {
        let mut conditions = Vec::new();
        if let Some(least) = strips.least {
            conditions.push(format!("{left} >= {least}"));
        }
        let targets = self.targets(positions);
        for ((_, combination), target) in positions.accumulators.variables.iter().zip(targets) {
            if combination.is_idempotent() {
                conditions.push(format!("__lift_host::number::is_number({target})"));
            }
        }
        conditions.join(" && ")
    }

    /// The accumulators in this scope.
    fn targets(&mut self, positions: &Positions<'_>) -> Vec<String> {
        let Positions { accumulators, scope, ranges, .. } = positions;
        let variables = accumulators.variables.iter();
        let targets = variables
            .map(|(variable, _)| self.with_printer(scope, ranges, |printer| printer.variable(variable)));
        targets.collect()
    }

    /// Prints the iterations of a loop from `first` on, one after the other.
    fn in_order(&mut self, first: &str, repetition: &Loop, scope: &LaneScope, ranges: &Ranges) {
        let inside = ranges.in_loop(repetition);
        let (index, extent) = (self.names.index(&repetition.index), self.nat(&repetition.extent, ranges));
        let scope = &match first {
            "0" => {
                let numbered = (&repetition.index, &repetition.extent);
                self.slices_of_data(numbered, &repetition.body, scope, ranges)
            }
            _ => scope.clone(),
        };
        self.braced(format!("for {index} in {first}..{extent} "), |printer| {
            printer.statements(&repetition.body, scope, &inside);
        });
    }

    /// Prints some strips of a loop. `where_they_lie` returns how many there are, and declares the first
    /// position of one. In a block of its own, the accumulator's name means its lanes.
    fn in_strips(
        &mut self,
        positions: &Positions<'_>,
        lanes: usize,
        where_they_lie: impl FnOnce(&mut Self, usize, &str) -> (String, String),
    ) {
        let Positions { repetition, accumulators, ranges, .. } = positions;
        let targets = self.targets(positions);
        let are_final = accumulators.are_idempotent();
        self.line(match are_final {
            true => format!("{} = {{", listed(&targets)),
            false => "let of_strips = {".to_string(),
        });
        self.depth += 1;
        self.held_values(repetition, accumulators, positions.scope);
        for ((variable, combination), target) in accumulators.variables.iter().zip(&targets) {
            let (name, ty) = (self.names.variable(&variable.name), value_type(variable.ty));
            let start = start(*combination, variable.ty, target);
            self.line(format!("let mut {name}: [{ty}; {lanes}] = [{start}; {lanes}];"));
        }
        let (index, strip) = (self.names.index(&repetition.index), accumulators.strip(repetition));
        let (count, position) = where_they_lie(self, lanes, &index);
        self.braced(format!("for strip in 0..{count} "), |printer| {
            printer.line(position);
            let context = StripContext {
                strip: &strip,
                index: &repetition.index,
                lanes: Lanes::Strip(lanes),
                rows: None,
                slices: &[],
                updates: Updates::Moved,
            };
            printer.lane_tasks(&strip.tasks, context, &ranges.in_loop(repetition));
        });
        let folded: Vec<String> = accumulators
            .variables
            .iter()
            .map(|(variable, combination)| folded(*combination, &self.names.variable(&variable.name)))
            .collect();
        self.line(listed(&folded));
        self.depth -= 1;
        self.line("};");
        if !are_final {
            for (position, ((_, combination), target)) in
                accumulators.variables.iter().zip(&targets).enumerate()
            {
                let part = if targets.len() == 1 {
                    "of_strips".to_string()
                } else {
                    format!("of_strips.{position}")
                };
                self.line(format!("{target} = {};", joined(*combination, target, &part)));
            }
        }
    }

    /// Gives values that a lane of the code around holds names without the lane's number: the lanes inside
    /// have their own numbers.
    fn held_values(&mut self, repetition: &Loop, accumulators: &Accumulators, scope: &LaneScope) {
        for name in Uses::of(&repetition.body).free() {
            if scope.varies(&name) && accumulators.combination(&name).is_none() {
                let name = self.names.variable(&name);
                self.line(format!("let {name} = {};", scope.lane_of(&name)));
            }
        }
    }
}

/// The value that the accumulator of a lane starts from.
fn start(combination: Combination, ty: ValueType, accumulator: &str) -> String {
    let ty = value_type(ty);
    match combination {
        Combination::Smallest | Combination::Largest => accumulator.to_string(),
        // Only -0.0 is an identity of all floats.
        Combination::Sum => format!("__lift_host::number::negate(__lift_host::zero::<{ty}>())"),
    }
}

/// Combines all lanes into one value.
fn folded(combination: Combination, lanes: &str) -> String {
    let function = match combination {
        Combination::Smallest => "smaller",
        Combination::Largest => "larger",
        Combination::Sum => "add",
    };
    format!("__lift_host::number::lanes::fold({lanes}, __lift_host::number::{function})")
}

/// The accumulator after strips, given the combined lanes, `part`.
fn joined(combination: Combination, accumulator: &str, part: &str) -> String {
    match combination {
        Combination::Smallest | Combination::Largest => part.to_string(),
        Combination::Sum => format!("__lift_host::number::add({accumulator}, {part})"),
    }
}

/// One part as it is, or a tuple of several.
fn listed(parts: &[String]) -> String {
    match parts {
        [one] => one.clone(),
        several => format!("({})", several.join(", ")),
    }
}
