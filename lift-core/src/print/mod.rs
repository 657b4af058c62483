//! Kernels to text.

mod expression;
mod index;
mod literal;
mod opencl;
mod preamble;
mod vector;

pub use opencl::{print_opencl, stored_buffers};
