//! The stencil programs of Hagedorn's thesis and of CGO 2018 compute on a device what the reference evaluator
//! says.
//!
//! Plain loops say in `tests/programs/thesis.rs` what the same kernels must compute. Here nothing is known
//! about them but their types: sizes are chosen, arguments made, and the result of the compiler is compared
//! with the meaning of the typed program.

use crate::assignments::{assignments, tolerance};
use crate::compare::compare;
use crate::kernels::{kernels, kernels_of};
use crate::random::{self, Target};
use lift_core::ir::typed::Program;
use lift_corpus::lists::{FIGURES, POSITION_DEPENDENT};
use lift_corpus::programs;
use lift_runtime::Device;

/// Compares a kernel with its meaning at every size.
fn check(kernel: &Program, device: &Device) -> Result<(), String> {
    compare(kernel, &assignments(kernel), tolerance(kernel), Target::opencl(device))
}

fn check_all(kernels: &[Program]) -> Result<(), String> {
    let device = random::opencl_device();
    kernels
        .iter()
        .try_for_each(|kernel| check(kernel, &device).map_err(|error| format!("`{}`: {error}", kernel.name)))
}

#[test]
fn the_kernels_of_the_papers_compute_what_they_mean() -> Result<(), String> {
    let kernels = kernels_of(programs::THESIS)?;
    // A kernel that is added there is checked here; none may get lost.
    let names: Vec<_> = kernels.iter().map(|kernel| kernel.name.as_str()).collect();
    for name in ["founding", "heat", "convolve_wrap", "jacobi9", "game_of_life", "gaussian3", "sobel"] {
        assert!(names.contains(&name), "`{name}` is not among {names:?}");
    }
    check_all(&kernels)
}

#[test]
fn the_figures_of_padding_and_sliding_in_two_dimensions_mean_what_they_show() -> Result<(), String> {
    for text in FIGURES {
        check_all(&kernels(text)?).map_err(|error| format!("{text}\n{error}"))?;
    }
    Ok(())
}

#[test]
fn position_dependent_arrays_compute_what_they_mean() -> Result<(), String> {
    for text in POSITION_DEPENDENT {
        check_all(&kernels(text)?).map_err(|error| format!("{text}\n{error}"))?;
    }
    Ok(())
}
