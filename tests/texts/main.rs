//! The kernels of programs and the messages for mistakes, as people read them, and the language reference.
//! Needs no device.

#[path = "../../lift-core/tests/support/mod.rs"]
mod generator;
mod kernel_texts;
#[path = "../kernels/mod.rs"]
mod kernels;
mod papers_golden;
mod reference;
mod ui;
