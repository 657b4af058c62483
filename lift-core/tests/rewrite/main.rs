//! Properties of rewrite rules: each keeps the meaning of the programs that it applies to.

mod checked;
mod derived;
mod instances;
mod law;
mod lowered;
mod normal_forms;
mod notation;
mod same_up_to_names;
mod schedule;
mod sequences;
mod sizes;
mod strategies;
mod strict;
#[path = "../support/mod.rs"]
mod support;
mod values;
