//! Accumulators of which a step replaces one element: `reduceSeq(|acc, x| update(i, v, acc), z)`.
//!
//! An `update` is a map that chooses at every position between the new value and the old element. Where an
//! accumulator is nothing but updated, a step writes that one element and leaves all others where they are,
//! however long the array is. Nobody sees the accumulator before: what a step reads of it is read before it
//! writes. So an element that holds arrays is computed elsewhere first, unless it is computed from nothing of
//! the accumulator, or element by element from what it replaces.

use super::array::{always_lies_inside, is_inside};
use super::error::Error;
use super::generator::{Generated, Generator};
use super::in_place::may_overwrite;
use super::reduce::{Elements, Next, Reduction};
use crate::ir::kernel::{Expression, Statement};
use crate::ir::nat::Nat;
use crate::ir::source::Source;
use crate::ir::typed::keyed::{AccumulatorUpdate, Update};
use crate::ir::typed::{AddressSpace, ExprKind, Lambda};
use crate::middle::memory::stated_space;
use crate::middle::view::{Environment, Value, View};

/// Arrays of at most this many elements may be registers, all of which a step writes by choices.
pub(super) const FEW_REGISTERS: i128 = 8;

/// An update of an array where it is.
pub(super) struct InPlace<'e> {
    pub(super) update: &'e Update<'e>,
    /// Whether the new element may be written over the old one while it is computed.
    pub(super) may_overwrite: bool,
    pub(super) view: &'e View,
}

impl Generator<'_> {
    /// Whether each step of a reduction replaces one element of its accumulator, which is longer than a few
    /// registers.
    pub(super) fn is_updated(&self, reduction: &Reduction<'_>) -> bool {
        let is_short = reduction.initial.ty.as_array().is_some_and(|array| {
            let length = self.ranges.simplify(&array.length).as_constant();
            array.element.is_element() && length.is_some_and(|length| length <= FEW_REGISTERS)
        });
        !is_short && reduction.step().is_some_and(|step| AccumulatorUpdate::of(&step).is_some())
    }

    /// A reduction whose accumulator is updated in place.
    pub(super) fn reduce_by_updates(
        &mut self,
        space: AddressSpace,
        reduction: &Reduction<'_>,
        input: &Elements,
        environment: &Environment,
    ) -> Generated<Value> {
        let place = self.array_of_worker(space, &reduction.accumulator(), reduction.next())?;
        self.updates_of(space, reduction, input, &place, environment)?;
        if self.around.is_empty() && space == AddressSpace::Global {
            self.finish_kernel(input.source)?;
        }
        Ok(place)
    }

    /// Whether the accumulator of such a reduction may be its destination itself: it is too long for private
    /// memory, and the destination lies in global memory, too.
    pub(super) fn may_be_updated_in(&self, reduction: &Reduction<'_>, destination: &Value) -> bool {
        self.space_for(reduction.next()) == AddressSpace::Global
            && stated_space(reduction.next()).is_none()
            && self.space_of_place(destination) == Some(AddressSpace::Global)
    }

    /// The same, whose accumulator is the destination.
    pub(super) fn write_by_updates(
        &mut self,
        reduction: &Reduction<'_>,
        destination: &Value,
        environment: &Environment,
        source: Source,
    ) -> Generated<()> {
        let input = self.elements(reduction, environment, source)?;
        self.updates_of(AddressSpace::Global, reduction, &input, destination, environment)
    }

    /// Stores the initial accumulator in its place, and does the steps there.
    fn updates_of(
        &mut self,
        space: AddressSpace,
        reduction: &Reduction<'_>,
        input: &Elements,
        place: &Value,
        environment: &Environment,
    ) -> Generated<()> {
        self.store_initial(reduction.initial, reduction.next(), space, place, environment)?;
        self.iterations(reduction, input, place, environment, |generator, next, environment| {
            let Next::Expr(next) = next else {
                return Err(Error::internal(input.source, "an update was expected"));
            };
            let step = Lambda { body: next.clone(), ..reduction.function.clone() };
            generator.update(&step, place, environment, input.source)
        })
    }

    /// A step: writes the element at the position, if there is one.
    fn update(
        &mut self,
        step: &Lambda,
        place: &Value,
        environment: &Environment,
        source: Source,
    ) -> Generated<()> {
        let (Some(of_step), Value::Array(view), Some(array)) =
            (AccumulatorUpdate::of(step), place, step.body.ty.as_array())
        else {
            return Err(Error::internal(source, "an update of an array was expected"));
        };
        let AccumulatorUpdate { bindings, body, update } = of_step;
        let environment = self.bound(bindings, body, environment)?;
        let in_place = InPlace { update: &update, may_overwrite: may_overwrite(step), view };
        self.update_element(&in_place, &array.length, &environment, source)
    }

    /// Writes the element at the position of an update, if there is one.
    pub(super) fn update_element(
        &mut self,
        in_place: &InPlace<'_>,
        length: &Nat,
        environment: &Environment,
        source: Source,
    ) -> Generated<()> {
        let position = self.scalar(in_place.update.position, environment)?;
        self.where_inside(position, length, |generator, index| {
            generator.replace(in_place, index, environment, source)
        })
    }

    /// What is done at a position from data, an integer, if an array of this length has such an element.
    pub(super) fn where_inside(
        &mut self,
        position: Expression,
        length: &Nat,
        generate: impl FnOnce(&mut Self, &Nat) -> Generated<()>,
    ) -> Generated<()> {
        if always_lies_inside(&position, length) {
            let index = self.index_from_data(position, length);
            return generate(self, &index);
        }
        let position = match position.is_trivial() {
            true => position,
            false => Expression::Variable(self.declare("position", position)),
        };
        let inside = is_inside(&position, length);
        let (done, ()) = self.in_block(|generator| {
            let index = generator.index_from_data(position, length);
            generate(generator, &index)
        })?;
        self.block.push(Statement::If(inside, done, Vec::new()));
        Ok(())
    }

    /// Writes the element at an index.
    fn replace(
        &mut self,
        in_place: &InPlace<'_>,
        index: &Nat,
        environment: &Environment,
        source: Source,
    ) -> Generated<()> {
        let elements = self.at_index(in_place.update.elements, index, source)?;
        let ExprKind::If(_, new, _) = &elements.body.kind else {
            return Err(Error::internal(source, "an update chooses between two elements"));
        };
        let place = self.access(in_place.view, index, source)?;
        let environment = self.bind(&elements, vec![place.clone()], environment, source)?;
        if new.ty.is_element() {
            let new = self.value(new, &environment)?;
            return self.assign(&place, new, source);
        }
        if in_place.may_overwrite {
            return self.write(new, &environment, &place);
        }
        let computed = self.materialise_in(self.space_for(new), new, &environment)?;
        self.copy(&computed, &place, &new.ty, source)
    }
}
