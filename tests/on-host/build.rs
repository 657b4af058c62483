//! Prints the functions of all programs, so that they are compiled into the tests.
//!
//! `LIFT_PROGRAMS=100..600` asks for random programs of other seeds.

#[path = "../random/compiled.rs"]
mod compiled;
#[allow(dead_code, reason = "the lengths of rows are for the tests")]
mod extremes;
#[path = "../../lift-core/tests/support/mod.rs"]
mod generator;
#[allow(dead_code, reason = "how results are compared is for the tests")]
mod operators;
#[allow(dead_code, reason = "the sizes are for the tests")]
#[path = "../kernels/pinned.rs"]
mod pinned;
mod programs;
#[path = "../kernels/text.rs"]
mod text;

use std::error::Error;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::PathBuf;
use std::{env, fs};

use lift_core::compiled::Compiled;
use lift_core::ir::typed::Program;
use lift_core::options::Options;

use generator::RandomProgram;

/// Seeds of random programs, one of each style.
const SEEDS: &str = "LIFT_PROGRAMS";
const USUAL_SEEDS: &str = "0..300";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed={SEEDS}");
    println!("cargo::rerun-if-changed=..");
    println!("cargo::rerun-if-changed=../../lift-core/tests/support");
    let Range { start, end } = seeds()?;
    let mut file = format!("pub(crate) const SEEDS: std::ops::Range<u64> = {start}..{end};\n\n");
    // The test says what is wrong with one that does not compile.
    let compile_random =
        |program: RandomProgram| compiled::compiled(&program.text).ok().map(|(_, compiled)| compiled);
    let random: Vec<_> = (start..end).flat_map(programs::random).map(compile_random).collect();
    print(&mut file, "random", &random)?;
    let halves = if cfg!(feature = "f16") { start..end } else { 0..0 };
    let halves: Vec<_> = halves.map(programs::halves).map(compile_random).collect();
    print(&mut file, "halves", &halves)?;
    let operators = programs::operators(start..end)?;
    let operators = operators.iter().map(|(_, program)| compile(program)).collect::<Result<Vec<_>, _>>()?;
    print(&mut file, "operators", &operators)?;
    let extremes = programs::extremes()?;
    let extremes = extremes.iter().map(|(_, program)| compile(program)).collect::<Result<Vec<_>, _>>()?;
    print(&mut file, "extremes", &extremes)?;
    for (name, programs) in [
        ("papers", programs::papers()?),
        ("stencils", programs::stencils()?),
        ("open", programs::open()?),
        ("steps", programs::steps()?),
        ("pinned", programs::pinned()?),
    ] {
        let compiled = programs.iter().map(compile).collect::<Result<Vec<_>, _>>()?;
        print(&mut file, name, &compiled)?;
    }
    let in_portions = programs::in_portions()?;
    let compile = |program: &Program| compile_with(program, &pinned::SCARCE);
    print(&mut file, "in_portions", &in_portions.iter().map(compile).collect::<Result<Vec<_>, _>>()?)?;
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("functions.rs"), file)?;
    Ok(())
}

fn seeds() -> Result<Range<u64>, Box<dyn Error>> {
    let seeds = env::var(SEEDS).unwrap_or_else(|_| USUAL_SEEDS.to_owned());
    let (start, end) = seeds.split_once("..").ok_or("seeds are written 0..60")?;
    Ok(start.parse()?..end.parse()?)
}

fn compile(program: &Program) -> Result<Option<Compiled>, String> {
    compile_with(program, &Options::default())
}

fn compile_with(program: &Program, options: &Options) -> Result<Option<Compiled>, String> {
    let compiled = lift_core::compile_with(program, options);
    compiled.map(Some).map_err(|diagnostics| format!("`{}`: {}", program.name, text::render(&diagnostics)))
}

/// Prints a module with a constant `FUNCTIONS`, the functions of each program; none of those that were
/// rejected.
fn print(file: &mut String, name: &str, programs: &[Option<Compiled>]) -> Result<(), Box<dyn Error>> {
    writeln!(file, "pub(crate) mod {name} {{\nuse lift_runtime::__private::host as __lift_host;\n")?;
    let mut functions = String::new();
    for (position, program) in programs.iter().enumerate() {
        let Some(program) = program else {
            functions += "    &[],\n";
            continue;
        };
        let host = program.host.as_ref().ok_or("no functions for the host")?;
        // Open element types are those of the arguments that the tests pass: `f32`.
        let types = vec!["f32"; program.type_parameters].join(", ");
        let types = if types.is_empty() { types } else { format!("::<{types}>") };
        let entry = |entry: &String| format!("program_{position}::{entry}{types}");
        let entries: Vec<_> = host.entries.iter().map(entry).collect();
        writeln!(functions, "    &[{}],", entries.join(", "))?;
        let text = host.text.replace("fn __lift_kernel_", "pub(super) fn __lift_kernel_");
        writeln!(file, "mod program_{position} {{\nuse super::__lift_host;\n{text}}}\n")?;
    }
    writeln!(file, "pub(crate) const FUNCTIONS: &[&[__lift_host::Kernel]] = &[\n{functions}];\n}}\n")?;
    Ok(())
}
