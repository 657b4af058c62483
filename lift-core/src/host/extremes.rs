//! Reductions with `min` and `max`, in several accumulators along the row.
//!
//! A minimum is the same in whatever order it is taken, and no other for taking an element twice. So a loop of such steps may have an
//! accumulator for each lane of a strip of its own positions: every lane starts from what the accumulator was, and the minimum of all lanes
//! is the result (privatisation of a reduction variable; Pottenger and Eigenmann, *Idiom recognition in the Polaris parallelizing compiler*,
//! ICS 1995). What the language leaves open is open in any order: of 0.0 and -0.0 either, and what NaN consists of.
//!
//! The minimum of a number and NaN is the number, so that an accumulator that is a number stays one. The lanes rely on that: they compare
//! once, which is one instruction, where `min` asks which of the two is NaN. A loop whose accumulator is NaN at first is done in order.
//!
//! LLVM does the same with integers, but with floats only in a form that it compiles wrongly (`number::extremes` of the runtime). Sums of
//! floats have the order that the program says.

use std::collections::BTreeSet;

use super::accesses::{Access, Accesses, Stride, is_piece, stride};
use super::distribute::computed_indices;
use super::{LaneStep, Strip};
use crate::kernel::rewrite::Rewrite;
use crate::kernel::{self, BufferId, Expression, Loop, Statement, Uses, Variable, Workers};
use crate::nat::Var;
use crate::primitive::builtin::Builtin;
use crate::scalar::{BinaryOperator, ScalarType};

/// Positions in a wide strip at most. LLVM unrolls a loop over 32 lanes before it looks for vectors, and then puts two elements together at a
/// time.
const MOST_LANES: usize = 64;

/// The bytes that the accumulators of a strip take at most: what half of the vector registers of 64 bytes hold.
const REGISTER_BYTES: i128 = 1024;

/// A loop of fewer wide strips takes longer than one of narrow strips: its lanes have to be put together at the end.
const LEAST_WIDE_STRIPS: usize = 2;

/// Positions in a narrow strip.
const NARROW: usize = 8;

/// A loop of so many steps, where that is known, is better done in order, or over the lanes of a loop around it.
const SHORT: i128 = 16;

/// A loop that does nothing but take minima and maxima of elements that lie side by side.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Extremes {
    /// What is accumulated, each with how: `min` or `max`.
    pub(crate) accumulators: Vec<(Variable, Builtin)>,
    /// In which strips, widest first; loops that are too short for all of them are done in order.
    pub(crate) strips: Vec<StripsOfLoop>,
}

/// Strips of a loop that takes extremes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StripsOfLoop {
    /// Positions in a strip.
    pub(crate) lanes: usize,
    /// The steps that the loop has at least, at least as many as there are lanes; `None` where it is known to have enough.
    pub(crate) least: Option<usize>,
}

impl Extremes {
    /// What a loop accumulates, if it is such a loop and long enough.
    pub(crate) fn of(repetition: &Loop) -> Option<Extremes> {
        let extent = repetition.extent.as_constant();
        let is_short = extent.is_some_and(|extent| extent < SHORT);
        if is_short || repetition.workers != Workers::Sequential {
            return None;
        }
        let accumulators = accumulators(&repetition.body)?;
        if !has_neighbours(repetition) {
            return None;
        }
        let bytes: i128 = accumulators.iter().map(|(variable, _)| variable.ty.scalar.bytes()).sum();
        let mut wide = MOST_LANES;
        while wide > NARROW && wide as i128 * bytes > REGISTER_BYTES {
            wide /= 2;
        }
        let wide = StripsOfLoop { lanes: wide, least: Some(LEAST_WIDE_STRIPS * wide) };
        let narrow = StripsOfLoop { lanes: NARROW, least: Some(NARROW) };
        let strips = match extent {
            None => vec![wide, narrow],
            Some(extent) => {
                let is_long = wide.least.is_some_and(|least| extent >= least as i128);
                vec![StripsOfLoop { least: None, ..if is_long { wide } else { narrow } }]
            }
        };
        Some(Extremes { accumulators, strips })
    }

    /// What is done for a strip of the loop, in which no accumulator is NaN at any time.
    pub(crate) fn strip(&self, repetition: &Loop) -> Strip {
        let steps = repetition.body.iter().flat_map(|statement| match statement {
            Statement::Assign(variable, value) if self.is_accumulator(&variable.name) => {
                compared(variable, value)
            }
            other => vec![other.clone()],
        });
        Strip {
            variables: self.accumulators.iter().map(|(variable, _)| variable.clone()).collect(),
            indices: Vec::new(),
            memories: Vec::new(),
            steps: vec![LaneStep::Lanes(steps.collect())],
        }
    }

    /// Whether a variable of this name is one of the accumulators.
    pub(crate) fn is_accumulator(&self, name: &str) -> bool {
        self.accumulators.iter().any(|(accumulator, _)| accumulator.name == name)
    }
}

/// An extreme of an accumulator that is not NaN and elements, one after the other. An element that is NaN is neither less nor greater.
fn compared(accumulator: &Variable, value: &Expression) -> Vec<Statement> {
    let Some((function, elements)) = extreme(accumulator, value) else { return Vec::new() };
    let comparison = match function {
        Builtin::Min => BinaryOperator::Less,
        _ => BinaryOperator::Greater,
    };
    let element = Variable { name: format!("element_of_{}", accumulator.name), ty: accumulator.ty };
    let steps = elements.into_iter().flat_map(|value| {
        let (new, old) = (
            || Box::new(Expression::Variable(element.clone())),
            || Box::new(Expression::Variable(accumulator.clone())),
        );
        let is_new = Expression::Binary(comparison, new(), old());
        let kept = Expression::Select(Box::new(is_new), new(), old());
        [
            Statement::Declare(element.clone(), Some(value.clone())),
            Statement::Assign(accumulator.clone(), kept),
        ]
    });
    steps.collect()
}

/// The loops in the body of an outer loop that are better done in strips of their own, for one position of the outer loop after the other:
/// they take extremes of rows, whose elements lie apart for neighbouring positions of the outer loop.
pub(super) struct Rows<'a> {
    outer: &'a Var,
    /// The indices that each position of the outer loop computes for itself.
    computed: BTreeSet<Var>,
    /// The arrays that each position has for itself.
    own: BTreeSet<BufferId>,
}

impl<'a> Rows<'a> {
    /// Those of a body.
    pub(super) fn of(body: &[Statement], outer: &'a Var) -> Rows<'a> {
        Rows { outer, computed: computed_indices(body), own: Uses::of(body).declared_buffers }
    }

    /// Whether a loop of the body is one of them.
    pub(super) fn contain(&self, repetition: &Loop) -> bool {
        if Extremes::of(repetition).is_none() {
            return false;
        }
        let loads = Accesses::of(&repetition.body).loads;
        let is_apart = |load: &Access| {
            matches!(stride(&load.index, self.outer, &self.computed), Stride::Constant(_) | Stride::Other)
        };
        loads.iter().any(is_apart) && !loads.iter().any(|load| self.own.contains(&load.buffer))
    }

    /// Whether statements hold any of them.
    pub(super) fn are_in(&self, statements: &[Statement]) -> bool {
        kernel::nested(statements)
            .any(|statement| matches!(statement, Statement::Loop(inner) if self.contain(inner)))
    }

    /// Statements without them.
    pub(super) fn removed_from(&self, statements: &[Statement]) -> Vec<Statement> {
        WithoutRows(self).block(statements)
    }
}

struct WithoutRows<'a>(&'a Rows<'a>);

impl Rewrite for WithoutRows<'_> {
    fn statement(&mut self, statement: &Statement) -> Vec<Statement> {
        match statement {
            Statement::Loop(inner) if self.0.contain(inner) => Vec::new(),
            other => self.parts(other),
        }
    }
}

/// Whether what neighbouring steps load lies side by side, so that it fills vectors, or is computed without loads.
fn has_neighbours(repetition: &Loop) -> bool {
    let computed = computed_indices(&repetition.body);
    let loads = Accesses::of(&repetition.body).loads;
    let strides = loads.iter().map(|load| stride(&load.index, &repetition.index, &computed));
    let mut strides = strides.filter(|stride| *stride != Stride::Zero).peekable();
    let is_without_loads = strides.peek().is_none();
    is_without_loads
        || strides.any(|stride| match stride {
            Stride::One => true,
            Stride::Constant(distance) => is_piece(distance),
            Stride::Zero | Stride::Other => false,
        })
}

/// What a body accumulates, if it does nothing else: it changes variables of its own, and takes extremes of others, which it does not read.
fn accumulators(body: &[Statement]) -> Option<Vec<(Variable, Builtin)>> {
    let mut own = BTreeSet::new();
    let mut found: Vec<(Variable, Builtin)> = Vec::new();
    let mut values = Vec::new();
    for statement in body {
        match statement {
            Statement::Comment(_) => {}
            Statement::Declare(..)
            | Statement::DeclareIndex { .. }
            | Statement::DeclareValue { .. }
            | Statement::CallFunction { .. } => {
                own.extend(statement.declared_variables().iter().map(|variable| variable.name.as_str()));
                values.extend(statement.expressions());
            }
            Statement::Assign(variable, value) if own.contains(variable.name.as_str()) => values.push(value),
            Statement::Assign(variable, value) => {
                let (function, elements) = extreme(variable, value)?;
                values.extend(elements);
                match found.iter().find(|(known, _)| known.name == variable.name) {
                    Some((_, known)) if *known != function => return None,
                    Some(_) => {}
                    None => found.push((variable.clone(), function)),
                }
            }
            Statement::DeclareBuffer(_)
            | Statement::DeclareWorker { .. }
            | Statement::Store(..)
            | Statement::Loop(_)
            | Statement::If(..)
            | Statement::Barrier { .. } => return None,
        }
    }
    let is_read = |variable: &Variable| values.iter().any(|value| mentions(value, variable));
    let are_accumulators = !found.is_empty() && !found.iter().any(|(variable, _)| is_read(variable));
    are_accumulators.then_some(found)
}

/// Which extreme of an accumulator and elements a value is, and the elements: `max(s, x)`, `max(y, max(x, s))`.
fn extreme<'e>(accumulator: &Variable, value: &'e Expression) -> Option<(Builtin, Vec<&'e Expression>)> {
    let Expression::Builtin(function @ (Builtin::Min | Builtin::Max), arguments) = value else { return None };
    let [left, right] = arguments.as_slice() else { return None };
    if !has_vectors_of(accumulator) {
        return None;
    }
    let is_accumulator =
        |e: &Expression| matches!(e, Expression::Variable(variable) if variable == accumulator);
    match (left, right) {
        (left, element) if is_accumulator(left) => Some((*function, vec![element])),
        (element, right) if is_accumulator(right) => Some((*function, vec![element])),
        (part, element) if mentions(part, accumulator) => within(*function, accumulator, part, element),
        (element, part) => within(*function, accumulator, part, element),
    }
}

/// The same where a part of the extreme is one of the same kind.
fn within<'e>(
    function: Builtin,
    accumulator: &Variable,
    part: &'e Expression,
    element: &'e Expression,
) -> Option<(Builtin, Vec<&'e Expression>)> {
    let (inner, mut elements) = extreme(accumulator, part)?;
    elements.push(element);
    (inner == function).then_some((function, elements))
}

/// Whether the extremes of a variable are to be written so that LLVM makes vectors of them: of integers it does without.
fn has_vectors_of(variable: &Variable) -> bool {
    let is_float = matches!(variable.ty.scalar, ScalarType::F32 | ScalarType::F64 | ScalarType::Parameter(_));
    variable.ty.lanes == 1 && is_float
}

fn mentions(value: &Expression, variable: &Variable) -> bool {
    value.nested().any(|part| matches!(part, Expression::Variable(other) if other.name == variable.name))
}
