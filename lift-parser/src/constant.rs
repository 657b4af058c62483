//! Constants among items: `const RADIUS: usize = 2;`.

use lift_core::front::syntax::{Attribute, Constant, Expr};
use proc_macro2::Ident;
use syn::parse::ParseStream;
use syn::{Token, Visibility};

use crate::error::ItemMistake;
use crate::state::{Angles, Parser, Result};

/// The parts of a constant that are for rustc.
pub struct RustConstant {
    /// The visibility.
    pub visibility: Visibility,
    /// Documentation and every other attribute.
    pub attributes: Vec<syn::Attribute>,
    /// The name, with its span.
    pub name: Ident,
}

/// Whether a constant is next, and not a `const fn`.
pub(crate) fn starts_constant(input: ParseStream) -> bool {
    input.peek(Token![const]) && (input.peek2(syn::Ident) || input.peek2(Token![_]))
}

impl Parser {
    /// `const NAME: T = value;`, which is next. What is wrong behind the name becomes an error node, because
    /// the name would be unknown wherever it is used.
    pub(crate) fn constant(
        &mut self,
        input: ParseStream,
        attributes: &[Attribute],
    ) -> Result<(Constant, Ident)> {
        self.advance(input);
        let (name, token) = self.named(input, "the constant's name")?;
        if let Some(attribute) = attributes.first() {
            let mistake = ItemMistake::AttributeOfConstant { name: attribute.name.name.clone() };
            self.error(attribute.name.source, mistake);
        }
        let mut ty = self.broken_type(name.source);
        if !self.eat(input, Token![:]) {
            self.error(name.source, ItemMistake::ConstantWithoutType { name: name.name.clone() });
            self.skip_constant(input);
            let value = self.broken(name.source);
            return Ok((Constant { name, ty, value }, token));
        }
        let before = self.errors.len();
        if let Ok(written) = self.type_expr(input) {
            ty = written;
        }
        let mut value = self.broken(name.source);
        if self.errors.len() == before
            && let Ok(written) = self.value_of_constant(input, &name.name)
        {
            value = written;
        }
        if self.errors.len() > before {
            self.skip_constant(input);
        }
        Ok((Constant { name, ty, value }, token))
    }

    /// `= value;`
    fn value_of_constant(&mut self, input: ParseStream, name: &str) -> Result<Expr> {
        if !self.eat(input, Token![=]) {
            let source = self.next_source(input);
            return Err(self.error(source, ItemMistake::ConstantWithoutValue { name: name.to_owned() }));
        }
        let before = self.errors.len();
        // It is often copied from Rust.
        self.angles = Angles::Shifts;
        let value = self.expression(input);
        self.angles = Angles::Functions;
        let value = value?;
        if self.errors.len() == before {
            self.expect(input, Token![;], "an operator or `;`")?;
        }
        Ok(value)
    }
}
