//! How often the elements of arrays are read.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use super::layout_reads::{shown_by, times_shown, with_same_elements};
use super::multiplicity::Multiplicity;
use crate::flat::FlatMap;
use crate::ir::nat::{Ranges, Var};
use crate::ir::typed::{Application, Binding, Expr, ExprKind, Lambda, Position, Variable};

/// Counts the reads of expressions. Those of the body of a function are counted once, although whoever stands
/// around it asks again: they depend on nothing but the body and on what is known of sizes.
pub(super) struct Counting {
    /// What is known of sizes.
    pub(super) ranges: Ranges,
    bodies: RefCell<Bodies>,
}

/// The reads of bodies, by where these are in memory, and the bodies, so that they stay there.
type Bodies = HashMap<*const Expr, (Arc<Expr>, Arc<Reads>)>;

/// How often the elements of arrays are read, by the ids of the variables that are bound to the arrays.
#[derive(Default)]
struct Reads(FlatMap<u32, Multiplicity>);

impl Counting {
    pub(super) fn new(ranges: Ranges) -> Counting {
        Counting { ranges, bodies: RefCell::default() }
    }

    /// How often the elements of an array parameter are read in each call of a function.
    pub(super) fn of_parameters(&self, function: &Lambda) -> Multiplicity {
        self.of_body(&function.body).of_parameters(function)
    }

    /// For each of these `let`s, how often an element of its value is read.
    pub(super) fn times_of_bound(&self, bindings: &[Binding], body: &Expr) -> Vec<Multiplicity> {
        let mut later = self.of(body);
        let mut times: Vec<Multiplicity> =
            bindings.iter().rev().map(|binding| self.add_bound(binding, &mut later)).collect();
        times.reverse();
        times
    }

    /// The reads of the body of a function.
    fn of_body(&self, body: &Arc<Expr>) -> Arc<Reads> {
        if let Some((_, known)) = self.bodies.borrow().get(&Arc::as_ptr(body)) {
            return known.clone();
        }
        let reads = Arc::new(self.of(body));
        self.bodies.borrow_mut().insert(Arc::as_ptr(body), (body.clone(), reads.clone()));
        reads
    }

    /// The reads of an expression.
    fn of(&self, expr: &Expr) -> Reads {
        let mut reads = Reads::default();
        if let Some(mut shown) = shown_by(expr) {
            while let Some(next) = shown_by(shown) {
                shown = next;
            }
            reads.add(&self.of(shown), times_shown(&with_same_elements(expr).ty, &shown.ty, &self.ranges));
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
                let inside = self.of_body(&function.body);
                let times = match application {
                    // Whoever scans walks over all elements, often several times.
                    Some(Application::Scan(..)) => Multiplicity::Many,
                    _ => inside.of_parameters(function),
                };
                reads.add(&self.of(input), times);
                if let Some(initial) = application.and_then(Application::initial) {
                    reads.add(&self.of(initial), Multiplicity::ONCE);
                }
                reads.add(&inside, Multiplicity::Many);
                reads
            }
            Some(Application::Generate(function)) => match elements_chosen(function) {
                Some(Chosen { condition, arrays }) => {
                    // One of the arrays is read.
                    arrays.iter().for_each(|array| reads.cover(&self.of(array)));
                    reads.add(&self.of(condition), Multiplicity::Many);
                    reads
                }
                None => {
                    reads.add(&self.of_body(&function.body), Multiplicity::Many);
                    reads
                }
            },
            // A function of vectors is applied once.
            Some(Application::Lanewise(..)) | None => self.of_parts(expr),
        }
    }

    /// The reads of an expression that evaluates each of its parts once.
    fn of_parts(&self, expr: &Expr) -> Reads {
        match &expr.kind {
            ExprKind::Variable(read) => Reads(FlatMap::from([(read.id, Multiplicity::ONCE)])),
            ExprKind::Let { bindings, body } => {
                let mut reads = self.of(body);
                bindings.iter().rev().for_each(|binding| {
                    self.add_bound(binding, &mut reads);
                });
                reads
            }
            _ => {
                let mut reads = Reads::default();
                for child in expr.children() {
                    reads.add(&self.of(child), Multiplicity::ONCE);
                }
                reads
            }
        }
    }

    /// Adds the reads of the value of a `let` to the reads of what follows. Returns how often an element of
    /// the value is read.
    fn add_bound(&self, binding: &Binding, later: &mut Reads) -> Multiplicity {
        let Binding { variable, value } = binding;
        let times = if value.ty.is_element() { Multiplicity::ONCE } else { later.of_variable(variable) };
        later.add(&self.of(value), times);
        times
    }
}

impl Reads {
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

    /// Adds reads that are made instead of these.
    fn cover(&mut self, other: &Reads) {
        for (variable, reads) in &other.0 {
            let own = self.0.get_or_insert_with(*variable, || Multiplicity::NEVER);
            *own = (*own).max(*reads);
        }
    }

    fn add(&mut self, other: &Reads, times: Multiplicity) {
        for (variable, reads) in &other.0 {
            let own = self.0.get_or_insert_with(*variable, || Multiplicity::NEVER);
            *own = own.plus(reads.times(times));
        }
    }
}

/// A choice between arrays that is made for each element.
struct Chosen<'e> {
    condition: &'e Expr,
    arrays: [&'e Expr; 2],
}

/// The choice that `generate` makes for each element of two arrays, as the rule `chooseElements` writes it.
fn elements_chosen(function: &Lambda) -> Option<Chosen<'_>> {
    let index = function.index.as_ref()?;
    let ExprKind::If(condition, then, otherwise) = &function.body.kind else { return None };
    Some(Chosen { condition, arrays: [array_at(then, index)?, array_at(otherwise, index)?] })
}

/// The array of which an expression is the element at a position that the array does not mention.
fn array_at<'e>(element: &'e Expr, index: &Var) -> Option<&'e Expr> {
    let ExprKind::At(Position::Size(position), array) = &element.kind else { return None };
    (position.as_variable() == Some(index) && !array.mentions_index(index)).then_some(array)
}

/// Collects the ids of the variables that an expression reads.
pub(super) fn collect_reads(expr: &Expr, into: &mut impl Extend<u32>) {
    if let ExprKind::Variable(read) = &expr.kind {
        into.extend([read.id]);
    }
    expr.children().for_each(|child| collect_reads(child, into));
}
