//! Index-set splitting: the interior apart from the border.
//!
//! Reading beyond an edge takes a minimum, a maximum or a choice in the index of every load, and keeps
//! neighbours from being loaded as a vector. Groups in the middle need none of that. So code whose indices
//! compare exists twice, and a condition on the numbers of the work-group or work-item chooses the copy to
//! execute. The first copy knows that the condition holds, and its indices are simplified with it
//! ([`crate::ir::nat::interior`]). Halide calls this loop partitioning (Ragan-Kelley et al., PLDI 2013).
//! Stencil compilers generate interior and border apart (Hagedorn et al., CGO 2018, leave it to the OpenCL
//! compiler).
//!
//! Three things must hold. Both copies do the same where both may be executed. A copy has its own variables
//! and arrays. Barriers stay outside, so that nothing depends on the condition being the same for a group.
//! Only small code is duplicated: a part of a kernel that would be too large is searched for smaller ones,
//! and no private array loses its registers for it.

mod simplified;

use simplified::Simplified;

use super::context::Resources;
use super::copy::copied;
use super::scalar_replacement::WrittenOut;
use crate::ir::kernel::comparisons::{
    ask_for_comparisons, comparisons, decides_a_comparison, declare_inside, has_compared_vector, has_question,
};
use crate::ir::kernel::fold::Fold;
use crate::ir::kernel::{Expression, Mention, Statement, Workers, mentions};
use crate::ir::nat::interior::Interior;
use crate::ir::nat::{Condition, Ranges, Var};

/// The largest number of statements, once loops are written out, that are duplicated.
const MOST_COPIED: u64 = 250;

/// Code with fewer comparisons per work-item is not worth a second copy, unless a vector is then loaded at
/// once. The choice may keep an OpenCL compiler from optimising the loop over work-items, which costs more
/// than the comparisons: PoCL's loops stay scalar.
const ENOUGH_SAVED: u64 = 32;

/// Two parts are treated together if at most this many statements without comparisons stand between them.
const SMALL_GAP: u64 = 16;

/// Splits the interior from the border; see the module documentation.
pub(crate) fn split_index_sets(
    body: Vec<Statement>,
    ranges: &Ranges,
    resources: Resources<'_>,
) -> Vec<Statement> {
    if !can_pay(&body) {
        return body;
    }
    let written_out = WrittenOut::of(&body, resources.buffers);
    let known_buffers = resources.buffers.len();
    let mut partition =
        Partition { written_out: &written_out, resources, outer: Vec::new(), inner: Vec::new() };
    let partitioned = partition.block(body.clone(), ranges);
    // Copies count towards the length of a kernel, which bounds what is kept in registers.
    let buffers = partition.resources.buffers;
    if written_out.is_kept_in(&partitioned, buffers) {
        partitioned
    } else {
        buffers.truncate(known_buffers);
        body
    }
}

struct Partition<'p> {
    written_out: &'p WrittenOut,
    resources: Resources<'p>,
    /// The numbers of groups and of global work-items that are known here.
    outer: Vec<Var>,
    /// The numbers of the work-items of a group, and the indices of the loops around.
    inner: Vec<Var>,
}

/// A statement, with what is known before it.
struct Part {
    statement: Statement,
    ranges: Ranges,
    /// Whether it contains comparisons that the interior decides.
    is_decidable: bool,
}

impl Partition<'_> {
    fn block(&mut self, block: Vec<Statement>, ranges: &Ranges) -> Vec<Statement> {
        if !can_pay(&block) {
            return block;
        }
        let (outer, inner) = (self.outer.len(), self.inner.len());
        let mut known = ranges.clone();
        let mut parts = Vec::new();
        for statement in block {
            let ranges = known.clone();
            known.learn(&statement);
            match &statement {
                Statement::DeclareWorker {
                    index,
                    workers: Workers::WorkGroup(_) | Workers::Global(_),
                    ..
                } => {
                    self.outer.push(index.clone());
                }
                Statement::DeclareWorker { index, .. } => self.inner.push(index.clone()),
                _ => {}
            }
            // A declaration for later statements cannot be duplicated.
            let is_candidate = can_be_copied(&statement) || !statement.is_leaf();
            let is_decidable = is_candidate && self.is_decidable(&statement, &ranges);
            parts.push(Part { statement, ranges, is_decidable });
        }
        let partitioned = self.parts(parts);
        self.outer.truncate(outer);
        self.inner.truncate(inner);
        partitioned
    }

    fn parts(&mut self, mut parts: Vec<Part>) -> Vec<Statement> {
        let mut partitioned = Vec::new();
        while let Some(first) = parts.iter().position(|part| part.is_decidable) {
            let length = self.run(parts.get(first..).unwrap_or_default());
            let after = parts.split_off(first + length);
            let run = parts.split_off(first);
            partitioned.extend(parts.into_iter().map(|part| part.statement));
            partitioned.extend(self.apart(run, &after));
            parts = after;
        }
        partitioned.extend(parts.into_iter().map(|part| part.statement));
        partitioned
    }

    /// The number of these parts that are treated together: up to the last decidable one that is not far from
    /// the one before.
    fn run(&self, parts: &[Part]) -> usize {
        let (mut length, mut gap) = (1, 0);
        for (position, part) in parts.iter().enumerate().skip(1) {
            if !can_be_copied(&part.statement) || self.is_frame(&part.statement) {
                break;
            }
            if part.is_decidable {
                (length, gap) = (position + 1, 0);
            } else {
                gap += self.written_out.statements(std::slice::from_ref(&part.statement));
            }
            if gap > SMALL_GAP {
                break;
            }
        }
        length
    }

    /// Splits statements into interior and border; `after` are the statements that follow them.
    fn apart(&mut self, run: Vec<Part>, after: &[Part]) -> Vec<Statement> {
        let Some(ranges) = run.first().map(|part| part.ranges.clone()) else { return Vec::new() };
        let is_inside = |part: &Part| part.statement.has_barrier() || self.is_frame(&part.statement);
        let statements: Vec<Statement> = run.iter().map(|part| part.statement.clone()).collect();
        let is_too_large = self.written_out.statements(&statements) > MOST_COPIED;
        if is_too_large || run.iter().any(is_inside) {
            return run.into_iter().map(|part| self.inside(part)).collect();
        }
        match self.condition(&statements, &ranges) {
            Some(condition) => self.both(statements, condition, after, &ranges),
            None => statements,
        }
    }

    /// Splits the blocks of a statement into interior and border.
    fn inside(&mut self, part: Part) -> Statement {
        let Part { statement, ranges, .. } = part;
        match statement {
            Statement::Loop(mut repetition) => {
                let ranges = ranges.in_loop(&repetition);
                let around = match repetition.workers {
                    Workers::WorkGroup(_) | Workers::Global(_) => &mut self.outer,
                    Workers::Local(_) | Workers::Sequential => &mut self.inner,
                };
                around.push(repetition.index.clone());
                repetition.body = self.block(repetition.body, &ranges);
                match repetition.workers {
                    Workers::WorkGroup(_) | Workers::Global(_) => self.outer.pop(),
                    Workers::Local(_) | Workers::Sequential => self.inner.pop(),
                };
                Statement::Loop(repetition)
            }
            Statement::If(condition, then, otherwise) => {
                let otherwise = self.block(otherwise, &ranges);
                let then = self.block(then, &ranges.where_holds(&condition));
                Statement::If(condition, then, otherwise)
            }
            leaf => leaf,
        }
    }

    /// What `ask` finds out of the interior of these statements; `None` where they compare nothing.
    fn interior<Found>(
        &self,
        statements: &[Statement],
        ranges: &Ranges,
        ask: impl FnOnce(&mut Interior<'_>) -> Found,
    ) -> Option<Found> {
        if !statements.iter().any(has_question) {
            return None;
        }
        let (mut ranges, mut inner) = (ranges.clone(), self.inner.clone());
        declare_inside(statements, &mut ranges, &mut inner);
        Some(ask(&mut Interior::new(&self.outer, &inner, &ranges)))
    }

    /// Whether the interior of a statement decides a comparison in it.
    fn is_decidable(&self, statement: &Statement, ranges: &Ranges) -> bool {
        let own = std::slice::from_ref(statement);
        self.interior(own, ranges, |interior| decides_a_comparison(own, interior)) == Some(true)
    }

    /// The condition under which these statements are in the interior; `None` where it decides nothing about
    /// them.
    fn condition(&self, statements: &[Statement], ranges: &Ranges) -> Option<Condition> {
        let ask = |interior: &mut Interior<'_>| {
            ask_for_comparisons(statements, interior);
            interior.condition()
        };
        self.interior(statements, ranges, ask).flatten()
    }

    /// Whether a statement only determines who executes what is in it.
    fn is_frame(&self, statement: &Statement) -> bool {
        match statement {
            Statement::Loop(repetition) => {
                matches!(repetition.workers, Workers::WorkGroup(_) | Workers::Global(_))
            }
            // A worker's number compared with a trip count.
            Statement::If(Expression::Condition(Condition::Less(number, _)), _, otherwise) => {
                let workers = || self.outer.iter().chain(&self.inner);
                otherwise.is_empty()
                    && number.as_variable().is_some_and(|var| workers().any(|worker| worker == var))
            }
            Statement::If(condition, _, _) => !matches!(condition, Expression::Condition(_)),
            // Other statements hold nothing.
            _ => false,
        }
    }

    /// Returns statements for the interior and for the border, or the statements as they are where that does
    /// not pay; `after` are the statements that follow them.
    fn both(
        &mut self,
        statements: Vec<Statement>,
        condition: Condition,
        after: &[Part],
        ranges: &Ranges,
    ) -> Vec<Statement> {
        let condition = ranges.simplify_condition(&condition);
        if condition.as_constant().is_some() {
            return statements;
        }
        let known = ranges.with_assumed(&condition);
        let mut simplified = Simplified::new(known);
        let interior = simplified.block(&statements);
        let saved = comparisons(&statements).saturating_sub(comparisons(&interior));
        if simplified.vectors() == 0 && saved < ENOUGH_SAVED {
            return statements;
        }
        let (mut declared, mut inside) = (Vec::new(), Vec::new());
        for statement in statements {
            declare_before(after, statement, &mut declared, &mut inside);
        }
        let (mut same, mut middle) = (Vec::new(), Vec::new());
        for statement in interior {
            declare_before(after, statement, &mut same, &mut middle);
        }
        let border = copied(&inside, &mut self.resources);
        declared.push(Statement::If(Expression::Condition(condition), middle, border));
        declared
    }
}

/// Splits a statement into declarations that later statements use, which come before the choice, and what is
/// done in its branches.
fn declare_before(
    after: &[Part],
    statement: Statement,
    before: &mut Vec<Statement>,
    inside: &mut Vec<Statement>,
) {
    match statement {
        Statement::DeclareBuffer(id)
            if is_used(after, |used| matches!(used, Mention::Buffer(buffer) if buffer == id)) =>
        {
            before.push(statement);
        }
        Statement::Declare(variable, value) if is_used(after, |used| used.is_named(&variable.name)) => {
            before.push(Statement::Declare(variable.clone(), None));
            inside.extend(value.map(|value| Statement::Assign(variable, value)));
        }
        other => inside.push(other),
    }
}

/// Whether a mention in these statements is wanted.
fn is_used(statements: &[Part], is_wanted: impl Fn(Mention<'_>) -> bool) -> bool {
    statements.iter().any(|part| mentions(std::slice::from_ref(&part.statement), &is_wanted))
}

/// A quick estimate of whether splitting may save enough.
fn can_pay(statements: &[Statement]) -> bool {
    statements.iter().any(has_question)
        && (has_compared_vector(statements) || comparisons(statements) >= ENOUGH_SAVED)
}

/// Whether a statement may be duplicated: its declarations for later statements can be moved before the
/// choice.
fn can_be_copied(statement: &Statement) -> bool {
    match statement {
        Statement::Barrier { .. }
        | Statement::DeclareIndex { .. }
        | Statement::DeclareWorker { .. }
        | Statement::DeclareValue { .. }
        | Statement::CallFunction { .. }
        | Statement::BreakUnless(_) => false,
        Statement::Comment(_)
        | Statement::Declare(..)
        | Statement::DeclareBuffer(_)
        | Statement::Assign(..)
        | Statement::Store(..)
        | Statement::Update { .. } => true,
        Statement::Loop(_) | Statement::If(..) => !statement.has_barrier(),
    }
}
