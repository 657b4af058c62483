//! Tokens that cannot stand where they do.

use std::fmt;

use lift_core::diagnostic::Diagnostic;
use lift_core::ir::source::Source;

/// A token that is missing, or another one in its place.
#[derive(Debug)]
pub(crate) enum TokenMistake {
    /// Something else stands there.
    Unexpected {
        /// What was expected, as it stands in a sentence.
        expected: &'static str,
        /// What stands there.
        found: Found,
    },
    /// A group or the input ends there.
    UnexpectedEnd {
        /// What was expected, as it stands in a sentence.
        expected: &'static str,
    },
    /// It cannot be read.
    Missing {
        /// What was expected, as it stands in a sentence.
        expected: &'static str,
    },
}

/// What was found in the place of something else.
#[derive(Debug)]
pub(crate) enum Found {
    /// `(…)`
    Parentheses,
    /// `{…}`
    Braces,
    /// `[…]`
    Brackets,
    /// An expression that a `macro_rules!` fragment made of several tokens.
    Fragment,
    /// A name or a literal.
    Word(String),
    /// An operator of one or two characters.
    Operator(String),
    /// `<<=` or `>>=`, by its first two characters.
    ShiftAssignment(String),
}

const ASSIGNMENT: &str = "nothing can be assigned to; use `reduce` or `let`";

impl fmt::Display for Found {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Found::Parentheses => formatter.write_str("`(…)`"),
            Found::Braces => formatter.write_str("`{…}`"),
            Found::Brackets => formatter.write_str("`[…]`"),
            Found::Fragment => formatter.write_str("an expression"),
            Found::Word(text) | Found::Operator(text) | Found::ShiftAssignment(text) => {
                write!(formatter, "`{text}`")
            }
        }
    }
}

impl Found {
    /// The notation to use instead, for what comes from other languages.
    fn remedy(&self) -> Option<&'static str> {
        match self {
            Found::Parentheses | Found::Braces | Found::Fragment | Found::Word(_) => None,
            Found::Brackets => Some("arrays are not indexed with `[…]`; write `at(i, array)`"),
            Found::ShiftAssignment(_) => Some(ASSIGNMENT),
            Found::Operator(text) => remedy(text),
        }
    }
}

fn remedy(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "|>" => "apply a function to a value with `>>`",
        "=" => "compare with `==`; name a value with `let name = …;`",
        "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" => ASSIGNMENT,
        ";" => "the last expression stands without `;`",
        ".." => "there are no ranges; write `generate(n, |i| …)`",
        "?" => "`?` belongs after the macro: `lift!(…)?`; a choice is `if c { a } else { b }`",
        "::" => "paths are those of constants, such as `f32::MAX`; write `sqrt(x)` for a function",
        "!" => "there are no macros here; `!` stands before what it negates",
        "=>" | "->" => "write `|x| …` for a function",
        "|" => "a function `|x| …` is an argument like others, after a `,`",
        _ => return None,
    })
}

impl TokenMistake {
    /// The message for the user.
    pub(super) fn diagnostic(&self, source: Source) -> Diagnostic {
        match self {
            TokenMistake::Unexpected { expected, found } => Diagnostic {
                help: found.remedy().map(str::to_owned),
                ..Diagnostic::new(source, format!("expected {expected}, found {found}"))
            },
            TokenMistake::UnexpectedEnd { expected } => {
                Diagnostic::new(source, format!("expected {expected} after this"))
            }
            TokenMistake::Missing { expected } => Diagnostic::new(source, format!("expected {expected}")),
        }
    }
}
