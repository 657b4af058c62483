//! Symbolic integers: the algebra of sizes and indices.
mod bounds;
mod condition;
mod construct;
mod display;
mod division;
mod evaluate;
mod expression;
mod facts;
mod prove;
mod ranges;
mod simplify;
mod solve;
mod sums;
mod variable;

pub use condition::Condition;
pub use evaluate::Substitution;
pub use expression::{Atom, Nat, Term};
pub use ranges::Ranges;
pub use solve::{Requirement, Solution, is_monotone, solve};
pub use variable::{Var, Vars};

#[cfg(test)]
mod tests;
