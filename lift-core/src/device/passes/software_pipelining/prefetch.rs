//! The loads of an iteration that can be made one iteration earlier.
//!
//! A load qualifies when it reads memory that the kernel does not write and when its address depends only on
//! the iteration, on sizes, on work-items and on the loops around it. So does a choice between such loads and
//! constants by a comparison of indices, as `padConstant` makes it. The choice is fetched as a whole, because
//! a load that is not chosen may lie outside of the array. The loops inside the iteration around the load
//! must have a known, small trip count: each of their iterations needs its own registers.

use std::sync::Arc;

use super::super::context::Resources;
use crate::flat::FlatSet;
use crate::ir::kernel::fold::Fold;
use crate::ir::kernel::{
    self, Buffer, BufferId, BufferRole, Expression, Loop, Statement, Trip, ValueType, Variable, Workers,
};
use crate::ir::nat::{Condition, Nat, Var};
use crate::ir::source::Source;
use crate::ir::typed::AddressSpace;

/// The largest number of scalars that an iteration loads early: half the registers of a work-item.
const MOST_EARLY: i128 = 128;

/// A loop or a condition around a load, inside an iteration.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Frame {
    /// A loop.
    Loop {
        /// Who executes it.
        workers: Workers,
        /// Its index.
        index: Var,
        /// Its trip count.
        extent: Nat,
        /// The number of its iterations that one worker executes.
        trip: Trip,
        /// Its place in the program.
        source: Source,
    },
    /// A comparison of indices.
    If(Condition),
}

/// A load that is made early.
pub(super) struct Load {
    /// The registers that keep the value until it is used.
    pub(super) registers: BufferId,
    /// The position in these registers.
    pub(super) index: Nat,
    /// The expression that is loaded.
    pub(super) value: Expression,
    /// The loops and conditions around it, outermost first.
    pub(super) frames: Vec<Frame>,
    /// The position of the statement that uses it.
    pub(super) position: usize,
}

/// An iteration whose loads are made before it.
pub(super) struct Early {
    /// The body, which reads registers instead.
    pub(super) body: Vec<Statement>,
    /// The contents of the registers.
    pub(super) loads: Vec<Load>,
    /// Local buffers that every iteration stores from these registers before it reads them.
    pub(super) tiles: FlatSet<BufferId>,
}

/// Finds the loads of an iteration that can be made early, and gives them registers.
pub(super) fn loads_of_step(
    repetition: &Loop,
    written: &FlatSet<BufferId>,
    local: [u64; 3],
    resources: &mut Resources<'_>,
) -> Early {
    let mut step = Iteration {
        step: &repetition.index,
        written,
        local,
        computed: Computed::of(&repetition.body),
        resources,
        frames: Vec::new(),
        position: 0,
        room: MOST_EARLY,
        loads: Vec::new(),
        carriers: Carriers::default(),
        tiles: FlatSet::new(),
    };
    let mut body = Vec::new();
    for (position, statement) in repetition.body.iter().enumerate() {
        step.position = position;
        body.extend(step.block(std::slice::from_ref(statement)));
    }
    let (loads, mut tiles) = (step.loads, step.tiles);
    tiles.retain(|tile| is_stored_first(*tile, &body));
    Early { body, loads, tiles }
}

/// What an iteration computes: none of it is known before.
#[derive(Default)]
struct Computed {
    indices: FlatSet<Var>,
    variables: FlatSet<Arc<str>>,
}

impl Computed {
    fn of(block: &[Statement]) -> Computed {
        let mut computed = Computed::default();
        for statement in kernel::nested(block) {
            let assigned = match statement {
                Statement::Assign(variable, _) => Some(variable),
                _ => None,
            };
            let variables = statement.declared_variables().iter().chain(assigned);
            computed.variables.extend(variables.map(|variable| variable.name.clone()));
            computed.indices.extend(statement.declared_index().cloned());
        }
        computed
    }
}

/// A walk over an iteration that replaces loads by registers.
struct Iteration<'s, 'r> {
    step: &'s Var,
    written: &'s FlatSet<BufferId>,
    local: [u64; 3],
    computed: Computed,
    resources: &'s mut Resources<'r>,
    /// The loops and conditions around the current code.
    frames: Vec<Frame>,
    /// The position of the current statement.
    position: usize,
    /// The number of scalars for which registers are left.
    room: i128,
    loads: Vec<Load>,
    /// Private memory and variables that hold what was loaded early.
    carriers: Carriers,
    tiles: FlatSet<BufferId>,
}

/// Where early loads are kept.
#[derive(Default)]
struct Carriers {
    buffers: FlatSet<BufferId>,
    variables: FlatSet<Arc<str>>,
}

impl Carriers {
    /// Whether a value comes from one of these.
    fn carry(&self, value: &Expression) -> bool {
        value.nested().any(|part| match part {
            Expression::Load(buffer, ..) => self.buffers.contains(buffer),
            Expression::Variable(variable) => self.variables.contains(&variable.name),
            _ => false,
        })
    }
}

impl Iteration<'_, '_> {
    /// Whether a value is known before the iteration.
    fn is_known(&self, variables: &FlatSet<Var>) -> bool {
        let is_frame = |variable: &Var| {
            self.frames.iter().any(|frame| matches!(frame, Frame::Loop { index, .. } if index == variable))
        };
        variables.iter().all(|variable| !self.computed.indices.contains(variable) || is_frame(variable))
    }

    /// Whether a value is available one iteration early.
    fn is_early(&self, expression: &Expression) -> bool {
        match expression {
            Expression::Load(buffer, index, _) => {
                let buffer_is_input = self
                    .resources
                    .buffers
                    .get(buffer.0)
                    .is_some_and(|buffer| buffer.space() == AddressSpace::Global);
                buffer_is_input && !self.written.contains(buffer) && self.is_known(&index.variables())
            }
            Expression::Select(condition, then, otherwise) => match condition.as_ref() {
                Expression::Condition(condition) => {
                    self.is_known(&condition.variables()) && self.is_early(then) && self.is_early(otherwise)
                }
                _ => false,
            },
            Expression::Literal(..) => true,
            Expression::Variable(variable) => !self.computed.variables.contains(&variable.name),
            Expression::Index(index, _) => self.is_known(&index.variables()),
            Expression::Broadcast(operand, _) => self.is_early(operand),
            Expression::Components(components) => components.iter().all(|component| self.is_early(component)),
            Expression::Condition(_)
            | Expression::WorkerId(_)
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Builtin(..)
            | Expression::Function(..)
            | Expression::Component(..)
            | Expression::Cast(..) => false,
        }
    }

    /// Whether iterations load different values.
    fn depends_on_step(&self, expression: &Expression) -> bool {
        expression
            .nested()
            .any(|part| matches!(part, Expression::Load(_, index, _) if index.mentions(self.step)))
    }

    /// The registers that hold a value which is loaded early; `None` where it is not.
    fn registers(&mut self, value: &Expression) -> Option<Expression> {
        if !self.is_early(value) || !self.depends_on_step(value) {
            return None;
        }
        let is_same = |load: &&Load| load.value == *value && load.frames == self.frames;
        if let Some(load) = self.loads.iter().find(|load| is_same(load) && load.position == self.position) {
            return Some(Expression::Load(load.registers, load.index.clone(), value.ty()));
        }
        let (slots, slot) = self.slots()?;
        let ty = value.ty();
        let lanes = i128::from(ty.lanes);
        let length = slots.checked_mul(lanes).filter(|length| *length <= self.room)?;
        self.room -= length;
        let name = self.resources.fresh.name(&format!("early_{}", self.source_of(value)));
        let (element, length) = (ty.scalar, Nat::constant(length));
        self.resources.buffers.push(Buffer { name, element, length, role: BufferRole::Private });
        let registers = BufferId(self.resources.buffers.len() - 1);
        self.carriers.buffers.insert(registers);
        let index = slot * Nat::constant(lanes);
        let (frames, position) = (self.frames.clone(), self.position);
        self.loads.push(Load { registers, index: index.clone(), value: value.clone(), frames, position });
        Some(Expression::Load(registers, index, ty))
    }

    /// The name of the array that a value is loaded from.
    fn source_of(&self, value: &Expression) -> Arc<str> {
        let buffers = value.nested().filter_map(|part| match part {
            Expression::Load(buffer, ..) => Some(*buffer),
            _ => None,
        });
        let source = buffers.min().and_then(|buffer| self.resources.buffers.get(buffer.0));
        source.map_or_else(|| "value".into(), |buffer| buffer.name.clone())
    }

    /// The number of values that one work-item loads here in each iteration, and the position of this one
    /// among them.
    fn slots(&self) -> Option<(i128, Nat)> {
        self.frames.iter().try_fold((1i128, Nat::zero()), |(slots, slot), frame| match frame {
            Frame::If(_) => Some((slots, slot)),
            Frame::Loop { workers: Workers::Sequential, index, extent, .. } => {
                let count = extent.as_constant()?;
                Some((slots.checked_mul(count)?, slot * Nat::constant(count) + Nat::variable(index)))
            }
            Frame::Loop { workers: Workers::Local(_), trip: Trip::One | Trip::AtMostOne, .. } => {
                Some((slots, slot))
            }
            Frame::Loop {
                workers: Workers::Local(dimension), index, extent, trip: Trip::AnyUniform, ..
            } => {
                let items = i128::from(*self.local.get(usize::from(*dimension))?);
                let count = extent.as_constant()? / items;
                let round = Nat::variable(index).divide(&Nat::constant(items));
                Some((slots.checked_mul(count)?, slot * Nat::constant(count) + round))
            }
            Frame::Loop {
                workers: Workers::Local(_) | Workers::Global(_) | Workers::WorkGroup(_), ..
            } => None,
        })
    }

    fn block_in(&mut self, frame: Frame, block: &[Statement]) -> Vec<Statement> {
        self.frames.push(frame);
        let changed = self.block(block);
        self.frames.pop();
        changed
    }
}

impl Fold for Iteration<'_, '_> {
    fn load(&mut self, buffer: BufferId, index: Nat, ty: ValueType) -> Expression {
        let load = Expression::Load(buffer, index, ty);
        self.registers(&load).unwrap_or(load)
    }

    fn select(&mut self, condition: Expression, then: &Expression, otherwise: &Expression) -> Expression {
        // A branch that is not taken must not be loaded on its own.
        let whole =
            Expression::Select(Box::new(condition), Box::new(then.clone()), Box::new(otherwise.clone()));
        self.registers(&whole).unwrap_or(whole)
    }

    fn statement(&mut self, statement: &Statement) -> Vec<Statement> {
        match statement {
            Statement::Loop(repetition) => {
                let frame = Frame::Loop {
                    workers: repetition.workers,
                    index: repetition.index.clone(),
                    extent: repetition.extent.clone(),
                    trip: repetition.trip,
                    source: repetition.source,
                };
                let body = self.block_in(frame, &repetition.body);
                vec![Statement::Loop(Loop { body, ..repetition.clone() })]
            }
            Statement::If(Expression::Condition(condition), then, otherwise)
                if self.is_known(&condition.variables()) =>
            {
                let then = self.block_in(Frame::If(condition.clone()), then);
                let otherwise = self.block_in(Frame::If(condition.clone().negate()), otherwise);
                vec![Statement::If(Expression::Condition(condition.clone()), then, otherwise)]
            }
            Statement::If(condition, then, otherwise) => {
                vec![Statement::If(self.expression(condition), then.clone(), otherwise.clone())]
            }
            Statement::Declare(Variable { name, .. }, _) => {
                let changed = self.parts(statement);
                let values = changed.iter().flat_map(Statement::expressions);
                if values.into_iter().any(|value| self.carriers.carry(value)) {
                    self.carriers.variables.insert(name.clone());
                }
                changed
            }
            _ => self.parts(statement),
        }
    }

    fn store(&mut self, buffer: BufferId, index: Nat, value: Expression) -> Statement {
        if self.carriers.carry(&value) {
            match self.resources.buffers.get(buffer.0).map(|buffer| &buffer.role) {
                Some(BufferRole::Private) => self.carriers.buffers.insert(buffer),
                Some(BufferRole::Local) => self.tiles.insert(buffer),
                _ => false,
            };
        }
        Statement::Store(buffer, index, value)
    }
}

/// Whether all statements of an iteration that store to a buffer come before those that read it.
fn is_stored_first(buffer: BufferId, body: &[Statement]) -> bool {
    let reads = body.iter().position(|statement| reads(statement, buffer));
    let stores = body.iter().rposition(|statement| stores(statement, buffer));
    stores.is_some_and(|last| reads.is_none_or(|first| last < first))
}

fn reads(statement: &Statement, buffer: BufferId) -> bool {
    let mut all = kernel::nested(std::slice::from_ref(statement));
    all.any(|statement| statement.loaded_buffers().any(|loaded| loaded == buffer))
}

fn stores(statement: &Statement, buffer: BufferId) -> bool {
    let mut all = kernel::nested(std::slice::from_ref(statement));
    all.any(|statement| statement.stored_buffer() == Some(buffer))
}
