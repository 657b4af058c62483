//! Whole programs, those of the papers and those that users write first, through the macro, on the default
//! device, against plain loops.

mod accumulators;
mod algorithms;
mod benchmarks_ir;
mod bits;
mod blocking;
#[path = "../common/mod.rs"]
mod common;
mod convolution;
mod data_driven;
mod early_end;
mod high_level;
mod linear_algebra;
mod photograph;
mod pipelined;
mod positions;
mod products;
mod recurrences;
mod reductions;
mod solvers;
mod stencils;
mod stencils3d;
mod stored_arrays;
mod thesis;

/// The text of the plain form, the last one of a program.
fn plain_form(source: &str) -> &str {
    source.rsplit_once("// The form `plain`").map_or(source, |(_, plain)| plain)
}
