//! Kernels to text.

mod c_index;
mod expression;
mod index;
mod literal;
mod opencl;
mod preamble;
mod rust;
mod text;
mod vector;

pub(crate) use index::Problem;
pub(crate) use opencl::print_opencl;
pub use rust::HostCode;
pub(crate) use rust::{Interface, print_rust};
