//! Kernels from program text, run on a device and compared with what they mean.

pub(crate) mod arguments;
mod compare;
pub(crate) mod text;

pub(crate) use compare::compare;
#[allow(unused_imports, reason = "each test program uses its own part of this module")]
pub(crate) use text::{blocks, kernels, render};
