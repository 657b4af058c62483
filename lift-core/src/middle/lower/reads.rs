//! How often the elements of arrays are read.

use super::layout_reads::{shown_by, times_shown};
use super::multiplicity::Multiplicity;
use crate::flat::FlatMap;
use crate::ir::nat::Ranges;
use crate::ir::typed::{Application, Binding, Expr, ExprKind, Lambda, Variable};

/// How often the elements of an array parameter are read in each call of a function.
pub(super) fn reads_of_parameters(function: &Lambda, ranges: &Ranges) -> Multiplicity {
    Reads::of(&function.body, ranges).of_parameters(function)
}

/// For each of these `let`s, how often an element of its value is read.
pub(super) fn times_of_bound(bindings: &[Binding], body: &Expr, ranges: &Ranges) -> Vec<Multiplicity> {
    let mut later = Reads::of(body, ranges);
    let mut times: Vec<Multiplicity> =
        bindings.iter().rev().map(|binding| later.add_bound(binding, ranges)).collect();
    times.reverse();
    times
}

/// How often the elements of arrays are read, by the ids of the variables that are bound to the arrays.
#[derive(Default)]
struct Reads(FlatMap<u32, Multiplicity>);

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
        let application = expr.application();
        match application {
            Some(
                Application::Map(_, function, input)
                | Application::Reduce(_, function, _, input)
                | Application::Scan(_, function, _, input)
                | Application::Iterate(_, function, input),
            ) => {
                let inside = Reads::of(&function.body, ranges);
                reads.add(&Reads::of(input, ranges), inside.of_parameters(function));
                if let Some(initial) = application.and_then(Application::initial) {
                    reads.add(&Reads::of(initial, ranges), Multiplicity::ONCE);
                }
                reads.add(&inside, Multiplicity::Many);
            }
            Some(Application::Generate(function)) => {
                reads.add(&Reads::of(&function.body, ranges), Multiplicity::Many);
            }
            // A function of vectors is applied once.
            Some(Application::Lanewise(..)) | None => reads.add_parts(expr, ranges),
        }
        reads
    }

    /// Adds the reads of an expression that evaluates each of its parts once.
    fn add_parts(&mut self, expr: &Expr, ranges: &Ranges) {
        match &expr.kind {
            ExprKind::Variable(read) => {
                self.0.insert(read.id, Multiplicity::ONCE);
            }
            ExprKind::Let { bindings, body } => {
                *self = Reads::of(body, ranges);
                bindings.iter().rev().for_each(|binding| {
                    self.add_bound(binding, ranges);
                });
            }
            _ => {
                let children = expr.children();
                children.for_each(|child| self.add(&Reads::of(child, ranges), Multiplicity::ONCE));
            }
        }
    }

    fn of_variable(&self, variable: &Variable) -> Multiplicity {
        self.0.get(&variable.id).copied().unwrap_or(Multiplicity::NEVER)
    }

    fn of_parameters(&self, function: &Lambda) -> Multiplicity {
        let arrays = function.parameters.iter().filter(|(_, ty)| !ty.is_element());
        arrays
            .map(|(variable, _)| self.of_variable(variable))
            .max()
            .unwrap_or(Multiplicity::ONCE)
            .max(Multiplicity::ONCE)
    }

    fn add(&mut self, other: &Reads, times: Multiplicity) {
        for (variable, reads) in &other.0 {
            let own = self.0.get_or_insert_with(*variable, || Multiplicity::NEVER);
            *own = own.plus(reads.times(times));
        }
    }

    /// Adds the reads of the value of a `let` to the reads of what follows. Returns how often an element of
    /// the value is read.
    fn add_bound(&mut self, binding: &Binding, ranges: &Ranges) -> Multiplicity {
        let Binding { variable, value } = binding;
        let times = if value.ty.is_element() { Multiplicity::ONCE } else { self.of_variable(variable) };
        self.add(&Reads::of(value, ranges), times);
        times
    }
}

/// Collects the ids of the variables that an expression reads.
pub(super) fn collect_reads(expr: &Expr, into: &mut impl Extend<u32>) {
    if let ExprKind::Variable(read) = &expr.kind {
        into.extend([read.id]);
    }
    expr.children().for_each(|child| collect_reads(child, into));
}
