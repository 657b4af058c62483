//! Loops that take minima and maxima: an accumulator for each lane of a strip of the loop's positions.
//!
//! A long row is done in wide strips, a short one in narrow strips, and one that is shorter still, or starts from NaN, position by position.
//! The last strip overlaps the one before where the positions do not fill it: what is taken twice is no other extreme.

use super::lanes::{Together, Updates};
use super::place::Place;
use super::{Printer, value_type};
use crate::host::accesses::Accesses;
use crate::host::{Extremes, Lanes};
use crate::kernel::{Loop, Uses};
use crate::nat::{Nat, Ranges};
use crate::primitive::builtin::Builtin;

impl Printer<'_> {
    /// A loop at one position, or in one lane.
    pub(super) fn repetition(&mut self, repetition: &Loop, place: &Place, ranges: &Ranges) {
        self.comment(&repetition.origin);
        self.extents.declare_step(repetition, ranges);
        // What each lane of the code around has for itself lies apart.
        let is_apart = || Accesses::of(&repetition.body).loads.iter().any(|load| place.owns(load.buffer));
        let Some(extremes) = Extremes::of(repetition).filter(|_| !is_apart()) else {
            return self.in_order(repetition, place, ranges);
        };
        // What starts from NaN becomes the first number, which not all lanes meet.
        let targets = self.targets(&extremes, place, ranges);
        let are_numbers = targets.iter().map(|target| format!("__lift_host::number::is_number({target})"));
        let are_numbers = are_numbers.collect::<Vec<_>>().join(" && ");
        let extent = self.nat(&repetition.extent, ranges);
        let mut otherwise = "";
        for strips in &extremes.strips {
            let is_long = strips.least.map_or_else(String::new, |least| format!("{extent} >= {least} && "));
            self.braced(format!("{otherwise}if {is_long}{are_numbers} "), |printer| {
                printer.in_strips(repetition, &extremes, strips.lanes, place, ranges);
            });
            otherwise = "else ";
        }
        self.braced("else ", |printer| printer.in_order(repetition, place, ranges));
    }

    /// The accumulators at a place.
    fn targets(&mut self, extremes: &Extremes, place: &Place, ranges: &Ranges) -> Vec<String> {
        let names = extremes
            .accumulators
            .iter()
            .map(|(variable, _)| self.with_printer(place, ranges, |printer| printer.variable(variable)));
        names.collect()
    }

    /// The steps of a loop, one after the other.
    fn in_order(&mut self, repetition: &Loop, place: &Place, ranges: &Ranges) {
        let inside = ranges.in_loop(repetition);
        let (index, extent) = (self.names.index(&repetition.index), self.nat(&repetition.extent, ranges));
        self.braced(format!("for {index} in 0..{extent} "), |printer| {
            printer.statements(&repetition.body, place, &inside);
        });
    }

    /// At least as many steps as a strip has lanes. What the lanes accumulate has the name of the accumulator, in a block of its own.
    fn in_strips(
        &mut self,
        repetition: &Loop,
        extremes: &Extremes,
        lanes: usize,
        place: &Place,
        ranges: &Ranges,
    ) {
        let accumulators = || extremes.accumulators.iter();
        let targets = self.targets(extremes, place, ranges);
        self.line(format!("{} = {{", listed(&targets)));
        self.depth += 1;
        self.held_values(repetition, extremes, place);
        for ((variable, _), target) in accumulators().zip(&targets) {
            let (name, ty) = (self.names.variable(&variable.name), value_type(variable.ty));
            self.line(format!("let mut {name}: [{ty}; {lanes}] = [{target}; {lanes}];"));
        }
        self.strips_of_loop(repetition, extremes, lanes, ranges);
        let folded = accumulators().map(|(variable, function)| {
            let name = self.names.variable(&variable.name);
            let function = if *function == Builtin::Min { "smaller" } else { "larger" };
            format!("__lift_host::number::lanes::fold({name}, __lift_host::number::{function})")
        });
        let folded: Vec<String> = folded.collect();
        self.line(listed(&folded));
        self.depth -= 1;
        self.line("};");
    }

    /// All strips of a loop.
    fn strips_of_loop(&mut self, repetition: &Loop, extremes: &Extremes, lanes: usize, ranges: &Ranges) {
        let (index, strip) = (self.names.index(&repetition.index), extremes.strip(repetition));
        let last = self.nat(&(&repetition.extent - Nat::one()), ranges);
        self.line(format!("let last = {last};"));
        self.braced(format!("for strip in 0..last / {lanes} + 1 "), |printer| {
            let before = lanes - 1;
            printer
                .line(format!("let {index} = __lift_host::index::least({lanes} * strip, last - {before});"));
            let together = Together {
                strip: &strip,
                index: &repetition.index,
                lanes: Lanes::Strip(lanes),
                rows: None,
                windows: &[],
                updates: Updates::Moved,
            };
            printer.lane_steps(&strip.steps, together, &ranges.in_loop(repetition));
        });
    }

    /// Gives what a lane of the code around holds names without the lane's number: the lanes inside have numbers of their own.
    fn held_values(&mut self, repetition: &Loop, extremes: &Extremes, place: &Place) {
        for name in Uses::of(&repetition.body).free() {
            if place.varies(&name) && !extremes.is_accumulator(&name) {
                let name = self.names.variable(&name);
                self.line(format!("let {name} = {};", place.lane_of(&name)));
            }
        }
    }
}

/// One, or a tuple of several.
fn listed(parts: &[String]) -> String {
    match parts {
        [one] => one.clone(),
        several => format!("({})", several.join(", ")),
    }
}
