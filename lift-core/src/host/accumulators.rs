//! Loops that do nothing but accumulate, with an accumulator for each lane of a strip of their positions
//! (privatisation of a reduction variable; Pottenger and Eigenmann, *Idiom recognition in the Polaris
//! parallelizing compiler*, ICS 1995).
//!
//! - A minimum is the same in any order, and also when an element is taken twice. Every lane starts from the
//!   old value of the accumulator, and the last strip may overlap the one before. What the language leaves
//!   open stays open in any order: whether 0.0 or -0.0 is chosen, and the bits of a NaN.
//! - A `reduce` may add in any order (`Order::Any`); a `reduceSeq` adds from the first element to the last.
//!   Every lane starts from the identity, and positions that fill no strip are added one by one.
//!
//! The order of a sum decides its last bits. These must not depend on the processor, nor on which thread
//! executes which part of a loop around the sum. So the order is decided once, for all copies of a loop
//! (`Order::InLanes`). Whether it has lanes does not depend on where a position of the loop around it is
//! done, in a strip or alone. The number of lanes depends only on the type and on the trip count.
//!
//! A loop of a strict program has no lanes (`Order::Strict`).
//!
//! The minimum of a number and NaN is the number, so an accumulator that is a number stays one. The lanes
//! rely on that: they compare once, which is one instruction, where `min` asks which of the two is NaN. A
//! loop whose minimum is NaN at first is done in order.
//!
//! LLVM does the same with integers, but not with sums of floats, and with minima of floats only in a form
//! that it compiles wrongly (`number::extremes` of the runtime).

use super::task::{LaneTask, Strip};
use crate::flat::FlatSet;
use crate::ir::kernel::accesses::computed_indices;
use crate::ir::kernel::accesses::{Access, Accesses, Stride, is_piece, stride};
use crate::ir::kernel::fold::Fold;
use crate::ir::kernel::{self, BufferId, Expression, Loop, Order, Statement, Variable, Workers, Writes};
use crate::ir::nat::Var;
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{BinaryOperator, ScalarType};

/// The largest number of positions in a wide strip. LLVM unrolls a loop over 32 lanes before it looks for
/// vectors, and then puts two elements together at a time.
const MOST_LANES: usize = 64;

/// The largest size of the accumulators of a strip, in bytes: half of the vector registers of 64 bytes.
const REGISTER_BYTES: i128 = 1024;

/// The least number of wide strips that a loop must have. With fewer, narrow strips are faster, because the
/// lanes have to be combined at the end.
const LEAST_WIDE_STRIPS: usize = 2;

/// Positions in a narrow strip.
const NARROW: usize = 8;

/// Loops with at most this many iterations are done in order, or over the lanes of a loop around them.
const SHORT: i128 = 16;

/// How a loop combines the elements that it meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Combination {
    /// `min`
    Smallest,
    /// `max`
    Largest,
    /// `+`. Products have no lanes: where large and small numbers alternate, a lane could get only large
    /// ones, and overflow.
    Sum,
}

impl Combination {
    /// Whether an element may be taken twice.
    pub(crate) fn is_idempotent(self) -> bool {
        self.comparison().is_some()
    }

    /// The comparison by which an element replaces the accumulator; `None` for a sum, which replaces nothing.
    fn comparison(self) -> Option<BinaryOperator> {
        match self {
            Combination::Smallest => Some(BinaryOperator::Less),
            Combination::Largest => Some(BinaryOperator::Greater),
            Combination::Sum => None,
        }
    }
}

/// The accumulators of a loop that does nothing else, and reads neighbouring elements.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Accumulators {
    /// The variables, each with its combination.
    pub(crate) variables: Vec<(Variable, Combination)>,
    /// The strips, widest first. Where every element may be taken twice, the first kind for which the loop is
    /// long enough does all of it. Otherwise each kind does what those before it left. Loops that are too
    /// short for all of them are done in order.
    pub(crate) strips: Vec<StripsOfLoop>,
}

/// Strips of a loop that accumulates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StripsOfLoop {
    /// Positions in a strip.
    pub(crate) lanes: usize,
    /// The trip count that the loop must have, at least the number of lanes; `None` where it is known to be
    /// long enough.
    pub(crate) least: Option<i128>,
}

impl Accumulators {
    /// The accumulators of a loop that is done in lanes.
    pub(crate) fn of(repetition: &Loop) -> Option<Accumulators> {
        match repetition.order {
            // Regardless of what this copy of the loop loads.
            Order::InLanes => Accumulators::of_any(repetition),
            Order::Strict => None,
            Order::Any | Order::Stated => {
                Accumulators::possible(repetition).filter(Accumulators::are_idempotent)
            }
        }
    }

    /// The accumulators of a loop that does nothing else, reads neighbouring elements, and is long enough for
    /// lanes.
    fn possible(repetition: &Loop) -> Option<Accumulators> {
        Accumulators::of_any(repetition).filter(|_| has_neighbours(repetition))
    }

    /// The accumulators of a loop that does nothing else and is long enough for lanes.
    fn of_any(repetition: &Loop) -> Option<Accumulators> {
        let extent = repetition.extent.as_constant();
        let is_short = extent.is_some_and(|extent| extent < SHORT);
        if is_short || repetition.workers != Workers::Sequential {
            return None;
        }
        let variables = accumulated(&repetition.body)?;
        let bytes: i128 = variables.iter().map(|(variable, _)| variable.ty.scalar.bytes()).sum();
        let mut wide = MOST_LANES;
        while wide > NARROW && wide as i128 * bytes > REGISTER_BYTES {
            wide /= 2;
        }
        let mut accumulators = Accumulators { variables, strips: Vec::new() };
        // Whether a sum has strips must not depend on whether its trip count is known.
        let narrow = if accumulators.are_idempotent() { NARROW as i128 } else { SHORT };
        let mut left = extent;
        for (lanes, least) in [(wide, (LEAST_WIDE_STRIPS * wide) as i128), (NARROW, narrow)] {
            match left {
                None => accumulators.strips.push(StripsOfLoop { lanes, least: Some(least) }),
                Some(iterations) if iterations >= least => {
                    accumulators.strips.push(StripsOfLoop { lanes, least: None });
                    left = Some(if accumulators.are_idempotent() { 0 } else { iterations % lanes as i128 });
                }
                Some(_) => {}
            }
        }
        Some(accumulators)
    }

    /// Whether every element may be taken twice.
    pub(crate) fn are_idempotent(&self) -> bool {
        self.variables.iter().all(|(_, combination)| combination.is_idempotent())
    }

    /// The body for one strip. Precondition: no accumulator is NaN.
    pub(crate) fn strip(&self, repetition: &Loop) -> Strip {
        let statements = repetition.body.iter().flat_map(|statement| match statement {
            Statement::Assign(variable, value) => {
                let comparison = self.combination(&variable.name).and_then(Combination::comparison);
                match (comparison, combined(variable, value)) {
                    (Some(comparison), Some((_, elements))) => compared(variable, elements, comparison),
                    _ => vec![statement.clone()],
                }
            }
            other => vec![other.clone()],
        });
        Strip {
            variables: self.variables.iter().map(|(variable, _)| variable.clone()).collect(),
            indices: Vec::new(),
            memories: Vec::new(),
            tasks: vec![LaneTask::Lanes(statements.collect())],
        }
    }

    /// The combination of the accumulator with this name, if there is one.
    pub(crate) fn combination(&self, name: &str) -> Option<Combination> {
        let accumulator = self.variables.iter().find(|(accumulator, _)| *accumulator.name == *name);
        accumulator.map(|(_, combination)| *combination)
    }
}

/// The extreme of an accumulator that is not NaN and some elements, taken one after the other. An element
/// that is NaN is neither less nor greater.
fn compared(
    accumulator: &Variable,
    elements: Vec<&Expression>,
    comparison: BinaryOperator,
) -> Vec<Statement> {
    let element = Variable { name: format!("element_of_{}", accumulator.name).into(), ty: accumulator.ty };
    let statements = elements.into_iter().flat_map(|value| {
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
    statements.collect()
}

/// The loops inside `outer` that are faster in lanes along their own rows than in lanes of `outer`: they
/// accumulate rows, whose elements lie apart for neighbouring positions of `outer`.
pub(super) struct Rows<'a> {
    outer: &'a Var,
    /// The indices that each position of the outer loop computes for itself.
    computed: FlatSet<Var>,
    /// The arrays that each position declares for itself.
    own: FlatSet<BufferId>,
}

impl<'a> Rows<'a> {
    /// The rows of a body.
    pub(super) fn of(body: &[Statement], outer: &'a Var) -> Rows<'a> {
        Rows { outer, computed: computed_indices(body), own: Writes::of(body).declared_buffers }
    }

    /// The loops of the body with an open order that are better done in lanes, by their indices. `everywhere`
    /// is the body that also covers the borders: a loop that does more than accumulate there has no lanes
    /// anywhere.
    pub(super) fn for_lanes(&self, body: &[Statement], everywhere: &[Statement]) -> FlatSet<Var> {
        let chosen = loops_in_any_order(body).filter(|repetition| self.can_be(repetition));
        let chosen: FlatSet<&Var> = chosen.map(|repetition| &repetition.index).collect();
        let accumulating = loops_in_any_order(everywhere)
            .filter(|repetition| accumulated(&repetition.body).is_some() && !self.loads_own(repetition));
        let indices = accumulating.map(|repetition| &repetition.index);
        indices.filter(|index| chosen.contains(index)).cloned().collect()
    }

    /// Whether a loop of the body, whose order is decided, is one of these loops.
    pub(super) fn contain(&self, repetition: &Loop) -> bool {
        Accumulators::of(repetition)
            .is_some_and(|accumulators| !accumulators.are_idempotent() || self.can_be(repetition))
    }

    /// Whether a loop is better done in strips of its own. Sums of rows that lie within a few elements are
    /// faster in the lanes of the outer loop.
    fn can_be(&self, repetition: &Loop) -> bool {
        let Some(accumulators) = Accumulators::possible(repetition) else { return false };
        let loads = Accesses::of(&repetition.body).loads;
        let is_apart = |load: &Access| match stride(&load.index, self.outer, &self.computed) {
            Stride::Constant(distance) => accumulators.are_idempotent() || !is_piece(distance),
            Stride::Other => true,
            Stride::Zero | Stride::One => false,
        };
        loads.iter().any(is_apart) && !self.loads_own(repetition)
    }

    /// Whether a loop loads from arrays that each position of the outer loop declares for itself.
    fn loads_own(&self, repetition: &Loop) -> bool {
        Accesses::of(&repetition.body).loads.iter().any(|load| self.own.contains(&load.buffer))
    }

    /// Whether statements contain any of these loops.
    pub(super) fn are_in(&self, statements: &[Statement]) -> bool {
        let mut is_one =
            |statement: &Statement| matches!(statement, Statement::Loop(inner) if self.contain(inner));
        kernel::any(statements, &mut is_one)
    }

    /// Statements without these loops.
    pub(super) fn removed_from(&self, statements: &[Statement]) -> Vec<Statement> {
        WithoutRows(self).block(statements)
    }
}

/// A loop whose positions are done one after the other, with its order decided.
pub(super) fn decided_alone(repetition: &Loop) -> Loop {
    let order = match repetition.order {
        Order::Any if Accumulators::possible(repetition).is_some() => Order::InLanes,
        Order::Any | Order::Stated => Order::Stated,
        Order::Strict => Order::Strict,
        Order::InLanes => Order::InLanes,
    };
    Loop { order, ..repetition.clone() }
}

fn loops_in_any_order(body: &[Statement]) -> impl Iterator<Item = &Loop> {
    kernel::nested(body).filter_map(|statement| match statement {
        Statement::Loop(repetition) if repetition.order == Order::Any => Some(repetition),
        _ => None,
    })
}

/// A body of a strict program, in which no loop has lanes.
pub(super) fn in_program_order(body: &[Statement]) -> Vec<Statement> {
    InProgramOrder.block(body)
}

struct InProgramOrder;

impl Fold for InProgramOrder {
    fn statement(&mut self, statement: &Statement) -> Vec<Statement> {
        let mut parts = self.parts(statement);
        for part in &mut parts {
            if let Statement::Loop(repetition) = part {
                repetition.order = Order::Strict;
            }
        }
        parts
    }
}

/// A body in which the order of all sums is decided: the loops `for_lanes` have lanes.
pub(super) fn decided(body: &[Statement], for_lanes: &FlatSet<Var>) -> Vec<Statement> {
    Decided(for_lanes).block(body)
}

struct Decided<'a>(&'a FlatSet<Var>);

impl Fold for Decided<'_> {
    fn statement(&mut self, statement: &Statement) -> Vec<Statement> {
        let mut parts = self.parts(statement);
        for part in &mut parts {
            if let Statement::Loop(repetition) = part
                && repetition.order == Order::Any
            {
                let is_for_lanes = self.0.contains(&repetition.index);
                repetition.order = if is_for_lanes { Order::InLanes } else { Order::Stated };
            }
        }
        parts
    }
}

struct WithoutRows<'a>(&'a Rows<'a>);

impl Fold for WithoutRows<'_> {
    fn statement(&mut self, statement: &Statement) -> Vec<Statement> {
        match statement {
            Statement::Loop(inner) if self.0.contain(inner) => Vec::new(),
            other => self.parts(other),
        }
    }
}

/// Whether neighbouring iterations load neighbouring elements, so that they fill vectors, or compute without
/// loads.
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

/// The accumulators of a body that does nothing else: it changes variables of its own, and combines others
/// with elements, but does not read them. `None` for other bodies.
fn accumulated(body: &[Statement]) -> Option<Vec<(Variable, Combination)>> {
    let mut own = FlatSet::new();
    let mut found: Vec<(Variable, Combination)> = Vec::new();
    let mut values = Vec::new();
    for statement in body {
        match statement {
            Statement::Comment(_) => {}
            Statement::Declare(..)
            | Statement::DeclareIndex { .. }
            | Statement::DeclareValue { .. }
            | Statement::CallFunction { .. } => {
                own.extend(statement.declared_variables().iter().map(|variable| &*variable.name));
                values.extend(statement.expressions());
            }
            Statement::Assign(variable, value) if own.contains(&*variable.name) => values.push(value),
            Statement::Assign(variable, value) => {
                let (combination, elements) = combined(variable, value)?;
                values.extend(elements);
                match found.iter().find(|(known, _)| known.name == variable.name) {
                    Some((_, known)) if *known != combination => return None,
                    Some(_) => {}
                    None => found.push((variable.clone(), combination)),
                }
            }
            Statement::DeclareBuffer(_)
            | Statement::DeclareWorker { .. }
            | Statement::Store(..)
            | Statement::Update { .. }
            | Statement::Loop(_)
            | Statement::If(..)
            | Statement::BreakUnless(_)
            | Statement::Barrier { .. } => return None,
        }
    }
    let is_read = |variable: &Variable| values.iter().any(|value| mentions(value, variable));
    let are_accumulators = !found.is_empty() && !found.iter().any(|(variable, _)| is_read(variable));
    are_accumulators.then_some(found)
}

/// The combination by which a value combines an accumulator with elements, and the elements: `max(s, x)`,
/// `max(y, max(x, s))`, `s + x`.
fn combined<'e>(accumulator: &Variable, value: &'e Expression) -> Option<(Combination, Vec<&'e Expression>)> {
    if !has_vectors_of(accumulator) {
        return None;
    }
    let (combination, left, right) = match value {
        Expression::Builtin(function, arguments) => match (function, arguments.as_slice()) {
            (Builtin::Min, [left, right]) => (Combination::Smallest, left, right),
            (Builtin::Max, [left, right]) => (Combination::Largest, left, right),
            _ => return None,
        },
        Expression::Binary(BinaryOperator::Add, left, right) => {
            (Combination::Sum, left.as_ref(), right.as_ref())
        }
        _ => return None,
    };
    let is_accumulator =
        |e: &Expression| matches!(e, Expression::Variable(variable) if variable == accumulator);
    match (left, right) {
        (left, element) if is_accumulator(left) => Some((combination, vec![element])),
        (element, right) if is_accumulator(right) => Some((combination, vec![element])),
        (part, element) if mentions(part, accumulator) => within(combination, accumulator, part, element),
        (element, part) => within(combination, accumulator, part, element),
    }
}

/// The same for a part of the value, which must have the same combination.
fn within<'e>(
    combination: Combination,
    accumulator: &Variable,
    part: &'e Expression,
    element: &'e Expression,
) -> Option<(Combination, Vec<&'e Expression>)> {
    let (inner, mut elements) = combined(accumulator, part)?;
    elements.push(element);
    (inner == combination).then_some((combination, elements))
}

/// Whether an accumulation must be written in a special form so that LLVM makes vectors of it. Integers need
/// none. Half precision is computed by way of single precision, and would gain nothing.
fn has_vectors_of(variable: &Variable) -> bool {
    let is_float = matches!(variable.ty.scalar, ScalarType::F32 | ScalarType::F64 | ScalarType::Parameter(_));
    variable.ty.lanes == 1 && is_float
}

fn mentions(value: &Expression, variable: &Variable) -> bool {
    value.any(&mut |part| matches!(part, Expression::Variable(other) if other.name == variable.name))
}
