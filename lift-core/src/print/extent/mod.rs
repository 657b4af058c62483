//! The magnitude of the numbers that kernels compute with indices: a launcher compares it with 32 and with 64
//! bits.
//!
//! The printers report every formula that they print, and the values of its variables. So no primitive, pass
//! or backend has to be known here, and none can be forgotten. A formula reaches as far as its variables do
//! ([`Reach`]), loop after loop, until only sizes remain.
//!
//! Guarantee, where every size is replaced by 1 if it is 0: no partial sum, partial product, dividend or
//! operand of a printed formula is further from 0 than the largest extent plus [`SMALL`](dominance::SMALL).
//! Sizes themselves and the numbers of workers are for the launcher to compare; a loop over workers adds one
//! more of them to its index.

use crate::flat::{FlatMap, FlatSet};
use crate::ir::kernel::{Expression, Kernel, Launches, Loop, Portion, Repetition, Trip, Workers};
use crate::ir::nat::{Atom, Condition, Memo, Nat, Ranges, Term, Var};
use crate::ir::typed::{ParameterType, Program};

mod dominance;
mod formulas;
mod reach;

use dominance::{Largest, NEIGHBOURS, without_rounding};
use reach::Reach;

/// The largest group, in a dimension, that any launcher starts.
const LONGEST_GROUP: i128 = 1 << 16;

/// A variable with no known bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unbounded(pub(crate) Var);

/// Collects how far formulas reach.
pub(crate) struct Extents {
    /// The variables that a launcher knows.
    sizes: FlatSet<Var>,
    /// The sizes that are parameters, and do not determine the length of an array.
    passed: FlatSet<Var>,
    /// The other variables here.
    variables: FlatMap<Var, Bound>,
    /// The launch of the current kernel.
    launch: Option<Workplace>,
    /// The reaches of formulas, as long as their variables keep their values.
    known: Memo<Nat, Reach>,
    /// The formulas that were reported, or that a neighbour was reported of.
    reported: Memo<Nat, ()>,
    largest: Largest,
    unbounded: Vec<Unbounded>,
}

/// What was known about variables earlier.
pub(crate) type Before = Vec<(Var, Option<Bound>)>;

/// How far a variable reaches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bound {
    reach: Reach,
    /// How far it reaches times its step, if it has one.
    steps: Option<Steps>,
}

/// A variable times `step` is at most `most`, as the index of a piece times the length of pieces is.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Steps {
    step: Atom,
    most: Nat,
}

/// The numbers of workers of a kernel.
struct Workplace {
    global: [Nat; 3],
    local: [u64; 3],
    launches: Launches,
}

impl Extents {
    /// The extents of a program, before anything is reported.
    pub(crate) fn new(program: &Program) -> Extents {
        let passed = program.parameters.iter().filter_map(|parameter| match &parameter.ty {
            ParameterType::Size(size) => Some(size.clone()),
            ParameterType::Value(_) => None,
        });
        Extents {
            sizes: program.sizes.iter().map(|size| size.variable.clone()).collect(),
            passed: passed.collect(),
            variables: FlatMap::new(),
            launch: None,
            known: Memo::default(),
            reported: Memo::default(),
            largest: Largest::default(),
            unbounded: Vec::new(),
        }
    }

    /// Whether a variable is a number that the user passes and that does not determine the length of an
    /// array: it may be as large as any number.
    pub(crate) fn is_passed(&self, variable: &Var) -> bool {
        self.passed.contains(variable)
    }

    /// Notes the numbers of applications and the rows that the kernel at a position gets.
    pub(crate) fn enter_repetitions(&mut self, position: usize, repetitions: &[Repetition], ranges: &Ranges) {
        // Outer repetitions come last: the number of applications of an inner one may depend on them.
        for around in repetitions.iter().rev().filter(|around| around.kernels.contains(&position)) {
            if let Some(step) = &around.step {
                self.declare(step, &around.count, ranges);
            }
            if let Some(Portion { first, count, rows, most }) = &around.portion {
                self.declare(first, rows, ranges);
                self.declare(count, &(most + Nat::one()), ranges);
            }
        }
    }

    /// Notes how a kernel is launched.
    pub(crate) fn enter_launch(&mut self, kernel: &Kernel) {
        let Kernel { global, local, launches, .. } = kernel;
        self.launch = Some(Workplace { global: global.clone(), local: *local, launches: *launches });
    }

    /// Declares a variable in `0..end`.
    pub(crate) fn declare(&mut self, variable: &Var, end: &Nat, ranges: &Ranges) {
        let bound = self.below(end, ranges);
        self.bind(variable, bound);
    }

    /// How far a variable in `0..end` reaches.
    fn below(&mut self, end: &Nat, ranges: &Ranges) -> Result<Bound, Unbounded> {
        let reach = Reach::up_to(self.reach(end, ranges)?.above - Nat::one());
        Ok(Bound { reach, steps: self.steps_below(end, ranges) })
    }

    /// Declares a variable with the value of a formula; it lies in `0..bound` where a bound is known.
    pub(crate) fn declare_value(
        &mut self,
        variable: &Var,
        value: &Nat,
        bound: Option<&Nat>,
        ranges: &Ranges,
    ) {
        match bound {
            Some(bound) => self.declare(variable, bound, ranges),
            // A formula that the form names. A launcher knows its value.
            None if self.sizes.contains(variable) => {}
            None => {
                let reach = self.reach(value, ranges);
                self.bind(variable, reach.map(|reach| Bound { reach, steps: None }));
            }
        }
    }

    /// Declares a variable that is the number of a worker; it is below `bound` where that is known.
    pub(crate) fn declare_worker(
        &mut self,
        variable: &Var,
        workers: Workers,
        bound: Option<&Nat>,
        ranges: &Ranges,
    ) {
        match (bound, self.number_of(workers)) {
            (Some(bound), _) => self.declare(variable, bound, ranges),
            (None, Some(count)) => self.declare(variable, &count, ranges),
            (None, None) => {
                // A launcher compares it. Whatever is computed with it stands where a condition bounds it.
                self.variables.remove(variable);
            }
        }
    }

    /// Declares the index of a loop.
    pub(crate) fn declare_step(&mut self, repetition: &Loop, ranges: &Ranges) {
        match repetition.trip {
            Trip::One | Trip::AtMostOne | Trip::Any | Trip::AnyUniform => {
                self.declare(&repetition.index, &repetition.extent, ranges);
            }
            // In the last round, work-items without an iteration have numbers at or beyond the end.
            Trip::Rounds => {
                let items = Nat::constant(LONGEST_GROUP);
                let items = self.number_of(repetition.workers).unwrap_or(items);
                self.declare(&repetition.index, &(&repetition.extent + items), ranges);
            }
        }
    }

    /// Learns what a condition says about variables; returns what was known about them before.
    pub(crate) fn assume_holds(&mut self, condition: &Expression, ranges: &Ranges) -> Before {
        let mut before = Vec::new();
        if let Expression::Condition(condition) = condition {
            self.assume(condition, ranges, &mut before);
        }
        before
    }

    /// Forgets what a condition said about variables.
    pub(crate) fn restore(&mut self, before: Before) {
        for (variable, bound) in before.into_iter().rev() {
            self.forget_formulas();
            match bound {
                Some(bound) => self.variables.insert(variable, bound),
                None => self.variables.remove(&variable),
            };
        }
    }

    fn assume(&mut self, condition: &Condition, ranges: &Ranges, before: &mut Before) {
        match condition {
            Condition::Less(left, end) => {
                let Some(variable) = left.as_variable().filter(|variable| !self.sizes.contains(variable))
                else {
                    return;
                };
                let Ok(bound) = self.below(end, ranges) else { return };
                let known = self.variables.get(variable).cloned();
                if known.as_ref().is_none_or(|known| !known.reach.is_within(&bound.reach)) {
                    before.push((variable.clone(), known));
                    self.bind(variable, Ok(bound));
                }
            }
            Condition::And(left, right) => {
                self.assume(left, ranges, before);
                self.assume(right, ranges, before);
            }
            Condition::LessOrEqual(..) | Condition::Equal(..) | Condition::Or(..) | Condition::Not(_) => {}
        }
    }

    fn bind(&mut self, variable: &Var, bound: Result<Bound, Unbounded>) {
        match bound {
            Ok(bound) => {
                if self.variables.get(variable) != Some(&bound)
                    && self.variables.insert(variable.clone(), bound).is_some()
                {
                    self.forget_formulas();
                }
            }
            Err(unbounded) => self.unbounded.push(unbounded),
        }
    }

    /// Forgets the reaches of formulas: a variable has another value now.
    fn forget_formulas(&mut self) {
        self.known.clear();
        self.reported.clear();
    }

    /// An upper bound for the number of workers, where the launch is known.
    fn number_of(&self, workers: Workers) -> Option<Nat> {
        let launch = self.launch.as_ref().filter(|launch| launch.launches == Launches::Pinned)?;
        let (Workers::Global(dimension) | Workers::WorkGroup(dimension) | Workers::Local(dimension)) =
            workers
        else {
            return Some(Nat::one());
        };
        let items = Nat::constant(i128::from(*launch.local.get(usize::from(dimension))?));
        let global = launch.global.get(usize::from(dimension))?;
        Some(match workers {
            // Launches are rounded up to whole groups.
            Workers::Global(_) => global + items,
            Workers::WorkGroup(_) => global.divide(&items) + Nat::one(),
            Workers::Local(_) | Workers::Sequential => items,
        })
    }

    /// Notes a formula that is printed. Its operands are reported on their own.
    pub(crate) fn report(&mut self, formula: &Nat, ranges: &Ranges) {
        if formula.as_variable().is_some() || self.reported.insert(formula.clone(), ()).is_some() {
            return;
        }
        // Where a loop is written out, most formulas differ from others by a number.
        let number = formula.constant_term();
        let is_neighbour = number != 0 && number.abs() <= NEIGHBOURS;
        if is_neighbour && self.reported.insert(formula.plus(-number), ()).is_some() {
            return;
        }
        if let Err(unbounded) = self.sums_and_products(formula, ranges) {
            self.unbounded.push(unbounded);
        }
    }

    /// Notes the length of an array, which bounds the sizes that it is made of.
    pub(crate) fn add_array(&mut self, length: &Nat) {
        self.largest.add(length);
        for (atom, _) in length.terms().iter().flat_map(|term| &term.factors) {
            if let Atom::Var(variable) = atom {
                self.passed.remove(variable);
            }
        }
    }

    fn sums_and_products(&mut self, formula: &Nat, ranges: &Ranges) -> Result<(), Unbounded> {
        let Reach { above, below } = self.reach(formula, ranges)?;
        // The negative terms of a sum are printed behind the others.
        let subtracted = formula.constant_term().min(0);
        self.largest.add(&if subtracted == 0 { above } else { above - Nat::constant(subtracted) });
        self.largest.add(&below);
        for term in formula.terms() {
            for product in partial_products(term) {
                let Reach { above, below } = self.reach(&product, ranges)?;
                self.largest.add(&above);
                self.largest.add(&below);
            }
        }
        Ok(())
    }

    /// The extents: none is certainly at most another one, and none is small.
    ///
    /// # Errors
    /// Returns the first variable with no known bound.
    pub(crate) fn finish(self, ranges: &Ranges) -> Result<Vec<Nat>, Unbounded> {
        if let Some(unbounded) = self.unbounded.into_iter().next() {
            return Err(unbounded);
        }
        let mut largest = Largest::default();
        for extent in self.largest.into_extents() {
            largest.add(&without_rounding(&ranges.simplify(&extent)));
        }
        let mut extents = largest.into_extents();
        extents.sort();
        Ok(extents)
    }
}

/// The products of the first factors of a term, as they are computed on the way to it; without single factors
/// and without the whole term.
fn partial_products(term: &Term) -> Vec<Nat> {
    let is_scaled = term.coefficient != 1;
    if term.degree() <= if is_scaled { 1 } else { 2 } {
        return Vec::new();
    }
    let factors = term.factors.iter().flat_map(|(atom, power)| (0..*power).map(move |_| atom));
    let mut product = Nat::constant(term.coefficient);
    let mut products = Vec::new();
    for (position, atom) in factors.enumerate() {
        product = product * Nat::from_atom(Atom::clone(atom));
        if position > 0 || is_scaled {
            products.push(product.clone());
        }
    }
    // The whole term is part of the sum.
    products.pop();
    products
}
