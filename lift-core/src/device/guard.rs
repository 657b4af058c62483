//! One writer for what lies outside the parallel loops of a dimension.
//!
//! A statement outside every loop over work-items of some dimension is executed by all work-items of that
//! dimension. They compute the same value. Where they would store it in memory that they share, only the
//! first one does. Where a loop does nothing but compute what is stored, by itself or in variables, only the
//! first one executes the loop.

use std::slice;
use std::sync::Arc;

use super::launch::Sizes;
use crate::flat::FlatSet;
use crate::ir::kernel::{
    self, Buffer, BufferId, BufferRole, Expression, Loop, Order, Statement, Trip, Unrolling, Variable,
    Workers, Writes,
};
use crate::ir::names::Fresh;
use crate::ir::nat::Nat;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType};
use crate::ir::source::Source;
use crate::ir::typed::AddressSpace;

/// Lets only the groups that have something to do execute a kernel body. A body in which work-items wait for
/// each other becomes the single iteration of a loop over groups: no barrier stands in an `if` (see
/// `device::passes::unit_trip_counts`).
pub(super) fn skip_idle_groups(body: Vec<Statement>, sizes: &Sizes, fresh: &mut Fresh) -> Vec<Statement> {
    if body.iter().any(Statement::has_barrier) {
        return sizes.idle.iter().rev().fold(body, |body, workers| {
            let (index, extent, origin) = (fresh.index(&workers.name()), Nat::one(), String::new());
            let (workers, trip) = (*workers, Trip::AtMostOne);
            let (unrolling, order, source) = (Unrolling::AsItLikes, Order::Stated, Source::UNKNOWN);
            vec![Statement::Loop(Loop {
                workers,
                index,
                extent,
                trip,
                unrolling,
                order,
                origin,
                source,
                body,
            })]
        });
    }
    let busy = sizes.idle.iter().map(|workers| is_first(*workers)).reduce(and);
    match busy {
        None => body,
        Some(condition) => vec![Statement::If(condition, body, Vec::new())],
    }
}

/// A buffer with a part for every work-item that is stored where several work-items would share a part, if
/// any.
pub(super) fn shared_scratch<'b>(
    body: &[Statement],
    around: &mut Vec<Workers>,
    sizes: &Sizes,
    buffers: &'b [Buffer],
) -> Option<&'b Buffer> {
    body.iter().find_map(|statement| {
        if let Statement::Loop(repetition) = statement {
            around.push(repetition.workers);
        }
        let stored = statement.stored_buffer().and_then(|buffer| buffers.get(buffer.0));
        let stored = stored.filter(|buffer| matches!(buffer.role, BufferRole::Scratch(_))).filter(|_| {
            !redundant_items(around, sizes).is_empty() || !redundant_groups(around, sizes).is_empty()
        });
        let found = stored
            .or_else(|| statement.blocks().find_map(|block| shared_scratch(block, around, sizes, buffers)));
        if let Statement::Loop(_) = statement {
            around.pop();
        }
        found
    })
}

/// Guards every store to shared memory that more than one worker would execute.
pub(super) fn guard_stores(body: Vec<Statement>, sizes: &Sizes, buffers: &[Buffer]) -> Vec<Statement> {
    guard_block(body, &mut Vec::new(), sizes, buffers)
}

fn guard_block(
    body: Vec<Statement>,
    around: &mut Vec<Workers>,
    sizes: &Sizes,
    buffers: &[Buffer],
) -> Vec<Statement> {
    // From the end on: whether later statements need what a loop leaves in variables is known by then.
    let mut done_by_one: Vec<Vec<Workers>> = vec![Vec::new(); body.len()];
    for position in (0..body.len()).rev() {
        let redundant = done_by_first(&body, position, &done_by_one, around, sizes, buffers);
        if let Some(place) = done_by_one.get_mut(position) {
            *place = redundant;
        }
    }
    let guarded =
        body.into_iter().zip(done_by_one).map(|(statement, redundant)| match redundant.as_slice() {
            [] => guard_statement(statement, around, sizes, buffers),
            redundant => guarded(statement, redundant),
        });
    guarded.collect()
}

/// The workers that would all do the same loop or store at a position of a block: the first of them does it
/// for all. Empty where the others need what it computes. `known` is the same for the statements after it.
///
/// A whole loop is done by one worker, and not only the stores in it: the others would repeat its loads, and
/// PoCL (3.1 to 6.0) computes wrongly with a choice in a loop that it unrolls and that all work-items
/// execute.
///
/// The loop may be over work-items of another dimension. No loop inside it may be, because work-items might
/// wait for each other in it.
fn done_by_first(
    block: &[Statement],
    position: usize,
    known: &[Vec<Workers>],
    around: &[Workers],
    sizes: &Sizes,
    buffers: &[Buffer],
) -> Vec<Workers> {
    let redundant_at = |buffer: &BufferId, around: &[Workers]| match buffers.get(buffer.0).map(Buffer::space)
    {
        Some(space) => redundant_workers(space, around, sizes),
        None => Vec::new(),
    };
    let (rest, later) = block.split_at(position + 1);
    if let Some(buffer) = rest.last().and_then(Statement::stored_buffer) {
        return redundant_at(&buffer, around);
    }
    let (statement, outermost, earlier) = match (rest.last(), rest.get(..position)) {
        (Some(statement @ Statement::Loop(outermost)), Some(earlier)) => (statement, outermost, earlier),
        _ => return Vec::new(),
    };
    let has_other_workers = kernel::any(&outermost.body, &mut |statement| match statement {
        Statement::Loop(repetition) => repetition.workers != Workers::Sequential,
        Statement::Barrier { .. } => true,
        _ => false,
    });
    if has_other_workers {
        return Vec::new();
    }
    let around: Vec<Workers> = around.iter().copied().chain([outermost.workers]).collect();
    let writes = Writes::of(slice::from_ref(statement));
    let mut loads_stored =
        |part: &Expression| matches!(part, Expression::Load(buffer, ..) if writes.stored.contains(buffer));
    let reads_its_own = statement.any(&mut |statement| {
        statement.expressions().iter().any(|expression| expression.any(&mut loads_stored))
    });
    // Variables of the block that it assigns are for the statements after it, and end with the block.
    let left: FlatSet<&Arc<str>> = writes.assigned.difference(&writes.declared).collect();
    let is_of_block = |variable: &&Arc<str>| {
        earlier.iter().flat_map(Statement::declared_variables).any(|own| own.name == **variable)
    };
    if reads_its_own || !left.iter().all(is_of_block) {
        return Vec::new();
    }
    let users = later.iter().zip(known.iter().skip(position + 1));
    let users = users.filter(|(user, _)| !left.is_empty() && mentions_any(user, &left));
    let stored = writes.stored.difference(&writes.declared_buffers);
    let stored = stored.map(|buffer| redundant_at(buffer, &around));
    let mut redundant = stored.chain(users.map(|(_, workers)| workers.clone()));
    let first = redundant.next().unwrap_or_default();
    if redundant.all(|other| other == first) { first } else { Vec::new() }
}

/// Whether a statement, or one inside it, reads or assigns one of these variables.
fn mentions_any(statement: &Statement, variables: &FlatSet<&Arc<str>>) -> bool {
    let is_one = |variable: &Variable| variables.contains(&variable.name);
    let mut reads = |part: &Expression| matches!(part, Expression::Variable(variable) if is_one(variable));
    statement.any(&mut |statement| {
        matches!(statement, Statement::Assign(variable, _) if is_one(variable))
            || statement.expressions().iter().any(|expression| expression.any(&mut reads))
    })
}

fn guard_statement(
    statement: Statement,
    around: &mut Vec<Workers>,
    sizes: &Sizes,
    buffers: &[Buffer],
) -> Statement {
    match statement {
        Statement::Loop(mut repetition) => {
            around.push(repetition.workers);
            repetition.body = guard_block(repetition.body, around, sizes, buffers);
            around.pop();
            Statement::Loop(repetition)
        }
        other => other.map_blocks(|block| guard_block(block, around, sizes, buffers)),
    }
}

/// The workers that share a memory and all store the same value in it, for a store with these loops around
/// it.
fn redundant_workers(space: AddressSpace, around: &[Workers], sizes: &Sizes) -> Vec<Workers> {
    match space {
        AddressSpace::Private => Vec::new(),
        AddressSpace::Local => redundant_items(around, sizes),
        AddressSpace::Global => [redundant_groups(around, sizes), redundant_items(around, sizes)].concat(),
    }
}

/// The dimensions whose work-items of a group all execute a statement with these loops around it.
fn redundant_items(around: &[Workers], sizes: &Sizes) -> Vec<Workers> {
    let distributed = |dimension| {
        around.contains(&Workers::Local(dimension)) || around.contains(&Workers::Global(dimension))
    };
    (0..3u8)
        .filter(|dimension| sizes.has_several_items(*dimension) && !distributed(*dimension))
        .map(Workers::Local)
        .collect()
}

/// The dimensions whose groups all execute a statement with these loops around it.
fn redundant_groups(around: &[Workers], sizes: &Sizes) -> Vec<Workers> {
    let distributed = |dimension| {
        around.contains(&Workers::WorkGroup(dimension)) || around.contains(&Workers::Global(dimension))
    };
    (0..3u8)
        .filter(|dimension| sizes.has_several_groups(*dimension) && !distributed(*dimension))
        .map(Workers::WorkGroup)
        .collect()
}

/// A statement that only the first of these workers executes.
fn guarded(statement: Statement, redundant: &[Workers]) -> Statement {
    let first = redundant.iter().map(|workers| is_first(*workers)).reduce(and);
    match first {
        None => statement,
        Some(condition) => Statement::If(condition, vec![statement], Vec::new()),
    }
}

/// The conjunction of two conditions.
fn and(left: Expression, right: Expression) -> Expression {
    Expression::Binary(BinaryOperator::And, Box::new(left), Box::new(right))
}

/// Whether the worker is the first of its kind.
fn is_first(workers: Workers) -> Expression {
    let zero = Expression::Literal(Literal::Integer(0), ScalarType::I32);
    Expression::Binary(BinaryOperator::Equal, Box::new(Expression::WorkerId(workers)), Box::new(zero))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_without_redundant_workers_stays_as_it_is() {
        let store = Statement::Store(
            crate::ir::kernel::BufferId(0),
            Nat::zero(),
            Expression::Literal(Literal::Integer(1), ScalarType::I32),
        );
        assert_eq!(guarded(store.clone(), &[]), store);
    }
}
