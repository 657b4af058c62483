//! Strips for several rows at once.
//!
//! In a matrix product, a strip of one row of the result reads all rows of a strip of the other matrix, and
//! so does the next row of the result. Several rows at once load it once, and keep more sums in registers
//! (unroll and jam; Callahan, Cocke, Kennedy, *Estimating interlock and improving balance for pipelined
//! architectures*, 1988).

use super::strips::{LEAST_LANES, bytes};
use super::task::{Blocks, LaneTask, Lanes, Strips};
use crate::flat::FlatSet;
use crate::ir::kernel::accesses::{Accesses, Certainty, Stride, stride};
use crate::ir::kernel::{Expression, Statement};
use crate::ir::nat::Var;

/// The number of rows of a block.
const ROWS: usize = 4;

/// The largest size of the variables of a block, in bytes: half of the vector registers of 64 bytes.
const REGISTER_BYTES: i128 = 1024;

/// A loop in strips inside another one, in blocks; `None` where rows do not load common rows.
pub(super) fn blocks(outer: &Var, alone: &Strips) -> Option<Blocks> {
    let strip = &alone.strip;
    if !strip.memories.is_empty() || !strip.indices.is_empty() || !are_rows_alike(&strip.tasks, outer) {
        return None;
    }
    if !shares_rows(&strip.tasks, outer, &alone.index) {
        return None;
    }
    // Without loops, rows share nothing.
    let Lanes::Strip(mut lanes) = alone.lanes else { return None };
    while lanes > LEAST_LANES && lanes as i128 * ROWS as i128 * bytes(strip) > REGISTER_BYTES {
        lanes /= 2;
    }
    let together = Strips { lanes: Lanes::Strip(lanes), ..alone.clone() };
    // Rows left over are few: single positions get no code of their own.
    let alone = Strips { narrow: None, ..alone.clone() };
    Some(Blocks { outer: outer.clone(), rows: ROWS, together, alone })
}

/// Whether all rows do the same in the same order.
fn are_rows_alike(tasks: &[LaneTask], outer: &Var) -> bool {
    tasks.iter().all(|task| match task {
        LaneTask::Lanes(_) => true,
        LaneTask::For { extent, body, .. } => !extent.mentions(outer) && are_rows_alike(body, outer),
        LaneTask::Least { .. } | LaneTask::Rest { .. } => false,
        LaneTask::If(condition, then, otherwise) => {
            !mentions(condition, outer) && are_rows_alike(then, outer) && are_rows_alike(otherwise, outer)
        }
    })
}

fn mentions(condition: &Expression, outer: &Var) -> bool {
    condition
        .nested()
        .any(|part| matches!(part, Expression::Condition(condition) if condition.mentions(outer)))
}

/// Whether a loop inside loads neighbouring elements that are the same for all rows.
fn shares_rows(tasks: &[LaneTask], outer: &Var, index: &Var) -> bool {
    tasks.iter().any(|task| match task {
        LaneTask::For { body, .. } => loads_of(body).any(|statements| shares(statements, outer, index)),
        LaneTask::If(_, then, otherwise) => {
            shares_rows(then, outer, index) || shares_rows(otherwise, outer, index)
        }
        LaneTask::Lanes(_) | LaneTask::Least { .. } | LaneTask::Rest { .. } => false,
    })
}

fn loads_of(tasks: &[LaneTask]) -> Box<dyn Iterator<Item = &[Statement]> + '_> {
    Box::new(tasks.iter().flat_map(|task| -> Box<dyn Iterator<Item = &[Statement]> + '_> {
        match task {
            LaneTask::Lanes(statements) | LaneTask::Rest { statements, .. } => {
                Box::new(std::iter::once(statements.as_slice()))
            }
            LaneTask::For { body, .. } => loads_of(body),
            LaneTask::If(_, then, otherwise) => Box::new(loads_of(then).chain(loads_of(otherwise))),
            LaneTask::Least { .. } => Box::new(std::iter::empty()),
        }
    }))
}

fn shares(statements: &[Statement], outer: &Var, index: &Var) -> bool {
    let none = FlatSet::new();
    Accesses::of(statements).loads.iter().any(|load| {
        load.certainty == Certainty::Always
            && !load.index.mentions(outer)
            && stride(&load.index, index, &none) == Stride::One
    })
}
