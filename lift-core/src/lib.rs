//! The compiler behind `lift!`: from a parsed program to OpenCL kernels and the facts needed to launch them.
//!
//! This crate is an implementation detail of the crate `lift` and exempt from semantic versioning. It knows
//! no tokens, no OpenCL library and no files; it is a function from programs to text.
//!
//! [`compile`](compile()) calls one stage after the other, in the order of the folders. A stage has its own
//! types and uses only `ir` and earlier stages:
//!
//! ```text
//! front    syntax --infer--> typed program
//! middle   typed --tuples, lower--> typed --check--> --codegen (view, memory)--> code: every loop is whole
//! device   code --launch, passes (barriers among them)--> kernels, divided among work-items
//! host     code --plan--> tasks, divided among threads
//! print    kernels --> OpenCL C,  tasks --> Rust
//! ```
//!
//! `ir` has the data that the stages exchange: sizes, types, the typed program, the kernel tree. Two modules
//! are for tests: `eval` defines the meaning of a typed program, and `work` counts loads and operations as
//! formulas.

#![forbid(unsafe_code)]
// `clippy.toml` lists files, the environment, clocks and other outside things.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod diagnostic;
pub mod flat;
pub mod options;
mod similar;
pub mod threads;

pub mod ir;

pub mod front;
pub mod middle;

pub mod device;
pub mod host;

pub mod print;

pub mod compiled;

pub mod eval;
pub mod work;

mod compile;
mod forms;

pub use compile::{
    Choice, LowLevel, Made, Stages, choice, compile, compile_each, compile_observed, compile_on,
    compile_with, low_level, stages,
};
pub use forms::{Class, LeftOut, Reason};
