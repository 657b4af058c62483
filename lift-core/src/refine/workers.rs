//! Loops over workers in which everybody has one step, or at most one, become straight code (CGO 2017, section 5.5).
//!
//! All such loops over one kind of worker are about the same step: the worker's own number. It is declared once, at the top, so that
//! what several maps do with it is seen to concern the same element. Comes after barrier placement, which needs to know
//! which code stands in a loop over work-items.

use std::collections::BTreeMap;

use crate::kernel::rewrite::Rewrite;
use crate::kernel::{Expression, Loop, Statement, Trip, Workers};
use crate::nat::{Condition, Nat, Substitution, Var};

/// The numbers of workers are below these; nothing is known of workers without a bound.
pub(crate) type WorkerBounds = BTreeMap<Workers, Nat>;

/// Replaces loops of one step; see the module documentation.
pub(crate) fn straighten(body: Vec<Statement>, bounds: &WorkerBounds) -> Vec<Statement> {
    let mut numbers = BTreeMap::new();
    collect_numbers(&body, &mut numbers);
    let mut straight = Straighten { numbers: &numbers, substitution: Substitution::new() };
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

/// The variable of the first loop of one step over every kind of workers.
fn collect_numbers(body: &[Statement], numbers: &mut BTreeMap<Workers, Var>) {
    for statement in body {
        if let Statement::Loop(repetition) = statement
            && has_one_step(repetition)
        {
            numbers.entry(repetition.workers).or_insert_with(|| repetition.index.clone());
        }
        statement.blocks().into_iter().for_each(|block| collect_numbers(block, numbers));
    }
}

fn has_one_step(repetition: &Loop) -> bool {
    repetition.workers != Workers::Sequential && matches!(repetition.trip, Trip::One | Trip::AtMostOne)
}

struct Straighten<'n> {
    numbers: &'n BTreeMap<Workers, Var>,
    substitution: Substitution,
}

impl Straighten<'_> {
    fn straight_block(&mut self, block: &[Statement]) -> Vec<Statement> {
        block.iter().flat_map(|statement| self.straight(statement)).collect()
    }

    fn straight(&mut self, statement: &Statement) -> Vec<Statement> {
        let Statement::Loop(repetition) = statement else { return vec![self.statement(statement)] };
        let Some(number) = self.numbers.get(&repetition.workers).filter(|_| has_one_step(repetition)) else {
            return vec![self.statement(statement)];
        };
        let number = Nat::variable(number);
        let mut straight = Vec::new();
        if !repetition.origin.is_empty() {
            straight.push(Statement::Comment(repetition.origin.clone()));
        }
        let extent = self.nat(&repetition.extent);
        self.substitution.insert(repetition.index.clone(), number.clone());
        let body = self.straight_block(&repetition.body);
        self.substitution.remove(&repetition.index);
        match repetition.trip {
            Trip::AtMostOne => {
                let has_step = Expression::Condition(Condition::Less(number, extent));
                straight.push(Statement::If(has_step, body, Vec::new()));
            }
            Trip::One | Trip::Any | Trip::AnyUniform => straight.extend(body),
        }
        straight
    }
}

impl Rewrite for Straighten<'_> {
    fn nat(&mut self, nat: &Nat) -> Nat {
        nat.substitute(&self.substitution)
    }

    fn condition(&mut self, condition: &Condition) -> Expression {
        Expression::Condition(condition.substitute(&self.substitution))
    }

    fn block(&mut self, block: &[Statement]) -> Vec<Statement> {
        self.straight_block(block)
    }
}
