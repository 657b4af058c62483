//! Items: functions and constants.

use lift_core::front::syntax::{Attribute, Expr, ExprKind, GenericType, Identifier, Item, Items, Parameter};
use lift_core::ir::scalar::BinaryOperator;
use lift_core::ir::source::Source;
use proc_macro2::{Ident, TokenStream};
use syn::parse::{ParseStream, Parser as _};
use syn::{Meta, Token, Visibility, token};

use crate::constant::{RustConstant, starts_constant};
use crate::error::{ItemMistake, TokenMistake};
use crate::state::{Angles, Parser, Result};

/// The parts of items that are for rustc.
#[derive(Default)]
pub struct RustItems {
    /// Those of the constants.
    pub constants: Vec<RustConstant>,
    /// Those of the functions.
    pub functions: Vec<RustItem>,
}

/// The parts of a function item that are for rustc.
pub struct RustItem {
    /// The visibility.
    pub visibility: Visibility,
    /// Documentation and every attribute that has no meaning for the compiler of kernels.
    pub attributes: Vec<syn::Attribute>,
    /// The name, with its span.
    pub name: Ident,
    /// The size parameters, with their spans.
    pub generics: Vec<Ident>,
    /// The parameters, with their spans.
    pub parameters: Vec<Ident>,
}

/// The attributes that have a meaning for the compiler of kernels.
const COMPILER_ATTRIBUTES: [&str; 7] = ["launch", "schedule", "assoc", "comm", "host", "opencl", "strict"];

/// Whether the input consists of items.
pub(crate) fn starts_item(input: ParseStream) -> bool {
    input.peek(Token![#])
        || input.peek(Token![pub])
        || input.peek(Token![fn])
        || input.peek(Token![unsafe])
        || input.peek(Token![async])
        || input.peek(Token![extern])
        || (input.peek(Token![const]) && input.peek2(Token![fn]))
        || starts_constant(input)
}

impl Parser {
    /// Items up to the end of the input. After a mistake, parsing continues at the next item.
    pub(crate) fn items(&mut self, input: ParseStream, rust: &mut RustItems) -> Items {
        let mut items = Items::default();
        while !input.is_empty() {
            if self.item(input, &mut items, rust).is_err() {
                self.skip_to_item(input);
            }
        }
        items
    }

    /// Skips everything up to the next item, and at least one token unless an item is next.
    fn skip_to_item(&mut self, input: ParseStream) {
        while !input.is_empty() && !starts_item(input) {
            let ends_item = input.peek(token::Brace);
            self.advance(input);
            if ends_item {
                break;
            }
        }
    }

    /// Skips the rest of a constant: everything up to its `;`, or to the next item where that is missing.
    pub(crate) fn skip_constant(&mut self, input: ParseStream) {
        while !(input.is_empty() || self.eat(input, Token![;]) || starts_item(input)) {
            self.advance(input);
        }
    }

    /// Adds the next item to those before it, unless something before its body is wrong.
    fn item(&mut self, input: ParseStream, items: &mut Items, rust: &mut RustItems) -> Result<()> {
        let (attributes, rust_attributes) = self.attributes(input)?;
        let visibility = self.visibility(input)?;
        if starts_constant(input) {
            let (constant, name) = self.constant(input, &attributes)?;
            items.constants.push(constant);
            rust.constants.push(RustConstant { visibility, attributes: rust_attributes, name });
            return Ok(());
        }
        if let Some((item, parts)) = self.function(input, attributes, visibility, rust_attributes)? {
            items.functions.push(item);
            rust.functions.push(parts);
        }
        Ok(())
    }

    /// A function; `None` if something before its body is wrong, in which case the body is searched for other
    /// mistakes.
    fn function(
        &mut self,
        input: ParseStream,
        attributes: Vec<Attribute>,
        visibility: Visibility,
        rust_attributes: Vec<syn::Attribute>,
    ) -> Result<Option<(Item, RustItem)>> {
        self.keyword_fn(input)?;
        let (name, name_token) = self.named(input, "the function's name")?;
        // A mistake before the body of a function does not hide mistakes in the body.
        let mut wrong_head = None;
        let Generics { sizes: generics, size_tokens: generic_tokens, mut types } =
            self.generics(input).unwrap_or_else(|reported| {
                wrong_head = Some(reported);
                self.skip_generics(input);
                Default::default()
            });
        let (parameters, parameter_tokens) = self.parameters(input)?;
        let result = self.result(input, name.source).unwrap_or_else(|reported| {
            wrong_head = Some(reported);
            self.broken_type(name.source)
        });
        let conditions = self.conditions(input, &mut types).unwrap_or_else(|reported| {
            wrong_head = Some(reported);
            Vec::new()
        });
        if wrong_head.is_some() {
            while !(input.is_empty() || input.peek(token::Brace) || starts_item(input)) {
                self.advance(input);
            }
        }
        if !input.peek(token::Brace) {
            return Err(match wrong_head {
                Some(reported) => reported,
                None => self.unexpected(input, "the function's body"),
            });
        }
        let body_start = self.start(input);
        let is_user_function = generics.is_empty()
            && result.is_element()
            && parameters.iter().all(|parameter| parameter.ty.is_element());
        self.angles = if is_user_function { Angles::Shifts } else { Angles::Functions };
        let body = self.block(input);
        self.angles = Angles::Functions;
        let body = match body {
            Ok(body) => body,
            Err(_) => {
                let source = self.source_from(body_start);
                self.broken(source)
            }
        };
        if wrong_head.is_some() {
            return Ok(None);
        }
        let rust = RustItem {
            visibility,
            attributes: rust_attributes,
            name: name_token,
            generics: generic_tokens,
            parameters: parameter_tokens,
        };
        Ok(Some((Item { name, generics, types, parameters, result, conditions, attributes, body }, rust)))
    }

    /// A name, for the compiler and for rustc.
    pub(crate) fn named(&mut self, input: ParseStream, what: &'static str) -> Result<(Identifier, Ident)> {
        let token = input.cursor().ident().map(|(ident, _)| ident);
        let name = self.identifier(input, what)?;
        match token {
            Some(token) => Ok((name, token)),
            None => Err(self.error(name.source, TokenMistake::Missing { expected: what })),
        }
    }

    fn visibility(&mut self, input: ParseStream) -> Result<Visibility> {
        let source = self.next_source(input);
        input
            .parse()
            .map_err(|error: syn::Error| self.error(source, ItemMistake::Visibility(error.to_string())))
    }

    fn keyword_fn(&mut self, input: ParseStream) -> Result<()> {
        if input.peek(Token![unsafe])
            || input.peek(Token![async])
            || input.peek(Token![const])
            || input.peek(Token![extern])
        {
            let source = self.next_source(input);
            self.advance(input);
            return Err(self.error(source, ItemMistake::Qualifier));
        }
        if self.eat(input, Token![fn]) {
            return Ok(());
        }
        let reported = self.unexpected(input, "`fn`");
        self.advance(input);
        Err(reported)
    }

    /// `<T: Float, const N: usize, …>`
    fn generics(&mut self, input: ParseStream) -> Result<Generics> {
        let mut generics = Generics::default();
        if !self.eat(input, Token![<]) {
            return Ok(generics);
        }
        while !input.peek(Token![>]) {
            if self.eat(input, Token![const]) {
                let (name, token) = self.named(input, "the size's name")?;
                self.expect(input, Token![:], "`: usize`")?;
                let ty = self.identifier(input, "`usize`")?;
                if ty.name != "usize" {
                    self.error(ty.source, ItemMistake::SizeType);
                }
                generics.sizes.push(name);
                generics.size_tokens.push(token);
            } else if input.peek(syn::Ident) {
                let name = self.identifier(input, "a type's name")?;
                let bounds = if self.eat(input, Token![:]) { self.bounds(input)? } else { Vec::new() };
                generics.types.push(GenericType { name, bounds });
            } else {
                let start = self.start(input);
                // A lifetime is two tokens.
                self.advance_by(input, if input.peek(syn::Lifetime) { 2 } else { 1 });
                let source = self.source_from(start);
                return Err(self.error(source, ItemMistake::Generic));
            }
            if !self.eat(input, Token![,]) {
                break;
            }
        }
        self.expect(input, Token![>], "`,` or `>`")?;
        Ok(generics)
    }

    /// `Float`, `lift::Number + Float`
    fn bounds(&mut self, input: ParseStream) -> Result<Vec<Identifier>> {
        let mut bounds = Vec::new();
        loop {
            let start = self.start(input);
            let Identifier { mut name, .. } = self.identifier(input, "a bound such as `Float`")?;
            while self.eat_pair(input, Token![::]) {
                name = format!("{name}::{}", self.identifier(input, "a name")?.name);
            }
            let source = self.source_from(start);
            bounds.push(Identifier { name, source });
            if !self.eat(input, Token![+]) {
                return Ok(bounds);
            }
        }
    }

    /// Skips the part of `<…>` that did not parse.
    fn skip_generics(&mut self, input: ParseStream) {
        while !(input.is_empty() || input.peek(token::Paren) || input.peek(token::Brace)) {
            self.advance(input);
        }
    }

    fn parameters(&mut self, input: ParseStream) -> Result<(Vec<Parameter>, Vec<Ident>)> {
        if !input.peek(token::Paren) {
            return Err(self.unexpected(input, "the parameters `(a: [f32; N], …)`"));
        }
        // A parameter that did not parse is dropped: its message is recorded, and the item is not compiled.
        let list = self.list(input, |parser, input| parser.parameter(input).map(Some), |_, _| None)?;
        Ok(list.elements.into_iter().flatten().unzip())
    }

    fn parameter(&mut self, input: ParseStream) -> Result<(Parameter, Ident)> {
        if input.peek(Token![mut]) || input.peek(token::Paren) || input.peek(Token![_]) {
            let source = self.next_source(input);
            return Err(self.error(source, ItemMistake::ParameterPattern));
        }
        if input.peek(Token![self]) {
            let source = self.next_source(input);
            return Err(self.error(source, ItemMistake::Method));
        }
        let (name, token) = self.named(input, "a parameter")?;
        if !input.peek(Token![:]) {
            return Err(self.error(name.source, ItemMistake::ParameterWithoutType { name: name.name }));
        }
        self.advance(input);
        let start = self.start(input);
        let ty = match self.type_expr(input) {
            Ok(ty) => ty,
            Err(_) => {
                self.skip_to_comma(input);
                let source = self.source_from(start);
                self.broken_type(source)
            }
        };
        Ok((Parameter { name, ty }, token))
    }

    fn result(&mut self, input: ParseStream, function: Source) -> Result<lift_core::front::syntax::TypeExpr> {
        if !self.eat_pair(input, Token![->]) {
            return Err(self.error(function, ItemMistake::NoResult));
        }
        self.type_expr(input)
    }

    /// `where N % 128 == 0, M >= 3`. Bounds, `T: Float`, are added to those of the types.
    fn conditions(&mut self, input: ParseStream, types: &mut [GenericType]) -> Result<Vec<Expr>> {
        let mut conditions = Vec::new();
        if !self.eat(input, Token![where]) {
            return Ok(conditions);
        }
        while !input.is_empty() && !input.peek(token::Brace) {
            if input.peek(syn::Ident) && input.peek2(Token![:]) && !input.peek2(Token![::]) {
                self.bound_in_clause(input, types)?;
                if !self.eat(input, Token![,]) {
                    break;
                }
                continue;
            }
            let condition = self.expression(input)?;
            match &condition.kind {
                ExprKind::Binary(operator, ..) if is_condition(*operator) => {}
                ExprKind::Error => {}
                _ => {
                    self.error(condition.source, ItemMistake::Condition);
                    // The rest belongs to the same mistake: `T: Copy`, `N = 4`.
                    while !(input.is_empty() || input.peek(Token![,]) || input.peek(token::Brace)) {
                        self.advance(input);
                    }
                }
            }
            conditions.push(condition);
            if !self.eat(input, Token![,]) {
                break;
            }
        }
        Ok(conditions)
    }

    /// `T: Float` in a `where` clause.
    fn bound_in_clause(&mut self, input: ParseStream, types: &mut [GenericType]) -> Result<()> {
        let name = self.identifier(input, "a type's name")?;
        self.advance(input);
        let bounds = self.bounds(input)?;
        match types.iter_mut().find(|generic| generic.name.name == name.name) {
            Some(generic) => generic.bounds.extend(bounds),
            None => {
                self.error(name.source, ItemMistake::BoundOfNoType { name: name.name });
            }
        }
        Ok(())
    }

    /// The attributes before an item: those for the compiler of kernels, and the others.
    fn attributes(&mut self, input: ParseStream) -> Result<(Vec<Attribute>, Vec<syn::Attribute>)> {
        let mut for_compiler = Vec::new();
        let mut for_rust = Vec::new();
        while input.peek(Token![#]) {
            let start = self.start(input);
            let hash = self.advance(input);
            let brackets = if input.peek(token::Bracket) { self.advance(input) } else { None };
            let source = self.source_from(start);
            let tokens = hash.into_iter().chain(brackets).collect();
            let Ok([attribute]) = syn::Attribute::parse_outer.parse2(tokens).and_then(|attributes| {
                <[syn::Attribute; 1]>::try_from(attributes).map_err(|_| syn::Error::new(start, "none"))
            }) else {
                return Err(self.error(source, ItemMistake::NoAttribute));
            };
            match attribute.path().get_ident() {
                Some(token) if COMPILER_ATTRIBUTES.iter().any(|name| token == name) => {
                    let source = self.sources.add(token.span(), token.span());
                    let name = Identifier { name: token.to_string(), source };
                    for_compiler.push(self.compiler_attribute(name, &attribute.meta));
                }
                _ => for_rust.push(attribute),
            }
        }
        Ok((for_compiler, for_rust))
    }

    fn compiler_attribute(&mut self, name: Identifier, meta: &Meta) -> Attribute {
        let mut arguments = Vec::new();
        match meta {
            Meta::Path(_) => {}
            Meta::List(list) => arguments = self.attribute_arguments(list.tokens.clone()),
            Meta::NameValue(_) => {
                self.error(name.source, ItemMistake::AttributeValue { name: name.name.clone() });
            }
        }
        Attribute { name, arguments }
    }

    fn attribute_arguments(&mut self, tokens: TokenStream) -> Vec<(Option<Identifier>, Expr)> {
        let mut arguments = Vec::new();
        // syn's own result only repeats, less precisely, what the parser has already reported.
        let _ = (|content: ParseStream| {
            let list = self.elements(content, Parser::attribute_argument, |parser, source| {
                (None, parser.broken(source))
            });
            arguments = list.elements;
            Ok(())
        })
        .parse2(tokens);
        arguments
    }

    fn attribute_argument(&mut self, content: ParseStream) -> Result<(Option<Identifier>, Expr)> {
        let has_key = content.peek(syn::Ident) && content.peek2(Token![=]) && !content.peek2(Token![==]);
        let key = if has_key {
            let key = self.identifier(content, "a name")?;
            self.advance(content);
            Some(key)
        } else {
            None
        };
        Ok((key, self.expression(content)?))
    }
}

/// What stands between `<` and `>` behind a function's name.
#[derive(Default)]
struct Generics {
    sizes: Vec<Identifier>,
    size_tokens: Vec<Ident>,
    types: Vec<GenericType>,
}

fn is_condition(operator: BinaryOperator) -> bool {
    operator.is_comparison() || matches!(operator, BinaryOperator::And | BinaryOperator::Or)
}
