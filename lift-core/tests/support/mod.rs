//! Random well-typed programs.
//!
//! A program is a function of a sequence of choices: proptest shrinks the sequence, a seed makes one, and a sequence
//! that ends early goes on with zeros, which always choose the simplest alternative and therefore end.
//!
//! Programs are text in the syntax of the language, so that a failing one can be read and replayed. The generator
//! tracks every type with its actual lengths, and of every number how large it can become: single precision
//! numbers stay integers below 2^22, on which no order of evaluation and no contraction changes a result.
//! Integers may wrap.

mod applications;
mod chains;
mod choices;
mod computations;
mod layouts;
mod program;
mod reductions;
mod repetitions;
mod rows;
mod scalars;
mod stage;
mod typed;
mod types;

pub(crate) use applications::repeated_program;
pub(crate) use chains::chain_of_layouts;
pub(crate) use choices::Choices;
pub(crate) use program::{RandomProgram, Style, random_program};
pub(crate) use typed::typed;
