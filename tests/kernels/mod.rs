//! Kernels from program text: of one program, or of all of a topic of the corpus.

pub(crate) mod text;

#[allow(unused_imports, reason = "each test program uses its own part of this module")]
pub(crate) use text::{kernels, kernels_of, render};
