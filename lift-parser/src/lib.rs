//! Tokens to the syntax tree of `lift!`.
