//! The typing rules: the type of every form of expression, given the types of its parts, and what it needs of
//! sizes.
//!
//! This is the one place that knows them. Inference asks it for the formulas, and adds unknowns and messages.
//! Rewriting builds expressions by it ([`Build`](super::build::Build)), and the checker of whole programs
//! ([`check`](super::check)) compares it with the types that nodes state.
//!
//! What comes in are forms with typed parts. What goes out is a type, or a [`Mismatch`]: data, without words.
//! A rule demands everything that makes its result right; a [`Judge`] proves that, solves it, or collects it.
//!
//! - `judge`: what the rules ask, and what they answer;
//! - `prover`: the judge of complete types;
//! - `expression`: the exhaustive match over all forms;
//! - `array`, `branches`, `layout`, `positions`, `scalar`: the rules, by what they are about;
//! - `words`: a mismatch in a sentence, for whoever has nothing better to say.

pub mod array;
mod branches;
mod expression;
mod judge;
mod layout;
pub mod positions;
mod prover;
pub mod scalar;
mod words;

pub use branches::type_of_branches;
pub use judge::{Arguments, Judge, Kind, Mismatch, Need, Purpose};
pub use layout::repeats_element;
pub use prover::{Demand, Outside, Prover};
