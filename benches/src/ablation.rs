//! Generated kernels, compiled again while the benchmark runs. They are launched on the buffers of the
//! hand-written ones, or made by compilers with parts switched off (Steuwer et al., CGO 2017, section 7.4).
//!
//! A program's text goes through `lift-parser` and `lift-core`, and the printed kernels are launched like
//! hand-written ones.

use std::collections::BTreeMap;

use lift::DeviceKind;
use lift_core::compile_with;
use lift_core::compiled::{self, Action, Compiled};
use lift_core::diagnostic::Diagnostic;
use lift_core::front::infer::infer_items;
use lift_core::front::syntax::Input as Syntax;
use lift_core::ir::nat::{Nat, Var};
use lift_core::ir::typed::{Parameter, ParameterType, Program, Requirement};
use lift_core::options::{Barriers, BetweenKernels, Host, Indices, Optimisation, Optimisations, Options};

use crate::case::Input;
use crate::error::{Error, Result};
use crate::generated::{Generated, Text};
use crate::plan::{self, Argument, Launch, Plan};

/// A compiler with parts switched off.
pub(crate) struct Variant {
    /// What is switched off, as the heading of a column.
    pub(crate) name: &'static str,
    /// What it does.
    pub(crate) options: Options,
}

/// What the passes over kernels make simpler: loops with at most one iteration.
const CONTROL_FLOW: &[Optimisation] = &[Optimisation::UnitTripCounts, Optimisation::Unrolling];

/// What the passes over kernels compute once of indices.
const INDICES: &[Optimisation] = &[Optimisation::InvariantIndices, Optimisation::CommonSubexpressions];

/// The compilers that are compared with the one that `lift!` uses, a column for each.
pub(crate) const VARIANTS: &[Variant] = &[
    Variant {
        name: "indices as composed",
        options: Options {
            indices: Indices::AsComposed,
            without: Optimisations::of(INDICES),
            ..Options::new()
        },
    },
    Variant {
        name: "barriers everywhere",
        options: Options { barriers: Barriers::AfterEveryMap, ..Options::new() },
    },
    Variant {
        name: "loops everywhere",
        options: Options { without: Optimisations::of(CONTROL_FLOW), ..Options::new() },
    },
    Variant {
        name: "borders everywhere",
        options: Options { without: Optimisations::of(&[Optimisation::IndexSetSplitting]), ..Options::new() },
    },
    Variant {
        name: "none of them",
        options: Options {
            indices: Indices::AsComposed,
            barriers: Barriers::AfterEveryMap,
            without: Optimisations::of(&Optimisation::ALL),
            host: Host::Omitted,
            between_kernels: BetweenKernels::Whole,
            ..Options::new()
        },
    },
];

/// The kernels of a program as `lift!` made them, for these inputs. It checks that both are the same to the
/// letter.
pub(crate) fn shipped(program: &Generated, inputs: &[Input], kind: DeviceKind) -> Result<Plan> {
    let plan = plan(&program.text, inputs, kind, &Options::new())?;
    if plan.source != program.source {
        return Err(Error::Inconsistent(format!("{}: the macro made another kernel", program.text.name)));
    }
    Ok(plan)
}

/// The kernels of a program as the compiler makes them with these options, for these inputs and this kind of
/// device.
pub(crate) fn plan(program: &Text, inputs: &[Input], kind: DeviceKind, options: &Options) -> Result<Plan> {
    let indices = Indexing::on(kind);
    let compiled = compile_with(&typed(program)?, options).map_err(|problems| refused(program, &problems))?;
    let sizes = sizes(program, &compiled, inputs)?;
    let number = |nat: &Nat| {
        let value = nat.evaluate(&|variable| sizes.get(&variable.id()).copied());
        value
            .and_then(|value| usize::try_from(value).ok())
            .ok_or_else(|| Error::Inconsistent(format!("{}: the size {nat} has no value", program.name)))
    };
    let unmet =
        compiled.obligations.iter().find(|obligation| holds(&obligation.requirement, &sizes) != Some(true));
    if let Some(unmet) = unmet {
        return Err(Error::Inconsistent(format!("{}: {}", program.name, unmet.text)));
    }
    let bind = |argument: &compiled::Argument| match argument {
        compiled::Argument::Parameter(position) => {
            let array = program.inputs.get(*position).copied().map(Argument::Input);
            let number = || program.numbers.get(position.checked_sub(program.inputs.len())?);
            array.or_else(|| number().copied().map(Argument::Float)).ok_or_else(|| {
                Error::Inconsistent(format!("{}: nothing for parameter {position}", program.name))
            })
        }
        compiled::Argument::Result(position) => Ok(Argument::Output(*position)),
        compiled::Argument::Temporary(position) => Ok(Argument::Scratch(*position)),
        compiled::Argument::Size(variable) | compiled::Argument::Counter(variable) => {
            number(&Nat::variable(variable)).map(indices.argument)
        }
    };
    if compiled.plain.steps.iter().any(|step| matches!(step, Action::Repeat(_))) {
        return Err(Error::Inconsistent(format!("{}: kernels are launched repeatedly", program.name)));
    }
    let launches = compiled.plain.kernels.iter().map(|kernel| {
        let local = kernel.local;
        let mut global = [1; 3];
        for ((global, needed), local) in global.iter_mut().zip(&kernel.global).zip(local) {
            *global = number(needed)?.next_multiple_of(local.max(1));
        }
        let arguments = kernel.arguments.iter().map(bind).collect::<Result<Vec<_>>>()?;
        Ok(Launch { entry: kernel.entry.clone(), global, local, arguments })
    });
    Ok(Plan {
        launches: launches.collect::<Result<Vec<_>>>()?,
        scratch: compiled
            .plain
            .temporaries
            .iter()
            .map(|buffer| number(&buffer.length))
            .collect::<Result<_>>()?,
        ..Plan::new(&compiled.plain.source).define("index_t", indices.ty)
    })
}

/// The type of indices in kernels, the same as in `lift`. No benchmark has arrays that need more than 32 bits
/// for an index.
struct Indexing {
    ty: &'static str,
    argument: fn(usize) -> Argument,
}

impl Indexing {
    fn on(kind: DeviceKind) -> Indexing {
        match kind {
            DeviceKind::Cpu => Indexing { ty: "long", argument: plan::long },
            _ => Indexing { ty: "int", argument: plan::int },
        }
    }
}

fn typed(program: &Text) -> Result<Program> {
    let missing = || Error::Program(format!("there is no kernel {}", program.name));
    let text = program.topic.block_with(program.name).ok_or_else(missing)?;
    let parsed = lift_parser::parse_text(text);
    if !parsed.errors.is_empty() {
        return Err(refused(program, &parsed.errors));
    }
    let Some(Syntax::Items(items)) = parsed.input else {
        return Err(Error::Program(format!("{}: there are no functions", program.name)));
    };
    let kernels = infer_items(&items).map_err(|problems| refused(program, &problems))?.kernels;
    let named = kernels.into_iter().find(|kernel| kernel.name == program.name);
    named.ok_or_else(missing)
}

fn refused(program: &Text, problems: &[Diagnostic]) -> Error {
    let problems: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
    Error::Program(format!("`{}` does not compile: {}", program.name, problems.join("; ")))
}

/// The values of the size variables that are a dimension of an input, by number.
fn sizes(program: &Text, compiled: &Compiled, inputs: &[Input]) -> Result<BTreeMap<u32, i128>> {
    let mut sizes = BTreeMap::new();
    for (parameter, &input) in compiled.parameters.iter().zip(&program.inputs) {
        let shape = inputs.get(input).map(|input| input.shape.as_slice()).unwrap_or_default();
        let dimensions = dimensions(parameter);
        // On the host, a packed array has fewer dimensions than in the program; they say nothing then.
        let given = dimensions.iter().zip(shape).filter(|_| dimensions.len() == shape.len());
        for (dimension, &length) in given {
            if let Some(variable) = dimension.as_variable() {
                sizes.insert(variable.id(), length as i128);
            }
        }
    }
    match compiled.sizes.iter().find(|size| !sizes.contains_key(&size.variable.id())) {
        Some(size) => Err(Error::Inconsistent(format!("{}: nothing gives {}", program.name, size.name))),
        None => Ok(sizes),
    }
}

/// Whether a requirement holds for these sizes; `None` if it has no value.
fn holds(requirement: &Requirement, sizes: &BTreeMap<u32, i128>) -> Option<bool> {
    let assignment = |variable: &Var| sizes.get(&variable.id()).copied();
    let value = |nat: &Nat| nat.evaluate(&assignment);
    Some(match requirement {
        Requirement::Equal(left, right) => value(left)? == value(right)?,
        Requirement::AtMost(left, right) => value(left)? <= value(right)?,
        Requirement::Divides(divisor, of) => value(of)?.checked_rem(value(divisor)?)? == 0,
        Requirement::Holds(condition) => condition.evaluate(&assignment)?,
        // None of the programs here scatters, so unknown counts as unmet.
        Requirement::Permutation { .. } => return None,
    })
}

fn dimensions(parameter: &Parameter) -> Vec<Nat> {
    match &parameter.ty {
        ParameterType::Value(ty) => ty.shape(),
        ParameterType::Size(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Level, Scale};
    use crate::registry::benchmarks;

    /// The longest text of a program's kernels, in bytes.
    const LONGEST: usize = 60_000;

    /// The programs of all benchmarks.
    fn programs() -> Vec<Generated> {
        let cases = benchmarks(Scale::Tiny, Level::High).into_iter().map(|benchmark| (benchmark.make)());
        cases.flat_map(|case| case.pairs).map(|pair| pair.program).collect()
    }

    #[test]
    fn every_compiler_compiles_every_benchmark_to_short_kernels() {
        let mut faults = Vec::new();
        let programs = programs();
        assert!(programs.len() >= 39, "only {} programs", programs.len());
        for Generated { text, .. } in &programs {
            let typed = typed(text).expect("it has types");
            let shipped = Variant { name: "all parts", options: Options::new() };
            for Variant { name, options } in VARIANTS.iter().chain([&shipped]) {
                match compile_with(&typed, options) {
                    Ok(compiled) if compiled.plain.source.len() <= LONGEST => {}
                    Ok(compiled) => {
                        faults.push(format!("{}, {name}: {} bytes", text.name, compiled.plain.source.len()));
                    }
                    Err(problems) => faults.push(format!("{name}: {}", refused(text, &problems))),
                }
            }
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}
