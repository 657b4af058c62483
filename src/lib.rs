//! `lift!`.
