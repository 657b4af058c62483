//! The stages after type inference, in order: from a typed program to the kernels of one form, and their text.

use crate::compiled::{Form, HostCode, Selection, Texts, form};
use crate::device::{self, Observer};
use crate::diagnostic::Diagnostic;
use crate::forms;
use crate::host::{self, HostModule};
use crate::ir::code::Code;
use crate::ir::kernel::Module;
use crate::ir::typed::result::Need;
use crate::ir::typed::{Backend, Program};
use crate::middle::check::{check, check_lengths};
use crate::middle::codegen::generate;
use crate::middle::lower::{Cooperation, Lowered, lower_with, uses_hierarchy};
use crate::middle::rewrite::Rewritten;
use crate::middle::tuples::take_apart;
use crate::options::{BetweenKernels, Host, Options};
use crate::print::{Interface, OpenCl, Problem, RESERVED, extent::Extents, print_c, print_rust};

/// The results of the stages before printing.
pub struct Stages {
    /// The typed program, with its tuples taken apart.
    pub apart: Program,
    /// Its code.
    pub code: Code,
    /// The kernels for a device.
    pub module: Module,
    /// The kernels for the host, if these are requested.
    pub planned: Option<HostModule>,
}

impl Stages {
    /// The form with its OpenCL C, and the Rust of its kernels if that is requested.
    pub(super) fn printed(&self, selection: Selection) -> Result<(Form, Option<HostCode>), Vec<Diagnostic>> {
        let Stages { apart, code, module, planned } = self;
        let unprintable = |problems: Vec<Problem>| Problem::diagnostics(&problems, apart);
        let interface = &Interface { type_parameters: &apart.type_parameters, ranges: &code.sizes_known };
        let mut extents = Extents::new(apart);
        module.buffers.iter().for_each(|buffer| extents.add_array(&buffer.length));
        let opencl = print_c(&OpenCl, module, interface, &mut extents).map_err(unprintable)?;
        let host = planned.as_ref().map(|planned| print_rust(planned, interface, &mut extents));
        let host = host.transpose().map_err(unprintable)?;
        let form =
            form(selection, apart, module, planned.as_ref(), Texts { opencl, extents }, &code.sizes_known)?;
        Ok((form, host))
    }
}

/// Runs all stages except printing. Tests use it to examine the code that is printed otherwise.
///
/// # Errors
/// As [`compile`](fn@crate::compile).
pub fn stages(
    program: &Program,
    options: &Options,
    observer: &mut Observer<'_>,
) -> Result<Stages, Vec<Diagnostic>> {
    let options = &options_for(program, options);
    let apart = take_apart(program);
    let lowered = lowered(&apart, &Cooperation::default())?.rewritten.program;
    stages_of(apart, &lowered, options, observer)
}

/// The stages of a form in which work-items cooperate, and what that needs of sizes. It may be lowered
/// already.
pub(super) fn stages_with(
    program: &Program,
    cooperation: &Cooperation,
    lowered: Option<Lowered>,
    options: &Options,
) -> Result<(Stages, Vec<Need>), Vec<Diagnostic>> {
    let options = &options_for(program, options);
    let apart = take_apart(program);
    let lowered = match lowered {
        Some(lowered) => checked(lowered)?,
        None => self::lowered(&apart, cooperation)?,
    };
    let Lowered { rewritten: Rewritten { mut program, needs, .. }, obstacle } = lowered;
    if let Some(obstacle) = obstacle {
        return Err(vec![Diagnostic::new(apart.body.source, obstacle.to_string())]);
    }
    program.obligations.extend(needs.iter().cloned().map(forms::assumed));
    let stages = stages_of(apart, &program, options, &mut |_| {})?;
    Ok((stages, needs))
}

/// The program of the plain form without tuples at its boundary, and its code.
#[derive(Clone, Copy)]
pub(super) struct PlainCode<'c> {
    pub(super) apart: &'c Program,
    pub(super) code: &'c Code,
}

/// The stages of a form with the code of the plain one, which is divided among work-items in another way.
pub(super) fn coarsened(plain: PlainCode<'_>, options: &Options) -> Result<Stages, Vec<Diagnostic>> {
    let (apart, code) = (plain.apart.clone(), plain.code.clone());
    let module = device::divide(&code, options, &mut |_| {}).map_err(|message| vec![message])?;
    Ok(Stages { apart, code, module, planned: None })
}

fn stages_of(
    apart: Program,
    lowered: &Program,
    options: &Options,
    observer: &mut Observer<'_>,
) -> Result<Stages, Vec<Diagnostic>> {
    let code = generate(lowered, &RESERVED, options).map_err(|message| vec![message])?;
    let module = device::divide(&code, options, observer).map_err(|message| vec![message])?;
    let planned = match options.host {
        Host::Printed => Some(host::plan(&code, &module).map_err(|message| vec![message])?),
        Host::Omitted => None,
    };
    Ok(Stages { apart, code, module, planned })
}

/// The code of a program without tuples at its boundary, before anything executes it.
///
/// # Errors
/// As [`compile`](fn@crate::compile).
pub(crate) fn code_of(apart: &Program, options: &Options) -> Result<Code, Vec<Diagnostic>> {
    let lowered = lowered(apart, &Cooperation::default())?.rewritten.program;
    generate(&lowered, &RESERVED, options).map_err(|message| vec![message])
}

pub(super) fn lowered(apart: &Program, cooperation: &Cooperation) -> Result<Lowered, Vec<Diagnostic>> {
    check_lengths(apart)?;
    let lowered = lower_with(apart, cooperation).map_err(|failure| {
        vec![Diagnostic::internal(failure.source, &format!("while the program is lowered, {failure}"))]
    })?;
    checked(lowered)
}

fn checked(lowered: Lowered) -> Result<Lowered, Vec<Diagnostic>> {
    check(&lowered.rewritten.program)?;
    Ok(lowered)
}

/// The options, with those that the program itself decides.
pub(super) fn options_for(program: &Program, options: &Options) -> Options {
    Options {
        host: if program.backend == Some(Backend::OpenCl) { Host::Omitted } else { options.host },
        between_kernels: match uses_hierarchy(&program.body) {
            // A program that states who computes what also states how much memory it takes.
            true => BetweenKernels::Whole,
            false => options.between_kernels,
        },
        ..*options
    }
}
