//! The imperative kernel: code generation produces it, and the printers print it.
//!
//! Addresses and loop bounds stay symbolic ([`Nat`]). So barrier placement can compare them, and the printer
//! can decide, from the ranges of the loops around, whether C's `/` and `%` are right for them. Work-items
//! appear as loops over a level of the thread hierarchy. The [`Trip`] of such a loop says whether it is
//! printed as `for`, as `if` or as straight code.
//!
//! Invariant: no two iterations of a loop over work-items, groups or global work-items store to the same
//! element of memory that they share between two reads of it. Updates ([`Statement::Update`]) are one
//! exception: several iterations may update an element, as long as none of them reads it or stores to it.
//! Stores of code outside of such a loop are the other one: all workers compute one value, and `device::guard` lets the first of them store it.
//! `middle::check` and the layouts, which write through bijections only, see to it. Barrier placement relies
//! on it (two stores need none), as do the loops that threads share on the host. What a statement stores is
//! said in one place, `Statement::stored`.

use std::ops::Range;
use std::sync::Arc;

use crate::flat::FlatMap;
use crate::ir::nat::{Nat, Ranges, Substitution, Var};
use crate::ir::scalar::{Literal, ScalarType};
use crate::ir::typed::{AddressSpace, Rounding};
pub use lift_description::{Distribution, Launches};

pub(crate) mod accesses;
pub(crate) mod comparisons;
#[cfg(test)]
pub(crate) mod examples;
mod expression;
pub mod fold;
pub(crate) mod parameters;
mod scope;
mod statement;
mod update;
pub(crate) mod used_block;
mod uses;
mod vectors;
pub(crate) mod visit;
mod workers;

pub use expression::Expression;
pub use statement::{Loop, Order, Statement, Trip, Unrolling, nested};
pub(crate) use statement::{StoreWay, Stored, any};
pub use update::UpdateOperator;
pub(crate) use uses::{Mention, UsedBuffers, Uses, Writes, mentions, written_and_read};
pub(crate) use vectors::Vectors;
pub use workers::Workers;

/// Everything that is printed into one source text.
#[derive(Debug, Clone, PartialEq)]
pub struct Module {
    /// User functions, callees first.
    pub functions: Vec<Function>,
    /// The kernels, in launch order.
    pub kernels: Vec<Kernel>,
    /// The kernels among them that are launched repeatedly. A repetition comes after those inside it.
    pub repetitions: Vec<Repetition>,
    /// All buffers, by [`BufferId`].
    pub buffers: Vec<Buffer>,
    /// The names of the size variables in the kernel text; they may be called `len(a)` elsewhere.
    pub size_names: FlatMap<Var, Arc<str>>,
    /// How floats are rounded.
    pub rounding: Rounding,
}

impl Module {
    /// The same kernels, for a launcher that knows names of formulas by what they stand for.
    #[must_use]
    pub(crate) fn with_sizes(mut self, formulas: &Substitution) -> Module {
        if formulas.is_empty() {
            return self;
        }
        let portions = self.repetitions.iter_mut().flat_map(|repetition| {
            let portion =
                repetition.portion.iter_mut().flat_map(|portion| [&mut portion.rows, &mut portion.most]);
            portion.chain([&mut repetition.count])
        });
        let kernels = self.kernels.iter_mut().flat_map(|kernel| &mut kernel.global);
        let buffers = self.buffers.iter_mut().map(|buffer| &mut buffer.length);
        buffers.chain(kernels).chain(portions).for_each(|size| *size = size.substitute(formulas));
        self
    }
}

/// Kernels that are launched again and again: the applications of an `iterate`, or the portions of rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Repetition {
    /// The kernels of one application, by position.
    pub kernels: Range<usize>,
    /// The number of applications.
    pub count: Nat,
    /// The application counter, which the kernels of one application get; `None` where all applications are
    /// alike.
    pub step: Option<Var>,
    /// The rows of each launch, which the kernels get; `None` where each launch covers all rows.
    pub portion: Option<Portion>,
    /// The arrays that go from one application to the next.
    pub arrays: Vec<Alternation>,
    /// How it may end before all applications are done; `None` where it does not.
    pub end: Option<End>,
}

/// How a repetition ends early: the first kernels of an application find out whether there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// The number of these kernels.
    pub condition: usize,
    /// Where they store it: one truth value.
    pub goes_on: BufferId,
    /// The number of kernels, the last ones of the repetition, that copy `before` to `after`. They are
    /// launched once, after the last application, unless its result lies in `after` already.
    pub copies: usize,
}

impl Repetition {
    /// The kernels that are launched in every application.
    pub fn repeated(&self) -> Range<usize> {
        self.kernels.start..self.kernels.end - self.end.map_or(0, |end| end.copies)
    }

    /// Whether it gives kernels the value of a variable.
    pub fn gives(&self, variable: &Var) -> bool {
        let of_portion = self.portion.iter().flat_map(|portion| [&portion.first, &portion.count]);
        self.step.iter().chain(of_portion).any(|given| given == variable)
    }
}

/// The part of some rows that kernels are launched for at a time.
pub type Portion = lift_description::Portion<Nat, Var>;

/// Two buffers that change places from one application to the next. The applications are iterations of the
/// launcher.
pub type Alternation = lift_description::Alternation<BufferId>;

/// What is known in the kernel at this position: the application counter is below the number of applications,
/// and a portion lies in its rows.
pub fn ranges_of_kernel(position: usize, repetitions: &[Repetition], ranges: &Ranges) -> Ranges {
    let mut inside = ranges.clone();
    // Outer repetitions come last: the number of applications of an inner one may depend on them.
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

/// Identifies a buffer of a [`Module`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BufferId(pub usize);

/// Memory with a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Buffer {
    /// Its name in the kernel text; unique in the module.
    pub name: Arc<str>,
    /// The type of one element.
    pub element: ScalarType,
    /// The number of its elements.
    pub length: Nat,
    /// Its memory, and who provides it.
    pub role: BufferRole,
}

/// The memory of a buffer, and who provides it.
#[derive(Debug, Clone, PartialEq)]
pub enum BufferRole {
    /// The array parameter of the program at this position: global memory, only read.
    Parameter(usize),
    /// The result at this position: global memory.
    Result(usize),
    /// A temporary at this position: global memory that lives for one call.
    Temporary(usize),
    /// A temporary in which every work-item has its own part, so that nobody waits for it.
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
    /// The memory that it lies in; constant tables count as private, because nobody writes them.
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
    /// The launches for which it is correct.
    pub launches: Launches,
    /// The body.
    pub body: Vec<Statement>,
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
    pub name: Arc<str>,
    /// Its parameters.
    pub parameters: Vec<Variable>,
    /// The types of its results; several for a function that returns a tuple.
    pub results: Vec<ValueType>,
    /// The statements before it returns.
    pub body: Vec<Statement>,
    /// The values that it returns.
    pub values: Vec<Expression>,
}

/// A C variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name; unique in the module.
    pub name: Arc<str>,
    /// Its type.
    pub ty: ValueType,
}

/// The type of an expression's value: a scalar, or an OpenCL vector of scalars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ValueType {
    /// The type of one lane.
    pub scalar: ScalarType,
    /// The number of lanes: 1 is a scalar, more are a vector. A vector in memory is that number of scalars,
    /// one after the other.
    pub lanes: u8,
}

impl ValueType {
    /// A truth value.
    pub const BOOL: ValueType = ValueType { scalar: ScalarType::Bool, lanes: 1 };

    /// A type with the same number of lanes and another scalar type.
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
