//! Sizes for programs that only name their lengths, and how exact their results are.

use lift_core::ir::typed::{ParameterType, Program};

use crate::common::{SHAPES, SIZES};

/// Kernels whose square roots OpenCL rounds as it likes, and by how much, relative to the largest result.
const ROUNDED: [&str; 2] = ["sobel_magnitude", "sobel"];
const TOLERANCE: f32 = 1e-6;

/// Sizes of triangles.
const SMALL: [usize; 6] = [1, 2, 3, 7, 33, 64];

/// The sizes to try, one for each of a kernel's size variables.
pub(crate) fn assignments(kernel: &Program) -> Vec<Vec<usize>> {
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

/// How far the numbers that a kernel computes may be off.
pub(crate) fn tolerance(kernel: &Program) -> f32 {
    if ROUNDED.contains(&kernel.name.as_str()) { TOLERANCE } else { 0.0 }
}
