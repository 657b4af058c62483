//! Operators with two operands: how they are written and how strongly they bind.
//!
//! From weak to strong: `>>`, `||`, `&&`, comparisons (which do not chain), `|`, `^`, `&`, `+ -`, `* / %`.
//! Casts, unary operators and everything postfix bind more strongly. In the bodies of user functions `<<` and
//! `>>` are between `&` and sums, as in Rust.

use lift_core::ir::scalar::BinaryOperator;
use syn::Token;
use syn::parse::ParseStream;

use crate::foreign::{is_lambda, is_pipe};

/// How strongly an operator binds its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Precedence {
    Pipe,
    Or,
    And,
    Comparison,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Operand,
}

/// An operator with two operands.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Operator {
    Pipe,
    Binary(BinaryOperator),
}

/// A row of the table of operators: how to recognise the operator, and its number of characters.
pub(crate) struct Row {
    pub(crate) peek: fn(ParseStream) -> bool,
    pub(crate) width: usize,
    pub(crate) operator: Operator,
}

/// Operators with two operands. An operator comes before those that are a prefix of it.
pub(crate) const OPERATORS: [Row; 17] = [
    Row {
        peek: |input| input.peek(Token![>>]) && !input.peek(Token![>>=]),
        width: 2,
        operator: Operator::Pipe,
    },
    row(|input| input.peek(Token![||]), 2, BinaryOperator::Or),
    row(|input| input.peek(Token![&&]), 2, BinaryOperator::And),
    row(starts_bit_or, 1, BinaryOperator::BitOr),
    row(|input| input.peek(Token![^]) && !input.peek(Token![^=]), 1, BinaryOperator::BitXor),
    row(|input| input.peek(Token![&]) && !input.peek(Token![&=]), 1, BinaryOperator::BitAnd),
    row(|input| input.peek(Token![==]), 2, BinaryOperator::Equal),
    row(|input| input.peek(Token![!=]), 2, BinaryOperator::NotEqual),
    row(|input| input.peek(Token![<=]), 2, BinaryOperator::LessOrEqual),
    row(|input| input.peek(Token![>=]), 2, BinaryOperator::GreaterOrEqual),
    row(|input| input.peek(Token![<]) && !input.peek(Token![<<]), 1, BinaryOperator::Less),
    row(|input| input.peek(Token![>]) && !input.peek(Token![>>=]), 1, BinaryOperator::Greater),
    row(|input| input.peek(Token![+]) && !input.peek(Token![+=]), 1, BinaryOperator::Add),
    row(
        |input| input.peek(Token![-]) && !input.peek(Token![-=]) && !input.peek(Token![->]),
        1,
        BinaryOperator::Subtract,
    ),
    row(|input| input.peek(Token![*]) && !input.peek(Token![*=]), 1, BinaryOperator::Multiply),
    row(|input| input.peek(Token![/]) && !input.peek(Token![/=]), 1, BinaryOperator::Divide),
    row(|input| input.peek(Token![%]) && !input.peek(Token![%=]), 1, BinaryOperator::Remainder),
];

const fn row(peek: fn(ParseStream) -> bool, width: usize, operator: BinaryOperator) -> Row {
    Row { peek, width, operator: Operator::Binary(operator) }
}

/// Whether `|` is next, and neither `|>`, which other languages write instead of `>>`, nor surely the start of
/// a lambda after a missing comma.
fn starts_bit_or(input: ParseStream) -> bool {
    input.peek(Token![|]) && !input.peek(Token![|=]) && !is_pipe(input) && !is_lambda(input)
}

impl Operator {
    /// How strongly it binds.
    pub(crate) fn precedence(self) -> Precedence {
        match self {
            Operator::Pipe => Precedence::Pipe,
            Operator::Binary(operator) => match operator {
                BinaryOperator::Or => Precedence::Or,
                BinaryOperator::And => Precedence::And,
                BinaryOperator::Equal
                | BinaryOperator::NotEqual
                | BinaryOperator::Less
                | BinaryOperator::LessOrEqual
                | BinaryOperator::Greater
                | BinaryOperator::GreaterOrEqual => Precedence::Comparison,
                BinaryOperator::BitOr => Precedence::BitOr,
                BinaryOperator::BitXor => Precedence::BitXor,
                BinaryOperator::BitAnd => Precedence::BitAnd,
                BinaryOperator::Add | BinaryOperator::Subtract => Precedence::Sum,
                BinaryOperator::Multiply | BinaryOperator::Divide | BinaryOperator::Remainder => {
                    Precedence::Product
                }
            },
        }
    }
}

impl Precedence {
    /// The next stronger precedence: the right operand of a left-associative operator must have it.
    pub(crate) fn stronger(self) -> Precedence {
        match self {
            Precedence::Pipe => Precedence::Or,
            Precedence::Or => Precedence::And,
            Precedence::And => Precedence::Comparison,
            Precedence::Comparison => Precedence::BitOr,
            Precedence::BitOr => Precedence::BitXor,
            Precedence::BitXor => Precedence::BitAnd,
            Precedence::BitAnd => Precedence::Shift,
            Precedence::Shift => Precedence::Sum,
            Precedence::Sum => Precedence::Product,
            Precedence::Product | Precedence::Operand => Precedence::Operand,
        }
    }
}
