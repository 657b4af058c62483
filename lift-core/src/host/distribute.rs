//! The statements of a body, distributed over the lanes of a strip (loop distribution, with scalar expansion
//! for values that live longer than one loop over the lanes).
//!
//! Precondition: the lanes do not depend on each other (the caller knows), and each lane executes its
//! statements in order.

use super::accumulators::Rows;
use super::task::{LaneOfLeast, LaneTask, Strip};
use crate::flat::FlatSet;
use crate::ir::kernel::accesses::computed_indices;
use crate::ir::kernel::fold::Fold;
use crate::ir::kernel::{Buffer, Expression, Loop, Statement, Uses, Variable, Writes};
use crate::ir::names::Fresh;
use crate::ir::nat::{Condition, Direction, Nat, Ranges, Substitution, Var, direction};

/// The statements of a body, distributed over the lanes.
pub(super) fn distribute(
    body: &[Statement],
    index: &Var,
    buffers: &[Buffer],
    ranges: &Ranges,
    fresh: &mut Fresh,
) -> Strip {
    let computed = computed_indices(body);
    let rows = Rows::of(body, index);
    let tasks = Distribution { index, computed, rows, fresh }.block(body, ranges);
    let mut groups = Vec::new();
    collect_groups(&tasks, &mut groups);
    let declared: Vec<Declared> = groups.iter().map(|group| Declared::of(group)).collect();
    let used: Vec<Uses> = groups.iter().map(|group| Uses::of(group)).collect();
    let mut strip =
        Strip { variables: Vec::new(), indices: Vec::new(), memories: Vec::new(), tasks: Vec::new() };
    for (position, declared) in declared.into_iter().enumerate() {
        let elsewhere =
            || used.iter().enumerate().filter(move |(other, _)| *other != position).map(|(_, used)| used);
        // The remaining iterations of some lanes declare the variables of their loop again.
        let reads = |used: &Uses, v: &Variable| {
            used.scalars.contains(&v.name) && !used.writes.declared.contains(&v.name)
        };
        let counts = |used: &Uses, index: &Var| used.sizes.contains(index) && !used.indices.contains(index);
        let variables = declared.variables.into_iter();
        strip.variables.extend(variables.filter(|variable| elsewhere().any(|used| reads(used, variable))));
        let indices = declared.indices.into_iter();
        strip.indices.extend(indices.filter(|index| elsewhere().any(|used| counts(used, index))));
    }
    strip.memories =
        Writes::of(body).declared_buffers.into_iter().filter(|id| id.0 < buffers.len()).collect();
    strip.tasks = without_memories(tasks);
    strip
}

struct Distribution<'a> {
    index: &'a Var,
    /// The indices that each lane computes from data for itself.
    computed: FlatSet<Var>,
    /// The loops that each lane executes on its own, in vectors of its own.
    rows: Rows<'a>,
    fresh: &'a mut Fresh,
}

impl Distribution<'_> {
    fn block(&mut self, body: &[Statement], ranges: &Ranges) -> Vec<LaneTask> {
        let mut tasks = Vec::new();
        let mut group = Vec::new();
        for statement in body {
            let distributed = match statement {
                Statement::Comment(_) => continue,
                Statement::Loop(repetition) => self.repetition(repetition, ranges),
                Statement::If(condition, then, otherwise) if self.is_uniform(condition) => {
                    Some(vec![LaneTask::If(
                        condition.clone(),
                        self.block(then, ranges),
                        self.block(otherwise, ranges),
                    )])
                }
                // Every other statement is done by each lane for itself.
                _ => None,
            };
            match distributed {
                None => group.push(statement.clone()),
                Some(more) => {
                    if !group.is_empty() {
                        tasks.push(LaneTask::Lanes(std::mem::take(&mut group)));
                    }
                    tasks.extend(more);
                }
            }
        }
        if !group.is_empty() {
            tasks.push(LaneTask::Lanes(group));
        }
        tasks
    }

    /// A loop outside of the loop over lanes: as many iterations as all lanes have, then what is left for
    /// some lanes. `None` where each lane has to count for itself, or has vectors of its own.
    fn repetition(&mut self, repetition: &Loop, ranges: &Ranges) -> Option<Vec<LaneTask>> {
        let Loop { index, extent, origin, body, .. } = repetition;
        // In the interior, a loop that is only for borders has no iterations left.
        if extent.as_constant() == Some(0) {
            return Some(Vec::new());
        }
        if self.rows.contain(repetition) || repetition.may_end_early() {
            return None;
        }
        if self.computed.iter().any(|computed| extent.mentions(computed)) {
            return None;
        }
        let inside = ranges.in_loop(repetition);
        let repeated = |distribution: &mut Self, extent: Nat| LaneTask::For {
            index: index.clone(),
            extent,
            origin: origin.clone(),
            body: distribution.block(body, &inside),
        };
        if !extent.mentions(self.index) {
            return Some(vec![repeated(self, extent.clone())]);
        }
        let lane = match direction(extent, self.index, ranges)? {
            Direction::Constant | Direction::Growing => LaneOfLeast::First,
            Direction::Shrinking => LaneOfLeast::Last,
        };
        let least = self.fresh.index(&format!("least_{}", index.name()));
        let count = Nat::variable(&least);
        let shifted = Nat::variable(index) + &count;
        let body = Substitute { index, value: &shifted }.block(body);
        let left = extent - &count;
        let rest = Loop { extent: left.clone(), body, ..repetition.clone() };
        Some(vec![
            LaneTask::Least { least, extent: extent.clone(), lane },
            repeated(self, count),
            LaneTask::Rest { left, lane, statements: vec![Statement::Loop(rest)] },
        ])
    }

    /// Whether a condition is uniform, the same for all lanes: a comparison of indices outside the strip.
    fn is_uniform(&self, condition: &Expression) -> bool {
        match condition {
            Expression::Condition(condition) => {
                !condition.mentions(self.index)
                    && !self.computed.iter().any(|index| condition.mentions(index))
            }
            Expression::Binary(_, left, right) => self.is_uniform(left) && self.is_uniform(right),
            Expression::Unary(_, operand) => self.is_uniform(operand),
            Expression::Literal(..) => true,
            _ => false,
        }
    }
}

/// Replaces an index by an expression.
pub(super) struct Substitute<'a> {
    pub(super) index: &'a Var,
    pub(super) value: &'a Nat,
}

impl Substitute<'_> {
    fn substitution(&self) -> Substitution {
        Substitution::from([(self.index.clone(), self.value.clone())])
    }
}

impl Fold for Substitute<'_> {
    fn nat(&mut self, nat: &Nat) -> Nat {
        nat.substitute(&self.substitution())
    }

    fn condition(&mut self, condition: &Condition) -> Expression {
        Expression::Condition(condition.substitute(&self.substitution()))
    }
}

fn collect_groups<'s>(tasks: &'s [LaneTask], groups: &mut Vec<&'s [Statement]>) {
    for task in tasks {
        match task {
            LaneTask::Lanes(group) | LaneTask::Rest { statements: group, .. } => groups.push(group),
            LaneTask::Least { .. } => {}
            LaneTask::For { body, .. } => collect_groups(body, groups),
            LaneTask::If(_, then, otherwise) => {
                collect_groups(then, groups);
                collect_groups(otherwise, groups);
            }
        }
    }
}

/// Removes declarations of private arrays: these are declared once for the strip.
fn without_memories(tasks: Vec<LaneTask>) -> Vec<LaneTask> {
    let tasks = tasks.into_iter().map(|task| match task {
        LaneTask::Lanes(group) => LaneTask::Lanes(
            group.into_iter().filter(|statement| !matches!(statement, Statement::DeclareBuffer(_))).collect(),
        ),
        LaneTask::For { index, extent, origin, body } => {
            LaneTask::For { index, extent, origin, body: without_memories(body) }
        }
        LaneTask::If(condition, then, otherwise) => {
            LaneTask::If(condition, without_memories(then), without_memories(otherwise))
        }
        LaneTask::Least { .. } | LaneTask::Rest { .. } => task,
    });
    tasks.filter(|task| !matches!(task, LaneTask::Lanes(group) if group.is_empty())).collect()
}

/// What statements declare for the statements after them.
#[derive(Default)]
struct Declared {
    variables: Vec<Variable>,
    indices: Vec<Var>,
}

impl Declared {
    fn of(statements: &[Statement]) -> Declared {
        let mut declared = Declared::default();
        // Declarations in a block are not visible outside of it.
        for statement in statements {
            declared.variables.extend(statement.declared_variables().iter().cloned());
            if let Statement::DeclareIndex { index, .. } | Statement::DeclareValue { index, .. } = statement {
                declared.indices.push(index.clone());
            }
        }
        declared
    }
}
