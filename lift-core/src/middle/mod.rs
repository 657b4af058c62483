//! From a typed program to code: everything that is decided before it matters what executes it.
//!
//! - [`rewrite`] has the rules and strategies by which a program that says what is computed becomes one that
//!   says how;
//! - `laws` knows which operators need not be applied in program order;
//! - `stated` builds expressions whose types are stated and not proved;
//! - [`tuples`] takes the tuples apart that cross the boundary of a kernel;
//! - [`lower`] decides what the user left open: who computes what, and what is stored;
//! - [`check`] refuses what the thread hierarchy and the memories cannot do;
//! - [`view`] says where an element of an expression is, and [`memory`] what is stored and where;
//! - [`codegen`] makes the code of kernels, in which every parallel loop has all its iterations. It knows no
//!   launch.

pub mod check;
pub mod codegen;
mod laws;
pub mod lower;
pub mod memory;
pub mod rewrite;
mod stated;
pub mod tuples;
pub mod view;
