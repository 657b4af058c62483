//! `iterate`: a function applied again and again (CGO 2017, section 3.2 and figure 7).
//!
//! Every application writes an array that the next one reads. What becomes of them:
//!
//! - **Written out**: few applications have code each, in which every length is known; so have all applications of a
//!   function that changes the length and that one work-item or one work-group applies, or of which the lengths follow no formula, as long as
//!   the text does not get long (`applications`). Arrays in registers and reductions in a tree want nothing else.
//! - **A loop in a kernel**: where one work-item or one work-group applies the function. The array lies in a buffer of two halves that
//!   change places with every step (`double_buffering`): barrier placement sees that a step reads what the one before wrote. In registers, which have no addresses, a step writes beside the array and then replaces it; where an element only depends
//!   on itself nothing is left of the copy.
//! - **A loop of the launcher**: where the whole device applies the function, an application ends when kernels end. The kernels of one
//!   application are there once, and a [`Repetition`] says how often they are launched and which buffers change places. The first application reads
//!   the input where it lies and the last one writes where the result goes, so that nothing is copied, unless one of them
//!   has no place of its own in global memory.
//!
//! The number of applications may be a size in both loops. Where the length of the array changes, it is known as a formula in the number of
//! applications so far, which the launcher counts: kernels get it as an argument, and their launch sizes depend on it.

use std::collections::BTreeSet;

use super::applications::Form;
use super::error::Error;
use super::storage::value_in;
use super::value::distribution;
use super::{Generated, Generator};
use crate::ir::kernel::{
    Alternation, BufferId, BufferRole, Expression, Repetition, Statement, Uses, Workers,
};
use crate::ir::nat::{Condition, Nat, Var};
use crate::ir::source::Source;
use crate::ir::typed::{AddressSpace, Expr, ExprKind, Lambda, Variable};
use crate::ir::types::Type;
use crate::middle::lower::uses_device;
use crate::middle::view::{Environment, Storage, Value};

/// The dimensions of a launch.
const DIMENSIONS: u8 = 3;

/// An `iterate`.
#[derive(Clone, Copy)]
pub(super) struct Iteration<'e> {
    pub(super) count: &'e Nat,
    pub(super) function: &'e Lambda,
    pub(super) input: &'e Expr,
}

impl Iteration<'_> {
    /// What the function takes.
    fn parameter(&self, source: Source) -> Generated<(&Variable, &Type)> {
        match self.function.parameters.as_slice() {
            [(variable, ty)] => Ok((variable, ty)),
            _ => Err(Error::internal(source, "an iterated function takes one argument")),
        }
    }
}

/// The numbers of applications that a launcher may have to count: those of functions that the whole device applies, on which types depend.
pub(super) fn steps_of_launches(expr: &Expr) -> BTreeSet<Var> {
    let mut steps: BTreeSet<Var> = expr.children().into_iter().flat_map(steps_of_launches).collect();
    if let ExprKind::Iterate(_, function, _) = &expr.kind
        && let Some(step) = &function.index
        && function.parameters.iter().any(|(_, ty)| ty.variables().contains(step))
        && uses_device(&function.body)
    {
        steps.insert(step.clone());
    }
    steps
}

impl Generator<'_> {
    /// The value of an `iterate`.
    pub(super) fn iterated(
        &mut self,
        iteration: &Iteration<'_>,
        expr: &Expr,
        environment: &Environment,
    ) -> Generated<Value> {
        match self.form(iteration, expr.source)? {
            Form::WrittenOut(count) => {
                let (last, environment) = self.written_out(count, iteration, environment, expr.source)?;
                self.value(last.as_ref().unwrap_or(iteration.input), &environment)
            }
            Form::Loop => self.iterate_in_a_loop(iteration, expr, environment),
            Form::Launches => self.materialise_in(AddressSpace::Global, expr, environment),
        }
    }

    /// Writes the value of an `iterate` to a destination.
    pub(super) fn write_iterated(
        &mut self,
        iteration: &Iteration<'_>,
        expr: &Expr,
        environment: &Environment,
        destination: &Value,
    ) -> Generated<()> {
        match self.form(iteration, expr.source)? {
            Form::WrittenOut(count) => {
                let (last, environment) = self.written_out(count, iteration, environment, expr.source)?;
                self.write(last.as_ref().unwrap_or(iteration.input), &environment, destination)
            }
            Form::Loop => {
                let value = self.iterate_in_a_loop(iteration, expr, environment)?;
                let workers = distribution(&iteration.function.body);
                self.copy_by(&workers, &value, destination, &expr.ty, expr.source)
            }
            Form::Launches => self.iterate_by_launches(iteration, expr, environment, destination),
        }
    }

    /// The last application, with the environment in which its parameter means the result of the ones before; nothing for no
    /// application.
    fn written_out(
        &mut self,
        count: i128,
        iteration: &Iteration<'_>,
        environment: &Environment,
        source: Source,
    ) -> Generated<(Option<Expr>, Environment)> {
        let (parameter, _) = iteration.parameter(source)?;
        let mut value = if count == 0 { None } else { Some(self.value(iteration.input, environment)?) };
        let mut last = None;
        let mut inside = environment.clone();
        for application in 0..count {
            if let Some(previous) = last.take() {
                value = Some(self.value(&previous, &inside)?);
            }
            let applied = self.at_index(iteration.function, &Nat::constant(application), source)?;
            if let Some(value) = value.take() {
                inside = environment.with(parameter, value);
            }
            last = Some(*applied.body);
        }
        Ok((last, inside))
    }

    /// A loop over the applications, by the work-item or the work-group at hand.
    fn iterate_in_a_loop(
        &mut self,
        iteration: &Iteration<'_>,
        expr: &Expr,
        environment: &Environment,
    ) -> Generated<Value> {
        let body = &iteration.function.body;
        let space = self.space_for(body);
        self.check_space(space, body)?;
        let keeps_type = iteration.keeps_type(self);
        let value = match space {
            AddressSpace::Private if keeps_type && self.fits_registers(body) => {
                self.iterate_in_registers(iteration, expr, environment)?
            }
            AddressSpace::Private | AddressSpace::Local | AddressSpace::Global => {
                self.iterate_in_halves(space, iteration, expr, environment)?
            }
        };
        // Others read it when the one who made it is done.
        if self.around.is_empty() && space == AddressSpace::Global {
            self.finish_kernel(expr.source)?;
        }
        Ok(value)
    }

    /// Every step writes beside the array, then replaces it.
    fn iterate_in_registers(
        &mut self,
        iteration: &Iteration<'_>,
        expr: &Expr,
        environment: &Environment,
    ) -> Generated<Value> {
        let source = expr.source;
        let (parameter, ty) = iteration.parameter(source)?;
        let storage = self.allocate(AddressSpace::Private, &parameter.name, ty, source)?;
        let place = value_in(&storage, ty);
        self.start(iteration.input, &iteration.function.body, AddressSpace::Private, &place, environment)?;
        self.in_loop(Workers::Sequential, iteration.count, "iterate", source, |generator, index| {
            let applied = generator.at_index(iteration.function, &index, source)?;
            let environment = environment.with(parameter, place.clone());
            generator.step_in_memory(&applied.body, &environment, &place)
        })?;
        Ok(place)
    }

    /// Every step reads one half of a buffer and writes the other.
    fn iterate_in_halves(
        &mut self,
        space: AddressSpace,
        iteration: &Iteration<'_>,
        expr: &Expr,
        environment: &Environment,
    ) -> Generated<Value> {
        let source = expr.source;
        let (parameter, _) = iteration.parameter(source)?;
        let body = &iteration.function.body;
        let keeps_type = iteration.keeps_type(self);
        let room = self.room_of_all_steps(iteration, source)?;
        let mut halves = self.halves(space, &parameter.name, room, body)?;
        let first = value_in(&halves.half(self, &Nat::zero()), &iteration.input.ty);
        self.start(iteration.input, body, space, &first, environment)?;
        self.in_loop(Workers::Sequential, iteration.count, "iterate", source, |generator, index| {
            let applied = generator.at_index(iteration.function, &index, source)?;
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
        Ok(value_in(&halves.half(self, iteration.count), &expr.ty))
    }

    /// A type with room for what any number of applications makes.
    fn room_of_all_steps(&mut self, iteration: &Iteration<'_>, source: Source) -> Generated<Type> {
        let (_, ty) = iteration.parameter(source)?;
        let Some(step) = iteration.function.index.clone() else { return self.room(ty, source) };
        let outside = self.ranges.clone();
        self.ranges.declare(&step, Nat::zero(), Some(iteration.count + Nat::one()));
        let room = self.room(ty, source);
        self.ranges = outside;
        room
    }

    /// Kernels for one application, which the launcher launches again and again.
    fn iterate_by_launches(
        &mut self,
        iteration: &Iteration<'_>,
        expr: &Expr,
        environment: &Environment,
        destination: &Value,
    ) -> Generated<()> {
        let source = expr.source;
        let (parameter, _) = iteration.parameter(source)?;
        let (first, last) = (&iteration.input.ty, &expr.ty);
        let count = self.ranges.simplify(iteration.count);
        let value = self.value(iteration.input, environment)?;
        let input = match self.dense_storage(&value, first, source)? {
            Some(storage) => storage,
            None => {
                let storage = self.allocate(AddressSpace::Global, &parameter.name, first, source)?;
                let place = value_in(&storage, first);
                self.copy_by_device("what the first application reads", None, &value, &place, first, source)?;
                storage
            }
        };
        self.finish_work(source)?;
        let result = self.dense_storage(destination, last, source)?;
        let places = self.places_of_applications(iteration, input, result.as_ref(), source)?;
        self.launch_applications(iteration, &count, &places, environment, source)?;
        if self.ranges.is_at_most(&Nat::one(), &count) != Some(true) {
            let none = Condition::Equal(count, Nat::zero());
            let (from, to) = (value_in(&places.input, first), value_in(&places.output, first));
            self.copy_by_device("the result of no application", Some(&none), &from, &to, first, source)?;
            self.finish_kernel(source)?;
        }
        if result.is_none() {
            let found = value_in(&places.output, last);
            self.copy_by_device(
                "the result of the last application",
                None,
                &found,
                destination,
                last,
                source,
            )?;
        }
        Ok(())
    }

    /// Where applications read and write. An array that has another length each time needs room for the longest: what the last one
    /// writes need not have that.
    fn places_of_applications(
        &mut self,
        iteration: &Iteration<'_>,
        input: Storage,
        result: Option<&Storage>,
        source: Source,
    ) -> Generated<Places> {
        let (parameter, ty) = iteration.parameter(source)?;
        let keeps_type = iteration.keeps_type(self);
        let room = if keeps_type { ty.clone() } else { self.room_of_all_steps(iteration, source)? };
        let mut place = || self.allocate(AddressSpace::Global, &parameter.name, &room, source);
        let after = match result {
            Some(result) if keeps_type => result.clone(),
            Some(_) | None => place()?,
        };
        let output = result.unwrap_or(&after).clone();
        Ok(Places { input, before: place()?, after, output })
    }

    /// The kernels of one application, and how often they are launched.
    fn launch_applications(
        &mut self,
        iteration: &Iteration<'_>,
        count: &Nat,
        places: &Places,
        environment: &Environment,
        source: Source,
    ) -> Generated<()> {
        let (parameter, ty) = iteration.parameter(source)?;
        let step = iteration.function.index.clone().filter(|step| self.steps.contains(step));
        let outside = self.ranges.clone();
        if let Some(step) = &step {
            self.ranges.declare(step, Nat::zero(), Some(count.clone()));
        }
        self.launches.push(count.clone());
        let first = self.done.bodies.len();
        let body = &iteration.function.body;
        let inside = environment.with(parameter, value_in(&places.before, ty));
        self.write(body, &inside, &value_in(&places.after, &body.ty))?;
        self.finish_kernel(source)?;
        self.launches.pop();
        self.ranges = outside;
        let mut arrays = Vec::new();
        alternations(places, &mut arrays);
        self.explain_launches(first, count, step.as_ref(), &arrays);
        let kernels = first..self.done.bodies.len();
        self.done.repetitions.push(Repetition { kernels, count: count.clone(), step, portion: None, arrays });
        Ok(())
    }

    /// Says in the kernels of an application, from a position on, how often they are launched, and with what.
    fn explain_launches(&mut self, first: usize, count: &Nat, step: Option<&Var>, arrays: &[Alternation]) {
        let name = |id: BufferId| self.buffers.get(id.0).map(|buffer| buffer.name.as_str());
        let pairs = arrays.iter().filter_map(|pair| {
            let (before, after) = (name(pair.before)?, name(pair.after)?);
            Some(format!("`{before}` and `{after}`"))
        });
        let pairs: Vec<String> = pairs.collect();
        let times = match count.as_constant() {
            Some(times) => times.to_string(),
            None => format!("`{count}`"),
        };
        let counted = step.and_then(|step| self.size_names.get(step));
        let counted = counted.map_or_else(String::new, |name| format!(", `{name}` counts"));
        for body in self.done.bodies.iter_mut().skip(first) {
            let text = format!(
                "iterate: launched {times} times{counted}; {} change places in between",
                pairs.join(", ")
            );
            body.insert(0, Statement::Comment(text));
        }
    }

    /// Ends a kernel that has written something; what it only prepares can stay.
    fn finish_work(&mut self, source: Source) -> Generated<()> {
        let stored = Uses::of(&self.block).stored;
        let is_global = |id: &BufferId| {
            self.buffers.get(id.0).is_some_and(|buffer| buffer.space() == AddressSpace::Global)
        };
        if stored.iter().any(is_global) { self.finish_kernel(source) } else { Ok(()) }
    }

    /// Copies an array, or nothing where a condition does not hold, by all work-items of the device.
    fn copy_by_device(
        &mut self,
        origin: &str,
        condition: Option<&Condition>,
        value: &Value,
        destination: &Value,
        ty: &Type,
        source: Source,
    ) -> Generated<()> {
        let (Type::Array(array), Value::Array(from), Value::Array(to)) = (ty, value, destination) else {
            return Err(Error::internal(source, "an array was expected"));
        };
        let dimensions = self.regular_dimensions(ty).clamp(1, DIMENSIONS);
        let workers: Vec<Workers> = (0..dimensions).rev().map(Workers::Global).collect();
        let Some((first, others)) = workers.split_first() else {
            return Err(Error::internal(source, "an array has a dimension"));
        };
        let length = match condition {
            Some(condition) => Nat::select(condition, &array.length, &Nat::zero()),
            None => array.length.clone(),
        };
        self.in_loop(*first, &length, origin, source, |generator, index| {
            let element = generator.access(from, &index, source)?;
            let place = generator.access(to, &index, source)?;
            generator.copy_by(others, &element, &place, &array.element_at(&index), source)
        })
    }

    /// The outer dimensions of which all arrays are equally long.
    fn regular_dimensions(&self, ty: &Type) -> u8 {
        match ty.as_array() {
            Some(array) if self.is_of_sizes(&array.length) => {
                1u8.saturating_add(self.regular_dimensions(&array.element))
            }
            _ => 0,
        }
    }

    /// The global memory in which an array lies without holes, from the start on, row by row; none where it is computed, seen
    /// through a layout that moves something, or elsewhere.
    fn dense_storage(&mut self, value: &Value, ty: &Type, source: Source) -> Generated<Option<Storage>> {
        let is_computed = |value: &Value| matches!(value, Value::Array(view) if view.is_computed());
        if is_computed(value) {
            return Ok(None);
        }
        let outside = self.ranges.clone();
        let newest = self.fresh.newest();
        let found = self.in_block(|generator| {
            let Some(storage) = generator.places(value, ty, None, source)? else { return Ok(None) };
            let dense = value_in(&storage, ty);
            generator.fresh.forget_since(newest);
            let same = generator.places(&dense, ty, Some(value), source)?;
            Ok(same.filter(|_| generator.block.is_empty()))
        });
        self.ranges = outside;
        Ok(found?.1)
    }

    /// The buffers that the scalars of a value lie in, from their starts; compared with another value, only if each scalar lies
    /// at the same place in both.
    fn places(
        &mut self,
        value: &Value,
        ty: &Type,
        other: Option<&Value>,
        source: Source,
    ) -> Generated<Option<Storage>> {
        match (ty, value, other) {
            (Type::Array(array), Value::Array(view), other) => {
                let index = self.fresh.unprinted("position");
                self.ranges.declare(&index, Nat::zero(), Some(array.length.clone()));
                let position = Nat::variable(&index);
                let element = self.access(view, &position, source)?;
                let other = match other {
                    Some(Value::Array(other)) => Some(self.access(other, &position, source)?),
                    Some(Value::Scalar(_) | Value::Tuple(_)) => return Ok(None),
                    None => None,
                };
                self.places(&element, &array.element_at(&position), other.as_ref(), source)
            }
            (Type::Tuple(types), Value::Tuple(parts), other) => {
                let mut storages = Vec::new();
                for (position, (ty, part)) in types.iter().zip(parts).enumerate() {
                    let other = match other {
                        Some(Value::Tuple(others)) => others.get(position),
                        Some(Value::Scalar(_) | Value::Array(_)) => return Ok(None),
                        None => None,
                    };
                    let Some(storage) = self.places(part, ty, other, source)? else { return Ok(None) };
                    storages.push(storage);
                }
                Ok(Some(Storage::Tuple(storages)))
            }
            (_, Value::Scalar(Expression::Load(buffer, index, _)), other) => {
                let is_global = self.buffers.get(buffer.0).is_some_and(|buffer| match buffer.role {
                    BufferRole::Parameter(_) | BufferRole::Result(_) | BufferRole::Temporary(_) => true,
                    BufferRole::Scratch(_)
                    | BufferRole::Local
                    | BufferRole::Private
                    | BufferRole::Constant(_) => false,
                });
                let same = match other {
                    Some(Value::Scalar(Expression::Load(_, other, _))) => {
                        self.ranges.is_equal(index, other) == Some(true)
                    }
                    Some(Value::Scalar(_) | Value::Tuple(_) | Value::Array(_)) => false,
                    None => true,
                };
                Ok((is_global && same).then(|| Storage::Buffer(*buffer, Nat::zero())))
            }
            _ => Ok(None),
        }
    }
}

/// Where the applications of a function read and write: see [`Alternation`].
struct Places {
    input: Storage,
    before: Storage,
    after: Storage,
    output: Storage,
}

/// The buffers that change places, component by component.
fn alternations(places: &Places, arrays: &mut Vec<Alternation>) {
    let Places { input, before, after, output } = places;
    match (input, before, after, output) {
        (
            Storage::Buffer(input, _),
            Storage::Buffer(before, _),
            Storage::Buffer(after, _),
            Storage::Buffer(output, _),
        ) => {
            arrays.push(Alternation { input: *input, before: *before, after: *after, output: *output });
        }
        (
            Storage::Tuple(inputs),
            Storage::Tuple(befores),
            Storage::Tuple(afters),
            Storage::Tuple(outputs),
        ) => {
            for (((input, before), after), output) in inputs.iter().zip(befores).zip(afters).zip(outputs) {
                let component = Places {
                    input: input.clone(),
                    before: before.clone(),
                    after: after.clone(),
                    output: output.clone(),
                };
                alternations(&component, arrays);
            }
        }
        (Storage::Buffer(..) | Storage::Tuple(_), _, _, _) => {}
    }
}
