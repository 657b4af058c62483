//! How often an array that nothing stores is computed, and how long that takes.
//!
//! A high-level map that is only consumed is delayed: whoever reads an element computes it. That saves the array, and costs nothing where
//! every element is read once. Where elements are read again and again, and each takes a loop, the array should be stored.

use std::collections::BTreeMap;

use crate::typed::{Binding, Expr, ExprKind, Lambda, Layout, Variable};
use crate::types::Type;

/// A number of repetitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Times {
    /// A number that does not depend on sizes.
    Known(i128),
    /// As many as there are elements of something, or work-items.
    Many,
}

impl Times {
    pub(super) const NEVER: Times = Times::Known(0);
    pub(super) const ONCE: Times = Times::Known(1);

    pub(super) fn and(self, other: Times) -> Times {
        match (self, other) {
            (Times::Known(one), Times::Known(other)) => Times::Known(one.saturating_add(other)),
            (Times::Many, _) | (_, Times::Many) => Times::Many,
        }
    }

    pub(super) fn each(self, other: Times) -> Times {
        match (self, other) {
            (Times::NEVER, _) | (_, Times::NEVER) => Times::NEVER,
            (Times::Known(one), Times::Known(other)) => Times::Known(one.saturating_mul(other)),
            (Times::Many, _) | (_, Times::Many) => Times::Many,
        }
    }

    fn of_length(ty: &Type) -> Times {
        let length = ty.as_array().and_then(|array| array.length.as_constant());
        length.map_or(Times::Many, Times::Known)
    }
}

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

/// How often the elements of an array that a function takes are read, each time that the function is applied.
pub(super) fn reads_of_parameters(function: &Lambda) -> Times {
    Reads::of(&function.body).of_parameters(function)
}

/// How often the value of each of these `let`s is computed where an element of it is needed.
pub(super) fn times_of_bound(bindings: &[Binding], body: &Expr) -> Vec<Times> {
    let mut later = Reads::of(body);
    let mut times: Vec<Times> = bindings.iter().rev().map(|binding| later.add_bound(binding)).collect();
    times.reverse();
    times
}

/// How often the elements of arrays are read, by the variables that stand for the arrays.
#[derive(Default)]
struct Reads(BTreeMap<u32, Times>);

impl Reads {
    /// The reads of an expression.
    fn of(expr: &Expr) -> Reads {
        let mut reads = Reads::default();
        match &expr.kind {
            ExprKind::Variable(read) => {
                reads.0.insert(read.id, Times::ONCE);
            }
            ExprKind::Layout(layout, input) => reads.add(&Reads::of(input), overlap(layout)),
            ExprKind::Let { bindings, body } => {
                reads = Reads::of(body);
                bindings.iter().rev().for_each(|binding| {
                    reads.add_bound(binding);
                });
            }
            ExprKind::Map(_, function, input)
            | ExprKind::Reduce(_, function, _, input)
            | ExprKind::Scan(_, function, _, input)
            | ExprKind::Iterate(_, function, input) => {
                let inside = Reads::of(&function.body);
                reads.add(&Reads::of(input), inside.of_parameters(function));
                if let ExprKind::Reduce(_, _, initial, _) | ExprKind::Scan(_, _, initial, _) = &expr.kind {
                    reads.add(&Reads::of(initial), Times::ONCE);
                }
                reads.add(&inside, Times::Many);
            }
            ExprKind::Generate(_, function) => reads.add(&Reads::of(&function.body), Times::Many),
            _ => {
                expr.children().into_iter().for_each(|child| reads.add(&Reads::of(child), Times::ONCE));
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
    fn add_bound(&mut self, binding: &Binding) -> Times {
        let Binding { variable, value } = binding;
        let times = if value.ty.is_element() { Times::ONCE } else { self.of_variable(variable) };
        self.add(&Reads::of(value), times);
        times
    }
}

/// In how many places a layout shows an element.
pub(super) fn overlap(layout: &Layout) -> Times {
    match layout {
        Layout::Slide { size, step } => match (size.as_constant(), step.as_constant()) {
            (Some(size), Some(step)) if step > 0 => Times::Known(size.saturating_add(step - 1) / step),
            _ => Times::Many,
        },
        _ => Times::ONCE,
    }
}
