//! Variables that only carry a value to another variable vanish.
//!
//! The next value of an accumulator with several elements is computed beside its last value and then copied,
//! because an iteration may read any of its elements. Where no element is read after its next value is known,
//! the next value can be the element at once. This is the classic coalescing of copies, on variables with one
//! declaration each. The pass also joins a declaration with the first assignment, as a person writes it.

use std::sync::Arc;

use crate::flat::FlatMap;
use crate::ir::kernel::fold::Fold;
use crate::ir::kernel::{Expression, Statement, Variable};

/// Removes copies between variables; see the module documentation.
pub(crate) fn coalesce_copies(body: Vec<Statement>) -> Vec<Statement> {
    let body: Vec<Statement> =
        body.into_iter().map(|statement| statement.map_blocks(coalesce_copies)).collect();
    if !body.iter().any(may_vanish) {
        return body;
    }
    let mut block = Block::new(body);
    block.join_declarations();
    block.coalesce();
    block.finish()
}

/// Whether a statement may be joined with another one of its block, or vanish. Most blocks have none that may.
fn may_vanish(statement: &Statement) -> bool {
    let mut is_decided = |part: &Expression| match part {
        Expression::Select(condition, ..) => condition.as_truth().is_some(),
        _ => false,
    };
    match statement {
        Statement::Declare(_, None) | Statement::Assign(_, Expression::Variable(_)) => true,
        Statement::If(condition, ..) if condition.as_truth().is_some() => true,
        _ => statement.expressions().iter().any(|expression| expression.any(&mut is_decided)),
    }
}

/// A block in which statements are removed, and where its variables occur.
struct Block {
    /// `None` where a statement was removed.
    statements: Vec<Option<Statement>>,
    /// The positions of the statements in which a variable occurs, in order.
    occurrences: FlatMap<Arc<str>, Vec<usize>>,
    /// The variables that replace those that vanished.
    renamed: FlatMap<Arc<str>, Variable>,
}

impl Block {
    fn new(statements: Vec<Statement>) -> Block {
        let mut occurrences: FlatMap<Arc<str>, Vec<usize>> = FlatMap::new();
        for (position, statement) in statements.iter().enumerate() {
            for_each_mentioned(statement, &mut |name| match occurrences.get_mut(name) {
                Some(positions) if positions.last() == Some(&position) => {}
                Some(positions) => positions.push(position),
                None => {
                    occurrences.insert(name.clone(), vec![position]);
                }
            });
        }
        Block { statements: statements.into_iter().map(Some).collect(), occurrences, renamed: FlatMap::new() }
    }

    /// `float x; … x = value;` becomes `… float x = value;` where nothing in between mentions `x`.
    fn join_declarations(&mut self) {
        for position in 0..self.statements.len() {
            let Some(Some(Statement::Declare(variable, None))) = self.statements.get(position) else {
                continue;
            };
            let Some(first) = self.next_occurrence(&variable.name, position) else { continue };
            let Some(Some(Statement::Assign(assigned, value))) = self.statements.get(first) else { continue };
            if assigned != variable || mentions(value, &variable.name) {
                continue;
            }
            let name = variable.name.clone();
            if let Some(Some(Statement::Assign(assigned, value))) = self.take(first) {
                self.replace(first, Some(Statement::Declare(assigned, Some(value))));
            }
            self.replace(position, None);
            self.forget(&name, position);
        }
    }

    /// Removes `target = x;` where `x` could have been `target` from its declaration on. Later copies come
    /// first: a declaration may turn into a copy itself.
    fn coalesce(&mut self) {
        for position in (0..self.statements.len()).rev() {
            let Some(Some(Statement::Assign(target, Expression::Variable(carrier)))) =
                self.statements.get(position)
            else {
                continue;
            };
            let (target, carrier) = (self.current(target), self.current(carrier));
            if target == carrier {
                self.remove_copy(position, &carrier.name);
                continue;
            }
            let Some(declared) = self.carries(&carrier, &target, position) else { continue };
            self.remove_copy(position, &carrier.name);
            self.become_target(&carrier, &target, declared);
        }
    }

    /// The position of the declaration of a variable whose only purpose, up to this copy, is to be copied.
    fn carries(&self, carrier: &Variable, target: &Variable, copy: usize) -> Option<usize> {
        let occurrences = self.occurrences.get(&carrier.name)?;
        let (declared, last) = (*occurrences.first()?, *occurrences.last()?);
        let Some(Some(Statement::Declare(variable, Some(_)))) = self.statements.get(declared) else {
            return None;
        };
        let is_carrier = self.current(variable) == *carrier && variable.name == carrier.name;
        let target_between = self.occurrences.get(&target.name).is_some_and(|positions| {
            positions.iter().any(|position| (declared + 1..copy).contains(position))
        });
        // Where the loop ends in between, the target keeps its value.
        let ends_between = self.statements.get(declared + 1..copy)?.iter().flatten().any(ends_loop);
        let fits = is_carrier && last == copy && carrier.ty == target.ty;
        (fits && !target_between && !ends_between).then_some(declared)
    }

    fn become_target(&mut self, carrier: &Variable, target: &Variable, declared: usize) {
        if let Some(Some(Statement::Declare(_, Some(value)))) = self.take(declared) {
            self.replace(declared, Some(Statement::Assign(target.clone(), value)));
        }
        let positions = self.occurrences.remove(&carrier.name).unwrap_or_default();
        let of_target = self.occurrences.get_or_default(target.name.clone());
        for position in positions {
            if let Err(place) = of_target.binary_search(&position) {
                of_target.insert(place, position);
            }
        }
        self.renamed.insert(carrier.name.clone(), target.clone());
    }

    fn remove_copy(&mut self, position: usize, carrier: &str) {
        self.replace(position, None);
        self.forget(carrier, position);
    }

    /// Notes that a variable does not occur at a position any more.
    fn forget(&mut self, name: &str, position: usize) {
        if let Some(occurrences) = self.occurrences.get_mut(name)
            && let Ok(place) = occurrences.binary_search(&position)
        {
            occurrences.remove(place);
        }
    }

    fn take(&mut self, position: usize) -> Option<Option<Statement>> {
        self.statements.get_mut(position).map(Option::take)
    }

    fn replace(&mut self, position: usize, statement: Option<Statement>) {
        if let Some(place) = self.statements.get_mut(position) {
            *place = statement;
        }
    }

    fn next_occurrence(&self, name: &str, after: usize) -> Option<usize> {
        self.occurrences.get(name)?.iter().copied().find(|position| *position > after)
    }

    /// The current name of a variable.
    fn current(&self, variable: &Variable) -> Variable {
        let mut current = variable;
        while let Some(next) = self.renamed.get(&current.name) {
            current = next;
        }
        current.clone()
    }

    fn finish(self) -> Vec<Statement> {
        let mut renaming = Renaming { block: &self };
        let mut kept: Vec<Statement> = Vec::new();
        let mut anything_removed = false;
        for statement in &self.statements {
            let renamed =
                statement.as_ref().map(|statement| renaming.statement(statement)).unwrap_or_default();
            if renamed.is_empty() || renamed.iter().all(is_idle) {
                anything_removed = true;
                continue;
            }
            if matches!(statement, Some(Statement::Comment(_))) {
                drop_comment(&mut kept, anything_removed);
            }
            anything_removed = false;
            kept.extend(renamed);
        }
        drop_comment(&mut kept, anything_removed);
        kept
    }
}

/// Drops a comment at the end about statements that were removed.
fn drop_comment(kept: &mut Vec<Statement>, anything_removed: bool) {
    if anything_removed && matches!(kept.last(), Some(Statement::Comment(_))) {
        kept.pop();
    }
}

/// Whether the loop around a statement may end with it.
pub(super) fn ends_loop(statement: &Statement) -> bool {
    matches!(statement, Statement::BreakUnless(_))
}

/// `x = x;`
pub(super) fn is_idle(statement: &Statement) -> bool {
    matches!(statement, Statement::Assign(target, Expression::Variable(value)) if target == value)
}

fn mentions(expression: &Expression, name: &str) -> bool {
    expression.any(&mut |part| matches!(part, Expression::Variable(variable) if *variable.name == *name))
}

/// Visits the names of the variables in a statement, some of them more than once.
fn for_each_mentioned(statement: &Statement, see: &mut impl FnMut(&Arc<str>)) {
    statement.any(&mut |statement| {
        statement.declared_variables().iter().for_each(|variable| see(&variable.name));
        if let Statement::Assign(variable, _) = statement {
            see(&variable.name);
        }
        for expression in statement.expressions() {
            expression.any(&mut |part| {
                if let Expression::Variable(variable) = part {
                    see(&variable.name);
                }
                false
            });
        }
        false
    });
}

/// Gives variables their final names.
struct Renaming<'b> {
    block: &'b Block,
}

impl Fold for Renaming<'_> {
    fn variable(&mut self, variable: &Variable) -> Variable {
        self.block.current(variable)
    }
}
