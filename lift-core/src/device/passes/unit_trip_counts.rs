//! Unit trip counts: loops over workers in which each worker has one iteration, or at most one, become
//! straight code (CGO 2017, section 5.5), unless an `if` would stand around a barrier. Two more kinds of
//! loops change where the number of work-items is known. Those in which all work-items of a group have the
//! same number of iterations become loops of that many. Those in rounds of all work-items become loops over
//! the rounds.
//!
//! All such loops over one kind of worker have the same index: the worker's own number. It is declared once,
//! at the top, so that several maps are seen to access the same element. This comes after barrier placement,
//! which needs to know the code in loops over work-items.

use crate::device::launch::WorkerBounds;
use crate::flat::FlatMap;
use crate::ir::kernel::fold::Fold;
use crate::ir::kernel::{self, Expression, Loop, Statement, Trip, Workers};
use crate::ir::names::Fresh;
use crate::ir::nat::{Condition, Nat, Ranges, Substitution, Var};

/// Replaces loops with unit trip counts; see the module documentation.
pub(crate) fn remove_unit_loops(
    body: Vec<Statement>,
    bounds: &WorkerBounds,
    ranges: &Ranges,
    fresh: &mut Fresh,
) -> Vec<Statement> {
    let mut numbers = FlatMap::new();
    collect_numbers(&body, bounds, &mut numbers);
    let has_rounds = kernel::any(
        &body,
        &mut |statement| matches!(statement, Statement::Loop(repetition) if is_in_rounds(repetition, bounds)),
    );
    let mut ranges = ranges.clone();
    if has_rounds {
        for (workers, index) in &numbers {
            ranges = ranges.in_steps(index, bounds.get(workers));
        }
    }
    let substitution = Substitution::new();
    let mut straight =
        UnitLoops { numbers: &numbers, bounds, substitution, has_rounds, ranges, rounds: 0, fresh };
    let mut declared: Vec<Statement> = numbers
        .iter()
        .map(|(workers, index)| Statement::DeclareWorker {
            index: index.clone(),
            workers: *workers,
            bound: bounds.get(workers).cloned(),
        })
        .collect();
    declared.extend(straight.block(&body));
    declared
}

/// Collects, for each kind of workers, the index of the first loop over them that is not printed as a loop.
fn collect_numbers(body: &[Statement], bounds: &WorkerBounds, numbers: &mut FlatMap<Workers, Var>) {
    for statement in kernel::nested(body) {
        if let Statement::Loop(repetition) = statement
            && (has_one_step(repetition) || is_in_rounds(repetition, bounds))
        {
            numbers.get_or_insert_with(repetition.workers, || repetition.index.clone());
        }
    }
}

/// Whether the code of one iteration replaces the loop. It does not where groups without an iteration would
/// skip a barrier: such a loop over groups stays, although each group has at most one iteration. PoCL (3.1 to
/// 6.0) hangs or crashes where a barrier inside an `if` is followed by another one, and a loop costs a GPU no
/// more than a choice.
fn has_one_step(repetition: &Loop) -> bool {
    match repetition.trip {
        Trip::One => repetition.workers != Workers::Sequential,
        Trip::AtMostOne => {
            let waits = repetition.body.iter().any(Statement::has_barrier);
            repetition.workers != Workers::Sequential && !waits
        }
        Trip::Any | Trip::AnyUniform | Trip::Rounds => false,
    }
}

/// Whether a loop becomes one over rounds of all work-items.
fn is_in_rounds(repetition: &Loop, bounds: &WorkerBounds) -> bool {
    is_uniform(repetition) && bounds.contains_key(&repetition.workers)
}

fn is_uniform(repetition: &Loop) -> bool {
    matches!(repetition.workers, Workers::Local(_))
        && matches!(repetition.trip, Trip::AnyUniform | Trip::Rounds)
}

struct UnitLoops<'n> {
    numbers: &'n FlatMap<Workers, Var>,
    bounds: &'n WorkerBounds,
    substitution: Substitution,
    /// Whether there are loops over rounds. Nobody else asks what is known about indices.
    has_rounds: bool,
    ranges: Ranges,
    /// The number of loops over rounds around the current code. Inside them, other indices occur than
    /// outside.
    rounds: usize,
    fresh: &'n mut Fresh,
}

impl UnitLoops<'_> {
    /// The code of the single iteration of a worker.
    fn one_step(&mut self, repetition: &Loop, number: Nat) -> Vec<Statement> {
        let mut straight = Vec::new();
        if !repetition.origin.is_empty() {
            straight.push(Statement::Comment(repetition.origin.clone()));
        }
        let extent = self.nat(&repetition.extent);
        self.substitution.insert(repetition.index.clone(), number.clone());
        let body = self.block(&repetition.body);
        self.substitution.remove(&repetition.index);
        match repetition.trip {
            Trip::AtMostOne => {
                let has_step = Expression::Condition(Condition::Less(number, extent));
                straight.push(Statement::If(has_step, body, Vec::new()));
            }
            Trip::One | Trip::Any | Trip::AnyUniform | Trip::Rounds => straight.extend(body),
        }
        straight
    }

    /// The number of work-items of a group, for a loop in which all of them have the same number of
    /// iterations.
    fn items_of_uniform_loop(&self, repetition: &Loop) -> Option<Nat> {
        let items = self.bounds.get(&repetition.workers)?;
        is_uniform(repetition).then(|| items.clone())
    }

    /// A loop over the iterations of one work-item: `number`, `number + items`, and so on.
    fn rounds(&mut self, repetition: &Loop, number: Nat, items: &Nat) -> Vec<Statement> {
        let steps = self.nat(&repetition.extent);
        if repetition.trip == Trip::Rounds && self.ranges.is_at_most(&steps, items) == Some(true) {
            return self.one_step(repetition, number);
        }
        let rounds = match repetition.trip {
            // In the last round, some work-items may have no iteration.
            Trip::Rounds => (steps + items - Nat::one()).divide(items),
            Trip::One | Trip::AtMostOne | Trip::Any | Trip::AnyUniform => steps.divide(items),
        };
        let extent = self.ranges.simplify(&rounds);
        let round = self.fresh.index("i");
        let number = number + items * Nat::variable(&round);
        self.substitution.insert(repetition.index.clone(), number);
        self.rounds += 1;
        let body = self.steps(&repetition.body, &round, Some(&extent));
        self.rounds -= 1;
        self.substitution.remove(&repetition.index);
        vec![Statement::Loop(Loop {
            workers: Workers::Sequential,
            index: round,
            extent,
            trip: Trip::Any,
            unrolling: repetition.unrolling,
            order: repetition.order,
            origin: repetition.origin.clone(),
            source: repetition.source,
            body,
        })]
    }
}

impl Fold for UnitLoops<'_> {
    fn known(&mut self) -> Option<&mut Ranges> {
        self.has_rounds.then_some(&mut self.ranges)
    }

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

    fn statement(&mut self, statement: &Statement) -> Vec<Statement> {
        let Statement::Loop(repetition) = statement else { return self.parts(statement) };
        let Some(number) = self.numbers.get(&repetition.workers).map(Nat::variable) else {
            return self.parts(statement);
        };
        match self.items_of_uniform_loop(repetition) {
            Some(items) => self.rounds(repetition, number, &items),
            None if has_one_step(repetition) => self.one_step(repetition, number),
            None => self.parts(statement),
        }
    }
}
