//! Prints kernels as text.

mod c;
pub(crate) mod extent;
mod index;
mod problem;
mod rust;
mod text;

use crate::ir::kernel::Module;
use crate::ir::nat::Ranges;
use crate::ir::scalar::TypeParameter;
use crate::ir::typed::Program;
pub(crate) use c::{OpenCl, RESERVED, print_c};
use extent::Extents;
pub(crate) use problem::Problem;

pub use rust::HostCode;
pub(crate) use rust::print_rust;

/// The OpenCL C of a module between two passes, for people who inspect the passes. `None` where OpenCL C
/// cannot express it yet.
pub fn print_unfinished(module: &Module, program: &Program) -> Option<String> {
    let interface = Interface { type_parameters: &program.type_parameters, ranges: &program.ranges() };
    print_c(&OpenCl, module, &interface, &mut Extents::new(program)).ok()
}

/// The interface of a program.
pub(crate) struct Interface<'p> {
    /// The open element types.
    pub(crate) type_parameters: &'p [TypeParameter],
    /// What is known about sizes.
    pub(crate) ranges: &'p Ranges,
}
