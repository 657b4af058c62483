//! An `iterate` as a loop of the launcher. The first application reads the input where it lies and the last
//! one writes where the result goes, so that nothing is copied, unless one of them has no place of its own in
//! global memory. If the length of the array changes, it is a formula in the number of the application. The
//! launcher counts applications, kernels get the number as an argument, and their launch sizes depend on it.

use super::applications::Iterate;
use super::error::Error;
use super::generator::{Generated, Generator};
use super::values::value_in;
use std::sync::Arc;

use crate::ir::kernel::{Alternation, BufferId, End, Repetition, Statement, Workers, Writes};
use crate::ir::nat::{Condition, Nat, Var};
use crate::ir::scalar::ScalarType;
use crate::ir::source::Source;
use crate::ir::typed::binders::mentions;
use crate::ir::typed::{AddressSpace, Binding, DIMENSIONS, Expr, ExprKind};
use crate::ir::types::Type;
use crate::middle::view::{Environment, Storage, Value};

/// Where the applications of a function read and write: see [`Alternation`].
struct Places {
    input: Storage,
    before: Storage,
    after: Storage,
    output: Storage,
}

impl Generator<'_> {
    /// Generates the kernels of one application, and copies where the input or the result has no place of its
    /// own.
    pub(super) fn iterate_by_launches(
        &mut self,
        iterate: &Iterate<'_>,
        expr: &Expr,
        environment: &Environment,
        destination: &Value,
    ) -> Generated<()> {
        let source = expr.source;
        let (parameter, _) = iterate.parameter(source)?;
        let (first, last) = (&iterate.input.ty, &expr.ty);
        let count = self.ranges.simplify(iterate.count);
        let value = self.value(iterate.input, environment)?;
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
        let places = self.places_of_applications(iterate, input, result.as_ref(), source)?;
        self.launch_applications(iterate, &count, &places, environment, source)?;
        if !iterate.function.may_end() && self.ranges.is_at_most(&Nat::one(), &count) != Some(true) {
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

    /// The buffers that applications read and write. If the length changes, they have room for the longest
    /// array; the buffer of the result need not.
    fn places_of_applications(
        &mut self,
        iterate: &Iterate<'_>,
        input: Storage,
        result: Option<&Storage>,
        source: Source,
    ) -> Generated<Places> {
        let (parameter, ty) = iterate.parameter(source)?;
        let keeps_type = iterate.keeps_type(self);
        let room = if keeps_type { ty.clone() } else { self.room_of_all_applications(iterate, source)? };
        let mut place = || self.allocate(AddressSpace::Global, &parameter.name, &room, source);
        let after = match result {
            Some(result) if keeps_type => result.clone(),
            Some(_) | None => place()?,
        };
        let output = result.unwrap_or(&after).clone();
        Ok(Places { input, before: place()?, after, output })
    }

    /// Generates the kernels of one application, and records how often they are launched.
    fn launch_applications(
        &mut self,
        iterate: &Iterate<'_>,
        count: &Nat,
        places: &Places,
        environment: &Environment,
        source: Source,
    ) -> Generated<()> {
        let (parameter, ty) = iterate.parameter(source)?;
        let counter =
            iterate.function.index.clone().filter(|counter| self.application_counters.contains(counter));
        let outside = self.ranges.clone();
        if let Some(counter) = &counter {
            self.ranges.declare(counter, Nat::zero(), Some(count.clone()));
        }
        self.launches.push(count.clone());
        let first = self.done.bodies.len();
        let body = &iterate.function.body;
        let (before, after) = (value_in(&places.before, ty), value_in(&places.after, &body.ty));
        let inside = environment.with(parameter, before.clone());
        let end = match body.end() {
            Some(_) => Some(self.write_or_end(body, &inside, &after)?),
            None => {
                self.write(body, &inside, &after)?;
                None
            }
        };
        self.finish_kernel(source)?;
        self.launches.pop();
        self.ranges = outside;
        let mut arrays = Vec::new();
        alternations(places, &mut arrays);
        self.explain_launches(first, count, end.is_some(), counter.as_ref(), &arrays);
        let end = match end {
            Some((condition, goes_on)) => {
                let behind = self.done.bodies.len();
                self.copy_by_device("the last result", None, &before, &after, ty, source)?;
                self.finish_kernel(source)?;
                let copies = self.done.bodies.len() - behind;
                Some(End { condition: condition - first, goes_on, copies })
            }
            None => None,
        };
        let kernels = first..self.done.bodies.len();
        self.done.repetitions.push(Repetition {
            kernels,
            count: count.clone(),
            step: counter,
            portion: None,
            arrays,
            end,
        });
        Ok(())
    }

    /// Generates the kernels that find out whether there is an application, and those of the application.
    /// Returns the number of all kernels up to the former, and where these store what they find. What only
    /// the application needs comes behind them.
    fn write_or_end(
        &mut self,
        body: &Arc<Expr>,
        environment: &Environment,
        destination: &Value,
    ) -> Generated<(usize, BufferId)> {
        let source = body.source;
        let (bindings, body) = match &body.kind {
            ExprKind::Let { bindings, body } => (bindings.as_slice(), body),
            _ => (&[][..], body),
        };
        let Some((condition, next)) = body.end() else {
            return Err(Error::internal(source, "an `iterate` that does not end"));
        };
        let (early, late) = needed_for(condition, bindings);
        let inside = self.bound(&early, body, environment)?;
        let holds = self.scalar(condition, &inside)?;
        let ty = Type::array(Type::Scalar(ScalarType::Bool), Nat::one());
        let Storage::Buffer(goes_on, _) = self.allocate(AddressSpace::Global, "goes_on", &ty, source)? else {
            return Err(Error::internal(source, "a truth value is no tuple"));
        };
        self.block.push(Statement::Store(goes_on, Nat::zero(), holds));
        self.finish_kernel(source)?;
        let condition = self.done.bodies.len();
        let inside = self.bound(&late, next, &inside)?;
        self.write(next, &inside, destination)?;
        Ok((condition, goes_on))
    }

    /// Adds a comment to the kernels from position `first` on: how often they are launched, and which buffers
    /// change places.
    fn explain_launches(
        &mut self,
        first: usize,
        count: &Nat,
        may_end: bool,
        counter: Option<&Var>,
        arrays: &[Alternation],
    ) {
        let name = |id: BufferId| self.buffers.get(id.0).map(|buffer| &*buffer.name);
        let pairs = arrays.iter().filter_map(|pair| {
            let (before, after) = (name(pair.before)?, name(pair.after)?);
            Some(format!("`{before}` and `{after}`"))
        });
        let pairs: Vec<String> = pairs.collect();
        let times = match count.as_constant() {
            Some(times) => times.to_string(),
            None => format!("`{count}`"),
        };
        let (name, times) = match may_end {
            true => ("iterateWhile", format!("at most {times}")),
            false => ("iterate", times),
        };
        let counted = counter.and_then(|counter| self.size_names.get(counter));
        let counted = counted.map_or_else(String::new, |name| format!(", `{name}` counts"));
        for body in self.done.bodies.iter_mut().skip(first) {
            let text = format!(
                "{name}: launched {times} times{counted}; {} change places in between",
                pairs.join(", ")
            );
            body.insert(0, Statement::Comment(text));
        }
    }

    /// Ends the current kernel if it has written to global memory. Otherwise its statements can stay.
    fn finish_work(&mut self, source: Source) -> Generated<()> {
        let stored = Writes::of(&self.block).stored;
        let is_global = |id: &BufferId| {
            self.buffers.get(id.0).is_some_and(|buffer| buffer.space() == AddressSpace::Global)
        };
        if stored.iter().any(is_global) { self.finish_kernel(source) } else { Ok(()) }
    }

    /// Copies an array with all work-items of the device. If a condition is given and does not hold, nothing
    /// is copied.
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

    /// The number of outer dimensions in which all rows have one length.
    fn regular_dimensions(&self, ty: &Type) -> u8 {
        match ty.as_array() {
            Some(array) if self.is_of_sizes(&array.length) => {
                1u8.saturating_add(self.regular_dimensions(&array.element))
            }
            _ => 0,
        }
    }
}

/// The `let`s that an expression needs, and the others; both in order.
fn needed_for(expr: &Expr, bindings: &[Binding]) -> (Vec<Binding>, Vec<Binding>) {
    let (mut needed, mut others) = (Vec::new(), Vec::new());
    for binding in bindings.iter().rev() {
        let is_needed = mentions(expr, &binding.variable)
            || needed.iter().any(|needed: &Binding| mentions(&needed.value, &binding.variable));
        if is_needed { &mut needed } else { &mut others }.push(binding.clone());
    }
    needed.reverse();
    others.reverse();
    (needed, others)
}

/// Collects the buffers that change places, component by component.
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
