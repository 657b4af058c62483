//! No kernel text is long: those of the papers' programs and of the benchmarks stay below 60 kB, also where parts of the compiler are switched off
//! and where kernels are for any launch.
//!
//! What such a compiler cannot do it refuses with a message that says why, and never as an error of its own.

mod kernels;

use kernels::{blocks, kernels, render};
use lift_core::compile_with;
use lift_core::options::{Barriers, Borders, ControlFlow, Host, Indices, Options};
use lift_core::typed::{Launch, Pinning, Program};

/// The longest text of a program's kernels, in bytes.
const LONGEST: usize = 60_000;

/// The tests whose programs are those of the papers, or made like them.
const FILES: [&str; 14] = [
    include_str!("algorithms.rs"),
    include_str!("blocking.rs"),
    include_str!("benchmarks_ir.rs"),
    include_str!("convolution.rs"),
    include_str!("language.rs"),
    include_str!("linear_algebra.rs"),
    include_str!("pipelined.rs"),
    include_str!("positions.rs"),
    include_str!("products.rs"),
    include_str!("programs.rs"),
    include_str!("reductions.rs"),
    include_str!("stencils.rs"),
    include_str!("stencils3d.rs"),
    include_str!("vectors.rs"),
];

/// The compilers of the ablation (Steuwer et al., CGO 2017, figure 8), and the one that `lift!` uses.
fn compilers() -> [(&'static str, Options); 5] {
    let all = Options { host: Host::Omitted, ..Options::default() };
    [
        ("all parts", all),
        ("indices as composed", Options { indices: Indices::AsComposed, ..all }),
        ("barriers everywhere", Options { barriers: Barriers::AfterEveryMap, ..all }),
        ("loops everywhere", Options { control_flow: ControlFlow::Loops, ..all }),
        (
            "none of them",
            Options {
                indices: Indices::AsComposed,
                barriers: Barriers::AfterEveryMap,
                control_flow: ControlFlow::Loops,
                borders: Borders::Everywhere,
                ..all
            },
        ),
    ]
}

/// The programs of all files; none may get lost.
fn programs() -> Result<Vec<Program>, String> {
    let mut programs = Vec::new();
    for file in FILES {
        for block in blocks(file, "lift! {\n") {
            programs.extend(kernels(block)?);
        }
    }
    assert!(programs.len() >= 160, "only {} programs", programs.len());
    Ok(programs)
}

/// The same program, right for any launch.
fn general(program: &Program) -> Program {
    let source = program.body.source;
    let launch = Launch { local: None, global: None, pinning: Pinning::Any, source };
    Program { launches: vec![launch], ..program.clone() }
}

/// What is wrong with the text of a program's kernels, if anything is.
fn fault(program: &Program, options: &Options) -> Option<String> {
    match compile_with(program, options) {
        Ok(compiled) if compiled.source.len() <= LONGEST => None,
        Ok(compiled) => Some(format!("{} bytes", compiled.source.len())),
        Err(problems) => {
            let text = render(&problems);
            // With parts of the compiler switched off, what needs them may be refused, in words for a user.
            let is_for_users = *options != compilers()[0].1 && !text.contains("internal error");
            (!is_for_users).then_some(text)
        }
    }
}

#[test]
fn no_kernel_text_is_long_whatever_parts_of_the_compiler_are_switched_off() -> Result<(), String> {
    let programs = programs()?;
    let faults = |(name, options): &(&str, Options)| -> Vec<String> {
        let fault =
            |program: &Program| Some(format!("`{}`, {name}: {}", program.name, fault(program, options)?));
        programs.iter().filter_map(fault).collect()
    };
    let faults: Vec<String> = compilers().iter().flat_map(faults).collect();
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

#[test]
fn no_kernel_text_for_any_launch_is_long() -> Result<(), String> {
    let options = compilers()[0].1;
    let fault =
        |program: &Program| Some(format!("`{}`: {}", program.name, fault(&general(program), &options)?));
    let faults: Vec<String> = programs()?.iter().filter_map(fault).collect();
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}
