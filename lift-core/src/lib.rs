//! The compiler behind `lift!`: from a parsed program to OpenCL kernels and the facts needed to launch them.
//!
//! This crate is an implementation detail of the crate `lift` and exempt from semantic versioning. It knows no tokens, no
//! OpenCL library and no files; it is a function from programs to text.
//!
//! The pipeline, in the order of the modules below. Every stage has its own types and looks only at earlier ones:
//!
//! ```text
//! syntax --types::infer--> typed --boundary--> typed --lower--> typed --check--> codegen(memory, view) --> kernel
//!     --refine, barrier--> kernel --print--> OpenCL C
//!     --host--> steps --print--> Rust
//! typed --eval--> values (the oracle of all tests)
//! typed, kernel --work--> formulas of loads and operations
//! ```

#![forbid(unsafe_code)]
// `clippy.toml` lists files, the environment, clocks and whatever else is outside.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod compiled;
pub mod diagnostic;
pub mod options;
pub mod scalar;
pub mod source;

pub mod syntax;

pub mod nat;

pub mod primitive;
pub mod typed;
pub mod types;

pub mod eval;

pub mod barrier;
pub mod boundary;
pub mod check;
pub mod codegen;
pub mod host;
pub mod kernel;
pub mod lower;
pub mod memory;
pub mod print;
mod refine;
pub mod view;
pub mod work;

mod compile;
mod extent;
mod representable;

pub use compile::{compile, compile_with};
