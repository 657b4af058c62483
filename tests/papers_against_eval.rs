//! The stencil programs of Hagedorn's thesis and of CGO 2018 compute on a device what the reference evaluator says.
//!
//! The kernels are those of `tests/programs.rs`, as they stand there, where plain loops say what they must compute. Here
//! nothing is known about them but their types: sizes are chosen, arguments made, and the result of the compiler is
//! compared with the meaning of the typed program.

mod common;
mod kernels;
mod random;

use common::{SHAPES, SIZES};
use kernels::{blocks, compare, kernels};
use lift_core::typed::{ParameterType, Program};
use lift_runtime::Device;

/// The program text in which the kernels are written.
const PROGRAMS: &str = include_str!("programs.rs");

/// Kernels whose square roots OpenCL rounds as it likes, and by how much, relative to the largest result.
const ROUNDED: [&str; 2] = ["sobel_magnitude", "sobel"];
const TOLERANCE: f32 = 1e-6;

/// Sizes of triangles.
const SMALL: [usize; 6] = [1, 2, 3, 7, 33, 64];

/// The sizes to try, one for each of a kernel's size variables.
fn assignments(kernel: &Program) -> Vec<Vec<usize>> {
    let mut assignments: Vec<Vec<usize>> = match kernel.sizes.len() {
        0 => vec![Vec::new()],
        // The evaluator takes its time over the elements of a large triangle.
        1 if holds_triangles(kernel) => SMALL.map(|n| vec![n]).to_vec(),
        1 => SIZES.map(|n| vec![n]).to_vec(),
        _ => SHAPES.map(|(rows, columns)| vec![rows, columns]).to_vec(),
    };
    let large_enough =
        |sizes: &[usize]| kernel.sizes.iter().zip(sizes).all(|(size, value)| *value as u64 >= size.minimum);
    assignments.retain(|sizes| large_enough(sizes));
    assignments
}

/// Whether a kernel takes or makes position-dependent arrays.
fn holds_triangles(kernel: &Program) -> bool {
    let parameters = kernel.parameters.iter().any(|parameter| match &parameter.ty {
        ParameterType::Value(ty) => ty.is_position_dependent(),
        ParameterType::Size(_) => false,
    });
    parameters || kernel.body.ty.is_position_dependent()
}

/// Compares a kernel with its meaning at every size.
fn check(kernel: &Program, device: &Device) -> Result<(), String> {
    let tolerance = if ROUNDED.contains(&kernel.name.as_str()) { TOLERANCE } else { 0.0 };
    compare(kernel, &assignments(kernel), tolerance, device)
}

fn check_all(kernels: &[Program]) -> Result<(), String> {
    let device = random::opencl_device();
    kernels
        .iter()
        .try_for_each(|kernel| check(kernel, &device).map_err(|error| format!("`{}`: {error}", kernel.name)))
}

#[test]
fn the_kernels_of_the_papers_compute_what_they_mean() -> Result<(), String> {
    let items = blocks(PROGRAMS).into_iter().next().ok_or("no `lift!` with items")?;
    let kernels = kernels(items)?;
    // A kernel that is added there is checked here; none may get lost.
    let names: Vec<_> = kernels.iter().map(|kernel| kernel.name.as_str()).collect();
    for name in ["founding", "heat", "convolve_wrap", "jacobi9", "game_of_life", "gaussian3", "sobel"] {
        assert!(names.contains(&name), "`{name}` is not among {names:?}");
    }
    check_all(&kernels)
}

#[test]
fn the_figures_of_padding_and_sliding_in_two_dimensions_mean_what_they_show() -> Result<(), String> {
    for text in [
        "|a: [[f32; M]; N]| pad2d(1, 2, 1, 2, clamp, wrap, a)",
        "|a: [[f32; M]; N]| a >> pad(1, 2, clamp) >> transpose >> pad(1, 2, wrap) >> transpose",
        "|a: [[f32; M]; N]| slide2d(2, 1, 2, 1, a)",
        "|a: [[f32; M]; N]| a >> slide(2, 1) >> map(|rows| rows >> transpose >> slide(2, 1) >> map(transpose))",
    ] {
        check_all(&kernels(text)?).map_err(|error| format!("{text}\n{error}"))?;
    }
    Ok(())
}

#[test]
fn position_dependent_arrays_compute_what_they_mean() -> Result<(), String> {
    for text in [
        "|m: [i => [f32; i + 1]; N], v: [f32; N]| m >> map(|row| zip(row, slice(0, len(row), v)) >> map(mult) >> reduce(max, 0))",
        "|m: [i => [f32; i + 1]; N], v: [f32; N]| m >> map(|row| zip(padConstant(0, N - len(row), 0, row), v) >> map(add))",
        "|u: [i => [f32; N - i]; N]| u >> reverse >> map(map(|x| x + 1))",
        "|u: [i => [f32; N - i]; N]| u >> slice(0, N) >> map(reverse) >> join",
        "|u: [i => [f32; N - i]; N]| u >> map(map(|x| x * 2)) >> join >> map(|x| x + 1)",
        "|m: [i => [f32; i + 1]; N]| m >> map(reverse) >> join >> map(|x| (x, x)) >> map(|(x, y)| x - y * 3)",
        "|a: [f32; N]| generate(N, |i| slice(i / 2, i + 1 - i / 2, a)) >> map(scanInclusive(max))",
        "|b: [i => [f32; min(i + 3, N) - max(i - 2, 0)]; N]| b >> map(|row| row >> map(|x| x + len(row) as f32))",
        "|m: [i => [j => [f32; i + j + 1]; i + 1]; 9]| m >> map(map(reduce(max, 0)))",
        "|m: [i => [j => [f32; i + j + 1]; i % 3]; 7]| m >> map(join) >> join >> map(|x| x * 2)",
        "|m: [[i => [f32; i + 1]; 5]; N]| m >> join >> map(map(|x| x + 1))",
        "|m: [i => [f32; if i % 2 == 0 { 3 } else { 1 }]; N]| m >> map(reverse) >> join",
        "|m: [i => [f32; if i < 4 || i > 9 { 2 } else { i }]; 20]| m >> map(map(|x| x - 1)) >> join",
    ] {
        check_all(&kernels(text)?).map_err(|error| format!("{text}\n{error}"))?;
    }
    Ok(())
}
