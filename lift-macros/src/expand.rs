//! From tokens to Rust: parse, infer, compile, print.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use lift_core::compiled::Compiled;
use lift_core::diagnostic::Diagnostic;
use lift_core::front::infer;
use lift_core::front::syntax::{self, Input};
use lift_core::ir::typed::Program;
use lift_core::options::{Host, Options};
use lift_core::threads::Threads;
use lift_core::{compile_each, compile_on};
use lift_parser::{Parsed, RustItems};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::context::{Context, Result};
use crate::{closure, constant, diagnostics, fallback, half, inline, item};

/// Expands `(path of lift) program`.
pub(crate) fn expand(tokens: TokenStream) -> TokenStream {
    let (lift, program) = split_path(tokens);
    let Parsed { input, sources, items, mut errors } = lift_parser::parse(program);
    errors.extend(input.as_ref().and_then(half::without_feature));
    let context = Context { lift, sources };
    match input {
        None => diagnostics::in_expression(&errors, &context.sources, None),
        Some(Input::Inline(expression)) => expand_expression(&context, &expression, errors, |expression| {
            inline::emit(&context, &compile_program(&infer::infer_inline(expression)?)?, expression)
        }),
        Some(Input::Closure(expression)) => expand_expression(&context, &expression, errors, |expression| {
            closure::emit(&context, &compile_program(&infer::infer_closure(expression)?)?, expression)
        }),
        Some(Input::Items(program)) => expand_items(&context, &program, &items, errors),
    }
}

/// The path of the facade, which its `macro_rules!` puts first, and the user's tokens.
fn split_path(tokens: TokenStream) -> (TokenStream, TokenStream) {
    let mut trees = tokens.into_iter();
    let lift = match trees.next() {
        Some(TokenTree::Group(group)) => path_in(&group),
        _ => TokenStream::new(),
    };
    (lift, trees.collect())
}

/// The path in parentheses; it may be in an invisible group of its own.
fn path_in(group: &Group) -> TokenStream {
    let mut trees = group.stream().into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Group(inner)), None) if inner.delimiter() == Delimiter::None => inner.stream(),
        _ => group.stream(),
    }
}

fn expand_expression(
    context: &Context,
    expression: &syntax::Expr,
    mut errors: Vec<Diagnostic>,
    compile: impl FnOnce(&syntax::Expr) -> Result<TokenStream>,
) -> TokenStream {
    if errors.is_empty() {
        match compile(expression) {
            Ok(tokens) => return tokens,
            Err(found) => errors = found,
        }
    }
    diagnostics::in_expression(&errors, &context.sources, Some(expression))
}

fn expand_items(
    context: &Context,
    program: &syntax::Items,
    items: &RustItems,
    mut errors: Vec<Diagnostic>,
) -> TokenStream {
    if errors.is_empty() {
        match compile_items(context, program, items) {
            Ok(tokens) => return tokens,
            Err(found) => errors = found,
        }
    }
    let mut tokens = diagnostics::in_items(&errors, &context.sources);
    tokens.extend(fallback::emit(context, program, items));
    tokens
}

fn compile_items(context: &Context, program: &syntax::Items, items: &RustItems) -> Result<TokenStream> {
    let infer::Items { constants, functions, kernels } = infer::infer_items(program)?;
    let mut tokens = constant::emit(context, program, &constants, &items.constants)?;
    let compiled = compile_each(&kernels, &options(), threads());
    let mut compiled: Vec<_> = kernels.iter().map(|kernel| &kernel.name).zip(compiled).collect();
    let mut errors = Vec::new();
    for (item, rust) in program.functions.iter().zip(&items.functions) {
        let function = functions.iter().find(|function| function.name == item.name.name);
        let kernel = compiled.iter().position(|(name, _)| **name == item.name.name);
        let emitted = match (function, kernel) {
            (Some(function), _) => crate::function::emit(context, function, &functions, item, rust),
            (None, Some(kernel)) => {
                let (_, compiled) = compiled.swap_remove(kernel);
                compiled.and_then(|compiled| item::emit(context, &compiled, item, rust))
            }
            (None, None) => Err(vec![Diagnostic::internal(item.name.source, "an item was lost")]),
        };
        match emitted {
            Ok(more) => tokens.extend(more),
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() { Ok(tokens) } else { Err(errors) }
}

fn compile_program(program: &Program) -> Result<Compiled> {
    compile_on(program, &options(), threads())
}

fn options() -> Options {
    let host = if cfg!(feature = "host") { Host::Printed } else { Host::Omitted };
    Options { host, ..Options::default() }
}

/// Cargo often waits for the crate that is expanded, so that other processors have nothing else to do.
fn threads() -> Threads {
    Threads::at_most(available_parallelism().map_or(1, NonZeroUsize::get))
}
