//! The result of compilation: kernel text, and everything a launcher must know about it.

use std::collections::BTreeSet;

use crate::diagnostic::Diagnostic;
use crate::host::HostModule;
use crate::ir::kernel::{BufferId, BufferRole, KernelParameter, Module};
pub use crate::ir::kernel::{Distribution, Launches, Portion};
use crate::ir::nat::{Nat, Var};
use crate::ir::scalar::ScalarType;
use crate::ir::typed::{Backend, Obligation, Parameter, Program, SizeVariable};
use crate::ir::types::Type;
use crate::middle::lower::{Repeated, repeated};
use crate::middle::tuples::components;
pub use crate::print::HostCode;
use crate::print::extent::{Extents, Unbounded};

mod interface;
mod launchable;
mod launches;

use interface::{packed, packed_parameter};
use launchable::unlaunchable;
use launches::{arguments, launch, steps, temporaries};

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
    /// Those, by index, of arrays of any rank: see [`Program::open_ranks`](crate::ir::typed::Program::open_ranks).
    pub open_ranks: BTreeSet<usize>,
    /// The size variables.
    pub sizes: Vec<SizeVariable>,
    /// The parameters as the user passes them. A position-dependent array is one array of all its elements, row by row.
    pub interface: Vec<Parameter>,
    /// The parameters as kernels take them, in the same order: tuples are taken apart (see [`crate::middle::tuples`]), `p: (A, B)`
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
    pub steps: Vec<Action>,
    /// The arrays that are computed more often than the program says.
    pub repeated: Vec<Repeated>,
}

/// What was printed, and how large the indices in it become.
pub(crate) struct Texts {
    pub(crate) opencl: String,
    pub(crate) host: Option<HostCode>,
    pub(crate) extents: Extents,
}

impl Compiled {
    /// Puts together what a launcher must know: of the `program`, of the same program with its tuples taken `apart`, and
    /// of what was made of that.
    pub(crate) fn new(
        program: &Program,
        apart: &Program,
        lowered: &Program,
        module: &Module,
        host: Option<&HostModule>,
        texts: Texts,
    ) -> Result<Compiled, Vec<Diagnostic>> {
        let mut kernels: Vec<Launch> = module.kernels.iter().map(|kernel| launch(kernel, module)).collect();
        for (launch, kernel) in kernels.iter_mut().zip(host.iter().flat_map(|host| &host.kernels)) {
            launch.host_arguments = arguments(&kernel.parameters, module);
        }
        let extents = texts.extents.finish(&apart.ranges()).map_err(|Unbounded(variable)| {
            let problem = format!("nothing says how large `{}` becomes in a kernel", variable.name());
            vec![Diagnostic::internal(apart.body.source, &problem)]
        })?;
        let packed_parameters =
            |of: &Program| of.parameters.iter().map(|parameter| packed_parameter(parameter, apart)).collect();
        let result = packed(&apart.body.ty, apart);
        let compiled = Compiled {
            name: apart.name.clone(),
            source: texts.opencl,
            host: texts.host,
            backend: apart.backend,
            type_parameters: apart.type_parameters.len(),
            open_ranks: apart.open_ranks.clone(),
            sizes: apart.sizes.clone(),
            interface: packed_parameters(program),
            parameters: packed_parameters(apart),
            results: components(&result),
            result,
            obligations: apart.obligations.clone(),
            temporaries: temporaries(module),
            extents,
            steps: steps(0..module.kernels.len(), &module.repetitions, module),
            kernels,
            repeated: repeated(lowered),
        };
        match unlaunchable(&compiled, apart) {
            Some(diagnostic) => Err(vec![diagnostic]),
            None => Ok(compiled),
        }
    }

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
pub enum Action {
    /// It launches the kernel at this position.
    Launch(usize),
    /// It does these steps again and again.
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
    pub body: Vec<Action>,
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
    Counter(Var),
}

impl KernelParameter {
    /// What it is bound to; nothing for memory of the kernel itself.
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
