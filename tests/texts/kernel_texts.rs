//! No kernel text is long: those of the papers' programs and of the benchmarks stay below 60 kB, also where
//! parts of the compiler are switched off and where kernels are for any launch.
//!
//! No barrier stands in an `if`, also in the kernels of random programs: PoCL hangs or crashes where another
//! one follows it.
//!
//! What such a compiler cannot do it refuses with a message that says why, and never as an error of its own.

use crate::generator::{Choices, Style, random_program, repeated_program};
use crate::kernels::{kernels, kernels_of, render};
use lift_core::compile_with;
use lift_core::ir::typed::{Launch, Pinning, Program};
use lift_core::options::{Barriers, Host, Indices, Optimisation, Optimisations, Options};
use lift_corpus::{Topic, language, programs};

/// The longest text of a program's kernels, in bytes.
const LONGEST: usize = 60_000;

/// The programs of the papers, and those that are made like them.
const TOPICS: [Topic; 14] = [
    programs::ALGORITHMS,
    programs::BLOCKING,
    programs::BENCHMARKS_IR,
    programs::CONVOLUTION,
    language::LANGUAGE,
    programs::LINEAR_ALGEBRA,
    programs::PIPELINED,
    programs::POSITIONS,
    programs::PRODUCTS,
    programs::THESIS,
    programs::REDUCTIONS,
    programs::STENCILS,
    programs::STENCILS3D,
    language::VECTORS,
];

/// The compilers of the ablation (Steuwer et al., CGO 2017, figure 8), and the one that `lift!` uses.
fn compilers() -> Vec<(String, Options)> {
    let all = Options { host: Host::Omitted, ..Options::default() };
    let without = |optimisations: &[Optimisation]| Optimisations::of(optimisations);
    let mut compilers = vec![
        ("all parts".to_owned(), all),
        ("indices as composed".to_owned(), Options { indices: Indices::AsComposed, ..all }),
        ("barriers everywhere".to_owned(), Options { barriers: Barriers::AfterEveryMap, ..all }),
        (
            "no optimisation".to_owned(),
            Options {
                indices: Indices::AsComposed,
                barriers: Barriers::AfterEveryMap,
                without: without(&Optimisation::ALL),
                ..all
            },
        ),
    ];
    compilers.extend(Optimisation::ALL.map(|optimisation| {
        (format!("without {optimisation:?}"), Options { without: without(&[optimisation]), ..all })
    }));
    compilers
}

/// The programs of all topics; none may get lost.
fn programs() -> Result<Vec<Program>, String> {
    let mut programs = Vec::new();
    for topic in TOPICS {
        programs.extend(kernels_of(topic)?);
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

/// Whether work-items wait for each other in a choice, in the text of kernels: the lines that open a block
/// end with its brace.
fn waits_in_choice(source: &str) -> bool {
    let mut around = Vec::new();
    source.lines().map(str::trim).any(|line| {
        if line.starts_with('}') {
            around.pop();
        }
        if line.ends_with('{') {
            around.push(line.starts_with("if (") || line == "} else {");
        }
        line.starts_with("barrier(") && around.contains(&true)
    })
}

/// What is wrong with the text of a program's kernels, if anything is.
fn fault(program: &Program, options: &Options) -> Option<String> {
    match compile_with(program, options) {
        Ok(compiled) if compiled.plain.source.len() > LONGEST => {
            Some(format!("{} bytes", compiled.plain.source.len()))
        }
        Ok(compiled) => waits_in_choice(&compiled.plain.source)
            .then(|| format!("a barrier in an `if`\n{}", compiled.plain.source)),
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
    let faults = |(name, options): &(String, Options)| -> Vec<String> {
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

/// Programs of whose kernels groups have something to do that others have not.
const FOR_SOME_GROUPS: [&str; 5] = [
    "fn f<const N: usize>(a: [f32; N]) -> (f32, f32) { (reduce(add, 0, a), a >> map(|x| x * x) >> reduce(add, 0)) }",
    "fn f<const N: usize>(a: [f32; N], b: [f32; N]) -> (f32, [f32; N], f32) {
         (dotProduct(a, b), a >> scan(add, 0), b >> reduce(add, 0))
     }",
    "fn f<const N: usize>(a: [f32; N]) -> [f32; 2] {
         let s = reduce(add, 0, a);
         concat(repeat(1, s), repeat(1, a >> map(|x| x * s) >> reduce(add, 0)))
     }",
    "#[launch(local = 8, global = (64, 4))]
     fn f<const N: usize>(a: [f32; N]) -> [f32; N] where N % 8 == 0 {
         a >> split(8) >> mapWrg0(|c| c >> toLocal(mapLcl0(id)) >> reverse >> mapLcl0(|x| x + 1)) >> join
     }",
    "fn f<const N: usize, const M: usize>(a: [f32; N], b: [f32; M]) -> ([f32; N], [f32; M]) where N % 8 == 0, M % 8 == 0 {
         (a >> split(8) >> mapWrg0(|c| c >> toLocal(mapLcl0(id)) >> reverse >> mapLcl0(|x| x + 1)) >> join,
          b >> split(8) >> mapWrg0(|c| c >> toLocal(mapLcl0(id)) >> reverse >> mapLcl0(|x| x + 1)) >> join)
     }",
];

#[test]
fn no_barrier_stands_in_a_choice_whatever_the_groups_do() -> Result<(), String> {
    for text in FOR_SOME_GROUPS {
        for program in kernels(text)? {
            let compiled = compile_with(&program, &compilers()[0].1).map_err(|problems| render(&problems))?;
            assert!(compiled.plain.source.contains("barrier("), "{}", compiled.plain.source);
            assert!(!waits_in_choice(&compiled.plain.source), "{text}\n{}", compiled.plain.source);
        }
    }
    Ok(())
}

#[test]
fn no_barrier_stands_in_a_choice_of_a_random_program() -> Result<(), String> {
    let options = compilers()[0].1;
    let mut waiting = 0;
    for seed in 0..60 {
        let choices = || Choices::from_seed(seed);
        let styled = |style| random_program(&mut choices(), style);
        for random in [styled(Style::HighLevel), styled(Style::LowLevel), repeated_program(&mut choices())] {
            for program in kernels(&random.text)? {
                // Some are refused; `random_programs` counts them.
                for compiled in [&program, &general(&program)].map(|program| compile_with(program, &options))
                {
                    let Ok(compiled) = compiled else { continue };
                    waiting += usize::from(compiled.plain.source.contains("barrier("));
                    assert!(
                        !waits_in_choice(&compiled.plain.source),
                        "{}\n{}",
                        random.text,
                        compiled.plain.source
                    );
                }
            }
        }
    }
    assert!(waiting >= 20, "only {waiting} programs wait");
    Ok(())
}
