//! Properties of rewrite rules: each keeps the meaning of the programs that it applies to.

mod instances;
mod law;
mod values;

#[path = "../support/typed.rs"]
mod typed;
