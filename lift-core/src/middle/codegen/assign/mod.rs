//! Assignments of elements: the next value of an accumulator, the result of a branch, an element that is
//! stored.
//!
//! Elements are scalars, vectors and tuples of them, and all components of a tuple change at once: the
//! function `|s, x| (s.1, s.0 + x)` of a reduction computes both components from their values *before* the
//! iteration. So an assignment is a parallel copy. Here it becomes a sequence of statements that means the
//! same (sequentialisation of parallel copies; Rideau, Serpette and Leroy, *Tilting at windmills with Coq*,
//! JAR 2008):
//!
//! - a place is written when no other component needs its old value any more;
//! - where components need each other's old values, one of them is computed into a variable first, which
//!   breaks the cycle: swapping two components takes one variable, and whatever has no cycle takes none.
//!
//! There is no other way to assign a tuple: nobody chooses the order by hand. What `write` stores component
//! by component goes to memory that no component is made of: arrays are written beside the old one (`reduce`,
//! `iterate`) or into the other half of a buffer (`double_buffering`).

use super::error::Error;
use super::generator::{Generated, Generator};
use super::values::is_nowhere;
use crate::flat::{FlatMap, FlatSet};
use crate::ir::kernel::{BufferId, Expression, Statement};
use crate::ir::source::Source;
use crate::middle::view::Value;

/// A scalar or a vector, and where it goes.
struct Component {
    place: Expression,
    value: Expression,
}

/// What happens to a component of an assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    /// Its value is computed into a variable.
    Keep(usize),
    /// Its place is written.
    Write(usize),
}

impl Generator<'_> {
    /// Assigns a value of an element type to variables or places in memory, all components of a tuple at
    /// once.
    pub(super) fn assign(&mut self, place: &Value, value: Value, source: Source) -> Generated<()> {
        let mut components = Vec::new();
        take_apart(place, value, &mut components, source)?;
        let mut kept = FlatMap::new();
        for action in in_order(waiting(&components)) {
            let (Action::Keep(position) | Action::Write(position)) = action;
            let Some(Component { place, value }) = components.get(position) else { continue };
            match action {
                Action::Keep(_) => {
                    kept.insert(position, Expression::Variable(self.declare("next", value.clone())));
                }
                Action::Write(_) => {
                    let value = kept.remove(&position).unwrap_or_else(|| value.clone());
                    self.assign_scalar(place, value, source)?;
                }
            }
        }
        Ok(())
    }

    /// Assigns a scalar or a vector to one place, which may consist of several.
    fn assign_scalar(&mut self, place: &Expression, value: Expression, source: Source) -> Generated<()> {
        match place {
            place if is_nowhere(place) => Ok(()),
            Expression::Variable(variable) => {
                if value != *place {
                    self.block.push(Statement::Assign(variable.clone(), value));
                }
                Ok(())
            }
            Expression::Load(buffer, index, _) => {
                let index = self.ranges.simplify(index);
                self.block.push(Statement::Store(*buffer, index, value));
                Ok(())
            }
            // A component of a vector in memory is a scalar there.
            Expression::Component(vector, lane) if matches!(vector.as_ref(), Expression::Load(..)) => {
                self.assign_scalar(&vector.component(*lane), value, source)
            }
            Expression::Components(places) => {
                let vector = self.kept_scalar(value, "vector");
                (0..)
                    .zip(places)
                    .try_for_each(|(lane, place)| self.assign_scalar(place, vector.component(lane), source))
            }
            // An element that is written only where it belongs to a part of an array.
            Expression::Select(condition, then, otherwise) if is_nowhere(otherwise) => {
                let (then, ()) = self.in_block(|generator| generator.assign_scalar(then, value, source))?;
                self.block.push(Statement::If(condition.as_ref().clone(), then, Vec::new()));
                Ok(())
            }
            // One of two places, as in rows that comparisons tell apart.
            Expression::Select(condition, then, otherwise) => {
                let value = self.kept_scalar(value, "value");
                let assign = |place: &Expression| {
                    let (place, value) = (place.clone(), value.clone());
                    move |generator: &mut Self| generator.assign_scalar(&place, value, source)
                };
                let (then, ()) = self.in_block(assign(then))?;
                let (otherwise, ()) = self.in_block(assign(otherwise))?;
                self.block.push(Statement::If(condition.as_ref().clone(), then, otherwise));
                Ok(())
            }
            Expression::Literal(..)
            | Expression::Index(..)
            | Expression::Condition(_)
            | Expression::WorkerId(_)
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Builtin(..)
            | Expression::Function(..)
            | Expression::Broadcast(..)
            | Expression::Component(..)
            | Expression::Cast(..) => Err(does_not_fit(source)),
        }
    }
}

fn does_not_fit(source: Source) -> Error {
    Error::internal(source, "a value does not fit the place it is written to")
}

/// The scalars and vectors of an assignment, in order.
fn take_apart(place: &Value, value: Value, components: &mut Vec<Component>, source: Source) -> Generated<()> {
    match (place, value) {
        (Value::Scalar(place), Value::Scalar(value)) => {
            components.push(Component { place: place.clone(), value });
            Ok(())
        }
        (Value::Tuple(places), Value::Tuple(values)) if places.len() == values.len() => places
            .iter()
            .zip(values)
            .try_for_each(|(place, value)| take_apart(place, value, components, source)),
        _ => Err(does_not_fit(source)),
    }
}

/// Variables and buffers; an access to a buffer counts as one to all of it.
#[derive(Default)]
struct Accessed<'e> {
    variables: FlatSet<&'e str>,
    buffers: FlatSet<BufferId>,
}

impl<'e> Accessed<'e> {
    /// Adds what the value of an expression reads.
    fn by_reading(&mut self, expression: &'e Expression) {
        expression.each_part(&mut |part| match part {
            Expression::Variable(variable) => {
                self.variables.insert(variable.name.as_ref());
            }
            Expression::Load(buffer, ..) => {
                self.buffers.insert(*buffer);
            }
            _ => {}
        });
    }

    /// Adds what is read to decide which place is meant.
    fn by_finding(&mut self, place: &'e Expression) {
        if let Expression::Select(condition, ..) = place {
            self.by_reading(condition);
        }
        for part in parts_of_place(place) {
            self.by_finding(part);
        }
    }

    /// Adds what is changed when a place is written.
    fn by_writing(&mut self, place: &'e Expression) {
        match place {
            Expression::Variable(variable) => self.variables.extend([variable.name.as_ref()]),
            Expression::Load(buffer, ..) => self.buffers.extend([*buffer]),
            _ => parts_of_place(place).into_iter().for_each(|part| self.by_writing(part)),
        }
    }

    fn overlaps(&self, other: &Accessed<'_>) -> bool {
        !self.variables.is_disjoint(&other.variables) || !self.buffers.is_disjoint(&other.buffers)
    }
}

/// The places that a place consists of, or is one of.
fn parts_of_place(place: &Expression) -> Vec<&Expression> {
    match place {
        Expression::Component(vector, _) => vec![vector],
        Expression::Components(places) => places.iter().collect(),
        Expression::Select(_, then, otherwise) => vec![then, otherwise],
        _ => Vec::new(),
    }
}

/// For each component, the other components that still need the old value of its place.
fn waiting(components: &[Component]) -> FlatMap<usize, FlatSet<usize>> {
    let read: Vec<Accessed<'_>> = components
        .iter()
        .map(|component| {
            let mut read = Accessed::default();
            read.by_reading(&component.value);
            read.by_finding(&component.place);
            read
        })
        .collect();
    let waiting = components.iter().enumerate().map(|(position, component)| {
        let mut written = Accessed::default();
        written.by_writing(&component.place);
        let others = read.iter().enumerate();
        let needed = others.filter(|(other, read)| *other != position && written.overlaps(read));
        (position, needed.map(|(other, _)| other).collect())
    });
    waiting.collect()
}

/// An order in which every component is written after those that it waits for have been computed. For each
/// cycle, one component is kept in a variable. Components that wait for no other stay in their order.
fn in_order(mut waiting: FlatMap<usize, FlatSet<usize>>) -> Vec<Action> {
    let mut actions = Vec::new();
    while let Some((&first, _)) = waiting.first() {
        let free = waiting.iter().find(|(_, others)| others.is_empty()).map(|(free, _)| *free);
        let has_value = match free {
            Some(free) => {
                waiting.remove(&free);
                actions.push(Action::Write(free));
                free
            }
            None => {
                let kept = most_wanted_in_cycle(first, &waiting);
                actions.push(Action::Keep(kept));
                kept
            }
        };
        for others in waiting.values_mut() {
            others.remove(&has_value);
        }
    }
    actions
}

/// The component of a cycle that most others wait for. Every component must wait for another one.
fn most_wanted_in_cycle(first: usize, waiting: &FlatMap<usize, FlatSet<usize>>) -> usize {
    let mut path = Vec::new();
    let mut next = first;
    let start = loop {
        if let Some(start) = path.iter().position(|passed| *passed == next) {
            break start;
        }
        path.push(next);
        let Some(other) = waiting.get(&next).and_then(FlatSet::first) else { break path.len() - 1 };
        next = *other;
    };
    let wanted = |position: &&usize| waiting.values().filter(|others| others.contains(position)).count();
    path.iter().skip(start).rev().max_by_key(wanted).copied().unwrap_or(first)
}

#[cfg(test)]
mod tests;
