//! Tuples as accumulators, where each step replaces one element of an array:
//! `reduceSeq(|(table, n), x| (update(x, n, table), n + 1), z)`.
//!
//! As for an accumulator that is one array (`update`), a step writes that one element, and leaves all others
//! where they are. What a part other than the array reads of it is the array before the step. So numbers and
//! new elements that read another array are computed before any element is written.

use std::sync::Arc;

use super::error::Error;
use super::generator::{Generated, Generator};
use super::reduce::{Elements, Next, Reduction};
use super::update::{FEW_REGISTERS, InPlace};
use crate::ir::source::Source;
use crate::ir::typed::keyed::{MOST_BINDINGS, Update, written_out};
use crate::ir::typed::{AddressSpace, Expr, ExprKind, ReduceKind, Variable};
use crate::ir::types::Type;
use crate::middle::view::{Environment, Value};

/// What a step does with a part of its accumulator.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// An array that stays as it is.
    Kept,
    /// An array with one other element. It is computed `before` any array is updated if it reads another one
    /// that is updated.
    Updated { before: bool },
    /// A number, computed `before` any array is updated if it reads one that is.
    Computed { before: bool },
}

impl Generator<'_> {
    /// What the steps of a reduction do with the parts of its accumulator, if they can do it where it is.
    pub(super) fn updated_parts(&self, reduction: &Reduction<'_>) -> Option<Vec<Part>> {
        let Type::Tuple(types) = &reduction.initial.ty else { return None };
        let is_long = |ty: &Type| {
            ty.as_array().is_some_and(|array| {
                let length = self.ranges.simplify(&array.length).as_constant();
                length.is_none_or(|length| length > FEW_REGISTERS)
            })
        };
        let parts = parts_of_step(reduction)?;
        let any_is_long = types.iter().zip(&parts).any(|(ty, part)| part.is_updated() && is_long(ty));
        any_is_long.then_some(parts)
    }

    /// A reduction whose accumulator is updated in place.
    pub(super) fn reduce_by_part_updates(
        &mut self,
        (space, parts): (AddressSpace, &[Part]),
        reduction: &Reduction<'_>,
        input: &Elements,
        environment: &Environment,
    ) -> Generated<Value> {
        let accumulator = self.accumulator_in_memory(space, reduction, environment)?;
        self.iterations(reduction, input, &accumulator, environment, |generator, next, environment| {
            let Next::Expr(next) = next else {
                return Err(Error::internal(input.source, "a tuple was expected"));
            };
            generator.update_parts(parts, next, &accumulator, environment)
        })?;
        if self.around.is_empty() && space == AddressSpace::Global {
            self.finish_kernel(input.source)?;
        }
        Ok(accumulator)
    }

    /// A step.
    fn update_parts(
        &mut self,
        parts: &[Part],
        next: &Arc<Expr>,
        accumulator: &Value,
        environment: &Environment,
    ) -> Generated<()> {
        let source = next.source;
        let (environment, next) = match &next.kind {
            ExprKind::Let { bindings, body } => (self.bound(bindings, body, environment)?, body),
            _ => (environment.clone(), next),
        };
        let (ExprKind::Tuple(next), Value::Tuple(places)) = (&next.kind, accumulator) else {
            return Err(Error::internal(source, "a tuple was expected"));
        };
        let mut computed = Vec::new();
        for (part, next) in parts.iter().zip(next) {
            computed.push(self.computed_before(*part, next, &environment)?);
        }
        let (mut changed, mut values) = (Vec::new(), Vec::new());
        for (((part, next), place), computed) in parts.iter().zip(next).zip(places).zip(computed) {
            match (part, computed) {
                (Part::Kept, _) => {}
                (Part::Updated { .. }, computed) => {
                    self.update_part((next, computed), place, &environment, source)?;
                }
                (Part::Computed { .. }, computed) => {
                    changed.push(place.clone());
                    values.push((next, computed));
                }
            }
        }
        let value = |(next, computed): (&Arc<Expr>, Option<Value>)| match computed {
            Some(value) => Ok(value),
            None => self.value(next, &environment),
        };
        let values = values.into_iter().map(value).collect::<Generated<Vec<_>>>()?;
        self.assign(&Value::Tuple(changed), Value::Tuple(values), source)
    }

    /// What must be computed for a part before arrays are updated: a number, or the position and the new
    /// element of an array.
    fn computed_before(
        &mut self,
        part: Part,
        next: &Arc<Expr>,
        environment: &Environment,
    ) -> Generated<Option<Value>> {
        let source = next.source;
        match part {
            Part::Computed { before: true } => {
                let value = self.value(next, environment)?;
                self.initialise("next", value, source).map(Some)
            }
            Part::Updated { before: true } => {
                let Some(update) = Update::of(next) else {
                    return Err(Error::internal(source, "an update of an array was expected"));
                };
                let position = self.scalar(update.position, environment)?;
                let position = self.initialise("position", Value::Scalar(position), source)?;
                let new = self.value(update.new, environment)?;
                let new = self.initialise("next", new, source)?;
                Ok(Some(Value::Tuple(vec![position, new])))
            }
            Part::Kept | Part::Computed { before: false } | Part::Updated { before: false } => Ok(None),
        }
    }

    fn update_part(
        &mut self,
        (next, computed): (&Expr, Option<Value>),
        place: &Value,
        environment: &Environment,
        source: Source,
    ) -> Generated<()> {
        let (Some(update), Value::Array(view), Some(array)) = (Update::of(next), place, next.ty.as_array())
        else {
            return Err(Error::internal(source, "an update of an array was expected"));
        };
        let Some(Value::Tuple(computed)) = computed else {
            let in_place = InPlace { update: &update, may_overwrite: false, view };
            return self.update_element(&in_place, &array.length, environment, source);
        };
        let [Value::Scalar(position), new] = computed.as_slice() else {
            return Err(Error::internal(source, "a position and an element were expected"));
        };
        self.where_inside(position.clone(), &array.length, |generator, index| {
            let place = generator.access(view, index, source)?;
            generator.assign(&place, new.clone(), source)
        })
    }
}

impl Part {
    fn is_updated(self) -> bool {
        matches!(self, Part::Updated { .. })
    }
}

/// What a step does with each part, if arrays are kept or updated.
fn parts_of_step(reduction: &Reduction<'_>) -> Option<Vec<Part>> {
    let (accumulator, _) = reduction.function.parameters.first()?;
    if !binds_elements(next_of_step(&reduction.function.body, reduction.kind)?) {
        return None;
    }
    let body = written_out(&reduction.function.body, &mut MOST_BINDINGS.clone())?;
    let ExprKind::Tuple(next) = &next_of_step(&body, reduction.kind)?.kind else { return None };
    let part_of = |(position, part): (usize, &Arc<Expr>)| {
        let is_before = |array: &Expr| component_of(array, accumulator) == Some(position);
        if part.ty.is_element() {
            return Some(Part::Computed { before: false });
        }
        if is_before(part) {
            return Some(Part::Kept);
        }
        let update = Update::of(part)?;
        let is_element = is_before(update.array) && update.new.ty.is_element();
        is_element.then_some(Part::Updated { before: false })
    };
    let mut parts = next.iter().enumerate().map(part_of).collect::<Option<Vec<_>>>()?;
    let updated: Vec<usize> = (0..parts.len()).filter(|part| parts[*part].is_updated()).collect();
    for (position, (part, next)) in parts.iter_mut().zip(next).enumerate() {
        let mut reads = Vec::new();
        collect_reads(next, accumulator, &mut reads)?;
        let reads_updated = updated.iter().any(|array| *array != position && reads.contains(array));
        match part {
            Part::Computed { before } => *before = reads_updated,
            // Only what depends on neither its position nor the old element is known before these are.
            Part::Updated { before } if reads_updated => {
                *before = true;
                Update::of(next)?.key()?;
            }
            Part::Updated { .. } | Part::Kept => {}
        }
    }
    Some(parts)
}

/// The next accumulator of a step, behind the numbers that the step binds; of a `reduceWhile` the second part
/// of the pair.
fn next_of_step(body: &Arc<Expr>, kind: ReduceKind) -> Option<&Arc<Expr>> {
    if kind != ReduceKind::While {
        return Some(body);
    }
    match &body.kind {
        ExprKind::Let { body: pair, .. } => binds_elements(body).then(|| next_of_step(pair, kind))?,
        ExprKind::Tuple(pair) => pair.get(1),
        _ => None,
    }
}

/// Whether an expression binds no array: its elements would be read where they are used, after an update has
/// changed them.
fn binds_elements(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Let { bindings, .. } => bindings.iter().all(|binding| binding.value.ty.is_element()),
        _ => true,
    }
}

/// The number of the component of a variable that an expression is.
fn component_of(expr: &Expr, variable: &Variable) -> Option<usize> {
    match &expr.kind {
        ExprKind::Component(tuple, position) if is(tuple, variable) => Some(*position),
        _ => None,
    }
}

fn is(expr: &Expr, variable: &Variable) -> bool {
    matches!(&expr.kind, ExprKind::Variable(read) if read.id == variable.id)
}

/// Collects the components of a variable that an expression reads; `None` if it reads the whole.
fn collect_reads(expr: &Expr, variable: &Variable, reads: &mut Vec<usize>) -> Option<()> {
    if let Some(position) = component_of(expr, variable) {
        reads.push(position);
        return Some(());
    }
    if is(expr, variable) {
        return None;
    }
    expr.children().try_for_each(|child| collect_reads(child, variable, reads))
}
