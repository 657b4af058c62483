//! From a lowered program to kernels, by symbolic evaluation.
//!
//! Evaluating an expression gives a [`Value`]: a scalar expression, a tuple, or an array as a [`View`](crate::view::View) that
//! need not exist in memory. Statements appear only where something happens: a producing map writes its elements into a
//! destination (`write`), a reduction runs a loop, a `let` keeps a scalar. Layouts never cause code.
//!
//! - `boundary`: the program's parameters and its result;
//! - `emit`: blocks, loops and declarations;
//! - `value`: what an expression means;
//! - `vector`: vectors from scalars and scalars from vectors;
//! - `access`: how an element of a view is found; `named`: large formulas of indices, computed once;
//! - `array`, `repeat`: arrays made from parts, single elements, unrolled code and scans;
//! - `reduce`, `iterate`: steps that depend on the ones before, in a loop or by launching kernels again, and `halves`, where they keep
//!   arrays;
//! - `write`: how the elements of a result reach their destination, and `assign`, how one element does;
//! - `storage`: buffers for values that must be stored;
//! - `portions`: kernels that are launched for some of their rows at a time;
//! - `launch`: launch sizes, and how many steps of a parallel loop one work-item executes;
//! - `guard`: one writer for what lies outside the parallel loops of a dimension;
//! - `complete`: the order of all that happens to the code of a kernel before it is one.
//!
//! Every address passes through the algebra of sizes with the ranges of the loops around it (CGO 2017, section 5.3:
//! array accesses are simplified because layouts compose into divisions and remainders that are mostly redundant).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::diagnostic::Diagnostic;
use crate::host::HostKernel;
use crate::kernel::{
    Buffer, BufferId, BufferRole, Module, Repetition, Statement, Uses, Variable, Workers, ranges_of_kernel,
};
use crate::memory::Gap;
use crate::nat::{Nat, Ranges, Var};
use crate::options::{Host, Options};
use crate::refine::share_temporaries;
use crate::source::Source;
use crate::typed::{Pinning, Program, SizeVariable};
use crate::view::Value;
use named::NamedIndex;
use rows::Branches;

mod access;
mod applications;
mod array;
mod assign;
mod boundary;
mod complete;
mod emit;
mod functions;
mod guard;
mod halves;
mod index_arithmetic;
mod iterate;
mod launch;
mod named;
mod names;
mod parameters;
mod portions;
mod reduce;
mod repeat;
mod rows;
mod scalars;
mod sliding;
mod storage;
mod value;
mod vector;
mod work;
mod write;

pub use iterate::steps_of_launches;
pub(crate) use names::{END, FIRST, Names};

/// The outcome of a step of code generation; a failure is a message for the user.
type Generated<T> = Result<T, Diagnostic>;

/// Generates the kernels of a lowered, checked program, among whose sizes are the numbers of applications, `steps`, that a launcher counts.
///
/// # Errors
/// What the thread hierarchy or the memories cannot do, in the user's words.
pub fn generate(
    program: &Program,
    steps: BTreeSet<Var>,
    options: &Options,
) -> Result<Generation, Diagnostic> {
    let mut generator = Generator::new(program, steps, options);
    let environment = generator.bind_parameters()?;
    let functions = functions::generate_functions(&mut generator, program)?;
    let destination = generator.destination(&program.body.ty, program.body.source)?;
    generator.write(&program.body, &environment, &destination)?;
    generator.finish_kernel(program.body.source)?;
    let bodies = std::mem::take(&mut generator.bodies);
    check_results(&bodies, &generator.buffers)
        .map_err(|problem| Diagnostic::internal(program.body.source, &problem))?;
    let several = bodies.len() > 1;
    launch::check_count(program, bodies.len())?;
    let scalars = scalars::Scalars::of(&bodies, &generator.buffers);
    let bodies: Vec<Vec<Statement>> = bodies.into_iter().map(|body| scalars.declare_in(body)).collect();
    let (bodies, given) = generator.in_portions(bodies);
    let sizes = program.sizes.iter().cloned().chain(given).collect();
    let with_portions = Program { sizes, ..program.clone() };
    generator.program = &with_portions;
    let host = match options.host {
        Host::Printed => Some(generator.host_kernels(&bodies)?),
        Host::Omitted => None,
    };
    let mut whole_buffers = generator.buffers.clone();
    let mut kernels = Vec::new();
    let names_of_bodies = std::mem::take(&mut generator.names_of_bodies);
    for (position, (body, names)) in bodies.into_iter().zip(names_of_bodies).enumerate() {
        generator.names = names;
        let wanted =
            if several { format!("{}_{}", program.name, position + 1) } else { program.name.clone() };
        let outside = generator.ranges.clone();
        generator.ranges = ranges_of_kernel(position, &generator.repetitions, &outside);
        kernels.push(generator.kernel(&wanted, body, program.launch(position))?);
        generator.ranges = outside;
    }
    share_temporaries(&kernels, &generator.repetitions, &mut generator.buffers, &program.ranges());
    // The launcher allocates temporaries once for both.
    for (whole, shared) in whole_buffers.iter_mut().zip(&generator.buffers) {
        if shared.role.temporary().is_some() {
            whole.clone_from(shared);
        }
    }
    let module = Module {
        functions,
        kernels,
        repetitions: generator.repetitions,
        buffers: generator.buffers,
        size_names: generator.size_names,
    };
    let host = host
        .map(|kernels| (Module { kernels: Vec::new(), buffers: whole_buffers, ..module.clone() }, kernels));
    Ok(Generation { module, host })
}

/// That no result is read before it is written: then code that was meant to write it reads it.
fn check_results(bodies: &[Vec<Statement>], buffers: &[Buffer]) -> Result<(), String> {
    let mut written = BTreeSet::new();
    for body in bodies {
        let uses = Uses::of(body);
        written.extend(uses.stored);
        let is_result = |id: &&BufferId| {
            buffers.get(id.0).is_some_and(|buffer| matches!(buffer.role, BufferRole::Result(_)))
        };
        if let Some(id) = uses.buffers.difference(&written).find(is_result) {
            return Err(format!("nothing writes `{}`", buffers.get(id.0).map_or("", |buffer| &buffer.name)));
        }
    }
    Ok(())
}

/// What is generated for a program.
pub struct Generation {
    /// The kernels, divided among work-items.
    pub module: Module,
    /// The kernels for the host, if they are wanted, and a module with their functions and buffers.
    pub host: Option<(Module, Vec<HostKernel>)>,
}

/// A loop around the statement being generated.
#[derive(Debug, Clone)]
struct Around {
    workers: Workers,
    index: Var,
    extent: Nat,
}

/// An element that was computed before.
struct SharedElement {
    array: u32,
    index: Nat,
    value: Value,
}

struct Generator<'p> {
    program: &'p Program,
    options: Options,
    ranges: Ranges,
    names: Names,
    next_variable: u32,
    /// The program's scalar parameters, with their positions.
    scalars: Vec<(usize, Variable)>,
    buffers: Vec<Buffer>,
    /// Where the values were written that private buffers hold.
    made_at: BTreeMap<BufferId, Source>,
    /// The private buffers that the steps of a loop make anew.
    accumulators: BTreeSet<BufferId>,
    /// The room between the rows of buffers.
    gaps: BTreeMap<BufferId, Vec<Gap>>,
    size_names: BTreeMap<Var, String>,
    /// The statements of the innermost open block.
    block: Vec<Statement>,
    /// The user's name for the array that is stored next.
    array_name: Option<Rc<str>>,
    /// The elements of shared arrays whose variables are in scope.
    shared: Vec<SharedElement>,
    /// The index formulas whose names are in scope.
    named: Vec<NamedIndex>,
    /// The comparisons around it that tell the rows of arrays apart.
    branches: Branches,
    /// How many blocks are open around it.
    open_blocks: usize,
    /// The loops around it, outermost first.
    around: Vec<Around>,
    /// The loops whose steps load early.
    pipelined: BTreeSet<Var>,
    /// Bodies of the kernels that are complete.
    bodies: Vec<Vec<Statement>>,
    /// The names that mean something in each of them.
    names_of_bodies: Vec<Names>,
    /// The variables of the program that a launcher counts: [`Repetition::step`].
    steps: BTreeSet<Var>,
    /// How often the kernels are launched that are being generated: the numbers of the repetitions around, outermost first.
    launches: Vec<Nat>,
    /// Which of them are launched repeatedly; a repetition comes after those inside it.
    repetitions: Vec<Repetition>,
}

impl<'p> Generator<'p> {
    fn new(program: &'p Program, steps: BTreeSet<Var>, options: &Options) -> Generator<'p> {
        let mut names = Names::default();
        let name_of = |size: &SizeVariable, names: &mut Names| names.fresh(&size_name(&size.name));
        let size_names =
            program.sizes.iter().map(|size| (size.variable.clone(), name_of(size, &mut names))).collect();
        Generator {
            program,
            options: *options,
            ranges: program.ranges().with_indices(options.indices),
            names,
            next_variable: program.next_id,
            scalars: Vec::new(),
            buffers: Vec::new(),
            made_at: BTreeMap::new(),
            accumulators: BTreeSet::new(),
            gaps: BTreeMap::new(),
            size_names,
            block: Vec::new(),
            array_name: None,
            shared: Vec::new(),
            named: Vec::new(),
            branches: Branches::none(),
            open_blocks: 0,
            around: Vec::new(),
            pipelined: BTreeSet::new(),
            bodies: Vec::new(),
            names_of_bodies: Vec::new(),
            steps,
            launches: Vec::new(),
            repetitions: Vec::new(),
        }
    }

    /// Whether the kernel at hand relies on the sizes of its launch.
    fn pinning(&self) -> Pinning {
        self.program.launch(self.bodies.len()).map(|launch| launch.pinning).unwrap_or_default()
    }

    /// Ends the kernel being generated: what follows starts after all its work-items are done.
    fn finish_kernel(&mut self, source: Source) -> Generated<()> {
        if self.open_blocks > 0 {
            return Err(Diagnostic::new(
                source,
                "this array is made by the whole device, but whether it is needed is decided on the device",
            )
            .with_help("compute it before the `if`, with a `let`"));
        }
        let body = std::mem::take(&mut self.block);
        self.shared.clear();
        self.named.clear();
        if !body.is_empty() {
            let own = names::names_of_kernel(&body, &self.buffers);
            self.names_of_bodies.push(self.names.clone());
            self.names.release(own.iter().map(String::as_str));
            self.bodies.push(body);
        }
        Ok(())
    }
}

/// The name in the kernel text of a size that the user knows by this name: `len(a, 1)` is `a_length_1`.
fn size_name(name: &str) -> String {
    let Some(inside) = name.strip_prefix("len(").and_then(|rest| rest.strip_suffix(')')) else {
        return name.to_string();
    };
    match inside.split_once(", ") {
        None => format!("{inside}_length"),
        Some((array, dimension)) => format!("{array}_length_{dimension}"),
    }
}
