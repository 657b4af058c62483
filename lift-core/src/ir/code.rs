//! The code of a program: what its kernels do, before it is decided who executes it.
//!
//! Every parallel loop has all its iterations, and no launch is known. A device divides them among work-items
//! ([`device`](crate::device)), and the host among threads ([`host`](crate::host)).

use std::sync::Arc;

use super::kernel::{Buffer, BufferId, Function, Repetition, Statement, Variable};
use super::names::{Fresh, Names};
use super::nat::{Nat, Ranges, Var};
use super::source::Source;
use super::typed::{Program, SizeVariable};
use crate::flat::{FlatMap, FlatSet};

/// The output of code generation.
#[derive(Debug, Clone)]
pub struct Code {
    /// The lowered program; its sizes include the application counters.
    pub program: Program,
    /// User functions, callees first.
    pub functions: Vec<Function>,
    /// The kernels, in launch order.
    pub kernels: Vec<KernelCode>,
    /// The kernels among them that are launched repeatedly. A repetition comes after those inside it.
    pub repetitions: Vec<Repetition>,
    /// All buffers, by [`BufferId`].
    pub buffers: Vec<Buffer>,
    /// The scalar parameters of the program, with their positions.
    pub scalars: Vec<(usize, Variable)>,
    /// The sizes that kernels know: those of the program, and the bounds of portions.
    pub sizes: Vec<SizeVariable>,
    /// The names of the sizes in the kernel text; they may be called `len(a)` elsewhere.
    pub size_names: FlatMap<Var, Arc<str>>,
    /// What is known about the sizes of the program.
    pub sizes_known: Ranges,
    /// The same, and what is known about the bounds of portions.
    pub ranges: Ranges,
    /// Makes further variables.
    pub fresh: Fresh,
    /// Requests of the user, and facts for messages.
    pub notes: Notes,
}

/// The code of a kernel.
#[derive(Debug, Clone)]
pub struct KernelCode {
    /// Its statements.
    pub body: Vec<Statement>,
    /// The names that are taken in it.
    pub(crate) names: Names,
}

/// What code generation passes on besides the code.
#[derive(Debug, Default, Clone)]
pub struct Notes {
    /// The source of the values that private buffers hold.
    pub made_at: FlatMap<BufferId, Source>,
    /// The private buffers that every iteration of a loop creates anew.
    pub accumulators: FlatSet<BufferId>,
    /// The gaps between the rows of buffers.
    pub gaps: FlatMap<BufferId, Vec<Gap>>,
    /// The indices of loops that are to be pipelined.
    pub pipelined: FlatSet<Var>,
}

/// A gap after every array of one dimension of a stored value.
#[derive(Debug, Clone)]
pub struct Gap {
    /// The number of scalars of one such array.
    pub every: Nat,
    /// The number of scalars in the gap after it.
    pub scalars: Nat,
}
