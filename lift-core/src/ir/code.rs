//! The code of a program: what its kernels do, before it is said who executes it.
//!
//! Every parallel loop has all its iterations, and no launch is known. A device divides them among work-items
//! ([`device`](crate::device)), and the host among threads ([`host`](crate::host)).

use std::collections::{BTreeMap, BTreeSet};

use super::kernel::{Buffer, BufferId, Function, Repetition, Statement, Variable};
use super::names::{Fresh, Names};
use super::nat::{Nat, Ranges, Var};
use super::source::Source;
use super::typed::{Program, SizeVariable};

/// What code generation makes of a program.
#[derive(Debug, Clone)]
pub struct Code {
    /// The lowered program; its sizes include the numbers of applications that a launcher counts.
    pub program: Program,
    /// User functions, callees first.
    pub functions: Vec<Function>,
    /// The kernels, in launch order.
    pub kernels: Vec<KernelCode>,
    /// Which of them are launched repeatedly; a repetition comes after those inside it.
    pub repetitions: Vec<Repetition>,
    /// All buffers, by [`BufferId`].
    pub buffers: Vec<Buffer>,
    /// The scalar parameters of the program, with their positions.
    pub scalars: Vec<(usize, Variable)>,
    /// The sizes that kernels know: those of the program, and the bounds of portions.
    pub sizes: Vec<SizeVariable>,
    /// The names of the sizes in the kernel text; they may be called `len(a)` elsewhere.
    pub size_names: BTreeMap<Var, String>,
    /// What is known of sizes.
    pub ranges: Ranges,
    /// Makes further variables.
    pub fresh: Fresh,
    /// What the user asked for, and what messages need.
    pub notes: Notes,
}

/// The code of a kernel.
#[derive(Debug, Clone)]
pub struct KernelCode {
    /// What it does.
    pub body: Vec<Statement>,
    /// The names that mean something in it.
    pub(crate) names: Names,
}

/// What code generation hands on to passes beside the code.
#[derive(Debug, Default, Clone)]
pub struct Notes {
    /// Where the values were written that private buffers hold.
    pub made_at: BTreeMap<BufferId, Source>,
    /// The private buffers that every iteration of a loop makes anew.
    pub accumulators: BTreeSet<BufferId>,
    /// The room between the rows of buffers.
    pub gaps: BTreeMap<BufferId, Vec<Gap>>,
    /// The indices of loops that are to be pipelined.
    pub pipelined: BTreeSet<Var>,
}

/// Arrays of one dimension of a stored value, and the room after each.
#[derive(Debug, Clone)]
pub struct Gap {
    /// The scalars of one such array.
    pub every: Nat,
    /// The scalars of room after it.
    pub scalars: Nat,
}
