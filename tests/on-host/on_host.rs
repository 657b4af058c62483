//! Programs that the macro never saw compute as native Rust what they mean: random ones, and those of the
//! papers.
//!
//! The OpenCL devices compile such programs while the tests run (`tests/against_eval`). The functions for the
//! host are part of this program: its build script printed them, and the tests make the same programs again.
//! `LIFT_PROGRAMS=100..600 cargo test -p lift-on-host` builds and runs random programs of other seeds.

#[path = "../kernels/assignments.rs"]
mod assignments;
#[path = "../random/check.rs"]
mod check;
#[path = "../common/mod.rs"]
mod common;
#[path = "../compare/mod.rs"]
mod compare;
#[path = "../random/compiled.rs"]
mod compiled;
mod edges;
mod extremes;
#[path = "../../lift-core/tests/support/mod.rs"]
mod generator;
#[path = "../kernels/mod.rs"]
mod kernels;
mod operators;
#[path = "../kernels/pinned.rs"]
mod pinned;
mod programs;
#[path = "../random/mod.rs"]
mod random;
mod rows;
#[path = "../compare/sizes.rs"]
mod sizes;
#[path = "../kernels/steps.rs"]
mod steps;

#[allow(
    missing_docs,
    non_snake_case,
    unused,
    unused_comparisons,
    clippy::all,
    reason = "printed by the build script: lints know here that no person wrote what a macro expands to, but not what a file includes"
)]
mod functions {
    include!(concat!(env!("OUT_DIR"), "/functions.rs"));
}

use std::collections::BTreeSet;

use assignments::{assignments, tolerance};
use check::check;
use compare::{compare, compare_with};
use compiled::may_be_rejected;
use generator::RandomProgram;
use kernels::text;
use lift_core::ir::typed::Program;
use lift_runtime::__private::host::Kernel;
use lift_runtime::{Device, DeviceKind};
use random::Target;
use sizes::admissible;

/// What roots, quotients and sums in another order may change, of the largest result.
const TOLERANCE: f32 = 1e-5;

/// With how many sizes a program of the papers runs, and about how many steps it takes at one.
const SIZES_PER_PROGRAM: usize = 3;
const MOST_STEPS: usize = 1_000;

/// The part of all random programs that the compiler may reject.
const MOST_REJECTED: f64 = 0.05;

fn host() -> Result<Device, String> {
    let devices = Device::list().map_err(|error| error.to_string())?;
    devices.into_iter().find(|device| device.kind() == DeviceKind::Host).ok_or("no host".to_owned())
}

/// Compares each program with its meaning at the sizes that are chosen for it. All that is wrong is said.
fn check_all(
    programs: &[Program],
    functions: &[&[Kernel]],
    compare: impl Fn(&Program, usize, Target<'_>) -> Result<(), String>,
) -> Result<(), String> {
    let device = host()?;
    assert_eq!(programs.len(), functions.len());
    let mut wrong = Vec::new();
    for (number, (program, functions)) in programs.iter().zip(functions).enumerate() {
        if let Err(error) = compare(program, number, Target { functions, ..Target::opencl(&device) }) {
            wrong.push(format!("`{}`: {error}", program.name));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n\n")) }
}

/// Some of the sizes that a program accepts, different ones for every program.
fn some_sizes(program: &Program, number: usize) -> Result<Vec<Vec<usize>>, String> {
    let sizes = admissible(program, MOST_STEPS);
    // A prime leads to all of them, and soon to small and large ones.
    let pick = |turn: usize| sizes.get((number + turn * 7919) % sizes.len().max(1)).cloned();
    let picked = (0..SIZES_PER_PROGRAM).map(pick).collect::<Option<BTreeSet<_>>>();
    picked.map(Vec::from_iter).ok_or("no size is accepted".to_owned())
}

#[test]
fn random_programs_compute_on_the_host_what_they_mean() -> Result<(), String> {
    let programs: Vec<_> = functions::SEEDS.flat_map(programs::random).collect();
    check_random(&programs, functions::random::FUNCTIONS)
}

#[cfg(feature = "f16")]
#[test]
fn random_programs_of_half_precision_compute_on_the_host_what_they_mean() -> Result<(), String> {
    let programs: Vec<_> = functions::SEEDS.map(programs::halves).collect();
    check_random(&programs, functions::halves::FUNCTIONS)
}

/// Compares each random program with its meaning. All that is wrong is said.
fn check_random(programs: &[RandomProgram], functions: &[&[Kernel]]) -> Result<(), String> {
    let device = host()?;
    assert_eq!(programs.len(), functions.len());
    let (mut rejected, mut wrong) = (0, Vec::new());
    for (program, functions) in programs.iter().zip(functions) {
        match check(program, Target { functions, ..Target::opencl(&device) }) {
            Ok(()) => {}
            Err(error) if functions.is_empty() && may_be_rejected(&error) => rejected += 1,
            Err(error) => wrong.push(format!("{}\n{error}", program.text)),
        }
    }
    assert!(f64::from(rejected) <= MOST_REJECTED * programs.len() as f64 + 1.0, "{rejected} are rejected");
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n\n")) }
}

#[test]
fn operators_in_loops_compute_on_the_host_what_they_mean() -> Result<(), String> {
    let device = host()?;
    let programs = programs::operators(functions::SEEDS)?;
    assert_eq!(programs.len(), functions::operators::FUNCTIONS.len());
    let mut wrong = Vec::new();
    for ((program, typed), functions) in programs.iter().zip(functions::operators::FUNCTIONS) {
        if let Err(error) = edges::check(program, typed, functions, &device) {
            wrong.push(format!("{}\n{error}", program.text));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n\n")) }
}

#[test]
fn extremes_and_sums_of_rows_are_on_the_host_what_they_mean() -> Result<(), String> {
    let device = host()?;
    let programs = programs::extremes()?;
    assert_eq!(programs.len(), functions::extremes::FUNCTIONS.len());
    let mut wrong = Vec::new();
    for ((program, typed), functions) in programs.iter().zip(functions::extremes::FUNCTIONS) {
        if let Err(error) = rows::check(program, typed, functions, &device) {
            wrong.push(format!("{}\n{error}", program.text));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n\n")) }
}

#[test]
fn the_programs_of_the_papers_compute_on_the_host_what_they_mean() -> Result<(), String> {
    let programs = programs::papers()?;
    assert!(programs.len() >= 37, "only {} programs", programs.len());
    check_all(&programs, functions::papers::FUNCTIONS, |program, number, target| {
        compare(program, &some_sizes(program, number)?, TOLERANCE, target)
    })
}

#[test]
fn stencils_and_position_dependent_arrays_compute_on_the_host_what_they_mean() -> Result<(), String> {
    check_all(&programs::stencils()?, functions::stencils::FUNCTIONS, |program, _, target| {
        compare(program, &assignments(program), tolerance(program), target)
    })
}

#[test]
fn programs_of_open_element_types_compute_on_the_host_what_they_mean() -> Result<(), String> {
    check_all(&programs::open()?, functions::open::FUNCTIONS, |program, number, target| {
        compare(program, &some_sizes(program, number)?, TOLERANCE, target)
    })
}

#[test]
fn components_of_accumulators_change_at_once_on_the_host() -> Result<(), String> {
    check_all(&programs::steps()?, functions::steps::FUNCTIONS, |program, _, target| {
        compare_with(program, &steps::sizes(program), &steps::arguments, &|_| 0.0, target)
    })
}

#[test]
fn the_pinned_programs_compute_on_the_host_what_they_mean() -> Result<(), String> {
    check_all(&programs::pinned()?, functions::pinned::FUNCTIONS, |program, _, target| {
        compare(program, &pinned::sizes(program), 0.0, target)
    })
}

#[test]
fn programs_in_portions_compute_on_the_host_what_they_mean() -> Result<(), String> {
    check_all(&programs::in_portions()?, functions::in_portions::FUNCTIONS, |program, _, target| {
        compare(program, &pinned::sizes(program), 0.0, Target { options: pinned::SCARCE, ..target })
    })
}
