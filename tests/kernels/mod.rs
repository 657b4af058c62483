//! Kernels from program text: of one program, or of all that stand in a file of tests.

pub(crate) mod text;

#[allow(unused_imports, reason = "each test program uses its own part of this module")]
pub(crate) use text::{blocks, kernels, render};
