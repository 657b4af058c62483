//! What the files of the expansion have in common.

use lift_core::diagnostic::Diagnostic;
use lift_parser::Sources;
use proc_macro2::TokenStream;

/// What every part of the output needs.
pub(crate) struct Context {
    /// The path of the crate `lift`.
    pub(crate) lift: TokenStream,
    /// The spans behind sources.
    pub(crate) sources: Sources,
}

/// A stage's result, or what is wrong.
pub(crate) type Result<T> = std::result::Result<T, Vec<Diagnostic>>;
