//! From a lowered program to kernels, by symbolic evaluation.
//!
//! Evaluating an expression gives a [`Value`](crate::middle::view::Value): a scalar expression, a tuple, or
//! an array as a [`View`](crate::middle::view::View) that need not exist in memory. Statements appear only
//! where something happens: a producing map writes its elements into a destination (`write`), a reduction
//! runs a loop, a `let` keeps a scalar. Layouts never cause code.
//!
//! - `generator`: the state of code generation; `parameters`: the program's parameters and its result;
//! - `evaluate`: the value of an expression, with `bindings` (values with names, computed once), `choice`
//!   (values under conditions), `array` (parts, single elements, tables), `vector`, and `index_arithmetic`
//!   (operators on positions);
//! - `access`: how an element of a view is found; `layouts`: arrays seen through layouts; `rows`: rows end to
//!   end; `named`: large index formulas, computed once; `values`: values that need no code;
//! - `write`: how the elements of a result reach their destination, and `assign`, how one element does;
//! - `reduce`, `scan`, `iterate`: loops whose iterations depend on the ones before; `sliding`: windows that
//!   stay in registers; `double_buffering`: arrays that such loops keep; `applications`, `launches`,
//!   `dense_storage`: an `iterate` of the whole device;
//! - `update`: accumulators whose steps replace one element; `part_updates`: tuples of such arrays and numbers;
//!   `shared_updates`: tables that work-items update together;
//! - `storage`: buffers for values that must be stored; `emit`: blocks, loops and declarations; `functions`:
//!   the user's;
//! - `scalars`, `contraction`: changes to the finished kernels; `own_names`: the names that a kernel keeps to
//!   itself;
//! - `error`: what code cannot be generated for.
//!
//! Every address passes through the algebra of sizes with the ranges of the loops around it (CGO 2017,
//! section 5.3: array accesses are simplified because layouts compose into divisions and remainders that are
//! mostly redundant).

use crate::diagnostic::Diagnostic;
use crate::flat::FlatSet;
use crate::ir::code::{Code, KernelCode};
use crate::ir::kernel::parameters::kernel_parameters;
use crate::ir::kernel::{Buffer, BufferId, BufferRole, Statement, UsedBuffers};
use crate::ir::names::ReservedWords;
use crate::ir::source::Source;
use crate::ir::typed::{Program, SizeVariable};
use crate::options::Options;

use applications::application_counters;
use error::{Error, Problem};
use generator::{Generated, Generator};

mod access;
mod applications;
mod array;
mod assign;
mod bindings;
mod choice;
mod contraction;
mod dense_storage;
mod double_buffering;
mod emit;
mod error;
mod evaluate;
mod functions;
mod generator;
mod in_place;
mod index_arithmetic;
mod iterate;
mod launches;
mod layouts;
mod named;
mod own_names;
mod parameters;
mod part_updates;
mod reduce;
mod row_comparisons;
mod rows;
mod scalars;
mod scan;
mod shared_updates;
mod sliding;
mod storage;
mod update;
mod values;
mod vector;
mod write;

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
    let counters = application_counters(&lowered.body);
    // For kernels, the number of an application is a size like any other.
    let counted = counters.iter().map(|counter| SizeVariable::new(counter.clone(), "application".to_owned()));
    let sizes = lowered.sizes.iter().cloned().chain(counted).collect();
    let program = &Program { sizes, ..lowered.clone() };
    let mut generator = Generator::new(program, counters, reserved, options);
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
    let Generator { done, buffers, scalars, size_names, sizes_known, ranges, fresh, notes, .. } = generator;
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
        sizes_known,
        ranges,
        fresh,
        notes,
    };
    check_parameters(&code, program.body.source)?;
    Ok(code)
}

/// Checks that everything that a kernel uses can be passed to it.
fn check_parameters(code: &Code, source: Source) -> Generated<()> {
    for kernel in &code.kernels {
        kernel_parameters(&kernel.body, code, &code.buffers)
            .map_err(|unavailable| Error::new(source, Problem::Unavailable(unavailable)))?;
    }
    Ok(())
}

/// Checks that no result is read before it is written. Otherwise, code that was meant to write a result reads
/// it.
fn check_results(bodies: &[Vec<Statement>], buffers: &[Buffer]) -> Result<(), String> {
    let mut written = FlatSet::new();
    for body in bodies {
        let used = UsedBuffers::of(body);
        written.extend(used.stored);
        let is_result = |id: &&BufferId| {
            buffers.get(id.0).is_some_and(|buffer| matches!(buffer.role, BufferRole::Result(_)))
        };
        if let Some(id) = used.all.difference(&written).find(is_result) {
            return Err(format!("nothing writes `{}`", buffers.get(id.0).map_or("", |buffer| &buffer.name)));
        }
    }
    Ok(())
}
