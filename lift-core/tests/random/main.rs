//! Properties of random programs, as they are generated and with a token changed.

mod chains;
mod corrupted;
mod generated;
#[path = "../support/seed.rs"]
mod seed;
#[path = "../support/mod.rs"]
mod support;
