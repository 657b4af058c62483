//! Kernels as Rust: what generated host code calls, and how the host runs it.
//!
//! `lift!` prints one generic function of Rust for each kernel, from the same tree as the OpenCL C. A
//! function takes its [`Arguments`] by position, and calls `parallel` or `parallel2` with the body of its
//! outermost loop over work-items or work-groups. What operators and built-in functions mean is in
//! [`number`], one definition for every element type.
//!
//! Two rules hold here. Nothing reinterprets memory: an array is read and written as the type it was
//! allocated with. And generated code needs no `unsafe`: indices are checked, once for a whole [`window`] if
//! a loop runs over one.

mod arguments;
pub mod index;
pub(crate) mod instructions;
#[cfg(feature = "host")]
mod parallel;
mod shared;
mod strips;

pub use crate::number;
pub use arguments::{Arguments, Mismatch};
pub use instructions::{InstructionSet, instruction_set};
#[cfg(feature = "host")]
pub use parallel::{Body, Body2, parallel, parallel2};
pub use shared::{Cells, Shared, at, elements, memory, nearest, row, window, zero};
pub use strips::{Overlap, filled_strips, one_row, sliding, strips, strips_of_two_lengths, whole};

pub use crate::class::{Bits, Float, Integer, Number};
pub use crate::element::Element;
#[cfg(feature = "f16")]
pub use half::f16;

/// The positions of a part of a loop.
pub type Part = std::ops::Range<isize>;

pub(crate) use arguments::Bound;

/// A kernel on the host. It computes all work-items; their number follows from the sizes among its arguments.
/// It does nothing if its arguments are not what it asks for.
pub type Kernel = fn(&Arguments<'_>) -> Result<(), Mismatch>;

/// The number of threads that run kernels; `None` without the feature `host`.
pub(crate) fn threads() -> Option<usize> {
    #[cfg(feature = "host")]
    return Some(rayon::current_num_threads());
    #[cfg(not(feature = "host"))]
    None
}
