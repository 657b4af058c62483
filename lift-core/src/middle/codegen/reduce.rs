//! Reductions by one work-item or one work-group, in order.
//!
//! An accumulator of scalars becomes variables. An accumulator that is an array is one of
//! three:
//!
//! - private memory, which may become registers, and which the work-items of a group divide among them. An
//!   iteration writes a second array and then copies it back; copies of elements that depend only on
//!   themselves are removed later;
//! - an array of which a step replaces one element (`update`);
//! - a double-buffered array (`double_buffering`), from which an iteration may read any element. That is so
//!   if the function says `toLocal` or `toGlobal`, if the array is too long, or if a kernel for any launch
//!   does not know how many work-items divide it.

use std::borrow::Cow;
use std::sync::Arc;

use super::double_buffering::collect_buffers;
use super::error::{Error, Problem};
use super::generator::{Generated, Generator};
use super::sliding::Rolling;
use super::values::{array_of, scalar, value_in};
use crate::ir::kernel::{Expression, Order, Statement, Workers};
use crate::ir::nat::Nat;
use crate::ir::scalar::{BinaryOperator, ScalarType};
use crate::ir::source::Source;
use crate::ir::typed::{AddressSpace, Expr, ExprKind, Lambda, Pinning, ReduceKind};
use crate::ir::types::Type;
use crate::middle::lower::{is_producer, is_shared_work};
use crate::middle::memory::stated_space;
use crate::middle::memory::workers_by_dimension;
use crate::middle::view::{Environment, Value, View};

/// A reduction.
#[derive(Clone, Copy)]
pub(super) struct Reduction<'e> {
    pub(super) kind: ReduceKind,
    pub(super) function: &'e Lambda,
    pub(super) initial: &'e Expr,
    pub(super) input: &'e Expr,
}

/// The input of a reduction, with the sliding windows in it that are kept in registers.
pub(super) struct Elements {
    view: View,
    length: Nat,
    rolling: Vec<Rolling>,
    /// The position of the reduction in the source.
    pub(super) source: Source,
}

impl Generator<'_> {
    /// The input of a reduction.
    pub(super) fn elements(
        &mut self,
        reduction: &Reduction<'_>,
        environment: &Environment,
        source: Source,
    ) -> Generated<Elements> {
        let Some(array) = array_of(&reduction.input.ty) else {
            return Err(Error::internal(source, "a reduction of a scalar"));
        };
        let mut rolling = Vec::new();
        let view = match reduction.kind {
            ReduceKind::Unrolled | ReduceKind::Pipelined | ReduceKind::Global | ReduceKind::Local => {
                self.view(reduction.input, environment)?
            }
            ReduceKind::Unspecified | ReduceKind::Sequential | ReduceKind::While => {
                self.rolling_view(reduction.input, environment, &mut rolling)?
            }
        };
        Ok(Elements { view, length: array.length.clone(), rolling, source })
    }

    /// The value of a reduction that is done in order.
    pub(super) fn reduce(
        &mut self,
        reduction: &Reduction<'_>,
        expr: &Expr,
        environment: &Environment,
    ) -> Generated<Value> {
        let source = expr.source;
        if reduction.kind.sharing().is_some() {
            return self.reduce_together(reduction, expr, environment);
        }
        let input = self.elements(reduction, environment, source)?;
        if expr.ty.is_element() {
            return self.reduce_to_element(reduction, &input, environment);
        }
        let next = reduction.next();
        if is_shared_work(reduction.initial) || is_shared_work(next) {
            return Err(Error::new(source, Problem::SharedAccumulator));
        }
        match self.space_for(next) {
            space @ (AddressSpace::Private | AddressSpace::Global) if self.is_updated(reduction) => {
                self.reduce_by_updates(space, reduction, &input, environment)
            }
            space @ (AddressSpace::Private | AddressSpace::Global)
                if let Some(parts) = self.updated_parts(reduction) =>
            {
                self.reduce_by_part_updates((space, &parts), reduction, &input, environment)
            }
            AddressSpace::Private => {
                self.reduce_beside(AddressSpace::Private, reduction, &input, environment)
            }
            // Which of two halves holds the result depends on the iteration that ended it.
            space if reduction.kind == ReduceKind::While => {
                let space = stated_space(next).or((space == AddressSpace::Global).then_some(space));
                let space = space.unwrap_or(AddressSpace::Private);
                self.reduce_beside(space, reduction, &input, environment)
            }
            space @ (AddressSpace::Local | AddressSpace::Global) if stated_space(next) == Some(space) => {
                self.reduce_in_halves(space, reduction, &input, environment)
            }
            // A kernel for any launch does not know how many work-items share the array. If the number of
            // such arrays in a group is not known either, `device::passes::demotion` refuses them.
            AddressSpace::Local if self.pinning() == Pinning::Any && self.is_bounded_in_group() => {
                self.reduce_in_halves(AddressSpace::Local, reduction, &input, environment)
            }
            // The work-items of a group compute it together, each its own elements.
            AddressSpace::Local => self.reduce_beside(AddressSpace::Private, reduction, &input, environment),
            AddressSpace::Global => {
                self.reduce_in_halves(AddressSpace::Global, reduction, &input, environment)
            }
        }
    }

    fn reduce_to_element(
        &mut self,
        reduction: &Reduction<'_>,
        input: &Elements,
        environment: &Environment,
    ) -> Generated<Value> {
        let accumulator = self.accumulator(&reduction.accumulator(), reduction.initial, environment)?;
        self.iterations(reduction, input, &accumulator, environment, |generator, next, environment| {
            let next = match next {
                Next::Computed(value) => value,
                Next::Expr(next) => generator.value(next, environment)?,
            };
            generator.assign(&accumulator, next, input.source)
        })?;
        Ok(accumulator)
    }

    /// The iterations of a reduction by one worker; `compute` replaces the accumulator by the next one.
    pub(super) fn iterations(
        &mut self,
        reduction: &Reduction<'_>,
        input: &Elements,
        accumulator: &Value,
        environment: &Environment,
        mut compute: impl FnMut(&mut Self, Next<'_>, &Environment) -> Generated<()>,
    ) -> Generated<()> {
        if let Some(bound) = trip_bound(reduction) {
            return self.counted(reduction, input, bound, accumulator, environment, compute);
        }
        self.reduction_loop(reduction.kind, input, |generator: &mut Self, index: Nat| {
            let (environment, function) =
                generator.bind_iteration(reduction, input, accumulator, &index, environment)?;
            match reduction.kind {
                ReduceKind::While => generator.next_or_break(&function.body, &environment, &mut compute),
                ReduceKind::Unspecified
                | ReduceKind::Sequential
                | ReduceKind::Pipelined
                | ReduceKind::Unrolled
                | ReduceKind::Global
                | ReduceKind::Local => compute(generator, Next::Expr(&function.body), &environment),
            }
        })
    }

    /// The iterations of a `reduceWhile` that goes on while its position is less than a number which no
    /// iteration changes. How many there are is known before the first one, so that compilers can load ahead.
    fn counted(
        &mut self,
        reduction: &Reduction<'_>,
        input: &Elements,
        bound: &Expr,
        accumulator: &Value,
        environment: &Environment,
        mut compute: impl FnMut(&mut Self, Next<'_>, &Environment) -> Generated<()>,
    ) -> Generated<()> {
        let bound = self.scalar(bound, environment)?;
        let count = self.index_from_data(bound, &(&input.length + Nat::one()));
        let origin = (reduction.kind.name(), input.source);
        self.in_loop_with_end(&count, origin, |generator, index| {
            generator.positions_from_data.extend(index.as_variable().cloned());
            let (environment, function) =
                generator.bind_iteration(reduction, input, accumulator, &index, environment)?;
            let (_, next) = step_of(&function.body).ok_or_else(|| {
                Error::internal(input.source, "a truth value and an accumulator were expected")
            })?;
            compute(generator, Next::Expr(next), &environment)?;
            generator.make_room(&input.rolling)
        })?;
        self.unroll_for(&input.rolling);
        Ok(())
    }

    /// Computes the next accumulator of a `reduceWhile`; the loop ends where there is none. What stands in
    /// the second part of the pair is computed after that is known.
    fn next_or_break(
        &mut self,
        body: &Expr,
        environment: &Environment,
        compute: &mut dyn FnMut(&mut Self, Next<'_>, &Environment) -> Generated<()>,
    ) -> Generated<()> {
        match &body.kind {
            ExprKind::Let { bindings, body } => {
                let inside = self.bound(bindings, body, environment)?;
                self.next_or_break(body, &inside, compute)
            }
            ExprKind::Tuple(parts) if let [goes_on, next] = parts.as_slice() => {
                if !goes_on.is_literal(true) {
                    let goes_on = self.scalar(goes_on, environment)?;
                    self.block.push(Statement::BreakUnless(goes_on));
                }
                compute(self, Next::Expr(next), environment)
            }
            // One branch ends the loop, and the other one goes on.
            ExprKind::If(condition, then, otherwise) if ends(then) != ends(otherwise) => {
                let condition = self.scalar(condition, environment)?;
                let (goes_on, branch) = match ends(then) {
                    true => (condition.negated(), otherwise),
                    false => (condition, then),
                };
                self.block.push(Statement::BreakUnless(goes_on));
                self.next_or_break(branch, environment, compute)
            }
            _ => match self.value(body, environment)? {
                Value::Tuple(parts) => match <[Value; 2]>::try_from(parts) {
                    Ok([Value::Scalar(goes_on), next]) => {
                        self.block.push(Statement::BreakUnless(goes_on));
                        compute(self, Next::Computed(next), environment)
                    }
                    Ok(_) | Err(_) => Err(Error::internal(body.source, "a truth value was expected")),
                },
                Value::Scalar(_) | Value::Array(_) => {
                    Err(Error::internal(body.source, "a truth value and an accumulator were expected"))
                }
            },
        }
    }

    /// A reduction whose accumulator is an array beside which an iteration writes the next one.
    fn reduce_beside(
        &mut self,
        space: AddressSpace,
        reduction: &Reduction<'_>,
        input: &Elements,
        environment: &Environment,
    ) -> Generated<Value> {
        let accumulator = self.accumulator_in_memory(space, reduction, environment)?;
        let other = match space {
            AddressSpace::Private => None,
            AddressSpace::Local | AddressSpace::Global => {
                Some(self.array_of_worker(space, "next", reduction.next())?)
            }
        };
        self.iterations(reduction, input, &accumulator, environment, |generator, next, environment| {
            let Next::Expr(next) = next else {
                return Err(Error::new(input.source, Problem::ArrayBranches));
            };
            match &other {
                None => generator.iteration_in_memory(next, environment, &accumulator),
                Some(other) => generator.iteration_beside(next, environment, other, &accumulator),
            }
        })?;
        if self.around.is_empty() && space == AddressSpace::Global {
            self.finish_kernel(input.source)?;
        }
        Ok(accumulator)
    }

    /// An array of a worker, in a memory that workers may share.
    pub(super) fn array_of_worker(
        &mut self,
        space: AddressSpace,
        name: &str,
        stored: &Expr,
    ) -> Generated<Value> {
        let room = self.room(&stored.ty, stored.source)?;
        let storage = self.storage_of_worker(space, name, &room, stored, &stored.ty)?;
        Ok(value_in(&storage, &stored.ty))
    }

    /// A reduction whose accumulator is a double-buffered array.
    fn reduce_in_halves(
        &mut self,
        space: AddressSpace,
        reduction: &Reduction<'_>,
        input: &Elements,
        environment: &Environment,
    ) -> Generated<Value> {
        let body = &reduction.function.body;
        self.check_space(space, body)?;
        let room = self.room(&body.ty, input.source)?;
        let mut halves = self.halves(space, &reduction.accumulator(), room, body)?;
        let first = value_in(&halves.half(self, &Nat::zero()), &body.ty);
        self.store_initial(reduction.initial, body, space, &first, environment)?;
        let iteration = |generator: &mut Self, index: Nat| {
            let before = value_in(&halves.half(generator, &index), &body.ty);
            let after = value_in(&halves.half(generator, &(&index + Nat::one())), &body.ty);
            let (environment, function) =
                generator.bind_iteration(reduction, input, &before, &index, environment)?;
            generator.write(&function.body, &environment, &after)?;
            generator.update_in_place(&mut halves, &index);
            generator.make_room(&input.rolling)
        };
        let origin = reduction.kind.name();
        match reduction.kind {
            ReduceKind::Unspecified
            | ReduceKind::Sequential
            | ReduceKind::Pipelined
            | ReduceKind::While
            | ReduceKind::Global
            | ReduceKind::Local => {
                self.in_loop(Workers::Sequential, &input.length, origin, input.source, iteration)?;
            }
            ReduceKind::Unrolled => self.unrolled(&input.length, origin, input.source, iteration)?,
        }
        self.unroll_for(&input.rolling);
        if reduction.kind != ReduceKind::Unrolled {
            self.explain_halves(&halves);
        }
        let result = value_in(&halves.half(self, &input.length), &body.ty);
        if self.around.is_empty() && space == AddressSpace::Global {
            self.finish_kernel(input.source)?;
        }
        Ok(result)
    }

    /// The function of the iteration at a position, and the environment with its parameters bound.
    pub(super) fn bind_iteration(
        &mut self,
        reduction: &Reduction<'_>,
        input: &Elements,
        accumulator: &Value,
        index: &Nat,
        environment: &Environment,
    ) -> Generated<(Environment, Lambda)> {
        if reduction.kind == ReduceKind::Pipelined {
            self.note_pipelined(index);
        }
        self.advance(&input.rolling, index)?;
        let element = self.access(&input.view, index, input.source)?;
        let function = self.positioned(reduction.function, index)?.into_owned();
        let arguments = vec![accumulator.clone(), element];
        let environment = self.bind(&function, arguments, environment, input.source)?;
        Ok((environment, function))
    }

    pub(super) fn reduction_loop(
        &mut self,
        kind: ReduceKind,
        input: &Elements,
        mut iteration: impl FnMut(&mut Self, Nat) -> Generated<()>,
    ) -> Generated<()> {
        let iteration = |generator: &mut Self, index: Nat| {
            iteration(generator, index)?;
            generator.make_room(&input.rolling)
        };
        match kind {
            ReduceKind::While => {
                self.in_loop_with_end(&input.length, (kind.name(), input.source), iteration)?;
            }
            ReduceKind::Unspecified | ReduceKind::Sequential | ReduceKind::Pipelined => {
                let order = match kind {
                    ReduceKind::Unspecified => Order::Any,
                    ReduceKind::Sequential
                    | ReduceKind::Pipelined
                    | ReduceKind::Unrolled
                    | ReduceKind::While
                    | ReduceKind::Global
                    | ReduceKind::Local => Order::Stated,
                };
                self.in_loop_over(
                    &[&input.view],
                    &input.length,
                    order,
                    (kind.name(), input.source),
                    iteration,
                )?;
            }
            ReduceKind::Global => {
                self.in_loop(Workers::Global(0), &input.length, kind.name(), input.source, iteration)?;
            }
            ReduceKind::Local => {
                self.in_loop(Workers::Local(0), &input.length, kind.name(), input.source, iteration)?;
            }
            ReduceKind::Unrolled => self.unrolled(&input.length, kind.name(), input.source, iteration)?,
        }
        self.unroll_for(&input.rolling);
        Ok(())
    }

    /// Marks the innermost loop for software pipelining, if `index` is its index.
    fn note_pipelined(&mut self, index: &Nat) {
        if let Some(innermost) = self.around.last().filter(|innermost| index.mentions(&innermost.index)) {
            self.notes.pipelined.insert(innermost.index.clone());
        }
    }

    /// Declares an accumulator of scalars that holds the initial value.
    pub(super) fn accumulator(
        &mut self,
        wanted: &str,
        initial: &Expr,
        environment: &Environment,
    ) -> Generated<Value> {
        let initial_value = self.value(initial, environment)?;
        self.initialise(wanted, initial_value, initial.source)
    }

    /// Makes an array for the accumulator and stores the initial value in it. Each work-item stores the
    /// elements that it will compute in every iteration.
    pub(super) fn accumulator_in_memory(
        &mut self,
        space: AddressSpace,
        reduction: &Reduction<'_>,
        environment: &Environment,
    ) -> Generated<Value> {
        let (initial, next, name) = (reduction.initial, reduction.next(), reduction.accumulator());
        if space != AddressSpace::Private {
            self.check_space(space, next)?;
            let place = self.array_of_worker(space, &name, next)?;
            self.store_initial(initial, next, space, &place, environment)?;
            return Ok(place);
        }
        let space = stated_space(initial).unwrap_or(space);
        let storage = self
            .allocate(space, &name, &next.ty, initial.source)
            .map_err(|error| error.of_accumulator(&next.ty))?;
        collect_buffers(&storage, &mut self.notes.accumulators);
        let place = value_in(&storage, &next.ty);
        if is_producer(initial) {
            self.write(initial, environment, &place)?;
            return Ok(place);
        }
        let value = self.value(initial, environment)?;
        let workers = workers_by_dimension(next);
        self.copy_by(&workers, &value, &place, &initial.ty, initial.source)?;
        Ok(place)
    }

    /// Declares variables with an initial value, even for a trivial one, because they will change.
    pub(super) fn initialise(&mut self, wanted: &str, value: Value, source: Source) -> Generated<Value> {
        match value {
            Value::Scalar(expression) => {
                let variable = self.declare(wanted, expression);
                Ok(scalar(Expression::Variable(variable)))
            }
            Value::Tuple(parts) => {
                let parts = parts
                    .into_iter()
                    .enumerate()
                    .map(|(position, part)| self.initialise(&format!("{wanted}_{position}"), part, source))
                    .collect::<Generated<_>>()?;
                Ok(Value::Tuple(parts))
            }
            Value::Array(_) => Err(Error::internal(source, "an accumulator of scalars was expected")),
        }
    }

    /// One iteration of a reduction whose accumulator is an array: writes the next value into a second array
    /// and then copies it back, so that the function may read any element of the accumulator.
    pub(super) fn iteration_in_memory(
        &mut self,
        body: &Expr,
        environment: &Environment,
        accumulator: &Value,
    ) -> Generated<()> {
        let storage = self
            .allocate(AddressSpace::Private, "next", &body.ty, body.source)
            .map_err(|error| error.of_accumulator(&body.ty))?;
        collect_buffers(&storage, &mut self.notes.accumulators);
        let next = value_in(&storage, &body.ty);
        self.iteration_beside(body, environment, &next, accumulator)
    }

    /// The same, with this second array.
    fn iteration_beside(
        &mut self,
        body: &Expr,
        environment: &Environment,
        next: &Value,
        accumulator: &Value,
    ) -> Generated<()> {
        self.write(body, environment, next)?;
        self.copy_by(&workers_by_dimension(body), next, accumulator, &body.ty, body.source)
    }

    /// Stores the array that the first iteration reads. Each work-item stores the elements that it writes in
    /// every iteration.
    pub(super) fn store_initial(
        &mut self,
        initial: &Expr,
        body: &Expr,
        space: AddressSpace,
        place: &Value,
        environment: &Environment,
    ) -> Generated<()> {
        let workers = workers_by_dimension(body);
        let fits = workers_by_dimension(initial) == workers
            && stated_space(initial).is_none_or(|stated| stated == space);
        if is_producer(initial) && fits && !is_shared_work(initial) {
            return self.write(initial, environment, place);
        }
        let value = self.value(initial, environment)?;
        self.copy_by(&workers, &value, place, &initial.ty, initial.source)
    }
}

/// The next accumulator.
pub(super) enum Next<'e> {
    /// It is still to be computed.
    Expr(&'e Arc<Expr>),
    /// It was computed together with the truth value of a `reduceWhile`.
    Computed(Value),
}

impl<'e> Reduction<'e> {
    /// An expression, if it is a reduction.
    pub(super) fn of(expr: &'e Expr) -> Option<Reduction<'e>> {
        let ExprKind::Reduce(kind, function, initial, input) = &expr.kind else { return None };
        Some(Reduction { kind: *kind, function, initial, input })
    }

    /// The user's name for the accumulator.
    pub(super) fn accumulator(&self) -> String {
        self.function.parameters.first().map_or("accumulator", |(variable, _)| &variable.name).to_string()
    }

    /// The step without the truth value of a `reduceWhile`, and without the numbers that it binds for both.
    /// `None` where no pair is written out, or where the step binds an array, such as a row of the
    /// accumulator: its elements would be read where they are used, after an update has changed them.
    pub(super) fn step(&self) -> Option<Cow<'e, Lambda>> {
        if self.kind != ReduceKind::While {
            return Some(Cow::Borrowed(self.function));
        }
        let pair = match &self.function.body.kind {
            ExprKind::Let { bindings, body } => {
                bindings.iter().all(|binding| binding.value.ty.is_element()).then_some(body)?
            }
            _ => &self.function.body,
        };
        let (_, next) = step_of(pair)?;
        Some(Cow::Owned(Lambda { body: next.clone(), ..self.function.clone() }))
    }

    /// What computes the next accumulator.
    pub(super) fn next(&self) -> &'e Arc<Expr> {
        match self.kind {
            ReduceKind::While => next_of(&self.function.body),
            ReduceKind::Unspecified
            | ReduceKind::Sequential
            | ReduceKind::Pipelined
            | ReduceKind::Unrolled
            | ReduceKind::Global
            | ReduceKind::Local => &self.function.body,
        }
    }
}

/// What computes the next accumulator in a step of a `reduceWhile`, where the step says so.
fn next_of(step: &Arc<Expr>) -> &Arc<Expr> {
    match &step.kind {
        ExprKind::Let { body, .. } => next_of(body),
        ExprKind::If(_, then, otherwise) => next_of(if ends(then) { otherwise } else { then }),
        ExprKind::Tuple(parts) if let [_, next] = parts.as_slice() => next,
        _ => step,
    }
}

/// Whether a step of a `reduceWhile` is known to end it.
fn ends(step: &Expr) -> bool {
    match &step.kind {
        ExprKind::Let { body, .. } => ends(body),
        ExprKind::Tuple(parts) => parts.first().is_some_and(|goes_on| goes_on.is_literal(false)),
        _ => false,
    }
}

/// The truth value and the next accumulator that a step of a `reduceWhile` gives.
fn step_of(body: &Expr) -> Option<(&Arc<Expr>, &Arc<Expr>)> {
    let ExprKind::Tuple(parts) = &body.kind else { return None };
    let [goes_on, next] = parts.as_slice() else { return None };
    Some((goes_on, next))
}

/// The number that the positions of a `reduceWhile` must be less than, if that is all that decides whether it
/// goes on, and no work to compute.
fn trip_bound<'e>(reduction: &Reduction<'e>) -> Option<&'e Expr> {
    let function = reduction.function;
    let index = function.index.as_ref().filter(|_| reduction.kind == ReduceKind::While)?;
    let (goes_on, _) = step_of(&function.body)?;
    let ExprKind::Binary(BinaryOperator::Less, position, bound) = &goes_on.kind else { return None };
    let is_position = matches!(&position.kind, ExprKind::Size(size) if size.as_variable() == Some(index));
    let is_outside = match &bound.kind {
        ExprKind::Variable(variable) => function.parameters.iter().all(|(own, _)| own.id != variable.id),
        ExprKind::Literal(_) => true,
        _ => false,
    };
    (is_position && is_outside && position.ty == Type::Scalar(ScalarType::I64)).then_some(&**bound)
}
