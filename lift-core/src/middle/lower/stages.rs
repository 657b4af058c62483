//! What the whole device must have computed before anything that needs it can start.
//!
//! A reduction of a whole array whose value other work-items need (`a >> map(|x| x / reduce(add, 0, a))`) is
//! computed once, by kernels of its own, and lies in global memory for what comes after. Computed where it is
//! read, every work-item would repeat it. A reduction moves out of all functions whose parameters and
//! positions it does not mention; what is short and of a known length stays where it is.
//!
//! So does an array whose elements take loops and are read repeatedly (`repetition`): the product `a * x` in
//! `a^T * (a * x)`, which every work-item would compute again as a whole, or the rows of a separated
//! convolution, which the columns read 17 times. The result of an `iterate` is stored wherever it is read, as
//! what every application makes is: each may read it repeatedly. Inside an application the same holds as
//! inside a program: it may take several kernels.

use std::collections::BTreeSet;

use super::build::Builder;
use super::division::{Divided, divide as divide_map};
use super::kernel_ends::{Boundaries, is_complete_before_use};
use super::place::{Depth, Destination, Place, collect_reads, mentions_one_of};
use super::reduction::divide;
use super::repetition::{Element, times_of_bound};
use super::scan::{self, is_divisible};
use super::times::Times;
use super::{Lowering, is_producer, parallel_levels, stores_applications, takes_a_loop, uses_hierarchy};
use crate::ir::nat::{Nat, Ranges, Var};
use crate::ir::typed::{
    AddressSpace, Binding, Expr, ExprKind, Lambda, MapKind, Position, Program, ReduceKind, Variable,
};
use crate::ir::types::Type;

/// A reduction of this many elements is repeated rather than given a kernel of its own.
const QUICKLY_REPEATED: i128 = 4;

/// Gives reductions of whole arrays stages of their own; see the module documentation.
pub(super) fn separate_stages(program: &Program) -> (Expr, u32) {
    let mut stages = Stages {
        program,
        ranges: program.ranges(),
        taken_at_its_word: uses_hierarchy(&program.body),
        build: Builder { next_id: program.next_id },
        kept: Vec::new(),
    };
    let body = stages.whole(&program.body);
    (body, stages.build.next_id)
}

struct Stages<'p> {
    program: &'p Program,
    /// What is known of the sizes.
    ranges: Ranges,
    taken_at_its_word: bool,
    build: Builder,
    /// What is computed once each time that a scope around the place at hand is entered, for each of them.
    kept: Vec<Vec<Binding>>,
}

/// Whether a value needs arrays on the way whose lengths are not known.
fn stores_any_length(expr: &Expr) -> bool {
    let is_open = expr.ty.shape().iter().any(|length| length.as_constant().is_none());
    is_producer(expr) && is_open || expr.children().into_iter().any(stores_any_length)
}

/// Whether a value is made of an element at a position from data.
fn looks_up(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::At(Position::Clamped(_) | Position::OrDefault(..), _))
        || expr.children().into_iter().any(looks_up)
}

/// What has a stage of its own: a variable for it, a single value as an array of one element, and how to
/// compute it.
type Lifted = Vec<Binding>;

impl Stages<'_> {
    /// An expression that stands inside no function.
    fn whole(&mut self, expr: &Expr) -> Expr {
        let mut lifted = Lifted::new();
        let staged = self.whole_after(expr, &mut lifted);
        self.build.bind_all(lifted, staged)
    }

    /// The same, after what is lifted. The stages of all parts of a tuple come before its first part, whose
    /// kernel may serve for the others.
    fn whole_after(&mut self, expr: &Expr, lifted: &mut Lifted) -> Expr {
        match &expr.kind {
            ExprKind::Let { bindings, body } => self.bound_to_whole(bindings, body, lifted),
            ExprKind::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.whole_after(part, lifted)).collect();
                Expr { kind: ExprKind::Tuple(parts), ..expr.clone() }
            }
            ExprKind::Reduce(..) => {
                let inner = self.lift_inside(expr, &Place::of_nothing(Times::ONCE, false), lifted);
                match divide(&inner, &self.program.functions, &mut self.build) {
                    Some(total) => self.build.at(&total, Nat::zero()),
                    None => inner,
                }
            }
            ExprKind::Iterate(..) => self.applied_by_device(expr, lifted),
            _ => self.lift(expr, &Place::of_nothing(Times::ONCE, true), lifted),
        }
    }

    /// The body of a `let` that stands inside no function; what it gives names to is lifted.
    fn bound_to_whole(&mut self, bindings: &[Binding], body: &Expr, lifted: &mut Lifted) -> Expr {
        let mut values = Vec::new();
        for (binding, times) in bindings.iter().zip(times_of_bound(bindings, body, &self.ranges)) {
            let mut stages = Lifted::new();
            let value = self.bound(times, &binding.value, &mut stages);
            values.push((stages, value));
        }
        let body = self.whole(body);
        let mut other_kernels_follow = self.takes_several_kernels(&body);
        for position in (0..values.len()).rev() {
            let is_stored = other_kernels_follow && {
                let later = values.iter().skip(position + 1).flat_map(parts_of).chain([&body]);
                let own = bindings.get(position).zip(values.get(position));
                own.is_some_and(|(own, (_, value))| self.is_for_other_kernels(&own.variable, value, later))
            };
            let Some((stages, value)) = values.get_mut(position) else { continue };
            if is_stored && !value.ty.is_element() {
                *value = self.complete_array(value, stages);
            } else if is_stored {
                let complete = self.complete(value, stages);
                let array = self.stage("computed", complete, stages);
                *value = self.build.at(&array, Nat::zero());
            }
            other_kernels_follow |=
                values.get(position).is_some_and(|own| parts_of(own).any(is_complete_before_use));
        }
        for (binding, (stages, value)) in bindings.iter().zip(values) {
            lifted.extend(stages);
            lifted.push(binding.with_value(value));
        }
        body
    }

    /// Whether an expression that is written to memory takes several kernels, once it is lowered.
    fn takes_several_kernels(&self, expr: &Expr) -> bool {
        let lowered = produced(expr, &self.program.open_ranks, &mut Builder { next_id: self.build.next_id });
        Boundaries::of(self.program).ends_kernels(&lowered)
    }

    /// Whether a value that takes statements of its own, a loop, although a short one, or a look at a
    /// position from data, is stored for the kernels after this one: variables end with their kernel. A
    /// program that says who computes what gets no other kernels than it has to.
    fn is_for_other_kernels<'e>(
        &self,
        variable: &Variable,
        value: &Expr,
        mut later: impl Iterator<Item = &'e Expr>,
    ) -> bool {
        // A row at a position from data is read by that position, which the kernel computes.
        let is_row_looked_up = matches!(value.ty, Type::Array(_)) && !is_producer(value) && looks_up(value);
        let takes_statements =
            is_row_looked_up || (value.ty.is_element() && (takes_a_loop(value) || looks_up(value)));
        let mut is_behind = false;
        let boundaries = Boundaries::of(self.program);
        takes_statements
            && (!self.taken_at_its_word
                || later.any(|expr| {
                    let is_read = boundaries.is_read_in_later_kernel(expr, variable, &mut is_behind);
                    is_behind |= is_complete_before_use(expr);
                    is_read
                }))
    }

    /// What a `let` gives a name that stands inside no function.
    fn bound(&mut self, times: Times, value: &Expr, lifted: &mut Lifted) -> Expr {
        let place = Place::of_nothing(times, false);
        if let ExprKind::Store(None, stored) = &value.kind
            && !self.taken_at_its_word
        {
            return self.complete_array(stored, lifted);
        }
        match self.divided_scan(value, Vec::new(), &place, lifted) {
            Some(prefixes) => self.build.stored(AddressSpace::Global, prefixes),
            None if self.is_worth_storing(value, &place) => self.complete_array(value, lifted),
            None => self.lift(value, &place, lifted),
        }
    }

    /// The prefixes that kernels of their own compute; nothing for a scan that one work-item does, or each
    /// that needs it for itself.
    fn divided_scan(
        &mut self,
        scan: &Expr,
        then: Vec<Lambda>,
        place: &Place,
        lifted: &mut Lifted,
    ) -> Option<Expr> {
        let ExprKind::Scan(kind, function, initial, input) = &scan.kind else { return None };
        let is_for_device = place.is_in_no_function() || (!self.taken_at_its_word && place.is_closed(scan));
        let functions = &self.program.functions;
        if place.destination == Destination::Named || !is_for_device || !is_divisible(scan, functions) {
            return None;
        }
        // The totals of tiles are made of the elements, and the prefixes again; and the last element fills
        // the last tile.
        let times = if takes_a_loop(input) { Times::Many } else { Times::Known(2) };
        let input = self.lift(input, &Place::of_nothing(times, false), lifted);
        let initial = self.lift(initial, &Place::of_nothing(Times::ONCE, false), lifted);
        let kind = ExprKind::Scan(*kind, function.clone(), Box::new(initial), Box::new(input));
        let scan = Expr { kind, ..scan.clone() };
        let divided = scan::divide(&scan, then, &self.program.functions, &mut self.build)?;
        lifted.extend(divided.stages);
        Some(divided.prefixes)
    }

    /// The same where elements are only mapped, which those who have the prefixes do.
    fn divided_and_mapped(&mut self, expr: &Expr, place: &Place, lifted: &mut Lifted) -> Option<Expr> {
        let mut maps = Vec::new();
        let mut input = expr;
        while let ExprKind::Map(MapKind::Unspecified, function, of) = &input.kind {
            let is_simple = function.index.is_none() && function.body.ty.is_element();
            if !is_simple || takes_a_loop(&function.body) {
                return None;
            }
            maps.push((input, function));
            input = of;
        }
        if !is_divisible(input, &self.program.functions) {
            return None;
        }
        let mut then = Vec::new();
        for (map, function) in maps.into_iter().rev() {
            let body = Box::new(self.lift_part(&function.body, map, place, lifted));
            then.push(Lambda { body, ..function.clone() });
        }
        self.divided_scan(input, then, place, lifted)
    }

    /// Whether a value takes long to compute.
    fn is_long(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Reduce(kind, function, _, input) => {
                let length = input.ty.as_array().and_then(|array| array.length.as_constant());
                let is_quick = length.is_some_and(|length| length <= QUICKLY_REPEATED)
                    && !takes_a_loop(&function.body)
                    && !takes_a_loop(input);
                !is_quick && (*kind == ReduceKind::Unspecified || !self.taken_at_its_word)
            }
            _ => expr.children().into_iter().any(|child| self.is_long(child)),
        }
    }

    /// An expression in which the long reductions that depend on nothing inside the functions around it are
    /// read from where their stages left them.
    fn lift(&mut self, expr: &Expr, place: &Place, lifted: &mut Lifted) -> Expr {
        if let ExprKind::Store(None, value) = &expr.kind
            && !self.taken_at_its_word
        {
            return self.stored(value, place, lifted);
        }
        if let Some(map) = self.rows_as_map(expr, place) {
            return self.lift(&map, place, lifted);
        }
        let is_reduction = matches!(expr.kind, ExprKind::Reduce(..));
        if is_reduction && expr.ty.is_element() && self.is_long(expr) && place.is_closed(expr) {
            let complete = self.complete(expr, lifted);
            let array = self.stage("reduced", complete, lifted);
            return self.build.at(&array, Nat::zero());
        }
        let is_whole = place.is_produced && place.destination == Destination::Whole;
        if is_whole
            && place.is_in_no_function()
            && let Some(result) = self.divided_and_mapped(expr, place, lifted)
        {
            return result;
        }
        if let Some(prefixes) = self.divided_scan(expr, Vec::new(), place, lifted) {
            let complete = self.build.stored(AddressSpace::Global, prefixes);
            return self.stage("prefixes", complete, lifted);
        }
        if self.is_worth_storing(expr, place) && place.is_closed(expr) {
            let complete = self.complete_array(expr, lifted);
            return self.stage("stored", complete, lifted);
        }
        if let ExprKind::Iterate(..) = &expr.kind
            && place.is_produced
            && place.is_in_no_function()
        {
            return self.applied_by_device(expr, lifted);
        }
        if let Some(home) = self.home_of_repeated(expr, place) {
            return self.kept_in(home, expr, place, lifted);
        }
        match &expr.kind {
            ExprKind::Let { bindings, body } => {
                let (kept, body) = self.lift_bound(bindings, body, place, lifted);
                Expr {
                    id: expr.id,
                    ty: expr.ty.clone(),
                    source: expr.source,
                    kind: ExprKind::bound(kept, body),
                }
            }
            _ => self.lift_inside(expr, place, lifted),
        }
    }

    /// Rows that are made from their positions and take loops, as a map over the positions, which is divided
    /// like any other.
    fn rows_as_map(&mut self, expr: &Expr, place: &Place) -> Option<Expr> {
        let ExprKind::Generate(count, function) = &expr.kind else { return None };
        let is_of_device = place.is_produced && place.is_in_no_function() && !self.taken_at_its_word;
        if !is_of_device || function.body.ty.is_element() || !takes_a_loop(&function.body) {
            return None;
        }
        let (index, body) = (function.index.clone(), function.body.as_ref().clone());
        let map = self.build.distribute(MapKind::Unspecified, index, count.clone(), body);
        Some(Expr { ty: expr.ty.clone(), ..map })
    }

    /// An array that the user wants stored, read from where it is.
    fn stored(&mut self, value: &Expr, place: &Place, lifted: &mut Lifted) -> Expr {
        if place.is_produced {
            return self.lift(value, place, lifted);
        }
        match place.home(value) {
            None => {
                let complete = self.complete_array(value, lifted);
                self.stage("stored", complete, lifted)
            }
            Some(home) => self.kept_in(home, value, place, lifted),
        }
    }

    /// The same for `let`s: those that keep their place, and their body.
    fn lift_bound(
        &mut self,
        bindings: &[Binding],
        body: &Expr,
        place: &Place,
        lifted: &mut Lifted,
    ) -> (Vec<Binding>, Expr) {
        let last_scan = match self.holds_divisible_scan(body) {
            true => bindings.len(),
            false => {
                let values = bindings.iter().map(|binding| &binding.value);
                values
                    .rev()
                    .position(|value| self.holds_divisible_scan(value))
                    .map_or(0, |behind| bindings.len() - 1 - behind)
            }
        };
        let mut place = place.clone();
        let outside = self.kept.split_off(place.depth());
        let mut bound = Vec::new();
        for (position, (binding, times)) in
            bindings.iter().zip(times_of_bound(bindings, body, &self.ranges)).enumerate()
        {
            let value = &binding.value;
            if place.is_in_no_function() && position < last_scan {
                let complete = self.bound(times, value, lifted);
                lifted.push(binding.with_value(complete));
                continue;
            }
            let inner = place.of_bound(times);
            if self.is_worth_storing(value, &inner) && place.is_closed(value) {
                let complete = match self.divided_scan(value, Vec::new(), &inner, lifted) {
                    Some(prefixes) => self.build.stored(AddressSpace::Global, prefixes),
                    None => self.complete_array(value, lifted),
                };
                lifted.push(binding.with_value(complete));
                continue;
            }
            let (home, value) = match &value.kind {
                ExprKind::Store(None, stored) if !self.taken_at_its_word => {
                    (place.home(stored), stored.as_ref())
                }
                _ => (self.home_of_repeated(value, &inner), value),
            };
            let value = match home {
                Some(home) => self.kept_value(value, &inner, home, lifted),
                None => self.lift(value, &inner, lifted),
            };
            match home {
                Some(home) if home.0 + 1 < place.depth() => {
                    self.keep(home, binding.with_value(value));
                    place.bind_in(home, &binding.variable);
                }
                _ => {
                    bound.push(binding.with_value(value));
                    place = place.after(&binding.variable);
                    self.kept.push(Vec::new());
                }
            }
        }
        let body = self.lift(body, &place, lifted);
        let kept = self.kept.split_off(self.kept.len() - bound.len());
        self.kept.extend(outside);
        let bindings =
            bound.into_iter().zip(kept).flat_map(|(binding, kept)| [binding].into_iter().chain(kept));
        (bindings.collect(), body)
    }

    /// A part of an expression; what its function needs again and again is kept in the function's body.
    fn lift_part(&mut self, part: &Expr, whole: &Expr, place: &Place, lifted: &mut Lifted) -> Expr {
        let inner = place.of_part(part, whole, &self.ranges);
        let outside = self.kept.split_off(place.depth());
        let is_body = inner.depth() > place.depth();
        if is_body {
            self.kept.push(Vec::new());
        }
        let mut changed = self.lift(part, &inner, lifted);
        if is_body && let Some(kept) = self.kept.pop() {
            changed = self.build.bind_all(kept, changed);
        }
        self.kept.extend(outside);
        changed
    }

    /// Computes a value once each time that a scope is entered.
    fn keep(&mut self, home: Depth, binding: Binding) {
        if let Some(kept) = self.kept.get_mut(home.0) {
            kept.push(binding);
        }
    }

    /// A value that is computed once each time that a scope is entered, read.
    fn kept_in(&mut self, home: Depth, expr: &Expr, place: &Place, lifted: &mut Lifted) -> Expr {
        let value = self.kept_value(expr, place, home, lifted);
        let variable = self.build.variable("kept");
        let read = self.build.read(&variable, &value.ty, value.source);
        self.keep(home, Binding { variable, value });
        read
    }

    /// The scope inside a function in which a value should be computed, where it would be computed repeatedly
    /// as it stands.
    fn home_of_repeated(&self, expr: &Expr, place: &Place) -> Option<Depth> {
        if self.taken_at_its_word || place.is_produced || place.is_in_no_function() {
            return None;
        }
        let is_repeated = |home: Depth| match &expr.kind {
            ExprKind::Map(MapKind::Unspecified, function, _) | ExprKind::Generate(_, function) => {
                let element = Element::of(&function.body, &self.program.functions);
                element.is_worth_keeping(place.times_in(home), place.is_taken_apart)
            }
            ExprKind::Reduce(..) if expr.ty.is_element() => place.reached_in(home) > Times::ONCE,
            ExprKind::Reduce(..) | ExprKind::Scan(..) | ExprKind::Iterate(..) => {
                place.reached_in(home) > Times::ONCE
            }
            _ => false,
        };
        match &expr.kind {
            ExprKind::Map(..)
            | ExprKind::Generate(..)
            | ExprKind::Reduce(..)
            | ExprKind::Scan(..)
            | ExprKind::Iterate(..) => place.home(expr).filter(|home| is_repeated(*home)),
            _ => None,
        }
    }

    /// The same value, stored by whoever enters a scope.
    fn kept_value(&mut self, expr: &Expr, place: &Place, home: Depth, lifted: &mut Lifted) -> Expr {
        let home = place.at(home);
        let inner = self.lift_inside(expr, &home, lifted);
        if expr.ty.is_element() {
            return inner;
        }
        self.build.kept(inner)
    }

    /// A complete value, read from where its stage leaves it.
    fn stage(&mut self, name: &str, complete: Expr, lifted: &mut Lifted) -> Expr {
        let variable = self.build.variable(name);
        let read = self.build.read(&variable, &complete.ty, complete.source);
        lifted.push(Binding { variable, value: complete });
        read
    }

    fn holds_divisible_scan(&self, expr: &Expr) -> bool {
        is_divisible(expr, &self.program.functions)
            || expr.children().into_iter().any(|child| self.holds_divisible_scan(child))
    }

    /// The same for the parts of an expression.
    fn lift_inside(&mut self, expr: &Expr, place: &Place, lifted: &mut Lifted) -> Expr {
        let inner = expr.with_children(&mut |child| self.lift_part(child, expr, place, lifted));
        if self.taken_at_its_word || !place.is_in_no_function() {
            return inner;
        }
        match divide_map(&inner, &self.program.functions, &mut self.build) {
            Some(Divided { stages, rest }) => {
                for stage in stages {
                    let value = completed(&stage.value, &self.program.open_ranks, &mut self.build);
                    lifted.push(stage.with_value(value));
                }
                rest
            }
            None => inner,
        }
    }

    /// Whether a delayed array is better computed once and read from memory. Where its elements need arrays
    /// of any length, it must be: only a kernel of its own has room for them.
    fn is_worth_storing(&self, expr: &Expr, place: &Place) -> bool {
        if self.taken_at_its_word || place.is_produced || expr.ty.is_element() {
            return false;
        }
        match &expr.kind {
            // What a map costs that it reads is another array's.
            ExprKind::Map(MapKind::Unspecified, function, _) | ExprKind::Generate(_, function) => {
                let element = Element::of(&function.body, &self.program.functions);
                element.is_worth_a_kernel(place.times, place.is_taken_apart)
                    || stores_any_length(&function.body)
            }
            ExprKind::Reduce(..) | ExprKind::Scan(..) => true,
            ExprKind::Iterate(count, function, _) => stores_applications(count, function),
            _ => false,
        }
    }

    /// An `iterate` whose function the whole device applies: an application may be several kernels, so that
    /// what is worth a stage inside of it gets one.
    fn applied_by_device(&mut self, iterate: &Expr, lifted: &mut Lifted) -> Expr {
        let place = Place::of_nothing(Times::ONCE, true);
        let ExprKind::Iterate(count, function, input) = &iterate.kind else {
            return self.lift(iterate, &place, lifted);
        };
        let input = self.lift_part(input, iterate, &place, lifted);
        let body = self.whole(&function.body);
        let body = Box::new(self.without_invariants(body, function, lifted));
        let function = Lambda { body, ..function.clone() };
        Expr { kind: ExprKind::Iterate(count.clone(), function, Box::new(input)), ..iterate.clone() }
    }

    /// The body of a function that is applied again and again, without the stages that every application
    /// would compute again: those that mention nothing that the function binds come before the first.
    fn without_invariants(&mut self, body: Expr, function: &Lambda, lifted: &mut Lifted) -> Expr {
        // Launches of a program that says who computes what are given in the order of its kernels.
        if self.taken_at_its_word {
            return body;
        }
        let ExprKind::Let { bindings, body: inner } = body.kind else { return body };
        let mut varying: BTreeSet<u32> =
            function.parameters.iter().map(|(variable, _)| variable.id).collect();
        let positions: Vec<Var> = function.index.iter().cloned().collect();
        let mut kept = Vec::new();
        for binding in bindings {
            let mut read = BTreeSet::new();
            collect_reads(&binding.value, &mut read);
            let varies = !varying.is_disjoint(&read) || mentions_one_of(&binding.value, &positions);
            if varies || !is_complete_before_use(&binding.value) {
                varying.insert(binding.variable.id);
                kept.push(binding);
            } else {
                lifted.push(binding);
            }
        }
        self.build.bind_all(kept, *inner)
    }

    /// The array that kernels of their own leave for others to read.
    fn complete_array(&mut self, array: &Expr, lifted: &mut Lifted) -> Expr {
        let inner = match &array.kind {
            ExprKind::Iterate(..) => self.applied_by_device(array, lifted),
            _ => self.lift_inside(array, &Place::of_nothing(Times::ONCE, true), lifted),
        };
        completed(&inner, &self.program.open_ranks, &mut self.build)
    }

    /// The array of one element that kernels of their own leave for others to read.
    fn complete(&mut self, reduction: &Expr, lifted: &mut Lifted) -> Expr {
        let inner = self.lift_inside(reduction, &Place::of_nothing(Times::ONCE, false), lifted);
        match divide(&inner, &self.program.functions, &mut self.build) {
            Some(total) => total,
            None => {
                let value = self.build.array_of_one(inner);
                self.build.stored(AddressSpace::Global, value)
            }
        }
    }
}

/// An array that is written by kernels of its own.
pub(super) fn completed(inner: &Expr, open_ranks: &BTreeSet<usize>, build: &mut Builder) -> Expr {
    let produced = produced(inner, open_ranks, build);
    build.stored(AddressSpace::Global, produced)
}

/// An expression whose value is written: everything that produces elements says who computes them.
fn produced(expr: &Expr, open_ranks: &BTreeSet<usize>, build: &mut Builder) -> Expr {
    let parallel_levels = parallel_levels(expr, open_ranks);
    let mut lowering = Lowering { next_id: build.next_id, parallel_levels, open_ranks };
    let produced = lowering.produce(expr, 0);
    build.next_id = lowering.next_id;
    produced
}

/// What a `let` computes, in its order.
fn parts_of((stages, value): &(Lifted, Expr)) -> impl Iterator<Item = &Expr> {
    stages.iter().map(|stage| &stage.value).chain([value])
}
