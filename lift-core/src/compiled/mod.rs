//! The result of compilation: kernel text, and everything a launcher must know about it.

use std::collections::BTreeSet;

use crate::ir::kernel::{BufferId, BufferRole, KernelParameter, Module};
pub use crate::ir::kernel::{Distribution, Launches, Portion};
use crate::ir::nat::{Nat, Var};
use crate::ir::scalar::ScalarType;
use crate::ir::typed::{Backend, Obligation, Parameter, SizeVariable};
use crate::ir::types::Type;
use crate::middle::lower::Repeated;
pub use crate::print::HostCode;
use crate::print::extent::Extents;

mod collect;
mod interface;
mod launchable;
mod launches;

/// A compiled program: its kernels and their launches.
#[derive(Debug, Clone, PartialEq)]
pub struct Compiled {
    /// The program's name.
    pub name: String,
    /// The OpenCL C of all kernels. It reads the macros `index_t` and `T0`, `T1`, … and defines those that
    /// are not given.
    pub source: String,
    /// The kernels as Rust functions, if these were requested.
    pub host: Option<HostCode>,
    /// The only backend that may run it; `None` where the user allows any.
    pub backend: Option<Backend>,
    /// The number of element types that the arguments fix.
    pub type_parameters: usize,
    /// The indices of those that stand for arrays of any rank: see
    /// [`Program::open_ranks`](crate::ir::typed::Program::open_ranks).
    pub open_ranks: BTreeSet<usize>,
    /// The size variables.
    pub sizes: Vec<SizeVariable>,
    /// The parameters as the user passes them. A position-dependent array is one array of all its elements,
    /// row by row.
    pub interface: Vec<Parameter>,
    /// The parameters as kernels take them, in the same order, with tuples taken apart (see
    /// [`crate::middle::tuples`]): `p: (A, B)` becomes `p.0` and `p.1`.
    pub parameters: Vec<Parameter>,
    /// The type of the result that the user gets.
    pub result: Type,
    /// The arrays and scalars that kernels write: the components of the result.
    pub results: Vec<Type>,
    /// The obligations that the launcher checks first.
    pub obligations: Vec<Obligation>,
    /// Device buffers that live for one call.
    pub temporaries: Vec<Temporary>,
    /// Element counts of everything that is indexed: 32-bit indices are right when all of them fit.
    pub extents: Vec<Nat>,
    /// The kernels.
    pub kernels: Vec<Launch>,
    /// The actions of the launcher, in order.
    pub steps: Vec<Action>,
    /// The arrays that are computed more often than the program states.
    pub repeated: Vec<Repeated>,
}

/// The printed texts, and the magnitude of the indices in them.
pub(crate) struct Texts {
    pub(crate) opencl: String,
    pub(crate) host: Option<HostCode>,
    pub(crate) extents: Extents,
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

/// The next action of a launcher.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Launches the kernel at this position.
    Launch(usize),
    /// Repeats actions.
    Repeat(Repetition),
}

impl Action {
    fn collect_counted(&self, counted: &mut BTreeSet<Var>) {
        match self {
            Action::Launch(_) => {}
            Action::Repeat(repetition) => {
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

/// Actions that are repeated: the applications of an `iterate`, or the portions of rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Repetition {
    /// The number of repetitions.
    pub count: Nat,
    /// The application counter, in the launch sizes and arguments of the kernels and in repetitions inside;
    /// `None` where all applications are alike.
    pub step: Option<Var>,
    /// The rows of each repetition; `None` where each covers all rows.
    pub portion: Option<Portion>,
    /// The arrays that go from one application to the next.
    pub arrays: Vec<Alternation>,
    /// The actions of one repetition.
    pub body: Vec<Action>,
}

/// Two arrays that change places from one application to the next.
///
/// Kernels read `before` and write `after`. In every second application, counted back from the last, these
/// are exchanged. The first application reads `input` instead, and the last one writes `output`. `input`
/// stays as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternation {
    /// The array that the first application reads.
    pub input: Argument,
    /// The array that kernels read.
    pub before: Argument,
    /// The array that kernels write.
    pub after: Argument,
    /// The array that the last application writes, which may be `after`.
    pub output: Argument,
}

/// A device buffer between kernels of one program.
#[derive(Debug, Clone, PartialEq)]
pub struct Temporary {
    /// The type of one element.
    pub element: ScalarType,
    /// The number of its elements.
    pub length: Nat,
}

/// The launch of one kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct Launch {
    /// The kernel's name in the source.
    pub entry: String,
    /// The values of its parameters.
    pub arguments: Vec<Argument>,
    /// The values of the parameters of its Rust function, which may need sizes that the launch implies in
    /// OpenCL. Empty where there is no such function.
    pub host_arguments: Vec<Argument>,
    /// Work-items needed per dimension; to be rounded up to multiples of `local`.
    pub global: [Nat; 3],
    /// Work-items per group and dimension.
    pub local: [u64; 3],
    /// The launches for which the kernel is correct.
    pub launches: Launches,
    /// Bytes of local memory that the kernel declares.
    pub local_memory: Nat,
}

/// The value of a kernel parameter.
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
    /// The application counter ([`step`](Repetition::step)) of a repetition around, or a variable of its
    /// [`portion`](Repetition::portion), as `index_t`.
    Counter(Var),
}

impl KernelParameter {
    /// The value of the parameter; `None` for memory of the kernel itself.
    pub fn argument(&self, module: &Module) -> Option<Argument> {
        match self {
            KernelParameter::Buffer(id) => id.argument(module),
            KernelParameter::Scalar(position, _) => Some(Argument::Parameter(*position)),
            KernelParameter::Size(variable) => {
                Some(match module.repetitions.iter().any(|repetition| repetition.gives(variable)) {
                    true => Argument::Counter(variable.clone()),
                    false => Argument::Size(variable.clone()),
                })
            }
        }
    }
}

impl BufferId {
    /// The argument for a buffer in global memory; `None` for other memory.
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
