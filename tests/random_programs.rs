//! Random well-typed programs, compiled and run on a device, compute what the reference evaluator says.
//!
//! Run the test binary under `oclgrind --data-races --check-api` to look for races and accesses out of bounds: every
//! kernel is launched by the runtime itself. The kernels of a fixed list of programs are also written below
//! `CARGO_TARGET_TMPDIR`, and so is the program that runs, for the case that a driver crashes.

#[path = "../lift-core/tests/support/mod.rs"]
mod generator;
mod random;

use std::fs;
use std::path::Path;

use generator::{Choices, RandomProgram, Style, random_program, seed, typed};
use lift_core::compiled::Compiled;
use lift_core::diagnostic::Diagnostic;
use lift_core::eval::evaluate;
use lift_core::typed::Program;
use lift_runtime::Device;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestCaseResult};
use random::Found;

/// Where files for the eyes of a developer go.
const FOLDER: &str = env!("CARGO_TARGET_TMPDIR");

fn render(diagnostics: &[Diagnostic]) -> String {
    let messages: Vec<_> = diagnostics.iter().map(Diagnostic::render).collect();
    messages.join("\n")
}

fn compiled(text: &str) -> Result<(Program, Compiled), String> {
    let typed = typed(text)?;
    let compiled = lift_core::compile(&typed).map_err(|diagnostics| render(&diagnostics))?;
    Ok((typed, compiled))
}

/// Legal programs that the compiler may reject, by what it says: it does not prove that their work-items can share
/// what they write, or does not choose between arrays that are yet to be computed. At most [`MOST_REJECTED`]
/// programs of a test are.
const MAY_BE_REJECTED: [&str; 4] = [
    "one kernel distributes work over work-groups with `mapWrg`, and elsewhere",
    "an array that one work-item makes for itself is made outside the map that distributes a dimension",
    "the barrier that this needs would stand where not all work-items of the group arrive",
    "are arrays that need code of their own to be computed",
];
const MOST_REJECTED: u32 = 5;

fn may_be_rejected(error: &str) -> bool {
    MAY_BE_REJECTED.iter().any(|message| error.contains(message))
}

/// Checks a program for proptest.
fn agrees_with_the_evaluator(program: &RandomProgram) -> TestCaseResult {
    match check(program, &random::opencl_device()) {
        Err(error) if may_be_rejected(&error) => Err(TestCaseError::reject(error)),
        Err(error) => Err(TestCaseError::fail(format!("{}\n{error}", program.text))),
        Ok(()) => Ok(()),
    }
}

/// Compares a program's result on a device with its value; an error says what went wrong.
fn check(program: &RandomProgram, device: &Device) -> Result<(), String> {
    let (typed, compiled) = compiled(&program.text)?;
    let expected = evaluate(&typed, &program.arguments).map_err(|error| error.to_string())?;
    let name = format!("running-{}.txt", std::thread::current().name().unwrap_or("test"));
    let running = Path::new(FOLDER).join(name);
    fs::write(&running, format!("{}\n\n{}", program.text, compiled.source))
        .map_err(|error| error.to_string())?;
    let launched = random::program_from(&compiled)?;
    let [Found { shape, scalars: found }] = random::run(launched, &program.arguments, device)?
        .try_into()
        .map_err(|results| format!("other results than one: {results:?}"))?;
    if shape != random::shape(&expected) {
        return Err(format!("expected the shape {:?}, found {shape:?}", random::shape(&expected)));
    }
    let expected = expected.flatten();
    // The generator keeps single precision numbers exact, so that they are equal and not only close.
    match expected.iter().zip(&found).position(|(expected, found)| expected != found) {
        None => Ok(()),
        Some(position) => Err(format!(
            "element {position}: expected {:?}, found {:?}\n{}",
            expected[position], found[position], compiled.source
        )),
    }
}

fn programs(style: Style) -> impl Strategy<Value = RandomProgram> {
    vec(any::<u32>(), 0..300).prop_map(move |choices| random_program(&mut Choices::new(choices), style))
}

fn configuration() -> ProptestConfig {
    ProptestConfig {
        cases: 150,
        failure_persistence: None,
        max_global_rejects: MOST_REJECTED,
        max_shrink_iters: 400,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: seed(),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(configuration())]

    #[test]
    fn high_level_programs_compute_on_a_device_what_they_mean(program in programs(Style::HighLevel)) {
        agrees_with_the_evaluator(&program)?;
    }

    #[test]
    fn low_level_programs_compute_on_a_device_what_they_mean(program in programs(Style::LowLevel)) {
        agrees_with_the_evaluator(&program)?;
    }
}

/// The kernels of a fixed list of programs, each with its program: for review, and for other OpenCL compilers.
#[test]
fn the_kernels_of_the_fixed_programs_are_written_to_a_folder() {
    let folder = Path::new(FOLDER).join("kernels");
    fs::create_dir_all(&folder).expect("a writable folder");
    for (style, name) in [(Style::HighLevel, "high"), (Style::LowLevel, "low")] {
        for seed in 0..40 {
            let program = random_program(&mut Choices::from_seed(seed), style);
            let compiled = match compiled(&program.text) {
                Ok((_, compiled)) => compiled,
                Err(error) if may_be_rejected(&error) => continue,
                Err(error) => panic!("{}\n{error}", program.text),
            };
            let text = format!("// {}\n{}", program.text, compiled.source);
            fs::write(folder.join(format!("{name}-{seed}.cl")), text).expect("a writable folder");
        }
    }
}
