//! Separates stages: what the whole device must have computed before anything that needs it can start.
//!
//! A reduction of a whole array whose value other work-items need (`a >> map(|x| x / reduce(add, 0, a))`) is
//! computed once, by kernels of its own, and lies in global memory for its readers. Otherwise every work-item
//! would repeat it. A reduction moves out of all functions whose parameters and positions it does not
//! mention. Short reductions of a known length stay where they are.
//!
//! Delayed arrays that are too expensive to recompute become stages, too (`cost`): the product `a * x` in
//! `a^T * (a * x)`, which every work-item would compute as a whole, or the rows of a separated convolution,
//! which the columns read 17 times. The result of an `iterate` is always stored, as are the arrays between
//! its applications. An application may take several kernels, so it has stages like a program.

mod iterations;
mod scans;
mod worth;

use std::rc::Rc;

use crate::ir::nat::{Nat, Ranges};
use crate::ir::typed::{AddressSpace, Binding, Expr, ExprKind, MapKind, Program};
use crate::middle::lower::context::{Context, Depth, Destination};
use crate::middle::lower::fission::{SplitMap, split_map};
use crate::middle::lower::hierarchy::uses_hierarchy;
use crate::middle::lower::kernel_ends::{Boundaries, is_complete_before_use};
use crate::middle::lower::multiplicity::Multiplicity;
use crate::middle::lower::producers::takes_a_loop;
use crate::middle::lower::reads::times_of_bound;
use crate::middle::lower::reduction::divided_reductions;
use crate::middle::lower::workers::{workers, workers_of_result};
use crate::middle::rewrite::Rewriter;
use crate::middle::stated::Builder;

/// Separates the stages of a program; see the module documentation. Each is a `store` outside of all
/// functions, whose workers are still open.
pub(super) fn separate_stages(program: &Program) -> Program {
    let mut stages = Stages {
        program,
        ranges: program.ranges(),
        taken_at_its_word: uses_hierarchy(&program.body),
        build: Builder { next_id: program.next_id },
        kept: Vec::new(),
    };
    let body = stages.whole(&program.body);
    program.with_body(body, stages.build.next_id)
}

struct Stages<'p> {
    program: &'p Program,
    /// What is known about sizes.
    ranges: Ranges,
    taken_at_its_word: bool,
    build: Builder,
    /// For each scope around the current expression, the values that are computed once for each entry of the
    /// scope.
    kept: Vec<Vec<Binding>>,
}

/// The stages before an expression: variables and their values. A single value is an array of one element.
type Lifted = Vec<Binding>;

impl Stages<'_> {
    /// An expression outside of all functions.
    fn whole(&mut self, expr: &Rc<Expr>) -> Rc<Expr> {
        let mut lifted = Lifted::new();
        let staged = self.whole_after(expr, &mut lifted);
        self.build.bind_all(lifted, staged)
    }

    /// The same; its stages are added to `lifted`. The stages of all components of a tuple come before the
    /// first component, because its kernel may also compute the others.
    fn whole_after(&mut self, expr: &Rc<Expr>, lifted: &mut Lifted) -> Rc<Expr> {
        match &expr.kind {
            ExprKind::Let { bindings, body } => self.bound_to_whole(bindings, body, lifted),
            ExprKind::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.whole_after(part, lifted)).collect();
                expr.with_kind(ExprKind::Tuple(parts))
            }
            ExprKind::Reduce(..) => {
                self.lift_inside(expr, &Context::outside_functions(Multiplicity::ONCE), lifted)
            }
            ExprKind::Iterate(..) => self.applied_by_device(expr, lifted),
            _ => self.lift(expr, &Context::of_produced(), lifted),
        }
    }

    /// The body of `let`s outside of all functions; their values are added to `lifted`.
    fn bound_to_whole(&mut self, bindings: &[Binding], body: &Rc<Expr>, lifted: &mut Lifted) -> Rc<Expr> {
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
            other_kernels_follow |= values
                .get(position)
                .is_some_and(|own| parts_of(own).any(|part| self.is_complete_before_use(part)));
        }
        for (binding, (stages, value)) in bindings.iter().zip(values) {
            lifted.extend(stages);
            lifted.push(binding.with_value(value));
        }
        body
    }

    /// Whether an expression that is written to memory takes several kernels, once it is lowered.
    fn takes_several_kernels(&self, expr: &Rc<Expr>) -> bool {
        Boundaries::of(self.program).ends_kernels(&self.with_workers(expr))
    }

    /// What an expression that is written to memory becomes, once its reductions are divided and its maps
    /// have workers.
    fn with_workers(&self, expr: &Rc<Expr>) -> Rc<Expr> {
        let open_ranks = &self.program.open_ranks;
        let mut rewriter = Rewriter::of_body(self.program, expr.clone(), self.build.next_id);
        // A step that does not apply here does not apply in the end, where that is an error.
        let _ = rewriter.run(&divided_reductions(expr, self.program));
        let _ = rewriter.run(&match self.taken_at_its_word {
            true => workers_of_result(rewriter.body(), open_ranks),
            false => workers(rewriter.body(), open_ranks),
        });
        rewriter.body().clone()
    }

    /// Whether a kernel ends after the value of a `let` outside of all functions, if something else reads it.
    fn is_complete_before_use(&self, value: &Expr) -> bool {
        let is_stage = !self.taken_at_its_word && matches!(value.kind, ExprKind::Store(None, _));
        is_stage || is_complete_before_use(value)
    }

    /// An array that kernels of its own write.
    fn completed(&mut self, array: Rc<Expr>) -> Rc<Expr> {
        match self.taken_at_its_word {
            // There, `store` says what the user says.
            true => {
                let written = self.with_workers(&array);
                self.build.stored(AddressSpace::Global, written)
            }
            false => self.build.kept(array),
        }
    }

    /// The value of a `let` outside of all functions.
    fn bound(&mut self, times: Multiplicity, value: &Rc<Expr>, lifted: &mut Lifted) -> Rc<Expr> {
        let context = Context::outside_functions(times);
        if let ExprKind::Store(None, stored) = &value.kind
            && !self.taken_at_its_word
        {
            return self.complete_array(stored, lifted);
        }
        match self.divided_scan(value, Vec::new(), &context, lifted) {
            Some(prefixes) => self.build.stored(AddressSpace::Global, prefixes),
            None if self.is_worth_storing(value, &context) => self.complete_array(value, lifted),
            None => self.lift(value, &context, lifted),
        }
    }

    /// An expression in which everything that becomes a stage, or is kept in a scope around, is replaced by a
    /// read.
    fn lift(&mut self, expr: &Rc<Expr>, context: &Context, lifted: &mut Lifted) -> Rc<Expr> {
        if let ExprKind::Store(None, value) = &expr.kind
            && !self.taken_at_its_word
        {
            return self.stored(value, context, lifted);
        }
        if let Some(map) = self.rows_as_map(expr, context) {
            return self.lift(&map, context, lifted);
        }
        let is_reduction = matches!(expr.kind, ExprKind::Reduce(..));
        if is_reduction && expr.ty.is_element() && self.is_long(expr) && context.is_closed(expr) {
            let complete = self.complete(expr, lifted);
            let array = self.stage("reduced", complete, lifted);
            return self.build.at(&array, Nat::zero());
        }
        let is_whole = context.is_produced && context.destination == Destination::Whole;
        if is_whole
            && context.is_outside_functions()
            && let Some(result) = self.divided_and_mapped(expr, context, lifted)
        {
            return result;
        }
        if let Some(prefixes) = self.divided_scan(expr, Vec::new(), context, lifted) {
            let complete = self.build.stored(AddressSpace::Global, prefixes);
            return self.stage("prefixes", complete, lifted);
        }
        if self.is_worth_storing(expr, context) && context.is_closed(expr) {
            let complete = self.complete_array(expr, lifted);
            return self.stage("stored", complete, lifted);
        }
        if let ExprKind::Iterate(..) = &expr.kind
            && context.is_produced
            && context.is_outside_functions()
        {
            return self.applied_by_device(expr, lifted);
        }
        if let Some(home) = self.home_of_repeated(expr, context) {
            return self.kept_in(home, expr, context, lifted);
        }
        match &expr.kind {
            ExprKind::Let { bindings, body } => {
                let (kept, body) = self.lift_bound(bindings, body, context, lifted);
                expr.with_kind(ExprKind::bound(kept, body))
            }
            _ => self.lift_inside(expr, context, lifted),
        }
    }

    /// `generate` of rows that take loops, as a map over positions, which may be split like any other map.
    fn rows_as_map(&mut self, expr: &Rc<Expr>, context: &Context) -> Option<Rc<Expr>> {
        let ExprKind::Generate(count, function) = &expr.kind else { return None };
        let is_of_device = context.is_produced && context.is_outside_functions() && !self.taken_at_its_word;
        if !is_of_device || function.body.ty.is_element() || !takes_a_loop(&function.body) {
            return None;
        }
        let (index, body) = (function.index.clone(), function.body.clone());
        let map = self.build.distribute(MapKind::Unspecified, index, count.clone(), body);
        Some(Rc::new(Expr { ty: expr.ty.clone(), ..Rc::unwrap_or_clone(map) }))
    }

    /// An array that the user wants stored, as a read of the stored array.
    fn stored(&mut self, value: &Rc<Expr>, context: &Context, lifted: &mut Lifted) -> Rc<Expr> {
        if context.is_produced {
            return self.lift(value, context, lifted);
        }
        match context.home(value) {
            None => {
                let complete = self.complete_array(value, lifted);
                self.stage("stored", complete, lifted)
            }
            Some(home) => self.kept_in(home, value, context, lifted),
        }
    }

    /// The same for `let`s: returns those that stay here, and their body.
    fn lift_bound(
        &mut self,
        bindings: &[Binding],
        body: &Rc<Expr>,
        context: &Context,
        lifted: &mut Lifted,
    ) -> (Vec<Binding>, Rc<Expr>) {
        let last_scan = match self.holds_divided_scan(body) {
            true => bindings.len(),
            false => {
                let values = bindings.iter().map(|binding| &binding.value);
                values
                    .rev()
                    .position(|value| self.holds_divided_scan(value))
                    .map_or(0, |behind| bindings.len() - 1 - behind)
            }
        };
        let mut context = context.clone();
        let outside = self.kept.split_off(context.depth());
        let mut bound = Vec::new();
        for (position, (binding, times)) in
            bindings.iter().zip(times_of_bound(bindings, body, &self.ranges)).enumerate()
        {
            let value = &binding.value;
            if context.is_outside_functions() && position < last_scan {
                let complete = self.bound(times, value, lifted);
                lifted.push(binding.with_value(complete));
                continue;
            }
            let inner = context.of_bound(times);
            if self.is_worth_storing(value, &inner) && context.is_closed(value) {
                let complete = match self.divided_scan(value, Vec::new(), &inner, lifted) {
                    Some(prefixes) => self.build.stored(AddressSpace::Global, prefixes),
                    None => self.complete_array(value, lifted),
                };
                lifted.push(binding.with_value(complete));
                continue;
            }
            let (home, value) = match &value.kind {
                ExprKind::Store(None, stored) if !self.taken_at_its_word => (context.home(stored), stored),
                _ => (self.home_of_repeated(value, &inner), value),
            };
            let value = match home {
                Some(home) => self.kept_value(value, &inner, home, lifted),
                None => self.lift(value, &inner, lifted),
            };
            match home {
                Some(home) if home.0 + 1 < context.depth() => {
                    self.keep(home, binding.with_value(value));
                    context.bind_in(home, &binding.variable);
                }
                _ => {
                    bound.push(binding.with_value(value));
                    context = context.after(&binding.variable);
                    self.kept.push(Vec::new());
                }
            }
        }
        let body = self.lift(body, &context, lifted);
        let kept = self.kept.split_off(self.kept.len() - bound.len());
        self.kept.extend(outside);
        let bindings =
            bound.into_iter().zip(kept).flat_map(|(binding, kept)| [binding].into_iter().chain(kept));
        (bindings.collect(), body)
    }

    /// The same for a part of an expression. Values that are kept in the body of a function are bound there.
    fn lift_part(
        &mut self,
        part: &Rc<Expr>,
        whole: &Rc<Expr>,
        context: &Context,
        lifted: &mut Lifted,
    ) -> Rc<Expr> {
        let inner = context.of_part(part, whole, &self.ranges);
        let outside = self.kept.split_off(context.depth());
        let is_body = inner.depth() > context.depth();
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

    /// Binds a value in a scope.
    fn keep(&mut self, home: Depth, binding: Binding) {
        if let Some(kept) = self.kept.get_mut(home.0) {
            kept.push(binding);
        }
    }

    /// Binds the value of an expression in a scope. Returns a read of it.
    fn kept_in(&mut self, home: Depth, expr: &Rc<Expr>, context: &Context, lifted: &mut Lifted) -> Rc<Expr> {
        let value = self.kept_value(expr, context, home, lifted);
        let variable = self.build.variable("kept");
        let read = self.build.read(&variable, &value.ty, value.source);
        self.keep(home, Binding { variable, value });
        read
    }

    /// The value of an expression as it is computed in a scope; an array becomes a kept array.
    fn kept_value(
        &mut self,
        expr: &Rc<Expr>,
        context: &Context,
        home: Depth,
        lifted: &mut Lifted,
    ) -> Rc<Expr> {
        let home = context.at(home);
        let inner = self.lift_inside(expr, &home, lifted);
        if expr.ty.is_element() {
            return inner;
        }
        self.build.kept(inner)
    }

    /// Adds a stage. Returns a read of its result.
    fn stage(&mut self, name: &str, complete: Rc<Expr>, lifted: &mut Lifted) -> Rc<Expr> {
        let variable = self.build.variable(name);
        let read = self.build.read(&variable, &complete.ty, complete.source);
        lifted.push(Binding { variable, value: complete });
        read
    }

    /// The same for all parts of an expression. A map outside of all functions is split if that pays.
    fn lift_inside(&mut self, expr: &Rc<Expr>, context: &Context, lifted: &mut Lifted) -> Rc<Expr> {
        let inner = expr.with_children(&mut |child| self.lift_part(child, expr, context, lifted));
        if self.taken_at_its_word || !context.is_outside_functions() {
            return inner;
        }
        match split_map(&inner, &self.program.functions, &mut self.build) {
            Some(SplitMap { stages, rest }) => {
                for stage in stages {
                    let value = self.completed(stage.value.clone());
                    lifted.push(stage.with_value(value));
                }
                rest
            }
            None => inner,
        }
    }

    /// The value of a stage for an array.
    fn complete_array(&mut self, array: &Rc<Expr>, lifted: &mut Lifted) -> Rc<Expr> {
        let inner = match &array.kind {
            ExprKind::Iterate(..) => self.applied_by_device(array, lifted),
            _ => self.lift_inside(array, &Context::of_produced(), lifted),
        };
        self.completed(inner)
    }

    /// The value of a stage for a single value: an array of one element.
    fn complete(&mut self, reduction: &Rc<Expr>, lifted: &mut Lifted) -> Rc<Expr> {
        let inner = self.lift_inside(reduction, &Context::outside_functions(Multiplicity::ONCE), lifted);
        let value = self.build.array_of_one(inner);
        self.build.stored(AddressSpace::Global, value)
    }
}

/// The values that a `let` computes, with its stages, in order.
fn parts_of((stages, value): &(Lifted, Rc<Expr>)) -> impl Iterator<Item = &Rc<Expr>> {
    stages.iter().map(|stage| &stage.value).chain([value])
}
