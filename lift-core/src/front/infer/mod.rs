//! Type inference and elaboration: from what the user wrote to the typed program.
//!
//! Assumes a parsed program; guarantees what [`crate::ir::typed`] promises, or reports every independent
//! mistake.
//!
//! Inference is bidirectional along applications: `f(a)(b)`, `b >> f(a)` and `f(a, b)` are one saturated
//! call, its data is typed first, and a function that a primitive takes is typed when its parameter types are
//! known. What is left open (element types and lengths of free variables) is unified (`unknowns`), with sizes
//! compared and solved by the algebra of [`crate::ir::nat`]. Functions are values only here: they are inlined
//! or become a [`typed::Lambda`] under the primitive that takes them.
//!
//! The files, in the order of reading:
//!
//! - What is exchanged: `environment` (what names mean), `unknowns` (what is not known yet), `need` (what
//!   must hold of sizes, and why), `captures` and `item_table` (what a program may use besides its own
//!   names), `error` (everything that can be wrong, as data, with its sentences). `inference` is the state
//!   of typing one program.
//! - The forms of the language: `expression`, `pattern`, `annotation`; `operator`, `builtin`, `cast` and
//!   `conditional` on scalars (`scalar`) and vectors (`vector`); `size`. Calls are in `application`
//!   (`arity`), those of Rust's methods on integers in `integer_methods`, pipelines in `pipe`, functions that
//!   a primitive applies in `lambda`.
//! - `primitives` reads the arguments of each primitive, makes its function, and says what is wrong. The
//!   types themselves, and what they need of sizes, are those of [`typed::result`]; `judge` is how inference
//!   answers what these rules leave open. `prelude` has the primitives that are compositions of others.
//! - What is known of sizes: `constraint` decides needs, `assumption` adds what is known of a position or
//!   below an `if`, `clauses` what the user states. `snapshot` goes back where something was only tried.
//! - What the program hands on to later stages: `attributes`, `launch`, `tune`.
//! - Mistakes: `report` completes one with its surroundings, `diagnosis` finds out what was perhaps meant,
//!   from the names of the language and those in `similar` and `other_languages`.
//! - `generics` has the types that items declare.
//! - `constants` computes those among items, and `paths` has those of Rust.
//! - The ways in are `items` and `closures` (`free_names`, `rust_variables`, `places`); the way out is
//!   `generalise`.
//!
//! No two files use each other: a rule that needs another one calls it as a method of `Inference`.

use crate::diagnostic::Diagnostic;
use crate::front::syntax;
use crate::ir::typed;

mod annotation;
mod application;
mod arity;
mod assumption;
mod attributes;
mod builtin;
mod captures;
mod cast;
mod clauses;
mod closures;
mod conditional;
mod constants;
mod constraint;
mod dependencies;
mod diagnosis;
mod environment;
mod error;
mod expression;
mod free_names;
mod generalise;
mod generics;
mod inference;
mod integer_methods;
mod item_table;
mod items;
mod judge;
mod lambda;
mod launch;
mod need;
mod operator;
mod other_languages;
mod paths;
mod pattern;
mod pipe;
mod places;
mod prelude;
mod primitives;
mod report;
mod rust_variables;
mod scalar;
mod schedule;
mod shift;
mod size;
mod snapshot;
mod strict;
mod tune;
mod unknowns;
mod vector;

pub use constants::{Constant, Value};
pub use items::Items;

/// Types an inline expression: its free variables are Rust variables, and become parameters in the order of
/// their first use.
pub fn infer_inline(expr: &syntax::Expr) -> Result<typed::Program, Vec<Diagnostic>> {
    closures::infer_inline(expr).map_err(|errors| error::diagnostics(&errors))
}

/// Types a closure: its parameters come first, then the Rust variables it captures.
pub fn infer_closure(expr: &syntax::Expr) -> Result<typed::Program, Vec<Diagnostic>> {
    closures::infer_closure(expr).map_err(|errors| error::diagnostics(&errors))
}

/// Types items, in any order.
pub fn infer_items(items: &syntax::Items) -> Result<Items, Vec<Diagnostic>> {
    items::infer_items(items).map_err(|errors| error::diagnostics(&errors))
}

/// The constants among items, in the order of the text; `None` where one has a mistake.
pub fn infer_constants(items: &syntax::Items) -> Vec<Option<Constant>> {
    constants::evaluate(items).values
}
