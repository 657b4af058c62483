//! Messages as `compile_error!`s.
//!
//! A message has one span on stable compilers. Several messages in expression position stand in one block,
//! because rustc parses only the first token of anything else. The block also holds the free variables of the
//! expression, in a closure that is never called. So an editor knows what they are while the expression is
//! being written.

use std::collections::BTreeSet;

use lift_core::diagnostic::Diagnostic;
use lift_core::front::syntax::{Expr, ExprKind, Pattern, PatternKind};
use lift_core::ir::primitive::Primitive;
use lift_core::ir::primitive::builtin::Builtin;
use lift_core::ir::source::Source;
use lift_parser::Sources;
use proc_macro2::{Ident, Literal, Punct, Spacing, TokenStream, TokenTree};
use quote::quote;

use crate::place::place;

/// The messages where items are expected.
pub(crate) fn in_items(errors: &[Diagnostic], sources: &Sources) -> TokenStream {
    errors.iter().map(|error| compile_error(error, sources)).collect()
}

/// The messages where an expression is expected, and the names in it.
pub(crate) fn in_expression(
    errors: &[Diagnostic],
    sources: &Sources,
    expression: Option<&Expr>,
) -> TokenStream {
    let names = expression.map(|expression| echo(expression, errors, sources)).unwrap_or_default();
    let errors = match errors {
        // Without the block, it is also valid where rustc expects an item: nothing in `lift! {}` says where
        // it stands.
        [error] if names.is_empty() => return compile_error(error, sources),
        errors => in_items(errors, sources),
    };
    // An error that ends the block is its value, and rustc reports nothing about the type of an error.
    quote!({ #names #errors })
}

/// `::core::compile_error! { "message" }`, from the first to the last token of the mistake: rustc underlines
/// the invocation of a macro from its first token to its last.
fn compile_error(error: &Diagnostic, sources: &Sources) -> TokenStream {
    let range = sources.range(error.source);
    let mut message = Literal::string(&error.render());
    message.set_span(range.last);
    let mut braces = proc_macro2::Group::new(proc_macro2::Delimiter::Brace, TokenTree::from(message).into());
    braces.set_span(range.last);
    let punct = |character, spacing| {
        let mut punct = Punct::new(character, spacing);
        punct.set_span(range.first);
        TokenTree::from(punct)
    };
    let ident = |name| TokenTree::from(Ident::new(name, range.first));
    [
        punct(':', Spacing::Joint),
        punct(':', Spacing::Alone),
        ident("core"),
        punct(':', Spacing::Joint),
        punct(':', Spacing::Alone),
        ident("compile_error"),
        punct('!', Spacing::Alone),
        TokenTree::from(braces),
    ]
    .into_iter()
    .collect()
}

/// The free variables that may be Rust's and that no message is about, each once.
fn echo(expression: &Expr, errors: &[Diagnostic], sources: &Sources) -> TokenStream {
    let wrong: BTreeSet<Source> = errors.iter().map(|error| error.source).collect();
    mentioned(expression, sources, |_, source| !wrong.contains(&source))
}

/// The free variables of an expression that may be Rust's, in a closure that is never called.
pub(crate) fn mentioned(
    expression: &Expr,
    sources: &Sources,
    is_meant: impl Fn(&str, Source) -> bool,
) -> TokenStream {
    let mut names = Names { bound: Vec::new(), free: Vec::new(), seen: BTreeSet::new() };
    names.expression(expression);
    let names: Vec<TokenStream> = names
        .free
        .into_iter()
        .filter(|(path, written)| is_meant(path, written.source))
        .filter_map(|(_, written)| place(written, sources))
        .collect();
    if names.is_empty() { TokenStream::new() } else { quote!(let _ = || { #(let _ = &#names;)* };) }
}

/// Collects free names and places, except those that are called: a call never means a Rust variable.
struct Names<'s> {
    bound: Vec<&'s str>,
    /// The names and paths, each with the expression that it is.
    free: Vec<(String, &'s Expr)>,
    seen: BTreeSet<String>,
}

/// Names that have a meaning where a function on positions or a boundary is expected.
const WORDS: [&str; 17] = [
    "clamp", "mirror", "wrap", "stride", "rotate", "id", "add", "sub", "mult", "mul", "div", "rem", "neg",
    "bitAnd", "bitXor", "bitOr", "not",
];

impl<'s> Names<'s> {
    fn expression(&mut self, expression: &'s Expr) {
        match &expression.kind {
            ExprKind::Literal(..) | ExprKind::Path(_) | ExprKind::Error => {}
            ExprKind::Name(name) => self.name(name, expression),
            ExprKind::Array(parts) | ExprKind::Tuple(parts) => self.all(parts),
            ExprKind::Call(function, arguments, _) => {
                self.callee(function);
                self.all(arguments);
            }
            ExprKind::Lambda(lambda) => {
                let outer = self.bound.len();
                self.bound.extend(lambda.position.iter().map(|position| position.name.as_str()));
                lambda.parameters.iter().for_each(|parameter| self.bind(parameter));
                self.expression(&lambda.body);
                self.bound.truncate(outer);
            }
            ExprKind::Pipe(left, right) | ExprKind::Shift(_, left, right) => {
                self.expression(left);
                self.callee(right);
            }
            ExprKind::Component(inner, _) | ExprKind::Field(inner, _) => match expression.place() {
                Some(place) if self.bound.contains(&place.name) => {}
                Some(place) => self.free(place.path, expression),
                None => self.expression(inner),
            },
            ExprKind::Cast(inner, _) | ExprKind::Unary(_, inner) => {
                self.expression(inner);
            }
            ExprKind::Block(bindings, body) => {
                let outer = self.bound.len();
                for binding in bindings {
                    self.expression(&binding.value);
                    self.bind(&binding.pattern);
                }
                self.expression(body);
                self.bound.truncate(outer);
            }
            ExprKind::Binary(_, left, right) => {
                self.expression(left);
                self.expression(right);
            }
            ExprKind::If(condition, then, otherwise) => {
                [condition, then, otherwise].into_iter().for_each(|part| self.expression(part));
            }
        }
    }

    fn all(&mut self, parts: &'s [Expr]) {
        parts.iter().for_each(|part| self.expression(part));
    }

    fn callee(&mut self, function: &'s Expr) {
        if !matches!(function.kind, ExprKind::Name(_)) {
            self.expression(function);
        }
    }

    fn bind(&mut self, pattern: &'s Pattern) {
        match &pattern.kind {
            PatternKind::Name(name) => self.bound.push(name),
            PatternKind::Wildcard => {}
            PatternKind::Tuple(components) | PatternKind::Array(components) => {
                components.iter().for_each(|component| self.bind(component));
            }
            PatternKind::Typed(inner, _) => self.bind(inner),
        }
    }

    fn name(&mut self, name: &'s str, expression: &'s Expr) {
        let known = self.bound.contains(&name)
            || Primitive::from_name(name).is_some()
            || Builtin::from_name(name).is_some()
            || WORDS.contains(&name);
        if !known {
            self.free(name.to_owned(), expression);
        }
    }

    fn free(&mut self, path: String, expression: &'s Expr) {
        if self.seen.insert(path.clone()) {
            self.free.push((path, expression));
        }
    }
}
