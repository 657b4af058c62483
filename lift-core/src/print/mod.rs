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

use crate::ir::kernel::Module;
use crate::ir::nat::Ranges;
use crate::ir::scalar::TypeParameter;
use crate::ir::typed::Program;
use extent::Extents;
pub(crate) use opencl::print_opencl;
pub(crate) use problem::Problem;

pub use rust::HostCode;
pub(crate) use rust::print_rust;

/// The OpenCL C of a module between two passes, for who looks at the passes; `None` where it says nothing in OpenCL C yet.
pub fn print_unfinished(module: &Module, program: &Program) -> Option<String> {
    let interface = Interface { type_parameters: &program.type_parameters, ranges: &program.ranges() };
    print_opencl(module, &interface, &mut Extents::new(program)).ok()
}

/// What a program looks like from outside.
pub(crate) struct Interface<'p> {
    /// The element types that are left open.
    pub(crate) type_parameters: &'p [TypeParameter],
    /// What is known of sizes.
    pub(crate) ranges: &'p Ranges,
}
