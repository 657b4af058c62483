//! The computations, a file for each or for some that belong together: inputs, meaning, hand-written kernels
//! and programs.

pub(crate) mod convolution;
pub(crate) mod dot;
pub(crate) mod element_wise;
pub(crate) mod jacobi;
pub(crate) mod matrix_product;
pub(crate) mod matrix_vector;
pub(crate) mod nbody;
pub(crate) mod normal_product;
pub(crate) mod right_hand_sides;
pub(crate) mod rows_and_columns;
pub(crate) mod scan;
pub(crate) mod separated;
pub(crate) mod stencils;
pub(crate) mod transpose;
pub(crate) mod triangular;

use crate::case::Input;

/// The input at a position; an empty one if there is none, so that what is computed from it is wrong.
fn input(inputs: &[Input], position: usize) -> &Input {
    const NONE: &Input = &Input { shape: Vec::new(), elements: Vec::new() };
    inputs.get(position).unwrap_or(NONE)
}

/// The elements of the input at a position.
fn elements(inputs: &[Input], position: usize) -> &[f32] {
    &input(inputs, position).elements
}

/// The dot product of two rows, as long as the shorter one.
fn dot_product(x: &[f32], y: &[f32]) -> f64 {
    x.iter().zip(y).map(|(&x, &y)| f64::from(x) * f64::from(y)).sum()
}

/// An index moved by an offset, kept within `0..length`.
fn clamped(index: usize, offset: isize, length: usize) -> usize {
    index.saturating_add_signed(offset).min(length - 1)
}
