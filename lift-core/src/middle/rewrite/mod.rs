//! Rewriting: from what is computed to how, in steps that keep the meaning.
//!
//! Input: a typed program. Output: typed programs that compute the same, what they need of sizes beyond it,
//! and how they were made. Optimisation as a sequence of rewrite rules is the idea of Lift (Steuwer, Fensch,
//! Lindley, Dubach, *Generating performance portable code using rewrite rules*, ICFP 2015); strategies, which
//! say where rules are applied, are those of ELEVATE (Hagedorn et al., ICFP 2020).
//!
//! - [`rule`]: what a rule is; [`rules`]: the rules, by what they are about, and the table of all;
//! - [`strategy`]: what is applied where, as data; [`pattern`]: the forms that strategies look for;
//!   [`normal`]: normal forms; [`strategies`]: the strategies that have names; [`schedule`]: the names that
//!   users write;
//! - `lift`: functions on scalars as functions on vectors, for rules;
//! - `recognise`: what several rules ask about expressions;
//! - [`rewriter`]: applies them; [`mismatch`] and [`failure`]: why a rule and a strategy do not apply;
//! - [`derivation`]: what was applied; `replay`: applies it again; [`notation`]: reads it from text.

pub mod derivation;
pub mod failure;
mod lift;
pub mod mismatch;
pub mod normal;
pub mod notation;
pub mod pattern;
mod recognise;
mod replay;
pub mod rewriter;
pub mod rule;
pub mod rules;
pub mod schedule;
pub mod strategies;
pub mod strategy;

pub use derivation::{Derivation, Step};
pub use failure::Failure;
pub use mismatch::Mismatch;
pub use normal::Normal;
pub use notation::{Unreadable, read_derivation, read_step};
pub use pattern::Pattern;
pub use rewriter::{Rewriter, Rewritten};
pub use rule::{Argument, Kind, Redex, Rule};
pub use strategies::NamedStrategy;
pub use strategy::Strategy;
