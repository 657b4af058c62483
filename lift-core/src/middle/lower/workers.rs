//! Decides who computes the elements of values that are written: a strategy that gives every map that
//! produces them its workers, and every view the maps that copy it.
//!
//! Input: a program with its stages, each a `store` outside of all functions. Output: steps for
//! the result and for each stage. They are decided together, because none of them moves the place of another:
//! workers change no place, and a copy stands where nothing else is decided inside.
//!
//! The rules are `idMap` and `joinSplitId` for copies, `mapGlb`, `mapLcl` and `mapSeq` for workers,
//! `storeToGlobal` and `removeStore` for stores.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::hierarchy::{maps_of_device, maps_of_group, says_who_computes};
use super::producers::{
    holds_map, is_producer, rearranged, shows_stored_array, stores, stores_per_element, takes_a_loop,
};
use super::rows::scattered_rows;
use crate::ir::nat::Nat;
use crate::ir::scalar::ScalarType;
use crate::ir::typed::binders::mentions;
use crate::ir::typed::{
    AddressSpace, Around, Binding, DIMENSIONS, Expr, ExprKind, MapKind, Path, Program, Variable,
};
use crate::ir::types::Type;
use crate::middle::rewrite::rules::{
    ID_MAP, JOIN_SPLIT_ID, MAP_GLB, MAP_LCL, MAP_SEQ, REMOVE_STORE, STORE_TO_GLOBAL,
};
use crate::middle::rewrite::{Argument, Rule, Strategy};

/// The workers of the stages of a program that does not use the hierarchy, and those of its result.
pub(super) fn workers(body: &Arc<Expr>, program: &Program) -> Strategy {
    decided("workers", program, Some(body), |decisions| {
        decisions.stages(body, &Path::root());
        decisions.written(body, &Path::root());
    })
}

/// The workers of the result. A program that uses the hierarchy stores where it says.
pub(super) fn workers_of_result(body: &Arc<Expr>, program: &Program) -> Strategy {
    decided("workersOfResult", program, Some(body), |decisions| decisions.written(body, &Path::root()))
}

/// The workers of stages, where the result has its own.
pub(super) fn workers_of_stages(body: &Arc<Expr>, program: &Program) -> Strategy {
    decided("workersOfStages", program, Some(body), |decisions| decisions.stages(body, &Path::root()))
}

/// A kept array is written by the work-item that enters its home.
pub(super) fn kept_by_work_item(store: &Arc<Expr>, program: &Program) -> Strategy {
    decided("keptByWorkItem", program, None, |decisions| {
        if let ExprKind::Store(None, value) = &store.kind {
            decisions.step(&Path::root(), &REMOVE_STORE, None);
            decisions.produce(value, &Path::root(), 1);
        }
    })
}

fn decided<'p>(
    name: &'static str,
    program: &'p Program,
    body: Option<&'p Arc<Expr>>,
    decide: impl FnOnce(&mut Decisions<'p>),
) -> Strategy {
    let (shared, group, own, steps) = Default::default();
    let mut decisions = Decisions { program, body, shared, group, own, steps };
    decide(&mut decisions);
    Strategy::Sequence(decisions.steps).named(name, Vec::new())
}

/// The places of the kept arrays of a program without stages, inner ones first. What is decided about one
/// moves no place that comes after it.
pub(super) fn kept_arrays(body: &Arc<Expr>) -> Vec<Path> {
    let mut places = Vec::new();
    collect_kept(body, &mut Vec::new(), &mut places);
    places
}

fn collect_kept(expr: &Arc<Expr>, here: &mut Vec<usize>, places: &mut Vec<Path>) {
    for (position, child) in expr.children().enumerate() {
        here.push(position);
        collect_kept(child, here, places);
        here.pop();
    }
    if let ExprKind::Store(None, _) = &expr.kind {
        places.push(Path::from(here.clone()));
    }
}

/// The number of nested maps of a result that become parallel: none if the result uses the hierarchy itself.
fn parallel_levels(expr: &Expr, open_ranks: &BTreeSet<usize>) -> usize {
    if says_who_computes(expr) {
        0
    } else {
        producing_depth(expr, 0, open_ranks).min(usize::from(DIMENSIONS))
    }
}

/// The number of nested maps that produce the value of an expression, including copies that are added.
fn producing_depth(expr: &Expr, level: usize, open_ranks: &BTreeSet<usize>) -> usize {
    if let Some(input) = rearranged(expr).filter(|input| holds_map(input) || scattered_rows(expr).is_some()) {
        return producing_depth(input, level, open_ranks);
    }
    match &expr.kind {
        _ if moves_blocks(expr, open_ranks) => 1,
        ExprKind::Map(_, _, input) if level > 0 && stores(input) => 0,
        ExprKind::Let { bindings, .. } if level > 0 && bind_loops(bindings) => 0,
        ExprKind::Let { bindings, body } if level > 0 && is_of_records(body, bindings) => 0,
        ExprKind::Map(_, _, input) if stores_per_element(input) => 1,
        ExprKind::Map(_, function, _) => 1 + producing_depth(&function.body, level + 1, open_ranks),
        ExprKind::Let { body, .. } | ExprKind::EndUnless(_, body) => producing_depth(body, level, open_ranks),
        ExprKind::Unzip(input) => producing_depth(input, level, open_ranks),
        ExprKind::Concat(parts) | ExprKind::Tuple(parts) => {
            parts.iter().map(|part| producing_depth(part, level, open_ranks)).max().unwrap_or(0)
        }
        // Inside a map, the work-item of the element iterates alone, because it needs no results of others.
        ExprKind::Iterate(_, function, _) if level == 0 => producing_depth(&function.body, level, open_ranks),
        ExprKind::Iterate(..) => 0,
        _ if level == 0 && shows_stored_array(expr) => expr.ty.rank(),
        _ if is_producer(expr) || (level > 0 && stores(expr)) => 0,
        _ if stores_per_element(expr) => expr.ty.rank().min(1),
        _ if level > 0 && is_record(expr) => 0,
        // The elements of all blocks are copied as one array; a single block belongs to one work-item.
        _ if is_made_of_blocks(&expr.ty, open_ranks) => expr.ty.rank() - 1,
        _ => expr.ty.rank(),
    }
}

/// Whether a dense array consists of blocks whose length only a launch knows (see
/// [`open_ranks`](crate::ir::typed::Program::open_ranks)). A block may be as short as one element, too short
/// for a dimension of work-items.
fn is_made_of_blocks(ty: &Type, open_ranks: &BTreeSet<usize>) -> bool {
    let Type::Scalar(ScalarType::Parameter(parameter)) = ty.innermost() else { return false };
    open_ranks.contains(&parameter.index) && ty.rank() > 0 && !ty.is_position_dependent()
}

/// Whether a map only rearranges blocks, which are then copied element by element.
fn moves_blocks(expr: &Expr, open_ranks: &BTreeSet<usize>) -> bool {
    matches!(expr.kind, ExprKind::Map(MapKind::Unspecified, ..))
        && expr.ty.rank() == 2
        && is_made_of_blocks(&expr.ty, open_ranks)
        && !takes_a_loop(expr)
}

/// Whether the value of one of these `let`s takes a loop to compute.
fn bind_loops(bindings: &[Binding]) -> bool {
    bindings.iter().any(|binding| takes_a_loop(&binding.value))
}

/// What is decided so far, and for what.
struct Decisions<'p> {
    /// The program of what is written.
    program: &'p Program,
    /// The body of the program as it is now, where places are those in the whole program.
    body: Option<&'p Arc<Expr>>,
    /// The maps at the levels of the value in hand that work-items share, outer ones first.
    shared: Vec<MapKind>,
    /// The maps by which the work-items of a group have stored what `let`s around bind.
    group: Vec<MapKind>,
    /// The variables of `let`s around whose arrays each work-item has on its own.
    own: Vec<Variable>,
    steps: Vec<Strategy>,
}

impl Decisions<'_> {
    /// Decides that a rule is applied.
    fn step(&mut self, place: &Path, rule: &'static Rule, argument: Option<Argument>) {
        let step = Strategy::Apply(rule, argument.into_iter().collect());
        self.steps.push(Strategy::At(place.clone(), Box::new(step)));
    }

    /// The stages of a program, or of what the whole device applies in an `iterate`: the arrays that its
    /// `let`s store. Those of a `let` further inside are kept there. The stages of applications come first:
    /// what is added to the value of a `let` around them moves their places.
    fn stages(&mut self, expr: &Arc<Expr>, here: &Path) {
        self.stages_of_applications(expr, here);
        if let ExprKind::Let { bindings, .. } = &expr.kind {
            for (position, Binding { value, .. }) in bindings.iter().enumerate() {
                if let ExprKind::Store(None, array) = &value.kind {
                    let place = here.child(position);
                    self.step(&place, &STORE_TO_GLOBAL, None);
                    self.written(array, &place.child(0));
                }
            }
        }
    }

    /// The stages of the applications of each `iterate` in an expression outside of all functions.
    fn stages_of_applications(&mut self, expr: &Arc<Expr>, here: &Path) {
        let is_iterate = matches!(expr.kind, ExprKind::Iterate(..));
        for (position, child) in expr.children().enumerate() {
            match expr.is_function_body(position) {
                true if is_iterate => self.stages(child, &here.child(position)),
                true => {}
                false => self.stages_of_applications(child, &here.child(position)),
            }
        }
    }

    /// A value that is written outside of all functions, with as many levels of the hierarchy as there are
    /// maps that produce it.
    fn written(&mut self, expr: &Arc<Expr>, here: &Path) {
        self.written_in(expr, here, &[]);
    }

    /// The same by these maps, if there are any.
    fn written_in(&mut self, expr: &Arc<Expr>, here: &Path, maps: &[MapKind]) {
        let levels = parallel_levels(expr, &self.program.open_ranks);
        let maps = match maps {
            [] => (0..DIMENSIONS).take(levels).rev().map(MapKind::Global).collect(),
            _ => maps.iter().copied().take(levels).collect(),
        };
        self.shared(maps, |decisions| decisions.produce(expr, here, 0));
    }

    /// Several results. Where the program gives one of them workers, others are distributed in the same
    /// dimensions if the same kernel computes them. A result with another number of dimensions has a kernel of
    /// its own, unless the user states the launches.
    fn written_results(&mut self, parts: &[Arc<Expr>], whole: &Expr, here: &Path) {
        let maps = maps_of_device(whole);
        for (position, part) in parts.iter().enumerate() {
            let levels = parallel_levels(part, &self.program.open_ranks);
            let is_alone = self.program.launches.is_empty() && levels != maps.len();
            self.written_in(part, &here.child(position), if is_alone { &[] } else { &maps });
        }
    }

    /// An expression whose value is written; `level` producing maps stand around it.
    fn produce(&mut self, expr: &Arc<Expr>, here: &Path, level: usize) {
        if expr.ty.is_element() {
            return;
        }
        if moves_blocks(expr, &self.program.open_ranks) {
            return self.copy(expr, here, level);
        }
        let must_write = is_producer(expr);
        let through =
            rearranged(expr).filter(|input| must_write || holds_map(input) || scattered_rows(expr).is_some());
        // The input, the one part of a value and the last of several bodies: where the elements come from.
        let last = || here.child(expr.children().len() - 1);
        match (&expr.kind, through) {
            _ if level > 0 && is_in_local_memory(expr) && !maps_of_group(expr).is_empty() => {
                self.copies_of_group(expr, here, level);
            }
            (ExprKind::Layout(..) | ExprKind::Map(..), Some(input)) => {
                self.produce(input, &here.child(0), level);
            }
            (ExprKind::Map(kind, function, input), None) => {
                let is_alone = level > 0 && stores(input);
                let maps = if is_alone { maps_of_group(input) } else { Vec::new() };
                if *kind == MapKind::Unspecified && !maps.is_empty() {
                    return self.shared(self.innermost(&maps, expr, level), |decisions| {
                        decisions.give_workers(here, decisions.kind(level));
                        decisions.produce(&function.body, &last(), level + 1);
                    });
                }
                if *kind == MapKind::Unspecified {
                    self.give_workers(here, if is_alone { MapKind::Sequential } else { self.kind(level) });
                }
                match is_alone || stores_per_element(input) {
                    true => self.alone(|alone| alone.produce(&function.body, &last(), level + 1)),
                    false => self.produce(&function.body, &last(), level + 1),
                }
            }
            (ExprKind::Let { bindings, body }, _) => match level > 0 && bind_loops(bindings) {
                true => self.after_loops(bindings, body, &last(), level),
                false => self.produce(body, &last(), level),
            },
            (ExprKind::Iterate(_, function, _), _) => match level > 0 {
                true => self.alone(|alone| alone.produce(&function.body, &last(), level)),
                false => self.produce(&function.body, &last(), level),
            },
            (ExprKind::Unzip(input) | ExprKind::Store(_, input), _) => {
                self.produce(input, &here.child(0), level);
            }
            (ExprKind::EndUnless(_, value), _) => self.produce(value, &here.child(1), level),
            // The components of a program's result are computed one after the other, each with as many
            // parallel levels as it has maps.
            (ExprKind::Tuple(parts), _) if level == 0 => self.written_results(parts, expr, here),
            // Of the parts of an array, those that the program gives no workers are copied by all work-items,
            // in the dimensions that the program uses: one kernel may compute all parts.
            (ExprKind::Zip(parts) | ExprKind::Concat(parts), _) if level == 0 && says_who_computes(expr) => {
                let maps = maps_of_device(expr);
                for (position, part) in parts.iter().enumerate() {
                    self.written_in(part, &here.child(position), &maps);
                }
            }
            (ExprKind::Tuple(parts) | ExprKind::Concat(parts), _) => {
                let maps = [maps_of_group(expr), maps_of_device(expr), self.group.clone()];
                let maps = maps.into_iter().find(|maps| !maps.is_empty()).unwrap_or_default();
                for (position, part) in parts.iter().enumerate() {
                    match says_who_computes(part) {
                        true => self.produce(part, &here.child(position), level),
                        false => self.beside(&maps, part, &here.child(position), level),
                    }
                }
            }
            _ if level == 0 && shows_stored_array(expr) => self.copies(&expr.ty, false, here, level),
            _ if shows_stored_array(expr) && !maps_of_group(expr).is_empty() => {
                self.copies_of_group(expr, here, level);
            }
            _ if must_write => {}
            _ if level > 0 && stores(expr) => {
                let maps = maps_of_group(expr);
                self.shared(self.innermost(&maps, expr, level), |decisions| {
                    decisions.copy(expr, here, level)
                });
            }
            _ => self.copy(expr, here, level),
        }
    }

    /// What follows `let`s whose values take loops: a work-item that has computed them goes on alone, and the
    /// work-items of a group that have stored arrays together go on together.
    fn after_loops(&mut self, bindings: &[Binding], body: &Arc<Expr>, here: &Path, level: usize) {
        for Binding { variable, value } in bindings {
            if is_own(value) || self.reads_own(value) {
                self.own.push(variable.clone());
            }
        }
        let arrays = bindings.iter().filter(|binding| !binding.value.ty.is_element());
        let maps = arrays.map(|array| maps_of_group(&array.value));
        let maps = maps.max_by_key(Vec::len).unwrap_or_default();
        let shared = self.innermost(&maps, body, level);
        let around = std::mem::replace(&mut self.group, maps);
        self.shared(shared, |decisions| decisions.produce(body, here, level));
        self.group = around;
    }

    /// Maps that copy the elements of a value that is only a view.
    fn copy(&mut self, view: &Expr, here: &Path, level: usize) {
        self.copies(&view.ty, stores_per_element(view), here, level);
    }

    /// The same for a view of a type; `is_alone` says whether one work-item copies what an element of it
    /// holds.
    fn copies(&mut self, ty: &Type, is_alone: bool, here: &Path, level: usize) {
        let Type::Array(array) = ty else { return };
        if ty.rank() == 2 && is_made_of_blocks(ty, &self.program.open_ranks) {
            self.step(here, &JOIN_SPLIT_ID, None);
            let all = Type::array(ty.innermost().clone(), ty.element_count());
            return self.copies(&all, is_alone, &here.child(0), level);
        }
        self.step(here, &ID_MAP, None);
        self.give_workers(here, self.kind(level));
        let copy = |decisions: &mut Self| {
            decisions.copies(&array.element, false, &here.child(1), level + 1);
        };
        match is_alone {
            true => self.alone(copy),
            false => copy(self),
        }
    }

    /// A part of a value without workers, which those of the other parts write by these maps, if there are
    /// any.
    fn beside(&mut self, maps: &[MapKind], expr: &Arc<Expr>, here: &Path, level: usize) {
        match maps {
            [] => self.produce(expr, here, level),
            _ => self
                .shared(self.innermost(maps, expr, level), |decisions| decisions.produce(expr, here, level)),
        }
    }

    /// The copies of what the work-items of a group have stored together.
    fn copies_of_group(&mut self, expr: &Expr, here: &Path, level: usize) {
        let maps = self.innermost(&maps_of_group(expr), expr, level);
        self.shared(maps, |decisions| decisions.copies(&expr.ty, false, here, level));
    }

    /// The maps at the levels of a value that has a number of levels around it: these at its innermost ones,
    /// so that neighbours write neighbours, but not where these have few elements. None if there are none, or
    /// if each work-item has a part of the value on its own.
    fn innermost(&self, maps: &[MapKind], expr: &Expr, level: usize) -> Vec<MapKind> {
        if holds_literal(expr) || self.reads_own(expr) {
            return Vec::new();
        }
        let shape = expr.ty.shape();
        let kept = maps.len().min(shape.len());
        let is_short = |length: &Nat| length.as_constant().is_some_and(|length| length < FEW_ELEMENTS);
        let short = shape.iter().rev().take(shape.len() - kept).take_while(|length| is_short(length)).count();
        let sequential = level + shape.len() - kept - short;
        let outer = std::iter::repeat_n(MapKind::Sequential, sequential);
        outer.chain(maps.iter().copied().skip(maps.len() - kept)).collect()
    }

    /// Whether an expression reads an array that each work-item has on its own.
    fn reads_own(&self, expr: &Expr) -> bool {
        self.own.iter().any(|variable| mentions(expr, variable))
    }

    /// Decides about something that one work-item does alone, because it depends on an array of that
    /// work-item.
    fn alone(&mut self, decide: impl FnOnce(&mut Self)) {
        self.shared(Vec::new(), decide);
    }

    /// Decides about something that work-items share by these maps.
    fn shared(&mut self, maps: Vec<MapKind>, decide: impl FnOnce(&mut Self)) {
        let around = std::mem::replace(&mut self.shared, maps);
        decide(self);
        self.shared = around;
    }

    fn give_workers(&mut self, here: &Path, kind: MapKind) {
        match kind {
            MapKind::Global(dimension) => {
                self.step(here, &MAP_GLB, Some(Argument::Dimension(dimension)));
            }
            MapKind::Local(dimension) if self.is_in_group(here) => {
                self.step(here, &MAP_LCL, Some(Argument::Dimension(dimension)));
            }
            // The check of the hierarchy names the `mapLcl` that its maker wrote outside of every group.
            MapKind::Local(_) => {}
            _ => self.step(here, &MAP_SEQ, None),
        }
    }

    /// Whether a work-group has what is computed there, as far as that is known.
    fn is_in_group(&self, here: &Path) -> bool {
        let place = self.body.and_then(|body| Around::at(body, here));
        place.is_none_or(|(around, _)| around.workers().any(|kind| matches!(kind, MapKind::WorkGroup(_))))
    }

    /// The workers of the map at a level of the value in hand.
    fn kind(&self, level: usize) -> MapKind {
        self.shared.get(level).copied().unwrap_or(MapKind::Sequential)
    }
}

/// Whether each work-item has an array on its own, because it has computed it alone or keeps it in private
/// memory.
fn is_own(array: &Expr) -> bool {
    let is_private = |expr: &Expr| matches!(expr.kind, ExprKind::Store(Some(AddressSpace::Private), _));
    !array.ty.is_element() && (is_private(array) || stores(array) && maps_of_group(array).is_empty())
}

/// Whether an expression has an array literal, which each work-item has on its own.
fn holds_literal(expr: &Expr) -> bool {
    let is_literal = matches!(&expr.kind, ExprKind::ArrayLiteral(elements) if elements.len() > 1);
    is_literal || expr.children().any(|child| holds_literal(child))
}

/// Whether literals list most elements of a small array, such as the parts of a complex number: the work-item
/// that computes one element has computed most of them.
fn is_record(expr: &Expr) -> bool {
    is_mostly(&expr.ty, listed(expr))
}

/// The same where the literals are values of `let`s around an expression without loops, such as a choice of
/// two of them.
fn is_of_records(expr: &Expr, bindings: &[Binding]) -> bool {
    let shown = bindings.iter().filter(|binding| mentions(expr, &binding.variable));
    !holds_map(expr)
        && is_mostly(&expr.ty, listed(expr) + shown.map(|binding| listed(&binding.value)).sum::<usize>())
}

/// Whether an array is small, and the number of `listed` elements is at least half of its elements.
fn is_mostly(ty: &Type, listed: usize) -> bool {
    let count = ty.element_count().as_constant().and_then(|count| usize::try_from(count).ok());
    listed > 1 && count.is_some_and(|count| count <= LARGEST_RECORD && count <= 2 * listed)
}

/// The number of scalars and tuples that literals in an expression list; of a choice, in one of the two.
fn listed(expr: &Expr) -> usize {
    match &expr.kind {
        ExprKind::If(_, then, otherwise) => listed(then).max(listed(otherwise)),
        ExprKind::ArrayLiteral(elements) if elements.iter().all(|element| element.ty.is_element()) => {
            elements.len()
        }
        _ => expr.children().map(|child| listed(child)).sum(),
    }
}

/// Whether a value only shows, in another order or as it is, an array that is in local memory.
fn is_in_local_memory(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Store(space, _) => *space == Some(AddressSpace::Local),
        _ => rearranged(expr).is_some_and(|input| is_in_local_memory(input)),
    }
}

/// The most elements that one work-item writes where several could.
const LARGEST_RECORD: usize = 64;

/// With fewer elements, most of the work-items of a group would have none.
const FEW_ELEMENTS: i128 = 8;
