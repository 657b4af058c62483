//! Expressions, by precedence climbing.
//!
//! From weak to strong: `>>`, `||`, `&&`, comparisons (which do not chain), `|`, `^`, `&`, `+ -`, `* / %`,
//! `as`, unary `- !`, postfix calls, components and methods. The body of a lambda extends as far as possible.
//! In the bodies of user functions, `<<` and `>>` are shifts between `&` and sums.

use lift_core::front::syntax::{Binding, Expr, ExprKind, Identifier, Lambda, Notation};
use lift_core::ir::scalar::UnaryOperator;
use lift_core::ir::source::Source;
use proc_macro2::{Span, TokenTree};
use syn::parse::ParseStream;
use syn::{Ident, Token, token};

use crate::error::{ExpressionMistake, ForeignMistake};
use crate::foreign::{is_shift_left, next_shift};
use crate::operator::{OPERATORS, Operator, Precedence};
use crate::state::{Angles, Parser, Reported, Result};

impl Parser {
    /// An expression.
    pub(crate) fn expression(&mut self, input: ParseStream) -> Result<Expr> {
        self.nested(input, |parser, input| parser.operators(input, Precedence::Pipe))
    }

    /// Operands joined by operators that bind at least as strongly as `minimum`.
    fn operators(&mut self, input: ParseStream, minimum: Precedence) -> Result<Expr> {
        let mut left = self.cast(input)?;
        let mut last_comparison = None;
        // What ends an expression most often is no operator: this spares a comparison with each of them.
        while !(input.is_empty() || input.peek(Token![,]) || input.peek(Token![;])) {
            if self.angles == Angles::Shifts
                && let Some(shift) = next_shift(input)
            {
                if Precedence::Shift < minimum {
                    break;
                }
                self.advance_by(input, 2);
                let right = self.right_operand(input, Precedence::Shift);
                let source = self.sources.join(left.source, right.source);
                left = self.expr(ExprKind::Shift(shift, Box::new(left), Box::new(right)), source);
                continue;
            }
            // A shift binds like a sum, only less strongly.
            if is_shift_left(input) {
                if Precedence::Sum < minimum {
                    break;
                }
                let operator = self.shift_operator(input);
                let right = self.right_operand(input, Precedence::Sum);
                self.no_shift_operator(operator, &left, &right);
                // Both operands are kept: an editor needs their names.
                let source = self.sources.join(left.source, right.source);
                left = self.expr(ExprKind::Tuple(vec![left, right]), source);
                continue;
            }
            if input.peek(Token![*]) && input.peek2(Token![*]) && Precedence::Product >= minimum {
                self.no_power_operator(input);
                let right = self.right_operand(input, Precedence::Product);
                let source = self.sources.join(left.source, right.source);
                left = self.expr(ExprKind::Tuple(vec![left, right]), source);
                continue;
            }
            let Some(row) = OPERATORS.iter().find(|row| (row.peek)(input)) else { break };
            let precedence = row.operator.precedence();
            if precedence < minimum {
                break;
            }
            let operator_source = self.next_source(input);
            self.advance_by(input, row.width);
            let right = self.right_operand(input, precedence);
            let source = self.sources.join(left.source, right.source);
            let chained = last_comparison.take().filter(|_| precedence == Precedence::Comparison);
            last_comparison = (precedence == Precedence::Comparison).then_some(());
            let kind = match row.operator {
                _ if chained.is_some() => {
                    self.chained_comparison(&left, operator_source);
                    ExprKind::Error
                }
                Operator::Pipe => ExprKind::Pipe(Box::new(left), Box::new(right)),
                Operator::Binary(operator) => ExprKind::Binary(operator, Box::new(left), Box::new(right)),
            };
            left = self.expr(kind, source);
        }
        Ok(left)
    }

    /// The right operand of an operator. If it does not parse, the left operand is kept, because an editor
    /// needs its names while the rest is being written.
    fn right_operand(&mut self, input: ParseStream, precedence: Precedence) -> Expr {
        let start = self.start(input);
        if let Ok(operand) = self.operators(input, precedence.stronger()) {
            return operand;
        }
        while !(input.is_empty()
            || input.peek(Token![,])
            || input.peek(Token![;])
            || input.peek(token::Brace))
        {
            self.advance(input);
        }
        let source = self.source_from(start);
        self.broken(source)
    }

    /// An expression that fills the rest of a group.
    pub(crate) fn whole_expression(&mut self, input: ParseStream) -> Result<Expr> {
        let reported = self.errors.len();
        let expression = self.expression(input)?;
        if self.errors.len() == reported {
            self.end(input);
        } else {
            self.skip_all(input);
        }
        Ok(expression)
    }

    /// Reports a comparison after another one, `left`. In `x > 0 & x < 9` they are not meant to be a chain.
    fn chained_comparison(&mut self, left: &Expr, operator: Source) -> Reported {
        if let ExprKind::Binary(_, _, middle) = &left.kind
            && let ExprKind::Binary(bits, ..) = &middle.kind
            && bits.is_bitwise()
        {
            return self.error(middle.source, ExpressionMistake::BitsBetweenComparisons { operator: *bits });
        }
        self.error(operator, ExpressionMistake::ChainedComparison)
    }

    /// `e as T`
    fn cast(&mut self, input: ParseStream) -> Result<Expr> {
        let mut expression = self.unary(input)?;
        while self.eat(input, Token![as]) {
            let ty = self.type_expr(input)?;
            let source = self.sources.join(expression.source, ty.source);
            expression = self.expr(ExprKind::Cast(Box::new(expression), ty), source);
        }
        Ok(expression)
    }

    /// `-e`, `!e`
    fn unary(&mut self, input: ParseStream) -> Result<Expr> {
        let start = self.start(input);
        let operator = if input.peek(Token![-]) {
            UnaryOperator::Negate
        } else if input.peek(Token![!]) {
            UnaryOperator::Not
        } else {
            return self.postfix(input);
        };
        self.advance(input);
        let operand = self.nested(input, Parser::unary)?;
        let source = self.source_from(start);
        Ok(self.expr(ExprKind::Unary(operator, Box::new(operand)), source))
    }

    /// Calls, components and methods after a primary expression.
    fn postfix(&mut self, input: ParseStream) -> Result<Expr> {
        let start = self.start(input);
        let mut expression = self.primary(input)?;
        // The body of a lambda extends to the end of the expression, so nothing can follow it.
        loop {
            if input.peek(token::Paren) {
                let arguments = self.arguments(input)?;
                let source = self.source_from(start);
                expression =
                    self.expr(ExprKind::Call(Box::new(expression), arguments, Notation::Function), source);
            } else if input.peek(Token![.]) && !input.peek(Token![..]) {
                self.advance(input);
                expression = self.after_dot(input, start, expression)?;
            } else {
                return Ok(expression);
            }
        }
    }

    fn arguments(&mut self, input: ParseStream) -> Result<Vec<Expr>> {
        let list = self.list(input, Parser::expression, Parser::broken)?;
        Ok(list.elements)
    }

    /// An expression that did not parse.
    pub(crate) fn broken(&mut self, source: Source) -> Expr {
        self.expr(ExprKind::Error, source)
    }

    /// `0`, `0.1` (which is one token), or `method(arguments)` after the dot. If something else follows, or
    /// nothing yet, the receiver is kept.
    fn after_dot(&mut self, input: ParseStream, start: Span, receiver: Expr) -> Result<Expr> {
        if let Some((literal, _)) = input.cursor().literal() {
            let Some(positions) = component_positions(&literal.to_string()) else {
                self.unexpected(input, "the position of a component, as in `.0`");
                self.advance(input);
                return Ok(receiver);
            };
            self.advance(input);
            let mut expression = receiver;
            for position in positions {
                let source = self.source_from(start);
                expression = self.expr(ExprKind::Component(Box::new(expression), position), source);
            }
            return Ok(expression);
        }
        if !input.peek(Ident) {
            self.unexpected(input, "the position of a component or a method");
            return Ok(receiver);
        }
        let method = self.identifier(input, "a method")?;
        if input.peek(Token![::]) {
            let source = self.next_source(input);
            self.error(source, ExpressionMistake::TypeArguments);
            return Ok(receiver);
        }
        if !input.peek(token::Paren) {
            let source = self.source_from(start);
            return Ok(self.expr(ExprKind::Field(Box::new(receiver), method), source));
        }
        if matches!(&receiver.kind, ExprKind::Name(name) if name == "self") {
            self.error(method.source, ForeignMistake::SelfMethod { method: method.name.clone() });
        }
        let function = self.expr(ExprKind::Name(method.name), method.source);
        let mut arguments = vec![receiver];
        arguments.extend(self.arguments(input)?);
        let source = self.source_from(start);
        Ok(self.expr(ExprKind::Call(Box::new(function), arguments, Notation::Method), source))
    }

    fn primary(&mut self, input: ParseStream) -> Result<Expr> {
        let start = self.start(input);
        if input.peek(Token![|]) || input.peek(Token![||]) {
            return self.nested(input, Parser::lambda);
        }
        if input.peek(token::Paren) {
            return self.parenthesised(input);
        }
        if input.peek(token::Brace) {
            return self.block(input);
        }
        if input.peek(token::Bracket) {
            let list = self.list(input, Parser::expression, Parser::broken)?;
            let source = self.source_from(start);
            return Ok(self.expr(ExprKind::Array(list.elements), source));
        }
        if input.peek(Token![if]) {
            return self.nested(input, Parser::conditional);
        }
        if matches!(input.cursor().token_tree(), Some((TokenTree::Literal(_), _))) || input.peek(syn::LitBool)
        {
            return self.literal(input);
        }
        if input.peek(Ident) {
            return self.name_or_path(input);
        }
        // A field of `self` is a Rust variable like others.
        if input.peek(Token![self]) && input.peek2(Token![.]) {
            self.advance(input);
            let source = self.source_from(start);
            return Ok(self.expr(ExprKind::Name("self".to_owned()), source));
        }
        Err(self.foreign(input))
    }

    /// `x`, `f32::MAX`
    fn name_or_path(&mut self, input: ParseStream) -> Result<Expr> {
        let start = self.start(input);
        let name = self.identifier(input, "an expression")?;
        if !(input.peek(Token![::]) && input.peek3(Ident)) {
            return Ok(self.expr(ExprKind::Name(name.name), name.source));
        }
        let mut path = vec![name.name];
        while input.peek(Token![::]) && input.peek3(Ident) {
            self.advance_by(input, 2);
            path.push(self.identifier(input, "a name")?.name);
        }
        let source = self.source_from(start);
        Ok(self.expr(ExprKind::Path(path), source))
    }

    /// `|p, q| body`, `|i => p, q| body`
    fn lambda(&mut self, input: ParseStream) -> Result<Expr> {
        let start = self.start(input);
        let (mut position, mut parameters) = (None, Vec::new());
        if !self.eat_pair(input, Token![||]) {
            self.advance(input);
            match self.position(input) {
                Ok(name) => position = name,
                Err(reported) => return self.after_broken_parameters(input, reported),
            }
            while !input.peek(Token![|]) {
                match self.pattern(input) {
                    Ok(pattern) => parameters.push(pattern),
                    Err(reported) => return self.after_broken_parameters(input, reported),
                }
                if !self.eat(input, Token![,]) {
                    break;
                }
            }
            self.expect(input, Token![|], "`,` or the closing `|`")?;
        }
        if input.peek(Token![->]) {
            self.result_of_lambda(input)?;
        }
        let body = self.expression(input)?;
        let source = self.source_from(start);
        let lambda = Lambda { position, parameters, body: Box::new(body) };
        Ok(self.expr(ExprKind::Lambda(lambda), source))
    }

    /// `i =>` before the parameters of a function that knows its position, which takes at least one.
    fn position(&mut self, input: ParseStream) -> Result<Option<Identifier>> {
        if !(input.peek(Ident) && input.peek2(Token![=>])) {
            return Ok(None);
        }
        let position = self.identifier(input, "the name of a position")?;
        self.advance_by(input, 2);
        if input.peek(Token![|]) {
            return Err(self.error(position.source, ExpressionMistake::PositionAlone { name: position.name }));
        }
        Ok(Some(position))
    }

    /// Continues behind a lambda whose parameters did not parse.
    fn after_broken_parameters(&mut self, input: ParseStream, reported: Reported) -> Result<Expr> {
        self.skip_lambda_head(input);
        let _ = self.expression(input);
        Err(reported)
    }

    /// Reports and consumes `-> T` after the parameters of a lambda.
    fn result_of_lambda(&mut self, input: ParseStream) -> Result<()> {
        let start = self.start(input);
        self.advance_by(input, 2);
        self.type_expr(input)?;
        let source = self.source_from(start);
        self.error(source, ExpressionMistake::ResultOfLambda);
        Ok(())
    }

    /// Skips parameters that did not parse, so that their commas are not taken for those of the surrounding
    /// list.
    fn skip_lambda_head(&mut self, input: ParseStream) {
        while !input.is_empty() && !input.peek(Token![|]) {
            self.advance(input);
        }
        self.eat(input, Token![|]);
    }

    /// `(e)` or `(a, b)`
    fn parenthesised(&mut self, input: ParseStream) -> Result<Expr> {
        let start = self.start(input);
        let list = self.list(input, Parser::expression, Parser::broken)?;
        let source = self.source_from(start);
        match <[Expr; 1]>::try_from(list.elements) {
            Ok([inner]) if !list.ends_in_comma => Ok(self.expr(inner.kind, source)),
            Err(components) if !components.is_empty() => Ok(self.expr(ExprKind::Tuple(components), source)),
            Ok([inner]) => {
                self.error(source, ExpressionMistake::TupleOfOne);
                Ok(inner)
            }
            Err(_) => Err(self.error(source, ExpressionMistake::EmptyTuple)),
        }
    }

    /// `if c { a } else { b }`. After the first missing part nothing more is reported, and nothing that
    /// parsed is lost.
    fn conditional(&mut self, input: ParseStream) -> Result<Expr> {
        let start = self.start(input);
        self.advance(input);
        let condition = self.expression(input)?;
        let parts = self.branches(input, start);
        let source = self.source_from(start);
        let (then, otherwise) = match parts {
            (Some(then), Some(otherwise)) => (then, otherwise),
            (then, _) => (then.unwrap_or_else(|| self.broken(source)), self.broken(source)),
        };
        Ok(self.expr(ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise)), source))
    }

    /// The branches of an `if`, as far as they exist.
    fn branches(&mut self, input: ParseStream, start: Span) -> (Option<Expr>, Option<Expr>) {
        let Ok(then) = self.branch(input) else { return (None, None) };
        if !self.eat(input, Token![else]) {
            let source = self.source_from(start);
            self.error(source, ExpressionMistake::NoElse);
            return (Some(then), None);
        }
        let otherwise =
            if input.peek(Token![if]) { self.nested(input, Parser::conditional) } else { self.branch(input) };
        (Some(then), otherwise.ok())
    }

    fn branch(&mut self, input: ParseStream) -> Result<Expr> {
        if input.peek(token::Brace) { self.block(input) } else { Err(self.unexpected(input, "`{ … }`")) }
    }

    /// `{ let p = a; … body }`. A block that binds nothing is its body.
    pub(crate) fn block(&mut self, input: ParseStream) -> Result<Expr> {
        let start = self.start(input);
        let (bindings, body) = self.group(input, Parser::block_content)?;
        let source = self.source_from(start);
        if bindings.is_empty() {
            return Ok(body);
        }
        Ok(self.expr(ExprKind::Block(bindings, Box::new(body)), source))
    }

    /// The bindings and the result. What did not parse becomes an error node, so that an editor keeps the
    /// names beside it.
    fn block_content(&mut self, content: ParseStream) -> Result<(Vec<Binding>, Expr)> {
        let before = self.errors.len();
        let mut bindings = Vec::new();
        let mut unknown_names = None;
        while content.peek(Token![let]) {
            match self.binding(content) {
                Ok(binding) => bindings.push(binding),
                Err(reported) => {
                    self.skip_statement(content);
                    unknown_names = Some(reported);
                }
            }
        }
        if let Some(reported) = unknown_names {
            // The names that it binds are unknown, and would be taken for Rust variables. The rest is parsed
            // only for its own mistakes.
            if !content.is_empty() {
                let _ = self.whole_expression(content);
            }
            return Err(reported);
        }
        if content.is_empty() {
            if self.errors.len() == before {
                self.unexpected_end("the block's result");
            }
            let source = self.next_source(content);
            return Ok((bindings, self.broken(source)));
        }
        let start = self.start(content);
        let body = match self.whole_expression(content) {
            Ok(body) => body,
            Err(_) => {
                let source = self.source_from(start);
                self.broken(source)
            }
        };
        Ok((bindings, body))
    }

    fn binding(&mut self, content: ParseStream) -> Result<Binding> {
        self.advance(content);
        let pattern = self.pattern(content)?;
        let before = self.errors.len();
        let start = self.start(content);
        let value = match self.expect(content, Token![=], "`=` and a value") {
            Ok(()) => self.expression(content),
            Err(reported) => Err(reported),
        };
        if self.errors.len() == before {
            // After an error, parsing continues with the next statement; the error is already reported.
            let _ = self.expect(content, Token![;], "an operator or `;`");
        }
        if self.errors.len() > before {
            self.skip_statement(content);
        }
        let value = match value {
            Ok(value) => value,
            Err(_) => {
                let source = self.source_from(start);
                self.broken(source)
            }
        };
        Ok(Binding { pattern, value })
    }

    fn skip_statement(&mut self, content: ParseStream) {
        while !content.is_empty() && !self.eat(content, Token![;]) {
            self.advance(content);
        }
    }
}

/// The positions in `0` or `0.1`; `None` if the token is another number.
fn component_positions(token: &str) -> Option<Vec<usize>> {
    token.split('.').filter(|part| !part.is_empty()).map(|part| part.parse().ok()).collect()
}
