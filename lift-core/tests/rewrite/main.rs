//! Properties of rewrite rules: each keeps the meaning of the programs that it applies to.

mod checked;
mod instances;
mod law;
mod lowered;
mod normal_forms;
mod notation;
mod schedule;
mod sequences;
mod sizes;
mod strategies;
#[path = "../support/mod.rs"]
mod support;
mod values;
