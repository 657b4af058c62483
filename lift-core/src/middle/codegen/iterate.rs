//! `iterate`: a function applied again and again (CGO 2017, section 3.2 and figure 7).
//!
//! Every application writes an array that the next one reads. The applications take one of three forms
//! (`applications` decides):
//!
//! - **Written out**: each application has code of its own, in which every length is known. This form is for
//!   few applications. It is also for functions that change the length, if one work-item or one work-group
//!   applies them or if the lengths have no formula, as long as the text stays short. Arrays in registers and
//!   tree reductions need this form.
//! - **A loop in a kernel**: if one work-item or one work-group applies the function. The array is double
//!   buffered (`double_buffering`), and barrier placement sees that an iteration reads what the one before
//!   wrote. Registers have no addresses, so there an iteration writes a second array and then copies it back;
//!   copies of elements that depend only on themselves are removed later.
//! - **A loop of the launcher** (`launches`): if the whole device applies the function, because an
//!   application is complete only when its kernels end. The text has the kernels of one application, and a
//!   [`Repetition`](crate::ir::kernel::Repetition) says how often they are launched and which buffers change
//!   places.
//!
//! In both loops the number of applications may be a size, and the length of the array may be a formula in
//! the number of the application.

use std::sync::Arc;

use super::applications::Form;
use super::applications::Iterate;
use super::error::Error;
use super::generator::{Generated, Generator};
use super::values::value_in;
use crate::ir::kernel::Workers;
use crate::ir::nat::Nat;
use crate::ir::source::Source;
use crate::ir::typed::{AddressSpace, Expr};
use crate::ir::types::Type;
use crate::middle::memory::workers_by_dimension;
use crate::middle::view::{Environment, Value};

impl Generator<'_> {
    /// The value of an `iterate`.
    pub(super) fn iterated(
        &mut self,
        iterate: &Iterate<'_>,
        expr: &Expr,
        environment: &Environment,
    ) -> Generated<Value> {
        match self.form(iterate, expr.source)? {
            Form::WrittenOut(count) => {
                let (last, environment) = self.written_out(count, iterate, environment, expr.source)?;
                self.value(last.as_deref().unwrap_or(iterate.input), &environment)
            }
            Form::Loop => self.iterate_in_a_loop(iterate, expr, environment),
            Form::Launches => self.materialise_in(AddressSpace::Global, expr, environment),
        }
    }

    /// Writes the value of an `iterate` to a destination.
    pub(super) fn write_iterated(
        &mut self,
        iterate: &Iterate<'_>,
        expr: &Expr,
        environment: &Environment,
        destination: &Value,
    ) -> Generated<()> {
        match self.form(iterate, expr.source)? {
            Form::WrittenOut(count) => {
                let (last, environment) = self.written_out(count, iterate, environment, expr.source)?;
                self.write(last.as_deref().unwrap_or(iterate.input), &environment, destination)
            }
            Form::Loop => {
                let value = self.iterate_in_a_loop(iterate, expr, environment)?;
                let workers = workers_by_dimension(&iterate.function.body);
                self.copy_by(&workers, &value, destination, &expr.ty, expr.source)
            }
            Form::Launches => self.iterate_by_launches(iterate, expr, environment, destination),
        }
    }

    /// The body of the last application, and an environment in which its parameter is bound to the result of
    /// those before. `None` if there are no applications.
    fn written_out(
        &mut self,
        count: i128,
        iterate: &Iterate<'_>,
        environment: &Environment,
        source: Source,
    ) -> Generated<(Option<Arc<Expr>>, Environment)> {
        let (parameter, _) = iterate.parameter(source)?;
        let mut value = if count == 0 { None } else { Some(self.value(iterate.input, environment)?) };
        let mut last: Option<Arc<Expr>> = None;
        let mut inside = environment.clone();
        for application in 0..count {
            if let Some(previous) = last.take() {
                value = Some(self.value(&previous, &inside)?);
            }
            let applied = self.at_index(iterate.function, &Nat::constant(application), source)?;
            if let Some(value) = value.take() {
                inside = environment.with(parameter, value);
            }
            last = Some(applied.body);
        }
        Ok((last, inside))
    }

    /// A loop over the applications in the current work-item or work-group.
    fn iterate_in_a_loop(
        &mut self,
        iterate: &Iterate<'_>,
        expr: &Expr,
        environment: &Environment,
    ) -> Generated<Value> {
        let body = &iterate.function.body;
        let space = self.space_for(body);
        self.check_space(space, body)?;
        let keeps_type = iterate.keeps_type(self);
        let value = match space {
            AddressSpace::Private if keeps_type && self.fits_registers(body) => {
                self.iterate_in_registers(iterate, expr, environment)?
            }
            AddressSpace::Private | AddressSpace::Local | AddressSpace::Global => {
                self.iterate_in_halves(space, iterate, expr, environment)?
            }
        };
        // Other work-items read the array, so it must be complete: the kernel ends.
        if self.around.is_empty() && space == AddressSpace::Global {
            self.finish_kernel(expr.source)?;
        }
        Ok(value)
    }

    /// Every iteration writes a second array and then copies it back.
    fn iterate_in_registers(
        &mut self,
        iterate: &Iterate<'_>,
        expr: &Expr,
        environment: &Environment,
    ) -> Generated<Value> {
        let source = expr.source;
        let (parameter, ty) = iterate.parameter(source)?;
        let storage = self.allocate(AddressSpace::Private, &parameter.name, ty, source)?;
        let place = value_in(&storage, ty);
        self.store_initial(
            iterate.input,
            &iterate.function.body,
            AddressSpace::Private,
            &place,
            environment,
        )?;
        self.in_loop(Workers::Sequential, iterate.count, "iterate", source, |generator, index| {
            let applied = generator.at_index(iterate.function, &index, source)?;
            let environment = environment.with(parameter, place.clone());
            generator.iteration_in_memory(&applied.body, &environment, &place)
        })?;
        Ok(place)
    }

    /// Every iteration reads one half of a buffer and writes the other.
    fn iterate_in_halves(
        &mut self,
        space: AddressSpace,
        iterate: &Iterate<'_>,
        expr: &Expr,
        environment: &Environment,
    ) -> Generated<Value> {
        let source = expr.source;
        let (parameter, _) = iterate.parameter(source)?;
        let body = &iterate.function.body;
        let keeps_type = iterate.keeps_type(self);
        let room = self.room_of_all_applications(iterate, source)?;
        let mut halves = self.halves(space, &parameter.name, room, body)?;
        let first = value_in(&halves.half(self, &Nat::zero()), &iterate.input.ty);
        self.store_initial(iterate.input, body, space, &first, environment)?;
        self.in_loop(Workers::Sequential, iterate.count, "iterate", source, |generator, index| {
            let applied = generator.at_index(iterate.function, &index, source)?;
            let Some((_, ty)) = applied.parameters.first() else {
                return Err(Error::internal(source, "an iterated function takes one argument"));
            };
            let before = value_in(&halves.half(generator, &index), ty);
            let after = value_in(&halves.half(generator, &(&index + Nat::one())), &applied.body.ty);
            generator.write(&applied.body, &environment.with(parameter, before), &after)?;
            if keeps_type {
                generator.update_in_place(&mut halves, &index);
            }
            Ok(())
        })?;
        self.explain_halves(&halves);
        Ok(value_in(&halves.half(self, iterate.count), &expr.ty))
    }

    /// A type with room for the array after any number of applications.
    pub(super) fn room_of_all_applications(
        &mut self,
        iterate: &Iterate<'_>,
        source: Source,
    ) -> Generated<Type> {
        let (_, ty) = iterate.parameter(source)?;
        let Some(application) = iterate.function.index.clone() else { return self.room(ty, source) };
        let outside = self.ranges.clone();
        self.ranges.declare(&application, Nat::zero(), Some(iterate.count + Nat::one()));
        let room = self.room(ty, source);
        self.ranges = outside;
        room
    }
}
