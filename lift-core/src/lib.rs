//! The compiler behind `lift!`.
