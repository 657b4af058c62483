//! From a typed program to kernel text and the facts needed to launch it.
//!
//! [`stages`] is the pipeline, which each form goes through. The plain form says by what the other forms are
//! chosen (`choice`), and these are compiled beside it (`others`).

mod choice;
mod others;
mod stages;

use crate::compiled::{Compiled, Selection};
use crate::device::Observer;
use crate::diagnostic::Diagnostic;
use crate::forms;
use crate::ir::typed::Program;
use crate::options::Options;
use crate::threads::Threads;
pub use choice::{Choice, LowLevel, Made, choice, low_level};
use others::Plain;
pub(crate) use stages::code_of;
pub use stages::{Stages, stages};

/// Compiles a typed program.
///
/// # Errors
/// Reports what the thread hierarchy, the memories or OpenCL C cannot do, in the user's words.
pub fn compile(program: &Program) -> Result<Compiled, Vec<Diagnostic>> {
    compile_with(program, &Options::default())
}

/// Compiles a typed program with parts of the compiler switched off.
///
/// # Errors
/// As [`compile`].
pub fn compile_with(program: &Program, options: &Options) -> Result<Compiled, Vec<Diagnostic>> {
    compile_observed(program, options, &mut |_| {})
}

/// Compiles a typed program on several threads, with the result of [`compile_with`].
///
/// # Errors
/// As [`compile`].
pub fn compile_on(
    program: &Program,
    options: &Options,
    threads: Threads,
) -> Result<Compiled, Vec<Diagnostic>> {
    compiled(program, options, threads, &mut |_| {})
}

/// Compiles several typed programs on several threads, each with the result of [`compile_with`].
pub fn compile_each(
    programs: &[Program],
    options: &Options,
    threads: Threads,
) -> Vec<Result<Compiled, Vec<Diagnostic>>> {
    let inside = threads.for_each_of(programs.len());
    threads.map(programs, |program| compile_on(program, options, inside))
}

/// Compiles a typed program. `observer` is told about each pass over the code of a kernel for a device.
///
/// # Errors
/// As [`compile`].
pub fn compile_observed(
    program: &Program,
    options: &Options,
    observer: &mut Observer<'_>,
) -> Result<Compiled, Vec<Diagnostic>> {
    compiled(program, options, Threads::ONE, observer)
}

fn compiled(
    program: &Program,
    options: &Options,
    threads: Threads,
    observer: &mut Observer<'_>,
) -> Result<Compiled, Vec<Diagnostic>> {
    let plain = || {
        let stages = stages(&forms::plain(program), options, observer)?;
        let (form, host) = stages.printed(Selection::plain())?;
        Ok(Plain { stages, form, host })
    };
    let (Plain { stages, form, host }, others) = others::with_plain(program, options, threads, plain)?;
    let (apart, kernels) = (&stages.apart, (&stages.code, &stages.module));
    Ok(Compiled::new(program, apart, kernels, host, form, others.forms, others.refused))
}
