//! Unit trip counts: loops over workers in which each worker has one iteration, or at most one, become
//! straight code (CGO 2017, section 5.5), unless an `if` would stand around a barrier. Two more kinds of
//! loops change where the number of work-items is known. Those in which all work-items of a group have the
//! same number of iterations become loops of that many. Those in rounds of all work-items become loops over
//! the rounds. So do those whose number of iterations has a small constant bound, as over the elements of a
//! tile that the end of an array may cut off: in the last rounds, a work-item may have no iteration. The
//! OpenCL compiler unrolls such a loop and loads for all rounds at once, which it does not where the trip
//! count is unknown.
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

/// The most rounds of a loop whose number of iterations is only known to be bounded: more would not be
/// unrolled.
const MOST_ROUNDS: i128 = 16;

/// Replaces loops with unit trip counts; see the module documentation.
pub(crate) fn remove_unit_loops(
    body: Vec<Statement>,
    bounds: &WorkerBounds,
    ranges: &Ranges,
    fresh: &mut Fresh,
) -> Vec<Statement> {
    let mut numbers = FlatMap::new();
    collect_numbers(&body, &Around { bounds, ranges, waits: false }, &mut numbers);
    let asks = |statement: &Statement| matches!(statement, Statement::Loop(repetition) if asks(repetition));
    let is_asked = kernel::any(&body, &mut |statement| asks(statement));
    let mut ranges = ranges.clone();
    if is_asked {
        for (workers, index) in &numbers {
            ranges = ranges.in_steps(index, bounds.get(workers));
        }
    }
    let mut straight = UnitLoops {
        numbers: &numbers,
        bounds,
        substitution: Substitution::new(),
        is_asked,
        ranges,
        rounds: 0,
        waits: false,
        fresh,
    };
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
fn collect_numbers(body: &[Statement], around: &Around<'_, '_>, numbers: &mut FlatMap<Workers, Var>) {
    for statement in body {
        if let Statement::Loop(repetition) = statement
            && (has_one_step(repetition) || Rounds::of(repetition, around).is_some())
        {
            numbers.get_or_insert_with(repetition.workers, || repetition.index.clone());
        }
        let inside = Around { waits: around.waits || waits(statement), ..*around };
        statement.blocks().for_each(|block| collect_numbers(block, &inside, numbers));
    }
}

/// Whether a statement is a loop, and stays one, in which work-items wait for each other.
fn waits(statement: &Statement) -> bool {
    matches!(statement, Statement::Loop(repetition) if !has_one_step(repetition)) && statement.has_barrier()
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

/// Whether something is asked about the indices in a loop: how many rounds it has, or where it ends.
fn asks(repetition: &Loop) -> bool {
    match repetition.trip {
        Trip::One => false,
        Trip::AtMostOne => repetition.extent.as_minimum().is_some(),
        Trip::Any | Trip::AnyUniform | Trip::Rounds => matches!(repetition.workers, Workers::Local(_)),
    }
}

/// What is known where a loop stands.
#[derive(Clone, Copy)]
struct Around<'b, 'r> {
    bounds: &'b WorkerBounds,
    ranges: &'r Ranges,
    /// Whether a loop around has barriers.
    waits: bool,
}

/// A loop over the work-items of a group whose iterations are done in rounds of all work-items.
struct Rounds<'b> {
    /// The number of work-items.
    items: &'b Nat,
    /// The number of rounds.
    count: Nat,
    /// Whether a work-item may have no iteration in a round, and the body does not check that.
    has_gaps: bool,
}

impl<'b> Rounds<'b> {
    /// The rounds of a loop, if the number of work-items is known.
    fn of(repetition: &Loop, around: &Around<'b, '_>) -> Option<Rounds<'b>> {
        if !matches!(repetition.workers, Workers::Local(_)) {
            return None;
        }
        let items = around.bounds.get(&repetition.workers)?;
        let steps = &repetition.extent;
        match repetition.trip {
            Trip::AnyUniform => Some(Rounds { items, count: steps.divide(items), has_gaps: false }),
            // In the last round, some work-items may have no iteration.
            Trip::Rounds => Some(Rounds { items, count: rounded_up(steps, items), has_gaps: false }),
            // In a loop with barriers, PoCL (3.1 to 6.0) computes wrongly with a choice in an unrolled loop.
            Trip::Any if !around.waits && !repetition.body.iter().any(Statement::has_barrier) => {
                let most = Nat::constant(around.ranges.constant_bounds(steps).1?);
                let count = rounded_up(&most, items);
                let is_small = count.as_constant().is_some_and(|count| count <= MOST_ROUNDS);
                is_small.then_some(Rounds { items, count, has_gaps: true })
            }
            Trip::Any | Trip::One | Trip::AtMostOne => None,
        }
    }
}

fn rounded_up(steps: &Nat, items: &Nat) -> Nat {
    (steps + items - Nat::one()).divide(items)
}

struct UnitLoops<'n> {
    numbers: &'n FlatMap<Workers, Var>,
    bounds: &'n WorkerBounds,
    substitution: Substitution,
    /// Whether something is asked about indices.
    is_asked: bool,
    ranges: Ranges,
    /// The number of loops over rounds around the current code. Inside them, other indices occur than
    /// outside.
    rounds: usize,
    /// Whether a loop around the current code has barriers.
    waits: bool,
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
                let has_step = Expression::Condition(reaches(&number, &extent, &self.ranges));
                straight.push(Statement::If(has_step, body, Vec::new()));
            }
            Trip::One | Trip::Any | Trip::AnyUniform | Trip::Rounds => straight.extend(body),
        }
        straight
    }

    /// A loop over the iterations of one work-item: `number`, `number + items`, and so on.
    fn rounds(&mut self, repetition: &Loop, number: Nat, rounds: &Rounds<'_>) -> Vec<Statement> {
        let Rounds { items, count, has_gaps } = rounds;
        let steps = self.nat(&repetition.extent);
        if repetition.trip == Trip::Rounds && self.ranges.proves_at_most(&steps, items) {
            return self.one_step(repetition, number);
        }
        let count = self.nat(count);
        let extent = self.ranges.simplify(&count);
        let round = self.fresh.index("i");
        let number = number + *items * Nat::variable(&round);
        self.substitution.insert(repetition.index.clone(), number);
        self.rounds += 1;
        let body = match has_gaps {
            false => self.steps(&repetition.body, &round, Some(&extent)),
            true => {
                // From here on, in the condition and in the body, the index of the loop is the iteration
                // that the work-item executes in this round.
                let index = self.nat(&Nat::variable(&repetition.index));
                let ranges = self.ranges.in_steps(&round, Some(&extent));
                let has_step = Expression::Condition(reaches(&index, &steps, &ranges));
                self.inside(|pass| {
                    pass.ranges = ranges.where_holds(&has_step);
                    vec![Statement::If(has_step, pass.block(&repetition.body), Vec::new())]
                })
            }
        };
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

/// The condition that a number is below an extent. Of the smaller of two numbers, one is enough if the number
/// is below the other one anyway.
fn reaches(number: &Nat, extent: &Nat, ranges: &Ranges) -> Condition {
    let smaller = extent.as_minimum().and_then(|(left, right)| {
        let is_below = |other: &Nat| ranges.proves_less(number, other);
        if is_below(right) { Some(left) } else { is_below(left).then_some(right) }
    });
    Condition::Less(number.clone(), smaller.unwrap_or(extent).clone())
}

impl Fold for UnitLoops<'_> {
    fn known(&mut self) -> Option<&mut Ranges> {
        self.is_asked.then_some(&mut self.ranges)
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
        let number = self.numbers.get(&repetition.workers).map(Nat::variable);
        let around = Around { bounds: self.bounds, ranges: &self.ranges, waits: self.waits };
        let rounds = Rounds::of(repetition, &around);
        let waited = self.waits;
        self.waits |= waits(statement);
        let rewritten = match (number, rounds) {
            (Some(number), Some(rounds)) => self.rounds(repetition, number, &rounds),
            (Some(number), None) if has_one_step(repetition) => self.one_step(repetition, number),
            (None | Some(_), _) => self.parts(statement),
        };
        self.waits = waited;
        rewritten
    }
}
