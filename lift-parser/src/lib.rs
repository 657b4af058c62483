//! Tokens to the syntax tree of `lift!`.
//!
//! Input: the tokens between the delimiters of one `lift!`. Output: a [`Parsed`], which holds the untyped
//! program of [`lift_core::front::syntax`], the spans behind its [`Source`]s, the parts of items that only
//! rustc understands, and every mistake found on the way.
//!
//! The parser guarantees that
//! - it never panics and always ends, whatever the tokens are;
//! - no expression is higher than a fixed bound, so that later stages may recurse;
//! - one mistake gives one message: what did not parse is an `Error` node, about which nothing more is
//!   reported;
//! - independent mistakes are all found: parsing continues after the next `,` inside parentheses, and at the
//!   next item.
//!
//! Expressions are parsed by precedence climbing (Pratt, POPL 1973) over syn's token cursor, because the
//! language has operators of its own; attributes and visibilities are rustc's and are left to syn.

#![forbid(unsafe_code)]

use lift_core::diagnostic::Diagnostic;
use lift_core::front::syntax::{ExprKind, Input};
use lift_core::ir::source::Source;
use proc_macro2::TokenStream;
use syn::parse::{ParseStream, Parser as _};

mod constant;
mod error;
mod expression;
mod foreign;
mod item;
mod list;
mod literal;
mod operator;
mod pattern;
mod prepare;
mod state;
mod types;

pub mod sources;

#[cfg(test)]
mod tests;

pub use constant::RustConstant;
pub use item::{RustItem, RustItems};
pub use sources::Sources;

use error::{InputMistake, diagnostics};
use state::Parser;

/// One parsed `lift!`.
pub struct Parsed {
    /// The program, with [`ExprKind::Error`] where something did not parse; `None` if nothing was recognised.
    pub input: Option<Input>,
    /// The spans behind the program's sources.
    pub sources: Sources,
    /// The parts that are passed on to rustc, for every item of [`Input::Items`] in the same order.
    pub items: RustItems,
    /// The mistakes. The program is complete when there are none.
    pub errors: Vec<Diagnostic>,
}

/// Parses the tokens between the delimiters of one `lift!`.
pub fn parse(tokens: TokenStream) -> Parsed {
    let mut parser = Parser::default();
    let mut items = RustItems::default();
    let input = prepare::prepare(tokens, &mut parser).and_then(|tokens| {
        let mut input = None;
        // syn's own result only repeats, less precisely, what the parser has already reported.
        let _ = (|stream: ParseStream| {
            input = parser.input(stream, &mut items);
            Ok(())
        })
        .parse2(tokens);
        input
    });
    let Parser { sources, errors, .. } = parser;
    Parsed { input, sources, items, errors: diagnostics(&errors) }
}

/// Parses text in the same way as [`parse`] parses tokens; for tests and tools.
pub fn parse_text(text: &str) -> Parsed {
    match text.parse::<TokenStream>() {
        Ok(tokens) => parse(tokens),
        Err(error) => {
            let mut parser = Parser::default();
            let source = parser.sources.add(error.span(), error.span());
            parser.error(source, InputMistake::NoTokens);
            Parsed {
                input: None,
                sources: parser.sources,
                items: RustItems::default(),
                errors: diagnostics(&parser.errors),
            }
        }
    }
}

impl Parser {
    /// The whole input: items, a closure, or an inline expression.
    fn input(&mut self, input: ParseStream, items: &mut RustItems) -> Option<Input> {
        if input.is_empty() {
            self.error(Source::UNKNOWN, InputMistake::Empty);
            return None;
        }
        if item::starts_item(input) {
            return Some(Input::Items(self.items(input, items)));
        }
        let expression = self.whole_expression(input).ok()?;
        Some(match expression.kind {
            ExprKind::Lambda(..) => Input::Closure(expression),
            _ => Input::Inline(expression),
        })
    }
}
