//! Random well-typed programs, compiled and run on a device, compute what the reference evaluator says.
//!
//! Run the test binary under `oclgrind --data-races --check-api` to look for races and accesses out of
//! bounds: every kernel is launched by the runtime itself. The kernels of a fixed list of programs are also
//! written below `CARGO_TARGET_TMPDIR`, and so is the program that runs, for the case that a driver crashes.

use std::fs;
use std::path::Path;

use crate::check::check;
use crate::common::is_simulated;
use crate::compare::compare;
use crate::compiled::{compiled, may_be_rejected};
use crate::generator::{
    Choices, RandomProgram, Style, chain_of_layouts, group_program, order_program, random_program,
    repeated_program, staged_program,
};
use crate::kernels::{kernels, render};
use crate::pinned;
use crate::random::{self, LaunchSizes, Target};
use crate::seed::seed;
use lift_core::compile_with;
use lift_core::compiled::Action;
use lift_core::options::Options;
use lift_corpus::pinned::{IN_PORTIONS, PINNED};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestCaseResult};

/// Where files for the eyes of a developer go.
const FOLDER: &str = env!("CARGO_TARGET_TMPDIR");

/// The layouts of a chain at most.
const MOST_LAYOUTS: usize = 16;

/// Programs of each kind, which PoCL compiles for minutes; `scripts/random-programs.sh` runs as many more as one
/// likes.
const CASES: u32 = 80;

/// Those of them that may be rejected.
const MOST_REJECTED: u32 = CASES / 20;

/// Checks a program for proptest.
fn agrees_with_the_evaluator(program: &RandomProgram, launches: LaunchSizes) -> TestCaseResult {
    match check(program, Target { launches, ..Target::opencl(&random::opencl_device()) }) {
        Err(error) if may_be_rejected(&error) => Err(TestCaseError::reject(error)),
        Err(error) => Err(TestCaseError::fail(format!("{}\n{error}", program.text))),
        Ok(()) => Ok(()),
    }
}

fn programs(style: Style) -> impl Strategy<Value = RandomProgram> {
    vec(any::<u32>(), 0..300).prop_map(move |choices| random_program(&mut Choices::new(choices), style))
}

fn group_programs() -> impl Strategy<Value = RandomProgram> {
    vec(any::<u32>(), 0..100).prop_map(|choices| group_program(&mut Choices::new(choices)))
}

fn repeated_programs() -> impl Strategy<Value = RandomProgram> {
    vec(any::<u32>(), 0..100).prop_map(|choices| repeated_program(&mut Choices::new(choices)))
}

fn configuration() -> ProptestConfig {
    ProptestConfig {
        cases: CASES,
        failure_persistence: None,
        max_global_rejects: MOST_REJECTED,
        max_shrink_iters: 400,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: seed(),
        ..ProptestConfig::default()
    }
}

#[test]
fn programs_in_portions_compute_what_they_mean() -> Result<(), String> {
    let device = random::opencl_device();
    let target = match is_simulated(&device) {
        true => Target::opencl(&device).without_product_tiles(),
        false => Target::opencl(&device),
    };
    for text in IN_PORTIONS {
        for kernel in kernels(text)? {
            let compiled = compile_with(&kernel, &pinned::SCARCE).map_err(|problems| render(&problems))?;
            if !compiled.plain.steps.iter().any(is_in_portions) {
                return Err(format!("{text}\nis not launched in portions\n{}", compiled.plain.source));
            }
            for options in [pinned::SCARCE, Options::default()] {
                compare(&kernel, &pinned::sizes(&kernel), 0.0, Target { options, ..target })
                    .map_err(|error| format!("{text}\n{error}"))?;
            }
        }
    }
    Ok(())
}

fn is_in_portions(step: &Action) -> bool {
    match step {
        Action::Launch(_) => false,
        Action::Repeat(repetition) => {
            repetition.portion.is_some() || repetition.actions().any(is_in_portions)
        }
    }
}

proptest! {
    // Each is several kernels, which PoCL compiles for as long as several programs.
    #![proptest_config(ProptestConfig { cases: CASES / 3, ..configuration() })]

    #[test]
    fn maps_whose_elements_take_arrays_compute_what_they_mean(
        program in vec(any::<u32>(), 0..100).prop_map(|choices| staged_program(&mut Choices::new(choices)))
    ) {
        agrees_with_the_evaluator(&program, LaunchSizes::Usual)?;
    }
}

proptest! {
    // A sort is many kernels.
    #![proptest_config(ProptestConfig { cases: CASES / 5, ..configuration() })]

    #[test]
    fn programs_in_which_data_says_where_elements_go_compute_what_they_mean(
        program in vec(any::<u32>(), 0..60).prop_map(|choices| order_program(&mut Choices::new(choices)))
    ) {
        agrees_with_the_evaluator(&program, LaunchSizes::Usual)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES / 3, ..configuration() })]

    #[test]
    fn strict_programs_compute_on_a_device_what_they_mean(
        program in prop_oneof![programs(Style::HighLevel), programs(Style::LowLevel)]
            .prop_map(RandomProgram::strict)
    ) {
        agrees_with_the_evaluator(&program, LaunchSizes::Usual)?;
    }
}

proptest! {
    #![proptest_config(configuration())]

    #[test]
    fn programs_for_any_launch_compute_what_they_mean_with_a_random_one(
        program in prop_oneof![programs(Style::HighLevel), programs(Style::LowLevel), group_programs()],
        number in any::<u32>(),
    ) {
        agrees_with_the_evaluator(&program, LaunchSizes::Drawn(number >> 1))?;
    }
}

proptest! {
    #![proptest_config(configuration())]

    #[test]
    fn programs_for_groups_compute_on_a_device_what_they_mean(program in group_programs()) {
        agrees_with_the_evaluator(&program, LaunchSizes::Usual)?;
    }

    #[test]
    fn high_level_programs_compute_on_a_device_what_they_mean(program in programs(Style::HighLevel)) {
        agrees_with_the_evaluator(&program, LaunchSizes::Usual)?;
    }

    #[test]
    fn low_level_programs_compute_on_a_device_what_they_mean(program in programs(Style::LowLevel)) {
        agrees_with_the_evaluator(&program, LaunchSizes::Usual)?;
    }
}

proptest! {
    #![proptest_config(configuration())]

    #[test]
    fn arrays_that_change_their_length_again_and_again_are_computed_on_a_device(
        program in repeated_programs(),
        number in any::<Option<u32>>(),
    ) {
        let launches = number.map_or(LaunchSizes::Usual, |number| LaunchSizes::Drawn(number >> 1));
        agrees_with_the_evaluator(&program, launches)?;
    }
}

#[test]
fn the_pinned_programs_compute_what_they_mean() -> Result<(), String> {
    let device = random::opencl_device();
    for text in PINNED {
        for kernel in kernels(text)? {
            compare(&kernel, &pinned::sizes(&kernel), 0.0, Target::opencl(&device))
                .map_err(|error| format!("{text}\n{error}"))?;
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(configuration())]

    #[test]
    fn chains_of_layouts_are_read_on_a_device_as_they_mean(
        choices in vec(any::<u32>(), 0..300),
        number in any::<Option<u32>>(),
    ) {
        let program = chain_of_layouts(&mut Choices::new(choices), MOST_LAYOUTS);
        let launches = number.map_or(LaunchSizes::Usual, |number| LaunchSizes::Drawn(number >> 1));
        agrees_with_the_evaluator(&program, launches)?;
    }
}

/// The kernels of a fixed list of programs, each with its program: for review, and for other OpenCL
/// compilers.
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
            let text = format!("// {}\n{}", program.text, compiled.plain.source);
            fs::write(folder.join(format!("{name}-{seed}.cl")), text).expect("a writable folder");
        }
    }
}
