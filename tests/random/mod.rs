//! Compiles a program at run time and runs it on a device: what the macro does at build time, for programs that no
//! build has seen.

mod launch;
mod leak;

pub(crate) use launch::{Found, run, shape};
pub(crate) use leak::program_from;
