//! How large the numbers become that kernels compute with indices: what a launcher compares with 32 and with 64 bits.
//!
//! The printers report every formula that they print, and what the variables in it stand for: no primitive, pass or
//! backend has to be known here, and none can be forgotten. A formula reaches as far as its variables do ([`Reach`]),
//! loop after loop, until only sizes remain.
//!
//! Guarantees, where every size is replaced by 1 if it is 0: no partial sum, partial product, dividend or operand of a
//! printed formula is further from 0 than the largest extent and [`SMALL`] together. Sizes themselves and the numbers of
//! workers, of which loops over them add one more, are for the launcher to compare.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::kernel::{Expression, Kernel, Launches, Loop, Portion, Repetition, Trip, Workers};
use crate::ir::nat::{Atom, Condition, Nat, Ranges, Term, Var};
use crate::ir::typed::{ParameterType, Program};

mod dominance;
mod reach;

use dominance::{Largest, without_rounding};
use reach::Reach;

/// Extents leave out numbers up to this: every launcher has room for them.
pub(crate) const SMALL: i128 = 1 << 24;

/// No launcher starts groups that are longer than this in a dimension.
const LONGEST_GROUP: i128 = 1 << 16;

/// A variable of which nothing says how large it becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unbounded(pub(crate) Var);

/// Collects how far formulas reach.
pub(crate) struct Extents {
    /// The variables that a launcher knows.
    sizes: BTreeSet<Var>,
    /// Those among them that are parameters, and say nothing of the length of an array.
    passed: BTreeSet<Var>,
    /// How far the other variables reach here.
    variables: BTreeMap<Var, Reach>,
    /// The launch of the kernel at hand.
    launch: Option<Workplace>,
    /// How far formulas reach, as long as their variables stand for the same.
    known: BTreeMap<Nat, Reach>,
    /// What was reported.
    reported: BTreeSet<Nat>,
    largest: Largest,
    unbounded: Vec<Unbounded>,
}

/// How far variables reached before.
pub(crate) type Before = Vec<(Var, Option<Reach>)>;

/// How many workers a kernel has.
struct Workplace {
    global: [Nat; 3],
    local: [u64; 3],
    launches: Launches,
}

impl Extents {
    /// For a program.
    pub(crate) fn new(program: &Program) -> Extents {
        let passed = program.parameters.iter().filter_map(|parameter| match &parameter.ty {
            ParameterType::Size(size) => Some(size.clone()),
            ParameterType::Value(_) => None,
        });
        Extents {
            sizes: program.sizes.iter().map(|size| size.variable.clone()).collect(),
            passed: passed.collect(),
            variables: BTreeMap::new(),
            launch: None,
            known: BTreeMap::new(),
            reported: BTreeSet::new(),
            largest: Largest::default(),
            unbounded: Vec::new(),
        }
    }

    /// Whether a variable is a number that the user passes and that says nothing of the length of an array: it may be as large as any.
    pub(crate) fn is_passed(&self, variable: &Var) -> bool {
        self.passed.contains(variable)
    }

    /// Takes note of the numbers of applications and the rows that the kernel at a position gets.
    pub(crate) fn enter_repetitions(&mut self, position: usize, repetitions: &[Repetition], ranges: &Ranges) {
        // Outer repetitions come last: how often an inner one is done may depend on them.
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

    /// Takes note of how a kernel is launched.
    pub(crate) fn enter_launch(&mut self, kernel: &Kernel) {
        let Kernel { global, local, launches, .. } = kernel;
        self.launch = Some(Workplace { global: global.clone(), local: *local, launches: *launches });
    }

    /// A variable lies in `0..end`.
    pub(crate) fn declare(&mut self, variable: &Var, end: &Nat, ranges: &Ranges) {
        let reach = self.reach(end, ranges).map(|end| Reach::up_to(end.above - Nat::one()));
        self.bind(variable, reach);
    }

    /// A variable has the value of a formula, and lies in `0..bound` where a bound is known.
    pub(crate) fn declare_value(
        &mut self,
        variable: &Var,
        value: &Nat,
        bound: Option<&Nat>,
        ranges: &Ranges,
    ) {
        match bound {
            Some(bound) => self.declare(variable, bound, ranges),
            None => {
                let reach = self.reach(value, ranges);
                self.bind(variable, reach);
            }
        }
    }

    /// A variable is the number of a worker, which is below `bound` where that is known.
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
                // A launcher compares it. What is computed with it stands where a condition bounds it.
                self.variables.remove(variable);
            }
        }
    }

    /// The step of a loop.
    pub(crate) fn declare_step(&mut self, repetition: &Loop, ranges: &Ranges) {
        match repetition.trip {
            Trip::One | Trip::AtMostOne | Trip::Any | Trip::AnyUniform => {
                self.declare(&repetition.index, &repetition.extent, ranges);
            }
            // In the last round, work-items without a step have numbers at or beyond the end.
            Trip::Rounds => {
                let items = Nat::constant(LONGEST_GROUP);
                let items = self.number_of(repetition.workers).unwrap_or(items);
                self.declare(&repetition.index, &(&repetition.extent + items), ranges);
            }
        }
    }

    /// Learns what a condition says of variables; gives what was known of them before.
    pub(crate) fn assume_holds(&mut self, condition: &Expression, ranges: &Ranges) -> Before {
        let mut before = Vec::new();
        if let Expression::Condition(condition) = condition {
            self.assume(condition, ranges, &mut before);
        }
        before
    }

    /// Forgets what a condition said of variables.
    pub(crate) fn restore(&mut self, before: Before) {
        for (variable, reach) in before.into_iter().rev() {
            self.forget_formulas();
            match reach {
                Some(reach) => self.variables.insert(variable, reach),
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
                let Ok(end) = self.reach(end, ranges) else { return };
                let bound = Reach::up_to(end.above - Nat::one());
                let known = self.variables.get(variable).cloned();
                if known.as_ref().is_none_or(|known| !known.is_within(&bound)) {
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

    fn bind(&mut self, variable: &Var, reach: Result<Reach, Unbounded>) {
        match reach {
            Ok(reach) => {
                if self.variables.get(variable) != Some(&reach)
                    && self.variables.insert(variable.clone(), reach).is_some()
                {
                    self.forget_formulas();
                }
            }
            Err(unbounded) => self.unbounded.push(unbounded),
        }
    }

    /// What is known of formulas holds no longer: a variable stands for something else.
    fn forget_formulas(&mut self) {
        self.known.clear();
        self.reported.clear();
    }

    /// How many workers there are at most, where the launch is known.
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

    /// Takes note of a formula that is printed. Its operands are reported for themselves.
    pub(crate) fn report(&mut self, formula: &Nat, ranges: &Ranges) {
        if formula.as_variable().is_some() || !self.reported.insert(formula.clone()) {
            return;
        }
        if let Err(unbounded) = self.sums_and_products(formula, ranges) {
            self.unbounded.push(unbounded);
        }
    }

    /// Takes note of the length of an array, which bounds the sizes that it is made of.
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
        // A sum is printed with its negative terms behind the others.
        let subtracted = formula.constant_term().min(0);
        self.largest.add(&(above - Nat::constant(subtracted)));
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

    /// The extents, of which none is certainly at most another one, and none is small.
    ///
    /// # Errors
    /// The first variable of which nothing says how large it becomes.
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

/// The products of the first factors of a term, as they are computed on the way to it: all but those of one factor.
fn partial_products(term: &Term) -> Vec<Nat> {
    let factors = term.factors.iter().flat_map(|(atom, power)| (0..*power).map(move |_| atom));
    let mut product = Nat::constant(term.coefficient);
    let mut products = Vec::new();
    for (position, atom) in factors.enumerate() {
        product = product * Nat::from_atom(Atom::clone(atom));
        if position > 0 || term.coefficient != 1 {
            products.push(product.clone());
        }
    }
    // The whole term is a part of the sum.
    products.pop();
    products
}
