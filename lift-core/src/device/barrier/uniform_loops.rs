//! Loops over work-items that hold a barrier, where not every work-item has the same number of iterations.
//!
//! All work-items of a group must reach a barrier, or none. So such a loop is executed in rounds: in each
//! round, every work-item either has an iteration or goes along without one. A guard lets only the iterations
//! that exist run; the barriers stand outside the guards. What an iteration declares before a barrier and
//! uses after it is declared outside the guards.
//!
//! A loop over work-items that stands behind a barrier in another loop is executed in rounds as well,
//! although it holds no barrier: all work-items then leave it at once. PoCL (3.1 to 6.0) aborts at some loops
//! that may have no iteration for a work-item, if the condition for that is known before the barrier.

use std::sync::Arc;

use crate::flat::FlatSet;
use crate::ir::kernel::visit::Visit;
use crate::ir::kernel::{Expression, Loop, Statement, Trip, Variable, Workers};
use crate::ir::nat::{Condition, Nat, Var};
use crate::ir::source::Source;

/// An iteration declares something before a barrier, needs it after it, and it cannot be declared for
/// work-items without an iteration.
pub(super) struct Unguarded {
    /// The place of the loop that would be executed in rounds.
    pub(super) source: Source,
}

impl Unguarded {
    /// The same inside of a loop, which has the place of a loop without one.
    fn inside(self, around: Source) -> Unguarded {
        if self.source == Source::UNKNOWN { Unguarded { source: around } } else { self }
    }
}

/// Executes loops with barriers in rounds; see the module documentation.
pub(super) fn in_rounds(body: Vec<Statement>) -> Result<Vec<Statement>, Unguarded> {
    body.into_iter().map(statement_in_rounds).collect()
}

fn statement_in_rounds(statement: Statement) -> Result<Statement, Unguarded> {
    match statement {
        Statement::Loop(mut repetition) => {
            let source = repetition.source;
            repetition.body = in_rounds(repetition.body).map_err(|found| found.inside(source))?;
            let waits = repetition.body.iter().any(Statement::has_barrier);
            match repetition.workers {
                Workers::Local(_) if waits && matches!(repetition.trip, Trip::AtMostOne | Trip::Any) => {
                    return loop_in_rounds(repetition);
                }
                Workers::Local(_) | Workers::Sequential if waits => {
                    repetition.body =
                        in_rounds_behind_barriers(repetition.body).map_err(|found| found.inside(source))?;
                }
                Workers::Local(_) | Workers::Sequential | Workers::WorkGroup(_) | Workers::Global(_) => {}
            }
            Ok(Statement::Loop(repetition))
        }
        Statement::If(condition, then, otherwise) => {
            Ok(Statement::If(condition, in_rounds(then)?, in_rounds(otherwise)?))
        }
        leaf => Ok(leaf),
    }
}

fn loop_in_rounds(repetition: Loop) -> Result<Statement, Unguarded> {
    let has_step = Condition::Less(Nat::variable(&repetition.index), repetition.extent.clone());
    let body = guarded(repetition.body, &has_step).map_err(|found| found.inside(repetition.source))?;
    Ok(Statement::Loop(Loop { trip: Trip::Rounds, body, ..repetition }))
}

/// The body of a loop in which loops over work-items that come after a barrier are executed in rounds.
fn in_rounds_behind_barriers(block: Vec<Statement>) -> Result<Vec<Statement>, Unguarded> {
    let mut is_behind = false;
    let in_rounds = block.into_iter().map(|statement| match statement {
        Statement::Loop(repetition)
            if is_behind
                && matches!(repetition.workers, Workers::Local(_))
                && repetition.trip == Trip::Any =>
        {
            loop_in_rounds(repetition)
        }
        other => {
            is_behind |= matches!(other, Statement::Barrier { .. });
            Ok(other)
        }
    });
    in_rounds.collect()
}

/// A block in which everything but the barriers is done only where a condition holds.
fn guarded(block: Vec<Statement>, condition: &Condition) -> Result<Vec<Statement>, Unguarded> {
    let mut result = Vec::new();
    let mut rest = block.into_iter().peekable();
    while rest.peek().is_some() {
        let mut together = Vec::new();
        while let Some(statement) = rest.next_if(|statement| !statement.has_barrier()) {
            together.push(statement);
        }
        let later: Vec<Statement> = rest.clone().collect();
        declare_outside(together, &Used::of(&later), condition, &mut result)?;
        match rest.next() {
            None => {}
            Some(barrier @ Statement::Barrier { .. }) => result.push(barrier),
            Some(Statement::Loop(mut repetition)) => {
                repetition.body = guarded(repetition.body, condition)?;
                result.push(Statement::Loop(repetition));
            }
            // Placement puts no barrier into a choice.
            Some(_) => return Err(Unguarded { source: Source::UNKNOWN }),
        }
    }
    Ok(result)
}

/// Guards statements without barriers. Declarations that later statements use are moved before the guard.
fn declare_outside(
    statements: Vec<Statement>,
    later: &Used,
    condition: &Condition,
    result: &mut Vec<Statement>,
) -> Result<(), Unguarded> {
    let mut inside = Vec::new();
    for statement in statements {
        match statement {
            Statement::DeclareBuffer(_) => result.push(statement),
            Statement::Declare(variable, value) if later.variables.contains(&variable.name) => {
                result.push(Statement::Declare(variable.clone(), None));
                inside.extend(value.map(|value| Statement::Assign(variable, value)));
            }
            Statement::DeclareValue { index, value, .. } if later.indices.contains(&index) => {
                // A work-item without an iteration computes no index from its loop index.
                let value = Nat::select(condition, &value, &Nat::zero());
                result.push(Statement::DeclareValue { index, value, bound: None });
            }
            other if later.mentions(&other) => return Err(Unguarded { source: Source::UNKNOWN }),
            other => inside.push(other),
        }
    }
    let does_something = |statement: &Statement| !matches!(statement, Statement::Comment(_));
    match inside.iter().any(does_something) {
        true => result.push(Statement::If(Expression::Condition(condition.clone()), inside, Vec::new())),
        false => result.extend(inside),
    }
    Ok(())
}

/// The variables and indices that statements use.
#[derive(Default)]
struct Used {
    variables: FlatSet<Arc<str>>,
    indices: FlatSet<Var>,
}

impl Used {
    fn of(statements: &[Statement]) -> Used {
        let mut used = Used::default();
        used.block(statements);
        used
    }

    /// Whether a statement declares any of it.
    fn mentions(&self, statement: &Statement) -> bool {
        let is_loop = matches!(statement, Statement::Loop(_));
        statement.declared_variables().iter().any(|variable| self.variables.contains(&variable.name))
            || statement.declared_index().is_some_and(|index| !is_loop && self.indices.contains(index))
    }
}

impl Visit for Used {
    fn variable(&mut self, variable: &Variable) {
        self.variables.insert(variable.name.clone());
    }

    fn nat(&mut self, nat: &Nat) {
        self.indices.extend(nat.variables());
    }

    fn condition(&mut self, condition: &Condition) {
        self.indices.extend(condition.variables());
    }
}
