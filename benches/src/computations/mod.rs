//! The computations, a file for each: inputs, meaning, hand-written kernels and programs.

pub(crate) mod dot;
pub(crate) mod matrix_vector;
pub(crate) mod transpose;

use crate::case::Input;

/// The elements of the input at a position; none when there is no such input, so that what is computed from it is wrong.
fn elements(inputs: &[Input], position: usize) -> &[f32] {
    inputs.get(position).map(|input| input.elements.as_slice()).unwrap_or_default()
}

/// The dot product of two rows, exactly enough for any check.
fn dot_product(x: &[f32], y: &[f32]) -> f64 {
    x.iter().zip(y).map(|(&x, &y)| f64::from(x) * f64::from(y)).sum()
}
