//! The kernels of programs and the messages for mistakes, as people read them, and the language reference.
//! Needs no device.

#[allow(dead_code, unused_imports, reason = "only some kinds of random programs are made here")]
#[path = "../../lift-core/tests/support/mod.rs"]
mod generator;
mod kernel_texts;
#[path = "../kernels/mod.rs"]
mod kernels;
mod papers_golden;
mod reference;
mod ui;
