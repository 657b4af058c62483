//! Kernels to text.

mod c_index;
mod expression;
pub(crate) mod extent;
mod index;
mod literal;
mod opencl;
mod preamble;
mod problem;
mod rust;
mod text;
mod vector;

use crate::ir::nat::Ranges;
use crate::ir::scalar::TypeParameter;
pub(crate) use opencl::print_opencl;
pub(crate) use problem::Problem;

pub use rust::HostCode;
pub(crate) use rust::print_rust;

/// What a program looks like from outside.
pub(crate) struct Interface<'p> {
    /// The element types that are left open.
    pub(crate) type_parameters: &'p [TypeParameter],
    /// What is known of sizes.
    pub(crate) ranges: &'p Ranges,
}
