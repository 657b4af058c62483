//! Random well-typed programs.
//!
//! A program is a function of a sequence of choices: proptest shrinks the sequence, a seed makes one, and a
//! sequence that ends early goes on with zeros, which always choose the simplest alternative and therefore
//! end.
//!
//! Programs are text in the syntax of the language, so that a failing one can be read and replayed. The
//! generator tracks every type with its actual lengths, and of every number how large it can become: floats
//! that are added or multiplied are integers below 2^22, on which no order of evaluation and no contraction
//! changes a result. Others may be anything, also infinite or NaN, and are only compared, chosen from, and
//! converted. Integers may wrap.

#![allow(dead_code, unused_imports, reason = "each test program uses its own part of the generator")]

mod accumulators;
mod applications;
mod arguments;
mod branches;
mod chains;
mod choices;
mod computations;
mod conversions;
mod groups;
mod layouts;
mod orders;
mod program;
mod reductions;
mod repetitions;
mod rows;
mod scalars;
mod stage;
mod staged;
mod tables;
mod truth;
mod typed;
mod types;

pub(crate) use applications::repeated_program;
pub(crate) use choices::Choices;
pub(crate) use orders::order_program;
pub(crate) use program::{RandomProgram, Style, random_program};
pub(crate) use typed::{typed, typed_kernel, with_needs};
pub(crate) use {chains::chain_of_layouts, groups::group_program, staged::staged_program};
