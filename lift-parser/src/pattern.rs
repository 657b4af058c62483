//! Patterns: parameters of lambdas and left sides of `let`.

use lift_core::front::syntax::{Pattern, PatternKind};
use syn::parse::ParseStream;
use syn::{Ident, Token, token};

use crate::error::PatternMistake;
use crate::state::{Parser, Result};

impl Parser {
    /// `x`, `_`, `(p, q)`, `[p, q]`, each with or without `: T`.
    pub(crate) fn pattern(&mut self, input: ParseStream) -> Result<Pattern> {
        self.nested(input, Parser::pattern_with_type)
    }

    fn pattern_with_type(&mut self, input: ParseStream) -> Result<Pattern> {
        let start = self.start(input);
        let pattern = self.pattern_without_type(input)?;
        if !self.eat(input, Token![:]) {
            return Ok(pattern);
        }
        let ty = self.type_expr(input)?;
        let source = self.source_from(start);
        Ok(Pattern { kind: PatternKind::Typed(Box::new(pattern), ty), source })
    }

    fn pattern_without_type(&mut self, input: ParseStream) -> Result<Pattern> {
        let start = self.start(input);
        if self.eat(input, Token![_]) {
            let source = self.source_from(start);
            return Ok(Pattern { kind: PatternKind::Wildcard, source });
        }
        if input.peek(token::Paren) {
            let list = self
                .list(input, Parser::pattern, |_, source| Pattern { kind: PatternKind::Wildcard, source })?;
            let source = self.source_from(start);
            return match <[Pattern; 1]>::try_from(list.elements) {
                Ok([pattern]) if !list.ends_in_comma => Ok(pattern),
                Ok([_]) => Err(self.error(source, PatternMistake::SmallTuple)),
                Err(components) if components.is_empty() => {
                    Err(self.error(source, PatternMistake::SmallTuple))
                }
                Err(components) => Ok(Pattern { kind: PatternKind::Tuple(components), source }),
            };
        }
        if input.peek(token::Bracket) {
            let list = self
                .list(input, Parser::pattern, |_, source| Pattern { kind: PatternKind::Wildcard, source })?;
            let source = self.source_from(start);
            if list.elements.is_empty() {
                return Err(self.error(source, PatternMistake::EmptyArray));
            }
            return Ok(Pattern { kind: PatternKind::Array(list.elements), source });
        }
        if input.peek(Token![..]) {
            self.advance_by(input, 2);
            let source = self.source_from(start);
            return Err(self.error(source, PatternMistake::Rest));
        }
        if input.peek(Token![mut]) || input.peek(Token![ref]) || input.peek(Token![&]) {
            let source = self.next_source(input);
            self.advance(input);
            return Err(self.error(source, PatternMistake::Binding));
        }
        if !input.peek(Ident) {
            return Err(self.unexpected(input, "a name, `_`, or a tuple or an array of them"));
        }
        let name = self.identifier(input, "a name")?;
        Ok(Pattern { kind: PatternKind::Name(name.name), source: name.source })
    }
}
