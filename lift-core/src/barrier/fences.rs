//! Which memories a barrier orders.
//!
//! A barrier that is placed for accesses to one memory stands for those to others as well, as long as it orders these too: fewer
//! barriers are needed so. Where no pair of accesses needs that, it costs time for nothing: a fence of global memory waits for loads that
//! nobody else will see. Placement orders all that is pending, and this takes away, barrier by barrier, what is not needed: as
//! long as the same barriers suffice.

use super::{Context, Placement};
use crate::kernel::Statement;
use crate::typed::AddressSpace;

impl Placement<'_> {
    /// The same code, in which barriers order what they must and nothing else.
    pub(super) fn narrow_fences(&mut self, mut body: Vec<Statement>) -> Vec<Statement> {
        let mut position = 0;
        while let Some(barrier) = nth_barrier(&mut body, &mut position.clone()) {
            position += 1;
            let all = barrier.clone();
            for space in &all {
                let Some(barrier) = nth_barrier(&mut body, &mut (position - 1)) else { break };
                if barrier.len() == 1 {
                    break;
                }
                let before = barrier.clone();
                barrier.retain(|other| other != space);
                if !self.suffices(&body)
                    && let Some(barrier) = nth_barrier(&mut body, &mut (position - 1))
                {
                    *barrier = before;
                }
            }
        }
        body
    }

    /// Whether no barrier is missing.
    fn suffices(&mut self, body: &[Statement]) -> bool {
        let placed = self.block(body.to_vec(), &Context::default());
        matches!(placed, Ok((placed, _)) if barriers(&placed) == barriers(body))
    }
}

fn barriers(body: &[Statement]) -> usize {
    let here = body.iter().filter(|statement| matches!(statement, Statement::Barrier { .. })).count();
    here + body.iter().flat_map(Statement::blocks).map(barriers).sum::<usize>()
}

/// The memories that the barrier at a position orders, counted through all blocks.
fn nth_barrier<'b>(body: &'b mut [Statement], position: &mut usize) -> Option<&'b mut Vec<AddressSpace>> {
    for statement in body {
        let found = match statement {
            Statement::Barrier { spaces, .. } if *position == 0 => return Some(spaces),
            Statement::Barrier { .. } => {
                *position -= 1;
                None
            }
            Statement::Loop(repetition) => nth_barrier(&mut repetition.body, position),
            Statement::If(_, then, otherwise) => match nth_barrier(then, position) {
                Some(found) => Some(found),
                None => nth_barrier(otherwise, position),
            },
            Statement::Comment(_)
            | Statement::Declare(..)
            | Statement::DeclareBuffer(_)
            | Statement::DeclareIndex { .. }
            | Statement::DeclareWorker { .. }
            | Statement::DeclareValue { .. }
            | Statement::Assign(..)
            | Statement::Store(..)
            | Statement::CallFunction { .. } => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}
