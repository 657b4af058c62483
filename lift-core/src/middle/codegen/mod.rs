//! From a lowered program to kernels, by symbolic evaluation.
//!
//! Evaluating an expression gives a [`Value`]: a scalar expression, a tuple, or an array as a [`View`](crate::middle::view::View) that
//! need not exist in memory. Statements appear only where something happens: a producing map writes its elements into a
//! destination (`write`), a reduction runs a loop, a `let` keeps a scalar. Layouts never cause code.
//!
//! - `parameters`: the program's parameters and its result;
//! - `emit`: blocks, loops and declarations;
//! - `value`: what an expression means;
//! - `vector`: vectors from scalars and scalars from vectors;
//! - `access`: how an element of a view is found; `named`: large formulas of indices, computed once;
//! - `array`, `repeat`: arrays made from parts, single elements, unrolled code and scans;
//! - `reduce`, `iterate`: steps that depend on the ones before, in a loop or by launching kernels again, and `double_buffering`, where they keep
//!   arrays;
//! - `write`: how the elements of a result reach their destination, and `assign`, how one element does;
//! - `storage`: buffers for values that must be stored;
//! - `portions`: kernels that are launched for some of their rows at a time;
//! - `error`: what code cannot be generated for;
//! - `own_names`: which names of a kernel the next one may give to something else.
//!
//! Every address passes through the algebra of sizes with the ranges of the loops around it (CGO 2017, section 5.3:
//! array accesses are simplified because layouts compose into divisions and remainders that are mostly redundant).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::diagnostic::Diagnostic;
use crate::ir::code::{Code, KernelCode, Notes};
use crate::ir::kernel::parameters::kernel_parameters;
use crate::ir::kernel::{Buffer, BufferId, BufferRole, Repetition, Statement, Uses, Variable, Workers};
use crate::ir::names::{Fresh, Names, ReservedWords};
use crate::ir::nat::{Nat, Ranges, Var};
use crate::ir::source::Source;
use crate::ir::typed::{Pinning, Program, SizeVariable};
use crate::middle::view::Value;
use crate::options::Options;
use error::{Error, Problem};
use named::NamedIndex;
use rows::Branches;

mod access;
mod applications;
mod array;
mod assign;
mod double_buffering;
mod emit;
mod error;
mod functions;
mod index_arithmetic;
mod iterate;
mod named;
mod own_names;
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
mod write;

use iterate::steps_of_launches;

/// The outcome of a step of code generation.
type Generated<T> = Result<T, Error>;

/// Generates the code of a lowered, checked program, whose names are none of the `reserved` words.
///
/// # Errors
/// What the thread hierarchy or the memories cannot do, in the user's words.
pub(crate) fn generate(
    lowered: &Program,
    reserved: &'static ReservedWords,
    options: &Options,
) -> Result<Code, Diagnostic> {
    generate_code(lowered, reserved, options).map_err(|error| error.diagnostic(lowered.body.source))
}

fn generate_code(lowered: &Program, reserved: &'static ReservedWords, options: &Options) -> Generated<Code> {
    let steps = steps_of_launches(&lowered.body);
    // Kernels know a number of applications as they know a size.
    let counted = steps.iter().map(|step| SizeVariable {
        variable: step.clone(),
        name: "application".to_owned(),
        minimum: 0,
    });
    let sizes = lowered.sizes.iter().cloned().chain(counted).collect();
    let program = &Program { sizes, ..lowered.clone() };
    let mut generator = Generator::new(program, steps, reserved, options);
    let environment = generator.bind_parameters()?;
    let functions = functions::generate_functions(&mut generator, program)?;
    let destination = generator.destination(&program.body.ty, program.body.source)?;
    generator.write(&program.body, &environment, &destination)?;
    generator.finish_kernel(program.body.source)?;
    let bodies = std::mem::take(&mut generator.done.bodies);
    check_results(&bodies, &generator.buffers)
        .map_err(|problem| Error::internal(program.body.source, problem))?;
    let scalars = scalars::Scalars::of(&bodies, &generator.buffers);
    let bodies: Vec<Vec<Statement>> = bodies.into_iter().map(|body| scalars.declare_in(body)).collect();
    let (bodies, given) = generator.in_portions(bodies);
    let Generator { done, buffers, scalars, size_names, ranges, fresh, notes, .. } = generator;
    let kernels = bodies.into_iter().zip(done.names).map(|(body, names)| KernelCode { body, names });
    let code = Code {
        program: program.clone(),
        functions,
        kernels: kernels.collect(),
        repetitions: done.repetitions,
        buffers,
        scalars,
        sizes: program.sizes.iter().cloned().chain(given).collect(),
        size_names,
        ranges,
        fresh,
        notes,
    };
    check_parameters(&code, program.body.source)?;
    Ok(code)
}

/// That each kernel can be given what it uses.
fn check_parameters(code: &Code, source: Source) -> Generated<()> {
    for kernel in &code.kernels {
        kernel_parameters(&kernel.body, code, &code.buffers)
            .map_err(|unavailable| Error::new(source, Problem::Unavailable(unavailable)))?;
    }
    Ok(())
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

/// A loop around the statement being generated.
#[derive(Debug, Clone)]
struct Around {
    workers: Workers,
    index: Var,
    extent: Nat,
    source: Source,
}

/// An element that was computed before.
struct SharedElement {
    array: u32,
    index: Nat,
    value: Value,
}

/// The kernels that are complete.
#[derive(Default)]
struct Done {
    bodies: Vec<Vec<Statement>>,
    /// The names that mean something in each of them.
    names: Vec<Names>,
    /// Which of them are launched repeatedly; a repetition comes after those inside it.
    repetitions: Vec<Repetition>,
}

struct Generator<'p> {
    program: &'p Program,
    options: Options,
    /// The variables of the program that a launcher counts: [`Repetition::step`].
    steps: BTreeSet<Var>,
    ranges: Ranges,
    fresh: Fresh,
    /// The program's scalar parameters, with their positions.
    scalars: Vec<(usize, Variable)>,
    buffers: Vec<Buffer>,
    size_names: BTreeMap<Var, String>,
    notes: Notes,
    done: Done,
    /// The statements of the innermost open block.
    block: Vec<Statement>,
    /// How many blocks are open around it.
    open_blocks: usize,
    /// The loops around it, outermost first.
    around: Vec<Around>,
    /// The comparisons around it that tell the rows of arrays apart.
    branches: Branches,
    /// The elements of shared arrays whose variables are in scope.
    shared: Vec<SharedElement>,
    /// The index formulas whose names are in scope.
    named: Vec<NamedIndex>,
    /// The user's name for the array that is stored next.
    array_name: Option<Rc<str>>,
    /// How often the kernels are launched that are being generated: the numbers of the repetitions around,
    /// outermost first.
    launches: Vec<Nat>,
}

impl<'p> Generator<'p> {
    fn new(
        program: &'p Program,
        steps: BTreeSet<Var>,
        reserved: &'static ReservedWords,
        options: &Options,
    ) -> Generator<'p> {
        let mut names = Names::new(reserved);
        let name_of = |size: &SizeVariable, names: &mut Names| names.fresh(&size_name(&size.name));
        let size_names =
            program.sizes.iter().map(|size| (size.variable.clone(), name_of(size, &mut names))).collect();
        Generator {
            program,
            options: *options,
            steps,
            ranges: program.ranges().with_indices(options.indices),
            fresh: Fresh::new(names, program.next_id),
            scalars: Vec::new(),
            buffers: Vec::new(),
            size_names,
            notes: Notes::default(),
            done: Done::default(),
            block: Vec::new(),
            open_blocks: 0,
            around: Vec::new(),
            branches: Branches::none(),
            shared: Vec::new(),
            named: Vec::new(),
            array_name: None,
            launches: Vec::new(),
        }
    }

    /// Whether the kernel at hand relies on the sizes of its launch.
    fn pinning(&self) -> Pinning {
        self.program.launch(self.done.bodies.len()).map(|launch| launch.pinning).unwrap_or_default()
    }

    /// Ends the kernel being generated: what follows starts after all its work-items are done.
    fn finish_kernel(&mut self, source: Source) -> Generated<()> {
        if self.open_blocks > 0 {
            return Err(Error::new(source, Problem::DecidedOnDevice));
        }
        let body = std::mem::take(&mut self.block);
        self.shared.clear();
        self.named.clear();
        if !body.is_empty() {
            let own = own_names::names_of_kernel(&body, &self.buffers);
            self.done.names.push(self.fresh.names().clone());
            self.fresh.release(own.iter().map(String::as_str));
            self.done.bodies.push(body);
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
