//! From the kernel that says the right thing to the kernel that an expert would have written.
//!
//! Input: a kernel body as code generation produced it, with its launch sizes. Output: a body that does the same with less: fewer
//! names for one work-item, private arrays in registers, no copies between registers, local buffers that share memory.
//! Every pass stands alone and changes no value. All of them rely on names: a variable is declared once in a kernel, and code that is
//! copied gets new ones.
//!
//! - `shares`: a private array that the work-items of a group make together is divided among them;
//! - `shared`: where a kernel is for any launch, it lies in local memory;
//! - `gaps`: rows in buffers that `increase` gave room to move apart;
//! - `pipeline`: loads of the next step of a reduction are made before this one, where the user asks for it (before barriers are placed: tiles by turns
//!   need fewer);
//! - `reuse`: local buffers whose lives do not overlap share memory (before barriers are placed: they must see it);
//! - `temporaries`: temporaries of the launcher whose lives do not overlap share memory (after all kernels are complete);
//! - `workers`: loops in which every work-item has one step become straight code (CGO 2017, section 5.5);
//! - `interior`: code that reads beyond an edge is there twice, for groups at the border and for the others;
//! - `registers`: private arrays become scalar variables, the loops that index them are unrolled (CASES 2016, section 4);
//! - `branches`: branches assign what their results are copied to (before `copies`), neighbours with one condition are joined, and hold what only
//!   they need (after it);
//! - `copies`: variables that only carry a value to another variable vanish;
//! - `unroll`: the OpenCL compiler is asked to unroll innermost loops;
//! - `hoist`: what the indices of a block have in common gets a name.

mod branches;
mod copies;
mod gaps;
mod hoist;
mod interior;
mod pipeline;
mod registers;
mod reuse;
mod shared;
mod shares;
mod temporaries;
mod unroll;
mod workers;

pub(crate) use branches::{assign_in_branches, join_branches};
pub(crate) use copies::coalesce_copies;
pub(crate) use gaps::leave_gaps;
pub(crate) use hoist::name_common_indices;
pub(crate) use interior::{ask_for_comparisons, declare_inside, treat_interior_apart};
pub(crate) use pipeline::{Resources, load_behind_barriers, load_early};
pub(crate) use registers::keep_in_registers;
pub(crate) use reuse::reuse_local_memory;
pub(crate) use shared::share_in_local_memory;
pub(crate) use shares::divide_private_arrays;
pub(crate) use temporaries::share_temporaries;
pub(crate) use unroll::unroll_innermost;
pub(crate) use workers::{WorkerBounds, straighten};
