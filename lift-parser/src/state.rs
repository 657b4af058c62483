//! The parser's state, and the operations that all parts of the grammar share.

use lift_core::front::syntax::{Expr, ExprKind};
use lift_core::ir::source::Source;
use proc_macro2::extra::DelimSpan;
use proc_macro2::{Delimiter, Spacing, Span, TokenTree};
use syn::parse::{ParseBuffer, ParseStream, Peek};
use syn::{Token, braced, bracketed, parenthesized, token};

use crate::error::{Error, ExpressionMistake, Found, Mistake, TokenMistake};
use crate::sources::Sources;

/// How deeply groups, lambdas and prefix operators may nest.
pub(crate) const MAX_NESTING: usize = 96;

/// The greatest height of an expression's tree; a chain of operators is as high as it is long.
pub(crate) const MAX_HEIGHT: u32 = 256;

/// Something did not parse, and its message is recorded.
#[derive(Debug)]
pub(crate) struct Reported;

/// What parsed, or a reported mistake.
pub(crate) type Result<T> = std::result::Result<T, Reported>;

/// What `<<` and `>>` mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Angles {
    /// `>>` applies functions, and binds weakest; `<<` means nothing.
    Functions,
    /// They shift bits and bind as in Rust: the body of a user function and the value of a constant are often copied
    /// from there.
    Shifts,
}

/// The parser's state.
#[derive(Debug)]
pub(crate) struct Parser {
    /// The positions of everything parsed so far.
    pub(crate) sources: Sources,
    /// The mistakes so far.
    pub(crate) errors: Vec<Error>,
    /// The token consumed last.
    last: Span,
    /// The start of that token if it has several characters: `>>` is two tokens of rustc.
    last_start: Span,
    /// What `<<` and `>>` mean here.
    pub(crate) angles: Angles,
    /// How deep the recursion is.
    depth: usize,
    /// Whether too deep nesting was reported: one report is enough.
    reported_depth: bool,
    /// The height of the expression behind each source.
    heights: Vec<u32>,
}

impl Default for Parser {
    fn default() -> Parser {
        Parser {
            sources: Sources::default(),
            errors: Vec::new(),
            last: Span::call_site(),
            last_start: Span::call_site(),
            angles: Angles::Functions,
            depth: 0,
            reported_depth: false,
            heights: Vec::new(),
        }
    }
}

impl Parser {
    /// Records a mistake.
    pub(crate) fn error(&mut self, source: Source, mistake: impl Into<Mistake>) -> Reported {
        self.errors.push(Error { source, mistake: mistake.into() });
        Reported
    }

    /// Records that something is nested too deeply.
    pub(crate) fn too_deep(&mut self, source: Source) -> Reported {
        if !self.reported_depth {
            self.reported_depth = true;
            self.error(source, ExpressionMistake::TooDeep);
        }
        Reported
    }

    /// Parses one level deeper.
    pub(crate) fn nested<T>(
        &mut self,
        input: ParseStream,
        parse: impl FnOnce(&mut Parser, ParseStream) -> Result<T>,
    ) -> Result<T> {
        if self.depth == MAX_NESTING {
            let source = self.next_source(input);
            return Err(self.too_deep(source));
        }
        self.depth += 1;
        let result = parse(self, input);
        self.depth -= 1;
        result
    }

    /// A new expression, or an error node if it would be too high for recursive functions.
    pub(crate) fn expr(&mut self, kind: ExprKind, source: Source) -> Expr {
        let below = children(&kind).map(|child| self.height(child.source)).max().unwrap_or(0);
        let (kind, height) = if below >= MAX_HEIGHT {
            self.too_deep(source);
            (ExprKind::Error, 1)
        } else {
            (kind, below + 1)
        };
        let index = source.0 as usize;
        if self.heights.len() <= index {
            self.heights.resize(index + 1, 1);
        }
        if let Some(entry) = self.heights.get_mut(index) {
            *entry = height;
        }
        Expr { kind, source }
    }

    fn height(&self, source: Source) -> u32 {
        self.heights.get(source.0 as usize).copied().unwrap_or(1)
    }

    /// Consumes one token.
    pub(crate) fn advance(&mut self, input: ParseStream) -> Option<TokenTree> {
        let tree = input.step(|cursor| cursor.token_tree().ok_or_else(|| cursor.error("end"))).ok()?;
        self.last = match &tree {
            TokenTree::Group(group) => group.span_close(),
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => tree.span(),
        };
        self.last_start = self.last;
        Some(tree)
    }

    /// Consumes an operator of one or more characters.
    pub(crate) fn advance_by(&mut self, input: ParseStream, characters: usize) {
        let start = self.start(input);
        for _ in 0..characters {
            self.advance(input);
        }
        self.last_start = start;
    }

    /// Consumes the token of one character, the identifier or the literal if it is next.
    pub(crate) fn eat<P: Peek>(&mut self, input: ParseStream, token: P) -> bool {
        let found = input.peek(token);
        if found {
            self.advance(input);
        }
        found
    }

    /// Consumes a token of two characters if it is next.
    pub(crate) fn eat_pair<P: Peek>(&mut self, input: ParseStream, token: P) -> bool {
        let found = input.peek(token);
        if found {
            self.advance_by(input, 2);
        }
        found
    }

    /// Consumes a token of one character or reports that it is missing.
    pub(crate) fn expect<P: Peek>(&mut self, input: ParseStream, token: P, what: &'static str) -> Result<()> {
        if self.eat(input, token) { Ok(()) } else { Err(self.unexpected(input, what)) }
    }

    /// Parses the content of the group that is next.
    pub(crate) fn group<T>(
        &mut self,
        input: ParseStream,
        parse: impl FnOnce(&mut Parser, ParseStream) -> Result<T>,
    ) -> Result<T> {
        let Ok((span, content)) = open_group(input) else {
            return Err(self.unexpected(input, "a group"));
        };
        (self.last, self.last_start) = (span.open(), span.open());
        let result = self.nested(&content, parse);
        self.skip_all(&content);
        (self.last, self.last_start) = (span.close(), span.close());
        result
    }

    /// Skips what did not parse.
    pub(crate) fn skip_all(&mut self, input: ParseStream) {
        while self.advance(input).is_some() {}
    }

    /// The start of the next token, for a later call of [`Parser::source_from`].
    pub(crate) fn start(&self, input: ParseStream) -> Span {
        match input.cursor().any_group() {
            Some((_, _, span, _)) => span.open(),
            None => input.span(),
        }
    }

    /// A source from a start to the token consumed last.
    pub(crate) fn source_from(&mut self, start: Span) -> Source {
        self.sources.add(start, self.last)
    }

    /// The source of the next token; of the last one if there is none.
    pub(crate) fn next_source(&mut self, input: ParseStream) -> Source {
        match input.cursor().token_tree() {
            None => self.sources.add(self.last_start, self.last),
            Some((TokenTree::Group(group), _)) => self.sources.add(group.span_open(), group.span_close()),
            Some((tree, _)) => self.sources.add(tree.span(), tree.span()),
        }
    }

    /// Reports that something else was expected here.
    pub(crate) fn unexpected(&mut self, input: ParseStream, expected: &'static str) -> Reported {
        let Some((tree, rest)) = input.cursor().token_tree() else {
            return self.unexpected_end(expected);
        };
        let next = rest.token_tree().map(|(tree, _)| tree);
        let second = next.as_ref().filter(|next| is_operator(&tree, next));
        let found = match found(&tree, second) {
            // Shifts are reported elsewhere: this is `>>` where an operand is missing, or the start of `>>=`.
            Found::Operator(text) if is_shift_assignment(input) => Found::ShiftAssignment(text),
            found => found,
        };
        let source = match second {
            Some(second) => self.sources.add(tree.span(), second.span()),
            None => self.next_source(input),
        };
        self.error(source, TokenMistake::Unexpected { expected, found })
    }

    /// Reports at the last token that more was expected.
    pub(crate) fn unexpected_end(&mut self, expected: &'static str) -> Reported {
        let source = self.sources.add(self.last_start, self.last);
        self.error(source, TokenMistake::UnexpectedEnd { expected })
    }

    /// Reports the rest of a group or of the input, if there is any.
    pub(crate) fn end(&mut self, input: ParseStream) {
        if input.is_empty() {
            return;
        }
        self.unexpected(input, "an operator or the end of the expression");
        self.skip_all(input);
    }
}

fn open_group<'tokens>(input: &ParseBuffer<'tokens>) -> syn::Result<(DelimSpan, ParseBuffer<'tokens>)> {
    let content;
    let span = if input.peek(token::Paren) {
        parenthesized!(content in input).span
    } else if input.peek(token::Bracket) {
        bracketed!(content in input).span
    } else {
        braced!(content in input).span
    };
    Ok((span, content))
}

/// What a token is, or an operator of two tokens.
fn found(tree: &TokenTree, second: Option<&TokenTree>) -> Found {
    match tree {
        TokenTree::Group(group) => match group.delimiter() {
            Delimiter::Parenthesis => Found::Parentheses,
            Delimiter::Brace => Found::Braces,
            Delimiter::Bracket => Found::Brackets,
            Delimiter::None => Found::Fragment,
        },
        TokenTree::Ident(ident) => Found::Word(ident.to_string()),
        TokenTree::Literal(literal) => Found::Word(literal.to_string()),
        TokenTree::Punct(punct) => {
            let second = second.map(ToString::to_string).unwrap_or_default();
            Found::Operator(format!("{}{second}", punct.as_char()))
        }
    }
}

/// Whether two tokens of one character form one operator, here or in Rust.
fn is_operator(first: &TokenTree, second: &TokenTree) -> bool {
    let (TokenTree::Punct(first), TokenTree::Punct(second)) = (first, second) else { return false };
    first.spacing() == Spacing::Joint
        && matches!(
            (first.as_char(), second.as_char()),
            ('+' | '-' | '*' | '/' | '%' | '&' | '|' | '^' | '=' | '!' | '<' | '>', '=')
                | ('=' | '-' | '|' | '>', '>')
                | ('<', '<')
                | ('.', '.')
                | (':', ':')
                | ('&', '&')
                | ('|', '|')
        )
}

/// Whether `<<=` or `>>=` is next.
fn is_shift_assignment(input: ParseStream) -> bool {
    input.peek(Token![<<=]) || input.peek(Token![>>=])
}

/// The direct sub-expressions.
fn children(kind: &ExprKind) -> Box<dyn Iterator<Item = &Expr> + '_> {
    match kind {
        ExprKind::Literal(..) | ExprKind::Name(_) | ExprKind::Path(_) | ExprKind::Error => {
            Box::new(std::iter::empty())
        }
        ExprKind::Array(parts) | ExprKind::Tuple(parts) => Box::new(parts.iter()),
        ExprKind::Call(function, arguments, _) => Box::new(std::iter::once(&**function).chain(arguments)),
        ExprKind::Lambda(lambda) => Box::new(std::iter::once(&*lambda.body)),
        ExprKind::Component(inner, _)
        | ExprKind::Field(inner, _)
        | ExprKind::Cast(inner, _)
        | ExprKind::Unary(_, inner) => Box::new(std::iter::once(&**inner)),
        ExprKind::Pipe(left, right) | ExprKind::Shift(_, left, right) | ExprKind::Binary(_, left, right) => {
            Box::new([&**left, &**right].into_iter())
        }
        ExprKind::Block(bindings, body) => {
            Box::new(bindings.iter().map(|binding| &binding.value).chain(std::iter::once(&**body)))
        }
        ExprKind::If(condition, then, otherwise) => {
            Box::new([&**condition, &**then, &**otherwise].into_iter())
        }
    }
}
