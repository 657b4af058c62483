//! Forms of Rust and of other languages that this one does not have, or writes in another way: loops,
//! references, shifts (`>>` is composition here), powers.

use lift_core::front::syntax::{Expr, ExprKind, Shift};
use lift_core::ir::scalar::Literal;
use lift_core::ir::source::Source;
use proc_macro2::{Punct, Spacing};
use syn::parse::ParseStream;
use syn::{Ident, Token};

use crate::error::ForeignMistake;
use crate::state::{Parser, Reported};

/// Whether `<<` is next, which shifts bits in Rust.
pub(crate) fn is_shift_left(input: ParseStream) -> bool {
    input.peek(Token![<<]) && !input.peek(Token![<<=])
}

/// The shift that is next, where `>>` shifts bits too.
pub(crate) fn next_shift(input: ParseStream) -> Option<Shift> {
    if is_shift_left(input) {
        return Some(Shift::Left);
    }
    (input.peek(Token![>>]) && !input.peek(Token![>>=])).then_some(Shift::Right)
}

impl Parser {
    /// Reports a token that cannot start an expression; forms of Rust that have another notation here get a
    /// remedy.
    pub(crate) fn foreign(&mut self, input: ParseStream) -> Reported {
        let mistake = if is_operator_alone(input) {
            ForeignMistake::OperatorAsFunction
        } else if starts_other_item(input) {
            ForeignMistake::Item
        } else if input.peek(Token![&]) {
            ForeignMistake::Borrow
        } else if input.peek(Token![*]) {
            ForeignMistake::Dereference
        } else if input.peek(Token![move]) {
            ForeignMistake::Move
        } else if input.peek(Token![for]) {
            ForeignMistake::For
        } else if input.peek(Token![while]) || input.peek(Token![loop]) {
            ForeignMistake::While
        } else if input.peek(Token![self]) {
            ForeignMistake::SelfValue
        } else if input.peek(Token![match]) {
            ForeignMistake::Match
        } else if input.peek(Token![return]) {
            ForeignMistake::Return
        } else if input.peek(Token![let]) {
            ForeignMistake::Let
        } else {
            return self.unexpected(input, "an expression");
        };
        let source = self.next_source(input);
        self.error(source, mistake)
    }

    /// Consumes `<<`, which is next.
    pub(crate) fn shift_operator(&mut self, input: ParseStream) -> Source {
        let start = self.start(input);
        self.advance_by(input, 2);
        self.source_from(start)
    }

    /// Reports `left << right`.
    pub(crate) fn no_shift_operator(&mut self, operator: Source, left: &Expr, right: &Expr) {
        let (number, bits) = (word(left, "x"), word(right, "k"));
        self.error(operator, ForeignMistake::ShiftLeft { number, bits });
    }

    /// Reports and consumes `**`, which is next.
    pub(crate) fn no_power_operator(&mut self, input: ParseStream) {
        let start = self.start(input);
        self.advance_by(input, 2);
        let source = self.source_from(start);
        self.error(source, ForeignMistake::Power);
    }
}

/// A name or a number as it is written; another name for anything else.
fn word(expr: &Expr, otherwise: &str) -> String {
    match &expr.kind {
        ExprKind::Name(name) => name.clone(),
        ExprKind::Literal(Literal::Integer(number), None) => number.to_string(),
        _ => otherwise.to_owned(),
    }
}

/// Whether the next token is an operator without operands: `reduce(+, 0)`.
fn is_operator_alone(input: ParseStream) -> bool {
    let is_operator =
        input.peek(Token![+]) || input.peek(Token![*]) || input.peek(Token![/]) || input.peek(Token![%]);
    is_operator && input.peek2(Token![,])
}

/// Whether the next token starts an item of Rust that is no function.
fn starts_other_item(input: ParseStream) -> bool {
    input.peek(Token![struct])
        || input.peek(Token![enum])
        || input.peek(Token![use])
        || input.peek(Token![mod])
        || input.peek(Token![impl])
        || input.peek(Token![trait])
        || input.peek(Token![type])
        || input.peek(Token![const])
        || input.peek(Token![static])
}

/// Whether `|>` is next, which other languages write instead of `>>`.
pub(crate) fn is_pipe(input: ParseStream) -> bool {
    input.peek2(Token![>]) && input.fork().parse::<Punct>().is_ok_and(|bar| bar.spacing() == Spacing::Joint)
}

/// Whether the parameters of a lambda are surely next, after a missing comma: `|x: T|`, `|_|`, `|i => x|`.
/// `|x| y` is one or two operators.
pub(crate) fn is_lambda(input: ParseStream) -> bool {
    input.peek(Token![|])
        && (input.peek2(Token![_])
            || (input.peek2(Ident)
                && (input.peek3(Token![=>]) || (input.peek3(Token![:]) && !input.peek3(Token![::])))))
}
