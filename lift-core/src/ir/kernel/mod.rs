//! The imperative kernel: what code generation produces and the printers print.
//!
//! Addresses and loop bounds stay symbolic ([`Nat`]), so that barrier placement can compare them and the printer can
//! decide, from the ranges of the loops around, whether C's `/` and `%` are right for them. Work-items appear as
//! loops over a level of the thread hierarchy; whether such a loop is printed as `for`, `if` or a straight line is its
//! [`Trip`].

use std::collections::BTreeMap;
use std::ops::Range;

use crate::ir::nat::{Nat, Ranges, Var};
use crate::ir::scalar::{Literal, ScalarType};
use crate::ir::typed::AddressSpace;

pub(crate) mod comparisons;
mod expression;
pub mod fold;
pub(crate) mod parameters;
mod scope;
mod statement;
mod uses;
pub(crate) mod visit;
mod workers;

pub use expression::Expression;
pub use statement::{Loop, Order, Statement, Trip, Unrolling, nested};
pub(crate) use uses::Uses;
pub use workers::Workers;

/// Everything that is printed into one source text.
#[derive(Debug, Clone, PartialEq)]
pub struct Module {
    /// User functions, callees first.
    pub functions: Vec<Function>,
    /// The kernels, in launch order.
    pub kernels: Vec<Kernel>,
    /// Which of them are launched repeatedly; a repetition comes after those inside it.
    pub repetitions: Vec<Repetition>,
    /// All buffers, by [`BufferId`].
    pub buffers: Vec<Buffer>,
    /// The names of the size variables in the kernel text; they may be called `len(a)` elsewhere.
    pub size_names: BTreeMap<Var, String>,
}

/// Kernels that are launched again and again: the applications of an `iterate`, or the portions of rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Repetition {
    /// The kernels of one application, by position.
    pub kernels: Range<usize>,
    /// The number of applications.
    pub count: Nat,
    /// The number of applications before this one, which the kernels of one get; none where all applications are alike.
    pub step: Option<Var>,
    /// The rows that each time is for, which the kernels get; none where a time is for all.
    pub portion: Option<Portion>,
    /// The arrays that go from one application to the next.
    pub arrays: Vec<Alternation>,
}

impl Repetition {
    /// Whether it gives kernels the value of a variable.
    pub fn gives(&self, variable: &Var) -> bool {
        let of_portion = self.portion.iter().flat_map(|portion| [&portion.first, &portion.count]);
        self.step.iter().chain(of_portion).any(|given| given == variable)
    }
}

/// The part of some rows that kernels are launched for at a time: `most` of them, and the rest the last time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Portion {
    /// The first row of the portion.
    pub first: Var,
    /// The number of rows of the portion.
    pub count: Var,
    /// The number of all rows.
    pub rows: Nat,
    /// The rows of a portion at most; one at least.
    pub most: Nat,
}

/// What is known in the kernel at this position: where an application has a number, that is below the number of applications, and
/// a portion lies in its rows.
pub fn ranges_of_kernel(position: usize, repetitions: &[Repetition], ranges: &Ranges) -> Ranges {
    let mut inside = ranges.clone();
    // Outer repetitions come last: how often an inner one is done may depend on them.
    for around in repetitions.iter().rev().filter(|around| around.kernels.contains(&position)) {
        if let Some(step) = &around.step {
            inside.declare(step, Nat::zero(), Some(around.count.clone()));
        }
        if let Some(Portion { first, count, rows, most }) = &around.portion {
            inside.declare(first, Nat::zero(), Some(rows.clone()));
            let rest = rows - Nat::variable(first);
            inside.declare(count, Nat::zero(), Some(rest + Nat::one()));
            // Both bounds hold.
            inside.declare(count, Nat::zero(), Some(most + Nat::one()));
        }
    }
    inside
}

/// Two buffers that change places from one application to the next.
///
/// The kernels are generated to read `before` and to write `after`. Every second application, counted from the last, they get
/// the one for the other; the first application reads `input` instead of what it would read otherwise, and `input` is never
/// written; the last one writes `output`. Without any application nothing is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternation {
    /// What the first application reads.
    pub input: BufferId,
    /// What kernels read.
    pub before: BufferId,
    /// What kernels write.
    pub after: BufferId,
    /// What the last application writes: `after`, unless that is for arrays of other lengths.
    pub output: BufferId,
}

/// Names a buffer of a [`Module`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BufferId(pub usize);

/// Memory with a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Buffer {
    /// Its name in the kernel text; unique in the module.
    pub name: String,
    /// The type of one element.
    pub element: ScalarType,
    /// How many elements.
    pub length: Nat,
    /// Where it lies and who provides it.
    pub role: BufferRole,
}

/// Where a buffer lies and who provides it.
#[derive(Debug, Clone, PartialEq)]
pub enum BufferRole {
    /// The array parameter of the program at this position: global memory, only read.
    Parameter(usize),
    /// The result at this position: global memory.
    Result(usize),
    /// A temporary at this position: global memory that lives for one call.
    Temporary(usize),
    /// The same, but every work-item has a part of its own: nobody waits for it.
    Scratch(usize),
    /// Declared at the top of the kernel.
    Local,
    /// Declared where it is used; one per work-item.
    Private,
    /// A constant table at file scope.
    Constant(Vec<Literal>),
}

impl BufferRole {
    /// The position among the temporaries of the program.
    pub fn temporary(&self) -> Option<usize> {
        match self {
            BufferRole::Temporary(position) | BufferRole::Scratch(position) => Some(*position),
            BufferRole::Parameter(_)
            | BufferRole::Result(_)
            | BufferRole::Local
            | BufferRole::Private
            | BufferRole::Constant(_) => None,
        }
    }

    /// Whether several work-items may access the same element.
    pub fn is_shared(&self) -> bool {
        match self {
            BufferRole::Parameter(_)
            | BufferRole::Result(_)
            | BufferRole::Temporary(_)
            | BufferRole::Local => true,
            BufferRole::Scratch(_) | BufferRole::Private | BufferRole::Constant(_) => false,
        }
    }
}

impl Buffer {
    /// The memory it lies in; constant tables count as private: nobody writes them.
    pub fn space(&self) -> AddressSpace {
        match self.role {
            BufferRole::Parameter(_)
            | BufferRole::Result(_)
            | BufferRole::Temporary(_)
            | BufferRole::Scratch(_) => AddressSpace::Global,
            BufferRole::Local => AddressSpace::Local,
            BufferRole::Private | BufferRole::Constant(_) => AddressSpace::Private,
        }
    }
}

/// A kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<KernelParameter>,
    /// Work-items needed per dimension, before rounding up to groups.
    pub global: [Nat; 3],
    /// Work-items per group and dimension.
    pub local: [u64; 3],
    /// The launches that it is right for.
    pub launches: Launches,
    /// The body.
    pub body: Vec<Statement>,
}

/// The launches that a kernel is right for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Launches {
    /// The one that is stated with it: loops over work-items know how many there are.
    Pinned,
    /// Any with work-items where there is work; the one stated with it is for those who choose none.
    Any([Distribution; 3]),
}

/// What a kernel distributes over one dimension of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distribution {
    /// Nothing: a launch has one work-item there.
    Nothing,
    /// Work over the work-items of the device, whatever groups they are in.
    Items,
    /// Work over groups, and none over their work-items: a group has one.
    Groups,
    /// Work over the work-items of a group, and none over groups: there is one.
    ItemsOfGroup,
    /// Work over groups, and in them over their work-items.
    GroupsAndItems,
}

impl Distribution {
    /// Whether a launch may have several work-items in a group.
    pub fn has_items(self) -> bool {
        match self {
            Distribution::Items | Distribution::ItemsOfGroup | Distribution::GroupsAndItems => true,
            Distribution::Nothing | Distribution::Groups => false,
        }
    }

    /// Whether a launch may have several groups.
    pub fn has_groups(self) -> bool {
        match self {
            Distribution::Items | Distribution::Groups | Distribution::GroupsAndItems => true,
            Distribution::Nothing | Distribution::ItemsOfGroup => false,
        }
    }
}

/// A parameter of a kernel.
#[derive(Debug, Clone, PartialEq)]
pub enum KernelParameter {
    /// A global buffer.
    Buffer(BufferId),
    /// A scalar parameter of the program at this position.
    Scalar(usize, Variable),
    /// A size variable.
    Size(Var),
}

/// A user function; tuples have been taken apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Its name in the kernel text.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<Variable>,
    /// The types of its results; several for a function that gives a tuple.
    pub results: Vec<ValueType>,
    /// What it does before it returns.
    pub body: Vec<Statement>,
    /// What it returns.
    pub values: Vec<Expression>,
}

/// A C variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name; unique in the module.
    pub name: String,
    /// Its type.
    pub ty: ValueType,
}

/// The type of a value that an expression gives: a scalar, or an OpenCL vector of scalars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ValueType {
    /// The type of one lane.
    pub scalar: ScalarType,
    /// How many: 1 is a scalar, more are a vector. A vector in memory is as many scalars, one after the other.
    pub lanes: u8,
}

impl ValueType {
    /// A truth value.
    pub const BOOL: ValueType = ValueType { scalar: ScalarType::Bool, lanes: 1 };

    /// The same number of lanes of another type.
    #[must_use]
    pub fn of(self, scalar: ScalarType) -> ValueType {
        ValueType { scalar, ..self }
    }
}

impl From<ScalarType> for ValueType {
    fn from(scalar: ScalarType) -> ValueType {
        ValueType { scalar, lanes: 1 }
    }
}
