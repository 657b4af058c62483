//! Statements of kernels, and what a pass asks all of them alike.
//!
//! A pass says what becomes of the statements that it cares about. What a statement holds, declares and accesses is said here, for every
//! form of statement: a new form is thought about here first, and where a pass asks for each form by its name.

use super::{BufferId, Expression, Variable, Workers};
use crate::ir::nat::{Nat, Var};
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
        /// What it is below, where that is known.
        bound: Option<Nat>,
    },
    /// `index_t index = value;`
    DeclareValue {
        /// The index.
        index: Var,
        /// What it is.
        value: Nat,
        /// What it is below, where that is known; then it is not negative either.
        bound: Option<Nat>,
    },
    /// `x = value;`
    Assign(Variable, Expression),
    /// `buffer[index] = value;`; a vector is stored in the scalars that start there.
    Store(BufferId, Nat, Expression),
    /// Calls a function that gives a tuple; its components go to fresh variables.
    CallFunction {
        /// The variables, declared here.
        results: Vec<Variable>,
        /// The position of the function in [`Module::functions`](super::Module::functions).
        function: usize,
        /// Its arguments.
        arguments: Vec<Expression>,
    },
    /// Repetition, in time or over work-items.
    Loop(Loop),
    /// A choice.
    If(Expression, Vec<Statement>, Vec<Statement>),
    /// A work-group barrier.
    Barrier {
        /// The memories whose accesses it orders.
        spaces: Vec<AddressSpace>,
        /// Why it stands there.
        reason: String,
    },
}

/// Repetition over `0..extent`.
#[derive(Debug, Clone, PartialEq)]
pub struct Loop {
    /// Who executes the steps.
    pub workers: Workers,
    /// The step; it lies in `0..extent`.
    pub index: Var,
    /// The number of steps.
    pub extent: Nat,
    /// How many steps one worker executes.
    pub trip: Trip,
    /// What the OpenCL compiler is asked to do with it.
    pub unrolling: Unrolling,
    /// In which order the steps may be done.
    pub order: Order,
    /// Where it comes from, printed as a comment; empty for a part of the loop around it.
    pub origin: String,
    /// What each step does.
    pub body: Vec<Statement>,
}

impl Loop {
    /// What the index is below; nothing is known of it in a loop in rounds.
    pub fn bound(&self) -> Option<&Nat> {
        match self.trip {
            Trip::One | Trip::AtMostOne | Trip::Any | Trip::AnyUniform => Some(&self.extent),
            Trip::Rounds => None,
        }
    }
}

/// In which order the steps of a loop may be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// As written.
    Stated,
    /// What the loop accumulates with an operator that is associative and commutative, floats rounded or not, may be accumulated in any
    /// order: it is a `reduce`, whose result the language does not tie to an order.
    Any,
    /// The host has decided for an order that fills vectors: see `host::accumulators`.
    InLanes,
}

/// What the OpenCL compiler is asked to do with a loop. Other than code that is written out in the kernel text, this is a hint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unrolling {
    /// Nothing.
    AsItLikes,
    /// To execute this many steps per round.
    By(u64),
    /// The same, but another number of steps of NVIDIA's compiler, or nothing.
    ByCompiler {
        /// For NVIDIA's GPUs.
        nvidia: Option<u64>,
        /// For other devices.
        others: u64,
    },
    /// To leave no loop.
    Whole,
}

/// How many steps of a loop one worker executes (control-flow simplification, CGO 2017, section 5.5).
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
    /// Any number, in rounds in which every worker has one or goes along without: the index may be at or beyond the end. The
    /// body asks where that matters; barriers in it are reached by all.
    Rounds,
}

impl Statement {
    /// The expressions that stand directly in this statement.
    pub fn expressions(&self) -> &[Expression] {
        match self {
            Statement::Declare(_, Some(value))
            | Statement::Assign(_, value)
            | Statement::Store(_, _, value)
            | Statement::DeclareIndex { value, .. } => std::slice::from_ref(value),
            Statement::CallFunction { arguments, .. } => arguments,
            Statement::If(condition, _, _) => std::slice::from_ref(condition),
            Statement::Declare(_, None)
            | Statement::DeclareBuffer(_)
            | Statement::DeclareWorker { .. }
            | Statement::DeclareValue { .. }
            | Statement::Comment(_)
            | Statement::Loop(_)
            | Statement::Barrier { .. } => &[],
        }
    }

    /// The statement lists inside this statement.
    pub fn blocks(&self) -> Vec<&[Statement]> {
        match self {
            Statement::Loop(repetition) => vec![&repetition.body],
            Statement::If(_, then, otherwise) => vec![then, otherwise],
            Statement::Comment(_)
            | Statement::Declare(..)
            | Statement::DeclareBuffer(_)
            | Statement::DeclareIndex { .. }
            | Statement::DeclareWorker { .. }
            | Statement::DeclareValue { .. }
            | Statement::Assign(..)
            | Statement::Store(..)
            | Statement::CallFunction { .. }
            | Statement::Barrier { .. } => Vec::new(),
        }
    }

    /// The same, to change them.
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
            | Statement::CallFunction { .. }
            | Statement::Barrier { .. } => Vec::new(),
        }
    }

    /// The statement with other statement lists inside; one without any stays as it is.
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
            | Statement::Loop(_)
            | Statement::If(..)
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
            | Statement::CallFunction { .. }
            | Statement::If(..)
            | Statement::Barrier { .. } => None,
        }
    }

    /// The buffer that it stores to.
    pub fn stored_buffer(&self) -> Option<BufferId> {
        match self {
            Statement::Store(buffer, ..) => Some(*buffer),
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
            | Statement::Barrier { .. } => None,
        }
    }

    /// Whether work-items of a group wait for each other in it, or in a statement inside it.
    pub(crate) fn has_barrier(&self) -> bool {
        nested(std::slice::from_ref(self)).any(|statement| matches!(statement, Statement::Barrier { .. }))
    }

    /// The buffers that it loads from, not those of the statements inside it.
    pub fn loaded_buffers(&self) -> impl Iterator<Item = BufferId> {
        let parts = self.expressions().iter().flat_map(Expression::nested);
        parts.filter_map(|part| match part {
            Expression::Load(buffer, ..) => Some(*buffer),
            _ => None,
        })
    }
}

/// The statements of a block, those inside a statement right after it.
pub fn nested(block: &[Statement]) -> impl Iterator<Item = &Statement> {
    let mut rest: Vec<&Statement> = block.iter().rev().collect();
    std::iter::from_fn(move || {
        let next = rest.pop()?;
        next.blocks().into_iter().rev().for_each(|block| rest.extend(block.iter().rev()));
        Some(next)
    })
}
