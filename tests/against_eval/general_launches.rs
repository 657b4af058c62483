//! The programs of the papers, compiled for any launch (`#[launch(any)]`), compute what they mean with
//! launches that a person would never choose: one work-item, groups of primes, fewer work-items than there is
//! work, and more.
//!
//! Other tests compare the same programs with plain loops; here the evaluator says what they mean, as in
//! `launches.rs`, where they are pinned to launches. Run under Oclgrind, which sees races, accesses out of
//! bounds and divergent barriers (`scripts/check-kernels.sh`).

use crate::common::is_simulated;
use crate::compare::compare;
use crate::kernels::kernels_of;
use crate::random::{self, LaunchSizes, Target};
use crate::sizes::admissible;
use lift_core::ir::typed::{Launch, Pinning, Program};
use lift_corpus::{Topic, language, programs};
use lift_runtime::Device;

/// How many launches a program has beside the one that the runtime chooses: where races are looked for, and
/// elsewhere.
const LAUNCHES: u32 = 3;
const LAUNCHES_ELSEWHERE: u32 = 2;

/// About how many steps a program takes at the sizes that are tried.
const MOST_STEPS: usize = 2_000;

/// What roots, quotients and sums in another order may change, of the largest result.
const TOLERANCE: f32 = 1e-5;

/// The same program, right for any launch.
fn general(program: &Program) -> Program {
    let source = program.body.source;
    let launch = Launch { local: None, global: None, pinning: Pinning::Any, source };
    Program { launches: vec![launch], ..program.clone() }
}

/// Compares a program with its meaning, at another size for every launch.
fn check(program: &Program, number: u32, device: &Device) -> Result<(), String> {
    let program = general(program);
    let sizes = admissible(&program, MOST_STEPS);
    let count = if is_simulated(device) { LAUNCHES } else { LAUNCHES_ELSEWHERE };
    let launches = (0..count).map(|turn| LaunchSizes::Drawn(number * LAUNCHES + turn));
    for (turn, launches) in [LaunchSizes::Usual].into_iter().chain(launches).enumerate() {
        // A prime leads to all of them, and soon to small and large ones.
        let picked = sizes.get((number as usize + turn) * 7919 % sizes.len().max(1));
        let picked = picked.cloned().ok_or("no size is accepted")?;
        let target = Target { launches, ..Target::opencl(device) };
        compare(&program, &[picked], TOLERANCE, target).map_err(|error| format!("{launches:?}: {error}"))?;
    }
    Ok(())
}

/// Checks all programs of a topic. There must be at least `least`, so that none gets lost.
fn check_all(topic: Topic, least: usize) -> Result<(), String> {
    let device = random::opencl_device();
    let programs = kernels_of(topic)?;
    assert!(programs.len() >= least, "only {} programs", programs.len());
    let check = |(number, program): (u32, &Program)| {
        check(program, number, &device).map_err(|error| format!("`{}`, {error}", program.name))
    };
    let wrong: Vec<String> = (0..).zip(&programs).filter_map(|pair| check(pair).err()).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n\n")) }
}

macro_rules! launches {
    ($($name:ident: $count:literal of $topic:path;)*) => {$(
        #[test]
        fn $name() -> Result<(), String> {
            check_all($topic, $count)
        }
    )*};
}

launches! {
    programs_with_all_primitives_take_any_launch: 10 of programs::ALGORITHMS;
    matrix_products_in_blocks_take_any_launch: 3 of programs::BLOCKING;
    benchmarks_of_the_ir_take_any_launch: 11 of programs::BENCHMARKS_IR;
    forms_of_the_convolution_take_any_launch: 12 of programs::CONVOLUTION;
    programs_of_the_language_take_any_launch: 10 of language::LANGUAGE;
    matrix_vector_products_take_any_launch: 9 of programs::LINEAR_ALGEBRA;
    programs_over_triangles_take_any_launch: 30 of programs::POSITIONS;
    matrix_products_take_any_launch: 8 of programs::PRODUCTS;
    stencils_of_the_thesis_take_any_launch: 14 of programs::THESIS;
    reductions_take_any_launch: 12 of programs::REDUCTIONS;
    stencils_in_two_dimensions_take_any_launch: 10 of programs::STENCILS;
    stencils_in_three_dimensions_take_any_launch: 9 of programs::STENCILS3D;
}
