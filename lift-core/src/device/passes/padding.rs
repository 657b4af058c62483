//! Padding: addresses in buffers with gaps between their rows.
//!
//! Code generation addresses every buffer as if it was dense. Where `increase` asked for a gap after every
//! array of some size, an element moves further on by the gaps of all such arrays before it. A vector that
//! may lie on both sides of a gap is accessed component by component.

use crate::flat::FlatMap;
use crate::ir::code::Gap;
use crate::ir::kernel::fold::Fold;
use crate::ir::kernel::{BufferId, Expression, Statement, ValueType};
use crate::ir::nat::{Nat, Ranges};

/// Adds the gaps of buffers to the addresses of their elements.
pub(crate) fn pad_rows(
    body: Vec<Statement>,
    gaps: &FlatMap<BufferId, Vec<Gap>>,
    ranges: &Ranges,
) -> Vec<Statement> {
    if gaps.is_empty() {
        return body;
    }
    Spread { gaps, ranges: ranges.clone() }.block(&body)
}

struct Spread<'g> {
    gaps: &'g FlatMap<BufferId, Vec<Gap>>,
    ranges: Ranges,
}

impl Spread<'_> {
    fn place(&self, buffer: BufferId, index: Nat) -> Nat {
        let Some(gaps) = self.gaps.get(&buffer) else { return index };
        let room = gaps.iter().map(|gap| &gap.scalars * index.divide(&gap.every));
        let place = room.fold(index.clone(), |place, room| place + room);
        self.ranges.simplify(&place)
    }

    /// Whether a vector at this index may lie on both sides of a gap.
    fn is_torn(&self, buffer: BufferId, index: &Nat, lanes: u8) -> bool {
        let width = Nat::constant(i128::from(lanes));
        let keeps_together = |gap: &Gap| {
            self.ranges.divides(&width, &gap.every) == Some(true)
                && self.ranges.divides(&width, index) == Some(true)
        };
        lanes > 1 && self.gaps.get(&buffer).is_some_and(|gaps| !gaps.iter().all(keeps_together))
    }

    /// Stores the components of a vector one by one.
    fn store_apart(&mut self, buffer: BufferId, index: &Nat, value: &Expression) -> Vec<Statement> {
        let value = self.expression(value);
        let components = (0..value.ty().lanes).map(|lane| {
            let index = index + Nat::constant(i128::from(lane));
            Statement::Store(buffer, self.place(buffer, index), value.component(lane))
        });
        components.collect()
    }
}

impl Fold for Spread<'_> {
    fn known(&mut self) -> Option<&mut Ranges> {
        Some(&mut self.ranges)
    }

    fn load(&mut self, buffer: BufferId, index: Nat, ty: ValueType) -> Expression {
        if !self.is_torn(buffer, &index, ty.lanes) {
            return Expression::Load(buffer, self.place(buffer, index), ty);
        }
        let component = |lane: u8| {
            let index = &index + Nat::constant(i128::from(lane));
            Expression::Load(buffer, self.place(buffer, index), ValueType::from(ty.scalar))
        };
        Expression::Components((0..ty.lanes).map(component).collect())
    }

    fn store(&mut self, buffer: BufferId, index: Nat, value: Expression) -> Statement {
        Statement::Store(buffer, self.place(buffer, index), value)
    }

    fn statement(&mut self, statement: &Statement) -> Vec<Statement> {
        match statement {
            Statement::Store(buffer, index, value) if self.is_torn(*buffer, index, value.ty().lanes) => {
                self.store_apart(*buffer, index, value)
            }
            _ => self.parts(statement),
        }
    }
}
