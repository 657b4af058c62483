//! Statements of kernels, and the questions that passes ask of all of them alike.
//!
//! A pass handles the statements that it cares about. What a statement holds, declares and accesses is
//! defined here, for every form of statement. A new form is added here first, and then in the passes that
//! match each form by its name.

use super::{BufferId, Expression, UpdateOperator, Variable, Workers};
use crate::ir::nat::{Nat, Var};
use crate::ir::source::Source;
use crate::ir::typed::AddressSpace;

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    /// `/* text */`
    Comment(String),
    /// `float x = value;`
    Declare(Variable, Option<Expression>),
    /// `float tile[16];` for a private buffer.
    DeclareBuffer(BufferId),
    /// `index_t index = value`, clamped into `0..length`.
    DeclareIndex {
        /// The index.
        index: Var,
        /// An integer computed from data.
        value: Expression,
        /// The length of the array that it indexes.
        length: Nat,
    },
    /// `index_t index = get_local_id(0)`: the number of the worker among its kind.
    DeclareWorker {
        /// The number.
        index: Var,
        /// The kind.
        workers: Workers,
        /// An exclusive upper bound, where one is known.
        bound: Option<Nat>,
    },
    /// `index_t index = value;`
    DeclareValue {
        /// The index.
        index: Var,
        /// Its value.
        value: Nat,
        /// An exclusive upper bound, where one is known; then the value is not negative either.
        bound: Option<Nat>,
    },
    /// `x = value;`
    Assign(Variable, Expression),
    /// `buffer[index] = value;`; a vector is stored in the scalars that start there.
    Store(BufferId, Nat, Expression),
    /// `atomic_add(&buffer[index], value);`: the element becomes what the operator makes of it and the value.
    /// Other work-items may update it at the same time; whoever reads or stores it otherwise waits for all of
    /// them.
    Update {
        /// The buffer, of integers of 32 bits.
        buffer: BufferId,
        /// The element.
        index: Nat,
        /// What is done with it.
        operator: UpdateOperator,
        /// The other operand.
        value: Expression,
    },
    /// Calls a function that returns a tuple; its components go to fresh variables.
    CallFunction {
        /// The variables, declared here.
        results: Vec<Variable>,
        /// The position of the function in [`Module::functions`](super::Module::functions).
        function: usize,
        /// Its arguments.
        arguments: Vec<Expression>,
    },
    /// A loop, in time or over work-items.
    Loop(Loop),
    /// A choice.
    If(Expression, Vec<Statement>, Vec<Statement>),
    /// `if (!condition) break;`: ends the sequential loop whose body it stands in, unless the condition holds.
    /// It stands directly in that body, which holds no barrier, and no statement is moved past it. So a loop
    /// that may end early is a loop for passes: it is not taken apart ([`Loop::may_end_early`]).
    BreakUnless(Expression),
    /// A work-group barrier.
    Barrier {
        /// The memories whose accesses it orders.
        spaces: Vec<AddressSpace>,
        /// The reason for it.
        reason: String,
    },
}

/// A loop over `0..extent`.
#[derive(Debug, Clone, PartialEq)]
pub struct Loop {
    /// Who executes the iterations.
    pub workers: Workers,
    /// The index of an iteration; it lies in `0..extent`.
    pub index: Var,
    /// The number of iterations.
    pub extent: Nat,
    /// The number of iterations that one worker executes.
    pub trip: Trip,
    /// The unrolling that the OpenCL compiler is asked for.
    pub unrolling: Unrolling,
    /// The order in which the iterations may be done.
    pub order: Order,
    /// The pattern that it comes from, printed as a comment; empty for a part of the loop around it.
    pub origin: String,
    /// The place of that pattern in the program; `UNKNOWN` for loops that come from no pattern.
    pub source: Source,
    /// The body of an iteration.
    pub body: Vec<Statement>,
}

impl Loop {
    /// Whether an iteration may be the last one because of what it computes. The iterations of such a loop are
    /// done one after the other, each after all of the one before.
    pub fn may_end_early(&self) -> bool {
        self.body.iter().any(|statement| matches!(statement, Statement::BreakUnless(_)))
    }

    /// The number of iterations to expect, if that is a constant: half of them in a loop that may end early.
    pub fn expected_iterations(&self) -> Option<i128> {
        let all = self.extent.as_constant()?;
        Some(if self.may_end_early() { all / 2 } else { all })
    }

    /// The exclusive upper bound of the index; `None` in a loop in rounds.
    pub fn bound(&self) -> Option<&Nat> {
        match self.trip {
            Trip::One | Trip::AtMostOne | Trip::Any | Trip::AnyUniform => Some(&self.extent),
            Trip::Rounds => None,
        }
    }
}

/// The order in which the iterations of a loop may be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// As written. A minimum may be taken in any order all the same, because only the sign of a zero depends
    /// on it.
    Stated,
    /// As written, to the last bit: the loop is one of a strict program.
    Strict,
    /// Any order: the loop accumulates with an operator that is associative and commutative, apart from the
    /// rounding of floats. It is a `reduce`, whose result the language does not tie to an order.
    Any,
    /// An order that the host has chosen to fill vectors: see `host::accumulators`.
    InLanes,
}

/// The unrolling of a loop that the OpenCL compiler is asked for. Unlike code that is written out in the
/// kernel text, it is a hint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unrolling {
    /// The compiler decides.
    AsItLikes,
    /// By this factor.
    By(u64),
    /// By factors that depend on the compiler.
    ByCompiler {
        /// For NVIDIA's GPUs; `None` leaves the decision to the compiler.
        nvidia: Option<u64>,
        /// For other devices.
        others: u64,
    },
    /// Fully: no loop remains.
    Whole,
}

/// The number of iterations of a loop that one worker executes (control-flow simplification, CGO 2017,
/// section 5.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trip {
    /// Exactly one: no control flow is printed.
    One,
    /// One or none: an `if`.
    AtMostOne,
    /// Any number: a `for`.
    Any,
    /// Any number, and the same number for every worker.
    AnyUniform,
    /// Any number, in rounds: in each round, every worker has an iteration or goes along without one. So the
    /// index may be at or beyond the end. The body checks that where it matters; all work-items reach the
    /// barriers in it.
    Rounds,
}

/// What a statement stores: `buffer[index] = value;`
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stored<'s> {
    /// The buffer.
    pub(crate) buffer: BufferId,
    /// The first element that changes; a vector changes the following ones, too.
    pub(crate) index: &'s Nat,
    /// Its new value, or what it is updated with.
    pub(crate) value: &'s Expression,
    /// How the old value counts.
    pub(crate) way: StoreWay,
}

/// What a store does with the old value of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StoreWay {
    /// Nothing.
    Replace,
    /// It is read and combined with another value, in one step.
    Update,
}

impl Statement {
    /// The expressions that stand directly in this statement.
    pub fn expressions(&self) -> &[Expression] {
        match self {
            Statement::Declare(_, Some(value))
            | Statement::Assign(_, value)
            | Statement::Store(_, _, value)
            | Statement::Update { value, .. }
            | Statement::DeclareIndex { value, .. } => std::slice::from_ref(value),
            Statement::CallFunction { arguments, .. } => arguments,
            Statement::If(condition, _, _) | Statement::BreakUnless(condition) => {
                std::slice::from_ref(condition)
            }
            Statement::Declare(_, None)
            | Statement::DeclareBuffer(_)
            | Statement::DeclareWorker { .. }
            | Statement::DeclareValue { .. }
            | Statement::Comment(_)
            | Statement::Loop(_)
            | Statement::Barrier { .. } => &[],
        }
    }

    /// The statement lists inside this statement: the two branches of an `if`, or the body of a loop and then
    /// an empty list. Other statements have none.
    pub fn blocks(&self) -> impl Iterator<Item = &[Statement]> {
        self.inner().into_iter().flatten()
    }

    /// Whether it holds no statement lists.
    pub fn is_leaf(&self) -> bool {
        self.inner().is_none()
    }

    /// The same as an array, so that nothing is allocated; `None` for a leaf, as most statements are. A loop,
    /// which has only a body, has an empty list in the second place.
    #[inline(always)]
    fn inner(&self) -> Option<[&[Statement]; 2]> {
        match self {
            Statement::Loop(repetition) => Some([&repetition.body, &[]]),
            Statement::If(_, then, otherwise) => Some([then, otherwise]),
            Statement::Comment(_)
            | Statement::Declare(..)
            | Statement::DeclareBuffer(_)
            | Statement::DeclareIndex { .. }
            | Statement::DeclareWorker { .. }
            | Statement::DeclareValue { .. }
            | Statement::Assign(..)
            | Statement::Store(..)
            | Statement::Update { .. }
            | Statement::CallFunction { .. }
            | Statement::BreakUnless(_)
            | Statement::Barrier { .. } => None,
        }
    }

    /// The statement lists inside this statement, to change them.
    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<Statement>> {
        match self {
            Statement::Loop(repetition) => vec![&mut repetition.body],
            Statement::If(_, then, otherwise) => vec![then, otherwise],
            Statement::Comment(_)
            | Statement::Declare(..)
            | Statement::DeclareBuffer(_)
            | Statement::DeclareIndex { .. }
            | Statement::DeclareWorker { .. }
            | Statement::DeclareValue { .. }
            | Statement::Assign(..)
            | Statement::Store(..)
            | Statement::Update { .. }
            | Statement::CallFunction { .. }
            | Statement::BreakUnless(_)
            | Statement::Barrier { .. } => Vec::new(),
        }
    }

    /// The statement with changed statement lists inside; one without any stays as it is.
    #[must_use]
    pub fn map_blocks(mut self, mut change: impl FnMut(Vec<Statement>) -> Vec<Statement>) -> Statement {
        for block in self.blocks_mut() {
            *block = change(std::mem::take(block));
        }
        self
    }

    /// The variables that it declares.
    pub fn declared_variables(&self) -> &[Variable] {
        match self {
            Statement::Declare(variable, _) => std::slice::from_ref(variable),
            Statement::CallFunction { results, .. } => results,
            Statement::Comment(_)
            | Statement::DeclareBuffer(_)
            | Statement::DeclareIndex { .. }
            | Statement::DeclareWorker { .. }
            | Statement::DeclareValue { .. }
            | Statement::Assign(..)
            | Statement::Store(..)
            | Statement::Update { .. }
            | Statement::Loop(_)
            | Statement::If(..)
            | Statement::BreakUnless(_)
            | Statement::Barrier { .. } => &[],
        }
    }

    /// The index that it declares: for the statements after it or, as a loop, for those inside it.
    pub fn declared_index(&self) -> Option<&Var> {
        match self {
            Statement::DeclareIndex { index, .. }
            | Statement::DeclareWorker { index, .. }
            | Statement::DeclareValue { index, .. } => Some(index),
            Statement::Loop(repetition) => Some(&repetition.index),
            Statement::Comment(_)
            | Statement::Declare(..)
            | Statement::DeclareBuffer(_)
            | Statement::Assign(..)
            | Statement::Store(..)
            | Statement::Update { .. }
            | Statement::CallFunction { .. }
            | Statement::If(..)
            | Statement::BreakUnless(_)
            | Statement::Barrier { .. } => None,
        }
    }

    /// What it stores in a buffer. Whoever places barriers, lets one work-item store what all compute, or
    /// divides a loop among threads asks here: a form of statement that stores something else, or in another
    /// way, is named here, and all of them see it.
    pub(crate) fn stored(&self) -> Option<Stored<'_>> {
        match self {
            Statement::Store(buffer, index, value) => {
                Some(Stored { buffer: *buffer, index, value, way: StoreWay::Replace })
            }
            Statement::Update { buffer, index, value, .. } => {
                Some(Stored { buffer: *buffer, index, value, way: StoreWay::Update })
            }
            Statement::Comment(_)
            | Statement::Declare(..)
            | Statement::DeclareBuffer(_)
            | Statement::DeclareIndex { .. }
            | Statement::DeclareWorker { .. }
            | Statement::DeclareValue { .. }
            | Statement::Assign(..)
            | Statement::CallFunction { .. }
            | Statement::Loop(_)
            | Statement::If(..)
            | Statement::BreakUnless(_)
            | Statement::Barrier { .. } => None,
        }
    }

    /// The buffer that it stores to.
    pub fn stored_buffer(&self) -> Option<BufferId> {
        self.stored().map(|stored| stored.buffer)
    }

    /// Whether the statement or one inside it is wanted. Each is asked before those inside it, and those
    /// after the first one are not. It makes no list, unlike [`nested`]: passes ask this most often.
    pub(crate) fn any<'s>(&'s self, is_wanted: &mut impl FnMut(&'s Statement) -> bool) -> bool {
        if is_wanted(self) {
            return true;
        }
        match self.inner() {
            Some([first, second]) => any(first, is_wanted) || any(second, is_wanted),
            None => false,
        }
    }

    /// Whether work-items of a group wait for each other in it, or in a statement inside it.
    pub(crate) fn has_barrier(&self) -> bool {
        self.any(&mut |statement| matches!(statement, Statement::Barrier { .. }))
    }

    /// Looks at its expressions and all their parts, each before its own parts; those of the statements inside
    /// it are left out.
    pub(crate) fn each_part<'s>(&'s self, look: &mut impl FnMut(&'s Expression)) {
        for expression in self.expressions() {
            expression.each_part(look);
        }
    }

    /// The buffers that it loads from itself; what the statements inside it load is left out.
    pub fn loaded_buffers(&self) -> impl Iterator<Item = BufferId> {
        let parts = self.expressions().iter().flat_map(Expression::nested);
        let loaded = parts.filter_map(|part| match part {
            Expression::Load(buffer, ..) => Some(*buffer),
            _ => None,
        });
        loaded.chain(self.updated_buffer())
    }

    /// The buffer of which it updates an element.
    pub fn updated_buffer(&self) -> Option<BufferId> {
        self.stored().filter(|stored| stored.way == StoreWay::Update).map(|stored| stored.buffer)
    }
}

/// Whether a statement of a block, at any depth, is wanted: [`Statement::any`] of a block.
pub(crate) fn any<'s>(block: &'s [Statement], is_wanted: &mut impl FnMut(&'s Statement) -> bool) -> bool {
    for statement in block {
        if statement.any(is_wanted) {
            return true;
        }
    }
    false
}

/// The statements of a block at every depth, each followed by the statements inside it.
pub fn nested(block: &[Statement]) -> impl Iterator<Item = &Statement> {
    let mut rest: Vec<&Statement> = block.iter().rev().collect();
    std::iter::from_fn(move || {
        let next = rest.pop()?;
        if let Some([first, second]) = next.inner() {
            rest.extend(first.iter().chain(second).rev());
        }
        Some(next)
    })
}
