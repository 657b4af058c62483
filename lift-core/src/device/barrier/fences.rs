//! Which memories a barrier orders.
//!
//! A barrier that is placed for accesses to one memory also serves those to other memories, as long as it
//! orders these too. So fewer barriers are needed. Where no pair of accesses needs the additional order, it
//! only costs time: a fence of global memory waits for loads that nobody else will see. Placement orders all
//! that is pending. This pass removes what is not needed from each barrier, as long as the same barriers
//! suffice.

use super::flow::{Context, Placement};
use crate::ir::kernel::{self, Statement};
use crate::ir::typed::AddressSpace;

impl Placement<'_> {
    /// Returns the same code, in which every barrier orders only the memories that it must.
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
        let placed = self.block(body.to_vec(), &Context::of_kernel());
        matches!(placed, Ok((placed, _)) if barriers(&placed) == barriers(body))
    }
}

fn barriers(body: &[Statement]) -> usize {
    kernel::nested(body).filter(|statement| matches!(statement, Statement::Barrier { .. })).count()
}

/// The memories that the barrier at a position orders; positions count through all blocks.
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
