//! Reductions whose steps many work-items do at the same time: `reduceGlb` and `reduceLcl`.
//!
//! The accumulator is a table in memory that the work-items share. They store its initial elements together,
//! wait for each other (in global memory by the end of a kernel), and share the elements of the input. A step
//! is an atomic update for each integer of the element that it changes ([`SharedUpdate`]). What all updates
//! make of an element does not depend on their order, so results are the same each time.

use std::sync::Arc;

use super::error::{Error, Problem};
use super::generator::{Generated, Generator};
use super::reduce::Reduction;
use super::values::value_in;
use super::write::COPY;
use crate::ir::kernel::{Expression, Statement, UpdateOperator, Workers};
use crate::ir::nat::Nat;
use crate::ir::source::Source;
use crate::ir::typed::shared_update::{
    Change, Combining, SharedUpdate, is_shared_step, is_updated_at_once, steps_inside,
};
use crate::ir::typed::{AddressSpace, Expr, ExprKind, Lambda, ReduceKind};
use crate::ir::types::Type;
use crate::middle::view::{Environment, Value};

/// The workers that share a reduction, and the memory of their table.
fn shared(kind: ReduceKind) -> Option<(Workers, AddressSpace)> {
    match kind {
        ReduceKind::Global => Some((Workers::Global(0), AddressSpace::Global)),
        ReduceKind::Local => Some((Workers::Local(0), AddressSpace::Local)),
        ReduceKind::Unspecified
        | ReduceKind::Sequential
        | ReduceKind::Pipelined
        | ReduceKind::Unrolled
        | ReduceKind::While => None,
    }
}

impl Generator<'_> {
    /// The table of a reduction that work-items share.
    pub(super) fn reduce_together(
        &mut self,
        reduction: &Reduction<'_>,
        expr: &Expr,
        environment: &Environment,
    ) -> Generated<Value> {
        let Some((_, space)) = shared(reduction.kind) else {
            return Err(Error::internal(expr.source, "a reduction of one work-item"));
        };
        self.check_shared(reduction, expr)?;
        self.check_space(space, expr)?;
        let room = self.room(&expr.ty, expr.source)?;
        let storage = self.storage_of_worker(space, &reduction.accumulator(), &room, expr, &expr.ty)?;
        let place = value_in(&storage, &expr.ty);
        self.update_together(reduction, &place, environment, expr.source)?;
        Ok(place)
    }

    /// Writes such a table to its destination: in place, if that lies in the memory of the table.
    pub(super) fn write_together(
        &mut self,
        reduction: &Reduction<'_>,
        expr: &Expr,
        environment: &Environment,
        destination: &Value,
    ) -> Generated<()> {
        let Some((workers, space)) = shared(reduction.kind) else {
            return Err(Error::internal(expr.source, "a reduction of one work-item"));
        };
        if space == AddressSpace::Global && self.space_of_place(destination) == Some(space) {
            self.check_shared(reduction, expr)?;
            return self.update_together(reduction, destination, environment, expr.source);
        }
        let value = self.reduce_together(reduction, expr, environment)?;
        self.copy_by(&[workers], &value, destination, &expr.ty, expr.source)
    }

    /// Whether work-items can do the steps at the same time, here.
    fn check_shared(&self, reduction: &Reduction<'_>, expr: &Expr) -> Generated<()> {
        let problem = |problem| Err(Error::new(expr.source, problem));
        if !is_shared_step(reduction.function) {
            return problem(Problem::NoSharedUpdate { kind: reduction.kind });
        }
        if !expr.ty.as_array().is_some_and(|table| is_updated_at_once(&table.element)) {
            return problem(Problem::SharedElement { kind: reduction.kind, ty: expr.ty.clone() });
        }
        let is_outside = self.around.is_empty() && self.open_blocks == 0;
        if reduction.kind == ReduceKind::Global && !is_outside {
            return problem(Problem::GlobalInLoop);
        }
        Ok(())
    }

    fn update_together(
        &mut self,
        reduction: &Reduction<'_>,
        place: &Value,
        environment: &Environment,
        source: Source,
    ) -> Generated<()> {
        let Some((workers, space)) = shared(reduction.kind) else {
            return Err(Error::internal(source, "a reduction of one work-item"));
        };
        match Reduction::of(reduction.initial).filter(|before| before.kind == reduction.kind) {
            // The table that others make is updated where it is.
            Some(before) => {
                self.check_shared(&before, reduction.initial)?;
                self.update_together(&before, place, environment, source)?;
            }
            None => {
                let initial = self.value(reduction.initial, environment)?;
                self.copy_entries(workers, &initial, place, &reduction.initial.ty, source)?;
                if space == AddressSpace::Global {
                    self.finish_kernel(source)?;
                }
            }
        }
        let input = self.elements(reduction, environment, source)?;
        self.reduction_loop(reduction.kind, &input, |generator: &mut Self, index: Nat| {
            let (environment, function) =
                generator.bind_iteration(reduction, &input, place, &index, environment)?;
            generator.shared_update(&function, place, &environment, source)
        })?;
        if space == AddressSpace::Global {
            self.finish_kernel(source)?;
        }
        Ok(())
    }

    /// Stores the initial table. If its elements are arrays, work-items also share the elements of these, so that
    /// neighbouring work-items store to neighbouring addresses.
    fn copy_entries(
        &mut self,
        workers: Workers,
        value: &Value,
        place: &Value,
        ty: &Type,
        source: Source,
    ) -> Generated<()> {
        let inner = ty.as_array().and_then(|table| Some((table, table.element.as_array()?)));
        let is_divisor = |length: &Nat| length.as_constant().is_some_and(|length| length >= 1);
        let inner = inner.filter(|(_, entries)| is_divisor(&entries.length));
        let (Some((table, entries)), Value::Array(from), Value::Array(to)) = (inner, value, place) else {
            return self.copy_by(&[workers], value, place, ty, source);
        };
        let all = &table.length * &entries.length;
        self.in_loop(workers, &all, COPY, source, |generator, index| {
            let (key, entry) = (index.divide(&entries.length), index.modulo(&entries.length));
            let of_key = [generator.access(from, &key, source)?, generator.access(to, &key, source)?];
            let [Value::Array(from), Value::Array(to)] = &of_key else {
                return Err(Error::internal(source, "an array was expected"));
            };
            let element = generator.access(from, &entry, source)?;
            let place = generator.access(to, &entry, source)?;
            generator.copy(&element, &place, &entries.element, source)
        })
    }

    /// A step: updates the element at the position, if there is one. A step of several does them in turn.
    fn shared_update(
        &mut self,
        step: &Lambda,
        place: &Value,
        environment: &Environment,
        source: Source,
    ) -> Generated<()> {
        if steps_inside(step).is_some()
            && let Some(inside) = Reduction::of(&step.body)
        {
            let input = self.elements(&inside, environment, source)?;
            return self.reduction_loop(inside.kind, &input, |generator: &mut Self, index: Nat| {
                let (environment, function) =
                    generator.bind_iteration(&inside, &input, place, &index, environment)?;
                generator.shared_update(&function, place, &environment, source)
            });
        }
        let Some(update) = SharedUpdate::of(step) else {
            return Err(Error::internal(source, "an update of an array was expected"));
        };
        let body = step.body.with_kind(ExprKind::Tuple(update.read()));
        let environment = self.bound(&update.bindings, &body, environment)?;
        self.update_inside((place, &step.body.ty), &update.positions, &update.changes, &environment, source)
    }

    /// Updates the element that the positions lead to, from the outside in; nothing if one of them lies outside
    /// of its array.
    fn update_inside(
        &mut self,
        (place, ty): (&Value, &Type),
        positions: &[Arc<Expr>],
        changes: &[Option<Change>],
        environment: &Environment,
        source: Source,
    ) -> Generated<()> {
        let Some((position, inner)) = positions.split_first() else {
            return self.updates(changes, place, environment, source);
        };
        let (Value::Array(view), Some(array)) = (place, ty.as_array()) else {
            return Err(Error::internal(source, "an update of an array was expected"));
        };
        let position = self.scalar(position, environment)?;
        let at = |generator: &mut Self, index: &Nat| {
            let element = generator.access(view, index, source)?;
            generator.update_inside((&element, &array.element), inner, changes, environment, source)
        };
        if let Some(index) = self.position_inside(&position, &array.length) {
            return at(self, &index);
        }
        self.where_inside(position, &array.length, at)
    }

    /// The position that is the value of an expression, if it is known to lie in an array of this length.
    fn position_inside(&self, expression: &Expression, length: &Nat) -> Option<Nat> {
        let position = self.as_position(expression)?;
        let is_inside = self.ranges.is_non_negative(&position) == Some(true)
            && self.ranges.is_less(&position, length) == Some(true);
        is_inside.then_some(position)
    }

    /// The updates of the integers of an element.
    fn updates(
        &mut self,
        changes: &[Option<Change>],
        element: &Value,
        environment: &Environment,
        source: Source,
    ) -> Generated<()> {
        let places = match element {
            Value::Tuple(places) => places.as_slice(),
            place => std::slice::from_ref(place),
        };
        for (change, place) in changes.iter().zip(places) {
            let Some(Change { operator, value }) = change else { continue };
            let Value::Scalar(Expression::Load(buffer, index, _)) = place else {
                return Err(Error::internal(source, "an element of a table was expected"));
            };
            let value = self.scalar(value, environment)?;
            let operator = match operator {
                Combining::Operator(operator) => UpdateOperator::of_operator(*operator),
                Combining::Function(function) => UpdateOperator::of_function(*function),
            };
            let Some(operator) = operator else {
                return Err(Error::internal(source, "an operator that no device has as an update"));
            };
            self.block.push(Statement::Update { buffer: *buffer, index: index.clone(), operator, value });
        }
        Ok(())
    }
}
