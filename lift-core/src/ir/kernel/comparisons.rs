//! Comparisons of indices in kernel code: where they are, and how many there are.

use super::visit::Visit;
use super::{Expression, Statement, Workers, any, nested};
use crate::flat::{FlatMap, FlatSet};
use crate::ir::nat::interior::Interior;
use crate::ir::nat::{Condition, Nat, Ranges, Var};

/// The assumed trip count of a loop of unknown length.
const A_FEW: u64 = 8;

/// Whether a statement, or one inside it, compares indices.
pub(crate) fn has_question(statement: &Statement) -> bool {
    let mut found = Question(false);
    found.statement(statement);
    found.0
}

struct Question(bool);

impl Visit for Question {
    fn nat(&mut self, nat: &Nat) {
        self.0 |= nat.compares();
    }

    fn condition(&mut self, _: &Condition) {
        self.0 = true;
    }
}

/// Asks the interior for all comparisons of indices in statements.
pub(crate) fn ask_for_comparisons(statements: &[Statement], interior: &mut Interior<'_>) {
    ask_until(statements, interior, |_| false);
}

/// Whether the interior decides a comparison of indices in statements.
pub(crate) fn decides_a_comparison(statements: &[Statement], interior: &mut Interior<'_>) -> bool {
    ask_until(statements, interior, |interior| interior.decides())
}

/// Asks the interior for one comparison of indices after the other, until that is enough. Returns whether it is.
fn ask_until(
    statements: &[Statement],
    interior: &mut Interior<'_>,
    is_enough: fn(&Interior<'_>) -> bool,
) -> bool {
    let mut found = Found { nats: FlatSet::new(), conditions: FlatSet::new() };
    statements.iter().for_each(|statement| found.statement(statement));
    let enough_after = |nat: &Nat| {
        interior.ask(nat);
        is_enough(interior)
    };
    if found.nats.iter().any(enough_after) {
        return true;
    }
    found.conditions.iter().any(|condition| {
        interior.outcome_of(condition);
        is_enough(interior)
    })
}

/// Whether there is a vector whose components are loaded from addresses that depend on comparisons.
pub(crate) fn has_compared_vector(statements: &[Statement]) -> bool {
    let mut found = ComparedVector(false);
    statements.iter().for_each(|statement| found.statement(statement));
    found.0
}

struct ComparedVector(bool);

impl Visit for ComparedVector {
    fn components(&mut self, components: &[Expression]) {
        let is_load = |component: &Expression| matches!(component, Expression::Load(..));
        let is_compared =
            |component: &Expression| matches!(component, Expression::Load(_, index, _) if index.compares());
        self.0 |= components.iter().all(is_load) && components.iter().any(is_compared);
    }
}

/// The number of comparisons of indices that one work-item makes in statements. It assumes that the OpenCL
/// compiler moves loop-invariant comparisons out of loops, and computes nothing twice.
pub(crate) fn comparisons(statements: &[Statement]) -> u64 {
    let mut found = Found { nats: FlatSet::new(), conditions: FlatSet::new() };
    statements.iter().for_each(|statement| found.statement(statement));
    let mut compared = FlatSet::new();
    found.nats.iter().for_each(|nat| nat.comparisons(&mut compared));
    let mut steps = FlatMap::new();
    count_steps(statements, &mut steps);
    let times = |variables: FlatSet<Var>| {
        let of_loops = variables.iter().filter_map(|variable| steps.get(variable));
        of_loops.fold(1, |product: u64, steps| product.saturating_mul(*steps))
    };
    let of_nats = compared.iter().map(|nat| times(nat.variables()));
    let of_conditions = found.conditions.iter().map(|condition| times(condition.variables()));
    of_nats.chain(of_conditions).fold(0, u64::saturating_add)
}

/// The trip counts of sequential loops, where they are constant; a few for other loops.
fn count_steps(statements: &[Statement], steps: &mut FlatMap<Var, u64>) {
    any(statements, &mut |statement| {
        if let Statement::Loop(repetition) = statement {
            let known = repetition.extent.as_constant().filter(|_| repetition.workers == Workers::Sequential);
            let count = known.and_then(|count| u64::try_from(count).ok()).unwrap_or(A_FEW);
            steps.insert(repetition.index.clone(), count);
        }
        false
    });
}

/// The comparisons of indices in statements.
struct Found {
    nats: FlatSet<Nat>,
    conditions: FlatSet<Condition>,
}

impl Visit for Found {
    fn nat(&mut self, nat: &Nat) {
        if nat.compares() && !self.nats.contains(nat) {
            self.nats.insert(nat.clone());
        }
    }

    fn condition(&mut self, condition: &Condition) {
        self.conditions.insert(condition.clone());
    }
}

/// Declares the indices that statements, and those inside them, declare.
pub(crate) fn declare_inside(statements: &[Statement], ranges: &mut Ranges, declared: &mut Vec<Var>) {
    for statement in nested(statements) {
        ranges.learn(statement);
        if let Statement::Loop(repetition) = statement {
            *ranges = ranges.in_loop(repetition);
        }
        declared.extend(statement.declared_index().cloned());
    }
}
