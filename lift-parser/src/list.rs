//! Comma-separated lists, with recovery at every comma.

use lift_core::ir::source::Source;
use syn::Token;
use syn::parse::ParseStream;

use crate::state::{Parser, Result};

/// The elements of a group.
pub(crate) struct List<T> {
    /// The elements; one that did not parse is a broken element.
    pub(crate) elements: Vec<T>,
    /// Whether a comma follows the last one: it makes `(a,)` a tuple.
    pub(crate) ends_in_comma: bool,
}

impl Parser {
    /// Parses the group that is next as a list. `broken` makes an element from the source of one that did not
    /// parse.
    pub(crate) fn list<T>(
        &mut self,
        input: ParseStream,
        parse: impl Fn(&mut Parser, ParseStream) -> Result<T>,
        broken: impl Fn(&mut Parser, Source) -> T,
    ) -> Result<List<T>> {
        self.group(input, |parser, content| Ok(parser.elements(content, parse, broken)))
    }

    /// The elements of a comma-separated list, up to the end of the input.
    pub(crate) fn elements<T>(
        &mut self,
        content: ParseStream,
        parse: impl Fn(&mut Parser, ParseStream) -> Result<T>,
        broken: impl Fn(&mut Parser, Source) -> T,
    ) -> List<T> {
        let mut list = List { elements: Vec::new(), ends_in_comma: false };
        while !content.is_empty() {
            let start = self.start(content);
            let reported = self.errors.len();
            let element = match parse(self, content) {
                Ok(element) => {
                    let ends = content.is_empty() || content.peek(Token![,]);
                    if !ends && self.errors.len() == reported {
                        self.unexpected(content, "`,` or an operator");
                    }
                    self.skip_to_comma(content);
                    element
                }
                Err(_) => {
                    self.skip_to_comma(content);
                    let source = self.source_from(start);
                    broken(self, source)
                }
            };
            list.elements.push(element);
            list.ends_in_comma = self.eat(content, Token![,]);
        }
        list
    }

    /// Skips what did not parse.
    pub(crate) fn skip_to_comma(&mut self, input: ParseStream) {
        while !input.is_empty() && !input.peek(Token![,]) {
            self.advance(input);
        }
    }
}
