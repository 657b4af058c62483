//! What is wrong with the tokens of a `lift!`, as data, and what the user is told about it.
//!
//! A mistake is recorded where parsing meets it, with the data that its message needs. Only when parsing has
//! ended do mistakes become sentences: [`diagnostics`] is the one place, and every family of mistakes has its
//! sentences beside it.

use lift_core::diagnostic::Diagnostic;
use lift_core::ir::source::Source;

mod expression;
mod foreign;
mod input;
mod item;
mod literal;
mod pattern;
mod token;
mod types;

pub(crate) use expression::ExpressionMistake;
pub(crate) use foreign::ForeignMistake;
pub(crate) use input::InputMistake;
pub(crate) use item::ItemMistake;
pub(crate) use literal::LiteralMistake;
pub(crate) use pattern::PatternMistake;
pub(crate) use token::{Found, TokenMistake};
pub(crate) use types::TypeMistake;

/// A mistake and where it is.
#[derive(Debug)]
pub(crate) struct Error {
    /// Where it is.
    pub(crate) source: Source,
    /// What it is.
    pub(crate) mistake: Mistake,
}

/// A mistake, by what is wrong.
#[derive(Debug)]
pub(crate) enum Mistake {
    /// The whole input.
    Input(InputMistake),
    /// A token that cannot stand where it does.
    Token(TokenMistake),
    /// An expression.
    Expression(ExpressionMistake),
    /// A form of Rust or of another language that has another notation here.
    Foreign(ForeignMistake),
    /// A number or a truth value.
    Literal(LiteralMistake),
    /// A pattern.
    Pattern(PatternMistake),
    /// A type.
    Type(TypeMistake),
    /// A function item.
    Item(ItemMistake),
}

impl Error {
    /// The message for the user.
    fn diagnostic(&self) -> Diagnostic {
        match &self.mistake {
            Mistake::Input(mistake) => mistake.diagnostic(self.source),
            Mistake::Token(mistake) => mistake.diagnostic(self.source),
            Mistake::Expression(mistake) => mistake.diagnostic(self.source),
            Mistake::Foreign(mistake) => mistake.diagnostic(self.source),
            Mistake::Literal(mistake) => mistake.diagnostic(self.source),
            Mistake::Pattern(mistake) => mistake.diagnostic(self.source),
            Mistake::Type(mistake) => mistake.diagnostic(self.source),
            Mistake::Item(mistake) => mistake.diagnostic(self.source),
        }
    }
}

/// The messages for the user.
pub(crate) fn diagnostics(errors: &[Error]) -> Vec<Diagnostic> {
    errors.iter().map(Error::diagnostic).collect()
}

/// What is said of every tuple that is too small.
const SMALL_TUPLE: &str = "a tuple has at least two components";

/// A mistake of a family is a mistake.
macro_rules! families {
    ($($variant:ident($family:ident)),* $(,)?) => {
        $(impl From<$family> for Mistake {
            fn from(mistake: $family) -> Mistake {
                Mistake::$variant(mistake)
            }
        })*
    };
}

families! {
    Input(InputMistake),
    Token(TokenMistake),
    Expression(ExpressionMistake),
    Foreign(ForeignMistake),
    Literal(LiteralMistake),
    Pattern(PatternMistake),
    Type(TypeMistake),
    Item(ItemMistake),
}
