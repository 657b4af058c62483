//! What the programs of a Rust file become, for people: types, rewriting, kernels, launches, work.
//!
//! Input: the text of a Rust file, which is not compiled, and a [`Request`]. Output: a [`Report`], text that
//! depends on nothing else. What is explained is what `lift!` expands: the same parser and the same compiler
//! are asked.
//!
//! ```text
//! invocation     a file --> the `lift!`s in it
//! program        a `lift!` --> typed programs, or mistakes
//! derivation     a program and steps --> the programs behind the steps, or why one does not apply
//! kernels        a compiled program --> kernels, launches, conditions
//! cost           work and memory as formulas
//! explanation    all that is known of one program, as data
//! sections       the same in sentences
//! text, html     sections --> text for a terminal, a page
//! json           explanations --> data for other programs
//! passes         kernels after each pass of the compiler, and how long passes take
//! ```
//!
//! `arguments` reads the command line, `report` goes from a request to what is printed, and `main.rs` is the
//! only part that knows files, the environment and the terminal.

#![forbid(unsafe_code)]

mod arguments;
mod colour;
mod cost;
mod derivation;
mod document;
mod explanation;
mod forms;
mod html;
mod invocation;
mod json;
mod kernels;
mod mistake;
mod passes;
mod program;
mod report;
mod sections;
mod text;

pub use arguments::{ArgumentError, Extras, Form, Request, USAGE, Wanted, read};
pub use colour::Colour;
pub use document::Document;
pub use report::{Refusal, Report, report, rules, strategies};
