//! The `lift!` procedural macro.
