//! Changes kernels so that a launch computes one portion of their rows.

use super::{Budget, Group};
use crate::flat::FlatMap;
use crate::ir::kernel::fold::Fold;
use crate::ir::kernel::{
    Buffer, BufferId, Expression, Loop, Portion, Repetition, Statement, ValueType, mentions,
};
use crate::ir::nat::{Condition, Nat, Ranges, Substitution, Var};

/// Changes the kernels of a group so that they compute one portion of rows. Returns how they are launched.
/// `first` and `count` are the first row of a portion and the number of its rows.
pub(crate) fn contract(
    group: &Group,
    bodies: &mut [Vec<Statement>],
    buffers: &mut [Buffer],
    [first, count]: [Var; 2],
    budget: Budget,
    ranges: &Ranges,
) -> Repetition {
    let most = group.most(budget, buffers, ranges);
    for (id, row) in &group.arrays {
        if let Some(buffer) = buffers.get_mut(id.0) {
            buffer.length = ranges.simplify(&(row * &most));
        }
    }
    for position in group.members() {
        let Some(body) = bodies.get_mut(position) else { continue };
        for statement in &mut *body {
            let Statement::Loop(repetition) = statement else { continue };
            let moved = Substitution::from([(
                repetition.index.clone(),
                Nat::variable(&first) + Nat::variable(&repetition.index),
            )]);
            let mut portion = OfPortion { moved, first: &first, arrays: &group.arrays, ranges };
            let body = portion.block(&repetition.body);
            *repetition = Loop { extent: Nat::variable(&count), body, ..repetition.clone() };
        }
        let from = match mentions(body, |mention| mention.depends_on(&first)) {
            true => format!(", from step `{}` on", first.name()),
            false => String::new(),
        };
        let text = format!("launched for `{}` steps of the outermost loop at a time{from}", count.name());
        body.insert(0, Statement::Comment(text));
    }
    let last = (&group.rows - Nat::one()).divide(&most);
    let has_rows = Condition::Less(Nat::zero(), group.rows.clone());
    let portions = Nat::select(&has_rows, &(last + Nat::one()), &Nat::zero());
    Repetition {
        kernels: group.kernels.start + group.before.len()..group.kernels.end,
        count: ranges.simplify(&portions),
        step: None,
        portion: Some(Portion { first, count, rows: group.rows.clone(), most }),
        arrays: Vec::new(),
        end: None,
    }
}

/// Restricts a loop over rows to the rows of one portion.
struct OfPortion<'p> {
    /// The replacement of the loop index.
    moved: Substitution,
    first: &'p Var,
    arrays: &'p FlatMap<BufferId, Nat>,
    ranges: &'p Ranges,
}

impl OfPortion<'_> {
    /// The position of an element: contracted arrays begin with the first row of the portion.
    fn place(&self, buffer: BufferId, index: Nat) -> Nat {
        match self.arrays.get(&buffer) {
            Some(row) => self.ranges.simplify(&(index - row * Nat::variable(self.first))),
            None => index,
        }
    }
}

impl Fold for OfPortion<'_> {
    fn nat(&mut self, nat: &Nat) -> Nat {
        nat.substitute(&self.moved)
    }

    fn condition(&mut self, condition: &Condition) -> Expression {
        Expression::Condition(condition.substitute(&self.moved))
    }

    fn load(&mut self, buffer: BufferId, index: Nat, ty: ValueType) -> Expression {
        Expression::Load(buffer, self.place(buffer, index), ty)
    }

    fn store(&mut self, buffer: BufferId, index: Nat, value: Expression) -> Statement {
        Statement::Store(buffer, self.place(buffer, index), value)
    }
}
