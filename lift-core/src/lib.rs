//! The compiler behind `lift!`.
#![forbid(unsafe_code)]

pub mod nat;
