//! One writer for what lies outside the parallel loops of a dimension.
//!
//! A statement outside every loop over work-items of some dimension is executed by all work-items of that dimension.
//! They compute the same value; where they would store it in memory that they share, only the first one does.

use super::launch::Sizes;
use crate::kernel::{Buffer, BufferRole, Expression, Statement, Workers};
use crate::scalar::{BinaryOperator, Literal, ScalarType};
use crate::typed::AddressSpace;

/// Lets only the groups that have something to do execute a kernel body, its barriers included.
pub(super) fn skip_idle_groups(body: Vec<Statement>, sizes: &Sizes) -> Vec<Statement> {
    let busy = sizes.idle.iter().map(|workers| is_first(*workers)).reduce(and);
    match busy {
        None => body,
        Some(condition) => vec![Statement::If(condition, body, Vec::new())],
    }
}

/// The buffer of which every work-item has a part of its own, but which is stored where several work-items are the same
/// one: they would share a part.
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
        let stored = match statement {
            Statement::Store(buffer, ..) => buffers
                .get(buffer.0)
                .filter(|buffer| matches!(buffer.role, BufferRole::Scratch(_)))
                .filter(|_| {
                    !redundant_items(around, sizes).is_empty() || !redundant_groups(around, sizes).is_empty()
                }),
            _ => None,
        };
        let found = stored.or_else(|| {
            statement.blocks().into_iter().find_map(|block| shared_scratch(block, around, sizes, buffers))
        });
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
    body.into_iter().map(|statement| guard_statement(statement, around, sizes, buffers)).collect()
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
        Statement::Store(buffer, ..) => match buffers.get(buffer.0).map(Buffer::space) {
            Some(AddressSpace::Local) => guard_store(statement, &redundant_items(around, sizes)),
            Some(AddressSpace::Global) => {
                let mut redundant = redundant_groups(around, sizes);
                redundant.extend(redundant_items(around, sizes));
                guard_store(statement, &redundant)
            }
            Some(AddressSpace::Private) | None => statement,
        },
        other => other.map_blocks(|block| guard_block(block, around, sizes, buffers)),
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

fn guard_store(store: Statement, redundant: &[Workers]) -> Statement {
    let first = redundant.iter().map(|workers| is_first(*workers)).reduce(and);
    match first {
        None => store,
        Some(condition) => Statement::If(condition, vec![store], Vec::new()),
    }
}

/// Both hold.
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
    use crate::nat::Nat;

    #[test]
    fn a_store_without_redundant_workers_stays_as_it_is() {
        let store = Statement::Store(
            crate::kernel::BufferId(0),
            Nat::zero(),
            Expression::Literal(Literal::Integer(1), ScalarType::I32),
        );
        assert_eq!(guard_store(store.clone(), &[]), store);
    }
}
