//! Loops over workers in which everybody has one step, or at most one, become straight code (CGO 2017, section 5.5); those in
//! which all work-items of a group have the same number of steps become loops of that many, and those in rounds of all work-items become loops
//! over the rounds, where it is known how many work-items there are.
//!
//! All such loops over one kind of worker are about the same step: the worker's own number. It is declared once, at the top, so that
//! what several maps do with it is seen to concern the same element. Comes after barrier placement, which needs to know
//! which code stands in a loop over work-items.

use std::collections::BTreeMap;

use crate::kernel::rewrite::Rewrite;
use crate::kernel::{Expression, Loop, Statement, Trip, Workers};
use crate::nat::{Condition, Nat, Ranges, Substitution, Var};

/// The numbers of workers are below these; nothing is known of workers without a bound.
pub(crate) type WorkerBounds = BTreeMap<Workers, Nat>;

/// Replaces loops of one step; see the module documentation.
pub(crate) fn straighten(
    body: Vec<Statement>,
    bounds: &WorkerBounds,
    ranges: &Ranges,
    fresh: &mut impl FnMut() -> Var,
) -> Vec<Statement> {
    let mut numbers = BTreeMap::new();
    collect_numbers(&body, bounds, &mut numbers);
    let mut ranges = ranges.clone();
    for (workers, index) in &numbers {
        ranges.declare(index, Nat::zero(), bounds.get(workers).cloned());
    }
    let mut straight =
        Straighten { numbers: &numbers, bounds, substitution: Substitution::new(), ranges, rounds: 0, fresh };
    let mut declared: Vec<Statement> = numbers
        .iter()
        .map(|(workers, index)| Statement::DeclareWorker {
            index: index.clone(),
            workers: *workers,
            bound: bounds.get(workers).cloned(),
        })
        .collect();
    declared.extend(straight.straight_block(&body));
    declared
}

/// The variable of the first loop over every kind of workers that is not printed as a loop over them.
fn collect_numbers(body: &[Statement], bounds: &WorkerBounds, numbers: &mut BTreeMap<Workers, Var>) {
    for statement in body {
        if let Statement::Loop(repetition) = statement
            && (has_one_step(repetition)
                || (is_uniform(repetition) && bounds.contains_key(&repetition.workers)))
        {
            numbers.entry(repetition.workers).or_insert_with(|| repetition.index.clone());
        }
        statement.blocks().into_iter().for_each(|block| collect_numbers(block, bounds, numbers));
    }
}

fn has_one_step(repetition: &Loop) -> bool {
    repetition.workers != Workers::Sequential && matches!(repetition.trip, Trip::One | Trip::AtMostOne)
}

fn is_uniform(repetition: &Loop) -> bool {
    matches!(repetition.workers, Workers::Local(_))
        && matches!(repetition.trip, Trip::AnyUniform | Trip::Rounds)
}

struct Straighten<'n, F> {
    numbers: &'n BTreeMap<Workers, Var>,
    bounds: &'n WorkerBounds,
    substitution: Substitution,
    ranges: Ranges,
    /// The loops over rounds around the code at hand: there, other indices are possible than before.
    rounds: usize,
    fresh: &'n mut F,
}

impl<F: FnMut() -> Var> Straighten<'_, F> {
    fn straight_block(&mut self, block: &[Statement]) -> Vec<Statement> {
        let outside = self.ranges.clone();
        let mut straight = Vec::new();
        for statement in block {
            straight.extend(self.straight(statement));
            super::learn(&mut self.ranges, statement);
        }
        self.ranges = outside;
        straight
    }

    fn straight(&mut self, statement: &Statement) -> Vec<Statement> {
        let Statement::Loop(repetition) = statement else { return vec![self.statement(statement)] };
        let Some(number) = self.numbers.get(&repetition.workers) else {
            return vec![self.remaining(repetition)];
        };
        let number = Nat::variable(number);
        if let Some(items) = self.items_of_uniform_loop(repetition) {
            return self.rounds(repetition, number, &items);
        }
        if !has_one_step(repetition) {
            return vec![self.remaining(repetition)];
        }
        if repetition.trip != Trip::AtMostOne {
            return self.one_round(repetition, number);
        }
        let has_step = Condition::Less(number.clone(), self.nat(&repetition.extent));
        let guarded = Loop { origin: String::new(), ..repetition.clone() };
        let body = self.one_round(&guarded, number);
        let comment = Some(&repetition.origin).filter(|origin| !origin.is_empty()).cloned();
        let choice = Statement::If(Expression::Condition(has_step), body, Vec::new());
        comment.map(Statement::Comment).into_iter().chain([choice]).collect()
    }
}

impl<F: FnMut() -> Var> Straighten<'_, F> {
    /// A loop that stays one.
    fn remaining(&mut self, repetition: &Loop) -> Statement {
        let outside = self.ranges.clone();
        let extent = self.nat(&repetition.extent);
        let bound = repetition.bound().map(|bound| self.nat(&bound));
        self.ranges.declare(&repetition.index, Nat::zero(), bound);
        let body = self.straight_block(&repetition.body);
        self.ranges = outside;
        Statement::Loop(Loop { extent, body, ..repetition.clone() })
    }

    /// The number of work-items of a group, for a loop in which all of them have equally many steps.
    fn items_of_uniform_loop(&self, repetition: &Loop) -> Option<Nat> {
        let items = self.bounds.get(&repetition.workers)?;
        is_uniform(repetition).then(|| items.clone())
    }

    /// A loop over the steps of one work-item: `number`, `number + items`, and so on.
    fn rounds(&mut self, repetition: &Loop, number: Nat, items: &Nat) -> Vec<Statement> {
        let steps = self.nat(&repetition.extent);
        if self.ranges.is_at_most(&steps, items) == Some(true) && repetition.trip == Trip::Rounds {
            return self.one_round(repetition, number);
        }
        let rounds = match repetition.trip {
            // In the last round not every work-item may have a step.
            Trip::Rounds => (steps + items - Nat::one()).divide(items),
            Trip::One | Trip::AtMostOne | Trip::Any | Trip::AnyUniform => steps.divide(items),
        };
        let extent = self.ranges.simplify(&rounds);
        let round = (self.fresh)();
        let number = number + items * Nat::variable(&round);
        let outside = self.ranges.clone();
        self.ranges.declare(&round, Nat::zero(), Some(extent.clone()));
        self.substitution.insert(repetition.index.clone(), number);
        self.rounds += 1;
        let body = self.straight_block(&repetition.body);
        self.rounds -= 1;
        self.substitution.remove(&repetition.index);
        self.ranges = outside;
        vec![Statement::Loop(Loop {
            workers: Workers::Sequential,
            index: round,
            extent,
            trip: Trip::Any,
            unrolling: repetition.unrolling,
            origin: repetition.origin.clone(),
            body,
        })]
    }

    /// What is done where the number of the worker stands for the index.
    fn one_round(&mut self, repetition: &Loop, number: Nat) -> Vec<Statement> {
        let mut straight = Vec::new();
        if !repetition.origin.is_empty() {
            straight.push(Statement::Comment(repetition.origin.clone()));
        }
        self.substitution.insert(repetition.index.clone(), number);
        straight.extend(self.straight_block(&repetition.body));
        self.substitution.remove(&repetition.index);
        straight
    }
}

impl<F: FnMut() -> Var> Rewrite for Straighten<'_, F> {
    fn nat(&mut self, nat: &Nat) -> Nat {
        let substituted = nat.substitute(&self.substitution);
        if self.rounds > 0 { self.ranges.simplify(&substituted) } else { substituted }
    }

    fn condition(&mut self, condition: &Condition) -> Expression {
        let substituted = condition.substitute(&self.substitution);
        let simplified =
            if self.rounds > 0 { self.ranges.simplify_condition(&substituted) } else { substituted };
        Expression::Condition(simplified)
    }

    fn block(&mut self, block: &[Statement]) -> Vec<Statement> {
        self.straight_block(block)
    }
}
