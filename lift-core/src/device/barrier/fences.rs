//! Which memories a barrier orders.
//!
//! A barrier that is placed for accesses to one memory stands for those to others as well, as long as it orders these too: fewer
//! barriers are needed so. Where no pair of accesses needs that, it costs time for nothing: a fence of global memory waits for loads that
//! nobody else will see. Placement orders all that is pending, and this takes away, barrier by barrier, what is not needed: as
//! long as the same barriers suffice.

use super::{Context, Placement};
use crate::ir::kernel::{self, Statement};
use crate::ir::typed::AddressSpace;

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
    kernel::nested(body).filter(|statement| matches!(statement, Statement::Barrier { .. })).count()
}

/// The memories that the barrier at a position orders, counted through all blocks.
fn nth_barrier<'b>(body: &'b mut [Statement], position: &mut usize) -> Option<&'b mut Vec<AddressSpace>> {
    for statement in body {
        if let Statement::Barrier { spaces, .. } = statement {
            match position.checked_sub(1) {
                None => return Some(spaces),
                Some(left) => *position = left,
            }
            continue;
        }
        for block in statement.blocks_mut() {
            if let Some(found) = nth_barrier(block, position) {
                return Some(found);
            }
        }
    }
    None
}
