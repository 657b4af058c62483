//! Addresses in buffers with room between their rows.
//!
//! Code generation addresses every buffer as if it was dense. Where `increase` asked for room after every array of some size,
//! an element lies further on by the room of all such arrays before it.

use std::collections::BTreeMap;

use crate::kernel::rewrite::Rewrite;
use crate::kernel::{BufferId, Expression, Statement, ValueType};
use crate::memory::Gap;
use crate::nat::{Nat, Ranges};

/// Spreads the elements of buffers that have gaps.
pub(crate) fn leave_gaps(
    body: Vec<Statement>,
    gaps: &BTreeMap<BufferId, Vec<Gap>>,
    ranges: &Ranges,
) -> Vec<Statement> {
    if gaps.is_empty() {
        return body;
    }
    Spread { gaps, ranges: ranges.clone() }.block(&body)
}

struct Spread<'g> {
    gaps: &'g BTreeMap<BufferId, Vec<Gap>>,
    ranges: Ranges,
}

impl Spread<'_> {
    fn place(&self, buffer: BufferId, index: Nat) -> Nat {
        let Some(gaps) = self.gaps.get(&buffer) else { return index };
        let room = gaps.iter().map(|gap| &gap.scalars * index.divide(&gap.every));
        let place = room.fold(index.clone(), |place, room| place + room);
        self.ranges.simplify(&place)
    }
}

impl Rewrite for Spread<'_> {
    fn load(&mut self, buffer: BufferId, index: Nat, ty: ValueType) -> Expression {
        Expression::Load(buffer, self.place(buffer, index), ty)
    }

    fn store(&mut self, buffer: BufferId, index: Nat, value: Expression) -> Statement {
        Statement::Store(buffer, self.place(buffer, index), value)
    }

    fn block(&mut self, block: &[Statement]) -> Vec<Statement> {
        let outside = self.ranges.clone();
        let mut changed = Vec::new();
        for statement in block {
            let before = self.ranges.clone();
            if let Statement::Loop(repetition) = statement {
                self.ranges.declare(&repetition.index, Nat::zero(), Some(repetition.extent.clone()));
            }
            changed.push(self.statement(statement));
            self.ranges = before;
            super::registers::learn(&mut self.ranges, statement);
        }
        self.ranges = outside;
        changed
    }
}
