//! The result of compilation: kernel text, and everything a launcher must know about it.

use std::collections::BTreeSet;

use crate::kernel::{BufferId, BufferRole, KernelParameter, Module};
pub use crate::kernel::{Distribution, Launches, Portion};
use crate::lower::Repeated;
use crate::nat::{Nat, Var};
pub use crate::print::HostCode;
use crate::scalar::ScalarType;
use crate::typed::{Backend, Obligation, Parameter, SizeVariable};
use crate::types::Type;

/// A compiled program: its kernels and how to launch them.
#[derive(Debug, Clone, PartialEq)]
pub struct Compiled {
    /// The program's name.
    pub name: String,
    /// The OpenCL C of all kernels. It reads the macros `index_t` and `T0`, `T1`, … and defines each that is
    /// not given.
    pub source: String,
    /// The kernels as Rust functions, if they were wanted.
    pub host: Option<HostCode>,
    /// The only backend that may run it; any where the user restricts nothing.
    pub backend: Option<Backend>,
    /// How many element types the arguments fix.
    pub type_parameters: usize,
    /// Those, by index, of arrays of any rank: see [`Program::open_ranks`](crate::typed::Program::open_ranks).
    pub open_ranks: BTreeSet<usize>,
    /// The size variables.
    pub sizes: Vec<SizeVariable>,
    /// The parameters as the user passes them. A position-dependent array is one array of all its elements, row by row.
    pub interface: Vec<Parameter>,
    /// The parameters as kernels take them, in the same order: tuples are taken apart (see [`crate::boundary`]), `p: (A, B)`
    /// into `p.0` and `p.1`.
    pub parameters: Vec<Parameter>,
    /// The type of the result as the user gets it.
    pub result: Type,
    /// The arrays and scalars that kernels write: the components of the result.
    pub results: Vec<Type>,
    /// What the launcher checks first.
    pub obligations: Vec<Obligation>,
    /// Device buffers that live for one call.
    pub temporaries: Vec<Temporary>,
    /// Element counts of everything that is indexed: 32-bit indices are right when all fit.
    pub extents: Vec<Nat>,
    /// The kernels.
    pub kernels: Vec<Launch>,
    /// In which order they are launched, and how often.
    pub steps: Vec<Step>,
    /// The arrays that are computed more often than the program says.
    pub repeated: Vec<Repeated>,
}

impl Compiled {
    /// The variables that a launcher gives values: [`Repetition::step`] and [`Repetition::portion`] of every
    /// repetition that has one.
    pub fn counted(&self) -> BTreeSet<Var> {
        let mut counted = BTreeSet::new();
        self.steps.iter().for_each(|step| step.collect_counted(&mut counted));
        counted
    }
}

/// What a launcher does next.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// It launches the kernel at this position.
    Launch(usize),
    /// It does these steps again and again.
    Repeat(Repetition),
}

impl Step {
    fn collect_counted(&self, counted: &mut BTreeSet<Var>) {
        match self {
            Step::Launch(_) => {}
            Step::Repeat(repetition) => {
                counted.extend(repetition.step.clone());
                counted.extend(
                    repetition
                        .portion
                        .iter()
                        .flat_map(|portion| [portion.first.clone(), portion.count.clone()]),
                );
                repetition.body.iter().for_each(|step| step.collect_counted(counted));
            }
        }
    }
}

/// Steps that are done again and again: the applications of an `iterate`, or the portions of rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Repetition {
    /// How often.
    pub count: Nat,
    /// What stands for the number of times before this one in the launch sizes and arguments of the kernels, and in repetitions inside; none
    /// where all times are alike.
    pub step: Option<Var>,
    /// The rows that each time is for; none where a time is for all.
    pub portion: Option<Portion>,
    /// The arrays that go from one time to the next.
    pub arrays: Vec<Alternation>,
    /// The steps of one time.
    pub body: Vec<Step>,
}

/// Two arrays that change places from one application to the next.
///
/// Kernels say `before` for what they read and `after` for what they write. Every second time, counted back from the last, these
/// are exchanged; what the first time reads is `input` instead, and what the last time writes is `output`. `input` stays as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternation {
    /// What the first application reads.
    pub input: Argument,
    /// What kernels read.
    pub before: Argument,
    /// What kernels write.
    pub after: Argument,
    /// What the last application writes, which may be `after`.
    pub output: Argument,
}

/// A device buffer between kernels of one program.
#[derive(Debug, Clone, PartialEq)]
pub struct Temporary {
    /// The type of one element.
    pub element: ScalarType,
    /// How many.
    pub length: Nat,
}

/// How one kernel is launched.
#[derive(Debug, Clone, PartialEq)]
pub struct Launch {
    /// The kernel's name in the source.
    pub entry: String,
    /// What its parameters are bound to.
    pub arguments: Vec<Argument>,
    /// What the parameters of its Rust function are bound to, which may need sizes that the launch implies in OpenCL; empty where there
    /// is no such function.
    pub host_arguments: Vec<Argument>,
    /// Work-items needed per dimension; to be rounded up to multiples of `local`.
    pub global: [Nat; 3],
    /// Work-items per group and dimension.
    pub local: [u64; 3],
    /// Whether the kernel is right for other launches than this one.
    pub launches: Launches,
    /// Bytes of local memory that the kernel declares.
    pub local_memory: Nat,
}

/// What one kernel parameter is bound to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Argument {
    /// The program's parameter at this position.
    Parameter(usize),
    /// The program's result at this position (a tuple of arrays has several).
    Result(usize),
    /// The temporary at this position.
    Temporary(usize),
    /// A size variable, as `index_t`.
    Size(Var),
    /// How often the repetition around with this [`step`](Repetition::step) was done before, or a variable of
    /// its [`portion`](Repetition::portion), as `index_t`.
    Step(Var),
}

impl KernelParameter {
    /// What it is bound to; nothing for memory of the kernel itself.
    pub fn argument(&self, module: &Module) -> Option<Argument> {
        match self {
            KernelParameter::Buffer(id) => id.argument(module),
            KernelParameter::Scalar(position, _) => Some(Argument::Parameter(*position)),
            KernelParameter::Size(variable) => {
                Some(match module.repetitions.iter().any(|repetition| repetition.gives(variable)) {
                    true => Argument::Step(variable.clone()),
                    false => Argument::Size(variable.clone()),
                })
            }
        }
    }
}

impl BufferId {
    /// What a buffer in global memory is to a launcher.
    pub fn argument(self, module: &Module) -> Option<Argument> {
        match module.buffers.get(self.0)?.role {
            BufferRole::Parameter(position) => Some(Argument::Parameter(position)),
            BufferRole::Result(position) => Some(Argument::Result(position)),
            BufferRole::Temporary(position) | BufferRole::Scratch(position) => {
                Some(Argument::Temporary(position))
            }
            BufferRole::Local | BufferRole::Private | BufferRole::Constant(_) => None,
        }
    }
}
