//! The `lift!` procedural macro. Use it through the crate `lift`, whose documentation describes it.
//!
//! This crate only joins things together: the tokens are parsed by `lift-parser`, everything is decided by
//! `lift-core`, and the modules here print the outcome as Rust, one module for each construct:
//!
//! ```text
//! expand         parse, compile, choose the form
//! diagnostics    messages as `compile_error!`s with spans; names that an editor must still see
//! program, size  the static description that the runtime launches
//! signature      parameters, bounds and results of everything callable
//! item, inline, closure   the three forms of an invocation
//! function       user functions as ordinary Rust functions
//! unused         names that nobody mentions, for rustc's lint
//! half           programs that name half precision where it is not built in
//! fallback       functions that did not compile, so that their callers get no second message
//! ```
//!
//! The expansion depends on nothing but its input, and every name of the user keeps its own span.

#![forbid(unsafe_code)]

use std::panic::{AssertUnwindSafe, catch_unwind};

use lift_core::diagnostic::Diagnostic;
use lift_core::ir::source::Source;
use lift_parser::Sources;

mod closure;
mod constant;
mod context;
mod diagnostics;
mod documentation;
mod element_type;
mod expand;
mod fallback;
mod function;
mod half;
mod host;
mod index;
mod inline;
mod interface;
mod item;
mod mistake;
mod place;
mod program;
mod signature;
mod size;
mod unused;

#[cfg(test)]
mod tests;

/// Expands one `lift!`; the first token group holds the path of the crate `lift`.
#[proc_macro]
pub fn lift_impl(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let tokens = proc_macro2::TokenStream::from(input);
    // Before the panic, nothing was changed in place that could be seen after it.
    catch_unwind(AssertUnwindSafe(|| expand::expand(tokens)))
        .unwrap_or_else(|_| {
            let bug = Diagnostic::internal(Source::UNKNOWN, "the compiler panicked");
            diagnostics::in_expression(&[bug], &Sources::default(), None)
        })
        .into()
}
