//! The programs of the benchmarks compute what they mean at the smallest sizes and at sizes that no
//! work-group divides, as far as their constraints allow them: the benchmarks themselves have one large size
//! each.

use std::collections::BTreeSet;

use crate::common::is_simulated;
use crate::compare::compare;
use crate::kernels::kernels_of;
use crate::random::{self, Target};
use crate::sizes::admissible;
use lift_corpus::{Topic, benchmarks};

/// How many sizes are tried of those a program accepts, from the smallest on; and about how many steps it may
/// take.
const SIZES: usize = 3;
const MOST_STEPS: usize = 1_500;
/// The same on a simulator, where some forms of a few hundred elements take seconds.
const MOST_STEPS_SIMULATED: usize = 400;

/// What roots, quotients and sums in another order may change, of the largest result.
const TOLERANCE: f32 = 1e-5;

/// Programs that are only for sizes over which the evaluator takes its time.
const LARGE: [&str; 3] = ["dot_chunks", "dot_strided", "atax_one_pass"];

/// Some sizes of a list, its first and last among them.
fn spread(sizes: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let last = sizes.len().saturating_sub(1);
    let positions: BTreeSet<usize> = (0..SIZES).map(|turn| turn * last / (SIZES - 1)).collect();
    positions.into_iter().filter_map(|position| sizes.get(position).cloned()).collect()
}

/// Checks all programs of a topic. There must be at least `least`, so that none gets lost.
fn check_all(topic: Topic, least: usize) -> Result<(), String> {
    let device = random::opencl_device();
    let programs = kernels_of(topic)?;
    assert!(programs.len() >= least, "only {} programs", programs.len());
    let most_steps = if is_simulated(&device) { MOST_STEPS_SIMULATED } else { MOST_STEPS };
    for program in programs.iter().filter(|program| !LARGE.contains(&program.name.as_str())) {
        let sizes = spread(&admissible(program, most_steps));
        assert!(!sizes.is_empty(), "`{}` accepts no size", program.name);
        compare(program, &sizes, TOLERANCE, Target::opencl(&device))
            .map_err(|error| format!("`{}`, {error}", program.name))?;
    }
    Ok(())
}

macro_rules! benchmarks {
    ($($name:ident: $count:literal of $topic:path;)*) => {$(
        #[test]
        fn $name() -> Result<(), String> {
            check_all($topic, $count)
        }
    )*};
}

benchmarks! {
    convolutions_have_any_size: 3 of benchmarks::CONVOLUTION;
    dot_products_have_any_size: 3 of benchmarks::DOT;
    jacobi_stencils_have_any_size: 6 of benchmarks::JACOBI;
    matrix_products_have_any_size: 2 of benchmarks::MATRIX_PRODUCT;
    matrix_vector_products_have_any_size: 3 of benchmarks::MATRIX_VECTOR;
    bodies_come_in_any_number: 1 of benchmarks::NBODY;
    products_with_both_matrices_have_any_size: 3 of benchmarks::NORMAL_PRODUCT;
    separated_convolutions_have_any_size: 7 of benchmarks::SEPARATED;
    products_with_several_vectors_have_any_size: 1 of benchmarks::RIGHT_HAND_SIDES;
    rows_and_columns_come_in_any_number: 11 of benchmarks::ROWS_AND_COLUMNS;
    stages_have_any_size: 5 of benchmarks::STAGES;
    stencils_have_any_size: 2 of benchmarks::STENCILS;
    element_wise_programs_have_any_size: 3 of benchmarks::ELEMENT_WISE;
    transpositions_have_any_size: 2 of benchmarks::TRANSPOSE;
    prefix_sums_have_any_size: 1 of benchmarks::SCAN;
    triangular_products_have_any_size: 3 of benchmarks::TRIANGULAR;
}
