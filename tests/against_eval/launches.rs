//! The programs of the papers compute what they mean whatever the launch: in groups of one work-item, in
//! groups that no array is divided by, in fewer groups than there is work for and in more, with work-items in
//! dimensions that a program does not use; at tiny sizes, primes, and sizes around the powers of two.
//!
//! Other tests compare the same programs with plain loops; here the evaluator says what they mean, as in
//! `papers_programs.rs`. Run under Oclgrind, which sees races, accesses out of bounds and divergent barriers
//! (`scripts/check-kernels.sh`), every program has every launch. Elsewhere a program has some of them, the
//! next program others.

use crate::common::is_simulated;
use crate::compare::compare;
use crate::kernels::kernels_of;
use crate::random::{self, Target};
use crate::sizes::admissible;
use lift_core::ir::nat::Nat;
use lift_core::ir::typed::{Launch, Pinning, Program};
use lift_corpus::{Topic, language, programs};
use lift_runtime::Device;

/// Launches: the work-items of a group, and where that is not what the program needs, of the device.
const LAUNCHES: [([u64; 3], Option<[u64; 3]>); 6] = [
    ([1, 1, 1], None),
    ([3, 2, 2], None),
    ([16, 4, 1], Some([16, 4, 1])),
    ([5, 3, 2], Some([15, 6, 2])),
    ([64, 2, 1], Some([256, 8, 4])),
    ([1, 1, 1], Some([1, 1, 1])),
];

/// How many launches of its own a program has where races are looked for, and how many elsewhere, beside the one
/// that the compiler chooses. The next program has the ones that follow.
const LAUNCHES_SIMULATED: usize = 3;
const LAUNCHES_ELSEWHERE: usize = 2;

/// How many sizes are tried with each launch, and how many where races are looked for.
const SIZES_PER_LAUNCH: usize = 2;
const SIZES_PER_LAUNCH_SIMULATED: usize = 1;

/// About how many steps a program takes at most.
const MOST_STEPS: usize = 2_000;

/// What roots, quotients and sums in another order may change, of the largest result.
const TOLERANCE: f32 = 1e-5;

/// Programs that store an array for every work-item: only one work-item of a group may execute what stands
/// outside of all loops.
const NEED_EVERY_DIMENSION: [&str; 2] = ["thrice", "thrice_in_trees"];
const REFUSAL: &str = "all work-items of that dimension would make it";

/// Programs that PoCL 3.1 computes wrongly where work-items of a group have nothing to do in a dimension,
/// unless it is told to replicate work-items (`POCL_WORK_GROUP_METHOD=workitemrepl`).
const WRONG_ON_POCL: [&str; 2] = ["partial_dot", "atax_low"];

/// A program with the launches that it has on a device.
fn launched(program: &Program, number: usize, device: &Device) -> Vec<Program> {
    let count = if is_simulated(device) { LAUNCHES_SIMULATED } else { LAUNCHES_ELSEWHERE };
    let chosen = |position: &usize| (position + number * count) % LAUNCHES.len() < count;
    let launches = (0..LAUNCHES.len()).filter(chosen).map(|position| LAUNCHES[position]);
    let stated = launches.map(|(local, global)| {
        let global = global.map(|items| items.map(|count| Nat::constant(count.into())));
        let launch =
            Launch { local: Some(local), global, pinning: Pinning::Pinned, source: program.body.source };
        Program { launches: vec![launch], ..program.clone() }
    });
    [program.clone()].into_iter().chain(stated).collect()
}

/// Whether a launch has work-items in other dimensions than the first.
fn is_wide(program: &Program) -> bool {
    let local = program.launch(0).and_then(|launch| launch.local);
    local.is_some_and(|[_, y, z]| y * z > 1)
}

/// Compares a program with its meaning at some of the sizes that it accepts, different ones for every launch.
fn check(program: &Program, number: usize, device: &Device) -> Result<(), String> {
    let sizes = admissible(program, MOST_STEPS);
    let count = if is_simulated(device) { SIZES_PER_LAUNCH_SIMULATED } else { SIZES_PER_LAUNCH };
    let mut next = number;
    for launched in launched(program, number, device) {
        if is_wide(&launched) && WRONG_ON_POCL.contains(&program.name.as_str()) && !is_simulated(device) {
            continue;
        }
        // A prime leads to all of them, and soon to small and large ones.
        let mut pick = || {
            next += 7919;
            sizes.get(next % sizes.len().max(1)).cloned()
        };
        let picked = (0..count).map(|_| pick()).collect::<Option<Vec<_>>>();
        let picked = picked.ok_or("no size is accepted")?;
        let refused = is_wide(&launched) && NEED_EVERY_DIMENSION.contains(&program.name.as_str());
        match compare(&launched, &picked, TOLERANCE, Target::opencl(device)) {
            Ok(()) if !refused => {}
            Err(error) if refused && error.contains(REFUSAL) => {}
            Ok(()) => return Err(format!("{:?}: is not refused", launched.launches)),
            Err(error) => return Err(format!("{:?}: {error}", launched.launches)),
        }
    }
    Ok(())
}

/// Checks all programs of a topic. There must be at least `least`, so that none gets lost.
fn check_all(topic: Topic, least: usize) -> Result<(), String> {
    let device = random::opencl_device();
    let programs = kernels_of(topic)?;
    assert!(programs.len() >= least, "only {} programs", programs.len());
    let check = |(number, program): (usize, &Program)| {
        check(program, number, &device).map_err(|error| format!("`{}`, {error}", program.name))
    };
    programs.iter().enumerate().try_for_each(check)
}

macro_rules! launches {
    ($($(#[$attribute:meta])* $name:ident: $count:literal of $topic:path;)*) => {$(
        $(#[$attribute])*
        #[test]
        fn $name() -> Result<(), String> {
            check_all($topic, $count)
        }
    )*};
}

launches! {
    programs_with_all_primitives_have_any_launch: 10 of programs::ALGORITHMS;
    matrix_products_in_blocks_have_any_launch: 3 of programs::BLOCKING;
    benchmarks_of_the_ir_have_any_launch: 11 of programs::BENCHMARKS_IR;
    forms_of_the_convolution_have_any_launch: 12 of programs::CONVOLUTION;
    programs_of_the_language_have_any_launch: 10 of language::LANGUAGE;
    matrix_vector_products_have_any_launch: 9 of programs::LINEAR_ALGEBRA;
    programs_over_triangles_have_any_launch: 30 of programs::POSITIONS;
    matrix_products_have_any_launch: 8 of programs::PRODUCTS;
    stencils_of_the_thesis_have_any_launch: 14 of programs::THESIS;
    reductions_have_any_launch: 12 of programs::REDUCTIONS;
    stencils_in_two_dimensions_have_any_launch: 10 of programs::STENCILS;
    stencils_in_three_dimensions_have_any_launch: 9 of programs::STENCILS3D;
}
