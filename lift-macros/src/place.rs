//! Rust variables and places, `self.k`, as tokens at the user's places.

use lift_core::front::syntax::{Expr, ExprKind, SELF};
use lift_parser::Sources;
use proc_macro2::{Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::quote;

/// The variable or the place that an expression is; `None` for any other expression.
pub(crate) fn place(expr: &Expr, sources: &Sources) -> Option<TokenStream> {
    match &expr.kind {
        ExprKind::Name(name) => {
            let span = sources.range(expr.source).first;
            // This is the one keyword that is no raw identifier.
            let name = if name == SELF { Ident::new(name, span) } else { identifier(name, span) };
            Some(quote!(#name))
        }
        ExprKind::Field(inner, field) => {
            let name = identifier(&field.name, sources.range(field.source).first);
            Some(member(place(inner, sources)?, TokenTree::from(name)))
        }
        ExprKind::Component(inner, position) => {
            let mut position = Literal::usize_unsuffixed(*position);
            position.set_span(sources.range(expr.source).last);
            Some(member(place(inner, sources)?, TokenTree::from(position)))
        }
        _ => None,
    }
}

fn member(of: TokenStream, name: TokenTree) -> TokenStream {
    let mut dot = Punct::new('.', Spacing::Alone);
    dot.set_span(Span::mixed_site().located_at(name.span()));
    of.into_iter().chain([TokenTree::from(dot), name]).collect()
}

/// A name of the user's at its place. A keyword of Rust was a raw identifier.
pub(crate) fn identifier(name: &str, span: Span) -> Ident {
    if syn::parse_str::<Ident>(name).is_ok() { Ident::new(name, span) } else { Ident::new_raw(name, span) }
}
