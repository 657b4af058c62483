//! How often an array that nothing stores is computed, and how long that takes.
//!
//! A high-level map that is only consumed is delayed: whoever reads an element computes it. That saves the array, and costs nothing where
//! every element is read once. Where elements are read again and again, and each takes a loop, the array should be stored.

use std::collections::BTreeMap;

use super::stores;
use super::times::Times;
use super::views::{shown_by, times_shown};
use crate::ir::nat::Ranges;
use crate::ir::primitive::builtin::Builtin;
use crate::ir::typed::{Binding, Expr, ExprKind, Function, Lambda, Variable};

/// The steps of reductions that an element of a value takes.
pub(super) fn work(expr: &Expr) -> Times {
    match &expr.kind {
        ExprKind::Reduce(_, function, initial, input) => {
            let step = work(&function.body).and(work(input)).max(Times::ONCE);
            Times::of_length(&input.ty).each(step).and(work(initial))
        }
        ExprKind::Scan(..) | ExprKind::Iterate(..) => Times::Many,
        _ => expr.children().into_iter().map(work).fold(Times::NEVER, Times::and),
    }
}

/// What it takes to compute an element of an array that nothing stores.
#[derive(Debug, Clone, Copy)]
pub(super) struct Element {
    /// The steps of loops.
    steps: Times,
    /// Other operations.
    operations: i128,
    /// Whether it is an array itself, of which one element cannot be computed alone.
    is_whole: bool,
}

/// An element with so many reads in all may be computed for each of them.
const FEW_READS: Times = Times::Known(4);

/// An array and those who read it take at most so many times the operations of their sequential meaning.
pub(super) const FACTOR: i128 = 4;

/// An element with so many operations is computed about as fast as it is read.
const CHEAP: i128 = 4;

/// The same for a work-item that keeps its elements near: it stores and reads them quickly.
const CHEAP_NEARBY: i128 = 12;

/// An element of so few steps in all is repeated rather than given a kernel of its own.
const QUICKLY_REPEATED: Times = Times::Known(64);

/// The operations that functions like exponentials take, about.
const OPERATIONS_OF_A_FUNCTION: i128 = 16;

impl Element {
    /// What the body of a function computes for an array.
    pub(super) fn of(body: &Expr, functions: &[Function]) -> Element {
        let is_whole = !body.ty.is_element() && stores(body);
        Element { steps: work(body), operations: operations(body, functions), is_whole }
    }

    /// Whether it is computed about as fast as it is read.
    pub(super) fn is_cheap(self) -> bool {
        self.steps == Times::NEVER && self.operations <= CHEAP && !self.is_whole
    }

    /// Whether the array is better computed by kernels of its own, where its elements are read so often, and one by one
    /// where they are taken apart.
    pub(super) fn is_worth_a_kernel(self, times: Times, is_taken_apart: bool) -> bool {
        let takes_many_steps = self.steps > Times::NEVER && self.steps.each(times) > QUICKLY_REPEATED;
        let is_long = self.steps > Times::NEVER || self.operations >= OPERATIONS_OF_A_FUNCTION;
        let is_read_often = times > FEW_READS && (is_long || self.exceeds_the_bound(times));
        (times > Times::ONCE && takes_many_steps) || is_read_often || (self.is_whole && is_taken_apart)
    }

    /// Whether computing an element for each of so many reads takes more than [`FACTOR`] times what computing and reading it takes. Its
    /// operations are counted with a load, a read with a load and an operation by whoever reads.
    fn exceeds_the_bound(self, times: Times) -> bool {
        let element = self.operations.saturating_add(1);
        match times {
            // The reads of all arrays that are zipped are counted together, although mostly one of them is read so often.
            Times::Known(reads) => {
                let computed = reads.saturating_mul(element.saturating_add(1));
                computed > element.saturating_add(reads.saturating_mul(2)).saturating_mul(2 * FACTOR)
            }
            // In the limit the element itself no longer counts.
            Times::Many => element + 1 > 2 * FACTOR,
        }
    }

    /// Whether the array is better kept by the work-item that needs it.
    pub(super) fn is_worth_keeping(self, times: Times, is_taken_apart: bool) -> bool {
        let is_long = self.steps > Times::NEVER || self.operations > CHEAP_NEARBY;
        let is_read_often = times > FEW_READS && self.operations > CHEAP;
        (times > Times::ONCE && is_long) || is_read_often || (self.is_whole && is_taken_apart)
    }
}

/// The operations of an element that are in no loop, about.
pub(super) fn operations(expr: &Expr, functions: &[Function]) -> i128 {
    let own = match &expr.kind {
        ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Cast(..) => 1,
        ExprKind::Builtin(builtin, _) => operations_of(*builtin),
        ExprKind::Function(called, _) => {
            functions.get(*called).map_or(1, |called| operations(&called.body, functions))
        }
        _ => 0,
    };
    expr.children().into_iter().map(|child| operations(child, functions)).fold(own, i128::saturating_add)
}

fn operations_of(builtin: Builtin) -> i128 {
    match builtin {
        Builtin::Min
        | Builtin::Max
        | Builtin::Abs
        | Builtin::Floor
        | Builtin::Ceil
        | Builtin::Round
        | Builtin::Trunc
        | Builtin::Fma
        | Builtin::Mad
        | Builtin::ClampValue
        | Builtin::Sign
        | Builtin::Select => 1,
        Builtin::Sqrt | Builtin::Rsqrt | Builtin::Dot | Builtin::Native(_) => 4,
        Builtin::Cbrt
        | Builtin::Exp
        | Builtin::Exp2
        | Builtin::Log
        | Builtin::Log2
        | Builtin::Log10
        | Builtin::Pow
        | Builtin::Sin
        | Builtin::Cos
        | Builtin::Tan
        | Builtin::Asin
        | Builtin::Acos
        | Builtin::Atan
        | Builtin::Atan2
        | Builtin::Sinh
        | Builtin::Cosh
        | Builtin::Tanh => OPERATIONS_OF_A_FUNCTION,
    }
}

/// How often the elements of an array that a function takes are read, each time that the function is applied.
pub(super) fn reads_of_parameters(function: &Lambda, ranges: &Ranges) -> Times {
    Reads::of(&function.body, ranges).of_parameters(function)
}

/// How often the value of each of these `let`s is computed where an element of it is needed.
pub(super) fn times_of_bound(bindings: &[Binding], body: &Expr, ranges: &Ranges) -> Vec<Times> {
    let mut later = Reads::of(body, ranges);
    let mut times: Vec<Times> =
        bindings.iter().rev().map(|binding| later.add_bound(binding, ranges)).collect();
    times.reverse();
    times
}

/// How often the elements of arrays are read, by the variables that stand for the arrays.
#[derive(Default)]
struct Reads(BTreeMap<u32, Times>);

impl Reads {
    /// The reads of an expression.
    fn of(expr: &Expr, ranges: &Ranges) -> Reads {
        let mut reads = Reads::default();
        if let Some(mut shown) = shown_by(expr) {
            while let Some(next) = shown_by(shown) {
                shown = next;
            }
            reads.add(&Reads::of(shown, ranges), times_shown(&expr.ty, &shown.ty, ranges));
            return reads;
        }
        match &expr.kind {
            ExprKind::Variable(read) => {
                reads.0.insert(read.id, Times::ONCE);
            }
            ExprKind::Let { bindings, body } => {
                reads = Reads::of(body, ranges);
                bindings.iter().rev().for_each(|binding| {
                    reads.add_bound(binding, ranges);
                });
            }
            ExprKind::Map(_, function, input)
            | ExprKind::Reduce(_, function, _, input)
            | ExprKind::Scan(_, function, _, input)
            | ExprKind::Iterate(_, function, input) => {
                let inside = Reads::of(&function.body, ranges);
                reads.add(&Reads::of(input, ranges), inside.of_parameters(function));
                if let ExprKind::Reduce(_, _, initial, _) | ExprKind::Scan(_, _, initial, _) = &expr.kind {
                    reads.add(&Reads::of(initial, ranges), Times::ONCE);
                }
                reads.add(&inside, Times::Many);
            }
            ExprKind::Generate(_, function) => reads.add(&Reads::of(&function.body, ranges), Times::Many),
            _ => {
                let children = expr.children().into_iter();
                children.for_each(|child| reads.add(&Reads::of(child, ranges), Times::ONCE));
            }
        }
        reads
    }

    fn of_variable(&self, variable: &Variable) -> Times {
        self.0.get(&variable.id).copied().unwrap_or(Times::NEVER)
    }

    fn of_parameters(&self, function: &Lambda) -> Times {
        let arrays = function.parameters.iter().filter(|(_, ty)| !ty.is_element());
        arrays.map(|(variable, _)| self.of_variable(variable)).max().unwrap_or(Times::ONCE).max(Times::ONCE)
    }

    fn add(&mut self, other: &Reads, times: Times) {
        for (variable, reads) in &other.0 {
            let own = self.0.entry(*variable).or_insert(Times::NEVER);
            *own = own.and(reads.each(times));
        }
    }

    /// Adds the reads of a value that is bound before the rest. Returns how often it is computed.
    fn add_bound(&mut self, binding: &Binding, ranges: &Ranges) -> Times {
        let Binding { variable, value } = binding;
        let times = if value.ty.is_element() { Times::ONCE } else { self.of_variable(variable) };
        self.add(&Reads::of(value, ranges), times);
        times
    }
}
