//! The stages after type inference, in order: from a typed program to kernel text and the facts needed to
//! launch it.

use crate::compiled::{Compiled, Form, Guard, HostCode, RefusedForm, Selection, Texts, form};
use crate::device::{self, Observer};
use crate::diagnostic::Diagnostic;
use crate::forms::{self, Candidate, LeftOut, PRODUCT_TILES, Surveyed};
use crate::host::{self, HostModule};
use crate::ir::code::Code;
use crate::ir::kernel::Module;
use crate::ir::typed::result::Need;
use crate::ir::typed::{Backend, Program, SizeVariable};
use crate::middle::check::{check, check_lengths};
use crate::middle::codegen::generate;
use crate::middle::lower::{Cooperation, Lowered, lower_with, uses_hierarchy};
use crate::middle::rewrite::{Derivation, Rewritten, read_derivation};
use crate::middle::tuples::take_apart;
use crate::options::{BetweenKernels, Host, Options};
use crate::print::{Interface, OpenCl, Problem, RESERVED, extent::Extents, print_c, print_rust};

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

/// Compiles a typed program. `observer` is told about each pass over the code of a kernel for a device.
///
/// # Errors
/// As [`compile`].
pub fn compile_observed(
    program: &Program,
    options: &Options,
    observer: &mut Observer<'_>,
) -> Result<Compiled, Vec<Diagnostic>> {
    let plain = stages(&forms::plain(program), options, observer)?;
    let (form, host) = plain.printed(Selection::plain())?;
    let (others, refused) = other_forms(program, &plain, options, &form)?;
    Ok(Compiled::new(program, &plain.apart, (&plain.code, &plain.module), host, form, others, refused))
}

/// The forms that stand before the plain one, and those that a stage refused. A form with the kernels of the
/// plain one is none, unless the user demands it, who may name it. That one may not be refused.
fn other_forms(
    program: &Program,
    plain: &Stages,
    options: &Options,
    printed: &Form,
) -> Result<(Vec<Form>, Vec<RefusedForm>), Vec<Diagnostic>> {
    let options = &Options { host: Host::Omitted, ..*options };
    let (mut others, mut refused) = (Vec::new(), Vec::new());
    let separate = Separate::of(program, &plain.code, options)?;
    let surveyed = separate.beside(&plain.code);
    let candidates = forms::candidates(program, &surveyed).map_err(|message| vec![message])?;
    refused.extend(separate.refused);
    for candidate in candidates {
        let candidate = match candidate {
            Ok(candidate) => candidate,
            Err(form) => {
                refused.push(form);
                continue;
            }
        };
        let Candidate {
            mut selection,
            also,
            program: of_form,
            cooperation,
            lowered,
            has_plain_code,
            demanded,
            ..
        } = candidate;
        let name = selection.name.clone();
        let (coarsening, group_order) = (candidate.coarsening, candidate.group_order);
        let without = options.without.with(candidate.without);
        let devices = candidate.optimised_for;
        let options = &Options { coarsening, group_order, devices, without, ..*options };
        let mut all_guards = Vec::new();
        let form = match has_plain_code {
            false => stages_with(&of_form, &cooperation, lowered, options).and_then(|(stages, needs)| {
                let guards = forms::guards(&needs, &of_form.sizes, of_form.body.source);
                let formulas = SizeVariable::formulas(&of_form.sizes);
                let guards = guards.map_err(|message| vec![message])?.into_iter();
                let in_sizes =
                    |guard: Guard| Guard { condition: guard.condition.substitute(&formulas), ..guard };
                selection.guards.extend(guards.map(in_sizes));
                all_guards.clone_from(&selection.guards);
                stages.printed(forms::without_redundant(selection, program))
            }),
            true => coarsened(plain, options).and_then(|stages| stages.printed(selection)),
        };
        match (form, demanded) {
            (Ok((form, _)), None) if form.source == printed.source => {}
            (Ok((form, _)), _) => {
                let also = also.into_iter().map(|also| {
                    let also = Selection { guards: all_guards.clone(), ..also };
                    forms::without_redundant(also, program).of(&form)
                });
                let also: Vec<Form> = also.collect();
                others.push(form);
                others.extend(also);
            }
            (Err(reasons), None) => refused.push(RefusedForm { name, reasons }),
            (Err(reasons), Some(demanded)) => return Err(vec![demanded.refused(&reasons)]),
        }
    }
    Ok((others, refused))
}

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
    fn printed(&self, selection: Selection) -> Result<(Form, Option<HostCode>), Vec<Diagnostic>> {
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
/// As [`compile`].
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
fn stages_with(
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

/// The stages of a form with the code of the plain one, which is divided among work-items in another way.
fn coarsened(plain: &Stages, options: &Options) -> Result<Stages, Vec<Diagnostic>> {
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
/// As [`compile`].
pub(crate) fn code_of(apart: &Program, options: &Options) -> Result<Code, Vec<Diagnostic>> {
    let lowered = lowered(apart, &Cooperation::default())?.rewritten.program;
    generate(&lowered, &RESERVED, options).map_err(|message| vec![message])
}

/// The code that the survey looks at instead of that of the plain form.
struct Separate {
    /// With reduced rows stored before they are reduced again, and all rows at once. `None` where the survey
    /// looks at the code of the plain form.
    rows: Option<Code>,
    /// The same with the results of pairs of rows stored, for the survey of products. `None` where no pairs
    /// are reduced again.
    pairs: Option<Code>,
    /// The form for products, if a stage refuses what it would be chosen by.
    refused: Option<RefusedForm>,
}

impl Separate {
    fn of(program: &Program, plain: &Code, options: &Options) -> Result<Separate, Vec<Diagnostic>> {
        let options = Options { between_kernels: BetweenKernels::Whole, ..options_for(program, options) };
        let code = |cooperation: Cooperation| {
            let apart = take_apart(&forms::plain(program));
            let lowered = lowered(&apart, &cooperation)?.rewritten.program;
            generate(&lowered, &RESERVED, &options).map_err(|message| vec![message])
        };
        let rows = forms::lowered_for_survey(program, plain).map(code).transpose()?;
        let (pairs, refused) = match forms::lowered_for_pairs(program).map(code) {
            Some(Ok(code)) => (Some(code), None),
            Some(Err(reasons)) => (None, Some(RefusedForm { name: PRODUCT_TILES.to_owned(), reasons })),
            None => (None, None),
        };
        Ok(Separate { rows, pairs, refused })
    }

    fn beside<'c>(&'c self, plain: &'c Code) -> Surveyed<'c> {
        Surveyed { plain, apart: self.rows.as_ref(), pairs_apart: self.pairs.as_ref() }
    }
}

/// The low-level program that a program becomes, and how: what the user left open is decided, as code
/// generation finds it. For people who inspect it.
#[derive(Debug, Clone)]
pub struct LowLevel {
    /// The program with its tuples taken apart, from which the derivation starts.
    pub apart: Program,
    /// The low-level program.
    pub program: Program,
    /// The steps from the one to the other.
    pub derivation: Derivation,
}

/// Lowers a program for people who inspect it.
///
/// # Errors
/// Reports what the thread hierarchy and the memories cannot do.
pub fn low_level(program: &Program) -> Result<LowLevel, Vec<Diagnostic>> {
    let apart = take_apart(&forms::plain(program));
    let Rewritten { program, derivation, .. } = lowered(&apart, &Cooperation::default())?.rewritten;
    Ok(LowLevel { apart, program, derivation })
}

/// How the forms of a program that stand before the plain one are made, and for which classes of forms it has
/// none. For people who inspect it.
#[derive(Debug, Clone)]
pub struct Choice {
    /// The forms, in the order in which a launcher tries them. A stage may refuse one.
    pub made: Vec<Made>,
    /// The classes of forms that the program has none of, with the reason for each.
    pub left_out: Vec<LeftOut>,
}

/// How a form is made.
#[derive(Debug, Clone)]
pub struct Made {
    /// Its name.
    pub name: String,
    /// The program that the derivation starts from.
    pub start: Program,
    /// The steps of rewriting that make the form: those of the strategy that rewrites the program as a whole,
    /// if there is one. Otherwise the form is made while the program is lowered, and they are the steps of
    /// lowering.
    pub derivation: Derivation,
}

/// The choice of forms, for people who inspect it.
///
/// # Errors
/// As [`compile`].
pub fn choice(program: &Program) -> Result<Choice, Vec<Diagnostic>> {
    let plain = take_apart(&forms::plain(program));
    let options = Options::default();
    let code = code_of(&plain, &options_for(program, &options))?;
    let separate = Separate::of(program, &code, &options)?;
    let surveyed = separate.beside(&code);
    let candidates = forms::candidates(program, &surveyed).map_err(|message| vec![message])?;
    let made = candidates.into_iter().flatten().filter_map(|candidate| made(program, candidate));
    Ok(Choice { made: made.collect(), left_out: forms::left_out(program, &surveyed) })
}

/// How a form is made; `None` where a stage refuses it.
fn made(program: &Program, candidate: Candidate) -> Option<Made> {
    let Candidate { selection, program: of_form, cooperation, lowered, .. } = candidate;
    if !selection.derivation.is_empty() {
        let derivation = read_derivation(&selection.derivation, program).ok()?;
        return Some(Made { name: selection.name, start: program.clone(), derivation });
    }
    let start = take_apart(&of_form);
    let lowered = lowered.or_else(|| self::lowered(&start, &cooperation).ok())?;
    let derivation = lowered.rewritten.derivation.with_sizes(&SizeVariable::formulas(&start.sizes));
    let sizes = start.sizes.iter().filter(|size| size.value.is_none()).cloned().collect();
    Some(Made { name: selection.name, start: Program { sizes, ..start }, derivation })
}

fn lowered(apart: &Program, cooperation: &Cooperation) -> Result<Lowered, Vec<Diagnostic>> {
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
fn options_for(program: &Program, options: &Options) -> Options {
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
