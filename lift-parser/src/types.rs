//! Type annotations.

use lift_core::front::syntax::{Identifier, TypeExpr, TypeExprKind};
use lift_core::ir::source::Source;
use syn::parse::ParseStream;
use syn::{Ident, Token, token};

use crate::error::{TokenMistake, TypeMistake};
use crate::state::{Parser, Result};

impl Parser {
    /// `f32`, `(A, B)`, `[A; n]` or `[i => A; n]`.
    pub(crate) fn type_expr(&mut self, input: ParseStream) -> Result<TypeExpr> {
        self.nested(input, Parser::type_expr_here)
    }

    /// A type that did not parse.
    pub(crate) fn broken_type(&mut self, source: Source) -> TypeExpr {
        TypeExpr { kind: TypeExprKind::Error, source }
    }

    fn type_expr_here(&mut self, input: ParseStream) -> Result<TypeExpr> {
        let start = self.start(input);
        let kind = if input.peek(token::Bracket) {
            self.group(input, Parser::array_type)?
        } else if input.peek(token::Paren) {
            let list = self.list(input, Parser::type_expr, |parser, source| parser.broken_type(source))?;
            match <[TypeExpr; 1]>::try_from(list.elements) {
                Ok([ty]) if !list.ends_in_comma => return Ok(ty),
                Err(components) if !components.is_empty() => TypeExprKind::Tuple(components),
                Ok(_) | Err(_) => {
                    let source = self.source_from(start);
                    return Err(self.error(source, TypeMistake::SmallTuple));
                }
            }
        } else if input.peek(Token![&]) {
            let source = self.next_source(input);
            return Err(self.error(source, TypeMistake::Reference));
        } else if input.peek(Ident) {
            return self.named_type(input);
        } else {
            return Err(self.unexpected(input, "a type"));
        };
        let source = self.source_from(start);
        Ok(TypeExpr { kind, source })
    }

    fn named_type(&mut self, input: ParseStream) -> Result<TypeExpr> {
        let name = self.identifier(input, "a type")?;
        // After `e as f32`, a `<` compares. No type of the language starts with a capital letter.
        let is_foreign = name.name.starts_with(char::is_uppercase) && input.peek(Token![<]);
        if is_foreign || input.peek(Token![::]) {
            return Err(self.error(name.source, TypeMistake::Foreign { name: name.name }));
        }
        Ok(TypeExpr { kind: TypeExprKind::Name(name.name), source: name.source })
    }

    /// The content of the brackets of an array type.
    fn array_type(&mut self, content: ParseStream) -> Result<TypeExprKind> {
        let index = if content.peek(Ident) && content.peek2(Token![=>]) {
            let index = self.identifier(content, "an index")?;
            self.eat_pair(content, Token![=>]);
            Some(index)
        } else {
            None
        };
        let element = Box::new(self.type_expr(content)?);
        if content.is_empty() {
            return Err(self.error(element.source, TypeMistake::NoLength));
        }
        self.expect(content, Token![;], "`;` and the array's length")?;
        let start = self.start(content);
        let length = match self.whole_expression(content) {
            Ok(length) => length,
            Err(_) => {
                self.skip_all(content);
                let source = self.source_from(start);
                self.broken(source)
            }
        };
        Ok(TypeExprKind::Array { index, element, length: Box::new(length) })
    }

    /// A name that is no keyword of Rust.
    pub(crate) fn identifier(&mut self, input: ParseStream, what: &'static str) -> Result<Identifier> {
        if !input.peek(Ident) {
            return Err(self.unexpected(input, what));
        }
        let source = self.next_source(input);
        match self.advance(input) {
            Some(proc_macro2::TokenTree::Ident(ident)) => {
                let text = ident.to_string();
                // `r#type` is the name `type`: keywords of Rust have no meaning on a device.
                let name = text.strip_prefix("r#").unwrap_or(&text).to_owned();
                Ok(Identifier { name, source })
            }
            _ => Err(self.error(source, TokenMistake::Missing { expected: what })),
        }
    }
}
